import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Modules of the page that know a server and an address, and what stands for them here. */
const INSTEAD = new Map([
  ["src/address.ts", "app/address.ts"],
  ["src/session.ts", "app/session.ts"],
  ["src/parts/workspace.ts", "app/workspace.ts"],
].map(([one, other]) => [path(one!), path(other!)]));

/** The parts of the page get other modules than they name; what is in `app` gets what it names. */
function instead(): Plugin {
  return {
    name: "instead",
    enforce: "pre",
    async resolveId(source, importer, options) {
      if (!importer?.startsWith(path("src/"))) return null;
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
      return (resolved && INSTEAD.get(resolved.id)) ?? resolved;
    },
  };
}

/** Script and style become part of the document, which may load nothing. */
function inline(): Plugin {
  return {
    name: "inline",
    enforce: "post",
    generateBundle(_, bundle) {
      const page = Object.values(bundle).find((file) => file.fileName.endsWith(".html"));
      if (page?.type !== "asset") return this.error("there is no document");
      let text = String(page.source);
      for (const file of Object.values(bundle)) {
        if (file === page) continue;
        const isScript = file.type === "chunk";
        // What would end the element is written in another way, which means the same.
        const content = isScript ? file.code.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--")
          : String(file.source);
        const name = file.fileName.replaceAll(".", "\\.");
        const tag = isScript ? new RegExp(`\\s*<script[^>]*${name}[^>]*></script>`)
          : new RegExp(`<link[^>]*${name}[^>]*>`);
        if (!tag.test(text)) return this.error(`${file.fileName} is not named in the document`);
        // As functions, because `$` means something in a text.
        text = isScript ? text.replace(tag, "").replace("</body>", () =>
          `<script type="module">${content}</script>\n  </body>`)
          : text.replace(tag, () => `<style>${content}</style>`);
        delete bundle[file.fileName];
      }
      page.source = text;
    },
  };
}

export default defineConfig({
  root: path("app"),
  base: "./",
  publicDir: false,
  plugins: [instead(), inline()],
  build: {
    outDir: path("dist-app"),
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    rolldownOptions: { input: path("app/recall.html") },
  },
});

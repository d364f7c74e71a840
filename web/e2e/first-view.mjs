// How long until a person sees the graph? Milliseconds from the navigation to the number of nodes in the bar,
// of five loads in one browser. The first waits until positions and communities are computed, if they are not.
//
//   npm run first-view -- http://127.0.0.1:4747 [PATH]
//
// CHROMIUM is the path of the browser.

import { chromium } from "@playwright/test";

const LOADS = 5;
const PATIENCE_MS = 120_000;
// Software WebGL: the machine may have no graphics card.
const WEBGL = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

const [server, path = "/"] = process.argv.slice(2);
if (!server) throw new Error("say which server: npm run first-view -- http://127.0.0.1:4747");
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const browser = await chromium.launch({ executablePath, args: [...WEBGL, "--no-sandbox"] });

async function load() {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const begun = performance.now();
  await page.goto(new URL(path, server).href, { waitUntil: "commit" });
  const bar = page.locator(".explorer-count").filter({ hasText: /^\s*[1-9]/ });
  await bar.waitFor({ timeout: PATIENCE_MS });
  const took = performance.now() - begun;
  const shown = await bar.innerText();
  await page.close();
  return { took, shown };
}

const loads = [];
for (let at = 0; at < LOADS; at += 1) loads.push(await load());
console.log(`${loads[0].shown}: ${loads.map(({ took }) => Math.round(took)).join(", ")} ms`);
await browser.close();

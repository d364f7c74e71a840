// The frame: which page is shown, the workspace, the key, and whether the server answers.

import { html, nothing, type TemplateResult } from "lit";
import { link, place } from "./address.js";
import { listen, Part } from "./parts/part.js";
import { session } from "./session.js";
import "./style.css";
import "./explorer/explorer.js";
import "./pages/ask.js";
import "./pages/sources.js";
import "./pages/review.js";
import "./pages/health.js";

const PAGES: Record<string, { title: string; show: () => TemplateResult }> = {
  explore: { title: "Explore", show: () => html`<griot-explorer></griot-explorer>` },
  ask: { title: "Ask", show: () => html`<griot-ask></griot-ask>` },
  sources: { title: "Sources", show: () => html`<griot-sources></griot-sources>` },
  review: { title: "Review", show: () => html`<griot-review></griot-review>` },
  health: { title: "Health", show: () => html`<griot-health></griot-health>` },
};

class Page extends Part {
  static override properties = { state: { state: true }, why: { state: true } };
  declare state: "connecting" | "key" | "ready" | "away";
  declare why: string;

  constructor() {
    super();
    this.state = "connecting";
    this.why = "";
    listen(this, window, "hashchange", () => this.requestUpdate());
    listen(this, session, "connected", () => void this.#connect());
    listen(this, session, "failed", (event) => this.#failed((event as CustomEvent).detail));
    listen(this, session, "changed", () => (this.state = "ready"));
    void this.#connect();
  }

  async #connect(): Promise<void> {
    try {
      // Any read says whether the key is taken; this one is quick at every size and for every key.
      await session.client.memories({ limit: 1 });
      this.state = "ready";
      session.watch();
    } catch (failure) {
      this.#failed(failure);
    }
  }

  #failed(failure: unknown): void {
    const kind = (failure as { kind?: string }).kind;
    this.why = failure instanceof Error ? failure.message : String(failure);
    if (kind === "unauthenticated" || kind === "forbidden") {
      this.state = "key";
      return;
    }
    this.state = "away";
    setTimeout(() => void this.#connect(), 2000);
  }

  protected override render(): TemplateResult {
    const shown = PAGES[place().page] ? place().page : "explore";
    return html`
      <header class="bar">
        <a class="brand" href=${link("explore")}>Griot</a>
        <nav aria-label="Pages">
          ${Object.entries(PAGES).map(
            ([name, { title }]) =>
              html`<a href=${link(name)} aria-current=${name === shown ? "page" : nothing}>${title}</a>`,
          )}
        </nav>
        <span class="state" role="status">${this.state === "away" ? "The server does not answer. Trying again…" : nothing}</span>
      </header>
      <main class=${`page page-${shown}`}>
        ${this.state === "key" ? this.#askForKey() : this.state === "connecting" ? nothing : PAGES[shown]!.show()}
      </main>
    `;
  }

  #askForKey(): TemplateResult {
    return html`
      <form class="card narrow" @submit=${(event: SubmitEvent) => {
        event.preventDefault();
        const form = new FormData(event.target as HTMLFormElement);
        session.use(String(form.get("key")).trim(), String(form.get("workspace")).trim());
      }}>
        <h1>This server asks for a key</h1>
        <p class="quiet">${this.why}</p>
        <label>Key <input name="key" type="password" autocomplete="off" required></label>
        <label>Workspace <input name="workspace" value=${session.workspace} placeholder="the one of the key"></label>
        <p class="quiet">The key is kept until this tab is closed. <code>griot key create</code> makes one.</p>
        <button class="primary">Open</button>
      </form>
    `;
  }
}

customElements.define("griot-page", Page);

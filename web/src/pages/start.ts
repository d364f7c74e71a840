// What to do with an empty workspace: three ways to put something into it.

import { html, nothing, type TemplateResult } from "lit";
import type { Remembered } from "../../../sdk/typescript/src/types.js";
import { link } from "../address.js";
import { Asked } from "../parts/asked.js";
import { Part } from "../parts/part.js";
import { scopeOf } from "../parts/scope.js";
import { told } from "../parts/told.js";
import { workspace } from "../parts/workspace.js";
import { session } from "../session.js";
import "./upload.js";

class Start extends Part {
  readonly #remembered = new Asked<Remembered>(this);

  protected override render(): TemplateResult {
    const stored = this.#remembered.value;
    return html`<section class="start" aria-label="An empty workspace">
      <p>This workspace is empty. Three ways to put something into it:</p>
      <div class="ways">
        ${workspace.may("write") ? html`<form class="card" @submit=${(event: SubmitEvent) => {
          event.preventDefault();
          const form = event.target as HTMLFormElement;
          const text = String(new FormData(form).get("text")).trim();
          if (text !== "") void this.#remember(text);
        }}>
          <h2>Remember a text</h2>
          <label><span class="unseen">Text</span><textarea name="text" rows="4" dir="auto" required
            placeholder="We moved sessions to Redis because Postgres was too slow."></textarea></label>
          <button class="primary" ?disabled=${this.#remembered.busy}>Remember</button>
          ${told(this.#remembered.failure)}
          ${stored ? html`<p class="good" role="status">Stored as
            <span class="handle">${stored.handle}</span>.
            <a href=${link("ask", { q: "why?" })}>Ask about it</a></p>` : nothing}
        </form>
        <div class="card"><h2>Drop a file</h2><griot-upload></griot-upload></div>` : html`<p class="card">
          The key of this tab may only read: somebody with the role write fills the workspace.</p>`}
        <div class="card"><h2>Connect an agent</h2>
          <p>On its machine, this connects the host program that is found there:</p>
          <pre><code>griot connect</code></pre>
          <p class="quiet"><code>griot connect --list</code> shows which there are.</p></div>
      </div>
    </section>`;
  }

  async #remember(text: string): Promise<void> {
    await this.#remembered.send((signal) => session.client.remember({ text, source: "page", ...scopeOf() }, {
      signal }));
    if (this.#remembered.value) void workspace.load();
  }
}

customElements.define("griot-start", Start);

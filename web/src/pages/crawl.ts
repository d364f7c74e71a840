// The form that reads a page or a site into the workspace.

import { html, nothing, type TemplateResult } from "lit";
import type { CrawlRequest, Job } from "../../../sdk/typescript/src/types.js";
import { Asked } from "../parts/asked.js";
import { jobs } from "../parts/jobs.js";
import { Part } from "../parts/part.js";
import { told } from "../parts/told.js";
import { session } from "../session.js";

/** What the form asks for; what is left empty is left to the settings. */
export function crawlOf(form: FormData): CrawlRequest {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const list = (name: string) => text(name).split(/[\n,]/).map((one) => one.trim()).filter((one) =>
    one !== "");
  const request: CrawlRequest = { url: text("url") };
  if (text("mode") !== "") request.mode = text("mode");
  for (const name of ["max_pages", "depth", "every_hours"] as const) {
    if (text(name) !== "") request[name] = Number(text(name));
  }
  for (const name of ["allow", "block", "tags"] as const) {
    if (list(name).length > 0) request[name] = list(name);
  }
  if (text("project") !== "") request.project = text("project");
  if (form.has("prune")) request.prune = true;
  return request;
}

class Crawl extends Part {
  readonly #sent = new Asked<Job>(this);

  protected override render(): TemplateResult {
    const job = this.#sent.value;
    return html`<form class="crawl" @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      void this.#start(new FormData(event.target as HTMLFormElement));
    }}>
      <label>Address of a page <input name="url" type="url" required
        placeholder="https://example.org/docs/"></label>
      <div class="row fields">
        <label>Read <select name="mode">
          <option value="">as the settings say</option>
          <option value="single">this page</option>
          <option value="sitemap">the site, by its sitemap</option>
          <option value="recursive">the site, by its links</option>
        </select></label>
        <label>Most pages <input name="max_pages" type="number" min="1" placeholder="settings"></label>
        <label>Depth of links <input name="depth" type="number" min="0" placeholder="settings"></label>
      </div>
      <label>Tags, with commas between <input name="tags" autocomplete="off"></label>
      <details><summary>Patterns, project and repetition</summary>
        <label>Only addresses like these, one a line
          <textarea name="allow" rows="2" placeholder="/docs/**"></textarea></label>
        <label>None like these, one a line
          <textarea name="block" rows="2" placeholder="/docs/old/**"></textarea></label>
        <div class="row fields">
          <label>Project <input name="project" size="14"></label>
          <label>Again after hours <input name="every_hours" type="number" min="0.1" step="any"
            placeholder="never"></label>
          <label class="inline"><input name="prune" type="checkbox"> forget pages that are gone</label>
        </div>
      </details>
      <button class="primary" ?disabled=${this.#sent.busy}>Read it</button>
      ${told(this.#sent.failure)}
      ${job ? html`<p class="good" role="status">Started as job <span class="handle">${job.id}</span>.</p>`
        : nothing}
    </form>`;
  }

  async #start(form: FormData): Promise<void> {
    await this.#sent.send((signal) => session.client.crawl(crawlOf(form), { signal }));
    if (this.#sent.failure === null) this.dispatchEvent(new Event("watch", { bubbles: true }));
    await jobs.load();
  }
}

customElements.define("griot-crawl", Crawl);

// Files dropped here, or chosen, are stored as sources.

import { html, nothing, type TemplateResult } from "lit";
import { link } from "../address.js";
import { Part } from "../parts/part.js";
import { scopeOf } from "../parts/scope.js";
import { count, reasonOf } from "../parts/told.js";
import { workspace } from "../parts/workspace.js";
import { session } from "../session.js";

/** What `POST /api/knowledge/ingest` answers, as far as it is shown. */
interface Stored {
  sourceId?: string;
  added: number;
  kept: number;
  unchanged: number;
  flagged: number;
  entities: number;
  failed: { path: string; message: string }[];
  unread: Record<string, number>;
}

interface Upload {
  file: File;
  state: "waiting" | "sending" | "stored" | "failed";
  stored: Stored | null;
  why: string;
}

class UploadArea extends Part {
  static override properties = { uploads: { state: true }, over: { state: true } };
  declare uploads: Upload[];
  /** Whether files are held above it. */
  declare over: boolean;
  #running = false;

  constructor() {
    super();
    this.uploads = [];
    this.over = false;
  }

  protected override render(): TemplateResult {
    return html`<div class=${`drop ${this.over ? "over" : ""}`}
      @dragover=${(event: DragEvent) => { event.preventDefault(); this.over = true; }}
      @dragleave=${() => (this.over = false)}
      @drop=${(event: DragEvent) => {
        event.preventDefault();
        this.over = false;
        this.#add([...(event.dataTransfer?.files ?? [])]);
      }}>
      <label>Tags, with commas between <input name="tags" autocomplete="off"></label>
      <label>Project <input name="project" autocomplete="off" placeholder="none in particular"></label>
      <label class="files">Drop files here, or choose them
        <input type="file" multiple @change=${(event: Event) => {
          const input = event.target as HTMLInputElement;
          this.#add([...(input.files ?? [])]);
          input.value = "";
        }}></label>
      <ul role="status" class="uploads">${this.uploads.map((one) => html`<li>
        <span class="clip">${one.file.name}</span> ${this.#state(one)}</li>`)}</ul>
    </div>`;
  }

  #state({ state, stored, why }: Upload): TemplateResult {
    if (state === "failed") return html`<span class="bad">${why}</span>`;
    if (state !== "stored" || !stored) return html`<span class="quiet">${state}…</span>`;
    const said = stored.unchanged > 0 && stored.added === 0 ? "has not changed"
      : `${count(stored.added, "memory", "memories")}, ${count(stored.entities, "new entity",
        "new entities")}`;
    const failed = [...stored.failed.map((one) => one.message), ...Object.keys(stored.unread).map((end) =>
      `files ${end} are not read`)];
    return html`<span class="good">${said}</span>
      ${stored.flagged > 0 ? html`<span class="warn">${count(stored.flagged, "memory",
        "memories")} hold a key, a password or orders to
        a model</span>` : nothing}
      ${failed.map((text) => html`<span class="bad">${text}</span> `)}
      ${stored.sourceId ? html`<a href=${link("sources", { source: stored.sourceId })}>show</a>` : nothing}`;
  }

  #add(files: File[]): void {
    this.uploads = [...files.map((file): Upload => ({ file, state: "waiting", stored: null, why: "" })),
      ...this.uploads];
    void this.#run();
  }

  /** One file after the other: the server holds two large forms in memory at most. */
  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    for (let next = this.#next(); next; next = this.#next()) {
      next.state = "sending";
      this.requestUpdate();
      try {
        next.stored = await this.#send(next.file);
        next.state = "stored";
      } catch (failure) {
        next.state = "failed";
        next.why = reasonOf(failure).why;
      }
      this.requestUpdate();
    }
    this.#running = false;
    void workspace.load();
    this.dispatchEvent(new Event("stored", { bubbles: true }));
  }

  #next(): Upload | undefined {
    return this.uploads.findLast((one) => one.state === "waiting");
  }

  async #send(file: File): Promise<Stored> {
    const form = new FormData();
    const value = (name: string) => this.querySelector<HTMLInputElement>(`input[name=${name}]`)?.value.trim()
      ?? "";
    if (value("tags") !== "") form.append("tags", value("tags"));
    if (value("project") !== "") form.append("project", value("project"));
    const { user } = scopeOf();
    if (user) form.append("user", user);
    if (session.workspace !== "") form.append("tenantId", session.workspace);
    form.append("file", file, file.name);
    const response = await session.request("/api/knowledge/ingest", { method: "POST", body: form });
    return (await response.json()) as Stored;
  }
}

customElements.define("griot-upload", UploadArea);

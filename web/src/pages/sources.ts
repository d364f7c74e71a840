// Sources: where memories come from, how they come in, and how they go.

import { html, nothing, type TemplateResult } from "lit";
import type { Forgotten, SourceView } from "../../../sdk/typescript/src/types.js";
import { change, link, place } from "../address.js";
import { Asked } from "../parts/asked.js";
import { followChanges } from "../parts/changes.js";
import { placeOf, shortOrigin } from "../parts/citation.js";
import { followJobs, isActive, jobs } from "../parts/jobs.js";
import { listen, Part } from "../parts/part.js";
import { scopeForm, scopeOf } from "../parts/scope.js";
import { count, time, told } from "../parts/told.js";
import { followWorkspace, workspace } from "../parts/workspace.js";
import { session } from "../session.js";
import { stateChip } from "./job-list.js";
import "./crawl.js";
import "./source.js";
import "./start.js";
import "./upload.js";

/** Rows in the table at first; a crawled site may have thousands. */
const ROWS = 200;

interface Column {
  name: string;
  title: string;
  /** What rows are sorted by. */
  by: (view: SourceView) => string | number;
  isNumber?: boolean;
}

const COLUMNS: Column[] = [
  { name: "name", title: "Name", by: (view) => nameOf(view).toLowerCase() },
  { name: "type", title: "Type", by: ({ source }) => source.kind },
  { name: "tags", title: "Tags", by: ({ source }) => source.tags.join(" ") },
  { name: "memories", title: "Memories", by: (view) => view.memories, isNumber: true },
  { name: "entities", title: "Entities", by: (view) => view.entities, isNumber: true },
  { name: "updated", title: "Updated", by: ({ source }) => source.updated_at },
  { name: "state", title: "State", by: ({ source }) => jobs.of(source.origin)?.state ?? "stored" },
  { name: "trust", title: "Trust", by: ({ source }) => trust(source.kind) },
];

export function nameOf({ source }: SourceView): string {
  return source.title?.trim() || source.origin;
}

/** Anybody may have written a page; what else is stored is the owner's. */
export function trust(kind: string): "web" | "own" {
  return kind === "page" ? "web" : "own";
}

/** The rows that match the filters, sorted by a column; `-` before its name turns the order. */
export function rowsOf(all: SourceView[], parameters: URLSearchParams): SourceView[] {
  const words = (parameters.get("filter") ?? "").toLowerCase().split(/\s+/).filter((word) => word !== "");
  const [kind, tag] = [parameters.get("type"), parameters.get("tag")];
  const found = all.filter((view) => {
    const { source } = view;
    const text = `${source.id} ${source.origin} ${source.title ?? ""} ${source.tags.join(" ")}`.toLowerCase();
    return words.every((word) => text.includes(word)) && (!kind || source.kind === kind)
      && (!tag || source.tags.includes(tag));
  });
  const sort = parameters.get("sort") ?? "-updated";
  const column = COLUMNS.find((one) => one.name === sort.replace(/^-/, "")) ?? COLUMNS[0]!;
  const turned = sort.startsWith("-") ? -1 : 1;
  return found.sort((a, b) => {
    const [left, right] = [column.by(a), column.by(b)];
    return left < right ? -turned : left > right ? turned : 0;
  });
}

class Sources extends Part {
  static override properties = { most: { state: true }, gone: { state: true }, watching: { state: true } };
  declare most: number;
  /** What was forgotten or erased here last. */
  declare gone: { name: string; id: string; isForGood: boolean } | null;
  /** Whether a job was started or changed here: what becomes of it is shown. */
  declare watching: boolean;
  readonly #list = new Asked<SourceView[]>(this);
  readonly #restored = new Asked<Forgotten>(this);
  #scope = "";

  constructor() {
    super();
    this.most = ROWS;
    this.gone = null;
    listen(this, window, "hashchange", () => this.#follow());
    followChanges(this, () => this.#load());
    listen(this, this, "stored", () => this.#load());
    this.watching = false;
    listen(this, this, "watch", () => (this.watching = true));
    listen(this, this, "gone", (event) => {
      this.gone = (event as CustomEvent).detail;
      this.#load();
    });
    followWorkspace(this);
    followJobs(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#load();
  }

  #follow(): void {
    if (place().page !== "sources") return;
    this.requestUpdate();
    if (JSON.stringify(scopeOf()) !== this.#scope) this.#load();
  }

  #load(): void {
    const scope = scopeOf();
    this.#scope = JSON.stringify(scope);
    void this.#list.ask((signal) => session.client.sources(scope, { signal }));
  }

  protected override render(): TemplateResult {
    const { parameters } = place();
    const name = parameters.get("source");
    if (name) {
      return html`<h1><a href=${link("sources", { ...scopeOf() })}>Sources</a> ›
        <span class="clip" dir="auto">${this.#titled(name)}</span></h1>
        <griot-source .name=${name} .memory=${parameters.get("memory")}></griot-source>`;
    }
    return html`<h1>Sources</h1>
      ${this.#gone()}
      ${told(this.#list.failure)}
      ${workspace.isEmpty ? html`<griot-start></griot-start>` : nothing}
      ${workspace.may("write") ? html`<div class="ways">
        ${workspace.isEmpty ? nothing : html`<details class="card" ?open=${parameters.has("add")}>
          <summary>Add files</summary><griot-upload></griot-upload></details>`}
        <details class="card" ?open=${parameters.has("add")}><summary>Read a page or a site</summary>
          <griot-crawl></griot-crawl></details></div>` : nothing}
      ${jobs.list.length > 0 ? html`<details class="card" ?open=${this.watching || jobs.list.some(isActive)}>
        <summary>Jobs</summary><griot-jobs .most=${5}></griot-jobs></details>` : nothing}
      ${scopeForm()}
      ${this.#list.value && this.#list.value.length > 0 ? this.#table(this.#list.value, parameters)
        : this.#list.busy ? html`<p class="quiet">Looking…</p>` : nothing}`;
  }

  #titled(id: string): string {
    const view = this.#list.value?.find(({ source }) => source.id === id);
    return view ? nameOf(view) : id;
  }

  #gone(): TemplateResult | typeof nothing {
    if (!this.gone) return nothing;
    const { name, id, isForGood } = this.gone;
    return html`<div class="card row" role="status"><span class="grow clip">${name} ${isForGood ? "is erased"
      : "is forgotten"}.</span>
      ${isForGood ? nothing : html`<button ?disabled=${this.#restored.busy} @click=${async () => {
        await this.#restored.send((signal) => session.client.restore({ name: id, ...scopeOf() }, { signal }));
        if (this.#restored.failure === null) this.gone = null;
        this.#load();
      }}>Restore it</button>`}${told(this.#restored.failure)}</div>`;
  }

  #table(all: SourceView[], parameters: URLSearchParams): TemplateResult {
    const rows = rowsOf([...all], parameters);
    const kinds = [...new Set(all.map(({ source }) => source.kind))].sort();
    const tags = [...new Set(all.flatMap(({ source }) => source.tags))].sort();
    const choose = (name: string, title: string, options: string[]) => html`<label>${title}
      <select @change=${(event: Event) => change({ [name]: (event.target as HTMLSelectElement).value })}>
        <option value="">all</option>
        ${options.map((one) => html`<option value=${one} ?selected=${parameters.get(name) ===
          one}>${one}</option>`)}
      </select></label>`;
    return html`<div class="row fields">
        <label class="grow">Filter <input type="search" .value=${parameters.get("filter") ?? ""}
          @input=${(event: Event) => change({ filter: (event.target as HTMLInputElement).value })}></label>
        ${choose("type", "Type", kinds)}
        ${tags.length > 0 ? choose("tag", "Tag", tags) : nothing}
      </div>
      <p class="quiet" role="status">${rows.length === all.length ? count(all.length, "source")
        : `${rows.length} of ${count(all.length, "source")}`}</p>
      <div class="scroll" tabindex="0" role="region" aria-label="Sources"><table class="sources">
        <thead><tr>${COLUMNS.map((column) => this.#heading(column, parameters))}</tr></thead>
        <tbody>${rows.slice(0, this.most).map((view) => this.#row(view))}</tbody>
      </table></div>
      ${rows.length > this.most ? html`<button @click=${() => (this.most += ROWS)}>Show ${
        Math.min(ROWS, rows.length - this.most)} more</button>` : nothing}`;
  }

  #heading({ name, title, isNumber }: Column, parameters: URLSearchParams): TemplateResult {
    const sort = parameters.get("sort") ?? "-updated";
    const order = sort === name ? "ascending" : sort === `-${name}` ? "descending" : "none";
    // The first choice of a number or a date is the largest.
    const next = order === "none" ? (isNumber || name === "updated" ? `-${name}` : name)
      : order === "ascending" ? `-${name}` : name;
    return html`<th scope="col" aria-sort=${order}><button class="plain" @click=${() =>
      change({ sort: next })}>${title}
      <span aria-hidden="true">${order === "ascending" ? "▲" : order === "descending" ? "▼"
        : ""}</span></button></th>`;
  }

  #row(view: SourceView): TemplateResult {
    const { source, memories, entities } = view;
    const job = jobs.of(source.origin);
    const name = nameOf(view);
    return html`<tr>
      <td class="name"><a href=${placeOf(source.id)} title=${source.origin}
        dir="auto"><span class="clip two">${
        shortOrigin(name, 120)}</span></a>
        ${name === source.origin ? nothing
          : html`<span class="quiet clip" dir="auto">${shortOrigin(source.origin, 70)}</span>`}</td>
      <td data-label="Type">${source.kind}</td>
      <td data-label="Tags">${source.tags.map((tag) => html`<button class="chip" @click=${() =>
        change({ tag })}>${tag}</button> `)}</td>
      <td data-label="Memories">${memories.toLocaleString()}</td>
      <td data-label="Entities">${entities.toLocaleString()}</td>
      <td data-label="Updated">${time(source.updated_at)}</td>
      <td data-label="State">${job ? stateChip(job.state) : source.deleted_at ? "forgotten" : "stored"}</td>
      <td data-label="Trust">${trust(source.kind) === "web"
        ? html`<span class="chip warn"><span aria-hidden="true">⚐</span> web</span>` : "own"}</td>
    </tr>`;
  }
}

customElements.define("griot-sources", Sources);

// One source: what is in it, its tags, and what goes if it goes.

import { html, nothing, type TemplateResult } from "lit";
import type {
  Erasure, ErasureCounts, Forgotten, Job, Memory, SourceContent, SourceGraph, SourceView, Span,
} from "../../../sdk/typescript/src/types.js";
import { change, link } from "../address.js";
import { Asked } from "../parts/asked.js";
import { followChanges } from "../parts/changes.js";
import { about, safeAddress } from "../parts/citation.js";
import { followJobs, jobs } from "../parts/jobs.js";
import { Part } from "../parts/part.js";
import { scopeOf } from "../parts/scope.js";
import { count, time, told } from "../parts/told.js";
import { spaced } from "../parts/words.js";
import { followWorkspace, workspace } from "../parts/workspace.js";
import { session } from "../session.js";
import { stateChip } from "./job-list.js";

/** Memories at once; a book has thousands. */
const SHOWN = 100;

/** The memories around the one that is asked for, else the first ones. */
export function part(memories: Memory[], handle: string | null, most: number): { from: number;
  list: Memory[] } {
  const at = memories.findIndex((memory) => memory.handle === handle);
  const from = at < most ? 0 : at - Math.floor(SHOWN / 4);
  return { from, list: memories.slice(from, from + most) };
}

/** What an erasure removes, in words; what it leaves alone is left out. */
export function removed(counts: ErasureCounts): string[] {
  const words: [number, string, string][] = [
    [counts.memories, "memory", "memories"],
    [counts.vectors, "vector", "vectors"],
    [counts.entities, "entity that only it mentions", "entities that only it mentions"],
    [counts.sources, "source", "sources"],
    [counts.edges, "edge", "edges"],
    [counts.facts, "fact", "facts"],
    [counts.evidence, "piece of evidence of what stays", "pieces of evidence of what stays"],
    [counts.spellings, "spelling of a name", "spellings of names"],
    [counts.merges, "entry of the merges", "entries of the merges"],
    [counts.job_rows, "row of a job", "rows of jobs"],
    [counts.replies, "kept reply of a language model", "kept replies of a language model"],
    [counts.copies, "copy of the database", "copies of the database"],
  ];
  return words.filter(([number]) => number > 0).map(([number, one, many]) => count(number, one, many));
}

function lines({ first, last }: Span): string {
  return first === last ? `line ${first}` : `lines ${first}–${last}`;
}

class Source extends Part {
  static override properties = { name: {}, memory: {}, most: { state: true }, asking: { state: true }, sure: {
    state: true } };
  declare name: string;
  /** Handle of the memory to show it at. */
  declare memory: string | null;
  declare most: number;
  /** Which removal waits for a yes. */
  declare asking: "forget" | "erase" | null;
  declare sure: boolean;
  readonly #content = new Asked<SourceContent>(this);
  readonly #graph = new Asked<SourceGraph>(this);
  readonly #tagged = new Asked<SourceView>(this);
  readonly #refreshed = new Asked<Job>(this);
  readonly #would = new Asked<Erasure>(this);
  readonly #restored = new Asked<Forgotten>(this);
  readonly #went = new Asked<Forgotten | Erasure>(this);
  #shown = "";
  #scrolledTo = "";

  constructor() {
    super();
    this.name = "";
    this.memory = null;
    this.most = SHOWN;
    this.asking = null;
    this.sure = false;
    followChanges(this, () => this.#load());
    followWorkspace(this);
    followJobs(this);
  }

  protected override willUpdate(): void {
    if (this.name === this.#shown) return;
    this.#shown = this.name;
    this.most = SHOWN;
    this.#load();
  }

  #load(): void {
    const { name } = this;
    void this.#content.ask((signal) => session.client.source({ name, ...scopeOf() }, { signal }));
    void this.#graph.ask((signal) => session.client.sourceGraph({ name, limit: 40, ...scopeOf() }, {
      signal }));
  }

  protected override updated(): void {
    if (!this.memory || this.memory === this.#scrolledTo) return;
    const row = this.querySelector<HTMLElement>(`[data-memory="${CSS.escape(this.memory)}"]`);
    if (!row) return;
    this.#scrolledTo = this.memory;
    row.scrollIntoView({ block: "center" });
    row.focus({ preventScroll: true });
  }

  protected override render(): TemplateResult {
    const content = this.#content.value;
    return html`${told(this.#content.failure)}
      ${content ? html`${this.#about(content.source)}${this.#things()}${this.#memories(content.memories)}`
        : this.#content.busy ? html`<p class="quiet">Looking…</p>` : nothing}
      ${content ? this.#removal(content.source) : nothing}`;
  }

  #about(view: SourceView): TemplateResult {
    const { source } = view;
    const address = safeAddress(source.origin);
    const job = jobs.of(source.origin);
    const may = (role: "write" | "admin") => workspace.may(role);
    return html`<section class="card">
      <h2 dir="auto">${source.title ?? source.origin}</h2>
      <p class="quiet" dir="auto">${address
        ? html`<a href=${address} target="_blank" rel="noopener noreferrer">${source.origin}</a>`
          : source.origin}</p>
      ${source.deleted_at ? html`<p class="warn">Forgotten ${time(source.deleted_at)}: no answer has it.</p>`
        : nothing}
      <p>${source.kind} · ${count(view.memories, "memory", "memories")} · ${count(view.entities, "entity",
        "entities")} ·
        ${count(view.edges, "edge")} · first read ${time(source.created_at)}, changed
          ${time(source.updated_at)}
        ${source.language ? `· ${source.language}` : ""} ${job ? stateChip(job.state) : nothing}</p>
      ${Object.keys(source.metadata).length > 0
        ? html`<dl class="pairs">${Object.entries(source.metadata).map(
        ([name, value]) => html`<dt dir="auto">${name}</dt><dd dir="auto">${value}</dd>`)}</dl>` : nothing}
      ${may("write") ? html`<form class="row tags" @submit=${(event: SubmitEvent) => {
        event.preventDefault();
        const text = String(new FormData(event.target as HTMLFormElement).get("tags"));
        void this.#tag(text.split(",").map((tag) => tag.trim()).filter((tag) => tag !== ""));
      }}><label class="grow">Tags, with commas between <input name="tags"
        .value=${source.tags.join(", ")}></label>
        <button ?disabled=${this.#tagged.busy}>Save tags</button>
        <span class="good" role="status">${this.#tagged.value ? "Saved" : ""}</span></form>`
        : html`<p>${source.tags.map((tag) => html`<span class="chip">${tag}</span> `)}</p>`}
      ${told(this.#tagged.failure)}
      <div class="row actions">
        <a href=${link("explore", { source: source.id })}>Show its graph</a>
        <a href=${link("ask", { source: source.id })}>Ask it</a>
        <span class="grow"></span>
        ${!may("write") ? nothing : source.deleted_at
          ? html`<button ?disabled=${this.#restored.busy} @click=${() => this.#restore()}>Restore it</button>`
          : html`${source.readable ? html`<button ?disabled=${this.#refreshed.busy} @click=${() =>
              this.#refresh()}>Read it again</button>` : nothing}
            <button @click=${() => this.#ask("forget")}>Forget…</button>`}
        ${may("admin") ? html`<button class="danger" @click=${() => this.#ask("erase")}>Erase…</button>`
          : nothing}
      </div>
      ${told(this.#refreshed.failure)}${told(this.#restored.failure)}
      ${this.#refreshed.value ? html`<p role="status" class="good">Job
        <span class="handle">${this.#refreshed.value.id}</span>
        reads it again; <a href=${link("sources")}>follow the jobs</a>.</p>` : nothing}
    </section>`;
  }

  #things(): TemplateResult | typeof nothing {
    const graph = this.#graph.value;
    if (!graph || graph.entity_count === 0) return told(this.#graph.failure);
    return html`<details class="card" open><summary>${count(graph.entity_count, "entity", "entities")},
        ${count(graph.relation_count, "relation")}</summary>
      <p class="things">${graph.entities.map(({ entity, mentions }) => html`<a class="chip" dir="auto"
        href=${about(entity.id, "timeline")}>${entity.name} <span class="quiet">${mentions}</span></a> `)}
        ${graph.entities.length < graph.entity_count ? html`<span class="quiet">and more</span>`
          : nothing}</p>
      ${graph.relations.length > 0 ? html`<ul class="relations">${graph.relations.slice(0, 20).map((edge) =>
        html`<li dir="auto">
        ${edge.source.name} <em>${edge.label || spaced(edge.kind)}</em> ${edge.target.name}</li>`)}</ul>`
          : nothing}
    </details>`;
  }

  #memories(all: Memory[]): TemplateResult {
    const { from, list } = part(all, this.memory, this.most);
    const more = all.length - from - list.length;
    return html`<section><h2>${count(all.length, "memory", "memories")}</h2>
      ${from > 0 ? html`<button @click=${() => change({ memory: "" })}>Show from the beginning</button>`
        : nothing}
      <ol class="memories" start=${from + 1}>${list.map((memory) =>
        html`<li tabindex="-1" data-memory=${memory.handle}
        class=${memory.handle === this.memory ? "here" : ""}>
        <p class="quiet"><a class="handle" href=${about(memory.handle, "why")}>${memory.handle}</a>
          ${memory.speaker ?? ""} <span dir="auto">${memory.heading.join(" › ")}</span>
          ${memory.lines ? lines(memory.lines) : nothing}
          ${time(memory.occurred_at)}
          ${memory.superseded_by ? html`<span class="chip warn"><span aria-hidden="true">⟲</span>
            replaced</span>` : nothing}
          ${memory.flags.map((flag) => html`<span class="chip bad"><span aria-hidden="true">!</span>
            ${flag}</span>`)}</p>
        <p class="said" dir="auto">${memory.text}</p></li>`)}</ol>
      ${more > 0 ? html`<button @click=${() => (this.most += SHOWN)}>Show ${Math.min(more,
        SHOWN)} more</button>` : nothing}
    </section>`;
  }

  /** Says what goes before it goes. */
  #removal({ source, memories, entities, edges }: SourceView): TemplateResult {
    const would = this.#would.value?.counts;
    const isErasing = this.asking === "erase";
    return html`<dialog aria-labelledby="removal" @close=${() => (this.asking = null)}>
      <h2 id="removal">${isErasing ? "Erase" : "Forget"} <span dir="auto">${source.title ??
        source.origin}</span>?</h2>
      ${isErasing ? html`
        ${this.#would.busy ? html`<p>Counting…</p>` : nothing}${told(this.#would.failure)}
        ${would ? html`<p>This goes for good, from every file of the workspace:</p>
          <ul class="would">${removed(would).map((text) => html`<li>${text}</li>`)}</ul>
          ${would.same_texts > 0 ? html`<p class="warn">${count(would.same_texts, "memory",
            "memories")} of other sources with the
            same text stay.</p>` : nothing}
          <label class="inline"><input type="checkbox" .checked=${this.sure}
            @change=${(event: Event) => (this.sure = (event.target as HTMLInputElement).checked)}>
            Nothing brings it back</label>` : nothing}`
        : html`<p>Hidden from every answer, until it is restored:</p>
          <ul class="would"><li>${count(memories, "memory", "memories")}</li>
            <li>what only they say of ${count(entities, "entity", "entities")}, over ${count(edges,
              "edge")}</li></ul>`}
      ${told(this.#went.failure)}
      <div class="row"><button @click=${() => this.querySelector("dialog")?.close()}>Keep it</button>
        <button class="danger" ?disabled=${this.#went.busy || (isErasing && (!would || !this.sure))}
          @click=${() => this.#go(source.id, source.title ?? source.origin)}>${isErasing ? "Erase for good"
            : "Forget"}</button></div>
    </dialog>`;
  }

  #ask(what: "forget" | "erase"): void {
    const { name } = this;
    this.asking = what;
    this.sure = false;
    this.#went.forget();
    this.#would.forget();
    if (what === "erase") void this.#would.ask((signal) => session.client.eraseSource({ name, dry_run: true,
      ...scopeOf() },
      { signal }));
    this.querySelector("dialog")?.showModal();
  }

  async #go(id: string, name: string): Promise<void> {
    const isForGood = this.asking === "erase";
    await this.#went.send((signal) => isForGood
      ? session.client.eraseSource({ name: id, ...scopeOf() }, { signal })
      : session.client.forget({ name: id, ...scopeOf() }, { signal }));
    if (this.#went.failure !== null) return;
    this.querySelector("dialog")?.close();
    this.dispatchEvent(new CustomEvent("gone", { bubbles: true, detail: { id, name, isForGood } }));
    void workspace.load();
    change({ source: "", memory: "" }, true);
  }

  async #tag(tags: string[]): Promise<void> {
    await this.#tagged.send((signal) => session.client.tagSource({ name: this.name, tags, ...scopeOf() }, {
      signal }));
    if (this.#tagged.failure === null) this.#load();
  }

  async #restore(): Promise<void> {
    await this.#restored.send((signal) => session.client.restore({ name: this.name, ...scopeOf() }, {
      signal }));
    this.#load();
  }

  async #refresh(): Promise<void> {
    await this.#refreshed.send((signal) => session.client.refreshSource({ name: this.name, ...scopeOf() }, {
      signal }));
    await jobs.load();
  }
}

customElements.define("griot-source", Source);

// The log of recalls: what agents asked and what they were given, and the last questions asked again with and
// without the graph.

import { html, nothing, type TemplateResult } from "lit";
import type {
  ComparedRecall, ComparedRecalls, LoggedRecall, RecallLog, StrategyAnswer,
} from "../../../sdk/typescript/src/types.js";
import { change, link, place } from "../address.js";
import { Asked } from "../parts/asked.js";
import { about } from "../parts/citation.js";
import { listen, Part } from "../parts/part.js";
import { count, percent, time, told } from "../parts/told.js";
import { spaced } from "../parts/words.js";
import { session } from "../session.js";

/** Entries at a time. */
const PAGE = 20;

class Log extends Part {
  static override properties = { rest: { state: true }, isAll: { state: true } };
  /** Entries after the first page. */
  declare rest: LoggedRecall[];
  /** Whether the earliest entry is shown. */
  declare isAll: boolean;
  readonly #log = new Asked<RecallLog>(this);
  readonly #more = new Asked<RecallLog>(this);
  readonly #compared = new Asked<ComparedRecalls>(this);
  #agent = "";

  constructor() {
    super();
    this.rest = [];
    this.isAll = false;
    this.#agent = place().parameters.get("agent") ?? "";
    listen(this, window, "hashchange", () => {
      const agent = place().parameters.get("agent") ?? "";
      if (agent !== this.#agent) {
        this.#agent = agent;
        this.#load();
      }
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#load();
  }

  #load(): void {
    this.#compared.forget();
    this.#more.forget();
    void this.#log.ask((signal) => session.client.recalls(this.#asked(), { signal })).then(() => {
      this.rest = [];
      this.isAll = (this.#log.value?.recalls.length ?? 0) < PAGE;
    });
  }

  #asked(): { limit: number; agent?: string } {
    return { limit: PAGE, ...(this.#agent === "" ? {} : { agent: this.#agent }) };
  }

  protected override render(): TemplateResult {
    const log = this.#log.value;
    const rows = [...(log?.recalls ?? []), ...this.rest];
    return html`<section class="card"><div class="row"><h2 class="grow">What agents asked</h2>
        <form class="row" role="search" @submit=${(event: SubmitEvent) => {
          event.preventDefault();
          const form = new FormData(event.target as HTMLFormElement);
          change({ agent: String(form.get("agent")).trim() }, true);
        }}><label>Agent <input name="agent" maxlength="240" .value=${this.#agent} placeholder="all"></label>
          <button>Show</button></form></div>
      ${told(this.#log.failure)}
      ${!log ? nothing : html`
        <p class="quiet">${log.enabled
          ? `Questions are kept for ${count(log.days, "day")}, and erased with what they name.`
          : html`Questions are not kept. <code>griot config set log.recalls true</code> keeps them from then on,
            for <code>log.recall_days</code> days.`}</p>
        ${rows.length === 0
          ? log.enabled ? html`<p>No question${this.#agent ? ` of ${this.#agent}` : ""} yet.</p>` : nothing
          : html`${table(rows)}
          <div class="row">${this.isAll ? nothing : html`<button ?disabled=${this.#more.busy}
              @click=${() => this.#earlier(rows)}>Earlier ones</button>`}
            <button ?disabled=${this.#compared.busy} @click=${() => this.#compared.ask((signal) =>
              session.client.compareRecalls(this.#asked(), { signal, timeoutMs: 120_000 }))}>${
              this.#compared.busy ? "Asking again…" : "Ask the last ones with and without the graph"}</button></div>
          ${told(this.#more.failure)}`}
        ${told(this.#compared.failure)}
        <div role="status">${this.#compared.value ? comparison(this.#compared.value) : nothing}</div>`}
    </section>`;
  }

  async #earlier(rows: LoggedRecall[]): Promise<void> {
    const before = rows.at(-1)!.at;
    await this.#more.ask((signal) => session.client.recalls({ ...this.#asked(), before }, { signal }));
    const found = this.#more.value?.recalls;
    if (this.#more.failure !== null || !found) return;
    this.rest = [...this.rest, ...found];
    this.isAll = found.length < PAGE;
  }
}

/** The question, asked again as it was. */
function again(query: string, user: string | null, project: string | null, more: Record<string, string> = {}) {
  return link("ask", { q: query, ...(user ? { user } : {}), ...(project ? { project } : {}), ...more });
}

function table(rows: LoggedRecall[]): TemplateResult {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Questions"><table class="log">
    <thead><tr>${["When", "Agent", "Question", "Given", "By", "Took"].map((title) =>
      html`<th scope="col">${title}</th>`)}</tr></thead>
    <tbody>${rows.map((one) => html`<tr>
      <td>${time(one.at)}</td>
      <td dir="auto">${one.agent ?? html`<span class="quiet">–</span>`}
        ${one.key ? html`<span class="quiet">key ${one.key}</span>` : nothing}
        ${one.user ? html`<span class="chip">user ${one.user}</span>` : nothing}
        ${one.project ? html`<span class="chip">project ${one.project}</span>` : nothing}</td>
      <td dir="auto"><a href=${again(one.query, one.user, one.project)}>${one.query}</a></td>
      <td>${one.silent ? html`<span class="quiet">nothing</span>` : one.results.map((given) => html`<a
        class="handle" href=${about(given.handle, "why")} title=${`Score ${given.score.toFixed(2)}`}>${
        given.handle}</a> `)}</td>
      <td>${spaced(one.strategy)}</td>
      <td>${one.milliseconds.toFixed(1)} ms</td></tr>`)}</tbody></table></div>`;
}

/** How much the graph changes, in sum and for each question. */
function comparison({ questions }: ComparedRecalls): TemplateResult {
  const same = questions.filter((one) => one.same_first).length;
  const overlap = questions.reduce((sum, one) => sum + one.overlap, 0) / Math.max(1, questions.length);
  return html`<h3>With and without the graph</h3>
    <p>${count(questions.length, "question")}: the first answer is the same for ${same}; of the first ten, both
      have ${percent(overlap)} on average.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="With and without the graph"><table class="log">
      <thead><tr>${["Question", "First without", "First with", "In both"].map((title) =>
        html`<th scope="col">${title}</th>`)}</tr></thead>
      <tbody>${questions.map((one) => html`<tr>
        <td dir="auto"><a href=${again(one.query, one.user, one.project, { graph: "both" })}>${one.query}</a></td>
        <td dir="auto">${first(one.baseline)}</td>
        <td dir="auto">${one.failure ? html`<span class="bad">failed: ${spaced(one.failure)}</span>`
          : one.same_first ? html`<span class="quiet">the same</span>` : first(one.graph)}</td>
        <td>${shared(one)}</td></tr>`)}</tbody></table></div>`;
}

function first({ first: result }: StrategyAnswer): TemplateResult {
  return result === null ? html`<span class="quiet">nothing</span>`
    : html`<a class="handle" href=${about(result.handle, "why")}>${result.handle}</a> ${result.excerpt}
      <span class="quiet">${result.score.toFixed(2)}</span>`;
}

function shared(one: ComparedRecall): string {
  const longer = Math.max(one.baseline.handles.length, one.graph.handles.length);
  return longer === 0 ? "both silent" : `${one.common} of ${longer}`;
}

customElements.define("griot-log", Log);

// Ask: a question, its answers as cards, and how each of them was found.

import { html, nothing, type TemplateResult } from "lit";
import type {
  Answered, Context, Memory, Recall, RecallRequest,
} from "../../../sdk/typescript/src/types.js";
import { change, place } from "../address.js";
import { about } from "../parts/citation.js";
import { Asked } from "../parts/asked.js";
import { followChanges } from "../parts/changes.js";
import { listen, Part } from "../parts/part.js";
import { scopeOf } from "../parts/scope.js";
import { count, reasonOf, time, told } from "../parts/told.js";
import { strategy } from "../parts/words.js";
import { followWorkspace, workspace } from "../parts/workspace.js";
import { session } from "../session.js";
import { cards, chains, leftOut, rules, silent, story, summary } from "./answer.js";
import "./start.js";

/** How much the graph is used: as the rollout decides, not at all, or both ways beside each other. */
type Graph = "" | "off" | "both";

/** How many of the memories stored last are shown before a question is asked. */
const LATEST = 8;

interface Question {
  request: RecallRequest;
  graph: Graph;
  answer: boolean;
}

/** What is asked, by the address; `null` without a question. */
export function questionOf(parameters: URLSearchParams): Question | null {
  const text = (name: string) => parameters.get(name)?.trim() ?? "";
  if (text("q") === "") return null;
  const request: RecallRequest = { query: text("q"), rejected: true };
  if (text("as_of") !== "") request.as_of = text("as_of");
  Object.assign(request, scopeOf(parameters));
  if (parameters.has("trusted")) request.trusted = true;
  if (parameters.has("superseded")) request.superseded = true;
  if (text("source") !== "") request.sources = [text("source")];
  const graph = text("graph");
  return { request, graph: graph === "off" || graph === "both" ? graph : "", answer: parameters.has("answer")
    };
}

class Ask extends Part {
  static override properties = { copied: { state: true }, changed: { state: true } };
  /** What happened to "copy as context". */
  declare copied: { text: string; inClipboard: boolean } | null;
  /** Whether the memory changed since the answer. */
  declare changed: boolean;

  readonly #recall = new Asked<Recall>(this);
  readonly #baseline = new Asked<Recall>(this);
  readonly #answer = new Asked<Answered>(this);
  readonly #context = new Asked<Context>(this);
  readonly #latest = new Asked<Memory[]>(this);
  #asked = "";
  #scrolledTo = "";

  constructor() {
    super();
    this.copied = null;
    this.changed = false;
    listen(this, window, "hashchange", () => this.#follow());
    listen(this, session, "changed", () => (this.changed = this.#recall.value !== null));
    followWorkspace(this);
    followChanges(this, () => questionOf(place().parameters) === null && this.#lookAround());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#asked = "";
    this.#follow();
  }

  /** Asks if the question in the address is another one. */
  #follow(): void {
    if (place().page !== "ask") return;
    this.requestUpdate();
    const question = questionOf(place().parameters);
    const asked = JSON.stringify(question);
    if (asked === this.#asked) return;
    this.#asked = asked;
    this.copied = null;
    this.changed = false;
    for (const one of [this.#recall, this.#baseline, this.#answer, this.#context]) one.forget();
    if (question === null) {
      this.#lookAround();
      return;
    }
    const { request, graph, answer } = question;
    const ask = (chosen: Partial<RecallRequest>) => (signal: AbortSignal) =>
      session.client.recall({ ...request, ...chosen }, { signal });
    void this.#recall.ask(ask(graph === "off" ? { no_graph: true } : graph === "both" ? { graph: true }
      : {}));
    if (graph === "both") void this.#baseline.ask(ask({ no_graph: true }));
    if (!answer) return;
    const without = graph === "off" ? { no_graph: true } : {};
    void this.#answer.ask((signal) =>
      session.client.answer({ ...request, ...without }, { signal, timeoutMs: 180_000 }));
  }

  #lookAround(): void {
    void this.#latest.ask((signal) => session.client.memories({ limit: LATEST, ...scopeOf() }, { signal }));
  }

  /** A story that is not below its answer stands above all; it may be out of sight. */
  protected override updated(): void {
    const of = place().parameters.get("of") ?? "";
    if (of === this.#scrolledTo) return;
    const story = this.querySelector("section[data-story]");
    if (of !== "" && !story && this.#recall.busy) return;
    this.#scrolledTo = of;
    story?.scrollIntoView({ block: "nearest" });
  }

  #again(): void {
    this.#asked = "";
    this.#follow();
  }

  protected override render(): TemplateResult {
    const { parameters } = place();
    const of = parameters.get("of");
    const inCard = this.#recall.value?.results.some((result) => result.handle === of) ?? false;
    return html`
      <h1>Ask</h1>
      ${workspace.isEmpty ? html`<griot-start></griot-start>` : this.#form(parameters)}
      ${of && !inCard && !this.#recall.busy ? story(of, parameters.get("view") ?? "why") : nothing}
      ${told(this.#recall.failure)}
      ${questionOf(parameters) || of || workspace.isEmpty ? nothing : this.#around()}
      <div aria-live="polite">${this.#summary()}</div>
      ${parameters.has("answer") ? this.#spoken() : nothing}
      ${this.#recall.value ? this.#found(this.#recall.value) : nothing}
      ${this.#dialog()}
    `;
  }

  #form(parameters: URLSearchParams): TemplateResult {
    const value = (name: string) => parameters.get(name) ?? "";
    const more = ["user", "project", "trusted", "superseded", "source"].some((name) => parameters.has(name));
    return html`<form class="card ask" role="search" @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      this.#submit(event.target as HTMLFormElement);
    }}>
      <div class="row">
        <label class="grow"><span class="unseen">Question</span>
          <input name="q" type="search" dir="auto" required autocomplete="off" .value=${value("q")}
            placeholder="What do you want to know? Why was it decided? What changed?">
        </label>
        <button class="primary">Ask</button>
      </div>
      <div class="row fields">
        <label>As of <input name="as_of" .value=${value("as_of")} placeholder="today, 2026-03, last week"
          size="24"></label>
        <label>Graph
          <select name="graph" .value=${value("graph")}>
            <option value="" ?selected=${value("graph") === ""}>used</option>
            <option value="off" ?selected=${value("graph") === "off"}>not used</option>
            <option value="both" ?selected=${value("graph") === "both"}>both, side by side</option>
          </select>
        </label>
        ${workspace.status?.language_model || parameters.has("answer")
          ? html`<label class="inline"><input name="answer" type="checkbox" .checked=${parameters.has("answer")}>
            let the language model answer</label>` : nothing}
      </div>
      <details class="more" ?open=${more}>
        <summary>Scope</summary>
        <div class="row fields">
          <label>User <input name="user" .value=${value("user")} size="14" placeholder="any"></label>
          <label>Project <input name="project" .value=${value("project")} size="14" placeholder="any"></label>
          <label>Source <input name="source" .value=${value("source")} size="14"
            placeholder="any, such as s4"></label>
          <label class="inline"><input name="trusted" type="checkbox" .checked=${parameters.has("trusted")}>
            without the web</label>
          <label class="inline"><input name="superseded" type="checkbox"
            .checked=${parameters.has("superseded")}>
            with what was replaced</label>
        </div>
      </details>
    </form>`;
  }

  #submit(form: HTMLFormElement): void {
    const given = new FormData(form);
    const text = (name: string) => String(given.get(name) ?? "").trim();
    const ticked = (name: string) => (given.has(name) ? "1" : "");
    change({
      q: text("q"), as_of: text("as_of"), graph: text("graph"), user: text("user"), project: text("project"),
      source: text("source"), answer: ticked("answer"), trusted: ticked("trusted"),
      superseded: ticked("superseded"), of: "", view: "",
    }, true);
    // The same question again is a wish to see what is new.
    if (this.changed) this.#again();
  }

  /** Before a question: what there is to ask about. */
  #around(): TemplateResult {
    const things = workspace.status?.top_entities ?? [];
    return html`${told(this.#latest.failure)}
      ${things.length > 0 ? html`<section><h2>What it knows most about</h2>
        <p class="things">${things.map(({ entity, degree }) => html`<a class="chip" dir="auto"
          href=${about(entity.id, "timeline")}>${entity.name} <span class="quiet">${degree}</span></a> `)}</p>
      </section>` : nothing}
      ${this.#latest.value && this.#latest.value.length > 0 ? html`<section><h2>Stored last</h2>
        <ol class="events">${this.#latest.value.map((memory) => html`<li>
          <span class="quiet">${time(memory.recorded_at)}</span>
          <a class="handle" href=${about(memory.handle, "why")}>${memory.handle}</a>
          <span class="clip two" dir="auto">${memory.text}</span></li>`)}</ol></section>` : nothing}`;
  }

  #summary(): TemplateResult | typeof nothing {
    if (this.#recall.busy) return html`<p class="quiet">Asking…</p>`;
    const recall = this.#recall.value;
    if (!recall) return nothing;
    return html`
      ${this.changed
        ? html`<p class="warn">The memory has changed since.
            <button @click=${() => this.#again()}>Ask again</button></p>`
        : nothing}
      ${summary(recall)}
    `;
  }

  #found(recall: Recall): TemplateResult {
    const isBoth = questionOf(place().parameters)?.graph === "both";
    const baseline = isBoth ? this.#baseline.value : null;
    return html`
      ${recall.abstained === null ? nothing : silent(recall.abstained)}
      ${chains(recall)}
      <div class="row actions">
        ${recall.results.length > 0
          ? html`<button @click=${() => this.#copy()} ?disabled=${this.#context.busy}>Copy as
            context</button>`
          : nothing}
        ${workspace.may("write") ? html`<griot-verdict .answer=${recall.rollout.id}></griot-verdict>`
          : nothing}
      </div>
      ${told(this.#context.failure)}
      ${isBoth ? html`<div class="beside">
          ${this.#column("With the graph", recall, baseline)}
          ${baseline ? this.#column("Without the graph", baseline, recall) : html`<div>${
            told(this.#baseline.failure)}<p class="quiet">Asking without the graph…</p></div>`}
        </div>` : cards(recall, null)}
      ${rules(recall.rules, recall.rules_left_out)}
      ${leftOut(recall.rejected)}
    `;
  }

  #column(title: string, recall: Recall, other: Recall | null): TemplateResult {
    return html`<section><h2>${title}</h2>
      <p class="quiet">${strategy(recall.rollout)}.</p>
      ${recall.abstained && recall !== this.#recall.value
        ? silent(recall.abstained) : nothing}
      ${cards(recall, other)}</section>`;
  }

  /** What a language model says, sentence by sentence, with the memories that it cites. */
  #spoken(): TemplateResult {
    const { value, failure, busy } = this.#answer;
    if (busy) return html`<p class="quiet" role="status">The language model is asked…</p>`;
    if (failure !== null) {
      const { why, hint } = reasonOf(failure);
      const isUnset = why.includes("no language model is set");
      return html`<section class="card silent"><p>${isUnset
        ? `No language model is set for this server, so nothing is put into words:
          the memories below are the answer.`
        : why}</p>${hint ? html`<p class="quiet">${hint}</p>` : nothing}</section>`;
    }
    if (!value) return html``;
    return html`<section class="card spoken"><h2>Answer of ${value.model.name}</h2>
      ${value.failure ? html`<p class="bad">${value.failure.why}</p>
        <p class="quiet">${value.failure.hint ?? ""}</p>` : nothing}
      ${value.abstained ? html`<p>${value.abstained}</p>` : nothing}
      <p dir="auto">${value.statements.map((one) => html`<span class=${one.supported ? ""
        : "unsupported"}>${one.text}</span>
        ${one.citations.map((handle) => html`<button class="cite handle" @click=${() =>
          this.#jump(handle)}>${handle}</button> `)}
        ${one.invented.map((name) => html`<span class="bad">cites ${name}, which it was not given</span> `)}
        ${one.supported ? nothing : html`<span class="warn">(no citation)</span> `}`)}</p>
      ${value.truncated ? html`<p class="warn">The reply was cut; statements may be missing.</p>` : nothing}
      ${value.withheld.length > 0 ? html`<p class="quiet">Not sent to the model: ${value.withheld
        .map((one) => `${one.handle} (${one.reason})`).join(", ")}</p>` : nothing}
      <p class="quiet">${count(value.model.input_tokens, "token")} sent,
        ${count(value.model.output_tokens, "token")} received${value.model.cost === null ? ""
          : `, cost ${value.model.cost}`}
        ${value.model.kept ? "(a kept reply)" : ""}</p>
    </section>`;
  }

  #jump(handle: string): void {
    const card = this.querySelector(`[data-handle="${CSS.escape(handle)}"]`);
    card?.scrollIntoView({ block: "center" });
    (card as HTMLElement | null)?.focus();
  }

  async #copy(): Promise<void> {
    const question = questionOf(place().parameters);
    if (!question) return;
    const { rejected: _, ...request } = question.request;
    await this.#context.ask((signal) =>
      session.client.context({ ...request, ...(question.graph === "off" ? { no_graph: true } : {}) }, {
        signal }));
    const text = this.#context.value?.text;
    if (text === undefined) return;
    // A page that is not served over TLS may have no clipboard: then the text is shown to be copied by hand.
    const inClipboard = await navigator.clipboard?.writeText(text).then(() => true, () => false) ?? false;
    this.copied = { text, inClipboard };
    await this.updateComplete;
    this.querySelector<HTMLDialogElement>("dialog.context")?.showModal();
  }

  #dialog(): TemplateResult | typeof nothing {
    if (!this.copied) return nothing;
    return html`<dialog class="context" aria-label="Context" @close=${() => (this.copied = null)}>
      <p role="status">${this.copied.inClipboard ? "Copied. This is in the clipboard:"
        : "Copy this text:"}</p>
      <textarea readonly rows="16" aria-label="Context for a language model"
        .value=${this.copied.text}></textarea>
      <form method="dialog"><button class="primary">Close</button></form>
    </dialog>`;
  }
}

customElements.define("griot-ask", Ask);

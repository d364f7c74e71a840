// One answer: what it says, whether it still holds, where it comes from, and how it was found.

import { html, nothing, type TemplateResult } from "lit";
import type { RecallResult, Signal } from "../../../sdk/typescript/src/types.js";
import { change, leadsTo, link } from "../address.js";
import { about, placeOf, safeAddress, shortOrigin } from "../parts/citation.js";
import { Asked } from "../parts/asked.js";
import { Part } from "../parts/part.js";
import { inGraph, steps, toGraph } from "../parts/steps.js";
import { excerpt, unmarked, type Piece } from "../parts/text.js";
import { time, told } from "../parts/told.js";
import { included, isTimeless, spaced, standing, type Chip } from "../parts/words.js";
import { followWorkspace, workspace } from "../parts/workspace.js";
import { session } from "../session.js";

/** About six lines on a wide screen. */
const WINDOW = 480;

export function marked(pieces: Piece[]): TemplateResult[] {
  return pieces.map((piece) => (piece.marked ? html`<mark>${piece.text}</mark>` : html`${piece.text}`));
}

export function chip({ words, tone, sign }: Chip): TemplateResult {
  return html`<span class=${`chip ${tone}`}><span aria-hidden="true">${sign}</span> ${words}</span>`;
}

class Card extends Part {
  static override properties = {
    result: {}, rank: {}, terms: {}, answer: {}, moved: {}, view: {}, whole: { state: true },
  };
  declare result: RecallResult;
  declare rank: number;
  declare terms: string[];
  /** Id of the answer, for feedback. */
  declare answer: string;
  /** Places up against the other strategy; `null`: only here; `undefined`: not compared. */
  declare moved: number | null | undefined;
  /** What is open below it: `found`, or a view of its story. */
  declare view: string | null;
  declare whole: boolean;

  constructor() {
    super();
    this.whole = false;
    this.moved = undefined;
    this.view = null;
    followWorkspace(this);
  }

  protected override render(): TemplateResult {
    const { result, view } = this;
    return html`<article class="card answer" tabindex="-1" data-handle=${result.handle}
      aria-label=${`Answer ${this.rank}`}>
      <header class="row">
        <span class="rank">${this.rank}</span>
        ${result.standing ? chip(standing(result.standing)) : nothing}
        ${result.standing?.by_handle ? html`<a class="chip" href=${about(result.standing.by_handle, "why")}>
          by <span class="handle">${result.standing.by_handle}</span></a>` : nothing}
        <span class="chip">${result.kind}</span>
        ${result.tier === "working" ? html`<span class="chip">expires ${time(result.expires_at)}</span>`
          : nothing}
        ${result.flags.map((flag) => html`<span class="chip bad"><span aria-hidden="true">!</span>
          ${flag === "secret" ? "holds a key or password" : "gives orders to a model"}</span>`)}
        ${result.source.trust === "web" ? html`<span class="chip warn"><span aria-hidden="true">⚐</span>
          from the web</span>` : nothing}
        ${this.#move()}
        <span class="grow"></span>
        <span class="score" title="Probability that it bears on the question">
          <meter min="0" max="1" .value=${result.score} aria-label="Probability"></meter>
            ${result.score.toFixed(2)}</span>
      </header>
      ${result.heading.length > 0
        ? html`<p class="quiet heading" dir="auto">${result.heading.join(" › ")}</p>` : nothing}
      ${this.#text()}
      <footer>
        <p class="quiet about">
          <span class="handle">${result.handle}</span>
          ${result.speaker ? html`<span dir="auto" class="clip">${result.speaker}</span>` : nothing}
          ${isTimeless(result) ? html`document of ${time(result.occurred_at)}` : time(result.occurred_at)}
          ${result.user ? html`<span class="chip">user ${result.user}</span>` : nothing}
          ${result.project ? html`<span class="chip">project ${result.project}</span>` : nothing}
          ${result.tags.map((tag) => html`<span class="chip">${tag}</span> `)}
          ${this.#citation()}
        </p>
        <div class="row actions">
          ${workspace.may("read") ? html`${this.#tab("why", "Why", view)}
            ${this.#tab("followed", "What followed", view)}
            ${this.#tab("timeline", "Before and after", view)}` : nothing}
          ${this.#tab("found", "How it was found", view)}
          <span class="grow"></span>
          ${workspace.may("write")
            ? html`<griot-verdict .answer=${this.answer} .memory=${result.handle}></griot-verdict>` : nothing}
        </div>
      </footer>
      ${view === "found" ? this.#found() : view
        ? html`<griot-story .name=${result.handle} .view=${view}></griot-story>` : nothing}
    </article>`;
  }

  #text(): TemplateResult {
    const text = unmarked(this.result.text);
    const shown = excerpt(text, this.terms, this.whole ? text.length : WINDOW);
    return html`<p class="said" dir="auto">${shown.cutBefore ? "… " : ""}${marked(shown.pieces)}${
      shown.cutAfter ? " …" : ""}</p>
      ${text.length > WINDOW ? html`<button class="plain" aria-expanded=${this.whole}
        @click=${() => (this.whole = !this.whole)}>${this.whole ? "Show less" : "Show all"}</button>`
          : nothing}`;
  }

  #move(): TemplateResult | typeof nothing {
    if (this.moved === undefined || this.moved === 0) return nothing;
    if (this.moved === null) return html`<span class="chip good"><span aria-hidden="true">+</span>
      only here</span>`;
    const places = Math.abs(this.moved);
    return this.moved > 0
      ? html`<span class="chip"><span aria-hidden="true">↑</span> ${places} higher here</span>`
      : html`<span class="chip"><span aria-hidden="true">↓</span> ${places} lower here</span>`;
  }

  #citation(): TemplateResult {
    const { source, cite, handle, also_in } = this.result;
    const named = cite ?? source.title ?? source.origin ?? source.id;
    const outside = safeAddress(source.origin);
    const at = (id: string, own: string, name: string) => leadsTo("sources")
      ? html`<a href=${placeOf(id, own)} title=${name} dir="auto">${shortOrigin(name)}</a>`
      : html`<span title=${name} dir="auto">${shortOrigin(name)}</span>`;
    return html`${at(source.id, handle, named)}
      ${outside ? html`<a href=${outside} target="_blank" rel="noopener noreferrer">open the page</a>`
        : nothing}
      ${also_in.map((one) => html`<span>also in
        ${at(one.source.id, one.handle, one.cite ?? one.source.origin ?? one.source.id)}</span> `)}`;
  }

  #tab(view: string, words: string, open: string | null): TemplateResult {
    const isOpen = open === view;
    return html`<button aria-expanded=${isOpen}
      @click=${() => change(isOpen ? { of: "", view: "" } : { of: this.result.handle,
        view })}>${words}</button>`;
  }

  #found(): TemplateResult {
    const { result } = this;
    return html`<section class="found">
      <p>It is here because ${included(result)}.${result.entities.length > 0
        ? html` It shares with the question: ${result.entities.map((name) => html`<a class="chip"
          href=${about(name, "timeline")}>${name} over time</a> `)}` : nothing}</p>
      ${result.path.length > 0
        ? html`<h3>Path</h3>${steps(result.path)}
          <p>${toGraph(inGraph(result.path), "Show in graph")}</p>`
        : html`<p class="quiet">No path over the graph was needed.
          ${toGraph(link("explore", { around: result.handle }), "Show in graph")}</p>`}
      <h3>What the score is made of</h3>
      ${signals(result.signals)}
    </section>`;
  }
}

/** The largest shares first; measures that add nothing are left out. */
function signals(all: Signal[]): TemplateResult {
  const shares = all.filter((one) => Math.abs(one.share) >= 0.0005).sort((a, b) => b.share - a.share);
  const most = Math.max(...shares.map((one) => Math.abs(one.share)), 0.001);
  return html`<table class="signals"><thead><tr><th scope="col">Signal</th><th scope="col">Measured</th>
    <th scope="col">Adds</th><th><span class="unseen">Share</span></th></tr></thead>
    <tbody>${shares.map((one) => html`<tr><td>${spaced(one.name)}</td><td>${one.value.toFixed(2)}</td>
      <td>${one.share.toFixed(3)}</td>
      <td><meter min="0" .max=${most}
        .value=${Math.abs(one.share)} aria-label=${spaced(one.name)}></meter></td>
    </tr>`)}</tbody></table>`;
}

/** Two buttons that say what an answer, or one memory of it, was worth. */
class Verdict extends Part {
  static override properties = { answer: {}, memory: {}, given: { state: true } };
  declare answer: string;
  declare memory: string | undefined;
  declare given: boolean | null;
  readonly #sent = new Asked<string>(this);

  constructor() {
    super();
    this.memory = undefined;
    this.given = null;
  }

  protected override render(): TemplateResult {
    const what = this.memory ? "This" : "The whole answer";
    const button = (good: boolean, words: string, sign: string) =>
      html`<button aria-pressed=${this.given === good}
      title=${`${what} ${good ? "helped" : "did not help"}`} ?disabled=${this.#sent.busy}
      @click=${() => this.#give(good)}><span aria-hidden="true">${sign}</span> ${words}</button>`;
    return html`<span class="verdict row" role="group" aria-label=${`Feedback: ${what}`}>
      ${this.memory ? nothing : html`<span class="quiet">The whole answer:</span>`}
      ${button(true, "helped", "▲")}${button(false, "did not", "▼")}
      <span class="quiet" role="status">${this.#sent.value ?? ""}</span>${told(this.#sent.failure)}
    </span>`;
  }

  #give(good: boolean): void {
    this.given = good;
    void this.#sent.send(async (signal) => {
      const memories = this.memory ? [this.memory] : [];
      const { credited } = await session.client.feedback({ answer: this.answer, memories, good }, { signal });
      const forGraph = credited.some((one) => one.strategy === "hybrid_graph");
      return credited.length === 0 ? "not counted" : forGraph ? "counted for the graph" : "counted";
    });
  }
}

customElements.define("griot-card", Card);
customElements.define("griot-verdict", Verdict);

// The story of a memory or a thing: its causes, what followed from it, what came before and after, and which
// values it had over time.

import { html, nothing, svg, type TemplateResult } from "lit";
import type { EntityView, Fact, Memory, Timeline, Why, WhyStep } from "../../../sdk/typescript/src/types.js";
import { leadsTo, link, place } from "../address.js";
import { about } from "../parts/citation.js";
import { Asked } from "../parts/asked.js";
import { Part } from "../parts/part.js";
import { scopeOf } from "../parts/scope.js";
import { inGraph, node, steps, toGraph } from "../parts/steps.js";
import { day, percent, time, told } from "../parts/told.js";
import { isTimeless, spaced } from "../parts/words.js";
import { session } from "../session.js";

type Told = { why: Why } | { timeline: Timeline } | { entity: EntityView };

/** The chains that are not part of a longer one, nearest first. */
export function longest(all: WhyStep[]): WhyStep[] {
  const edges = (step: WhyStep) => step.hops.map((hop) =>
    hop.edge ?? `${hop.from.id} ${hop.kind} ${hop.to.id}`);
  const keys = all.map(edges);
  return all.filter((_, own) => {
    const key = keys[own]!;
    return !keys.some((other, at) =>
      at !== own && (other.length > key.length || (other.length === key.length && at < own))
        && key.every((edge) => other.includes(edge)));
  });
}

export interface Span {
  fact: Fact;
  /** Where it begins and how long it is, as shares of the whole time. */
  at: number;
  share: number;
  /** Whether begin and end are known. */
  begins: boolean;
  ends: boolean;
}

export interface Values {
  predicate: string;
  spans: Span[];
}

/** What held when: one row for each predicate of `facts`, all on one axis that ends at `now`. */
export function valuesOverTime(facts: Fact[], now: number): { rows: Values[]; from: number; until: number } {
  const moment = (text: string | null) => (text === null ? null : Date.parse(text));
  const known = facts.flatMap((fact) => [moment(fact.valid_from), moment(fact.valid_to)]).filter((at) =>
    at !== null);
  const recorded = facts.map((fact) => Date.parse(fact.recorded_at));
  const from = Math.min(...known, ...recorded, now);
  const until = Math.max(...known, now);
  const whole = Math.max(1, until - from);
  const rows = new Map<string, Span[]>();
  for (const fact of facts) {
    const begin = moment(fact.valid_from) ?? from;
    const end = moment(fact.valid_to ?? fact.superseded_at) ?? until;
    const span = {
      fact,
      at: (begin - from) / whole,
      share: Math.max(0, end - begin) / whole,
      begins: fact.valid_from !== null,
      ends: fact.valid_to !== null || fact.superseded_at !== null,
    };
    rows.set(fact.predicate, [...(rows.get(fact.predicate) ?? []), span]);
  }
  const inOrder = [...rows].map(([predicate, spans]) => ({ predicate, spans: spans.sort((a, b) =>
    a.at - b.at) }));
  return { rows: inOrder, from, until };
}

/** A story on the page of a question is told as of the same time. */
function asOf(): { now?: string } {
  const { page, parameters } = place();
  const moment = page === "ask" ? parameters.get("as_of")?.trim() : undefined;
  return moment ? { now: moment } : {};
}

class Story extends Part {
  static override properties = { name: {}, view: {} };
  declare name: string;
  /** `why`, `followed` or `timeline`. */
  declare view: string;
  readonly #told = new Asked<Told>(this);
  #shown = "";

  constructor() {
    super();
    this.name = "";
    this.view = "why";
  }

  protected override willUpdate(): void {
    const asked = { ...scopeOf(), ...asOf() };
    const shown = JSON.stringify([this.view, this.name, asked]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const { name, view } = this;
    const isMemory = name.startsWith("#") || /^[0-9a-f]{8}-/.test(name);
    this.#told.value = null;
    void this.#told.ask(async (signal): Promise<Told> => {
      if (view !== "timeline") {
        const direction = view === "followed" ? "consequences" : "causes";
        return { why: await session.client.why({ name, direction, ...asked }, { signal }) };
      }
      if (isMemory) return { timeline: await session.client.timeline({ anchor: name, ...asked }, {
        signal }) };
      return { entity: await session.client.entity({ name, limit: 30, ...asked }, { signal }) };
    });
  }

  protected override render(): TemplateResult {
    const { value, failure, busy } = this.#told;
    return html`<div class="story">
      ${told(failure)}
      ${busy && !value ? html`<p class="quiet">Looking…</p>` : nothing}
      ${!value ? nothing : "why" in value ? this.#why(value.why)
        : "timeline" in value ? this.#timeline(value.timeline) : this.#entity(value.entity)}
    </div>`;
  }

  #why(why: Why): TemplateResult {
    const isForward = this.view === "followed";
    const chains = longest(isForward ? why.consequences : why.causes);
    const title = isForward ? "What followed" : "Why";
    if (chains.length === 0) {
      return html`<div class="steps">${node(why.start)}</div>
        <p class="quiet">${isForward ? "Nothing is known to have followed from it."
        : "No other memory is known as its cause; its own text may say why."}
        ${toGraph(link("explore", { around: this.name }), "Look around it in the graph")}</p>`;
    }
    return html`<h3>${title}</h3>
      ${chains.map((chain) => html`<div class="chain">
        <p class="quiet">Certain to ${percent(chain.confidence)}${chain.prevents ? " · a step prevents"
          : ""} ${toGraph(inGraph(chain.hops), "show in graph", "· ")}</p>
        ${steps(chain.hops)}</div>`)}
      ${why.cycles.length > 0 ? html`<p class="warn">The causes form a circle${leadsTo("review") ? html`;
        <a href=${link("review", { kind: "warning" })}>review it</a>` : nothing}.</p>` : nothing}
      ${why.truncated ? html`<p class="warn">There is more: the walk stopped at its bound.</p>` : nothing}`;
  }

  #timeline({ before, anchor, after }: Timeline): TemplateResult {
    const row = (memory: Memory, isAnchor: boolean) => html`<li class=${isAnchor ? "here" : ""}
      aria-current=${isAnchor ? "true" : nothing}>
      <span class="quiet">${time(memory.occurred_at)}</span>
      <a class="handle" href=${about(memory.handle, "why")}>${memory.handle}</a>
      ${memory.speaker ? html`<strong class="clip">${memory.speaker}</strong>` : nothing}
      <span class="clip two" dir="auto">${memory.text}</span></li>`;
    return html`<h3>Before and after</h3>
      <ol class="events">${before.map((one) => row(one, false))}${anchor ? row(anchor, true) : nothing}
        ${after.map((one) => row(one, false))}</ol>`;
  }

  #entity({ entity, facts, mentions, mention_count }: EntityView): TemplateResult {
    const inTime = [...mentions].sort((a, b) => a.occurred_at.localeCompare(b.occurred_at));
    const [said, written] = [inTime.filter((one) => !isTimeless(one)), inTime.filter(isTimeless)];
    const memory = (one: Memory, when: TemplateResult | typeof nothing) => html`<li>
      <span class="quiet">${when}</span>
      <a class="handle" href=${about(one.handle, "why")}>${one.handle}</a>
      <span class="clip two" dir="auto">${one.text}</span></li>`;
    return html`<h3><span class="clip">${entity.name}</span> over time
      <span class="quiet">${entity.type}</span></h3>
      <p class="quiet">First mentioned ${time(entity.first_seen)}, last ${time(entity.last_seen)} ·
        <a href=${about(entity.id, "why")}>why</a> ·
        <a href=${about(entity.id, "followed")}>what followed</a>
        ${toGraph(link("explore", { around: entity.id }), "show in graph", "· ")}</p>
      ${facts.length > 0 ? values(facts) : html`<p class="quiet">No fact about it is known.</p>`}
      ${mention_count > mentions.length
        ? html`<p class="quiet">The latest ${mentions.length} of ${mention_count} mentions:</p>` : nothing}
      ${said.length > 0 ? html`<h3>Said about it</h3>
        <ol class="events">${said.map((one) => memory(one, time(one.occurred_at)))}</ol>` : nothing}
      ${written.length > 0 ? html`<h3>In documents</h3>
        <ul class="events">${written.map((one) => memory(one, nothing))}</ul>` : nothing}`;
  }
}

/** Bars on one axis, and the same as a list for those who do not see them. */
function values(facts: Fact[]): TemplateResult {
  const { rows, from, until } = valuesOverTime(facts, Date.now());
  const iso = (moment: number) => new Date(moment).toISOString();
  return html`<div class="values">
    ${rows.map(({ predicate, spans }) =>
      html`<div class="value-row"><span class="quiet">${spaced(predicate)}</span>
      <ul>${spans.map((span) => html`<li class=${span.fact.current ? "" : "past"}>
        <svg class="bar-of-time" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">${svg`
          <rect class="axis" x="0" y="2.5" width="100" height="1"></rect>
          <rect class=${span.fact.current ? "now" : "then"} x=${span.at * 100} y="0.5"
            width=${Math.max(0.8, span.share * 100)} height="5"></rect>`}</svg>
        <span><strong class="clip" dir="auto">${span.fact.object}</strong>
          <span class="quiet">${span.begins ? html`from ${time(span.fact.valid_from)}` : "begin not known"}
          ${span.ends ? html`until ${time(span.fact.valid_to ?? span.fact.superseded_at)}`
            : "until now"}</span>
          ${span.fact.current ? html`<span class="chip good"><span aria-hidden="true">✓</span> holds</span>`
            : nothing}
          ${span.fact.contradicts.length > 0 ? contradicted() : nothing}</span></li>`)}</ul></div>`)}
    <p class="quiet ends"><span>${day(iso(from))}</span><span>${day(iso(until))}</span></p>
  </div>`;
}

function contradicted(): TemplateResult {
  const words = html`<span aria-hidden="true">≠</span> contradicted`;
  return leadsTo("review") ? html`<a class="chip bad" href=${link("review", { kind: "conflict" })}>${words}</a>`
    : html`<span class="chip bad">${words}</span>`;
}

customElements.define("griot-story", Story);

// The side of the picture: the legend, which filters, and the other filters.

import { html, nothing, svg, type TemplateResult } from "lit";
import { change } from "../address.js";
import type { Graph } from "./graph.js";
import { palette } from "./palette.js";
import {
  FAMILIES,
  legend,
  layerOf,
  NODE_COLOURS,
  OTHER_FAMILY,
  type Colouring,
  type Group,
} from "./shade.js";
import { toggled, type View } from "./view.js";
import { day, kindWords, percent } from "./words.js";

const NAMES: Record<Colouring, string> = { type: "Types", layer: "Layers", community: "Communities" };

/** How many entries of a long list are shown at once, and how many when more are asked for. */
const FIRST = 12;
const MOST = 200;
/** Browsers take about seven changes of the address a second; a slider makes more. */
const PAUSE_MS = 160;

interface Entry {
  filter: string;
  label: string;
  count: number;
  colour?: number;
  form?: string;
}

export interface Facets {
  groups: (Group & { count: number })[];
  kinds: Entry[];
  families: Entry[];
  layers: Entry[];
  edgeLayers: Entry[];
  sources: Entry[];
  times: [number, number] | null;
}

/** What there is to filter by, counted once for each picture. */
export function facets(graph: Graph, by: Colouring): Facets {
  const { head } = graph;
  const tally = (size: number, values: Iterable<number>) => {
    const counts = new Array<number>(size).fill(0);
    for (const value of values) if (value < size) counts[value]! += 1;
    return counts;
  };
  const kinds = tally(head.kinds.length, graph.kind);
  const sources = tally(head.sources.length, graph.source);
  const types = tally(head.types.length, graph.type);
  const grouped = (words: string[], counts: number[], prefix: string): Entry[] => {
    const sums = new Map<string, number>();
    words.forEach((word, at) => sums.set(word, (sums.get(word) ?? 0) + counts[at]!));
    return [...sums].flatMap(([label, count]) =>
      count === 0 ? [] : [{ filter: `${prefix}:${label}`, label, count }],
    );
  };
  const most = (a: Entry, b: Entry) => b.count - a.count || a.label.localeCompare(b.label);
  let [first, last] = [Infinity, -Infinity];
  for (const time of graph.time) {
    if (time < first) first = time;
    if (time > last) last = time;
  }
  return {
    groups: legend(graph, by),
    kinds: grouped(head.kinds, kinds, "kind").sort(most),
    families: grouped(head.families, kinds, "family")
      .sort(most)
      .map((one) => {
        const at = FAMILIES.indexOf(one.label);
        return { ...one, colour: at < 0 ? OTHER_FAMILY : NODE_COLOURS + at };
      }),
    layers: grouped(head.types.map(layerOf), types, "layer").sort(most),
    edgeLayers: grouped(head.layers, kinds, "edges").sort(most),
    sources: head.sources
      .map(({ handle, name }, at) => ({
        filter: `source:${handle}`,
        label: name || handle,
        count: sources[at]!,
      }))
      .filter(({ count }) => count > 0)
      .sort(most),
    times: first < last ? [first, last] : null,
  };
}

export function legendView(view: View, { groups }: Facets, dark: boolean): TemplateResult {
  return html`
    <label class="inline">Colour by
      <select @change=${(event: Event) => change({ colour: (event.target as HTMLSelectElement).value })}>
        ${(["type", "layer", "community"] as const).map(
          (one) => html`<option value=${one} ?selected=${one === view.colouring}>${one}</option>`,
        )}
      </select>
    </label>
    ${list(
      NAMES[view.colouring],
      view,
      groups.map((one) => ({ ...one, form: formOf(one.filter) })),
      dark,
    )}
  `;
}

function formOf(filter: string): string {
  if (filter === "type:memory" || filter === "layer:memories") return "square";
  if (filter === "type:source" || filter === "layer:sources") return "diamond";
  return "disc";
}

export function filtersView(view: View, facets: Facets, dark: boolean): TemplateResult {
  const { filters } = view;
  const shareOf = (event: Event) => {
    const { value } = event.target as HTMLInputElement;
    return value === "0" ? undefined : value;
  };
  const slider = (name: "weight" | "confidence", label: string) => html`
    <label>${label} <span class="quiet">${percent(filters[name])}</span>
      <input type="range" min="0" max="1" step="0.05" .value=${String(filters[name])}
        @input=${(event: Event) => changeSoon({ [name]: shareOf(event) })}>
    </label>`;
  const box = (name: "evidence" | "joined", label: string) => html`
    <label class="inline"><input type="checkbox" .checked=${filters[name]}
      @change=${() => change({ [name]: filters[name] ? undefined : "1" })}>${label}</label>`;
  return html`
    ${facets.times ? times(view, facets.times) : nothing}
    <label>As of <input type="date" .value=${view.asOf} max="9999-12-31"
      @change=${(event: Event) => change({ as_of: (event.target as HTMLInputElement).value }, true)}></label>
    <p class="quiet">What came later is hidden, and edges are as they held on that day.</p>
    ${list("Families of edges", view, facets.families, dark)}
    ${list("Kinds of edges", view, facets.kinds, dark)}
    ${view.colouring === "layer" ? nothing : list("Layers", view, facets.layers, dark)}
    ${facets.edgeLayers.length > 1 ? list("Layers of edges", view, facets.edgeLayers, dark) : nothing}
    ${list("Sources", view, facets.sources, dark)}
    ${slider("weight", "Weight at least")}
    ${slider("confidence", "Confidence at least")}
    ${box("evidence", "Only edges with evidence")}
    ${box("joined", "Only nodes with an edge shown")}
    <button ?disabled=${!filtered(view)} @click=${clear}>Clear all filters</button>
  `;
}

const FILTERS = ["no", "weight", "confidence", "evidence", "joined", "since", "until", "hide", "as_of"];

export function filtered({ filters, asOf }: View): boolean {
  return (
    filters.without.size + filters.hidden.size > 0 ||
    filters.weight > 0 ||
    filters.confidence > 0 ||
    filters.evidence ||
    filters.joined ||
    filters.since !== null ||
    filters.until !== null ||
    asOf !== ""
  );
}

export function clear(): void {
  change(Object.fromEntries(FILTERS.map((name) => [name, undefined])), true);
}

const waiting: { changes: Record<string, string | undefined>; timer?: ReturnType<typeof setTimeout> } = {
  changes: {},
};

/** Changes the address soon, and only once for several changes that follow each other quickly. */
function changeSoon(changes: Record<string, string | undefined>): void {
  Object.assign(waiting.changes, changes);
  waiting.timer ??= setTimeout(() => {
    delete waiting.timer;
    change(waiting.changes);
    waiting.changes = {};
  }, PAUSE_MS);
}

function times(view: View, [first, last]: [number, number]): TemplateResult {
  const step = Math.max(1, Math.round((last - first) / 300));
  const { since, until } = view.filters;
  const from = since ?? first;
  const to = until ?? last;
  const iso = (time: number) => new Date(time * 1000).toISOString().slice(0, 19) + "Z";
  // The ends of the sliders mean no limit, so that what comes later is shown, too.
  const moved = (event: Event) => {
    const [a, b] = [...(event.target as HTMLElement).closest("fieldset")!.querySelectorAll("input")].map(
      (input) => Number(input.value),
    ) as [number, number];
    const [low, high] = [Math.min(a, b), Math.max(a, b)];
    changeSoon({
      since: low <= first ? undefined : iso(low),
      until: high >= last - step ? undefined : iso(high),
    });
  };
  const slider = (value: number, label: string) => html`
    <input type="range" min=${first} max=${last} step=${step} .value=${String(value)} aria-label=${label}
      aria-valuetext=${day(value)} @input=${moved}>`;
  return html`
    <fieldset>
      <legend>Time <span class="quiet">${day(from)} – ${day(to)}</span></legend>
      ${slider(from, "Not before")}${slider(to, "Not after")}
    </fieldset>`;
}

function list(title: string, view: View, all: Entry[], dark: boolean): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  const entries = all.slice(0, MOST);
  const { without } = view.filters;
  const colours = palette(dark);
  const rows = entries.map(
    (one) => html`
    <div class="entry"><label class="inline grow">
      <input type="checkbox" .checked=${!without.has(one.filter)}
        @change=${() => change({ no: toggled(without, one.filter) })}>
      ${one.colour === undefined ? nothing : swatch(colours[one.colour]!, one.form ?? "line")}
      <span class="clip grow" dir="auto" title=${one.label}>${kindWords(one.label)}</span>
      <span class="quiet">${one.count.toLocaleString("en")}</span></label>
      ${
        entries.length > 1
          ? html`<button class="link only" aria-label=${`Only ${one.label}`}
        @click=${() => {
          const others = entries.filter((other) => other !== one).map((other) => other.filter);
          const rest = [...without].filter((filter) => !entries.some((entry) => entry.filter === filter));
          const alone = others.every((other) => without.has(other)) && !without.has(one.filter);
          change({ no: alone ? rest : [...rest, ...others] });
        }}>only</button>`
          : nothing
      }
    </div>`,
  );
  return html`
    <fieldset class="entries">
      <legend>${title}</legend>
      ${rows.slice(0, FIRST)}
      ${
        rows.length > FIRST
          ? html`
        <details><summary>${(all.length - FIRST).toLocaleString("en")} more</summary>${rows.slice(FIRST)}
          ${all.length > MOST ? html`<p class="quiet">The largest ${MOST} are listed.</p>` : nothing}
        </details>`
          : nothing
      }
    </fieldset>`;
}

function swatch(colour: string, form: string): TemplateResult {
  const shapes: Record<string, TemplateResult> = {
    square: svg`<rect x="1" y="1" width="10" height="10" rx="3" fill=${colour}></rect>`,
    diamond: svg`<path d="M6 0 12 6 6 12 0 6z" fill=${colour}></path>`,
    line: svg`<rect y="4.5" width="12" height="3" fill=${colour}></rect>`,
    disc: svg`<circle cx="6" cy="6" r="5.5" fill=${colour}></circle>`,
  };
  return html`<svg viewBox="0 0 12 12" class="swatch" aria-hidden="true">${shapes[form]}</svg>`;
}

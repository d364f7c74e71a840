// The picture as a table: all that is shown, to sort and to read. Only the rows in sight are in the document.

import { html, nothing, type TemplateResult } from "lit";
import { Part } from "../parts/part.js";
import { edgeKey, NONE, type Graph } from "./graph.js";
import { edgeShown, nodeShown, type Shade } from "./shade.js";
import { day, kindWords, percent } from "./words.js";

/** Pixels of a row; the style sheet says the same. */
const ROW = 32;
/** Rows beyond the edges of what is seen. */
const MORE = 10;

interface Column {
  name: string;
  /** What the column shows of a row. */
  text: (graph: Graph, at: number) => string;
  /** What it is sorted by, if not the text. */
  value?: (graph: Graph, at: number) => number;
}

const NODE_COLUMNS: Column[] = [
  { name: "Name", text: (graph, at) => graph.labels.at(at) },
  { name: "Type", text: (graph, at) => graph.head.types[graph.type[at]!]! },
  {
    name: "Edges",
    text: (graph, at) => graph.degree[at]!.toLocaleString("en"),
    value: (graph, at) => graph.degree[at]!,
  },
  { name: "Community", text: (graph, at) => communityOf(graph, at) },
  { name: "Source", text: (graph, at) => graph.head.sources[graph.source[at]!]?.name ?? "" },
  { name: "Time", text: (graph, at) => day(graph.time[at]!), value: (graph, at) => graph.time[at]! },
];

const EDGE_COLUMNS: Column[] = [
  { name: "From", text: (graph, at) => graph.labels.at(graph.from[at]!) },
  { name: "Kind", text: (graph, at) => kindWords(graph.head.kinds[graph.kind[at]!]!) },
  { name: "To", text: (graph, at) => graph.labels.at(graph.to[at]!) },
  {
    name: "Weight",
    text: (graph, at) => graph.weight[at]!.toFixed(2),
    value: (graph, at) => graph.weight[at]!,
  },
  {
    name: "Confidence",
    text: (graph, at) => percent(graph.confidence[at]!),
    value: (graph, at) => graph.confidence[at]!,
  },
  {
    name: "Since",
    text: (graph, at) => day(graph.from_time[at]!),
    value: (graph, at) => graph.from_time[at]!,
  },
];

function communityOf(graph: Graph, node: number): string {
  const id = graph.community[node]!;
  if (id === NONE) return "";
  return graph.head.communities.find((one) => one.id === id)?.label ?? String(id);
}

/** The rows in order; what has no value comes last either way. */
export function sorted(graph: Graph, rows: Uint32Array, column: Column, down: boolean): Uint32Array {
  const sign = down ? -1 : 1;
  const { value } = column;
  if (value) {
    return rows.slice().sort((a, b) => {
      const [first, second] = [value(graph, a), value(graph, b)];
      if (Number.isNaN(first) || Number.isNaN(second))
        return Number(Number.isNaN(first)) - Number(Number.isNaN(second));
      return sign * (first - second) || a - b;
    });
  }
  const { compare } = new Intl.Collator("en");
  const texts = new Map<number, string>();
  for (const row of rows) texts.set(row, column.text(graph, row));
  return rows.slice().sort((a, b) => {
    const [first, second] = [texts.get(a)!, texts.get(b)!];
    if (first === "" || second === "") return Number(first === "") - Number(second === "");
    return sign * compare(first, second) || a - b;
  });
}

/** Tells `select` and `select-edge` with a handle. */
class GraphTable extends Part {
  static override properties = {
    graph: { attribute: false },
    shade: { attribute: false },
    selected: {},
    edge: {},
    of: { state: true },
    by: { state: true },
    down: { state: true },
    top: { state: true },
    height: { state: true },
  };
  declare graph: Graph;
  declare shade: Shade;
  declare selected: string;
  declare edge: string;
  declare of: "nodes" | "edges";
  declare by: number;
  declare down: boolean;
  declare top: number;
  declare height: number;
  #rows: Uint32Array = new Uint32Array();

  constructor() {
    super();
    this.selected = this.edge = "";
    this.of = "nodes";
    this.by = 2;
    this.down = true;
    this.top = 0;
    this.height = 600;
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!["graph", "shade", "of", "by", "down"].some((name) => changed.has(name))) return;
    const [all, shown] = this.of === "nodes" ? [this.graph.nodes, nodeShown] : [this.graph.edges, edgeShown];
    const rows = new Uint32Array(all);
    let count = 0;
    for (let at = 0; at < all; at += 1) if (shown(this.shade, at)) rows[count++] = at;
    this.#rows = sorted(this.graph, rows.subarray(0, count), this.#columns()[this.by]!, this.down);
  }

  #columns(): Column[] {
    return this.of === "nodes" ? NODE_COLUMNS : EDGE_COLUMNS;
  }

  protected override render(): TemplateResult {
    const columns = this.#columns();
    const first = Math.max(0, Math.floor(this.top / ROW) - MORE);
    const last = Math.min(this.#rows.length, Math.ceil((this.top + this.height) / ROW) + MORE);
    const tab = (of: "nodes" | "edges") => html`
      <button aria-pressed=${this.of === of ? "true" : "false"}
        @click=${() => this.#show(of)}>${of}</button>`;
    return html`
      <div class="row table-tabs">${tab("nodes")}${tab("edges")}
        <span class="quiet">${this.#rows.length.toLocaleString("en")} shown</span></div>
      <div class="scroll grow" tabindex="0" role="region" aria-label="Table" @scroll=${this.#scrolled}>
        <table class="graph-table" aria-rowcount=${this.#rows.length + 1}>
          <thead><tr aria-rowindex="1">${columns.map(
            (column, at) => html`
            <th scope="col" aria-sort=${at !== this.by ? "none" : this.down ? "descending" : "ascending"}>
              <button class="link" @click=${() => this.#sort(at)}>
                ${column.name}${at !== this.by ? "" : this.down ? " ↓" : " ↑"}</button>
            </th>`,
          )}</tr></thead>
          <tbody>
            ${this.#space(first, columns.length)}
            ${[...this.#rows.subarray(first, last)].map((row, at) => this.#row(row, first + at, columns))}
            ${this.#space(this.#rows.length - last, columns.length)}
          </tbody>
        </table>
      </div>
    `;
  }

  #row(row: number, place: number, columns: Column[]): TemplateResult {
    const key = this.of === "nodes" ? this.graph.handles.at(row) : edgeKey(this.graph, row);
    const selected = key === (this.of === "nodes" ? this.selected : this.edge);
    const select = () =>
      this.dispatchEvent(new CustomEvent(this.of === "nodes" ? "select" : "select-edge", { detail: key }));
    return html`
      <tr aria-rowindex=${place + 2} aria-selected=${selected ? "true" : nothing} @click=${select}>
        ${columns.map(
          (column, at) =>
            html`<td dir="auto">${
              at === 0
                ? html`<button class="link clip" dir="auto">${column.text(this.graph, row)}</button>`
                : column.text(this.graph, row)
            }</td>`,
        )}
      </tr>`;
  }

  #space(rows: number, columns: number): TemplateResult | typeof nothing {
    return rows <= 0
      ? nothing
      : html`<tr aria-hidden="true"><td colspan=${columns} class="space" height=${rows * ROW}></td></tr>`;
  }

  readonly #scrolled = (event: Event): void => {
    const box = event.target as HTMLElement;
    this.top = box.scrollTop;
    this.height = box.clientHeight;
  };

  #show(of: "nodes" | "edges"): void {
    this.of = of;
    this.by = of === "nodes" ? 2 : 3;
    this.down = true;
    this.top = 0;
    this.querySelector(".scroll")!.scrollTop = 0;
  }

  #sort(by: number): void {
    this.down = this.by === by ? !this.down : false;
    this.by = by;
  }
}

customElements.define("griot-graph-table", GraphTable);

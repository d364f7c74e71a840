// The page that shows the graph: loads what the address asks for, and joins picture, filters, details and
// table.

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Changed, Path } from "../../../sdk/typescript/src/types.js";
import { change, link, place } from "../address.js";
import { listen, Part } from "../parts/part.js";
import type { Scope } from "../parts/scope.js";
import { followWorkspace } from "../parts/workspace.js";
import { session } from "../session.js";
import { barView } from "./bar.js";
import type { Point } from "./camera.js";
import { compose, handleOf, ofHops, settled, type Part as Added } from "./compose.js";
import "./detail.js";
import { tooltip } from "./detail.js";
import { save, seenOf, toCsv, toGraphml, toJson } from "./exports.js";
import { decode, edgeIndex, edgeKey, EMPTY, find, type Graph } from "./graph.js";
import { LayoutJob } from "./layout-job.js";
import type { Choice } from "./menu.js";
import "./menu.js";
import "./overview.js";
import { facets, filtered, filtersView, legendView, type Facets } from "./panel.js";
import { pathView } from "./path.js";
import type { Picture, PictureEvents, Spot } from "./picture.js";
import "./picture.js";
import { shade, type Marks, type Shade } from "./shade.js";
import "./table.js";
import { Tip } from "./tip.js";
import { expansion, go, isNarrow, read, request, toggled, writePin, type View } from "./view.js";
import { count, reason } from "../parts/told.js";
import { kindWords } from "./words.js";

/** Above this many nodes, communities are shown before their members. */
const WHOLE = 20_000;
/** Up to this many nodes a picture is loaded again by itself when something changed. */
const QUIET_NODES = 2_000;
const QUIET_CHANGES = 25;
/** How many nodes an expansion brings. */
const OPENED_MOST = 300;

/** How many nodes there are. A layout knows at once what the status of a large workspace counts for a while. */
async function nodesOf(scope: Scope, signal: AbortSignal): Promise<number> {
  const { nodes } = await session.client.graphLayout(scope, { signal });
  if (nodes > WHOLE) return nodes;
  const { counts } = await session.client.status(scope, { signal });
  return counts.memories + counts.entities;
}

class Explorer extends Part {
  static override properties = {
    graph: { state: true },
    shade: { state: true },
    loading: { state: true },
    why: { state: true },
    broken: { state: true },
    path: { state: true },
    said: { state: true },
    news: { state: true },
    note: { state: true },
    menu: { state: true },
    side: { state: true },
    total: { state: true },
    dark: { state: true },
  };
  declare graph: Graph;
  declare shade: Shade;
  declare loading: boolean;
  declare why: string;
  /** Why nothing can be drawn. */
  declare broken: string;
  declare path: Path | string | null;
  /** For those who do not see the picture. */
  declare said: string;
  /** How many things changed since the picture was loaded. */
  declare news: number;
  declare note: string;
  declare menu: { at: Point; subject: string; choices: Choice[] } | null;
  declare side: boolean;
  declare total: number | null;
  declare dark: boolean;

  #view: View = read(place().parameters);
  #marks: Marks = {
    selected: null,
    edge: null,
    pathNodes: new Set(),
    pathEdges: new Set(),
    pinned: new Set(),
    opened: new Set(),
  };
  #base: Graph = EMPTY;
  #loaded = "";
  /** What is being loaded. */
  #pending: string | null = null;
  #asked = new AbortController();
  readonly #opened = new Map<string, Graph>();
  readonly #opening = new Set<string>();
  #pathAsked = "";
  #pathGraph: Graph | null = null;
  #facets: Facets | null = null;
  #facetsOf: [Graph, string] | null = null;
  readonly #changed = new Set<string>();
  #settle: ReturnType<typeof setTimeout> | undefined;
  readonly #tip = new Tip(this);
  readonly #layout = new LayoutJob(
    this,
    () => {
      this.#loaded = "";
      return this.#load();
    },
    (failure) => (this.why = reason(failure)),
  );
  #focus = "";

  constructor() {
    super();
    this.graph = EMPTY;
    this.loading = false;
    this.why = this.broken = this.said = this.note = "";
    this.path = null;
    this.news = 0;
    this.menu = null;
    this.total = null;
    followWorkspace(this);
    this.side = matchMedia("(min-width: 900px)").matches;
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    this.dark = scheme.matches;
    this.#reshade();
    listen(this, scheme, "change", () => (this.dark = scheme.matches));
    listen(this, window, "hashchange", () => this.#moved());
    listen(this, window, "keydown", (event) => {
      const { key, target, defaultPrevented } = event as KeyboardEvent;
      const isTyping = target instanceof HTMLElement && target.matches("input, select, textarea");
      const isOpen = this.#view.selected !== "" || this.#view.edge !== "";
      if (key === "Escape" && !defaultPrevented && isOpen && !isTyping) {
        change({ sel: undefined, edge: undefined }, true);
      }
    });
    listen(this, session, "changed", (event) => this.#heard((event as CustomEvent<Changed>).detail));
    listen(this, session, "connected", () => void this.#load(true));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const { selected, around } = this.#view;
    if (!around.includes(selected)) this.#focus = selected;
    this.#moved();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#asked.abort();
    clearTimeout(this.#settle);
  }

  // The address.

  #moved(): void {
    if (place().page !== "explore" && place().page !== "") return;
    const before = this.#view;
    this.#view = read(place().parameters);
    this.menu = null;
    this.#tip.hide();
    this.note = "";
    const { selected, around } = this.#view;
    // What a picture is drawn around is in its middle anyway.
    const inMiddle = around.includes(selected) && around.join() !== before.around.join();
    if (selected !== before.selected && !inMiddle) this.#focus = selected;
    void this.#load();
    void this.#open();
    void this.#findPath();
    this.#reshade();
    this.requestUpdate();
  }

  #node(handle: string): number | null {
    return handle === "" ? null : (find(this.graph, handle) ?? null);
  }

  /** From the view to what is drawn; `this.graph` stays. */
  #reshade(): void {
    const view = this.#view;
    const nodes = (handles: Iterable<string>) =>
      new Set([...handles].flatMap((one) => this.#node(one) ?? []));
    const hops = typeof this.path === "object" ? (this.path?.hops ?? []) : [];
    // Only asked for when needed: it names each edge.
    const edgeOf = (key: string) => edgeIndex(this.graph).get(key);
    this.#marks = {
      selected: view.edge === "" ? this.#node(view.selected) : null,
      edge: view.edge === "" ? null : (edgeOf(view.edge) ?? null),
      pathNodes: nodes(hops.flatMap((hop) => [handleOf(hop.from), handleOf(hop.to)])),
      pathEdges: new Set(this.#pathGraph && hops.length > 0 ? this.#pathEdges(this.#pathGraph, edgeOf) : []),
      pinned: nodes(view.pinned.keys()),
      opened: nodes(view.opened),
    };
    this.shade = shade(
      this.graph,
      view.filters,
      this.#marks,
      view.colouring,
      this.graph.head.dim_below,
    );
  }

  #pathEdges(path: Graph, edgeOf: (key: string) => number | undefined): number[] {
    return Array.from({ length: path.edges }, (_, edge) => edgeOf(edgeKey(path, edge)) ?? []).flat();
  }

  // What the server has.

  async #load(again = false, quiet = false): Promise<void> {
    const view = this.#view;
    const known = this.total === null ? null : this.#request(view, this.total);
    // A selection or a filter changes the address, too, but not what is asked for.
    if (!again && known !== null && known === (this.#pending ?? this.#loaded)) return;
    this.#asked.abort();
    this.#pending = null;
    const { signal } = (this.#asked = new AbortController());
    try {
      if (this.total === null || again) {
        this.total = await nodesOf(view.scope, signal);
        if (signal.aborted) return;
      }
      const asked = this.#request(view, this.total);
      if (asked === this.#loaded && !again) return;
      this.#pending = asked;
      this.loading = !quiet;
      const response = await session.request(asked, { signal });
      const graph = decode(await response.arrayBuffer());
      if (signal.aborted) return;
      const before = this.#loaded === asked ? this.graph : null;
      this.#base = graph;
      this.#loaded = asked;
      this.#changed.clear();
      this.news = 0;
      this.why = "";
      if (again) this.#opened.clear();
      // A picture that is loaded again keeps the positions that a person has learned.
      this.#draw(before);
      if (again) void this.#open();
      void this.#layout.watch(asked, graph.head.layout === "computed");
    } catch (failure) {
      if (!signal.aborted) this.why = reason(failure);
    } finally {
      if (!signal.aborted) {
        this.loading = false;
        this.#pending = null;
      }
    }
  }

  #request(view: View, total: number): string {
    return request(view, !isNarrow(view) && !view.whole && total > WHOLE);
  }

  /** Puts the picture together; `before` is the picture whose places and camera are kept. */
  #draw(before: Graph | null): void {
    const { pinned, opened } = this.#view;
    const parts: Added[] = opened.flatMap((handle) => {
      const graph = this.#opened.get(handle);
      return graph ? [{ anchor: handle, graph }] : [];
    });
    if (this.#pathGraph && this.#pathGraph.nodes > 0) {
      const graph = this.#pathGraph;
      const known = Array.from({ length: graph.nodes }, (_, at) => graph.handles.at(at)).find(
        (handle) => find(this.#base, handle) !== undefined,
      );
      parts.push({ anchor: known ?? null, graph });
    }
    const old = before && before.nodes > 0 ? settled(this.#base, before) : () => undefined;
    this.graph = compose(this.#base, parts, (handle) => pinned.get(handle) ?? old(handle));
    this.#reshade();
    this.#picture()?.show(this.graph, before !== null && before.nodes > 0);
  }

  #picture(): Picture | null {
    return this.querySelector<Picture>("griot-picture");
  }

  /** Fetches what is expanded and not there yet, and takes away what is not expanded any more. */
  async #open(): Promise<void> {
    const wanted = this.#view.opened;
    let gone = false;
    for (const handle of this.#opened.keys()) {
      if (wanted.includes(handle)) continue;
      this.#opened.delete(handle);
      gone = true;
    }
    if (gone && this.#loaded !== "") this.#draw(this.graph);
    const missing = wanted.filter((handle) => !this.#opened.has(handle) && !this.#opening.has(handle));
    await Promise.all(
      missing.map(async (handle) => {
        this.#opening.add(handle);
        try {
          const response = await session.request(expansion(this.#view, handle, OPENED_MOST));
          const graph = decode(await response.arrayBuffer());
          if (!this.#view.opened.includes(handle)) return;
          this.#opened.set(handle, graph);
          const nodes = this.graph.nodes;
          if (this.#loaded !== "") this.#draw(this.graph);
          this.said = `Expanded: ${count(this.graph.nodes - nodes, "more node")}.`;
          const node = this.#node(handle);
          if (node !== null && this.graph.degree[node]! > OPENED_MOST && graph.nodes >= OPENED_MOST) {
            this.note =
              `${this.graph.labels.at(node)} has ${count(this.graph.degree[node]!, "edge")};` +
              ` the ${OPENED_MOST} best connected of its neighbours are shown.`;
          }
        } catch (failure) {
          this.why = `Could not expand: ${reason(failure)}`;
          change({ open: this.#view.opened.filter((one) => one !== handle) });
        } finally {
          this.#opening.delete(handle);
        }
      }),
    );
  }

  async #findPath(): Promise<void> {
    const { pathFrom: source, pathTo: target, filters, asOf, scope } = this.#view;
    const asked =
      source === "" || target === "" ? "" : JSON.stringify([source, target, filters.confidence, asOf, scope]);
    if (asked === this.#pathAsked) return;
    this.#pathAsked = asked;
    const had = this.#pathGraph !== null;
    this.path = this.#pathGraph = null;
    if (asked !== "") {
      try {
        const path = await session.client.path({
          source,
          target,
          min_confidence: filters.confidence,
          ...(asOf === "" ? {} : { now: asOf }),
          ...scope,
        });
        if (this.#pathAsked !== asked) return;
        this.path = path;
        this.#pathGraph = path.found ? ofHops(path.hops) : null;
        this.said = path.found ? `A path of ${count(path.hops.length, "step")}.` : "No path was found.";
      } catch (failure) {
        if (this.#pathAsked === asked) this.path = reason(failure);
      }
    }
    if ((had || this.#pathGraph) && this.#loaded !== "") this.#draw(this.graph);
  }

  #heard(changed: Changed): void {
    if (changed.revision <= this.#base.head.revision) return;
    for (const one of [...changed.handles, ...changed.entities, ...changed.edges, ...changed.removed_edges]) {
      this.#changed.add(one);
    }
    clearTimeout(this.#settle);
    this.#settle = setTimeout(() => {
      if (this.graph.nodes <= QUIET_NODES && this.#changed.size <= QUIET_CHANGES) void this.#load(true, true);
      else this.news = this.#changed.size;
    }, 800);
  }

  // What a person does.

  #select(handle: string): void {
    change({ sel: handle, edge: undefined }, true);
  }

  #selectEdge(handle: string): void {
    change({ edge: handle, sel: undefined }, true);
  }

  readonly #chose = (event: Event): void => {
    const { node, edge } = (event as CustomEvent<PictureEvents["choose"]>).detail;
    this.#focus = "";
    if (node !== null) {
      change({ sel: this.graph.handles.at(node), edge: undefined }, true);
      // A click is on what one looks at: the picture stays where it is.
      this.#focus = "";
      this.said = `Selected ${this.#inWords(node)}.`;
    } else if (edge !== null) {
      this.#selectEdge(edgeKey(this.graph, edge));
      this.said = `Selected an edge: ${tooltip(this.graph, null, edge).join(", ")}.`;
    } else if (this.#view.selected !== "" || this.#view.edge !== "") {
      change({ sel: undefined, edge: undefined }, true);
      this.said = "Nothing is selected.";
    }
  };

  #inWords(node: number): string {
    const edges = count(this.graph.degree[node]!, "edge");
    return `${this.graph.labels.at(node)}, ${this.#typeOf(node)}, ${edges}`;
  }

  #typeOf(node: number): string {
    return this.graph.head.types[this.graph.type[node]!] ?? "";
  }

  readonly #opens = (event: Event): void => {
    const { node } = (event as CustomEvent<PictureEvents["open"]>).detail;
    if (node !== null) this.#expand(this.graph.handles.at(node));
  };

  #expand(handle: string): void {
    const node = this.#node(handle);
    if (node === null) return;
    if (this.#typeOf(node) === "community") return go({ community: String(this.graph.community[node]) });
    change({ open: toggled(this.#view.opened, handle) }, true);
  }

  #pin(handle: string): void {
    const node = this.#node(handle);
    if (node !== null) this.#setPin(node, !this.#view.pinned.has(handle));
  }

  #setPin(node: number, pinned: boolean): void {
    const pins = new Map(this.#view.pinned);
    const handle = this.graph.handles.at(node);
    if (pinned) pins.set(handle, { x: this.graph.x[node]!, y: this.graph.y[node]! });
    else pins.delete(handle);
    change({ pin: [...pins].map(([one, at]) => writePin(one, at)) });
  }

  readonly #dragged = (event: Event): void => {
    this.#setPin((event as CustomEvent<PictureEvents["moved"]>).detail.node, true);
  };

  readonly #menus = (event: Event): void => {
    const { node, edge, at } = (event as CustomEvent<Spot>).detail;
    this.#tip.hide();
    const page = (name: string, parameters: Record<string, string>) => () =>
      (location.hash = link(name, { ...this.#view.scope, ...parameters }));
    if (node !== null) {
      const handle = this.graph.handles.at(node);
      const label = this.graph.labels.at(node);
      const opened = this.#view.opened.includes(handle);
      const community = this.#typeOf(node) === "community";
      const choices: Choice[] = community
        ? [{ label: "Open community", run: () => this.#expand(handle) }]
        : [
            { label: "Inspect", run: () => this.#select(handle) },
            { label: opened ? "Collapse" : "Expand", run: () => this.#expand(handle) },
            { label: "Show only what is around it", run: () => go({ around: handle, sel: handle }) },
            { label: "Find in memory", run: page("ask", { q: label }) },
            { label: "Path from here", run: () => change({ from: handle }, true) },
            { label: "Path to here", run: () => change({ to: handle }, true) },
          ];
      choices.push(
        { label: "Hide", run: () => change({ hide: [...this.#view.filters.hidden, handle] }, true) },
        { label: this.#view.pinned.has(handle) ? "Unpin" : "Pin", run: () => this.#pin(handle) },
      );
      this.menu = { at, subject: label, choices };
    } else if (edge !== null) {
      const key = edgeKey(this.graph, edge);
      const kind = this.graph.head.kinds[this.graph.kind[edge]!]!;
      this.menu = {
        at,
        subject: kindWords(kind),
        choices: [
          { label: "Inspect", run: () => this.#selectEdge(key) },
          {
            label: `Hide all ${kindWords(kind)}`,
            run: () => change({ no: [...this.#view.filters.without, `kind:${kind}`] }, true),
          },
        ],
      };
    } else {
      const hidden = this.#view.filters.hidden.size;
      this.menu = {
        at,
        subject: "Picture",
        choices: [
          { label: "Show all of it", run: () => this.#picture()?.fit() },
          ...(hidden > 0
            ? [
                {
                  label: `Show ${count(hidden, "hidden node")} again`,
                  run: () => change({ hide: undefined }, true),
                },
              ]
            : []),
          ...(this.#view.pinned.size > 0
            ? [{ label: "Let go of all pins", run: () => change({ pin: undefined }, true) }]
            : []),
        ],
      };
    }
  };

  readonly #hovers = (event: Event): void => this.#tip.show(this.graph, (event as CustomEvent<Spot>).detail);

  async #export(form: string): Promise<void> {
    const name = `griot-${session.workspace || "graph"}-${new Date().toISOString().slice(0, 10)}`;
    try {
      if (form === "png") return save(await this.#picture()!.png(), `${name}.png`);
      const seen = seenOf(this.graph, this.shade);
      const made = {
        json: () => [toJson(seen), "json", "application/json"],
        graphml: () => [toGraphml(seen), "graphml", "application/xml"],
        nodes: () => [toCsv(seen.nodes), "nodes.csv", "text/csv"],
        edges: () => [toCsv(seen.edges), "edges.csv", "text/csv"],
      }[form]!();
      save(new Blob([made[0]!], { type: `${made[2]};charset=utf-8` }), `${name}.${made[1]}`);
    } catch (failure) {
      this.why = reason(failure);
    }
  }

  // The page.

  protected override updated(changed: PropertyValues): void {
    if (changed.has("shade")) this.#picture()?.shade(this.shade, this.#marks);
    const node = this.#node(this.#focus);
    if (node !== null && !this.#view.table && this.graph.nodes > 1) {
      this.#focus = "";
      this.#picture()?.focusOn(node);
    }
  }

  protected override render(): TemplateResult {
    const view = this.#view;
    if (!this.#facets || this.#facetsOf?.[0] !== this.graph || this.#facetsOf[1] !== view.colouring) {
      this.#facets = facets(this.graph, view.colouring);
      this.#facetsOf = [this.graph, view.colouring];
    }
    const table = view.table || this.broken !== "";
    return html`
      <div class="explorer">
        <h1 class="unseen">Explore</h1>
        ${barView({
          view,
          graph: this.graph,
          shade: this.shade,
          loaded: this.#loaded !== "",
          large: (this.total ?? 0) > WHOLE,
          drawn: !table,
          side: this.side,
          toggleSide: () => (this.side = !this.side),
          zoom: (factor) => this.#picture()?.zoom(factor),
          fit: () => this.#picture()?.fit(),
          save: (form) => void this.#export(form),
        })}
        <div class="explorer-body">
          ${this.side ? this.#sideView(view) : nothing}
          <div class="explorer-stage">
            <griot-picture class=${table ? "gone" : ""}
              @choose=${this.#chose} @open=${this.#opens} @menu=${this.#menus}
              @hover=${this.#hovers} @moved=${this.#dragged}
              @reached=${(event: CustomEvent<PictureEvents["reached"]>) => {
                const { node, place: at, of } = event.detail;
                this.said = `${this.#inWords(node)}, ${at} of ${of}.`;
              }}
              @broken=${(event: CustomEvent<string>) => (this.broken = event.detail)}></griot-picture>
            ${table ? this.#tableView(view) : nothing}
            ${this.#notices(view)}
            ${table ? nothing : this.#tip.view()}
            ${
              this.menu
                ? html`<griot-menu .at=${this.menu.at} .subject=${this.menu.subject}
                    .choices=${this.menu.choices} @closed=${() => (this.menu = null)}></griot-menu>`
                : nothing
            }
          </div>
          ${view.selected !== "" || view.edge !== "" ? this.#detailView(view) : nothing}
        </div>
        <p class="unseen" role="status">${this.said}</p>
      </div>
    `;
  }

  #tableView(view: View): TemplateResult {
    return html`
      ${
        this.broken === ""
          ? nothing
          : html`<p class="card">There is no picture: ${this.broken}. The table shows the same.</p>`
      }
      <griot-graph-table .graph=${this.graph} .shade=${this.shade}
        .selected=${view.selected} .edge=${view.edge}
        @select=${(event: CustomEvent<string>) => this.#select(event.detail)}
        @select-edge=${(event: CustomEvent<string>) => this.#selectEdge(event.detail)}></griot-graph-table>`;
  }

  #detailView(view: View): TemplateResult {
    return html`
      <aside class="explorer-detail" aria-label="Details">
        <griot-detail .handle=${view.selected} .edge=${view.edge} .graph=${this.graph}
          .asOf=${view.asOf} .scope=${new URLSearchParams({ ...view.scope }).toString()}
          .shade=${this.shade} .revision=${this.#base.head.revision}
          @select=${(event: CustomEvent<string>) => this.#select(event.detail)}
          @select-edge=${(event: CustomEvent<string>) => this.#selectEdge(event.detail)}
          @closed=${() => change({ sel: undefined, edge: undefined }, true)}></griot-detail>
      </aside>`;
  }

  #sideView(view: View): TemplateResult {
    const name = (handle: string) => {
      const node = this.#node(handle);
      return node === null ? handle : this.graph.labels.at(node);
    };
    return html`
      <aside class="explorer-side" aria-label="Filters and overview">
        <button class="side-close" @click=${() => (this.side = false)}>Close</button>
        <details open><summary>Legend</summary>${legendView(view, this.#facets!, this.dark)}</details>
        <details><summary>Filters</summary>${filtersView(view, this.#facets!, this.dark)}</details>
        <details ?open=${view.pathFrom !== "" || view.pathTo !== ""}><summary>Path</summary>
          ${pathView(view, this.path, name, (handle) => this.#reveal(handle))}</details>
        <details open><summary>Overview</summary>
          <griot-overview .revision=${this.#base.head.revision}
            @select=${(event: CustomEvent<string>) => this.#reveal(event.detail)}></griot-overview></details>
      </aside>
    `;
  }

  /** Selects a node that may not be in the picture; then the picture becomes the one around it. */
  #reveal(handle: string): void {
    if (this.#node(handle) === null) go({ around: handle, sel: handle });
    else this.#select(handle);
  }

  #notices(view: View): TemplateResult {
    const idle = this.why === "" && !this.loading;
    const empty = idle && this.total === 0 && this.graph.nodes === 0;
    const layout = this.#layout.view(this.#loaded, this.graph.nodes);
    const settled = idle && !empty && this.#layout.state === null && this.#loaded !== "";
    const none = settled && this.shade.shownNodes === 0;
    const notice = (what: TemplateResult | string) =>
      html`<p class="notice" role="status" dir="auto">${what}</p>`;
    const again = () => {
      this.why = "";
      void this.#load(true);
    };
    return html`
      <div class="notices">
        ${this.loading ? notice("Loading…") : nothing}
        ${
          this.why === ""
            ? nothing
            : html`<p class="notice bad" role="alert">${this.why}
                <button @click=${again}>Try again</button></p>`
        }
        ${this.note === "" ? nothing : notice(this.note)}
        ${
          this.news === 0
            ? nothing
            : notice(html`${count(this.news, "change")}. <button @click=${again}>Show them</button>`)
        }
        ${layout === nothing ? nothing : notice(layout)}
        ${empty ? EMPTY_WORKSPACE : nothing}
        ${none ? notice(filtered(view) ? "The filters leave nothing." : "There is nothing here.") : nothing}
      </div>
    `;
  }

}

const EMPTY_WORKSPACE = html`
  <div class="notice card">
    <h2>Nothing is stored yet</h2>
    <p>Write something down, drop a file, or connect an agent; then it shows here as a graph.</p>
    <p><a href=${link("ask")}>Ask or remember</a> · <a href=${link("sources")}>Add a source</a></p>
    <p><code>griot remember "We chose Postgres because of transactions"</code></p>
  </div>`;

customElements.define("griot-explorer", Explorer);

// The picture of a graph: canvases, pointer, keys. What a person does comes out as events; what is shown goes
// in through `show` and `shade`.

import { html, type TemplateResult } from "lit";
import { Part } from "../parts/part.js";
import {
  bounds,
  fit,
  pan,
  seen,
  toGraph,
  toScreen,
  zoomAt,
  type Bounds,
  type Camera,
  type Point,
  type Size,
} from "./camera.js";
import { Drawing, LANE, lanes, radius, spacing } from "./draw.js";
import { across, byDegree, edgesOf, EMPTY, type Graph } from "./graph.js";
import { EdgeGrid, NodeGrid } from "./grid.js";
import { place } from "./labels.js";
import { numbers, palette } from "./palette.js";
import {
  ALL,
  edgeShown,
  GROUND,
  MARKED,
  nodeShown,
  shade,
  TEXT,
  UNMARKED,
  type Marks,
  type Shade,
} from "./shade.js";

/** What lies at a place of the picture. */
export interface Spot {
  node: number | null;
  edge: number | null;
  /** Pixels from the picture's corner. */
  at: Point;
}

export interface PictureEvents {
  choose: Spot;
  open: Spot;
  menu: Spot;
  hover: Spot;
  /** Keys moved to a node. */
  reached: { node: number; place: number; of: number };
  moved: { node: number };
  broken: string;
}

const KEYS =
  "Graph. Arrow keys move, plus and minus zoom, 0 shows all, Tab goes through the best connected nodes," +
  " Enter opens one, E expands it, the menu key offers more.";
/** Pixels that a pointer may move before a click is a drag. */
const STILL = 4;
const LONG_PRESS_MS = 550;
/** Longer than two clicks take that belong together. */
const REVEAL_MS = 400;
/** How many nodes the tabulator key goes through. */
const STOPS = 50;
const MINIMAP: Size = { width: 168, height: 112 };

class Picture extends Part {
  #graph: Graph = EMPTY;
  #state: Shade = shade(EMPTY, ALL, UNMARKED, "type", 0);
  #marks: Marks = UNMARKED;
  #camera: Camera = { x: 0, y: 0, scale: 1 };
  #size: Size = { width: 1, height: 1 };
  /** The middle of the picture on the page. */
  #middle: Point | null = null;
  /** The node that was brought to the middle, until the camera is moved by hand. */
  #centred: number | null = null;
  #unit = 100;
  #drawing: Drawing | null = null;
  #found: { nodes: NodeGrid; edges: EdgeGrid } | null = null;
  #lanes: Int8Array | null = null;
  #due = 0;
  #hovered: number | null = null;
  #reached: number | null = null;
  #fitDue = false;
  /** Whether all is shown as it was fitted by itself, and nobody touched it. */
  #isFitted = false;
  #map: { image: ImageData; bounds: Bounds } | null = null;
  #glide: { from: Camera; to: Camera; start: number } | null = null;
  readonly #pointers = new Map<number, Point>();
  #grip: { start: Point; node: number | null; moved: boolean; spread: number } | null = null;
  #prepare: ReturnType<typeof setTimeout> | undefined;
  #reveal: ReturnType<typeof setTimeout> | undefined;
  #press: ReturnType<typeof setTimeout> | undefined;
  readonly #watch = new ResizeObserver(() => this.#resized());
  readonly #scheme = matchMedia("(prefers-color-scheme: dark)");
  readonly #recolour = () => this.#coloured();

  protected override render(): TemplateResult {
    return html`
      <canvas class="picture-drawing"></canvas>
      <canvas class="picture-labels" tabindex="0" role="application" aria-roledescription="graph"
        aria-label=${KEYS}
        @pointerdown=${this.#down} @pointermove=${this.#move}
        @pointerup=${this.#up} @pointercancel=${this.#cancel}
        @pointerleave=${() => this.#hover(null)} @wheel=${this.#wheel} @dblclick=${this.#double}
        @contextmenu=${this.#context} @keydown=${this.#key} @blur=${() => this.#reach(null)}></canvas>
      <canvas class="picture-map" aria-hidden="true" @pointerdown=${this.#jump}
        @pointermove=${(event: PointerEvent) => event.buttons === 1 && this.#jump(event)}></canvas>
    `;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#scheme.addEventListener("change", this.#recolour);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#watch.disconnect();
    this.#scheme.removeEventListener("change", this.#recolour);
    cancelAnimationFrame(this.#due);
    for (const timer of [this.#prepare, this.#press, this.#reveal]) clearTimeout(timer);
    this.#due = 0;
    this.#drawing?.free();
    this.#drawing = null;
  }

  protected override firstUpdated(): void {
    const canvas = this.#canvas("drawing");
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => this.#start());
    const density = devicePixelRatio;
    const map = this.#canvas("map");
    map.width = MINIMAP.width * density;
    map.height = MINIMAP.height * density;
    this.#start();
  }

  #start(): void {
    try {
      this.#drawing = new Drawing(this.#canvas("drawing"));
    } catch (failure) {
      this.#tell("broken", failure instanceof Error ? failure.message : String(failure));
      return;
    }
    this.#drawing.load(this.#graph, this.#unit);
    this.#drawing.shade(this.#state);
    this.#coloured();
    this.#watch.observe(this);
  }

  #canvas(name: "drawing" | "labels" | "map"): HTMLCanvasElement {
    return this.querySelector(`.picture-${name}`)!;
  }

  #tell<Name extends keyof PictureEvents>(name: Name, detail: PictureEvents[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** Shows another graph. With `stay`, the camera stays where it is and sizes stay as they are. */
  show(graph: Graph, stay: boolean): void {
    this.#graph = graph;
    if (!stay) this.#unit = spacing(graph);
    this.#found = this.#lanes = this.#map = null;
    this.#hovered = this.#reached = this.#centred = null;
    // The numbers of nodes are others now.
    this.#grip = null;
    clearTimeout(this.#press);
    this.#drawing?.load(graph, this.#unit);
    if (!stay) this.#fitDue = true;
  }

  /** Shows other filters and marks; comes after `show` for a new graph. */
  shade(state: Shade, marks: Marks): void {
    this.#state = state;
    this.#marks = marks;
    this.#map = null;
    this.#drawing?.shade(state);
    if (this.#fitDue) this.fit();
    this.#redraw();
    // In a quiet moment, so that the first look under the pointer does not wait for it.
    clearTimeout(this.#prepare);
    this.#prepare = setTimeout(() => this.#grids(), 400);
  }

  fit(): void {
    const all = this.#bounds();
    if (!all) return;
    if (this.#size.width <= 1) {
      this.#fitDue = true;
      return;
    }
    const camera = fit(all, this.#size, 48, 90 / this.#unit);
    const byItself = this.#fitDue || this.#isFitted;
    if (this.#fitDue) this.#look(camera);
    else this.#glideTo(camera);
    this.#fitDue = false;
    this.#isFitted = byItself;
  }

  /** Brings a node to the middle, and close enough to read what is around it. */
  focusOn(node: number): void {
    const scale = Math.max(this.#camera.scale, 45 / this.#unit);
    this.#glideTo({ x: this.#graph.x[node]!, y: this.#graph.y[node]!, scale });
    this.#centred = node;
  }

  zoom(factor: number, at: Point = { x: this.#size.width / 2, y: this.#size.height / 2 }): void {
    this.#look(zoomAt(this.#camera, this.#size, at, factor, this.#limits()));
  }

  /** What is seen, as an image. */
  async png(): Promise<Blob> {
    const [drawing, labels] = [this.#canvas("drawing"), this.#canvas("labels")];
    const sheet = document.createElement("canvas");
    sheet.width = drawing.width;
    sheet.height = drawing.height;
    // A drawing is kept only until the browser shows it, so that it is copied in the same turn.
    this.#frame(performance.now());
    const to = sheet.getContext("2d")!;
    to.drawImage(drawing, 0, 0);
    to.drawImage(labels, 0, 0);
    return new Promise((done, fail) => {
      sheet.toBlob((blob) =>
        blob ? done(blob) : fail(new Error("could not make an image: the browser refused")),
      );
    });
  }

  #bounds(): Bounds | null {
    return bounds(this.#graph.x, this.#graph.y, (node) => nodeShown(this.#state, node));
  }

  #limits(): [number, number] {
    const all = bounds(this.#graph.x, this.#graph.y);
    const widest = all ? fit(all, this.#size).scale / 4 : 0.001;
    return [Math.min(widest, 90 / this.#unit), 500 / this.#unit];
  }

  #look(camera: Camera): void {
    this.#isFitted = false;
    this.#glide = null;
    this.#centred = null;
    this.#camera = camera;
    this.#redraw();
  }

  #glideTo(camera: Camera): void {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return this.#look(camera);
    this.#centred = null;
    this.#isFitted = false;
    this.#glide = { from: this.#camera, to: camera, start: performance.now() };
    this.#redraw();
  }

  #redraw(): void {
    if (this.#due === 0 && this.isConnected) this.#due = requestAnimationFrame((now) => this.#frame(now));
  }

  #resized(): void {
    const box = this.getBoundingClientRect();
    if (box.width < 1 || box.height < 1) return;
    this.#size = { width: box.width, height: box.height };
    // A panel that opens beside the picture moves nothing under the pointer: the second click of two has to
    // meet what the first did.
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    if (this.#middle && this.#centred === null) {
      const by = { x: middle.x - this.#middle.x, y: middle.y - this.#middle.y };
      const moved = (camera: Camera) => pan(camera, -by.x, -by.y);
      this.#camera = moved(this.#camera);
      if (this.#glide)
        this.#glide = { ...this.#glide, from: moved(this.#glide.from), to: moved(this.#glide.to) };
    }
    this.#middle = middle;
    clearTimeout(this.#reveal);
    this.#reveal = setTimeout(() => this.#revealSelected(), REVEAL_MS);
    for (const name of ["drawing", "labels"] as const) {
      const canvas = this.#canvas(name);
      canvas.width = Math.round(box.width * devicePixelRatio);
      canvas.height = Math.round(box.height * devicePixelRatio);
    }
    if (this.#fitDue) this.fit();
    this.#frame(performance.now());
  }

  /** Brings what is selected back when a panel came to lie over it; all, if nobody moved it meanwhile. */
  #revealSelected(): void {
    if (this.#isFitted) return this.fit();
    const { selected } = this.#marks;
    if (selected === null) return;
    const at = { x: this.#graph.x[selected]!, y: this.#graph.y[selected]! };
    const on = toScreen(this.#camera, this.#size, at);
    const inside = on.x > 0 && on.y > 0 && on.x < this.#size.width && on.y < this.#size.height;
    if (!inside) this.#glideTo({ ...this.#camera, ...at });
  }

  #coloured(): void {
    this.#drawing?.colours(numbers(palette(this.#scheme.matches)));
    this.#map = null;
    this.#redraw();
  }

  #frame(now: number): void {
    cancelAnimationFrame(this.#due);
    this.#due = 0;
    if (!this.#drawing) return;
    if (this.#glide) {
      const { from, to, start } = this.#glide;
      const part = Math.min(1, Math.max(0, (now - start) / 220));
      const eased = part * (2 - part);
      const between = (a: number, b: number) => a + (b - a) * eased;
      this.#camera = {
        x: between(from.x, to.x),
        y: between(from.y, to.y),
        scale: from.scale * (to.scale / from.scale) ** eased,
      };
      if (part < 1) this.#redraw();
      else this.#glide = null;
    }
    this.#drawing.frame(this.#camera, this.#size, devicePixelRatio);
    this.#write();
    this.#drawMap();
  }

  #write(): void {
    const canvas = this.#canvas("labels");
    const context = canvas.getContext("2d")!;
    const colours = palette(this.#scheme.matches);
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    context.clearRect(0, 0, this.#size.width, this.#size.height);
    context.font = "12px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 3;
    context.strokeStyle = colours[GROUND]!;
    context.fillStyle = colours[TEXT]!;
    const labels = place(
      this.#graph,
      this.#state,
      this.#camera,
      this.#size,
      this.#unit,
      this.#firstLabels(),
      this.#thenLabels(),
    );
    // The best labels are written last, over the others.
    for (const label of labels.reverse()) {
      context.globalAlpha = label.faded ? 0.35 : 1;
      context.strokeText(label.text, label.x, label.y);
      context.fillText(label.text, label.x, label.y);
    }
    context.globalAlpha = 1;
    const ringed = this.#reached ?? this.#hovered;
    if (ringed !== null) {
      const at = toScreen(this.#camera, this.#size, { x: this.#graph.x[ringed]!, y: this.#graph.y[ringed]! });
      context.strokeStyle = colours[MARKED]!;
      context.lineWidth = 2;
      context.beginPath();
      context.arc(at.x, at.y, radius(this.#unit, this.#camera.scale, this.#graph.degree[ringed]!) + 5, 0, 7);
      context.stroke();
    }
  }

  *#firstLabels(): Iterable<number> {
    if (this.#reached !== null) yield this.#reached;
    if (this.#hovered !== null) yield this.#hovered;
    if (this.#marks.selected !== null) yield this.#marks.selected;
    yield* this.#marks.pathNodes;
  }

  *#thenLabels(): Iterable<number> {
    const { selected } = this.#marks;
    if (selected === null) return;
    const near = edgesOf(this.#graph, selected).subarray(0, 40);
    for (const edge of near) if (edgeShown(this.#state, edge)) yield across(this.#graph, edge, selected);
  }

  #drawMap(): void {
    const canvas = this.#canvas("map");
    const density = canvas.width / MINIMAP.width;
    const context = canvas.getContext("2d")!;
    const inner = { width: canvas.width, height: canvas.height };
    if (!this.#map) {
      const all = this.#bounds();
      if (!all) return context.clearRect(0, 0, canvas.width, canvas.height);
      const image = context.createImageData(canvas.width, canvas.height);
      const camera = fit(all, inner, 8);
      const colours = numbers(palette(this.#scheme.matches));
      for (let node = 0; node < this.#graph.nodes; node += 1) {
        if (!nodeShown(this.#state, node)) continue;
        const at = toScreen(camera, inner, { x: this.#graph.x[node]!, y: this.#graph.y[node]! });
        const texel = (Math.round(at.y) * canvas.width + Math.round(at.x)) * 4;
        const colour = this.#state.nodes[node * 4]! * 3;
        for (let part = 0; part < 3; part += 1) image.data[texel + part] = colours[colour + part]! * 255;
        image.data[texel + 3] = 255;
      }
      this.#map = { image, bounds: all };
    }
    context.putImageData(this.#map.image, 0, 0);
    const camera = fit(this.#map.bounds, inner, 8);
    const view = seen(this.#camera, this.#size);
    const from = toScreen(camera, inner, { x: view.left, y: view.top });
    const to = toScreen(camera, inner, { x: view.right, y: view.bottom });
    context.strokeStyle = palette(this.#scheme.matches)[MARKED]!;
    context.lineWidth = 1.5 * density;
    context.strokeRect(from.x, from.y, to.x - from.x, to.y - from.y);
  }

  readonly #jump = (event: PointerEvent): void => {
    const canvas = this.#canvas("map");
    if (!this.#map) return;
    const density = canvas.width / MINIMAP.width;
    const inner = { width: canvas.width, height: canvas.height };
    const at = { x: event.offsetX * density, y: event.offsetY * density };
    this.#look({ ...this.#camera, ...toGraph(fit(this.#map.bounds, inner, 8), inner, at) });
  };

  // What lies under the pointer.

  #spot(event: MouseEvent): Spot {
    const at = { x: event.offsetX, y: event.offsetY };
    const { scale } = this.#camera;
    const point = toGraph(this.#camera, this.#size, at);
    // A few pixels more than is drawn, so that small nodes can be hit.
    const reach = (node: number) =>
      nodeShown(this.#state, node) ? (radius(this.#unit, scale, this.#graph.degree[node]!) + 3) / scale : -1;
    const node = this.#grids().nodes.at(point, 37 / scale, reach);
    return { node, edge: node === null ? this.#edgeAt(point) : null, at };
  }

  #grids(): { nodes: NodeGrid; edges: EdgeGrid } {
    const { x, y, from, to } = this.#graph;
    return (this.#found ??= { nodes: new NodeGrid(x, y), edges: new EdgeGrid(x, y, from, to) });
  }

  #edgeAt(point: Point): number | null {
    const { scale } = this.#camera;
    const lane = (this.#lanes ??= lanes(this.#graph));
    const aside = (edge: number) => (edgeShown(this.#state, edge) ? (lane[edge]! * LANE) / scale : null);
    return this.#grids().edges.at(point, 5 / scale, aside, (3 * LANE) / scale);
  }

  #hover(event: MouseEvent | null): void {
    const spot = event ? this.#spot(event) : { node: null, edge: null, at: { x: 0, y: 0 } };
    if (spot.node !== this.#hovered) {
      this.#hovered = spot.node;
      this.#redraw();
    }
    this.#canvas("labels").classList.toggle("pointing", spot.node !== null || spot.edge !== null);
    this.#tell("hover", spot);
  }

  readonly #down = (event: PointerEvent): void => {
    this.#isFitted = false;
    if (event.button !== 0) return;
    const canvas = this.#canvas("labels");
    canvas.setPointerCapture(event.pointerId);
    const at = { x: event.offsetX, y: event.offsetY };
    this.#pointers.set(event.pointerId, at);
    this.#reach(null);
    clearTimeout(this.#press);
    if (this.#pointers.size === 1) {
      const spot = this.#spot(event);
      this.#grip = { start: at, node: spot.node, moved: false, spread: 0 };
      if (event.pointerType === "touch") {
        this.#press = setTimeout(() => {
          this.#grip = null;
          this.#tell("menu", spot);
        }, LONG_PRESS_MS);
      }
    } else if (this.#pointers.size === 2) {
      const [a, b] = [...this.#pointers.values()] as [Point, Point];
      this.#grip = { start: at, node: null, moved: true, spread: Math.hypot(a.x - b.x, a.y - b.y) };
    }
  };

  readonly #move = (event: PointerEvent): void => {
    const before = this.#pointers.get(event.pointerId);
    if (!before) {
      if (event.pointerType !== "touch") this.#hover(event);
      return;
    }
    const at = { x: event.offsetX, y: event.offsetY };
    if (!this.#grip) return;
    if (!this.#grip.moved && Math.hypot(at.x - this.#grip.start.x, at.y - this.#grip.start.y) < STILL) return;
    clearTimeout(this.#press);
    this.#grip.moved = true;
    const middle = () => {
      const all = [...this.#pointers.values()];
      return {
        x: all.reduce((sum, one) => sum + one.x, 0) / all.length,
        y: all.reduce((sum, one) => sum + one.y, 0) / all.length,
      };
    };
    const from = middle();
    this.#pointers.set(event.pointerId, at);
    if (this.#grip.node !== null) {
      const { x, y } = toGraph(this.#camera, this.#size, at);
      this.#graph.x[this.#grip.node] = x;
      this.#graph.y[this.#grip.node] = y;
      this.#drawing?.move(this.#grip.node, x, y);
      this.#redraw();
      return;
    }
    const to = middle();
    let camera = pan(this.#camera, to.x - from.x, to.y - from.y);
    if (this.#pointers.size === 2) {
      const [a, b] = [...this.#pointers.values()] as [Point, Point];
      const spread = Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
      if (this.#grip.spread > 0)
        camera = zoomAt(camera, this.#size, to, spread / this.#grip.spread, this.#limits());
      this.#grip.spread = spread;
    }
    this.#look(camera);
  };

  readonly #up = (event: PointerEvent): void => {
    const grip = this.#grip;
    this.#cancel(event);
    if (!grip) return;
    if (!grip.moved) this.#tell("choose", this.#spot(event));
    else if (grip.node !== null) {
      this.#found = this.#map = null;
      this.#tell("moved", { node: grip.node });
      this.#redraw();
    }
  };

  readonly #cancel = (event: PointerEvent): void => {
    this.#pointers.delete(event.pointerId);
    clearTimeout(this.#press);
    // The finger that is left goes on moving the picture.
    const rest = this.#pointers.values().next().value;
    this.#grip = rest ? { start: rest, node: null, moved: true, spread: 0 } : null;
  };

  readonly #wheel = (event: WheelEvent): void => {
    event.preventDefault();
    // A wheel tells lines or pixels; a pinch on a touch pad comes as a wheel with Ctrl and small numbers.
    const step = event.deltaY * (event.deltaMode === 1 ? 18 : 1) * (event.ctrlKey ? 8 : 1);
    const factor = Math.exp(-Math.max(-240, Math.min(240, step)) * 0.0016);
    this.zoom(factor, { x: event.offsetX, y: event.offsetY });
  };

  readonly #double = (event: MouseEvent): void => {
    const spot = this.#spot(event);
    if (spot.node !== null) this.#tell("open", spot);
    else this.zoom(2, spot.at);
  };

  readonly #context = (event: MouseEvent): void => {
    event.preventDefault();
    // Touch has its own long press.
    if (!(event instanceof PointerEvent && event.pointerType === "touch"))
      this.#tell("menu", this.#spot(event));
  };

  // Keys.

  readonly #key = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = 70;
    const moves: Record<string, [number, number]> = {
      ArrowLeft: [step, 0],
      ArrowRight: [-step, 0],
      ArrowUp: [0, step],
      ArrowDown: [0, -step],
    };
    const move = moves[event.key];
    if (move) this.#look(pan(this.#camera, ...move));
    else if (event.key === "+" || event.key === "=") this.zoom(1.25);
    else if (event.key === "-") this.zoom(0.8);
    else if (event.key === "0") this.fit();
    else if (event.key === "Tab") {
      if (!this.#next(event.shiftKey ? -1 : 1)) return;
    } else if (event.key === "Escape" && this.#reached !== null) this.#reach(null);
    else {
      const node = this.#reached ?? this.#marks.selected;
      if (node === null) return;
      const spot = {
        node,
        edge: null,
        at: toScreen(this.#camera, this.#size, { x: this.#graph.x[node]!, y: this.#graph.y[node]! }),
      };
      if (event.key === "Enter" || event.key === " ") this.#tell("choose", spot);
      else if (event.key === "e") this.#tell("open", spot);
      else if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey))
        this.#tell("menu", spot);
      else return;
    }
    event.preventDefault();
  };

  /** Goes to the next of the best connected nodes that are seen; `false` at the end, where the key leaves. */
  #next(step: number): boolean {
    const stops: number[] = [];
    const view = seen(this.#camera, this.#size);
    for (const node of byDegree(this.#graph)) {
      const [x, y] = [this.#graph.x[node]!, this.#graph.y[node]!];
      const inside = x >= view.left && x <= view.right && y >= view.top && y <= view.bottom;
      if (inside && nodeShown(this.#state, node) && stops.push(node) === STOPS) break;
    }
    const now = this.#reached === null ? -1 : stops.indexOf(this.#reached);
    const at = now < 0 ? (step > 0 ? 0 : -1) : now + step;
    const node = stops[at];
    this.#reach(node ?? null);
    if (node === undefined) return false;
    this.#tell("reached", { node, place: at + 1, of: stops.length });
    return true;
  }

  #reach(node: number | null): void {
    if (node === this.#reached) return;
    this.#reached = node;
    this.#redraw();
  }
}

customElements.define("griot-picture", Picture);
export type { Picture };

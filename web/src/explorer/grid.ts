// Which node or edge is under the pointer, by a uniform grid: a lookup touches the few cells around it.

import { bounds, type Bounds, type Point } from "./camera.js";

/** Lists of items by cell: those of cell `c` are `items[start[c]..start[c + 1]]`. */
class Cells {
  readonly #box: Bounds;
  readonly #size: number;
  readonly #columns: number;
  readonly #rows: number;
  #start: Uint32Array;
  #items = new Uint32Array();

  constructor(box: Bounds, cells: number) {
    this.#box = box;
    const [width, height] = [Math.max(box.right - box.left, 1e-6), Math.max(box.bottom - box.top, 1e-6)];
    // A picture that is one thin line would otherwise get more columns than cells were asked for.
    this.#size = Math.max(Math.sqrt((width * height) / cells), Math.max(width, height) / cells);
    this.#columns = Math.floor(width / this.#size) + 1;
    this.#rows = Math.floor(height / this.#size) + 1;
    this.#start = new Uint32Array(this.#columns * this.#rows + 1);
  }

  /** `visit` calls its argument for each cell of each item; it runs twice, to count and to fill. */
  fill(visit: (put: (cell: number, item: number) => void) => void): void {
    visit((cell) => (this.#start[cell + 1]! += 1));
    for (let cell = 1; cell < this.#start.length; cell += 1) this.#start[cell]! += this.#start[cell - 1]!;
    const next = this.#start.slice();
    this.#items = new Uint32Array(this.#start.at(-1)!);
    visit((cell, item) => (this.#items[next[cell]!++] = item));
  }

  column(x: number): number {
    return Math.min(this.#columns - 1, Math.max(0, Math.floor((x - this.#box.left) / this.#size)));
  }

  row(y: number): number {
    return Math.min(this.#rows - 1, Math.max(0, Math.floor((y - this.#box.top) / this.#size)));
  }

  cell(column: number, row: number): number {
    return row * this.#columns + column;
  }

  /** Calls `see` with each item of the cells within `reach` of a point; an item may come more than once. */
  near(at: Point, reach: number, see: (item: number) => void): void {
    for (let row = this.row(at.y - reach); row <= this.row(at.y + reach); row += 1) {
      for (let column = this.column(at.x - reach); column <= this.column(at.x + reach); column += 1) {
        const cell = this.cell(column, row);
        for (let item = this.#start[cell]!; item < this.#start[cell + 1]!; item += 1) see(this.#items[item]!);
      }
    }
  }

  /** Calls `see` with each cell that a line passes, and perhaps some beside it. */
  along(ax: number, ay: number, bx: number, by: number, see: (cell: number) => void): void {
    if (ay > by) return this.along(bx, by, ax, ay, see);
    const first = this.row(ay);
    const last = this.row(by);
    const slope = first === last ? 0 : (bx - ax) / (by - ay);
    for (let row = first; row <= last; row += 1) {
      const top = this.#box.top + row * this.#size;
      // Where the line enters the row and leaves it.
      const enters = row === first ? ax : ax + (top - ay) * slope;
      const leaves = row === last ? bx : ax + (top + this.#size - ay) * slope;
      const end = this.cell(this.column(Math.max(enters, leaves)), row);
      for (let cell = this.cell(this.column(Math.min(enters, leaves)), row); cell <= end; cell += 1)
        see(cell);
    }
  }
}

export class NodeGrid {
  readonly #x: Float32Array;
  readonly #y: Float32Array;
  readonly #cells: Cells | null;

  constructor(x: Float32Array, y: Float32Array) {
    this.#x = x;
    this.#y = y;
    const box = bounds(x, y);
    this.#cells = box && new Cells(box, Math.max(1, x.length));
    this.#cells?.fill((put) => {
      const cells = this.#cells!;
      for (let node = 0; node < x.length; node += 1)
        put(cells.cell(cells.column(x[node]!), cells.row(y[node]!)), node);
    });
  }

  /** The nearest node whose disc holds the point; `radius` is negative for a node that is not shown. */
  at(point: Point, widest: number, radius: (node: number) => number): number | null {
    let best: number | null = null;
    let closest = Infinity;
    this.#cells?.near(point, widest, (node) => {
      const distance = Math.hypot(this.#x[node]! - point.x, this.#y[node]! - point.y);
      if (distance < closest && distance <= radius(node)) [best, closest] = [node, distance];
    });
    return best;
  }
}

export class EdgeGrid {
  readonly #line: (edge: number) => [Point, Point];
  readonly #cells: Cells | null;

  constructor(x: Float32Array, y: Float32Array, from: Uint32Array, to: Uint32Array) {
    this.#line = (edge) => {
      const [a, b] = [from[edge]!, to[edge]!];
      return [
        { x: x[a]!, y: y[a]! },
        { x: x[b]!, y: y[b]! },
      ];
    };
    const box = bounds(x, y);
    // An edge lies in many cells, so that there are fewer of them than for nodes.
    this.#cells = box && new Cells(box, Math.min(4096, Math.max(1, from.length)));
    this.#cells?.fill((put) => {
      for (let edge = 0; edge < from.length; edge += 1) {
        const [a, b] = [from[edge]!, to[edge]!];
        this.#cells!.along(x[a]!, y[a]!, x[b]!, y[b]!, (cell) => put(cell, edge));
      }
    });
  }

  /**
   * The edge nearest to the point and within `reach`. `aside` tells how far an edge is drawn beside the line
   * between its ends, to the right as seen from its start; `null` for an edge that is not shown.
   */
  at(point: Point, reach: number, aside: (edge: number) => number | null, widest: number): number | null {
    let best: number | null = null;
    let closest = reach;
    this.#cells?.near(point, reach + widest, (edge) => {
      const away = aside(edge);
      if (away === null) return;
      const distance = Math.abs(distanceTo(point, ...this.#line(edge), away));
      if (distance < closest) [best, closest] = [edge, distance];
    });
    return best;
  }
}

/** The distance of a point to a line between two others, moved aside by `aside`. */
export function distanceTo(point: Point, a: Point, b: Point, aside = 0): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = Math.hypot(dx, dy);
  if (length === 0) return Math.hypot(point.x - a.x, point.y - a.y);
  const [nx, ny] = [(-dy / length) * aside, (dx / length) * aside];
  const along = ((point.x - a.x - nx) * dx + (point.y - a.y - ny) * dy) / (length * length);
  const part = Math.min(1, Math.max(0, along));
  return Math.hypot(point.x - a.x - nx - dx * part, point.y - a.y - ny - dy * part);
}

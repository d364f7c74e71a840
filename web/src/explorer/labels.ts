// Which nodes get their name written beside them: the best connected that are seen, where there is room.

import { unmarked } from "../parts/text.js";
import type { Camera, Size } from "./camera.js";
import { radius } from "./draw.js";
import { byDegree, type Graph } from "./graph.js";
import { FADED, nodeShown, type Shade } from "./shade.js";

export interface Label {
  node: number;
  x: number;
  y: number;
  text: string;
  faded: boolean;
}

const MOST = 300;
const LONGEST = 32;
/** Pixels of a cell in which at most one label may lie; a label takes two rows. */
const CELL = { width: 12, height: 10 };
/** Pixels between nodes from which on memories are written out; before, their texts would hide all else. */
const MEMORIES_FROM = 70;

export function shorten(text: string, most = LONGEST): string {
  const letters = [...text.slice(0, most * 4)];
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : text;
}

/** About how many pixels a text of 12 pixels takes: to measure each would take longer than to draw it. */
export function width(text: string): number {
  let pixels = 0;
  // From the scripts of East Asia on, a letter is as wide as it is high.
  for (let at = 0; at < text.length; at += 1) pixels += text.charCodeAt(at) < 0x2e80 ? 6.4 : 12;
  return pixels;
}

const written = new WeakMap<Graph, { text: string; width: number }[]>();

function label(graph: Graph, node: number): { text: string; width: number } {
  let labels = written.get(graph);
  if (!labels) written.set(graph, (labels = []));
  const known = labels[node];
  if (known) return known;
  const text = shorten(unmarked(graph.labels.at(node)));
  return (labels[node] = { text, width: width(text) });
}

/** `first` are written whatever lies below, `then` before all others where there is room. */
export function place(
  graph: Graph,
  state: Shade,
  camera: Camera,
  size: Size,
  unit: number,
  first: Iterable<number>,
  then: Iterable<number>,
): Label[] {
  const columns = Math.ceil(size.width / CELL.width) + 1;
  const rows = Math.ceil(size.height / CELL.height) + 1;
  const taken = new Uint8Array(columns * rows);
  const labels: Label[] = [];
  const put = (node: number, forced: boolean): void => {
    // Numbers instead of points: this runs for each node of each frame.
    const x = (graph.x[node]! - camera.x) * camera.scale + size.width / 2;
    const middleY = (graph.y[node]! - camera.y) * camera.scale + size.height / 2;
    if (x < 0 || middleY < 0 || x > size.width || middleY > size.height) return;
    const faded = (state.nodes[node * 4 + 1]! & FADED) !== 0;
    const y = middleY + radius(unit, camera.scale, graph.degree[node]!) + 11;
    const row = Math.floor((y - 7) / CELL.height);
    const middle = Math.floor(x / CELL.width);
    if (row < 0 || row + 1 >= rows) return;
    const free = (column: number) =>
      (taken[row * columns + column]! | taken[(row + 1) * columns + column]!) === 0;
    if (!forced && !free(middle)) return;
    const { text, width } = label(graph, node);
    if (text === "") return;
    const half = width / 2 + 3;
    const left = Math.max(0, Math.floor((x - half) / CELL.width));
    const right = Math.min(columns - 1, Math.floor((x + half) / CELL.width));
    if (!forced) for (let column = left; column <= right; column += 1) if (!free(column)) return;
    for (const one of [row, row + 1]) taken.fill(1, one * columns + left, one * columns + right + 1);
    labels.push({ node, x, y, text, faded });
  };
  const done = new Set<number>();
  for (const [nodes, forced] of [
    [first, true],
    [then, false],
  ] as const) {
    for (const node of nodes) {
      if (labels.length >= MOST || done.has(node) || !nodeShown(state, node)) continue;
      done.add(node);
      put(node, forced);
    }
  }
  const memory = unit * camera.scale < MEMORIES_FROM ? graph.head.types.indexOf("memory") : -1;
  for (const node of byDegree(graph)) {
    if (labels.length >= MOST) break;
    if (graph.type[node] !== memory && !done.has(node) && nodeShown(state, node)) put(node, false);
  }
  return labels;
}

import { expect, test } from "vitest";
import { distanceTo, EdgeGrid, NodeGrid } from "../src/explorer/grid.js";
import { random } from "./made.js";

function scattered(count: number, seed: number): [Float32Array, Float32Array] {
  const next = random(seed);
  return [
    Float32Array.from({ length: count }, () => next() * 1000),
    Float32Array.from({ length: count }, () => next() * 300),
  ];
}

test("the node under a point is the one that a look at all of them finds", () => {
  const [x, y] = scattered(500, 1);
  const grid = new NodeGrid(x, y);
  const next = random(2);
  for (let round = 0; round < 300; round += 1) {
    const point = { x: next() * 1100 - 50, y: next() * 400 - 50 };
    // Every fifth is hidden, and sizes differ.
    const radius = (node: number) => (node % 5 === 0 ? -1 : 5 + (node % 30));
    let best: number | null = null;
    let closest = Infinity;
    for (let node = 0; node < 500; node += 1) {
      const distance = Math.hypot(x[node]! - point.x, y[node]! - point.y);
      if (distance <= radius(node) && distance < closest) [best, closest] = [node, distance];
    }
    expect(grid.at(point, 35, radius)).toBe(best);
  }
});

test("the edge near a point is the one that a look at all of them finds", () => {
  const [x, y] = scattered(120, 3);
  const next = random(4);
  const end = () => Uint32Array.from({ length: 200 }, () => Math.floor(next() * 120));
  const [from, to] = [end(), end()];
  const grid = new EdgeGrid(x, y, from, to);
  const aside = (edge: number) => (edge % 7 === 0 ? null : (edge % 3) * 2 - 2);
  for (let round = 0; round < 400; round += 1) {
    const point = { x: next() * 1000, y: next() * 300 };
    let closest = 6;
    let found = false;
    for (let edge = 0; edge < 200; edge += 1) {
      const away = aside(edge);
      if (away === null) continue;
      const [a, b] = [from[edge]!, to[edge]!];
      const distance = distanceTo(point, { x: x[a]!, y: y[a]! }, { x: x[b]!, y: y[b]! }, away);
      if (distance < closest) [closest, found] = [distance, true];
    }
    const edge = grid.at(point, 6, aside, 2);
    expect(edge !== null).toBe(found);
    if (edge === null) continue;
    const [a, b] = [from[edge]!, to[edge]!];
    const distance = distanceTo(point, { x: x[a]!, y: y[a]! }, { x: x[b]!, y: y[b]! }, aside(edge)!);
    expect(distance).toBeCloseTo(closest, 6);
  }
});

test("nothing, one node, and nodes on one line are no special case", () => {
  const none = new Float32Array();
  expect(new NodeGrid(none, none).at({ x: 0, y: 0 }, 10, () => 10)).toBeNull();
  expect(
    new EdgeGrid(none, none, new Uint32Array(), new Uint32Array()).at({ x: 0, y: 0 }, 10, () => 0, 0),
  ).toBeNull();
  expect(new NodeGrid(Float32Array.of(7), Float32Array.of(7)).at({ x: 8, y: 7 }, 5, () => 5)).toBe(0);
  const x = Float32Array.from({ length: 10_000 }, (_, at) => at * 10);
  const line = new NodeGrid(x, new Float32Array(10_000));
  expect(line.at({ x: 50_001, y: 1 }, 4, () => 4)).toBe(5000);
});

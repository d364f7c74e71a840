import { expect, test } from "vitest";
import { compose, ofHops, settled } from "../src/explorer/compose.js";
import { decode, edgeKey, find, type Graph } from "../src/explorer/graph.js";
import type { Hop, NodeRef } from "../../sdk/typescript/src/types.js";
import { communities, encode } from "./made.js";

const nowhere = () => undefined;
const base = decode(
  encode(
    [
      { handle: "a", x: 0, y: 0 },
      { handle: "b", type: "tool", x: 100, y: 0 },
    ],
    [{ from: 0, to: 1, handle: "e1" }],
  ),
);
const ego = decode(
  encode(
    [
      { handle: "b", type: "tool", x: 5, y: 5 },
      { handle: "c", type: "person", x: 6, y: 5, source: 0 },
      { handle: "d", type: "org", x: 5, y: 9 },
      { handle: "a", x: 0, y: 0 },
    ],
    [
      { from: 0, to: 1, handle: "e2", kind: "causal" },
      { from: 0, to: 2, handle: "e3" },
      { from: 3, to: 0, handle: "e1" },
    ],
    { sources: [{ handle: "s9", name: "nine" }] },
  ),
);
const handles = (graph: Graph) => Array.from({ length: graph.nodes }, (_, at) => graph.handles.at(at));
const keys = (graph: Graph) => Array.from({ length: graph.edges }, (_, at) => edgeKey(graph, at));

test("an expansion adds what is new and moves nothing", () => {
  const both = compose(base, [{ anchor: "b", graph: ego }], nowhere);
  expect(handles(both)).toEqual(["a", "b", "c", "d"]);
  expect(keys(both)).toEqual(["e1", "e2", "e3"]);
  expect([...both.x.slice(0, 2), ...both.y.slice(0, 2)]).toEqual([0, 100, 0, 0]);
  const c = find(both, "c")!;
  expect(both.head.types[both.type[c]!]).toBe("person");
  expect(both.head.sources[both.source[c]!]).toEqual({ handle: "s9", name: "nine" });
  const edge = keys(both).indexOf("e2");
  expect([both.from[edge], both.to[edge]]).toEqual([1, c]);
  expect(both.head.kinds[both.kind[edge]!]).toBe("causal");
  expect(both.head.families[both.kind[edge]!]).toBe("causal");
  // New nodes come around the one that was expanded, in the directions that the answer gave them.
  expect(both.x[c]!).toBeGreaterThan(100);
  expect(both.y[c]!).toBeCloseTo(0);
  expect(both.x[find(both, "d")!]!).toBeCloseTo(100);
});

test("collapsing gives the picture without it, and what it led to goes as well", () => {
  const further = decode(
    encode([{ handle: "c", type: "person" }, { handle: "z" }], [{ from: 0, to: 1, handle: "e7" }]),
  );
  const all = [
    { anchor: "b", graph: ego },
    { anchor: "c", graph: further },
  ];
  expect(handles(compose(base, all, nowhere))).toEqual(["a", "b", "c", "d", "z"]);
  const less = compose(base, all.slice(1), nowhere);
  expect(handles(less)).toEqual(["a", "b"]);
  expect(keys(less)).toEqual(["e1"]);
  const none = compose(base, [], nowhere);
  expect([...none.x]).toEqual([...base.x]);
});

test("nodes come back to their places", () => {
  const placed = (handle: string) => ({ c: { x: 7, y: 8 }, a: { x: -1, y: -2 } })[handle];
  const both = compose(base, [{ anchor: "b", graph: ego }], placed);
  const at = (handle: string) => [both.x[find(both, handle)!], both.y[find(both, handle)!]];
  expect([at("c"), at("a")]).toEqual([
    [7, 8],
    [-1, -2],
  ]);
  expect([...base.x]).toEqual([0, 100]);
});

test("a hundred expansions leave nothing behind", () => {
  const large = decode(communities(500, 1500, 5));
  const sizes = Array.from({ length: 100 }, () => {
    compose(large, [{ anchor: large.handles.at(3), graph: ego }], nowhere);
    return compose(large, [], nowhere).nodes;
  });
  expect(new Set(sizes)).toEqual(new Set([500]));
});

test("a picture that is loaded again keeps places, and puts what is new beside its neighbours", () => {
  const again = decode(
    encode(
      [
        { handle: "n", x: 9999, y: 9999 },
        { handle: "b", type: "tool", x: 5000, y: 0 },
        { handle: "q", x: 3, y: 4 },
      ],
      [{ from: 0, to: 1 }],
    ),
  );
  const place = settled(again, base);
  expect(place("b")).toEqual({ x: 100, y: 0 });
  expect(place("q")).toBeUndefined();
  expect(Math.hypot(place("n")!.x - 100, place("n")!.y)).toBeLessThan(100);
});

test("a path becomes a row of nodes; an edge walked backwards keeps its direction", () => {
  const node = (id: string, memory = false): NodeRef => ({
    type: memory ? "memory" : "entity",
    id: memory ? "0190-uuid" : id,
    name: memory ? "#abc" : id,
    entity_type: memory ? null : "tool",
    excerpt: memory ? "It was said" : null,
    occurred_at: null,
    layer: "knowledge",
  });
  const hop = (from: NodeRef, to: NodeRef, forward: boolean, edge: string | null): Hop => ({
    from,
    to,
    kind: "mentions",
    label: "",
    reads: "mentions",
    family: "entity",
    forward,
    weight: 1,
    confidence: 0.5,
    provenance: "rule",
    hours: null,
    expires_at: null,
    edge,
    evidence: [],
  });
  const memory = node("", true);
  const graph = ofHops([hop(node("tool:x"), memory, false, "e5"), hop(memory, node("tool:y"), true, null)]);
  expect(handles(graph)).toEqual(["tool:x", "#abc", "tool:y"]);
  expect([...graph.from, ...graph.to]).toEqual([1, 1, 0, 2]);
  expect(keys(graph)).toEqual(["e5", "#abc→tool:y:mentions"]);
  expect(graph.labels.at(1)).toBe("It was said");
  const beside = compose(base, [{ anchor: null, graph }], nowhere);
  expect(beside.nodes).toBe(5);
  expect(Math.min(...beside.x.slice(2))).toBeGreaterThan(100);
});

import { expect, test } from "vitest";
import { decode } from "../src/explorer/graph.js";
import {
  ALL,
  DASHED,
  edgeShown,
  FADED,
  HIDDEN,
  legend,
  nodeShown,
  ON_PATH,
  SELECTED,
  shade,
  UNMARKED,
  type Filters,
} from "../src/explorer/shade.js";
import { encode } from "./made.js";

const graph = decode(
  encode(
    [
      { handle: "#a", time: 100, source: 0, community: 0 },
      { handle: "person:p", type: "person", time: 200, community: 0 },
      { handle: "file:f", type: "file", source: 1, community: 1 },
      { handle: "event:e", type: "event" },
    ],
    [
      { from: 0, to: 1, kind: "mentions", weight: 0.9, confidence: 0.1, flags: 1 },
      { from: 0, to: 2, kind: "semantic", weight: 0.2, confidence: 0.8, from_time: 50, until_time: 60 },
      { from: 1, to: 2, kind: "relation:owns", weight: 0.5, confidence: 0.5, flags: 2 },
    ],
    {
      sources: [
        { handle: "s1", name: "one" },
        { handle: "s2", name: "two" },
      ],
    },
  ),
);

function shown(filters: Partial<Filters>): [number[], number[]] {
  const state = shade(graph, { ...ALL, ...filters }, UNMARKED, "type", 0.2);
  const nodes = [0, 1, 2, 3].filter((node) => nodeShown(state, node));
  const edges = [0, 1, 2].filter((edge) => edgeShown(state, edge));
  expect([state.shownNodes, state.shownEdges]).toEqual([nodes.length, edges.length]);
  return [nodes, edges];
}

test("filters leave what they say, and no edge without its ends", () => {
  expect(shown({})).toEqual([
    [0, 1, 2, 3],
    [0, 1, 2],
  ]);
  expect(shown({ without: new Set(["type:person"]) })).toEqual([[0, 2, 3], [1]]);
  expect(shown({ without: new Set(["layer:code"]) })).toEqual([[0, 1, 3], [0]]);
  expect(shown({ without: new Set(["layer:memories"]) })).toEqual([[1, 2, 3], [2]]);
  expect(shown({ without: new Set(["kind:relation:owns"]) })).toEqual([
    [0, 1, 2, 3],
    [0, 1],
  ]);
  expect(shown({ without: new Set(["family:entity"]) })).toEqual([[0, 1, 2, 3], [1]]);
  expect(shown({ without: new Set(["source:s1"]) })).toEqual([[1, 2, 3], [2]]);
  expect(shown({ without: new Set(["community:0"]) })).toEqual([[2, 3], []]);
  expect(shown({ without: new Set(["community:none"]) })).toEqual([
    [0, 1, 2],
    [0, 1, 2],
  ]);
  expect(shown({ hidden: new Set(["#a"]) })).toEqual([[1, 2, 3], [2]]);
  expect(shown({ weight: 0.5 })).toEqual([
    [0, 1, 2, 3],
    [0, 2],
  ]);
  expect(shown({ confidence: 0.6 })).toEqual([[0, 1, 2, 3], [1]]);
  expect(shown({ evidence: true })).toEqual([[0, 1, 2, 3], [0]]);
  expect(shown({ joined: true })).toEqual([
    [0, 1, 2],
    [0, 1, 2],
  ]);
  expect(shown({ joined: true, evidence: true })).toEqual([[0, 1], [0]]);
  expect(shown({ since: 150 })).toEqual([[1, 2, 3], [2]]);
  expect(shown({ until: 150 })).toEqual([[0, 2, 3], [1]]);
  expect(shown({ known: 150 })).toEqual([[0, 2, 3], [1]]);
  expect(shown({ since: 70, until: 250 })).toEqual([
    [0, 1, 2, 3],
    [0, 2],
  ]);
});

test("marks show what is selected and fade the rest", () => {
  const bits = (marks: Partial<typeof UNMARKED>) => {
    const state = shade(graph, ALL, { ...UNMARKED, ...marks }, "type", 0.2);
    return [
      [0, 1, 2, 3].map((at) => state.nodes[at * 4 + 1]),
      [0, 1, 2].map((at) => state.edges[at * 4 + 1]),
    ];
  };
  expect(bits({})).toEqual([
    [0, 0, 0, 0],
    [0, 0, DASHED],
  ]);
  expect(bits({ selected: 0 })).toEqual([
    [SELECTED, 0, 0, FADED],
    [0, 0, DASHED | FADED],
  ]);
  expect(bits({ edge: 1 })).toEqual([
    [0, FADED, 0, FADED],
    [FADED, SELECTED, DASHED | FADED],
  ]);
  expect(bits({ pathNodes: new Set([0, 1]), pathEdges: new Set([0]) })).toEqual([
    [ON_PATH, ON_PATH, FADED, FADED],
    [ON_PATH, FADED, DASHED | FADED],
  ]);
});

test("what is hidden is neither selected nor on a path", () => {
  const state = shade(graph, { ...ALL, hidden: new Set(["#a"]) }, { ...UNMARKED, selected: 0 }, "type", 0.2);
  expect(state.nodes[1]).toBe(HIDDEN);
});

test("edges below the setting are dimmed, but can be seen", () => {
  const state = shade(graph, ALL, UNMARKED, "type", 0.2);
  const strength = [0, 1, 2].map((edge) => state.edges[edge * 4 + 2]!);
  expect(strength[1]).toBe(255);
  expect(strength[0]).toBeLessThan(128);
  expect(strength[0]).toBeGreaterThan(40);
});

test("the legend counts each group", () => {
  const rows = (by: "type" | "layer" | "community") =>
    legend(graph, by).map(({ filter, count }) => [filter, count]);
  expect(rows("type")).toEqual([
    ["type:event", 1],
    ["type:file", 1],
    ["type:memory", 1],
    ["type:person", 1],
  ]);
  expect(rows("layer")).toEqual([
    ["layer:code", 1],
    ["layer:execution", 1],
    ["layer:knowledge", 1],
    ["layer:memories", 1],
  ]);
  expect(rows("community")).toEqual([
    ["community:0", 2],
    ["community:1", 1],
    ["community:none", 1],
  ]);
});

import { expect, test } from "vitest";
import { byDegree, decode, edgeKey, edgesOf, find, NONE, Texts } from "../src/explorer/graph.js";
import { communities, encode, random } from "./made.js";

const small = () =>
  encode(
    [
      {
        handle: "#aaaaaa",
        label: "Zoë said: 你好",
        x: 1.5,
        y: -2,
        community: 3,
        source: 0,
        time: 1_700_000_000.25,
      },
      { handle: "person:zoe", label: "Zoë", type: "person", x: 4, y: 5 },
      { handle: "tool:redis", label: "", type: "tool" },
    ],
    [
      { from: 0, to: 1, kind: "mentions", weight: 0.25, confidence: 0.5, flags: 5, from_time: 7 },
      { from: 1, to: 2, kind: "relation:uses", handle: "" },
    ],
    { sources: [{ handle: "s1", name: "notes.md" }], revision: 12, total_nodes: 9 },
  );

test("reads every section", () => {
  const graph = decode(small());
  expect([graph.nodes, graph.edges, graph.head.revision, graph.head.total_nodes]).toEqual([3, 2, 12, 9]);
  expect([0, 1, 2].map((node) => graph.labels.at(node))).toEqual(["Zoë said: 你好", "Zoë", ""]);
  expect([0, 1, 2].map((node) => graph.handles.at(node))).toEqual(["#aaaaaa", "person:zoe", "tool:redis"]);
  expect([...graph.x]).toEqual([1.5, 4, 0]);
  expect([...graph.y]).toEqual([-2, 5, 0]);
  expect([...graph.type].map((type) => graph.head.types[type])).toEqual(["memory", "person", "tool"]);
  expect([...graph.community]).toEqual([3, NONE, NONE]);
  expect([...graph.source]).toEqual([0, NONE, NONE]);
  expect([...graph.degree]).toEqual([1, 2, 1]);
  expect([...graph.time]).toEqual([1_700_000_000.25, NaN, NaN]);
  expect([...graph.from, ...graph.to]).toEqual([0, 1, 1, 2]);
  expect([...graph.kind].map((kind) => graph.head.kinds[kind])).toEqual(["mentions", "relation:uses"]);
  expect([...graph.weight, ...graph.confidence]).toEqual([0.25, 0.5, 0.5, 1]);
  expect([...graph.flags]).toEqual([5, 0]);
  expect([...graph.from_time, ...graph.until_time]).toEqual([7, NaN, NaN, NaN]);
  expect([edgeKey(graph, 0), edgeKey(graph, 1)]).toEqual(["e1", "person:zoe→tool:redis:relation:uses"]);
});

test("finds nodes by handle, edges by node, and the best connected", () => {
  const graph = decode(small());
  expect(find(graph, "tool:redis")).toBe(2);
  expect(find(graph, "tool:none")).toBeUndefined();
  expect([...edgesOf(graph, 1)]).toEqual([0, 1]);
  expect([...edgesOf(graph, 0)]).toEqual([0]);
  expect([...byDegree(graph)]).toEqual([1, 0, 2]);
});

test("an edge from a node to itself is listed once", () => {
  const graph = decode(encode([{ handle: "a" }], [{ from: 0, to: 0 }]));
  expect([...edgesOf(graph, 0)]).toEqual([0]);
});

test("an empty graph is a graph", () => {
  const graph = decode(encode([], []));
  expect([graph.nodes, graph.edges, byDegree(graph).length]).toEqual([0, 0, 0]);
});

test("texts of ASCII alone are cut the same way as others", () => {
  const texts = ["one", "", "three"];
  const packed = (all: string[]) => {
    const parts = all.map((text) => new TextEncoder().encode(text));
    let end = 0;
    const ends = Uint32Array.from(parts, (part) => (end += part.length));
    return new Texts(new TextEncoder().encode(all.join("")), ends);
  };
  for (const all of [texts, [...texts, "fünf"]]) {
    const read = packed(all).and(["more", "☃"]);
    expect(Array.from({ length: read.length + 1 }, (_, at) => read.at(at))).toEqual([
      ...all,
      "more",
      "☃",
      "",
    ]);
  }
});

test("says what is wrong with bytes that are no graph", () => {
  expect(() => decode(new ArrayBuffer(0))).toThrow("GRIOTG01");
  expect(() => decode(new TextEncoder().encode("GRIOTG02 and more").buffer as ArrayBuffer)).toThrow(
    "GRIOTG01",
  );
  const whole = small();
  const wrong = (nodes: Parameters<typeof encode>[0], edges: Parameters<typeof encode>[1]) => () =>
    decode(encode(nodes, edges));
  expect(wrong([{ handle: "a" }], [{ from: 0, to: 1 }])).toThrow("joins a node that is not there");
  expect(wrong([{ handle: "a", x: NaN }], [])).toThrow("has no place");
  expect(() => decode(whole.slice(0, whole.byteLength - 1))).toThrow("could not read the graph");
});

test("any cut or changed byte is refused or read, and never ends in anything else", () => {
  const whole = small();
  const next = random(3);
  for (let round = 0; round < 400; round += 1) {
    const bytes = new Uint8Array(
      whole.slice(0, round % 2 === 0 ? whole.byteLength : Math.floor(next() * whole.byteLength)),
    );
    if (bytes.length > 0) bytes[Math.floor(next() * bytes.length)]! ^= 1 << Math.floor(next() * 8);
    try {
      decode(bytes.buffer);
    } catch (failure) {
      expect(failure).toBeInstanceOf(Error);
    }
  }
});

test("the generated graph has the size of the figures", () => {
  const graph = decode(communities());
  expect([graph.nodes, graph.edges, graph.head.communities.length]).toEqual([20_000, 60_000, 60]);
});

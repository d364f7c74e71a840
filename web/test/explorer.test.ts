import { expect, test } from "vitest";
import { lanes } from "../src/explorer/draw.js";
import { decode } from "../src/explorer/graph.js";
import { place, shorten, width } from "../src/explorer/labels.js";
import { pieces } from "../src/explorer/marked.js";
import { numbers, palette } from "../src/explorer/palette.js";
import { ALL, GROUND, shade, UNMARKED } from "../src/explorer/shade.js";
import { read, request, writePin } from "../src/explorer/view.js";
import { communities, encode } from "./made.js";

test("marked pieces are the text again", () => {
  const text = "Redis was slow; redis\n  cluster was not. Predis is another.";
  const found = pieces(text, ["redis", "Redis Cluster", "", "."]);
  expect(found.map((one) => one.text).join("")).toBe(text);
  expect(found.filter((one) => one.marked).map((one) => one.text)).toEqual(["Redis", "redis\n  cluster"]);
  expect(pieces("a (b) c", ["(b)"]).filter((one) => one.marked)).toEqual([{ text: "(b)", marked: true }]);
  expect(pieces("", ["x"])).toEqual([]);
  expect(pieces("<b>bold</b>", ["bold"]).map((one) => one.text)).toEqual(["<b>", "bold", "</b>"]);
});

test("the address is read as it was written, and nonsense is the default", () => {
  const pin = writePin("concept:a,b&c", { x: -1.24, y: 30 });
  const view = read(
    new URLSearchParams([
      ["pin", pin],
      ["around", "tool:redis"],
      ["depth", "3"],
      ["no", "type:date"],
    ]),
  );
  expect([...view.pinned]).toEqual([["concept:a,b&c", { x: -1.2, y: 30 }]]);
  expect([view.around, view.depth, [...view.filters.without]]).toEqual([["tool:redis"], 3, ["type:date"]]);
  const odd = read(
    new URLSearchParams("depth=99&weight=-3&confidence=x&since=never&pin=1,2&colour=pink&community=x"),
  );
  expect([odd.depth, odd.filters.weight, odd.filters.confidence, odd.filters.since]).toEqual([4, 0, 0, null]);
  expect([odd.pinned.size, odd.colouring, odd.community]).toEqual([0, "type", null]);
});

test("the view becomes a question to the server", () => {
  const asked = (query: string, communities = false) =>
    request(read(new URLSearchParams(query)), communities);
  expect(asked("")).toBe("/v1/graph");
  expect(asked("", true)).toBe("/v1/graph?communities=true");
  expect(asked("around=%23a1&around=tool%3Ax&depth=2&as_of=2026-01-02&no=type%3Adate")).toBe(
    "/v1/graph?around=%23a1&around=tool%3Ax&depth=2&as_of=2026-01-02",
  );
  expect(asked("source=s4")).toBe("/v1/graph?source=s4");
  expect(asked("community=0")).toBe("/v1/graph?community=0");
});

test("parallel edges lie side by side, whichever way they point", () => {
  const edges = [
    [0, 1],
    [1, 0],
    [0, 1],
    [1, 2],
  ].map(([from, to]) => ({ from: from!, to: to! }));
  const graph = decode(encode([{ handle: "a" }, { handle: "b" }, { handle: "c" }], edges));
  // The second is seen from its own start, where its right is the other's left.
  expect([...lanes(graph)]).toEqual([0, -1, -1, 0]);
});

test("labels do not lie on each other, and are at most 300", () => {
  const graph = decode(communities(5000, 10_000, 10));
  const state = shade(graph, ALL, UNMARKED, "type", 0.2);
  const size = { width: 2400, height: 1600 };
  const labels = place(graph, state, { x: 0, y: 0, scale: 0.15 }, size, 100, [], []);
  expect(labels.length).toBeGreaterThan(50);
  expect(labels.length).toBeLessThanOrEqual(300);
  labels.forEach((one, at) =>
    labels.slice(at + 1).forEach((other) => {
      const wide = (width(one.text) + width(other.text)) / 2;
      expect(Math.abs(one.x - other.x) >= wide || Math.abs(one.y - other.y) >= 10).toBe(true);
    }),
  );
});

test("long names are cut at whole letters", () => {
  expect(shorten("😀".repeat(10_000), 4)).toBe("😀😀😀…");
  expect(shorten("short")).toBe("short");
});

test("every colour can be told from the ground in both schemes", () => {
  for (const dark of [false, true]) {
    const values = numbers(palette(dark));
    const light = (at: number) =>
      [0.2126, 0.7152, 0.0722].reduce((sum, share, part) => {
        const value = values[at * 3 + part]!;
        return sum + share * (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
      }, 0);
    for (let at = 0; at < GROUND; at += 1) {
      const [high, low] = [Math.max(light(at), light(GROUND)), Math.min(light(at), light(GROUND))];
      expect((high + 0.05) / (low + 0.05)).toBeGreaterThanOrEqual(3);
    }
  }
});

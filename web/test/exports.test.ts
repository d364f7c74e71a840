import { expect, test } from "vitest";
import { seenOf, toCsv, toGraphml, toJson, xml } from "../src/explorer/exports.js";
import { decode } from "../src/explorer/graph.js";
import { ALL, shade, UNMARKED } from "../src/explorer/shade.js";
import { encode } from "./made.js";

const nasty = `=1+1,"<script>"&\n\u0007'`;
const graph = decode(
  encode(
    [
      { handle: "#a", label: nasty, time: 0 },
      { handle: 'tool:"x"', type: "tool" },
      { handle: "date:d", type: "date" },
    ],
    [
      { from: 0, to: 1, weight: 0.1, confidence: 0.3, flags: 1 },
      { from: 1, to: 2 },
    ],
  ),
);
const seen = seenOf(graph, shade(graph, { ...ALL, hidden: new Set(["date:d"]) }, UNMARKED, "type", 0.2));

test("only what is shown is exported", () => {
  expect(seen.nodes.map((row) => row["id"])).toEqual(["#a", 'tool:"x"']);
  expect(seen.edges).toHaveLength(1);
  expect(seen.edges[0]).toMatchObject({
    source: "#a",
    target: 'tool:"x"',
    weight: 0.1,
    confidence: 0.3,
    evidence: true,
    from: null,
  });
  expect(seen.nodes[0]).toMatchObject({ label: nasty, time: "1970-01-01T00:00:00.000Z", source: null });
  expect(JSON.parse(toJson(seen))).toEqual(seen);
});

test("a cell of CSV cannot leave its cell nor run as a formula", () => {
  const rows = toCsv([
    { a: nasty, b: 1, c: null },
    { a: "-2", b: -2, c: " x" },
  ]);
  expect(rows).toBe(`a,b,c\r\n"'=1+1,""<script>""&\n\u0007'",1,\r\n'-2,-2," x"\r\n`);
  expect(toCsv([])).toBe("\r\n");
});

test("GraphML holds any text as text", () => {
  const text = toGraphml(seen);
  expect(text).toContain("=1+1,&quot;&lt;script&gt;&quot;&amp;&#10;\ufffd&apos;");
  expect(text).toContain('target="tool:&quot;x&quot;"');
  expect(text).not.toContain("<script");
  expect(text).toContain('<key id="edge-weight" for="edge" attr.name="weight" attr.type="double"/>');
  expect(xml("a\ud800b\ufffe😀")).toBe("a\ufffdb\ufffd😀");
});

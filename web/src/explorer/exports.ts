// What is seen, as files: only nodes and edges that the filters leave.

import { edgeKey, ENDED, EVIDENCE, MODEL, NONE, PERSON, type Graph } from "./graph.js";
import { edgeShown, layerOf, nodeShown, type Shade } from "./shade.js";

interface Row {
  [name: string]: string | number | boolean | null;
}

export interface Seen {
  nodes: Row[];
  edges: Row[];
}

export function seenOf(graph: Graph, state: Shade): Seen {
  const { head } = graph;
  const iso = (seconds: number) => (Number.isFinite(seconds) ? new Date(seconds * 1000).toISOString() : null);
  const nodes: Row[] = [];
  const edges: Row[] = [];
  for (let node = 0; node < graph.nodes; node += 1) {
    if (!nodeShown(state, node)) continue;
    const type = head.types[graph.type[node]!]!;
    nodes.push({
      id: graph.handles.at(node),
      label: graph.labels.at(node),
      type,
      layer: layerOf(type),
      community: graph.community[node] === NONE ? null : graph.community[node]!,
      source: graph.source[node] === NONE ? null : (head.sources[graph.source[node]!]?.name ?? null),
      degree: graph.degree[node]!,
      time: iso(graph.time[node]!),
      importance: round(graph.importance[node]!),
      x: round(graph.x[node]!),
      y: round(graph.y[node]!),
    });
  }
  for (let edge = 0; edge < graph.edges; edge += 1) {
    if (!edgeShown(state, edge)) continue;
    const kind = graph.kind[edge]!;
    const flags = graph.flags[edge]!;
    edges.push({
      id: edgeKey(graph, edge),
      source: graph.handles.at(graph.from[edge]!),
      target: graph.handles.at(graph.to[edge]!),
      kind: head.kinds[kind]!,
      family: head.families[kind]!,
      directed: head.directed[kind]!,
      weight: round(graph.weight[edge]!),
      confidence: round(graph.confidence[edge]!),
      evidence: (flags & EVIDENCE) !== 0,
      ended: (flags & ENDED) !== 0,
      model: (flags & MODEL) !== 0,
      person: (flags & PERSON) !== 0,
      from: iso(graph.from_time[edge]!),
      until: iso(graph.until_time[edge]!),
    });
  }
  return { nodes, edges };
}

/** Numbers come as 32 bits; their further decimals say nothing. */
function round(number: number): number {
  return Number(number.toPrecision(7));
}

export function toJson(seen: Seen): string {
  return JSON.stringify(seen, null, 1);
}

/** One line for each row, as RFC 4180 has it. */
export function toCsv(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {});
  return [names, ...rows.map((row) => names.map((name) => row[name] ?? ""))]
    .map((cells) => `${cells.map(cell).join(",")}\r\n`)
    .join("");
}

function cell(value: string | number | boolean): string {
  if (typeof value !== "string") return String(value);
  // A spreadsheet would run text that starts like a formula.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

export function toGraphml({ nodes, edges }: Seen): string {
  const keys: string[] = [];
  const key = (of: "node" | "edge", rows: Row[], skip: readonly string[]) => {
    for (const name of Object.keys(rows[0] ?? {})) {
      if (skip.includes(name)) continue;
      const sample = rows.find((row) => row[name] !== null)?.[name];
      const type = typeof sample === "number" ? "double" : typeof sample === "boolean" ? "boolean" : "string";
      keys.push(`  <key id="${of}-${name}" for="${of}" attr.name="${name}" attr.type="${type}"/>`);
    }
  };
  const ends = ["id", "source", "target", "directed"];
  key("node", nodes, ["id"]);
  key("edge", edges, ends);
  const data = (of: string, row: Row, skip: readonly string[]) =>
    Object.entries(row)
      .flatMap(([name, value]) =>
        skip.includes(name) || value === null
          ? []
          : [`<data key="${of}-${name}">${xml(String(value))}</data>`],
      )
      .join("");
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<graphml xmlns="http://graphml.graphdrawing.org/xmlns">`,
    ...keys,
    `  <graph edgedefault="directed">`,
    ...nodes.map((row) => `    <node id="${xml(String(row["id"]))}">${data("node", row, ["id"])}</node>`),
    ...edges.map(
      (row) =>
        `    <edge id="${xml(String(row["id"]))}" source="${xml(String(row["source"]))}"` +
        ` target="${xml(String(row["target"]))}"` +
        ` directed="${row["directed"]}">${data("edge", row, ends)}</edge>`,
    ),
    `  </graph>`,
    `</graphml>`,
    ``,
  ].join("\n");
}

const UNWRITABLE = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu;
const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

export function xml(text: string): string {
  return (
    text
      // XML 1.0 cannot hold control characters nor halves of a pair, in no form.
      .replace(
        UNWRITABLE,
        "\ufffd",
      )
      .replace(/[&<>"']/g, (letter) => ENTITIES[letter]!)
      // A reader of attributes turns line breaks into spaces unless they are written as numbers.
      .replace(/[\t\n\r]/g, (letter) => `&#${letter.charCodeAt(0)};`)
  );
}

export function save(blob: Blob, name: string): void {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(blob);
  anchor.download = name;
  anchor.click();
  // The browser reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
}

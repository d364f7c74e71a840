// Makes answers of `GET /v1/graph`, for tests and for figures of speed.

import { NONE } from "../src/explorer/graph.js";

export interface MadeNode {
  handle: string;
  label?: string;
  type?: string;
  x?: number;
  y?: number;
  community?: number;
  source?: number;
  degree?: number;
  time?: number;
  importance?: number;
}

export interface MadeEdge {
  from: number;
  to: number;
  handle?: string;
  kind?: string;
  weight?: number;
  confidence?: number;
  flags?: number;
  from_time?: number;
  until_time?: number;
}

const KINDS: Record<string, { family: string; directed: boolean }> = {
  mentions: { family: "entity", directed: true },
  semantic: { family: "semantic", directed: false },
  causal: { family: "causal", directed: true },
  narrative: { family: "temporal", directed: true },
};

export function encode(
  nodes: MadeNode[],
  edges: MadeEdge[],
  head: Record<string, unknown> = {},
): ArrayBuffer {
  const types = [
    "memory",
    ...new Set(nodes.map((node) => node.type ?? "memory").filter((type) => type !== "memory")),
  ];
  const kinds = [...new Set(edges.map((edge) => edge.kind ?? "mentions"))];
  const about = kinds.map((kind) => KINDS[kind.split(":")[0]!] ?? { family: "entity", directed: true });
  const utf8 = (texts: string[]): [Uint8Array, Uint32Array] => {
    const parts = texts.map((text) => new TextEncoder().encode(text));
    const ends = new Uint32Array(parts.length);
    let end = 0;
    parts.forEach((part, at) => (ends[at] = end += part.length));
    const all = new Uint8Array(end);
    parts.forEach((part, at) => all.set(part, ends[at]! - part.length));
    return [all, ends];
  };
  const degree = new Uint32Array(nodes.length);
  for (const edge of edges) {
    degree[edge.from]! += 1;
    degree[edge.to]! += 1;
  }
  const [labels, labelEnd] = utf8(nodes.map((node) => node.label ?? node.handle));
  const [handles, handleEnd] = utf8(nodes.map((node) => node.handle));
  const [edgeHandles, edgeEnd] = utf8(edges.map((edge, at) => edge.handle ?? `e${at + 1}`));
  const sections: [string, string, ArrayBufferView & { length: number }][] = [
    ["x", "f32", Float32Array.from(nodes, (node) => node.x ?? 0)],
    ["y", "f32", Float32Array.from(nodes, (node) => node.y ?? 0)],
    ["type", "u16", Uint16Array.from(nodes, (node) => types.indexOf(node.type ?? "memory"))],
    ["community", "u32", Uint32Array.from(nodes, (node) => node.community ?? NONE)],
    ["source", "u32", Uint32Array.from(nodes, (node) => node.source ?? NONE)],
    ["degree", "u32", Uint32Array.from(nodes, (node, at) => node.degree ?? degree[at]!)],
    ["time", "f64", Float64Array.from(nodes, (node) => node.time ?? NaN)],
    ["importance", "f32", Float32Array.from(nodes, (node) => node.importance ?? 3)],
    ["label_end", "u32", labelEnd],
    ["handle_end", "u32", handleEnd],
    ["labels", "u8", labels],
    ["handles", "u8", handles],
    ["from", "u32", Uint32Array.from(edges, (edge) => edge.from)],
    ["to", "u32", Uint32Array.from(edges, (edge) => edge.to)],
    ["kind", "u16", Uint16Array.from(edges, (edge) => kinds.indexOf(edge.kind ?? "mentions"))],
    ["weight", "f32", Float32Array.from(edges, (edge) => edge.weight ?? 0.5)],
    ["confidence", "f32", Float32Array.from(edges, (edge) => edge.confidence ?? 1)],
    ["flags", "u8", Uint8Array.from(edges, (edge) => edge.flags ?? 0)],
    ["from_time", "f64", Float64Array.from(edges, (edge) => edge.from_time ?? NaN)],
    ["until_time", "f64", Float64Array.from(edges, (edge) => edge.until_time ?? NaN)],
    ["edge_end", "u32", edgeEnd],
    ["edge_handles", "u8", edgeHandles],
  ];
  const header = (start: number): Uint8Array => {
    let offset = start;
    const table = sections.map(([name, form, data]) => {
      offset = Math.ceil(offset / 8) * 8;
      const row = { name, form, offset, count: data.length };
      offset += data.byteLength;
      return row;
    });
    return new TextEncoder().encode(
      JSON.stringify({
        revision: 1,
        nodes: nodes.length,
        edges: edges.length,
        total_nodes: nodes.length,
        total_edges: edges.length,
        dim_below: 0.2,
        layout: "computed",
        types,
        kinds,
        families: about.map((one) => one.family),
        directed: about.map((one) => one.directed),
        layers: kinds.map(() => "knowledge"),
        sources: [],
        communities: [],
        ...head,
        sections: table,
      }),
    );
  };
  // Room for offsets of any length, filled with spaces.
  const length = Math.ceil((header(1e9).length + 4) / 8) * 8;
  const start = 12 + length;
  const text = header(start);
  const table = JSON.parse(new TextDecoder().decode(text)).sections as { offset: number }[];
  const last = table.at(-1)!.offset + sections.at(-1)![2].byteLength;
  const bytes = new Uint8Array(last).fill(0);
  bytes.set(new TextEncoder().encode("GRIOTG01"));
  new DataView(bytes.buffer).setUint32(8, length, true);
  bytes.fill(32, 12, start);
  bytes.set(text, 12);
  sections.forEach(([, , data], at) => {
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), table[at]!.offset);
  });
  return bytes.buffer;
}

/** The same numbers in every run. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const WORDS = "harbour lantern meadow copper signal orchard river granite winter compass ember falcon".split(
  " ",
);
const TYPES = [
  "memory",
  "memory",
  "memory",
  "person",
  "org",
  "tool",
  "concept",
  "concept",
  "location",
  "date",
];

/** A graph with communities: most edges stay within one, and a few nodes have many. */
export function communities(nodes = 20_000, edges = 60_000, groups = 60, seed = 7): ArrayBuffer {
  const next = random(seed);
  const reach = 100 * Math.sqrt(nodes);
  const middles = Array.from({ length: groups }, (_, at) => {
    const [angle, far] = [at * 2.399963, reach * Math.sqrt((at + 0.5) / groups) * 0.9];
    return { x: Math.cos(angle) * far, y: Math.sin(angle) * far };
  });
  const radius = (reach / Math.sqrt(groups)) * 0.8;
  const made: MadeNode[] = Array.from({ length: nodes }, (_, at) => {
    const community = at % groups;
    const [angle, far] = [next() * Math.PI * 2, radius * Math.sqrt(next())];
    const type = TYPES[Math.floor(next() * TYPES.length)]!;
    const word = () => WORDS[Math.floor(next() * WORDS.length)]!;
    return {
      handle: type === "memory" ? `#${at.toString(16).padStart(6, "0")}` : `${type}:n${at}`,
      label:
        type === "memory" ? `The ${word()} by the ${word()} was seen in ${word()} ${at}` : `${word()} ${at}`,
      type,
      community,
      source: at % 7,
      x: middles[community]!.x + Math.cos(angle) * far,
      y: middles[community]!.y + Math.sin(angle) * far,
      time: 1_770_000_000 + at * 600,
    };
  });
  const kinds = ["mentions", "mentions", "semantic", "causal", "narrative", "relation:works_at"];
  const members = Math.floor(nodes / groups);
  const some = () => Math.floor(next() ** 3 * members);
  const joined: MadeEdge[] = Array.from({ length: edges }, () => {
    const group = Math.floor(next() * groups);
    const other = next() < 0.92 ? group : Math.floor(next() * groups);
    const from = group + Math.floor(next() * members) * groups;
    let to = other + some() * groups;
    if (to === from) to = (from + groups) % nodes;
    return {
      from,
      to,
      kind: kinds[Math.floor(next() * kinds.length)]!,
      weight: next(),
      confidence: next(),
      flags: Math.floor(next() * 4) === 0 ? 1 : 0,
      from_time: 1_770_000_000 + from * 600,
    };
  });
  return encode(made, joined, {
    sources: Array.from({ length: 7 }, (_, at) => ({ handle: `s${at + 1}`, name: `notes/${WORDS[at]}.md` })),
    communities: middles.map((middle, id) => ({
      id,
      label: `${WORDS[id % WORDS.length]} ${id}`,
      size: members,
      ...middle,
      radius,
    })),
  });
}

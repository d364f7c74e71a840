// The graph as it is drawn: one array for each property, read from the binary answer of `GET /v1/graph`.

export const NONE = 0xffffffff;

/** Bits of `flags`. */
export const EVIDENCE = 1;
export const ENDED = 2;
export const MODEL = 4;
export const PERSON = 8;

export interface Community {
  id: number;
  label: string;
  size: number;
  x: number;
  y: number;
  radius: number;
}

export interface Head {
  revision: number;
  total_nodes: number;
  total_edges: number;
  layout: "computed" | "provisional";
  types: string[];
  kinds: string[];
  families: string[];
  directed: boolean[];
  layers: string[];
  sources: { handle: string; name: string }[];
  communities: Community[];
  /** Edges below this confidence are drawn dimmed: the setting `graph.dim_below`. */
  dim_below: number;
}

/** Many texts, kept as the bytes that came and read one at a time. */
export class Texts {
  readonly #bytes: Uint8Array;
  readonly #ends: Uint32Array;
  readonly #more: readonly string[];
  // Of text that is ASCII alone, the whole can be cut at byte positions, which is faster than decoding each.
  readonly #whole: string | null;

  constructor(bytes: Uint8Array, ends: Uint32Array, more: readonly string[] = []) {
    this.#bytes = bytes;
    this.#ends = ends;
    this.#more = more;
    const whole = new TextDecoder().decode(bytes);
    this.#whole = whole.length === bytes.length ? whole : null;
  }

  static of(texts: readonly string[]): Texts {
    return new Texts(new Uint8Array(), new Uint32Array(), texts);
  }

  get length(): number {
    return this.#ends.length + this.#more.length;
  }

  at(index: number): string {
    if (index >= this.#ends.length) return this.#more[index - this.#ends.length] ?? "";
    const start = index === 0 ? 0 : this.#ends[index - 1]!;
    const end = this.#ends[index]!;
    return this.#whole?.slice(start, end) ?? new TextDecoder().decode(this.#bytes.subarray(start, end));
  }

  and(more: readonly string[]): Texts {
    return more.length === 0 ? this : new Texts(this.#bytes, this.#ends, [...this.#more, ...more]);
  }
}

export interface Graph {
  head: Head;
  nodes: number;
  edges: number;
  x: Float32Array;
  y: Float32Array;
  type: Uint16Array;
  community: Uint32Array;
  source: Uint32Array;
  degree: Uint32Array;
  time: Float64Array;
  importance: Float32Array;
  labels: Texts;
  handles: Texts;
  from: Uint32Array;
  to: Uint32Array;
  kind: Uint16Array;
  weight: Float32Array;
  confidence: Float32Array;
  flags: Uint8Array;
  from_time: Float64Array;
  until_time: Float64Array;
  edgeHandles: Texts;
}

const FORMS = {
  f32: Float32Array,
  f64: Float64Array,
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
} as const;
type Form = keyof typeof FORMS;

/** The answer in its binary form; throws what is wrong with it. */
export function decode(buffer: ArrayBuffer): Graph {
  const wrong = (why: string): never => {
    throw new Error(`could not read the graph that the server sent: ${why}`);
  };
  const view = new DataView(buffer);
  if (buffer.byteLength < 12 || new TextDecoder().decode(new Uint8Array(buffer, 0, 8)) !== "GRIOTG01") {
    wrong("it is not in the form GRIOTG01");
  }
  const length = view.getUint32(8, true);
  if (12 + length > buffer.byteLength) wrong("it ends within its header");
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 12, length))) as Head & {
    nodes: number;
    edges: number;
    sections: { name: string; form: Form; offset: number; count: number }[];
  };
  const sections = new Map(head.sections.map((one) => [one.name, one]));
  function section<F extends Form>(name: string, form: F, count?: number): InstanceType<(typeof FORMS)[F]> {
    const found = sections.get(name) ?? wrong(`it has no section ${name}`);
    const kind = FORMS[form];
    if (found.form !== form) wrong(`its section ${name} is ${found.form} in place of ${form}`);
    if (count !== undefined && found.count !== count) wrong(`its section ${name} has ${found.count} values`);
    if (found.offset + found.count * kind.BYTES_PER_ELEMENT > buffer.byteLength)
      wrong(`it ends within ${name}`);
    return new kind(buffer, found.offset, found.count) as InstanceType<(typeof FORMS)[F]>;
  }
  const texts = (bytes: string, ends: string, count: number): Texts => {
    const data = section(bytes, "u8");
    const at = section(ends, "u32", count);
    for (let index = 0, before = 0; index < count; before = at[index]!, index += 1) {
      if (at[index]! < before || at[index]! > data.length) wrong(`the ends of its ${bytes} are out of order`);
    }
    return new Texts(data, at);
  };
  const { nodes, edges } = head;
  const graph: Graph = {
    head,
    nodes,
    edges,
    // Nodes are moved by hand, so positions are copied out of the answer.
    x: section("x", "f32", nodes).slice(),
    y: section("y", "f32", nodes).slice(),
    type: section("type", "u16", nodes),
    community: section("community", "u32", nodes),
    source: section("source", "u32", nodes),
    degree: section("degree", "u32", nodes),
    time: section("time", "f64", nodes),
    importance: section("importance", "f32", nodes),
    labels: texts("labels", "label_end", nodes),
    handles: texts("handles", "handle_end", nodes),
    from: section("from", "u32", edges),
    to: section("to", "u32", edges),
    kind: section("kind", "u16", edges),
    weight: section("weight", "f32", edges),
    confidence: section("confidence", "f32", edges),
    flags: section("flags", "u8", edges),
    from_time: section("from_time", "f64", edges),
    until_time: section("until_time", "f64", edges),
    edgeHandles: texts("edge_handles", "edge_end", edges),
  };
  for (let edge = 0; edge < edges; edge += 1) {
    if (graph.from[edge]! >= nodes || graph.to[edge]! >= nodes)
      wrong(`edge ${edge} joins a node that is not there`);
    if (graph.kind[edge]! >= head.kinds.length) wrong(`edge ${edge} is of a kind that is not there`);
  }
  for (let node = 0; node < nodes; node += 1) {
    if (!Number.isFinite(graph.x[node]) || !Number.isFinite(graph.y[node]))
      wrong(`node ${node} has no place`);
    if (graph.type[node]! >= head.types.length) wrong(`node ${node} is of a type that is not there`);
  }
  return graph;
}

const indexes = new WeakMap<Graph, Map<string, number>>();

/** Where a node is, by its handle. */
export function find(graph: Graph, handle: string): number | undefined {
  return handleIndex(graph).get(handle);
}

export function handleIndex(graph: Graph): Map<string, number> {
  let index = indexes.get(graph);
  if (!index) {
    index = new Map();
    for (let node = 0; node < graph.nodes; node += 1) index.set(graph.handles.at(node), node);
    indexes.set(graph, index);
  }
  return index;
}

/** The name of an edge, the same in every picture; edges that are not stored are named by their ends. */
export function edgeKey(graph: Graph, edge: number): string {
  const handle = graph.edgeHandles.at(edge);
  if (handle !== "") return handle;
  const end = (node: number) => graph.handles.at(node);
  return `${end(graph.from[edge]!)}→${end(graph.to[edge]!)}:${graph.head.kinds[graph.kind[edge]!]}`;
}

const edgeIndexes = new WeakMap<Graph, Map<string, number>>();

export function edgeIndex(graph: Graph): Map<string, number> {
  let index = edgeIndexes.get(graph);
  if (!index) {
    index = new Map();
    for (let edge = 0; edge < graph.edges; edge += 1) index.set(edgeKey(graph, edge), edge);
    edgeIndexes.set(graph, index);
  }
  return index;
}

const incidences = new WeakMap<Graph, { start: Uint32Array; edges: Uint32Array }>();

/** The edges of a node within the picture. */
export function edgesOf(graph: Graph, node: number): Uint32Array {
  let lists = incidences.get(graph);
  if (!lists) {
    const start = new Uint32Array(graph.nodes + 1);
    const count = (end: number) => (start[end + 1]! += 1);
    for (let edge = 0; edge < graph.edges; edge += 1) {
      count(graph.from[edge]!);
      if (graph.to[edge] !== graph.from[edge]) count(graph.to[edge]!);
    }
    for (let at = 0; at < graph.nodes; at += 1) start[at + 1]! += start[at]!;
    const next = start.slice(0, graph.nodes);
    const edges = new Uint32Array(start[graph.nodes]!);
    for (let edge = 0; edge < graph.edges; edge += 1) {
      const [from, to] = [graph.from[edge]!, graph.to[edge]!];
      edges[next[from]!++] = edge;
      if (to !== from) edges[next[to]!++] = edge;
    }
    lists = { start, edges };
    incidences.set(graph, lists);
  }
  return lists.edges.subarray(lists.start[node]!, lists.start[node + 1]!);
}

const orders = new WeakMap<Graph, Uint32Array>();

/** All nodes, the best connected first. */
export function byDegree(graph: Graph): Uint32Array {
  let order = orders.get(graph);
  if (!order) {
    order = new Uint32Array(graph.nodes).map((_, node) => node);
    order.sort((a, b) => graph.degree[b]! - graph.degree[a]! || a - b);
    orders.set(graph, order);
  }
  return order;
}

/** The other end of an edge. */
export function across(graph: Graph, edge: number, node: number): number {
  return graph.from[edge] === node ? graph.to[edge]! : graph.from[edge]!;
}

export const EMPTY: Graph = {
  head: {
    revision: 0,
    total_nodes: 0,
    total_edges: 0,
    dim_below: 0,
    layout: "computed",
    types: ["memory"],
    kinds: [],
    families: [],
    directed: [],
    layers: [],
    sources: [],
    communities: [],
  },
  nodes: 0,
  edges: 0,
  x: new Float32Array(),
  y: new Float32Array(),
  type: new Uint16Array(),
  community: new Uint32Array(),
  source: new Uint32Array(),
  degree: new Uint32Array(),
  time: new Float64Array(),
  importance: new Float32Array(),
  labels: Texts.of([]),
  handles: Texts.of([]),
  from: new Uint32Array(),
  to: new Uint32Array(),
  kind: new Uint16Array(),
  weight: new Float32Array(),
  confidence: new Float32Array(),
  flags: new Uint8Array(),
  from_time: new Float64Array(),
  until_time: new Float64Array(),
  edgeHandles: Texts.of([]),
};

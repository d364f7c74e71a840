// One picture from several answers: what was asked for first, and what was expanded in it, without moving
// what is there. Taking an answer away again gives the picture without it.

import type { Hop, NodeRef } from "../../../sdk/typescript/src/types.js";
import { bounds, type Point } from "./camera.js";
import { spacing } from "./draw.js";
import {
  across,
  edgeIndex,
  edgeKey,
  edgesOf,
  EMPTY,
  EVIDENCE,
  handleIndex,
  MODEL,
  NONE,
  PERSON,
  Texts,
  type Graph,
  type Head,
} from "./graph.js";

/** An answer that belongs around a node; where there is no such node, beside all else. */
export interface Part {
  anchor: string | null;
  graph: Graph;
}

/** `placed` knows where nodes were before, which come back to their places. */
export function compose(
  base: Graph,
  parts: readonly Part[],
  placed: (handle: string) => Point | undefined,
): Graph {
  const baseNodes = handleIndex(base);
  const head: Head = {
    ...base.head,
    types: [...base.head.types],
    kinds: [...base.head.kinds],
    families: [...base.head.families],
    directed: [...base.head.directed],
    layers: [...base.head.layers],
    sources: [...base.head.sources],
    communities: [...base.head.communities],
  };
  const unit = spacing(base);
  const newNodes = new Map<string, number>();
  const newEdges = new Set<string>();
  const nodes: { of: Graph; node: number; at: Point }[] = [];
  const edges: { of: Graph; edge: number; from: number; to: number; kind: number }[] = [];
  const baseEdges = parts.length > 0 ? edgeIndex(base) : new Map<string, number>();
  const where = (handle: string) => baseNodes.get(handle) ?? newNodes.get(handle);
  const x = base.x.slice();
  const y = base.y.slice();
  for (const [handle, node] of baseNodes) {
    // What was moved by hand or has been seen elsewhere.
    const before = placed(handle);
    if (before) [x[node], y[node]] = [before.x, before.y];
  }
  const pointOf = (node: number): Point =>
    node < base.nodes ? { x: x[node]!, y: y[node]! } : nodes[node - base.nodes]!.at;

  for (const { anchor, graph } of parts) {
    const around = anchor === null ? undefined : where(anchor);
    if (anchor !== null && around === undefined) continue;
    const local = anchor === null ? undefined : handleIndex(graph).get(anchor);
    const centre = local === undefined ? middle(graph) : { x: graph.x[local]!, y: graph.y[local]! };
    const fresh: number[] = [];
    for (let node = 0; node < graph.nodes; node += 1)
      if (where(graph.handles.at(node)) === undefined) fresh.push(node);
    const away = (node: number) => Math.hypot(graph.x[node]! - centre.x, graph.y[node]! - centre.y);
    const far = fresh.reduce((most, node) => Math.max(most, away(node)), 0);
    const reach = unit * (0.9 + 0.4 * Math.sqrt(fresh.length));
    const origin = around === undefined ? beside(x, y, reach + unit) : pointOf(around);
    fresh.forEach((node, order) => {
      const handle = graph.handles.at(node);
      // Nodes that came without positions of their own go round in a spiral.
      const angle = order * 2.399963;
      const share = Math.sqrt((order + 1) / fresh.length);
      const offset =
        far > 0
          ? { x: ((graph.x[node]! - centre.x) / far) * reach, y: ((graph.y[node]! - centre.y) / far) * reach }
          : { x: Math.cos(angle) * reach * share, y: Math.sin(angle) * reach * share };
      newNodes.set(handle, base.nodes + nodes.length);
      nodes.push({
        of: graph,
        node,
        at: placed(handle) ?? { x: origin.x + offset.x, y: origin.y + offset.y },
      });
    });
    const kinds = graph.head.kinds.map((kind, at) => {
      const known = head.kinds.indexOf(kind);
      if (known >= 0) return known;
      head.families.push(graph.head.families[at]!);
      head.directed.push(graph.head.directed[at]!);
      head.layers.push(graph.head.layers[at]!);
      return head.kinds.push(kind) - 1;
    });
    for (let edge = 0; edge < graph.edges; edge += 1) {
      const key = edgeKey(graph, edge);
      if (baseEdges.has(key) || newEdges.has(key)) continue;
      const from = where(graph.handles.at(graph.from[edge]!))!;
      const to = where(graph.handles.at(graph.to[edge]!))!;
      newEdges.add(key);
      edges.push({ of: graph, edge, from, to, kind: kinds[graph.kind[edge]!]! });
    }
    for (const community of graph.head.communities) {
      if (!head.communities.some((one) => one.id === community.id)) head.communities.push(community);
    }
  }

  const type = ({ of, node }: { of: Graph; node: number }) =>
    indexIn(head.types, of.head.types[of.type[node]!]!);
  const source = ({ of, node }: { of: Graph; node: number }) => {
    const told = of.source[node] === NONE ? undefined : of.head.sources[of.source[node]!];
    if (!told) return NONE;
    const known = head.sources.findIndex((one) => one.handle === told.handle);
    return known >= 0 ? known : head.sources.push(told) - 1;
  };
  return {
    head,
    nodes: base.nodes + nodes.length,
    edges: base.edges + edges.length,
    x: joined(
      x,
      Float32Array.from(nodes, ({ at }) => at.x),
    ),
    y: joined(
      y,
      Float32Array.from(nodes, ({ at }) => at.y),
    ),
    type: joined(base.type, Uint16Array.from(nodes, type)),
    community: joined(
      base.community,
      Uint32Array.from(nodes, ({ of, node }) => of.community[node]!),
    ),
    source: joined(base.source, Uint32Array.from(nodes, source)),
    degree: joined(
      base.degree,
      Uint32Array.from(nodes, ({ of, node }) => of.degree[node]!),
    ),
    time: joined(
      base.time,
      Float64Array.from(nodes, ({ of, node }) => of.time[node]!),
    ),
    importance: joined(
      base.importance,
      Float32Array.from(nodes, ({ of, node }) => of.importance[node]!),
    ),
    labels: base.labels.and(nodes.map(({ of, node }) => of.labels.at(node))),
    handles: base.handles.and(nodes.map(({ of, node }) => of.handles.at(node))),
    from: joined(
      base.from,
      Uint32Array.from(edges, ({ from }) => from),
    ),
    to: joined(
      base.to,
      Uint32Array.from(edges, ({ to }) => to),
    ),
    kind: joined(
      base.kind,
      Uint16Array.from(edges, ({ kind }) => kind),
    ),
    weight: joined(
      base.weight,
      Float32Array.from(edges, ({ of, edge }) => of.weight[edge]!),
    ),
    confidence: joined(
      base.confidence,
      Float32Array.from(edges, ({ of, edge }) => of.confidence[edge]!),
    ),
    flags: joined(
      base.flags,
      Uint8Array.from(edges, ({ of, edge }) => of.flags[edge]!),
    ),
    from_time: joined(
      base.from_time,
      Float64Array.from(edges, ({ of, edge }) => of.from_time[edge]!),
    ),
    until_time: joined(
      base.until_time,
      Float64Array.from(edges, ({ of, edge }) => of.until_time[edge]!),
    ),
    edgeHandles: base.edgeHandles.and(edges.map(({ of, edge }) => of.edgeHandles.at(edge))),
  };
}

function indexIn(table: string[], word: string): number {
  const known = table.indexOf(word);
  return known >= 0 ? known : table.push(word) - 1;
}

type Numbers = Float32Array | Float64Array | Uint8Array | Uint16Array | Uint32Array;

function joined<Data extends Numbers>(first: Data, rest: Data): Data {
  if (rest.length === 0) return first;
  const all = new (first.constructor as new (length: number) => Data)(first.length + rest.length);
  all.set(first);
  all.set(rest, first.length);
  return all;
}

function middle(graph: Graph): Point {
  const all = bounds(graph.x, graph.y);
  return all ? { x: (all.left + all.right) / 2, y: (all.top + all.bottom) / 2 } : { x: 0, y: 0 };
}

function beside(x: Float32Array, y: Float32Array, room: number): Point {
  const all = bounds(x, y);
  return all ? { x: all.right + room, y: (all.top + all.bottom) / 2 } : { x: 0, y: 0 };
}

/** The handle that a node of another answer has in the picture: memories go by their short name. */
export function handleOf(node: NodeRef): string {
  return node.type === "memory" ? node.name : node.id;
}

/** The hops of a path as a graph in a row. */
export function ofHops(hops: readonly Hop[]): Graph {
  const refs: NodeRef[] = hops.length === 0 ? [] : [hops[0]!.from, ...hops.map((hop) => hop.to)];
  const kind = (hop: Hop) => (hop.kind === "relation" ? `relation:${hop.label}` : hop.kind);
  const types = [...new Set(["memory", ...refs.map(typeOf)])];
  const kinds = [...new Set(hops.map(kind))];
  const sample = kinds.map((one) => hops.find((hop) => kind(hop) === one)!);
  const seconds = (time: string | null) => (time === null ? NaN : Date.parse(time) / 1000);
  return {
    ...EMPTY,
    head: {
      ...EMPTY.head,
      types,
      kinds,
      families: sample.map((hop) => hop.family),
      // Kinds without a direction are the two that read the same from both ends.
      directed: kinds.map((one) => one !== "semantic" && one !== "contradicts"),
      layers: sample.map((hop) => hop.from.layer),
    },
    nodes: refs.length,
    edges: hops.length,
    x: Float32Array.from(refs, (_, at) => at),
    y: Float32Array.from(refs, (_, at) => (at % 2) * 0.3),
    type: Uint16Array.from(refs, (ref) => types.indexOf(typeOf(ref))),
    community: Uint32Array.from(refs, () => NONE),
    source: Uint32Array.from(refs, () => NONE),
    degree: Uint32Array.from(refs, () => 1),
    time: Float64Array.from(refs, (ref) => seconds(ref.occurred_at)),
    importance: Float32Array.from(refs, () => 3),
    labels: Texts.of(refs.map((ref) => (ref.type === "memory" ? (ref.excerpt ?? ref.name) : ref.name))),
    handles: Texts.of(refs.map(handleOf)),
    from: Uint32Array.from(hops, (hop, at) => (hop.forward ? at : at + 1)),
    to: Uint32Array.from(hops, (hop, at) => (hop.forward ? at + 1 : at)),
    kind: Uint16Array.from(hops, (hop) => kinds.indexOf(kind(hop))),
    weight: Float32Array.from(hops, (hop) => hop.weight),
    confidence: Float32Array.from(hops, (hop) => hop.confidence),
    flags: Uint8Array.from(
      hops,
      (hop) =>
        (hop.evidence.length > 0 ? EVIDENCE : 0) |
        (hop.provenance === "llm" ? MODEL : 0) |
        (hop.provenance === "user" ? PERSON : 0),
    ),
    from_time: Float64Array.from(hops, () => NaN),
    until_time: Float64Array.from(hops, (hop) => seconds(hop.expires_at)),
    edgeHandles: Texts.of(hops.map((hop) => hop.edge ?? "")),
  };
}

function typeOf(node: NodeRef): string {
  return node.type === "memory" ? "memory" : (node.entity_type ?? "custom");
}

/**
 * Where the nodes of a picture that is loaded again belong: those that were there stay, and a new one goes
 * beside the neighbours that it has among them. Without any, it goes where the server put it.
 */
export function settled(graph: Graph, before: Graph): (handle: string) => Point | undefined {
  const old = handleIndex(before);
  const unit = spacing(before);
  return (handle) => {
    const was = old.get(handle);
    if (was !== undefined) return { x: before.x[was]!, y: before.y[was]! };
    const node = handleIndex(graph).get(handle);
    if (node === undefined) return undefined;
    const near = [...edgesOf(graph, node)].flatMap(
      (edge) => old.get(graph.handles.at(across(graph, edge, node))) ?? [],
    );
    if (near.length === 0) return undefined;
    const mean = (places: Float32Array) => near.reduce((sum, one) => sum + places[one]!, 0) / near.length;
    const angle = node * 2.399963;
    return {
      x: mean(before.x) + Math.cos(angle) * unit * 0.5,
      y: mean(before.y) + Math.sin(angle) * unit * 0.5,
    };
  };
}

// What is shown, and how: filters and marks become one small texture, so that a change of them costs one
// upload.

import { ENDED, EVIDENCE, NONE, type Graph } from "./graph.js";

export type Colouring = "type" | "layer" | "community";

/** What a person chose to see. `without` holds words such as `type:person` or `family:causal`. */
export interface Filters {
  without: ReadonlySet<string>;
  weight: number;
  confidence: number;
  evidence: boolean;
  /** Leave out nodes that no edge shown reaches. */
  joined: boolean;
  since: number | null;
  until: number | null;
  /** The end of the day that is looked at: nodes from after it are hidden. Edges are not, since their time is
   * that of their storing. */
  known: number | null;
  hidden: ReadonlySet<string>;
}

export const ALL: Filters = {
  without: new Set(), weight: 0, confidence: 0, evidence: false, joined: false, since: null, until: null,
  known: null, hidden: new Set(),
};

/** What stands out: everything else fades while there is anything. */
export interface Marks {
  selected: number | null;
  edge: number | null;
  pathNodes: ReadonlySet<number>;
  pathEdges: ReadonlySet<number>;
  pinned: ReadonlySet<number>;
  opened: ReadonlySet<number>;
}

export const UNMARKED: Marks = {
  selected: null, edge: null, pathNodes: new Set(), pathEdges: new Set(), pinned: new Set(),
  opened: new Set(),
};

/** Bits of the second byte of a texel. */
export const HIDDEN = 1;
export const FADED = 2;
export const SELECTED = 4;
export const PINNED = 8;
export const ON_PATH = 16;
export const DASHED = 32;
export const OPENED = 64;

/** Four bytes each: place in the palette, bits, strength (0–255), form of a node. */
export interface Shade {
  nodes: Uint8Array;
  edges: Uint8Array;
  shownNodes: number;
  shownEdges: number;
}

/** Places in the palette: colours of nodes first, then those of the families of edges, then others. */
export const NODE_COLOURS = 10;
export const FAMILIES = ["temporal", "entity", "causal", "semantic"];
export const OTHER_FAMILY = NODE_COLOURS + FAMILIES.length;
export const MARKED = OTHER_FAMILY + 1;
export const GROUND = MARKED + 1;
export const TEXT = GROUND + 1;
export const PALETTE = TEXT + 1;

/** Forms of nodes, so that colour is not the only sign. */
export const FORMS = { entity: 0, memory: 1, source: 2, community: 3 } as const;

/** The layer of a type of entities; a memory's follows from its kind, which the picture does not know. */
const LAYERS: Record<string, string> = {
  file: "code", module: "code", function: "code", type: "code", external: "code", repo: "code",
  event: "execution",
  goal: "project", task: "project",
  memory: "memories", source: "sources", community: "communities",
};

export function layerOf(type: string): string {
  return LAYERS[type] ?? "knowledge";
}

// Each type has its colour whatever else there is, so that a person learns it; grey is for what is most:
// memories.
const TYPE_COLOURS: Record<string, number> = {
  memory: 9, source: 6, community: 0, person: 0, org: 1, tool: 2, concept: 3, location: 4, event: 5, file: 6,
  date: 7, goal: 5, task: 1, repo: 8, module: 8, function: 2, type: 4, external: 8, topic: 7, custom: 6,
};
const LAYER_COLOURS: Record<string, number> = {
  code: 0, execution: 1, project: 2, knowledge: 3, memories: 9, sources: 6, communities: 4,
};

/** The group that a node belongs to under a colouring: its word in the legend, its filter, its colour. */
export interface Group {
  filter: string;
  label: string;
  colour: number;
}

export function groupOf(graph: Graph, node: number, by: Colouring): Group {
  const type = graph.head.types[graph.type[node]!] ?? "custom";
  if (by === "type") {
    // Where there is nothing but communities, one colour for all would say nothing.
    const colour = type === "community" ? graph.community[node]! % 9 : (TYPE_COLOURS[type] ?? 6);
    return { filter: `type:${type}`, label: type, colour };
  }
  if (by === "layer") {
    const layer = layerOf(type);
    return { filter: `layer:${layer}`, label: layer, colour: LAYER_COLOURS[layer]! };
  }
  const id = graph.community[node]!;
  if (id === NONE) return { filter: "community:none", label: "in none", colour: 9 };
  const label = communityLabels(graph).get(id) ?? `community ${id}`;
  return { filter: `community:${id}`, label, colour: id % 9 };
}

const labelled = new WeakMap<object, Map<number, string>>();

function communityLabels(graph: Graph): Map<number, string> {
  let labels = labelled.get(graph.head);
  if (!labels) {
    labels = new Map(graph.head.communities.map((one) => [one.id, one.label || `community ${one.id}`]));
    labelled.set(graph.head, labels);
  }
  return labels;
}

/** Whether a span of time touches the window; what has no time is always within. */
export function within(filters: Filters, from: number, until: number): boolean {
  if (filters.since !== null && until < filters.since) return false;
  return !(filters.until !== null && from > filters.until);
}

export function shade(graph: Graph, filters: Filters, marks: Marks, by: Colouring, dimBelow: number): Shade {
  const { head } = graph;
  const nodes = new Uint8Array(graph.nodes * 4);
  const edges = new Uint8Array(graph.edges * 4);
  const { without } = filters;
  const typeOut = head.types.map(
    (type) => without.has(`type:${type}`) || without.has(`layer:${layerOf(type)}`),
  );
  const kindOut = head.kinds.map(
    (kind, at) =>
      without.has(`kind:${kind}`) || without.has(`family:${head.families[at]}`)
      || without.has(`edges:${head.layers[at]}`),
  );
  const kindColour = head.families.map((family) => {
    const at = FAMILIES.indexOf(family);
    return at < 0 ? OTHER_FAMILY : NODE_COLOURS + at;
  });
  const sourceOut = head.sources.map((source) => without.has(`source:${source.handle}`));
  const anySource = sourceOut.some(Boolean);
  const anyCommunity = [...without].some((one) => one.startsWith("community:"));
  const typeForm = head.types.map((type) => (FORMS as Record<string, number>)[type] ?? FORMS.entity);
  const colours = new Map<number, number>();
  const anyHidden = filters.hidden.size > 0;
  const anyTime = filters.since !== null || filters.until !== null;
  const anyPath = marks.pathEdges.size > 0;

  const reached = new Uint8Array(graph.nodes);
  const bright = new Uint8Array(graph.nodes);
  const emphasis = marks.selected !== null || marks.edge !== null || marks.pathNodes.size > 0;

  for (let node = 0; node < graph.nodes; node += 1) {
    const community = graph.community[node]!;
    const ofCommunity = by === "community" || typeForm[graph.type[node]!] === FORMS.community;
    const key = ofCommunity ? community : -1 - graph.type[node]!;
    let colour = colours.get(key);
    if (colour === undefined) colours.set(key, (colour = groupOf(graph, node, by).colour));
    const time = graph.time[node]!;
    const out =
      typeOut[graph.type[node]!]
      || (anySource && graph.source[node] !== NONE && sourceOut[graph.source[node]!])
      || (anyCommunity && without.has(`community:${community === NONE ? "none" : community}`))
      || (anyTime && !within(filters, time, time))
      || (filters.known !== null && time > filters.known)
      || (anyHidden && filters.hidden.has(graph.handles.at(node)));
    nodes[node * 4] = colour;
    nodes[node * 4 + 1] = out ? HIDDEN : 0;
    nodes[node * 4 + 2] = 255;
    nodes[node * 4 + 3] = typeForm[graph.type[node]!]!;
  }

  let shownEdges = 0;
  for (let edge = 0; edge < graph.edges; edge += 1) {
    const [from, to] = [graph.from[edge]!, graph.to[edge]!];
    const confidence = graph.confidence[edge]!;
    const flags = graph.flags[edge]!;
    const out =
      (nodes[from * 4 + 1]! & HIDDEN) !== 0
      || (nodes[to * 4 + 1]! & HIDDEN) !== 0
      || kindOut[graph.kind[edge]!]
      || graph.weight[edge]! < filters.weight
      || confidence < filters.confidence
      || (filters.evidence && (flags & EVIDENCE) === 0)
      || (anyTime && !within(filters, graph.from_time[edge]!, graph.until_time[edge]!));
    const onPath = anyPath && marks.pathEdges.has(edge);
    const chosen = marks.edge === edge;
    const touches = marks.selected === from || marks.selected === to;
    let bits = out ? HIDDEN : (flags & ENDED) !== 0 ? DASHED : 0;
    if (chosen) bits |= SELECTED;
    if (onPath) bits |= ON_PATH;
    if (emphasis && !onPath && !chosen && !touches) bits |= FADED;
    if (!out) {
      shownEdges += 1;
      reached[from] = reached[to] = 1;
      if (touches || chosen) bright[from] = bright[to] = 1;
    }
    edges[edge * 4] = kindColour[graph.kind[edge]!]!;
    edges[edge * 4 + 1] = bits;
    // Not below a fifth: what is dimmed still has to be seen.
    const strength = confidence >= dimBelow ? 1 : Math.max(0.2, confidence / dimBelow / 2);
    edges[edge * 4 + 2] = Math.round(255 * strength);
  }

  let shownNodes = 0;
  for (let node = 0; node < graph.nodes; node += 1) {
    const at = node * 4 + 1;
    if (filters.joined && reached[node] === 0) nodes[at]! |= HIDDEN;
    if ((nodes[at]! & HIDDEN) !== 0) continue;
    shownNodes += 1;
    if (marks.selected === node) nodes[at]! |= SELECTED;
    else if (marks.pathNodes.has(node)) nodes[at]! |= ON_PATH;
    else if (emphasis && bright[node] === 0) nodes[at]! |= FADED;
    if (marks.pinned.has(node)) nodes[at]! |= PINNED;
    if (marks.opened.has(node)) nodes[at]! |= OPENED;
  }
  return { nodes, edges, shownNodes, shownEdges };
}

export function nodeShown(state: Shade, node: number): boolean {
  return (state.nodes[node * 4 + 1]! & HIDDEN) === 0;
}

export function edgeShown(state: Shade, edge: number): boolean {
  return (state.edges[edge * 4 + 1]! & HIDDEN) === 0;
}

/** How many there are of each group, whether shown or not, most first. */
export function legend(graph: Graph, by: Colouring): (Group & { count: number })[] {
  const groups = new Map<number, Group & { count: number }>();
  for (let node = 0; node < graph.nodes; node += 1) {
    const key = by === "community" ? graph.community[node]! : graph.type[node]!;
    const group = groups.get(key);
    if (group) group.count += 1;
    else groups.set(key, { ...groupOf(graph, node, by), count: 1 });
  }
  // Several types belong to one layer.
  const merged = new Map<string, Group & { count: number }>();
  for (const group of groups.values()) {
    const same = merged.get(group.filter);
    if (same) same.count += group.count;
    else merged.set(group.filter, group);
  }
  return [...merged.values()].sort((a, b) => b.count - a.count || a.label.localeCompare(b.label));
}

// What a person looks at: everything that is chosen or filtered, as it is in the address.

import { change } from "../address.js";
import { scopeOf, type Scope } from "../parts/scope.js";
import type { Point } from "./camera.js";
import type { Colouring, Filters } from "./shade.js";

export interface View {
  around: string[];
  depth: number;
  source: string;
  community: number | null;
  /** The whole graph, even where communities would be shown first. */
  whole: boolean;
  asOf: string;
  scope: Scope;
  selected: string;
  edge: string;
  opened: string[];
  pinned: Map<string, Point>;
  pathFrom: string;
  pathTo: string;
  colouring: Colouring;
  table: boolean;
  filters: Filters;
}

const DAY_S = 86_400;
const COLOURINGS: readonly Colouring[] = ["type", "layer", "community"];

export function read(query: URLSearchParams): View {
  const share = (name: string) => Math.min(1, Math.max(0, Number(query.get(name)) || 0));
  const seconds = (name: string) => {
    const time = Date.parse(query.get(name) ?? "") / 1000;
    return Number.isFinite(time) ? time : null;
  };
  const day = seconds("as_of");
  const community = query.get("community");
  return {
    around: query.getAll("around"),
    depth: Math.min(4, Math.max(1, Math.round(Number(query.get("depth")) || 1))),
    source: query.get("source") ?? "",
    community: community !== null && /^\d+$/.test(community) ? Number(community) : null,
    whole: query.get("whole") === "1",
    asOf: query.get("as_of") ?? "",
    scope: scopeOf(query),
    selected: query.get("sel") ?? "",
    edge: query.get("edge") ?? "",
    opened: query.getAll("open"),
    pinned: new Map(query.getAll("pin").flatMap((pin) => readPin(pin))),
    pathFrom: query.get("from") ?? "",
    pathTo: query.get("to") ?? "",
    colouring: COLOURINGS.find((one) => one === query.get("colour")) ?? "type",
    table: query.get("table") === "1",
    filters: {
      without: new Set(query.getAll("no")),
      weight: share("weight"),
      confidence: share("confidence"),
      evidence: query.get("evidence") === "1",
      joined: query.get("joined") === "1",
      since: seconds("since"),
      until: seconds("until"),
      known: day === null ? null : day + DAY_S - 1,
      hidden: new Set(query.getAll("hide")),
    },
  };
}

/** A pinned node is written as `x,y,handle`. */
export function writePin(handle: string, at: Point): string {
  return `${Math.round(at.x * 10) / 10},${Math.round(at.y * 10) / 10},${handle}`;
}

function readPin(pin: string): [string, Point][] {
  const found = /^(-?[\d.]+),(-?[\d.]+),(.+)$/s.exec(pin);
  const at = { x: Number(found?.[1]), y: Number(found?.[2]) };
  return found && Number.isFinite(at.x) && Number.isFinite(at.y) ? [[found[3]!, at]] : [];
}

/** Whether the view is of a part of the graph. */
export function isNarrow(view: View): boolean {
  return view.around.length > 0 || view.source !== "" || view.community !== null;
}

/** The question to the server for what an expansion of a node adds. */
export function expansion(view: View, handle: string, limit: number): string {
  const query = new URLSearchParams({ around: handle, depth: "1", limit: String(limit), ...view.scope });
  if (view.asOf !== "") query.set("as_of", view.asOf);
  return `/v1/graph?${query}`;
}

/** The question to the server that the view stands for. */
export function request(view: View, byCommunity: boolean): string {
  const query = new URLSearchParams();
  for (const handle of view.around) query.append("around", handle);
  if (view.around.length > 0) query.set("depth", String(view.depth));
  if (view.source !== "") query.set("source", view.source);
  if (view.community !== null) query.set("community", String(view.community));
  if (byCommunity) query.set("communities", "true");
  if (view.asOf !== "") query.set("as_of", view.asOf);
  for (const [name, value] of Object.entries(view.scope)) query.set(name, value);
  const text = query.toString();
  return `/v1/graph${text === "" ? "" : `?${text}`}`;
}

/** What belongs to one picture and not to the next. */
const OF_A_PICTURE = [
  "around",
  "depth",
  "source",
  "community",
  "whole",
  "open",
  "hide",
  "pin",
  "from",
  "to",
  "sel",
  "edge",
];

/** Goes to another picture; filters stay. */
export function go(to: Record<string, string | string[]>): void {
  change({ ...Object.fromEntries(OF_A_PICTURE.map((name) => [name, undefined])), ...to }, true);
}

export function toggled(list: readonly string[] | ReadonlySet<string>, one: string): string[] {
  const all = new Set(list);
  if (!all.delete(one)) all.add(one);
  return [...all];
}

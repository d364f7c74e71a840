// Where a citation leads: into the page of sources, at the position of the memory, or to the address it names.

import { link, place } from "../address.js";
import { scopeOf } from "./scope.js";

/** `null` unless it is an address that a browser may open: `javascript:` and `data:` may not. */
export function safeAddress(text: string | null | undefined): string | null {
  if (!text) return null;
  try {
    const url = new URL(text);
    return url.protocol === "http:" || url.protocol === "https:" ? url.href : null;
  } catch {
    return null;
  }
}

/** The source of a memory, opened where the memory stands. */
export function placeOf(source: string, handle?: string): string {
  return link("sources", { ...scopeOf(), source, ...(handle ? { memory: handle } : {}) });
}

/** The story of a node on the page Ask, beside the question that is there. */
export function about(of: string, view: "why" | "followed" | "timeline"): string {
  const { page, parameters } = place();
  return link("ask", { ...(page === "ask" ? Object.fromEntries(parameters) : scopeOf()), of, view });
}

/** The end of a path, which names it best; a longer text is cut in the middle. */
export function shortOrigin(origin: string, most = 60): string {
  if (origin.length <= most) return origin;
  const half = Math.floor((most - 1) / 2);
  return `${origin.slice(0, half)}…${origin.slice(-half)}`;
}

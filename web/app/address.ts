// Takes the place of `src/address.ts`: a frame of a chat client has no address of its own, and this view is
// the page Ask alone.

import { changed, link, place as placeIn, type Place } from "../src/address.js";
import type * as page from "../src/address.js";

let hash = link("ask");

export { changed, link };

export function place(of = hash): Place {
  return placeIn(of);
}

export function leadsTo(name: string): boolean {
  return name === "ask";
}

export function change(changes: Record<string, string | string[] | undefined>): void {
  go(changed(place(), changes));
}

/** Follows a link of `link`. */
export function go(to: string): void {
  if (to === hash) return;
  hash = to;
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}

({ changed, link, place, leadsTo, change }) satisfies typeof page;

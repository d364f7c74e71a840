// What is shown follows the workspace, at a pace that a person can read.

import { session } from "../session.js";
import { listen, type Part } from "./part.js";

/** Changes come in bursts: a crawl commits several a second. */
const PACE_MS = 1000;

/** `run`, at most once in `PACE_MS`, and once after the last call. */
export function paced(run: () => void): () => void {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    setTimeout(() => {
      waiting = false;
      run();
    }, PACE_MS);
  };
}

/** Calls `run` after changes of the workspace, while the part is in the document. */
export function followChanges(part: Part, run: () => void): void {
  listen(part, session, "changed", paced(() => part.isConnected && run()));
}

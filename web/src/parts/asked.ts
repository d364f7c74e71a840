// A request of a part of the page: what it answered, and what happens when the server is gone.

import type { ReactiveController } from "lit";
import { GriotError, Unreachable } from "../../../sdk/typescript/src/errors.js";
import { session } from "../session.js";
import type { Part } from "./part.js";

/** Milliseconds until a question is asked again while the server does not answer. */
const AGAIN_MS = 2000;

/** The latest answer to a question. A newer question replaces one that is under way. */
export class Asked<T> implements ReactiveController {
  value: T | null = null;
  failure: unknown = null;
  busy = false;
  readonly #part: Part;
  #under: AbortController | null = null;

  constructor(part: Part) {
    this.#part = part;
    part.addController(this);
  }

  hostDisconnected(): void {
    this.#under?.abort();
  }

  /** A read: while the server cannot be reached, it is asked again. */
  ask(run: (signal: AbortSignal) => Promise<T>): Promise<void> {
    return this.#run(run, true);
  }

  /** A write, which is not repeated: it may have arrived. */
  send(run: (signal: AbortSignal) => Promise<T>): Promise<void> {
    return this.#run(run, false);
  }

  async #run(run: (signal: AbortSignal) => Promise<T>, isRepeated: boolean): Promise<void> {
    this.#under?.abort();
    const own = (this.#under = new AbortController());
    this.busy = true;
    this.#part.requestUpdate();
    let isLost = false;
    while (!own.signal.aborted) {
      try {
        const value = await run(own.signal);
        if (own.signal.aborted) return;
        this.value = value;
        this.failure = null;
        break;
      } catch (failure) {
        if (own.signal.aborted) return;
        this.failure = failure;
        if (!isLost) tellSession(failure);
        if (!isRepeated || !(failure instanceof Unreachable)) break;
        isLost = true;
        this.#part.requestUpdate();
        await new Promise((done) => setTimeout(done, AGAIN_MS));
      }
    }
    if (own.signal.aborted) return;
    this.busy = false;
    this.#part.requestUpdate();
  }

  forget(): void {
    this.#under?.abort();
    this.value = null;
    this.failure = null;
    this.busy = false;
    this.#part.requestUpdate();
  }
}

/** The frame of the page shows that the server is gone, and asks for a key that was revoked. */
export function tellSession(failure: unknown): void {
  if (!(failure instanceof GriotError)) return;
  if (failure instanceof Unreachable || failure.kind === "unauthenticated") {
    session.dispatchEvent(new CustomEvent("failed", { detail: failure }));
  }
}

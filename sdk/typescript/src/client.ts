// The client: sends what `plan` decides with the `fetch` of the platform.

import { GriotError } from "./errors.js";
import { EventParser, Reconnect, Plan, type Options, type Request } from "./plan.js";
import type { Changed } from "./types.js";
import type { CallOptions, Verb } from "./verb.js";
import { Verbs, VERBS } from "./verbs.js";

/** Milliseconds of silence after which a stream counts as dead; the server sends a comment every 15 s. */
const QUIET_MS = 45_000;

/** Options of an event stream. */
export interface EventOptions {
  /** Yield changes after this revision; by default those after the iteration starts. */
  after?: number;
  user?: string;
  project?: string;
  workspace?: string;
  /** Milliseconds that the server may be unreachable before the iteration throws; default 60,000. */
  patienceMs?: number;
  /** Ends the iteration. */
  signal?: AbortSignal;
}

/** A client of one server, with one method per verb. */
export class Griot extends Verbs {
  readonly #plan: Plan;
  readonly #fetch: typeof fetch;

  constructor(options: Options = {}) {
    super();
    this.#plan = new Plan(options);
    // Looked up at the call, so that a `fetch` that is replaced later is used.
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
  }

  /**
   * Yields changes as they are committed, without end. Reconnects after a broken connection and resumes after
   * the last change that it yielded.
   */
  async *events(options: EventOptions = {}): AsyncGenerator<Changed, void, undefined> {
    const { after, patienceMs, signal, ...scope } = options;
    let last = after === undefined ? null : String(after);
    const reconnect = new Reconnect(patienceMs ?? 60_000);
    while (!signal?.aborted) {
      const request = this.#plan.request(VERBS.events, scope, last);
      let pause: number;
      try {
        const parser = new EventParser();
        for await (const chunk of this.#stream(request, "text/event-stream", { signal })) {
          reconnect.connected();
          for (const { id, data } of parser.feed(chunk)) {
            last = id ?? last;
            if (data === null) continue;
            reconnect.received();
            yield this.#plan.item(request, data) as Changed;
          }
        }
        pause = reconnect.pause(this.#plan.interrupted(request, "the server ended it"));
      } catch (failure) {
        if (signal?.aborted) return;
        if (!(failure instanceof GriotError)) throw failure;
        pause = reconnect.pause(failure);
      }
      await sleep(pause, signal).catch(() => undefined);
    }
  }

  /** Yields the records of the workspace. Throws `Interrupted` if the connection breaks. */
  async *export(
    request: { workspace?: string } = {},
    options: CallOptions = {},
  ): AsyncGenerator<Record<string, unknown>, void, undefined> {
    const asked = this.#plan.request(VERBS.export, request);
    let rest = "";
    let last: Record<string, unknown> = {};
    for await (const chunk of this.#stream(asked, "application/x-ndjson", options)) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line === "") continue;
        last = this.#plan.item(asked, line) as Record<string, unknown>;
        yield last;
      }
    }
    // The last record of an export marks its end, so that a truncated one is noticed.
    if (last["type"] !== "end") throw this.#plan.interrupted(asked, "the last record does not mark the end");
  }

  protected override async ask(verb: Verb, asked: object, options: CallOptions = {}): Promise<unknown> {
    const timeoutMs = options.timeoutMs ?? this.#plan.timeoutMs;
    const end = performance.now() + timeoutMs;
    const request = this.#plan.request(verb, asked);
    const late = AbortSignal.timeout(Math.max(0, timeoutMs));
    const signal = options.signal ? AbortSignal.any([late, options.signal]) : late;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#exchange(request, signal, late, options.signal, timeoutMs);
      } catch (failure) {
        if (!(failure instanceof GriotError)) throw failure;
        const pause = this.#plan.pause(verb, failure, attempt, end - performance.now());
        if (pause === null) throw failure;
        await sleep(pause, options.signal);
      }
    }
  }

  async #exchange(
    request: Request,
    signal: AbortSignal,
    late: AbortSignal,
    own: AbortSignal | undefined,
    timeoutMs: number,
  ): Promise<unknown> {
    let response: Response;
    let text: string;
    try {
      response = await this.#fetch(request.url, { ...request.init, signal });
      text = await response.text();
    } catch (cause) {
      own?.throwIfAborted();
      throw this.#plan.broken(request, cause, late.aborted, timeoutMs);
    }
    return this.#plan.meaning(request, response, text);
  }

  async *#stream(
    request: Request,
    kind: string,
    options: { signal?: AbortSignal | undefined; timeoutMs?: number },
  ): AsyncGenerator<string, void, undefined> {
    const ended = new AbortController();
    const quiet = new AbortController();
    const signals = [ended.signal, quiet.signal, ...(options.signal ? [options.signal] : [])];
    const beginMs = options.timeoutMs ?? this.#plan.timeoutMs;
    let timer = setTimeout(() => quiet.abort(), beginMs);
    try {
      let response: Response;
      try {
        response = await this.#fetch(request.url, { ...request.init, signal: AbortSignal.any(signals) });
        if (response.status !== 200) throw this.#plan.refusal(request, response, await response.text());
      } catch (cause) {
        options.signal?.throwIfAborted();
        if (cause instanceof GriotError) throw cause;
        throw this.#plan.broken(request, cause, quiet.signal.aborted, beginMs);
      }
      this.#plan.checkStream(request, response, kind);
      const reader = response.body?.getReader();
      const decoder = new TextDecoder();
      while (reader) {
        clearTimeout(timer);
        timer = setTimeout(() => quiet.abort(), QUIET_MS);
        const chunk = await reader.read().catch((cause: unknown) => {
          options.signal?.throwIfAborted();
          const why = quiet.signal.aborted ? "no more data arrived" : "the connection broke";
          throw this.#plan.interrupted(request, why, cause);
        });
        if (chunk.done) return;
        clearTimeout(timer);
        yield decoder.decode(chunk.value, { stream: true });
      }
    } finally {
      clearTimeout(timer);
      // Closes the connection when the caller stops reading.
      ended.abort();
    }
  }
}

/** Rejects with the reason of the signal if it aborts first. */
function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

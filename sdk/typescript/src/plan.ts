// Builds requests, interprets responses and decides on retries. Does no I/O and never waits.

import {
  BadAnswer,
  BY_KIND,
  type Candidate,
  Conflict,
  GriotError,
  Interrupted,
  InvalidInput,
  RateLimited,
  TimedOut,
  Unavailable,
  Unreachable,
} from "./errors.js";
import { isSafe, type Verb } from "./verb.js";

export const DEFAULT_URL = "http://127.0.0.1:4747";
const MAY_BE_WRITTEN = "the write may have succeeded; check before retrying";

/** Options of a client. */
export interface Options {
  /** Address of the server; default GRIOT_URL, else http://127.0.0.1:4747. */
  url?: string;
  /** A key from `griot key create`; default GRIOT_API_KEY. Not needed on the server's machine while it has no keys. */
  apiKey?: string;
  /** Default workspace of calls. */
  workspace?: string;
  /** Default user of calls. */
  user?: string;
  /** Default project of calls. */
  project?: string;
  /** Milliseconds for a whole call, retries included; default 30,000. */
  timeoutMs?: number;
  /**
   * Retries where that is safe: of reads, and of writes that were refused as `conflict`, `unavailable` or
   * `rate_limited` or never arrived; default 2.
   */
  retries?: number;
  /** Replaces the `fetch` of the platform. */
  fetch?: typeof fetch;
}

export interface Request {
  verb: Verb;
  id: string;
  url: string;
  init: RequestInit;
}

/** Error codes of Node for failures before anything was sent. */
const NEVER_SENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

export class Plan {
  readonly url: string;
  readonly timeoutMs: number;
  readonly #apiKey: string | undefined;
  readonly #scope: Readonly<Record<string, string | undefined>>;
  readonly #retries: number;

  constructor(options: Options) {
    const { env } = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process ?? {};
    this.url = address(options.url || env?.["GRIOT_URL"] || DEFAULT_URL);
    this.#apiKey = options.apiKey || env?.["GRIOT_API_KEY"] || undefined;
    // Never error in the message: it is a secret.
    if (this.#apiKey !== undefined && !/^[!-~]+$/.test(this.#apiKey)) {
      const why = "it holds a space or a character beyond ASCII";
      throw new InvalidInput({ what: "use the key", why, hint: "griot key create makes one" });
    }
    this.#scope = { workspace: options.workspace, user: options.user, project: options.project };
    this.timeoutMs = options.timeoutMs ?? 30_000;
    this.#retries = options.retries ?? 2;
  }

  request(verb: Verb, asked: object, last: string | null = null): Request {
    const given = new Map(Object.entries(asked).filter(([, value]) => value !== undefined && value !== null));
    for (const [name, value] of Object.entries(this.#scope)) {
      if (verb.role !== null && value !== undefined && !given.has(name)) given.set(name, value);
    }
    const id = newId();
    const headers: Record<string, string> = { "X-Request-Id": id };
    if (this.#apiKey !== undefined) headers["Authorization"] = `Bearer ${this.#apiKey}`;
    if (last !== null) headers["Last-Event-ID"] = last;
    let path = verb.path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = segment(name, given.get(name));
      given.delete(name);
      return value;
    });
    const workspace = given.get("workspace");
    given.delete("workspace");
    let body: string | null = null;
    if (verb.method === "GET" || verb.method === "DELETE") {
      if (workspace !== undefined) given.set("tenantId", workspace);
      const query = [...given].map(([name, value]) => `${encodeURIComponent(name)}=${inAddress(value)}`);
      if (query.length > 0) path += `?${query.join("&")}`;
    } else {
      if (workspace !== undefined) given.set("scope", { tenantId: workspace });
      body = asJson(verb, Object.fromEntries(given));
      headers["Content-Type"] = "application/json";
    }
    const init: RequestInit = { method: verb.method, headers, body, redirect: "manual", credentials: "omit" };
    return { verb, id, url: this.url + path, init };
  }

  /** The answer; throws if the server refused. */
  meaning(request: Request, response: Response, text: string): unknown {
    if (response.status !== 200) throw this.refusal(request, response, text);
    const kind = response.headers.get("content-type")?.split(";")[0]?.trim();
    return kind === "application/json" ? this.item(request, text) : text;
  }

  item(request: Request, text: string): unknown {
    try {
      return JSON.parse(text);
    } catch (cause) {
      const why = "the answer is not JSON";
      throw new BadAnswer({ what: whatOf(request.verb), why, requestId: request.id, cause });
    }
  }

  refusal(request: Request, response: Response, text: string): GriotError {
    const error = refusalIn(text);
    if (error === null) return this.#notGriot(request, response.status);
    const wait = response.headers.get("retry-after");
    const known = BY_KIND[error.kind] ?? GriotError;
    return new known({
      kind: error.kind,
      what: error.what,
      why: error.why,
      hint: error.hint,
      requestId: error.request_id,
      candidates: error.candidates,
      status: response.status,
      retryAfterMs: wait !== null && /^\d+$/.test(wait) ? Number(wait) * 1000 : undefined,
    });
  }

  /** The response came from a proxy, or from another server. */
  #notGriot(request: Request, status: number): GriotError {
    const error = { what: whatOf(request.verb), requestId: request.id, status };
    if (status === 502 || status === 503 || status === 504) {
      return new Unreachable({ ...error, why: `a proxy answered ${status}` }, true);
    }
    const why = `${this.url} answered ${status} with a body that is not Griot's`;
    return new BadAnswer({ ...error, why, hint: "check the address" });
  }

  /** The error for a failed `fetch`. */
  broken(request: Request, cause: unknown, isLate: boolean, timeoutMs: number): GriotError {
    const error = { what: whatOf(request.verb), requestId: request.id, cause };
    const mayBeWritten = isSafe(request.verb) ? null : MAY_BE_WRITTEN;
    if (isLate) return new TimedOut({ ...error, why: `there was no answer within ${timeoutMs} ms`, hint: mayBeWritten });
    const codes = codesOf(cause);
    if (codes.some((code) => code.startsWith("HPE_"))) {
      return new BadAnswer({ ...error, why: `${this.url} is not an HTTP server`, hint: "check the address" });
    }
    const wasSent = !codes.some((code) => NEVER_SENT.has(code));
    const hint = wasSent ? mayBeWritten : "start a server with griot serve, or set GRIOT_URL to its address";
    return new Unreachable({ ...error, why: `${this.url} does not answer: ${reason(cause)}`, hint }, wasSent);
  }

  /** Checks the head of a stream. */
  checkStream(request: Request, response: Response, kind: string): void {
    if (response.headers.get("content-type")?.split(";")[0]?.trim() === kind) return;
    const why = `${this.url} did not answer with \`${kind}\``;
    throw new BadAnswer({ what: whatOf(request.verb), why, hint: "check the address", requestId: request.id });
  }

  /** The error for a stream that broke after it had started. */
  interrupted(request: Request, why: string, cause?: unknown): GriotError {
    const what = `read the stream of \`${request.verb.name}\` to its end`;
    return new Interrupted({ what, why, requestId: request.id, cause });
  }

  /**
   * Milliseconds to wait before a retry; `null` if a retry is unsafe or pointless. A write is retried only if
   * it was not done: it never arrived, or the server refused it.
   */
  pause(verb: Verb, failure: GriotError, attempt: number, leftMs: number): number | null {
    if (attempt >= this.#retries) return null;
    const may =
      failure instanceof Unreachable
        ? isSafe(verb) || !failure.mayHaveArrived
        : failure instanceof Conflict || failure instanceof Unavailable || failure instanceof RateLimited;
    const pause = failure.retryAfterMs || 50 * 2 ** attempt * (0.5 + Math.random());
    return may && pause < leftMs ? pause : null;
  }
}

/** Decides how long to keep reconnecting an event stream. */
export class Reconnect {
  readonly #ms: number;
  #downSince: number | null = null;
  #tries = 0;

  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Connected. Does not reset the backoff, for servers that end each stream at once. */
  connected(): void {
    this.#downSince = null;
  }

  received(): void {
    this.#tries = 0;
  }

  /** Milliseconds to wait before reconnecting; throws the failure if that is pointless. */
  pause(failure: GriotError): number {
    const now = performance.now();
    this.#downSince ??= now;
    const pause = failure.retryAfterMs || Math.min(50 * 2 ** this.#tries, 5000) * (0.5 + Math.random());
    this.#tries += 1;
    const transient = [Unavailable, Conflict, RateLimited, TimedOut, Interrupted].some((kind) => failure instanceof kind);
    if (!transient || now + pause - this.#downSince > this.#ms) throw failure;
    return pause;
  }
}

/** Parses chunks of text into events. */
export class EventParser {
  #rest = "";
  #data: string[] = [];
  #id: string | null = null;

  /** Pairs of id and data; an id without data only says where to resume. */
  feed(chunk: string): { id: string | null; data: string | null }[] {
    const found: { id: string | null; data: string | null }[] = [];
    const lines = (this.#rest + chunk).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const whole of lines) {
      const line = whole.endsWith("\r") ? whole.slice(0, -1) : whole;
      if (line === "") {
        const data = this.#data.length > 0 ? this.#data.join("\n") : null;
        if (data !== null || this.#id !== null) found.push({ id: this.#id, data });
        this.#data = [];
        this.#id = null;
        continue;
      }
      const colon = line.indexOf(":");
      const name = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (name === "data") this.#data.push(value);
      else if (name === "id") this.#id = value;
    }
    return found;
  }
}

function address(url: string): string {
  const wrong = (why: string) =>
    new InvalidInput({ what: `use the address \`${url}\``, why, hint: `write it as ${DEFAULT_URL}` });
  let parts: URL;
  try {
    parts = new URL(url);
  } catch {
    throw wrong("not an address");
  }
  if (parts.protocol !== "http:" && parts.protocol !== "https:") throw wrong("not an HTTP address");
  if (parts.search || parts.hash || parts.username || parts.password) throw wrong("it has a query, a fragment or credentials");
  return parts.origin + parts.pathname.replace(/\/+$/, "");
}

function asJson(verb: Verb, given: object): string {
  try {
    return JSON.stringify(given);
  } catch (cause) {
    throw new InvalidInput({ what: whatOf(verb), why: `an argument cannot be written as JSON: ${reason(cause)}`, cause });
  }
}

function segment(name: string, value: unknown): string {
  const text = value === undefined ? "" : String(value);
  // URL parsers resolve the segments `.` and `..`, so they cannot be names.
  if (text === "" || text === "." || text === "..") {
    throw new InvalidInput({ what: `use \`${text}\` as \`${name}\``, why: "not a valid name" });
  }
  return escaped(text);
}

function inAddress(value: unknown): string {
  return Array.isArray(value) ? value.map((one) => escaped(String(one))).join(",") : escaped(String(value));
}

function escaped(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch (cause) {
    throw new InvalidInput({ what: "write the address", why: "a name contains an unpaired surrogate", cause });
  }
}

interface Refusal {
  kind: string;
  what: string;
  why: string;
  hint?: string;
  request_id?: string;
  candidates?: Candidate[];
}

function refusalIn(text: string): Refusal | null {
  try {
    const { error } = JSON.parse(text);
    return typeof error.kind === "string" && typeof error.what === "string" ? error : null;
  } catch {
    return null;
  }
}

/** `randomUUID` is missing on pages served over plain HTTP. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The `fetch` of Node wraps the original error, sometimes several times. */
function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  for (let one = error as { code?: unknown; cause?: unknown } | undefined; one; one = one.cause as typeof one) {
    if (typeof one.code === "string") codes.push(one.code);
  }
  return codes;
}

function reason(error: unknown): string {
  let one = error as { message?: string; code?: string; cause?: unknown };
  while (one?.cause) one = one.cause as typeof one;
  return one?.message || one?.code || String(error);
}

function whatOf(verb: Verb): string {
  return verb.method === "GET" ? `get \`${verb.name}\`` : `ask the server to ${verb.name}`;
}

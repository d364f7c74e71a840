// What is sent, what an answer means, and when to ask again. Nothing here waits or opens a connection.

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
const NOT_KNOWN = "what was to be written may have been written: ask before you try again";

/** How a client is set up. */
export interface Options {
  /** Where the server is; default GRIOT_URL, else http://127.0.0.1:4747. */
  url?: string;
  /** A key of `griot key create`; default GRIOT_API_KEY. Not needed on the server's machine while it has none. */
  apiKey?: string;
  /** The workspace of calls that name none. */
  workspace?: string;
  /** The user of calls that name none. */
  user?: string;
  /** The project of calls that name none. */
  project?: string;
  /** Milliseconds for a whole call, other tries included; default 30,000. */
  timeoutMs?: number;
  /**
   * Further tries where it is safe: what only reads, and what was refused as `conflict`, `unavailable` or
   * `rate_limited`, or never arrived; default 2.
   */
  retries?: number;
  /** What sends; default the `fetch` of the platform. */
  fetch?: typeof fetch;
}

export interface Request {
  verb: Verb;
  id: string;
  url: string;
  init: RequestInit;
}

/** Codes of Node for what failed before anything was sent. */
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
    // Never told in the message: it is a secret.
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

  /** The answer, or what is thrown in place of it. */
  meaning(request: Request, response: Response, text: string): unknown {
    if (response.status !== 200) throw this.refusal(request, response, text);
    const kind = response.headers.get("content-type")?.split(";")[0]?.trim();
    return kind === "application/json" ? this.item(request, text) : text;
  }

  item(request: Request, text: string): unknown {
    try {
      return JSON.parse(text);
    } catch (cause) {
      const why = "what came back is no JSON";
      throw new BadAnswer({ what: whatOf(request.verb), why, requestId: request.id, cause });
    }
  }

  refusal(request: Request, response: Response, text: string): GriotError {
    const told = refusalIn(text);
    if (told === null) return this.#notGriot(request, response.status);
    const wait = response.headers.get("retry-after");
    const known = BY_KIND[told.kind] ?? GriotError;
    return new known({
      kind: told.kind,
      what: told.what,
      why: told.why,
      hint: told.hint,
      requestId: told.request_id,
      candidates: told.candidates,
      status: response.status,
      retryAfterMs: wait !== null && /^\d+$/.test(wait) ? Number(wait) * 1000 : undefined,
    });
  }

  /** Something between answered, or another server. */
  #notGriot(request: Request, status: number): GriotError {
    const told = { what: whatOf(request.verb), requestId: request.id, status };
    if (status === 502 || status === 503 || status === 504) {
      return new Unreachable({ ...told, why: `what stands before the server answered ${status}` }, true);
    }
    const why = `${this.url} answered ${status} in words that are not Griot's`;
    return new BadAnswer({ ...told, why, hint: "check the address" });
  }

  /** What a failing `fetch` means. */
  broken(request: Request, cause: unknown, isLate: boolean, timeoutMs: number): GriotError {
    const told = { what: whatOf(request.verb), requestId: request.id, cause };
    const notKnown = isSafe(request.verb) ? null : NOT_KNOWN;
    if (isLate) return new TimedOut({ ...told, why: `there was no answer within ${timeoutMs} ms`, hint: notKnown });
    const codes = codesOf(cause);
    if (codes.some((code) => code.startsWith("HPE_"))) {
      return new BadAnswer({ ...told, why: `${this.url} is no HTTP server`, hint: "check the address" });
    }
    const wasSent = !codes.some((code) => NEVER_SENT.has(code));
    const hint = wasSent ? notKnown : "griot serve starts a server; GRIOT_URL says where it is";
    return new Unreachable({ ...told, why: `${this.url} does not answer: ${reason(cause)}`, hint }, wasSent);
  }

  /** What has to hold before a stream is read. */
  checkStream(request: Request, response: Response, kind: string): void {
    if (response.headers.get("content-type")?.split(";")[0]?.trim() === kind) return;
    const why = `${this.url} answered something else than \`${kind}\``;
    throw new BadAnswer({ what: whatOf(request.verb), why, hint: "check the address", requestId: request.id });
  }

  /** A stream that had begun. */
  interrupted(request: Request, why: string, cause?: unknown): GriotError {
    const what = `read the stream of \`${request.verb.name}\` to its end`;
    return new Interrupted({ what, why, requestId: request.id, cause });
  }

  /**
   * Milliseconds to wait before the same is asked again; `null` if it must not be, or makes no sense. A write is asked
   * again only if it was not done: it never arrived, or the server said so.
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

/** How long a stream of events may be away before its reader is told. */
export class Patience {
  readonly #ms: number;
  #awaySince: number | null = null;
  #tries = 0;

  constructor(ms: number) {
    this.#ms = ms;
  }

  /** The server is there; one that ends each stream at once is still asked less and less often. */
  connected(): void {
    this.#awaySince = null;
  }

  received(): void {
    this.#tries = 0;
  }

  /** Milliseconds to the next try; throws the failure where no try makes sense. */
  pause(failure: GriotError): number {
    const now = performance.now();
    this.#awaySince ??= now;
    const pause = failure.retryAfterMs || Math.min(50 * 2 ** this.#tries, 5000) * (0.5 + Math.random());
    this.#tries += 1;
    const passing = [Unavailable, Conflict, RateLimited, TimedOut, Interrupted].some((kind) => failure instanceof kind);
    if (!passing || now + pause - this.#awaySince > this.#ms) throw failure;
    return pause;
  }
}

/** Events out of pieces of text. */
export class EventReading {
  #rest = "";
  #data: string[] = [];
  #id: string | null = null;

  /** Ids with what was told; an id alone only says where to go on. */
  feed(piece: string): { id: string | null; data: string | null }[] {
    const found: { id: string | null; data: string | null }[] = [];
    const lines = (this.#rest + piece).split("\n");
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
    throw wrong("it is no address");
  }
  if (parts.protocol !== "http:" && parts.protocol !== "https:") throw wrong("it is no address of HTTP");
  if (parts.search || parts.hash || parts.username || parts.password) throw wrong("it holds more than a place");
  return parts.origin + parts.pathname.replace(/\/+$/, "");
}

function asJson(verb: Verb, given: object): string {
  try {
    return JSON.stringify(given);
  } catch (cause) {
    throw new InvalidInput({ what: whatOf(verb), why: `an argument is no JSON: ${reason(cause)}`, cause });
  }
}

function segment(name: string, value: unknown): string {
  const text = value === undefined ? "" : String(value);
  // An address cannot hold `.` and `..` as a whole name: whoever reads it takes them for steps.
  if (text === "" || text === "." || text === "..") {
    throw new InvalidInput({ what: `use \`${text}\` as \`${name}\``, why: "it is no name" });
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
    throw new InvalidInput({ what: "write the address", why: "a name holds half a character", cause });
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

/** `randomUUID` is not there on pages that came over plain HTTP. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** `fetch` of Node wraps what happened, sometimes several times. */
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

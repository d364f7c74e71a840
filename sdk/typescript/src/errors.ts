// What can go wrong: one class for each kind of refusal, and three that only a client knows. What to do next follows
// from the kind.

/** One of the things that a name may mean. */
export interface Candidate {
  /** What to say instead: canonical id or handle. */
  id: string;
  /** The name of an entity, or how a memory begins. */
  name: string;
}

export interface Told {
  what: string;
  why: string;
  hint?: string | null | undefined;
  requestId?: string | null | undefined;
  status?: number | undefined;
  retryAfterMs?: number | undefined;
  candidates?: readonly Candidate[] | undefined;
  /** Where the class does not say it. */
  kind?: string | undefined;
  cause?: unknown;
}

/** A request that was not answered. */
export class GriotError extends Error {
  readonly kind: string = "unknown";
  /** What could not be done. */
  readonly what: string;
  readonly why: string;
  /** What helps, where that is known. */
  readonly hint: string | null;
  /** Finds the request in the server's log. */
  readonly requestId: string | null;
  /** The status of HTTP; `null` if the server did not answer. */
  readonly status: number | null;
  /** After which another try makes sense, if the server said so. */
  readonly retryAfterMs: number | null;
  /** What a name may mean that means more than one thing. */
  readonly candidates: readonly Candidate[];

  constructor(told: Told) {
    const hint = told.hint ? ` (hint: ${told.hint})` : "";
    super(`cannot ${told.what}: ${told.why}${hint}`, { cause: told.cause });
    this.name = new.target.name;
    if (told.kind !== undefined) this.kind = told.kind;
    this.what = told.what;
    this.why = told.why;
    this.hint = told.hint ?? null;
    this.requestId = told.requestId ?? null;
    this.status = told.status ?? null;
    this.retryAfterMs = told.retryAfterMs ?? null;
    this.candidates = told.candidates ?? [];
  }
}

/** The request is wrong. Another try will fail alike. */
export class InvalidInput extends GriotError {
  override readonly kind = "invalid_input";
}

/** The named thing does not exist. */
export class NotFound extends GriotError {
  override readonly kind = "not_found";
}

/** Somebody else was first. Another try may succeed; the client made `retries` of them. */
export class Conflict extends GriotError {
  override readonly kind = "conflict";
}

/** Wait or configure. Another try may succeed; the client made `retries` of them. */
export class Unavailable extends GriotError {
  override readonly kind: string = "unavailable";
}

/** The workspace is damaged. */
export class Corrupt extends GriotError {
  override readonly kind = "corrupt";
}

/** The server failed in an unforeseen way. */
export class Bug extends GriotError {
  override readonly kind = "bug";
}

/** The key is missing, wrong or revoked. */
export class Unauthenticated extends GriotError {
  override readonly kind = "unauthenticated";
}

/** The key does not reach this far. */
export class Forbidden extends GriotError {
  override readonly kind = "forbidden";
}

/** Too many requests; `retryAfterMs` says how long to wait. */
export class RateLimited extends GriotError {
  override readonly kind = "rate_limited";
}

/** The body is larger than the server takes. */
export class TooLarge extends GriotError {
  override readonly kind = "too_large";
}

/** There was no answer in time. What was to be written may have been written. */
export class TimedOut extends GriotError {
  override readonly kind = "timed_out";
}

/** The route does not know this method: client and server do not fit together. */
export class MethodNotAllowed extends GriotError {
  override readonly kind = "method_not_allowed";
}

/** The body is no JSON. */
export class UnsupportedMediaType extends GriotError {
  override readonly kind = "unsupported_media_type";
}

/** There was no answer of the server: nobody listens, or the connection broke. */
export class Unreachable extends Unavailable {
  override readonly kind = "unreachable";
  /** The request was on its way, so that what was to be written may have been written. */
  readonly mayHaveArrived: boolean;

  constructor(told: Told, mayHaveArrived: boolean) {
    super(told);
    this.mayHaveArrived = mayHaveArrived;
  }
}

/** A stream ended before its end. */
export class Interrupted extends GriotError {
  override readonly kind = "interrupted";
}

/** What answered does not speak Griot's HTTP. */
export class BadAnswer extends GriotError {
  override readonly kind = "bad_answer";
}

/** The kinds that a server tells. */
export const BY_KIND: Readonly<Record<string, new (told: Told) => GriotError>> = {
  invalid_input: InvalidInput,
  not_found: NotFound,
  conflict: Conflict,
  unavailable: Unavailable,
  corrupt: Corrupt,
  bug: Bug,
  unauthenticated: Unauthenticated,
  forbidden: Forbidden,
  rate_limited: RateLimited,
  too_large: TooLarge,
  timed_out: TimedOut,
  method_not_allowed: MethodNotAllowed,
  unsupported_media_type: UnsupportedMediaType,
};

// Errors: one class for each kind of error of the server, and three of the client. The kind decides what to
// do next.

/** One meaning of an ambiguous name. */
export interface Candidate {
  /** Use this instead: canonical id or handle. */
  id: string;
  /** The name of an entity, or the start of a memory. */
  name: string;
}

export interface ErrorDetails {
  what: string;
  why: string;
  hint?: string | null | undefined;
  requestId?: string | null | undefined;
  status?: number | undefined;
  retryAfterMs?: number | undefined;
  candidates?: readonly Candidate[] | undefined;
  /** For kinds without a class of their own. */
  kind?: string | undefined;
  cause?: unknown;
}

/** A failed request. */
export class GriotError extends Error {
  readonly kind: string = "unknown";
  /** What could not be done. */
  readonly what: string;
  readonly why: string;
  /** What may help, if known. */
  readonly hint: string | null;
  /** Identifies the request in the server's log. */
  readonly requestId: string | null;
  /** HTTP status; `null` if the server did not answer. */
  readonly status: number | null;
  /** Milliseconds to wait before a retry, if the server said so. */
  readonly retryAfterMs: number | null;
  /** The meanings of an ambiguous name. */
  readonly candidates: readonly Candidate[];

  constructor(details: ErrorDetails) {
    const hint = details.hint ? ` (hint: ${details.hint})` : "";
    super(`cannot ${details.what}: ${details.why}${hint}`, { cause: details.cause });
    this.name = new.target.name;
    if (details.kind !== undefined) this.kind = details.kind;
    this.what = details.what;
    this.why = details.why;
    this.hint = details.hint ?? null;
    this.requestId = details.requestId ?? null;
    this.status = details.status ?? null;
    this.retryAfterMs = details.retryAfterMs ?? null;
    this.candidates = details.candidates ?? [];
  }
}

/** The request is invalid. A retry will fail, too. */
export class InvalidInput extends GriotError {
  override readonly kind = "invalid_input";
}

/** The named thing does not exist. */
export class NotFound extends GriotError {
  override readonly kind = "not_found";
}

/** Another write came first. A retry may succeed; the client made `retries` of them. */
export class Conflict extends GriotError {
  override readonly kind = "conflict";
}

/** Wait, or change the configuration. A retry may succeed; the client made `retries` of them. */
export class Unavailable extends GriotError {
  override readonly kind: string = "unavailable";
}

/** The workspace is damaged. */
export class Corrupt extends GriotError {
  override readonly kind = "corrupt";
}

/** The server has a bug. */
export class Bug extends GriotError {
  override readonly kind = "bug";
}

/** The key is missing, wrong or revoked. */
export class Unauthenticated extends GriotError {
  override readonly kind = "unauthenticated";
}

/** The key does not allow this. */
export class Forbidden extends GriotError {
  override readonly kind = "forbidden";
}

/** Too many requests; `retryAfterMs` says how long to wait. */
export class RateLimited extends GriotError {
  override readonly kind = "rate_limited";
}

/** The body is larger than the server accepts. */
export class TooLarge extends GriotError {
  override readonly kind = "too_large";
}

/** No answer in time. A write may have succeeded. */
export class TimedOut extends GriotError {
  override readonly kind = "timed_out";
}

/** The route has no such method: client and server are incompatible. */
export class MethodNotAllowed extends GriotError {
  override readonly kind = "method_not_allowed";
}

/** The body is not JSON. */
export class UnsupportedMediaType extends GriotError {
  override readonly kind = "unsupported_media_type";
}

/** No answer: no server is listening, or the connection broke. */
export class Unreachable extends Unavailable {
  override readonly kind = "unreachable";
  /** The request was sent, so a write may have succeeded. */
  readonly mayHaveArrived: boolean;

  constructor(details: ErrorDetails, mayHaveArrived: boolean) {
    super(details);
    this.mayHaveArrived = mayHaveArrived;
  }
}

/** A stream broke off. */
export class Interrupted extends GriotError {
  override readonly kind = "interrupted";
}

/** The response did not come from a Griot server. */
export class BadAnswer extends GriotError {
  override readonly kind = "bad_answer";
}

/** Classes by the kinds that a server sends. */
export const BY_KIND: Readonly<Record<string, new (details: ErrorDetails) => GriotError>> = {
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

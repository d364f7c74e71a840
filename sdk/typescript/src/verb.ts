/** One route of the server. */
export interface Verb {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** What a key needs: `read`, `write` or `admin`; `null` for what everybody may ask. */
  readonly role: string | null;
}

/** What one call may do differently. */
export interface CallOptions {
  /** Ends the call early. */
  signal?: AbortSignal;
  /** Milliseconds for the whole call, other tries included. */
  timeoutMs?: number;
}

/** Asked twice, it does no more than asked once. */
export function isSafe(verb: Verb): boolean {
  return verb.role === null || verb.role === "read" || verb.method === "GET";
}

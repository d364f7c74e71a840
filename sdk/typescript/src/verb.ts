/** One route of the server. */
export interface Verb {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** The role that a key needs: `read`, `write` or `admin`; `null` for public routes. */
  readonly role: string | null;
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call early. */
  signal?: AbortSignal;
  /** Milliseconds for the whole call, retries included. */
  timeoutMs?: number;
}

/** Whether a retry has no further effect. */
export function isSafe(verb: Verb): boolean {
  return verb.role === null || verb.role === "read" || verb.method === "GET";
}

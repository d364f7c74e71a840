// The server as this tab sees it: the key, the workspace, the client, and what changes while the page is open.

import { Griot } from "../../sdk/typescript/src/client.js";
import { GriotError } from "../../sdk/typescript/src/errors.js";
import type { Changed } from "../../sdk/typescript/src/types.js";

const KEY = "griot.key";
const WORKSPACE = "griot.workspace";

class Session extends EventTarget {
  client = this.#connected();
  #live: AbortController | null = null;

  get workspace(): string {
    return sessionStorage.getItem(WORKSPACE) ?? "";
  }

  /** Kept for this tab only; an empty key forgets it. */
  use(key: string, workspace = this.workspace): void {
    for (const [name, value] of [[KEY, key], [WORKSPACE, workspace]] as const) {
      if (value === "") sessionStorage.removeItem(name);
      else sessionStorage.setItem(name, value);
    }
    this.client = this.#connected();
    this.watch();
    this.dispatchEvent(new Event("connected"));
  }

  /** A request that the client has no method for, with the key of this tab. */
  async request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    const key = sessionStorage.getItem(KEY);
    if (key) headers.set("authorization", `Bearer ${key}`);
    const url = new URL(path, location.origin);
    // Only a read takes it in the address.
    const isRead = (init.method ?? "GET") === "GET";
    if (isRead && this.workspace !== "") url.searchParams.set("tenantId", this.workspace);
    const response = await fetch(url, { ...init, headers });
    if (response.ok || response.status === 304) return response;
    const told = (await response.json().catch(() => null)) as { error?: { why?: string; hint?: string } } | null;
    throw new Error([told?.error?.why ?? response.statusText, told?.error?.hint].filter(Boolean).join(": "));
  }

  /** Dispatches `changed` for each change of the workspace, and `reachable` when the stream ends or comes back. */
  watch(): void {
    this.#live?.abort();
    const ended = (this.#live = new AbortController());
    void (async () => {
      while (!ended.signal.aborted) {
        try {
          for await (const change of this.client.events({ signal: ended.signal, patienceMs: 600_000 })) {
            this.dispatchEvent(new CustomEvent<Changed>("changed", { detail: change }));
          }
        } catch (failure) {
          this.dispatchEvent(new CustomEvent("failed", { detail: failure }));
          if (failure instanceof GriotError && ["unauthenticated", "forbidden"].includes(failure.kind)) return;
        }
        await new Promise((done) => setTimeout(done, 2000));
      }
    })();
  }

  #connected(): Griot {
    const apiKey = sessionStorage.getItem(KEY);
    return new Griot({
      url: location.origin,
      ...(apiKey ? { apiKey } : {}),
      ...(this.workspace ? { workspace: this.workspace } : {}),
    });
  }
}

export const session = new Session();

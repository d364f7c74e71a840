// Takes the place of `src/parts/workspace.ts`: what may be done here depends on the chat client, too.

import type { Role } from "../src/parts/workspace.js";
import { listen, type Part } from "../src/parts/part.js";
import { host, session } from "./session.js";

const ORDER: Role[] = ["read", "write", "admin"];

class Workspace extends EventTarget {
  #role: Role | null = null;

  /** A role counts once the server has told it. */
  may(role: Role): boolean {
    if (role === "read") return host.mayCall;
    return this.#role !== null && ORDER.indexOf(this.#role) >= ORDER.indexOf(role);
  }

  async load(): Promise<void> {
    if (!host.mayCall) return;
    const status = (await session.client.status()) as { role?: Role };
    this.#role = status.role ?? null;
    this.dispatchEvent(new Event("told"));
  }
}

export const workspace = new Workspace();

/** Draws the part again when more is known of the workspace. */
export function followWorkspace(part: Part): void {
  listen(part, workspace, "told", () => part.requestUpdate());
}

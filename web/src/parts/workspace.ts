// What the page knows of the workspace: how much is in it, and what the key of this tab may do.

import type { Status } from "../../../sdk/typescript/src/types.js";
import { Unreachable } from "../../../sdk/typescript/src/errors.js";
import { session } from "../session.js";
import { listen, type Part } from "./part.js";
import { tellSession } from "./asked.js";
import { paced } from "./changes.js";

export type Role = "read" | "write" | "admin";

const ORDER: Role[] = ["read", "write", "admin"];
/** Milliseconds until a server that does not answer is asked again. */
const AGAIN_MS = 2000;

class Workspace extends EventTarget {
  status: Status | null = null;

  constructor() {
    super();
    session.addEventListener("connected", () => {
      this.status = null;
      void this.load();
    });
    session.addEventListener("changed", paced(() => void this.load()));
    void this.load();
  }

  /** `true` until the server says which role the key has: it refuses what the key may not do. */
  may(role: Role): boolean {
    const own = (this.status as { role?: Role | null } | null)?.role;
    return !own || ORDER.indexOf(own) >= ORDER.indexOf(role);
  }

  get isEmpty(): boolean {
    const counts = this.status?.counts;
    return counts !== undefined && counts.memories === 0 && counts.sources === 0;
  }

  async load(): Promise<void> {
    try {
      this.status = await session.client.status();
      this.dispatchEvent(new Event("told"));
    } catch (failure) {
      tellSession(failure);
      if (failure instanceof Unreachable) setTimeout(() => void this.load(), AGAIN_MS);
    }
  }
}

export const workspace = new Workspace();

/** Draws the part again when more is known of the workspace. */
export function followWorkspace(part: Part): void {
  listen(part, workspace, "told", () => part.requestUpdate());
}

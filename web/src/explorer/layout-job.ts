// Whether the places of the picture are final: the layout of the whole graph is a job of the server.

import { html, nothing, type ReactiveController, type TemplateResult } from "lit";
import type { GraphLayout } from "../../../sdk/typescript/src/types.js";
import type { Part } from "../parts/part.js";
import { scopeOf } from "../parts/scope.js";
import { workspace } from "../parts/workspace.js";
import { session } from "../session.js";
import { percent } from "./words.js";

const POLL_MS = 1_500;

export class LayoutJob implements ReactiveController {
  /** How far it is; `null` where the picture has its places. */
  state: GraphLayout | null = null;
  readonly #part: Part;
  readonly #reload: () => Promise<void>;
  readonly #failed: (failure: unknown) => void;
  #poll: ReturnType<typeof setTimeout> | undefined;
  /** The picture that was loaded again when its layout was there. */
  #relaid = "";

  constructor(part: Part, reload: () => Promise<void>, failed: (failure: unknown) => void) {
    this.#part = part;
    this.#reload = reload;
    this.#failed = failed;
    part.addController(this);
  }

  hostDisconnected(): void {
    clearTimeout(this.#poll);
  }

  /** While the places of `picture` are provisional, tells how far the job is; loads it again with the layout. */
  async watch(picture: string, isComputed: boolean): Promise<void> {
    clearTimeout(this.#poll);
    if (isComputed) return this.#tell(null);
    try {
      const layout = await session.client.graphLayout(scopeOf());
      if (layout.state === "ready") {
        this.#tell(null);
        // Once: a graph that changes all the time is always a little ahead of its layout.
        if (this.#relaid === picture) return;
        this.#relaid = picture;
        return await this.#reload();
      }
      this.#tell(layout);
      if (layout.state === "running" && this.#part.isConnected) {
        this.#poll = setTimeout(() => void this.watch(picture, false), POLL_MS);
      }
    } catch {
      // The picture is there without; the next load asks again.
      this.#tell(null);
    }
  }

  async #compute(picture: string): Promise<void> {
    try {
      this.#tell(await session.client.layOutGraph());
      this.#poll = setTimeout(() => void this.watch(picture, false), POLL_MS);
    } catch (failure) {
      this.#failed(failure);
    }
  }

  #tell(state: GraphLayout | null): void {
    this.state = state;
    this.#part.requestUpdate();
  }

  /** Communities are there only with the layout: without it a picture of them has no nodes. */
  view(picture: string, nodes: number): TemplateResult | typeof nothing {
    if (this.state === null) return nothing;
    if (this.state.state === "running") {
      const done = `${percent(this.state.share)} done`;
      return nodes === 0
        ? html`The communities of this workspace are being computed: ${done}. A search works meanwhile.`
        : html`Places are provisional; the layout is ${done}.`;
    }
    const compute = html`<button @click=${() => void this.#compute(picture)}>Compute the layout</button>`;
    return html`Places are provisional. ${workspace.may("write") ? compute : nothing}`;
  }
}

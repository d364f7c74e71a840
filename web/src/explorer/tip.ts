// What the pointer rests on, in a few lines beside it.

import { html, nothing, type ReactiveController, type TemplateResult } from "lit";
import type { Edge } from "../../../sdk/typescript/src/types.js";
import type { Part } from "../parts/part.js";
import { scopeOf } from "../parts/scope.js";
import { session } from "../session.js";
import type { Point } from "./camera.js";
import { tooltip } from "./detail.js";
import type { Graph } from "./graph.js";
import type { Spot } from "./picture.js";

/** Only where the pointer rests, or each move over a dense picture would ask the server. */
const REST_MS = 200;
/** Edges of which is kept what was read. */
const KEPT = 500;

export class Tip implements ReactiveController {
  #shown: { at: Point; lines: string[]; more: string[] } | null = null;
  readonly #part: Part;
  readonly #read = new Map<string, string[]>();
  #rest: ReturnType<typeof setTimeout> | undefined;
  #asked = new AbortController();

  constructor(part: Part) {
    this.#part = part;
    part.addController(this);
  }

  hostDisconnected(): void {
    this.#stop();
  }

  hostUpdated(): void {
    const box = this.#part.querySelector<HTMLElement>(".tip");
    if (!this.#shown || !box) return;
    const { at } = this.#shown;
    const room = box.closest(".explorer-stage")!.getBoundingClientRect();
    box.style.left = `${Math.max(4, Math.min(at.x + 14, room.width - box.offsetWidth - 4))}px`;
    const below = at.y + 16;
    const above = Math.max(4, at.y - box.offsetHeight - 10);
    box.style.top = `${below + box.offsetHeight > room.height ? above : below}px`;
  }

  show(graph: Graph, { node, edge, at }: Spot): void {
    this.#stop();
    const lines = tooltip(graph, node, edge);
    if (lines.length === 0) return this.hide();
    const handle = edge === null ? "" : graph.edgeHandles.at(edge);
    this.#tell({ at, lines, more: this.#read.get(handle) ?? [] });
    if (handle === "" || this.#read.has(handle)) return;
    this.#rest = setTimeout(() => void this.#ask(handle), REST_MS);
  }

  hide(): void {
    this.#stop();
    if (this.#shown) this.#tell(null);
  }

  view(): TemplateResult | typeof nothing {
    if (!this.#shown) return nothing;
    const { lines, more } = this.#shown;
    return html`<div class="tip" role="tooltip">${[...lines, ...more].map((line) =>
      html`<div dir="auto">${line}</div>`)}</div>`;
  }

  async #ask(name: string): Promise<void> {
    const { signal } = (this.#asked = new AbortController());
    try {
      const more = linesOf(await session.client.edge({ name, ...scopeOf() }, { signal }));
      if (this.#read.size > KEPT) this.#read.clear();
      this.#read.set(name, more);
      if (this.#shown && !signal.aborted) this.#tell({ ...this.#shown, more });
    } catch {
      // The box keeps what the picture itself knows.
    }
  }

  #stop(): void {
    clearTimeout(this.#rest);
    this.#asked.abort();
  }

  #tell(shown: { at: Point; lines: string[]; more: string[] } | null): void {
    this.#shown = shown;
    this.#part.requestUpdate();
  }
}

/** What the picture does not know of an edge. */
function linesOf(edge: Edge): string[] {
  const said = edge.evidence.slice(0, 2).flatMap((one) => one.quote ?? one.reason ?? []);
  return [
    ...(edge.label === "" ? [] : [`label ${edge.label}`]),
    ...(edge.keywords.length === 0 ? [] : [`keywords ${edge.keywords.join(", ")}`]),
    `stated by ${edge.provenance}`,
    ...said.map((text) => `“${text.slice(0, 140)}”`),
    ...(edge.expires_at ? [`expires ${edge.expires_at.slice(0, 10)}`] : []),
  ];
}

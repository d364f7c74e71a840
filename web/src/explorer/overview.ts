// What the workspace holds: totals, types, the best connected, what came in last.

import { html, nothing, type TemplateResult } from "lit";
import type { Hub, Memory, Status } from "../../../sdk/typescript/src/types.js";
import { Part } from "../parts/part.js";
import { session } from "../session.js";
import { scopeOf } from "../parts/scope.js";
import { count, reason } from "../parts/told.js";
import { day } from "./words.js";

class Overview extends Part {
  static override properties = { revision: {}, told: { state: true }, why: { state: true } };
  declare revision: number;
  declare told: { status: Status; hubs: Hub[]; latest: Memory[] } | null;
  declare why: string;

  constructor() {
    super();
    this.revision = 0;
    this.told = null;
    this.why = "";
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("revision")) void this.#load();
  }

  async #load(): Promise<void> {
    try {
      const [status, hubs, latest] = await Promise.all([
        session.client.status(scopeOf()),
        session.client.hubs({ limit: 10, ...scopeOf() }),
        session.client.memories({ limit: 8, ...scopeOf() }),
      ]);
      this.told = { status, hubs, latest };
      this.why = "";
    } catch (failure) {
      this.why = reason(failure);
    }
  }

  protected override render(): TemplateResult {
    if (this.why !== "") return html`<p class="bad">${this.why}</p>`;
    if (!this.told) return html`<p class="quiet">Loading…</p>`;
    const {
      status: { counts },
      hubs,
      latest,
    } = this.told;
    const types = Object.entries(counts.entities_by_type).sort((a, b) => b[1] - a[1]);
    const most = types[0]?.[1] ?? 1;
    return html`
      <p>${count(counts.memories, "memory", "memories")}, ${count(counts.entities, "entity", "entities")},
        ${count(counts.edges, "stored edge")}, ${count(counts.facts, "fact")},
        ${count(counts.sources, "source")}</p>
      ${
        types.length === 0
          ? nothing
          : html`
        <h2>Entities by type</h2>
        <table class="bars"><tbody>${types.map(
          ([type, number]) => html`
          <tr><th scope="row">${type}</th><td><meter min="0" max=${most} value=${number}></meter></td>
            <td class="number">${number.toLocaleString("en")}</td></tr>`,
        )}</tbody></table>`
      }
      ${
        hubs.length === 0
          ? nothing
          : html`
        <h2>Best connected</h2>
        <ol class="plain">${hubs.map(
          ({ entity, degree }) => html`
          <li class="row">
            <button class="link clip grow" dir="auto"
              @click=${() => this.#select(entity.id)}>${entity.name}</button>
            <span class="quiet">${degree.toLocaleString("en")}</span></li>`,
        )}</ol>`
      }
      ${
        latest.length === 0
          ? nothing
          : html`
        <h2>Came in last</h2>
        <ol class="plain">${latest.map(
          (memory) => html`
          <li><button class="link clip" dir="auto" @click=${() => this.#select(memory.handle)}>
              ${memory.text.slice(0, 90)}</button>
            <span class="quiet">${memory.kind}, ${day(memory.recorded_at)}</span></li>`,
        )}</ol>`
      }
    `;
  }

  #select(handle: string): void {
    this.dispatchEvent(new CustomEvent("select", { detail: handle }));
  }
}

customElements.define("griot-overview", Overview);

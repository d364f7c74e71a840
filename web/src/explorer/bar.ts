// The line above the picture: search, steps, how much is shown, tools.

import { html, nothing, type TemplateResult } from "lit";
import { change } from "../address.js";
import type { Graph } from "./graph.js";
import { filtered } from "./panel.js";
import "../parts/search.js";
import type { Suggestion } from "../parts/search.js";
import type { Shade } from "./shade.js";
import { go, isNarrow, type View } from "./view.js";
import { count } from "../parts/told.js";

export interface Bar {
  view: View;
  graph: Graph;
  shade: Shade;
  /** Whether anything was loaded yet. */
  loaded: boolean;
  /** Whether the workspace has more nodes than a picture shows at once. */
  large: boolean;
  /** Whether there is a picture, not only the table. */
  drawn: boolean;
  side: boolean;
  toggleSide: () => void;
  zoom: (factor: number) => void;
  fit: () => void;
  save: (form: string) => void;
}

export function barView(bar: Bar): TemplateResult {
  const { view, large, drawn } = bar;
  const around = ({ detail }: CustomEvent<Suggestion>) => go({ around: detail.handle, sel: detail.handle });
  return html`
    <div class="explorer-bar">
      <button aria-pressed=${bar.side ? "true" : "false"} @click=${bar.toggleSide}>
        Filters${filtered(view) ? html` <span class="dot" role="img" aria-label="some are set">●</span>` : ""}
      </button>
      <griot-graph-search .label=${"Search"} .placeholder=${"Search for a thing or a memory…"}
        @chosen=${around}>
      </griot-graph-search>
      ${view.around.length > 0 ? steps(view.depth) : nothing}
      ${
        isNarrow(view) || (view.whole && large)
          ? html`<button @click=${() => go({})}>${large ? "Communities" : "Whole graph"}</button>`
          : nothing
      }
      ${large && !view.whole ? html`<button @click=${() => go({ whole: "1" })}>Whole graph</button>` : ""}
      <span class="quiet explorer-count" ?hidden=${!bar.loaded}>${counts(bar)}</span>
      <span class="row explorer-tools">
        <button aria-label="Zoom in" ?disabled=${!drawn} @click=${() => bar.zoom(1.4)}>+</button>
        <button aria-label="Zoom out" ?disabled=${!drawn} @click=${() => bar.zoom(1 / 1.4)}>−</button>
        <button ?disabled=${!drawn} @click=${bar.fit}>Fit</button>
        <button aria-pressed=${view.table ? "true" : "false"}
          @click=${() => change({ table: view.table ? undefined : "1" })}>Table</button>
        ${saveAs(bar)}
      </span>
    </div>
  `;
}

function steps(depth: number): TemplateResult {
  const set = (event: Event) => change({ depth: (event.target as HTMLInputElement).value });
  return html`
    <label class="inline">Steps <span>${depth}</span>
      <input type="range" min="1" max="4" .value=${String(depth)} aria-label="Steps around it" @change=${set}>
    </label>`;
}

function counts({ view, graph, shade }: Bar): TemplateResult {
  const share = (shown: number, all: number) => (shown === all ? "" : `${shown.toLocaleString("en")} of `);
  const total = graph.head.total_nodes;
  return html`${share(shade.shownNodes, graph.nodes)}${count(graph.nodes, "node")},
    ${share(shade.shownEdges, graph.edges)}${count(graph.edges, "edge")}
    ${
      !isNarrow(view) && total > graph.nodes
        ? html`· <span title="The best connected are shown">${count(total, "node")} in all</span>`
        : nothing
    }`;
}

function saveAs({ drawn, save }: Bar): TemplateResult {
  const chosen = (event: Event) => {
    const select = event.target as HTMLSelectElement;
    save(select.value);
    select.value = "";
  };
  return html`
    <select aria-label="Save what is seen" @change=${chosen}>
      <option value="" selected>Save as…</option>
      ${drawn ? html`<option value="png">PNG image</option>` : nothing}
      <option value="json">JSON</option>
      <option value="graphml">GraphML</option>
      <option value="nodes">CSV of nodes</option>
      <option value="edges">CSV of edges</option>
    </select>`;
}

// The path finder: two ends, and what joins them, step by step.

import { html, nothing, type TemplateResult } from "lit";
import type { NodeRef, Path } from "../../../sdk/typescript/src/types.js";
import { change } from "../address.js";
import { handleOf } from "./compose.js";
import "../parts/search.js";
import type { Suggestion } from "../parts/search.js";
import type { View } from "./view.js";
import { kindWords, percent } from "./words.js";

/** `path` is a text where the server refused. */
export function pathView(
  view: View,
  path: Path | string | null,
  name: (handle: string) => string,
  reveal: (handle: string) => void,
): TemplateResult {
  const box = (end: "from" | "to", label: string, handle: string) => html`
    <griot-graph-search .label=${label} .placeholder=${label} .value=${name(handle)} keep
      @chosen=${(event: CustomEvent<Suggestion | null>) => change({ [end]: event.detail?.handle }, true)}>
    </griot-graph-search>`;
  const clear = () => change({ from: undefined, to: undefined }, true);
  return html`
    ${box("from", "From", view.pathFrom)}
    ${box("to", "To", view.pathTo)}
    ${typeof path === "string" ? html`<p class="bad">${path}</p>` : path ? steps(path, reveal) : nothing}
    ${
      view.pathFrom === "" && view.pathTo === ""
        ? nothing
        : html`<button @click=${clear}>Clear the path</button>`
    }
  `;
}

function steps(path: Path, reveal: (handle: string) => void): TemplateResult {
  const first = path.hops[0];
  if (!path.found) return html`<p>No path of at most six steps joins them.</p>`;
  if (!first) return html`<p>Both ends are the same.</p>`;
  const node = (ref: NodeRef) => html`
    <button class="link" dir="auto"
      @click=${() => reveal(handleOf(ref))}>${ref.excerpt ?? ref.name}</button>`;
  return html`
    <ol class="path">
      <li>${node(first.from)}</li>
      ${path.hops.map(
        (hop) => html`
          <li><span class="quiet">${hop.forward ? "→" : "←"} ${kindWords(hop.reads)}</span>
            ${node(hop.to)}</li>`,
      )}
    </ol>
    <p class="quiet">Confidence ${percent(path.confidence)}</p>
  `;
}

// A path through the graph, drawn from left to right: nodes and arrows that say how each step reads.

import { html, nothing, type TemplateResult } from "lit";
import type { Hop, NodeRef } from "../../../sdk/typescript/src/types.js";
import { leadsTo, link } from "../address.js";
import { about } from "./citation.js";
import { percent, time } from "./told.js";

/** The steps of `hops` as a list; empty without steps. */
export function steps(hops: Hop[]): TemplateResult | typeof nothing {
  const first = hops[0];
  if (!first) return nothing;
  return html`<ol class="steps">
    <li>${node(first.from)}</li>
    ${hops.map((hop) => html`<li>${arrow(hop)}${node(hop.to)}</li>`)}
  </ol>`;
}

/** The address that shows the nodes of a path in the graph. */
export function inGraph(hops: Hop[]): string {
  const nodes = hops.flatMap((hop) => [hop.from, hop.to]).map(nameOf);
  return link("explore", { around: [...new Set(nodes)] });
}

/** A link into the graph, where there is a page that shows it. */
export function toGraph(address: string, words: string, before = ""): TemplateResult | typeof nothing {
  return leadsTo("explore") ? html`${before}<a href=${address}>${words}</a>` : nothing;
}

/** What every route takes as the name of a node. */
export function nameOf(of: NodeRef): string {
  return of.type === "memory" ? of.name : of.id;
}

export function node(of: NodeRef): TemplateResult {
  const href = about(nameOf(of), of.type === "memory" ? "why" : "timeline");
  if (of.type !== "memory") {
    return html`<a class="node entity" href=${href}>
      <span class="clip">${of.name}</span> <span class="quiet">${of.entity_type ?? ""}</span>
    </a>`;
  }
  return html`<a class="node" href=${href}>
    <span class="handle">${of.name}</span> <span class="quiet">${time(of.occurred_at)}</span>
    <span class="clip words" dir="auto">${of.excerpt ?? ""}</span>
  </a>`;
}

function arrow(hop: Hop): TemplateResult {
  return html`<details class="arrow">
    <summary>
      <span>${hop.reads}</span>
      <svg viewBox="0 0 60 10" aria-hidden="true"><path d="M0 5h52M46 1l8 4-8 4" /></svg>
      <span class="quiet">${percent(hop.confidence)}</span>
    </summary>
    <dl class="pairs">
      <dt>kind</dt><dd>${hop.kind}${hop.label ? ` (${hop.label})` : ""}, ${hop.family}</dd>
      <dt>weight</dt><dd>${hop.weight.toFixed(2)}</dd>
      <dt>from</dt><dd>${hop.provenance}</dd>
      ${hop.hours === null ? nothing : html`<dt>hours</dt><dd>${hop.hours.toFixed(1)}</dd>`}
      ${hop.expires_at ? html`<dt>expires</dt><dd>${time(hop.expires_at)}</dd>` : nothing}
      ${hop.evidence.map((one) =>
        one.quote || one.reason
          ? html`<dt>evidence</dt><dd dir="auto">${one.quote ? html`<q>${one.quote}</q>`
            : nothing} ${one.reason}</dd>`
          : nothing,
      )}
    </dl>
  </details>`;
}

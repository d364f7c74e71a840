// An answer as a person reads it: chains of causes, cards, rules, and what was left out.

import { html, nothing, type TemplateResult } from "lit";
import type { Recall, RecallResult, Rejected, Rule } from "../../../sdk/typescript/src/types.js";
import { change, place } from "../address.js";
import { about } from "../parts/citation.js";
import { inGraph, steps, toGraph } from "../parts/steps.js";
import { count, percent, time } from "../parts/told.js";
import { rejected, strategy, understood } from "../parts/words.js";
import "./card.js";
import "./story.js";

const STORIES = [["why", "Why"], ["followed", "What followed"], ["timeline", "Over time"]] as const;

/** How the rank of each result differs between two answers: `null` where only one of them has it. */
export function moves(of: RecallResult[], other: RecallResult[]): Map<string, number | null> {
  const ranks = new Map(other.map((result, rank) => [result.id, rank]));
  return new Map(
    of.map((result, rank) => {
      const before = ranks.get(result.id);
      return [result.id, before === undefined ? null : before - rank];
    }),
  );
}

/** How many answers there are, and how the question was read. */
export function summary(recall: Recall): TemplateResult {
  return html`
    <p class="quiet summary">
      ${count(recall.results.length, "answer")} from ${count(recall.candidates, "candidate")},
      about ${count(recall.tokens, "token")}. Understood as ${understood(recall.understanding)}.
        ${strategy(recall.rollout)}.
      ${recall.understanding.times.map((one) => html`<span class="chip">${one.words}:
        ${time(one.interval.start)} to ${time(one.interval.end)}</span> `)}
      ${recall.understanding.entities.map((entity) => html`<a class="chip"
        href=${about(entity.id, "timeline")}>${entity.name} over time</a> `)}
    </p>
    ${recall.missing.map((why) => html`<p class="warn">Not used: ${why}</p>`)}
  `;
}

export function chains(recall: Recall): TemplateResult | typeof nothing {
  if (recall.chains.length === 0) return nothing;
  return html`<section class="card"><h2>Cause and effect</h2>
    ${recall.chains.map((chain) => html`<div class="chain">
      <p class="quiet">Certain to ${percent(chain.confidence)}
        ${toGraph(inGraph(chain.hops), "show in graph", "· ")}</p>
      ${steps(chain.hops)}</div>`)}
  </section>`;
}

/** `other`: the answer that it is compared with. */
export function cards(recall: Recall, other: Recall | null): TemplateResult {
  const moved = other ? moves(recall.results, other.results) : null;
  const { parameters } = place();
  const view = (result: RecallResult) =>
    parameters.get("of") === result.handle ? (parameters.get("view") ?? "why") : null;
  return html`<ol class="cards">${recall.results.map((result, rank) => html`<li>
    <griot-card .result=${result} .rank=${rank + 1} .view=${view(result)}
      .terms=${recall.understanding.terms}
      .answer=${recall.rollout.id} .moved=${moved ? (moved.get(result.id) ?? null)
        : undefined}></griot-card>
  </li>`)}</ol>`;
}

export function rules(rules: Rule[], leftOut: number): TemplateResult | typeof nothing {
  if (rules.length === 0 && leftOut === 0) return nothing;
  return html`<details class="card"><summary>${count(rules.length, "standing rule")} of this scope</summary>
    <ul>${rules.map((rule) => html`<li><span class="handle">${rule.handle}</span>
      <span dir="auto">${rule.text}</span> ${rule.relevant ? html`<span class="chip">relevant</span>`
        : nothing}</li>`)}
    </ul>
    ${leftOut > 0 ? html`<p class="quiet">${count(leftOut, "rule")} left out for their length.</p>`
      : nothing}
  </details>`;
}

export function leftOut(list: Rejected[]): TemplateResult | typeof nothing {
  if (list.length === 0) return nothing;
  return html`<details class="card trace"><summary>${count(list.length, "candidate")} left out,
    and why</summary>
    <div class="scroll" tabindex="0" role="region" aria-label="Candidates left out"><table>
      <thead><tr><th scope="col">Score</th><th scope="col">Why</th><th scope="col">Memory</th></tr></thead>
      <tbody>${list.map(({ memory, score, reason }) => html`<tr>
        <td>${score.toFixed(2)}</td><td>${rejected(reason)}</td>
        <td><a class="handle" href=${about(memory.handle, "why")}>${memory.handle}</a>
          <span class="quiet">${time(memory.occurred_at)}</span>
            <span class="clip two" dir="auto">${memory.text}</span></td>
      </tr>`)}</tbody></table></div>
  </details>`;
}

/** That there is no answer, and what the engine says of it. */
export function silent(why: string): TemplateResult {
  return html`<div class="card silent"><p>Nothing stored here answers that.</p>
    <p class="quiet">${why}</p></div>`;
}

/** The story of a node that has no card. */
export function story(of: string, view: string): TemplateResult {
  return html`<section class="card" data-story aria-label=${`About ${of}`}>
    <div class="row actions"><strong class="grow handle clip">${of}</strong>
      ${STORIES.map(([name, words]) => html`<button aria-pressed=${name === view}
        @click=${() => change({ view: name })}>${words}</button>`)}
      <button @click=${() => change({ of: "", view: "" })}>Close</button></div>
    <griot-story .name=${of} .view=${view}></griot-story>
  </section>`;
}

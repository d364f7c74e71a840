// What speaks for and against an item: both sides beside each other.

import { html, nothing, type TemplateResult } from "lit";
import type { Edge, EntityView, Memory, NodeRef } from "../../../../sdk/typescript/src/types.js";
import { link } from "../../address.js";
import { about, placeOf } from "../../parts/citation.js";
import { Asked } from "../../parts/asked.js";
import { Part } from "../../parts/part.js";
import { scopeOf } from "../../parts/scope.js";
import { nameOf, steps } from "../../parts/steps.js";
import { excerpt } from "../../parts/text.js";
import { count, percent, time, told } from "../../parts/told.js";
import { spaced } from "../../parts/words.js";
import { session } from "../../session.js";
import { marked } from "../card.js";
import { endsOf, fact, statedBy, type Item } from "./choices.js";

/** What is read for an item: two entities, or the memories and edges that it names. */
interface Evidence {
  entities: (EntityView | null)[];
  memories: Map<string, Memory>;
  edges: Edge[];
}

/** Evidence of the items that come next is read ahead, so that the next item is there at once. */
const read = new Map<string, Promise<Evidence>>();
const MOST_READ = 60;

session.addEventListener("changed", () => read.clear());
session.addEventListener("connected", () => read.clear());

export function evidenceOf(item: Item): Promise<Evidence> {
  const known = read.get(item.key);
  if (known) return known;
  const asked = ask(item);
  // A failure is not kept.
  asked.catch(() => read.delete(item.key));
  if (read.size >= MOST_READ) read.clear();
  read.set(item.key, asked);
  return asked;
}

async function ask(item: Item): Promise<Evidence> {
  const { client } = session;
  const scope = scopeOf();
  const names: string[] = [];
  const evidence: Evidence = { entities: [], memories: new Map(), edges: [] };
  if (item.kind === "merge") {
    const { kept, merged } = item.suggestion;
    // One of them may be merged or erased by now.
    const entity = (name: string) => client.entity({ name, limit: 4, ...scope }).catch(() => null);
    evidence.entities = await Promise.all([entity(kept.id), entity(merged.id)]);
  } else if (item.kind === "conflict") {
    const { first, second } = item.conflict;
    names.push(...[statedBy(first), statedBy(second)].filter((name) => name !== null));
  } else if (item.kind === "warning") {
    const edges = await Promise.all(item.warning.edges.map((name) =>
      client.edge({ name, ...scope }).catch(() =>
      null)));
    evidence.edges = edges.filter((edge) => edge !== null);
  } else {
    names.push(item.offer.newer.id, item.offer.other.id);
  }
  const memories = await Promise.all(names.map((name) => client.show({ name, ...scope }).catch(() => null)));
  for (const memory of memories) if (memory) evidence.memories.set(memory.id, memory);
  return evidence;
}

/** Longer words of a text, folded as `excerpt` wants them. */
export function wordsOf(text: string): string[] {
  const words = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().match(/[\p{L}\p{N}]{4,}/gu);
  return [...new Set(words ?? [])];
}

/** What the ends of an offered cause would be, by its kind. */
const WOULD: Record<string, [string, string]> = {
  enables: ["Would make possible", "Would be made possible"],
  prevents: ["Would prevent", "Would be prevented"],
};

class EvidenceView extends Part {
  static override properties = { item: {} };
  declare item: Item;
  readonly #read = new Asked<{ key: string; evidence: Evidence }>(this);
  #shown = "";

  protected override willUpdate(): void {
    if (this.item.key === this.#shown) return;
    const { key } = this.item;
    this.#shown = key;
    const { item } = this;
    void this.#read.ask(async () => ({ key, evidence: await evidenceOf(item) }));
  }

  protected override render(): TemplateResult {
    const { item } = this;
    const evidence = this.#read.value?.key === item.key ? this.#read.value.evidence : null;
    return html`${told(this.#read.failure)}<div class="sides">${this.#sides(item, evidence)}</div>`;
  }

  #sides(item: Item, evidence: Evidence | null): TemplateResult {
    switch (item.kind) {
      case "merge": {
        const { kept, merged } = item.suggestion;
        return html`${entity("Kept", kept.name, kept.type, evidence?.entities[0] ?? null)}
          ${entity("Becomes the same", merged.name, merged.type, evidence?.entities[1] ?? null)}`;
      }
      case "replacement": {
        const [by, replaced] = endsOf(item.offer);
        return html`${memory("Would hold", by, replaced, evidence)}${memory("Would be outdated", replaced, by,
          evidence)}`;
      }
      case "cause": {
        const [cause, effect] = endsOf(item.offer);
        const [from, to] = WOULD[item.offer.sub_type ?? ""] ?? ["Would be the cause", "Would be the effect"];
        return html`${memory(from, cause, effect, evidence)}
          <span class="leads" aria-hidden="true">→</span>${memory(to, effect, cause, evidence)}`;
      }
      case "conflict": {
        const sides = [["First", item.conflict.first], ["Second", item.conflict.second]] as const;
        return html`${sides.map(([title, of]) => {
          const stating = statedBy(of);
          const text = stating ? (evidence?.memories.get(stating) ?? null) : null;
          return html`<section><h3>${title}</h3>
            <p dir="auto"><strong>${fact(of)}</strong></p>
            <p class="quiet">${of.valid_from ? html`from ${time(of.valid_from)}` : "begin not known"}
              ${of.valid_to ? html`until ${time(of.valid_to)}` : "until now"} · stored
                ${time(of.recorded_at)}</p>
            ${text ? html`${quoted(text.text, wordsOf(fact(of)), 600)}
                <p class="quiet"><a class="handle" href=${placeOf(text.source,
                  text.handle)}>${text.handle}</a></p>`
              : stating ? nothing : html`<p class="warn">It was added without a memory that states it,
                so there is nothing
                here to forget.</p>`}</section>`;
        })}`;
      }
      case "warning":
        return html`<section class="whole"><p>${item.warning.message}</p>
          <p class="quiet">${spaced(item.warning.code)} · first seen ${time(item.warning.first_seen)}</p>
          <ol class="edges">${evidence?.edges.map((edge) => html`<li>${steps([{
            from: edge.source, to: edge.target, kind: edge.kind, label: edge.label, reads: edge.label
              || spaced(edge.kind),
            family: edge.family, forward: true, weight: edge.weight, confidence: edge.confidence,
            provenance: edge.provenance, hours: null, expires_at: edge.expires_at, edge: edge.id,
              evidence: edge.evidence,
          }])}</li>`)}</ol></section>`;
    }
  }
}

function quoted(text: string, words: string[], length: number): TemplateResult {
  return html`<blockquote dir="auto">${marked(excerpt(text.trim(), words, length).pieces)}</blockquote>`;
}

function entity(title: string, name: string, type: string, view: EntityView | null): TemplateResult {
  return html`<section><h3>${title}</h3>
    <p class="thing" dir="auto"><strong class="clip">${name}</strong> <span class="chip">${type}</span></p>
    ${view ? html`
      <p class="quiet">${count(view.mention_count, "mention")} · ${count(view.relations.length, "relation")} ·
        ${time(view.entity.first_seen)} to ${time(view.entity.last_seen)}
        · <a href=${about(view.entity.id, "timeline")}>over time</a>
        · <a href=${link("explore", { around: view.entity.id })}>graph</a></p>
      ${view.entity.aliases.length > 1
        ? html`<p class="quiet" dir="auto">also ${view.entity.aliases.slice(0, 8).join(", ")}</p>` : nothing}
      ${view.entity.description.map((text) => html`<p dir="auto">${text}</p>`)}
      <ul class="relations">${view.relations.slice(0, 5).map((edge) => html`<li>
        <span dir="auto">${edge.source.name} ${edge.label || spaced(edge.kind)}
          ${edge.target.name}</span></li>`)}</ul>
      ${view.mentions.map((one) => html`<p class="quiet">${time(one.occurred_at)}
          <a class="handle" href=${about(one.handle, "why")}>${one.handle}</a></p>
        ${quoted(one.text, wordsOf(name), 220)}`)}` : html`<p class="quiet">…</p>`}
  </section>`;
}

/** A memory with the words that the other one has, too. */
function memory(title: string, node: NodeRef, against: NodeRef, evidence: Evidence | null): TemplateResult {
  const full = evidence?.memories.get(node.id);
  const other = evidence?.memories.get(against.id)?.text ?? against.excerpt ?? "";
  const text = full?.text ?? node.excerpt ?? "";
  return html`<section><h3>${title}</h3>
    <p class="quiet">${time(node.occurred_at)} <a class="handle" href=${about(nameOf(node),
      "why")}>${node.name}</a>
      ${full?.speaker ?? ""} ${full ? html`<a href=${placeOf(full.source, full.handle)}>source</a>` : nothing}
      ${full?.superseded_by ? html`<span class="chip warn">replaced already</span>` : nothing}</p>
    ${quoted(text, wordsOf(other), 900)}
  </section>`;
}

export function likeness(item: Item): string {
  switch (item.kind) {
    case "merge":
      return `${item.suggestion.reason}; likeness ${item.suggestion.likeness.toFixed(2)}`;
    case "replacement":
    case "cause":
      return `probability ${percent(item.offer.probability)}`;
    default:
      return "";
  }
}

customElements.define("griot-evidence", EvidenceView);

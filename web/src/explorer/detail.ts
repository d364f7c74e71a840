// What is known about the node or edge that is selected, beside the picture.

import { html, nothing, type TemplateResult } from "lit";
import type { Edge, EntityView, Evidence, Fact, Memory, NodeRef } from "../../../sdk/typescript/src/types.js";
import { link } from "../address.js";
import { Part } from "../parts/part.js";
import { session } from "../session.js";
import "../parts/same.js";
import { scopeOf } from "../parts/scope.js";
import { workspace } from "../parts/workspace.js";
import { handleOf } from "./compose.js";
import { across, edgesOf, ENDED, EVIDENCE, find, MODEL, NONE, PERSON, type Graph } from "./graph.js";
import { marked } from "./marked.js";
import { edgeShown, layerOf, type Shade } from "./shade.js";
import { count, reason } from "../parts/told.js";
import { day, kindWords, percent } from "./words.js";

type Shown =
  | { is: "entity"; view: EntityView }
  | { is: "memory"; memory: Memory }
  | { is: "edge"; edge: Edge; passages: Map<string, Memory> };

/** Short names of memories and stable ids of them. */
const MEMORY = /^#|^[0-9a-f]{8}-[0-9a-f]{4}-/;
/** Letters of a passage. */
const LONGEST = 1200;
const MENTIONS = 20;
const NEIGHBOURS = 60;

/** Tells `select` with a handle, `select-edge` with one, and `closed`. */
class Detail extends Part {
  static override properties = {
    handle: {},
    edge: {},
    asOf: {},
    scope: {},
    graph: { attribute: false },
    shade: { attribute: false },
    revision: {},
    shown: { state: true },
    why: { state: true },
  };
  declare handle: string;
  /** The key of an edge; it comes before a node. */
  declare edge: string;
  declare asOf: string;
  /** Only to notice that the scope in the address is another. */
  declare scope: string;
  declare graph: Graph;
  declare shade: Shade;
  declare revision: number;
  declare shown: Shown | null;
  declare why: string;
  #asked = new AbortController();
  /** The type of the node as the picture tells it; empty where it is not in the picture. */
  #type = "";

  constructor() {
    super();
    this.handle = this.edge = this.asOf = this.scope = this.why = "";
    this.shown = null;
    this.revision = 0;
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    const another = ["handle", "edge", "asOf", "scope"].some((name) => changed.has(name));
    // What a handle names may only be known when the picture is there.
    const type = this.#typeNow();
    const isOther = type !== "" && type !== this.#type;
    if (isOther || another) this.#type = type;
    if (another) this.shown = null;
    if (another || isOther || changed.has("revision")) void this.#load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#asked.abort();
  }

  async #load(): Promise<void> {
    this.#asked.abort();
    const { signal } = (this.#asked = new AbortController());
    this.why = "";
    try {
      const shown = this.edge !== "" ? await this.#askEdge(signal) : await this.#askNode(signal);
      if (!signal.aborted) this.shown = shown;
    } catch (failure) {
      if (!signal.aborted) this.why = reason(failure);
    }
  }

  async #askEdge(signal: AbortSignal): Promise<Shown | null> {
    // An edge that is not stored, such as one in time, is known by the picture alone.
    if (this.edge.includes("→")) return null;
    const edge = await session.client.edge({ name: this.edge, ...scopeOf() }, { signal });
    const ids = new Set(edge.evidence.flatMap((one) => one.memory ?? []));
    for (const end of [edge.source, edge.target]) if (end.type === "memory") ids.add(end.id);
    const passages = new Map<string, Memory>();
    await Promise.all(
      [...ids].slice(0, MENTIONS).map(async (id) => {
        // A passage may be forgotten or another user's; the edge is shown without it.
        const memory = await session.client.show({ name: id, ...scopeOf() }, { signal }).catch(() => null);
        if (memory) passages.set(id, memory);
      }),
    );
    return { is: "edge", edge, passages };
  }

  async #askNode(signal: AbortSignal): Promise<Shown | null> {
    if (this.handle === "" || this.#type === "community" || this.#type === "source") return null;
    if (MEMORY.test(this.handle) || this.#type === "memory") {
      const memory = await session.client.show({ name: this.handle, ...scopeOf() }, { signal });
      return { is: "memory", memory };
    }
    const now = this.asOf === "" ? {} : { now: this.asOf };
    const request = { name: this.handle, limit: MENTIONS, ...now, ...scopeOf() };
    return { is: "entity", view: await session.client.entity(request, { signal }) };
  }

  #typeNow(): string {
    const node = find(this.graph, this.handle);
    return node === undefined ? "" : (this.graph.head.types[this.graph.type[node]!] ?? "");
  }

  protected override render(): TemplateResult {
    return html`
      <div class="row detail-head">
        <div class="grow">${this.edge !== "" ? this.#edgeTitle() : this.#nodeTitle()}</div>
        <button aria-label="Close details"
          @click=${() => this.dispatchEvent(new Event("closed"))}>✕</button>
      </div>
      ${this.why !== "" ? html`<p class="bad" role="alert">${this.why}</p>` : nothing}
      ${this.edge !== "" ? this.#edgeBody() : this.#nodeBody()}
    `;
  }

  #nodeTitle(): TemplateResult {
    const node = find(this.graph, this.handle);
    const { shown } = this;
    const name =
      shown?.is === "entity"
        ? shown.view.entity.name
        : shown?.is === "memory"
          ? `Memory ${shown.memory.handle}`
          : node !== undefined
            ? this.graph.labels.at(node)
            : this.handle;
    return html`<h2 class="detail-name" dir="auto">${name}</h2>`;
  }

  #nodeBody(): TemplateResult {
    const { shown } = this;
    const node = find(this.graph, this.handle);
    const type = this.#type;
    if (type === "community") return this.#community(node!);
    if (type === "source") {
      return html`<p>A source. <a href=${link("explore", { ...scopeOf(), source: this.handle })}>Its graph</a>
        · <a href=${link("sources", { ...scopeOf(), source: this.handle })}>its memories</a></p>
        ${this.#near()}`;
    }
    if (shown?.is === "entity") return this.#entity(shown.view);
    if (shown?.is === "memory") return this.#memory(shown.memory);
    return this.why === "" ? html`<p class="quiet">Loading…</p>` : html``;
  }

  #community(node: number): TemplateResult {
    const id = this.graph.community[node];
    const community = this.graph.head.communities.find((one) => one.id === id);
    return html`
      <p>${count(community?.size ?? 0, "node")} that are more connected with each other than with others.</p>
      <p><a href=${link("explore", { ...scopeOf(), community: String(id) })}>Open it</a></p>
    `;
  }

  #entity({ entity, relations, mentions, mention_count, facts }: EntityView): TemplateResult {
    const others = entity.aliases.filter((one) => one !== entity.name.toLowerCase());
    return html`
      <p class="row"><span class="chip">${entity.type}</span><span class="chip">${entity.layer}</span>
        <span class="quiet">${count(mention_count, "mention")}</span></p>
      ${entity.description.map((text) => html`<p dir="auto">${text}</p>`)}
      <dl>
        ${this.#term("Also called", others.join(", "))}
        ${this.#term("First seen", day(entity.first_seen))}
        ${this.#term("Last seen", day(entity.last_seen))}
        ${this.#term("Name for commands", html`<code>${entity.id}</code>`)}
      </dl>
      ${
        workspace.may("admin")
          ? html`<details><summary>Same thing as…</summary>
              <griot-same .of=${entity.id} @merged=${(event: CustomEvent<string>) =>
                this.#select("select", event.detail)}></griot-same></details>`
          : nothing
      }
      ${this.#sourcesOf(mentions, mention_count)}
      ${this.#facts(facts)}
      ${this.#relations(relations, entity.id)}
      ${
        mentions.length === 0
          ? nothing
          : html`
        <h3>Memories</h3>
        ${mentions.map((memory) =>
          this.#passage(memory, [
            entity.name,
            ...entity.aliases,
            ...relations.flatMap((edge) => quotesIn(edge.evidence, memory.id)),
            ...facts.flatMap((fact) => quotesIn(fact.evidence, memory.id)),
          ]),
        )}
        ${
          mention_count > mentions.length
            ? html`<p class="quiet">
                The latest ${mentions.length} of ${mention_count.toLocaleString("en")}.</p>`
            : nothing
        }`
      }
      ${this.#near()}
    `;
  }

  #sourcesOf(mentions: Memory[], all: number): TemplateResult | typeof nothing {
    const sources = new Map<string, number>();
    for (const memory of mentions) sources.set(memory.source, (sources.get(memory.source) ?? 0) + 1);
    if (sources.size === 0) return nothing;
    const names = new Map(this.graph.head.sources.map((one) => [one.handle, one.name]));
    return html`
      <h3>Sources ${all > mentions.length ? quiet("of the latest mentions") : nothing}</h3>
      <ul class="plain">${[...sources].map(
        ([source, times]) => html`
        <li><a dir="auto" href=${link("sources", { ...scopeOf(), source })}>${names.get(source) ?? source}</a>
          <span class="quiet">${times}</span></li>`,
      )}</ul>
    `;
  }

  #facts(facts: Fact[]): TemplateResult | typeof nothing {
    if (facts.length === 0) return nothing;
    const until = (fact: Fact) => (fact.valid_to ? ` to ${day(fact.valid_to)}` : "");
    const since = (fact: Fact) => (fact.valid_from ? `from ${day(fact.valid_from)}` : "from an unknown time");
    return html`
      <h3>Facts</h3>
      <ul class="plain">${facts.map(
        (fact) => html`
        <li class=${fact.current ? "" : "quiet"}>
          <span dir="auto">${fact.subject.name} ${kindWords(fact.predicate)}
          ${fact.object_node ? this.#node(fact.object_node) : fact.object}</span>
          <div class="quiet">${fact.current ? "valid" : "no longer valid"}, ${since(fact)}${until(fact)},
            confidence ${percent(fact.confidence)}
            ${
              fact.contradicts.length > 0
                ? html`<span class="warn">contradicted by ${fact.contradicts.join(", ")}</span>`
                : nothing
            }</div>
        </li>`,
      )}</ul>
    `;
  }

  #relations(relations: Edge[], self: string): TemplateResult | typeof nothing {
    if (relations.length === 0) return nothing;
    return html`
      <h3>Relations</h3>
      <ul class="plain">${relations.map((edge) => {
        const outward = edge.source.id === self;
        const words =
          edge.kind === "relation" ? kindWords(edge.label) : `${kindWords(edge.kind)} ${edge.label}`.trim();
        return html`
          <li>
            ${words} ${outward ? "→" : "←"} ${this.#node(outward ? edge.target : edge.source)}
            <div class="quiet">
              weight ${edge.weight.toFixed(2)}, confidence ${percent(edge.confidence)}, ${edge.provenance}
              ${edge.id ? html`· ${this.#edgeLink(edge.id, "evidence")}` : nothing}</div>
          </li>`;
      })}</ul>
    `;
  }

  #memory(memory: Memory): TemplateResult {
    const node = find(this.graph, memory.handle) ?? find(this.graph, memory.id);
    const names =
      node === undefined
        ? []
        : [...edgesOf(this.graph, node)]
            .map((edge) => across(this.graph, edge, node))
            .filter((other) => this.graph.head.types[this.graph.type[other]!] !== "memory")
            .map((other) => this.graph.labels.at(other));
    const source = this.graph.head.sources.find((one) => one.handle === memory.source);
    const inSource = link("sources", { ...scopeOf(), source: memory.source, memory: memory.handle });
    return html`
      <p class="row"><span class="chip">${memory.kind}</span><span class="chip">${memory.layer}</span>
        ${memory.superseded_by ? html`<span class="chip warn">replaced</span>` : nothing}
        ${memory.deleted_at ? html`<span class="chip bad">forgotten</span>` : nothing}
        ${memory.flags.map((flag) => html`<span class="chip warn">${flag}</span>`)}</p>
      <p class="quiet" dir="auto">${memory.heading.join(" › ")}</p>
      <p class="passage" dir="auto">${marked(memory.text, names)}</p>
      <dl>
        ${this.#term("Happened", day(memory.occurred_at))}
        ${this.#term("Stored", day(memory.recorded_at))}
        ${this.#term("Said by", memory.speaker ?? "")}
        ${this.#term(
          "Source",
          html`<a dir="auto" href=${inSource}>
          ${memory.cite ?? source?.name ?? memory.source}</a>`,
        )}
        ${this.#term("Tags", memory.tags.join(", "))}
        ${this.#term("Importance", `${memory.importance} of 5`)}
        ${this.#term("Expires", day(memory.expires_at))}
        ${
          memory.superseded_by
            ? this.#term(
                "Replaced by",
                html`<button class="link" @click=${() => this.#select("select", memory.superseded_by!)}>
            the newer memory</button>`,
              )
            : nothing
        }
      </dl>
      ${this.#near()}
    `;
  }

  /** The neighbours within the picture, heaviest first. */
  #near(): TemplateResult | typeof nothing {
    const node = find(this.graph, this.handle);
    if (node === undefined)
      return html`<p class="quiet">Not in the picture.
      <a href=${link("explore", { ...scopeOf(), around: this.handle, sel: this.handle })}>Show it</a></p>`;
    const near = [...edgesOf(this.graph, node)].filter((edge) => edgeShown(this.shade, edge));
    if (near.length === 0) return nothing;
    near.sort((a, b) => this.graph.weight[b]! - this.graph.weight[a]!);
    return html`
      <h3>In the picture <span class="quiet">${count(near.length, "edge")}</span></h3>
      <ul class="plain">${near.slice(0, NEIGHBOURS).map((edge) => {
        const other = across(this.graph, edge, node);
        const words = kindWords(this.graph.head.kinds[this.graph.kind[edge]!]!);
        const arrow = !this.graph.head.directed[this.graph.kind[edge]!]
          ? "–"
          : this.graph.from[edge] === node
            ? "→"
            : "←";
        const handle = this.graph.edgeHandles.at(edge);
        return html`
          <li class="clip">
            ${
              handle === ""
                ? html`<span class="quiet">${words}</span>`
                : this.#edgeLink(handle, words)
            }
            ${arrow} ${this.#nodeLink(this.graph.handles.at(other), this.graph.labels.at(other))}
            <span class="quiet">${this.graph.weight[edge]!.toFixed(2)}</span>
          </li>`;
      })}</ul>
      ${
        near.length > NEIGHBOURS
          ? html`<p class="quiet">The ${NEIGHBOURS} heaviest of ${near.length.toLocaleString("en")};
        the table has all.</p>`
          : nothing
      }
    `;
  }

  #edgeTitle(): TemplateResult {
    const { shown } = this;
    const words = shown?.is === "edge" ? shown.edge.label || shown.edge.kind : "Edge";
    return html`<h2 class="detail-name">${kindWords(words)}</h2>`;
  }

  #edgeBody(): TemplateResult {
    const { shown } = this;
    if (shown?.is !== "edge") {
      return this.why !== ""
        ? html``
        : this.edge.includes("→")
          ? html`<p class="quiet">This edge follows from times or places in a text; it is not stored and has
              no evidence of its own.</p>`
          : html`<p class="quiet">Loading…</p>`;
    }
    const { edge, passages } = shown;
    const texts = [...passages.values()];
    return html`
      <p dir="auto">${this.#node(edge.source)} → ${this.#node(edge.target)}</p>
      <dl>
        ${this.#term("Kind", edge.kind)}
        ${this.#term("Label", edge.label)}
        ${this.#term("Keywords", edge.keywords.join(", "))}
        ${this.#term("Family", edge.family)}
        ${this.#term("Weight", edge.weight.toFixed(2))}
        ${this.#term(
          "Confidence",
          edge.confidence === edge.stored_confidence
            ? percent(edge.confidence)
            : `${percent(edge.confidence)}, was ${percent(edge.stored_confidence)} with its last evidence`,
        )}
        ${this.#term("Stated by", PROVENANCE[edge.provenance] ?? edge.provenance)}
        ${this.#term("Since", day(edge.created_at))}
        ${this.#term("Last evidence", day(edge.touched_at))}
        ${this.#term("Expires", day(edge.expires_at))}
      </dl>
      <h3>Passages it came from</h3>
      ${edge.evidence
        .filter((one) => !one.memory || !passages.has(one.memory))
        .map(
          (one) => html`
        <p class="quiet">${one.quote ? `“${one.quote}” ` : ""}${one.reason ?? ""} ${day(one.at)}</p>`,
        )}
      ${texts.length + edge.evidence.length === 0 ? quiet("None is stored.") : nothing}
      ${texts.map(
        (memory) => html`
        ${edge.evidence
          .filter((one) => one.memory === memory.id && one.reason)
          .map((one) => html`<p class="quiet">${one.reason}</p>`)}
        ${this.#passage(memory, [...quotesIn(edge.evidence, memory.id), ...namesOf(edge)])}`,
      )}
    `;
  }

  #passage(memory: Memory, needles: string[]): TemplateResult {
    const more = memory.text.length > LONGEST ? "…" : "";
    return html`
      <blockquote>
        <div class="passage" dir="auto">${marked(memory.text.slice(0, LONGEST), needles)}${more}</div>
        <footer class="quiet">${this.#nodeLink(memory.handle, memory.handle)}
          ${day(memory.occurred_at)} ${memory.cite ?? ""}</footer></blockquote>
    `;
  }

  #node(node: NodeRef): TemplateResult {
    const text = node.type === "memory" ? (node.excerpt ?? node.name) : node.name;
    return this.#nodeLink(handleOf(node), text);
  }

  #nodeLink(handle: string, text: string): TemplateResult {
    const select = () => this.#select("select", handle);
    return html`<button class="link" dir="auto" @click=${select}>${text}</button>`;
  }

  #edgeLink(handle: string, text: string): TemplateResult {
    return html`<button class="link" @click=${() => this.#select("select-edge", handle)}>${text}</button>`;
  }

  #term(name: string, value: string | TemplateResult): TemplateResult | typeof nothing {
    return value === "" ? nothing : html`<dt>${name}</dt><dd dir="auto">${value}</dd>`;
  }

  #select(event: "select" | "select-edge", handle: string): void {
    this.dispatchEvent(new CustomEvent(event, { detail: handle }));
  }
}

function quiet(text: string): TemplateResult {
  return html`<span class="quiet">${text}</span>`;
}

const PROVENANCE: Record<string, string> = {
  user: "a person",
  static: "a parser",
  import: "an import",
  llm: "a language model",
  embedding: "similar meaning",
  rule: "a rule",
};

function quotesIn(evidence: readonly Evidence[], memory: string): string[] {
  return evidence.flatMap((one) => (one.memory === memory && one.quote ? [one.quote] : []));
}

function namesOf(edge: Edge): string[] {
  return [edge.source, edge.target].flatMap((end) => (end.type === "memory" ? [] : [end.name]));
}

/** The lines of the box that a node or edge under the pointer gets, from what the picture knows. */
export function tooltip(graph: Graph, node: number | null, edge: number | null): string[] {
  const { head } = graph;
  if (node !== null) {
    const type = head.types[graph.type[node]!]!;
    const source = graph.source[node] === NONE ? undefined : head.sources[graph.source[node]!]?.name;
    return [
      graph.labels.at(node),
      `${type}${type === "memory" ? "" : `, ${layerOf(type)}`}, ${count(graph.degree[node]!, "edge")}`,
      ...(source ? [`from ${source}`] : []),
      ...(Number.isNaN(graph.time[node]) ? [] : [day(graph.time[node])]),
    ];
  }
  if (edge === null) return [];
  const flags = graph.flags[edge]!;
  const kind = head.kinds[graph.kind[edge]!]!;
  const told = [
    [EVIDENCE, "with evidence"],
    [ENDED, "ended or replaced"],
    [MODEL, "from a model"],
    [PERSON, "from a person"],
  ] as const;
  const arrow = head.directed[graph.kind[edge]!] ? "→" : "–";
  const end = (at: number) => [...graph.labels.at(at)].slice(0, 40).join("");
  return [
    `${kindWords(kind)} (${head.families[graph.kind[edge]!]})`,
    `${end(graph.from[edge]!)} ${arrow} ${end(graph.to[edge]!)}`,
    `weight ${graph.weight[edge]!.toFixed(2)}, confidence ${percent(graph.confidence[edge]!)}`,
    ...told.flatMap(([bit, words]) => ((flags & bit) === 0 ? [] : [words])),
    ...(Number.isNaN(graph.until_time[edge]) ? [] : [`until ${day(graph.until_time[edge])}`]),
  ];
}

customElements.define("griot-detail", Detail);

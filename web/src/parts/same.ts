// Two names of one thing, merged by hand: who they are, side by side, which name stays, and the way back.

import { html, nothing, type TemplateResult } from "lit";
import "./search.js";
import type { Suggestion } from "./search.js";
import type { EntityView, Merge } from "../../../sdk/typescript/src/types.js";
import { Asked } from "./asked.js";
import { Part } from "./part.js";
import { scopeOf } from "./scope.js";
import { count, told } from "./told.js";
import { twoAgain } from "./words.js";
import { session } from "../session.js";

/** Memories of each that are shown. */
const SHOWN = 2;

let forms = 0;

/** Merges the entity `of` with another one, or any two where `of` is empty. Tells `merged` with the id of the
 * one that stays. */
class Same extends Part {
  static override properties = { of: {}, keeps: { state: true } };
  /** The canonical id of an entity. */
  declare of: string;
  /** Which of the two stays. */
  declare keeps: 0 | 1;
  readonly #sides = [new Asked<EntityView>(this), new Asked<EntityView>(this)] as const;
  readonly #merge = new Asked<Merge>(this);
  readonly #undo = new Asked<string>(this);
  readonly #form = `same-${(forms += 1)}`;

  constructor() {
    super();
    this.of = "";
    this.keeps = 0;
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has("of")) return;
    const { value } = this.#merge;
    // The one that stays is selected after a merge; its undo is still offered there.
    if (!value || this.of !== value.kept.id) this.#begin();
  }

  #begin(): void {
    for (const asked of [...this.#sides, this.#merge, this.#undo]) asked.forget();
  }

  /** The one that is known already is only read when there is another to compare it with. */
  #chosen(side: 0 | 1, name: string | undefined): void {
    this.#choose(side, name);
    if (this.of !== "" && this.#sides[0].value === null) this.#choose(0, this.of);
  }

  #choose(side: 0 | 1, name: string | undefined): void {
    if (name === undefined) return this.#sides[side].forget();
    void this.#sides[side]
      .ask((signal) => session.client.entity({ name, limit: SHOWN, ...scopeOf() }, { signal }))
      .then(() => {
        const [one, other] = this.#sides.map((asked) => asked.value?.mention_count ?? 0);
        this.keeps = other! > one! ? 1 : 0;
      });
  }

  protected override render(): TemplateResult {
    const { value: merge } = this.#merge;
    if (merge) {
      return html`<p role="status" class="good">${merge.merged.name} is now another name of ${merge.kept.name}.
        <button ?disabled=${this.#undo.busy} @click=${() => this.#part(merge)}>Undo</button>
        ${this.of === "" ? html`<button @click=${() => this.#begin()}>Merge two others</button>` : nothing}</p>
        ${told(this.#undo.failure)}`;
    }
    const [one, other] = this.#sides.map((asked) => asked.value);
    const isOne = one && other && one.entity.id === other.entity.id;
    return html`
      ${this.#undo.value === null ? nothing : html`<p role="status" class="good">${this.#undo.value}</p>`}
      <div class="row">
        ${this.of === "" ? this.#box(0, "One name") : nothing}
        ${this.#box(1, this.of === "" ? "The other name" : "Is the same as")}
      </div>
      ${this.#sides.map((asked) => told(asked.failure))}
      ${isOne ? html`<p class="warn">Both names are of one thing already.</p>` : nothing}
      ${one && other && !isOne ? this.#pair([one, other]) : nothing}
      ${told(this.#merge.failure)}`;
  }

  #box(side: 0 | 1, label: string): TemplateResult {
    return html`<griot-graph-search class="grow" .label=${label} .placeholder=${`${label}…`} keep entities
      @chosen=${(event: CustomEvent<Suggestion | null>) =>
        this.#chosen(side, event.detail?.handle)}></griot-graph-search>`;
  }

  #pair(views: [EntityView, EntityView]): TemplateResult {
    return html`
      <fieldset class="sides"><legend>Which name stays?</legend>
        ${views.map(({ entity, mentions, mention_count }, side) => html`<section>
          <label class="row"><input type="radio" name=${this.#form} .checked=${this.keeps === side}
            @change=${() => (this.keeps = side as 0 | 1)}>
            <strong dir="auto">${entity.name}</strong><span class="chip">${entity.type}</span>
            <span class="quiet">${count(mention_count, "mention")}</span></label>
          ${mentions.map((memory) => html`<blockquote dir="auto">${memory.text.slice(0, 240)}</blockquote>`)}
        </section>`)}
      </fieldset>
      <p><button class="primary" ?disabled=${this.#merge.busy} @click=${() => this.#send(views)}>
        Merge</button> <span class="quiet">All that is known of both is then known of one. It can be
        undone.</span></p>`;
  }

  async #send(views: [EntityView, EntityView]): Promise<void> {
    const [kept, merged] = [views[this.keeps].entity.id, views[1 - this.keeps]!.entity.id];
    await this.#merge.send(async (signal) =>
      (await session.client.merge({ kept, merged, ...scopeOf() }, { signal })).merge);
    if (this.#merge.value) this.#tell(kept);
  }

  async #part(merge: Merge): Promise<void> {
    await this.#undo.send(async (signal) =>
      twoAgain(await session.client.unmerge({ name: merge.id, ...scopeOf() }, { signal })));
    if (this.#undo.failure !== null) return;
    for (const asked of [...this.#sides, this.#merge]) asked.forget();
    this.#tell(merge.kept.id);
  }

  #tell(entity: string): void {
    this.dispatchEvent(new CustomEvent("merged", { detail: entity }));
  }
}

customElements.define("griot-same", Same);

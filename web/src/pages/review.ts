// Review: one thing to decide in the middle, keys to decide it with, and what was decided.

import { html, nothing, type TemplateResult } from "lit";
import type { Edge, Merge, Unmerged } from "../../../sdk/typescript/src/types.js";
import { change, place } from "../address.js";
import { Asked, tellSession } from "../parts/asked.js";
import { followChanges } from "../parts/changes.js";
import { listen, Part } from "../parts/part.js";
import "../parts/same.js";
import { scopeForm, scopeOf } from "../parts/scope.js";
import { count, reason, time, told } from "../parts/told.js";
import { twoAgain } from "../parts/words.js";
import { followWorkspace, workspace } from "../parts/workspace.js";
import { session } from "../session.js";
import {
  choicesOf, itemsOf, KINDS, type Item, type Kind,
} from "./review/choices.js";
import { evidenceOf, likeness } from "./review/evidence.js";
import { Queue, Settled, type Choice, type Decided } from "./review/queue.js";

interface Lists {
  items: Item[];
  merges: Merge[];
  /** Lists that this key may not read, or that failed. */
  failures: unknown[];
}

/** Offers send no event: others' decisions about them are seen by looking again. */
const LOOK_AGAIN_MS = 20_000;
const READ_AHEAD = 2;

class Review extends Part {
  static override properties = { edges: { state: true } };
  /** The edges of the warning that is shown. */
  declare edges: Edge[];
  readonly #lists = new Asked<Lists>(this);
  readonly #parted = new Asked<Unmerged>(this);
  readonly #scan = new Asked<string>(this);
  static #open: Review | null = null;
  /** Kept while the tab is open: after a look elsewhere, a decision can still be taken back. */
  static readonly #kept = new Queue<Item>(() => {
    const open = Review.#open;
    if (open) open.#changed();
  }, explain);
  readonly #queue = Review.#kept;
  static {
    // Another key or workspace decides about other things.
    session.addEventListener("connected", () => Review.#kept.clear());
  }
  #timer: ReturnType<typeof setInterval> | undefined;
  #kinds = "";
  #scope = "";

  constructor() {
    super();
    this.edges = [];
    followWorkspace(this);
    followChanges(this, () => this.#load());
    listen(this, window, "hashchange", () => this.#follow());
    listen(this, window, "keydown", (event) => this.#key(event as KeyboardEvent));
    listen(this, window, "beforeunload", (event) => {
      if (!this.#queue.isUnsent) return;
      // The browser asks before it leaves, and meanwhile all is sent.
      event.preventDefault();
      void this.#queue.flush();
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    Review.#open = this;
    this.#kinds = place().parameters.get("kind") ?? "";
    this.#scope = JSON.stringify(scopeOf());
    // Other items may be asked for than when it was left.
    this.#queue.replace([]);
    this.#queue.show(place().parameters.get("item"));
    this.#load();
    this.#timer = setInterval(() => document.visibilityState === "visible" && this.#load(), LOOK_AGAIN_MS);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    Review.#open = null;
    clearInterval(this.#timer);
    void this.#queue.flush();
  }

  #follow(): void {
    if (place().page !== "review") return;
    const kinds = place().parameters.get("kind") ?? "";
    const item = place().parameters.get("item");
    if (kinds !== this.#kinds) {
      this.#kinds = kinds;
      this.#queue.replace(this.#wanted());
    }
    const scope = JSON.stringify(scopeOf());
    if (scope !== this.#scope) {
      this.#scope = scope;
      this.#load();
    }
    if (item && item !== this.#queue.current?.key) this.#queue.show(item);
    this.requestUpdate();
  }

  #load(): void {
    void this.#lists.ask(async (signal) => {
      const { client } = session;
      const scope = scopeOf();
      const failures: unknown[] = [];
      const part = async <T>(asked: Promise<T>, none: T) => asked.catch((failure: unknown) => {
        if (signal.aborted) throw failure;
        failures.push(failure);
        return none;
      });
      const [merges, offers, conflicts, warnings] = await Promise.all([
        part(client.merges(scope, { signal }), { merges: [], suggestions: [], scan: null }),
        part(client.offers({ limit: 500, ...scope }, { signal }), []),
        part(client.conflicts(scope, { signal }), []),
        part(client.warnings(scope, { signal }), { warnings: [], acknowledged: 0 }),
      ]);
      // All four fail alike when the server is gone: then it is asked again.
      if (failures.length === 4) throw failures[0];
      const items = itemsOf(merges.suggestions, offers, conflicts, warnings.warnings);
      return { items, merges: merges.merges, failures };
    }).then(() => this.#lists.failure === null && this.#queue.load(this.#wanted()));
  }

  #wanted(): Item[] {
    const all = this.#lists.value?.items ?? [];
    return this.#kinds === "" ? all : all.filter((item) => item.kind === this.#kinds);
  }

  #changed(): void {
    const { current, items, position } = this.#queue;
    if (place().page === "review" && this.#lists.value) change({ item: current?.key ?? "" });
    for (const next of items.slice(position, position + 1 + READ_AHEAD)) {
      const reading = evidenceOf(next).catch(() => null);
      if (next === current) {
        this.edges = [];
        void reading.then((read) => {
          if (read && this.#queue.current === next) this.edges = read.edges;
        });
      }
    }
    this.requestUpdate();
  }

  get #choices(): Choice[] {
    const { current } = this.#queue;
    if (!current || !workspace.may(KINDS[current.kind].role)) return [];
    const note = this.querySelector<HTMLInputElement>("input[name=note]")?.value.trim() ?? "";
    return choicesOf(current, session.client, scopeOf(), this.edges, () => note);
  }

  #key(event: KeyboardEvent): void {
    const at = event.composedPath()[0] as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (at.closest?.("input, textarea, select, dialog")) return;
    const choice = this.#choices.find((one) => one.key === event.key);
    if (choice) this.#queue.decide(choice);
    else if (event.key === "u") this.#queue.undo();
    else if (event.key === "s") this.#queue.skip();
    else if (event.key === "j") this.#queue.move(1);
    else if (event.key === "k") this.#queue.move(-1);
    else return;
    event.preventDefault();
  }

  protected override render(): TemplateResult {
    const lists = this.#lists.value;
    return html`
      <h1>Review</h1>
      ${told(this.#lists.failure)}
      ${lists?.failures.map((failure) => told(failure))}
      ${this.#filters(lists?.items ?? [])}
      ${scopeForm()}
      <div aria-live="polite">${this.#queue.notice ? html`<p class="warn">${this.#queue.notice}</p>`
        : nothing}</div>
      ${lists ? this.#middle() : this.#lists.busy ? html`<p class="quiet">Looking…</p>` : nothing}
      ${this.#decided()}
      ${this.#byHand()}
      ${this.#merges(lists?.merges ?? [])}
    `;
  }

  #filters(all: Item[]): TemplateResult {
    const isOpen = (item: Item) => !this.#queue.decided.some((one) =>
      one.item.key === item.key && !["undone", "refused"].includes(one.state));
    const open = all.filter(isOpen);
    const button = (kind: string, title: string, number: number) =>
      html`<button aria-pressed=${this.#kinds === kind}
      @click=${() => change({ kind, item: "" }, true)}>${title}
        <span class="number">${number}</span></button>`;
    return html`<div class="row actions" role="group" aria-label="What to review">
      ${button("", "All", open.length)}
      ${Object.entries(KINDS).map(([kind, { title }]) =>
        button(kind, title, open.filter((item) => item.kind === (kind as Kind)).length))}
    </div>`;
  }

  #middle(): TemplateResult {
    const { current, items, position } = this.#queue;
    if (!current) {
      return html`<section class="card silent"><p>Nothing is left to decide${this.#kinds === "" ? ""
        : " of this kind"}.</p></section>`;
    }
    const choices = this.#choices;
    return html`<section class="card item" aria-label=${KINDS[current.kind].title}>
      <div class="row"><h2 class="grow" aria-live="polite">${KINDS[current.kind].title}
          <span class="quiet">${current.key}</span></h2>
        <span class="quiet">${position + 1} of ${items.length}</span></div>
      <p class="quiet">${likeness(current)}</p>
      <griot-evidence .item=${current}></griot-evidence>
      ${current.kind === "warning" && choices.length > 0 ? html`<label class="note">Note with the
        acknowledgement
        <input name="note" autocomplete="off" @keydown=${(event: KeyboardEvent) => {
          if (event.key !== "Enter") return;
          const choice = this.#choices.find((one) => one.key === "y");
          (event.target as HTMLElement).blur();
          if (choice) this.#queue.decide(choice);
        }}></label>` : nothing}
      <div class="row keys">
        ${choices.map((choice) => html`<button class=${choice.key === "y" ? "primary" : ""}
          @click=${() => this.#queue.decide(this.#choices.find((one) =>
            one.key === choice.key)!)}><kbd>${choice.key}</kbd>
          ${choice.words}</button>`)}
        ${choices.length === 0 && current.kind !== "conflict"
          ? html`<span class="quiet">The key of this tab may look at this, and not decide it.</span>`
            : nothing}
        <button @click=${() => this.#queue.skip()}><kbd>s</kbd> Skip</button>
        <span class="grow"></span>
        <button @click=${() => this.#queue.move(-1)}><kbd>k</kbd> Back</button>
        <button @click=${() => this.#queue.move(1)}><kbd>j</kbd> Next</button>
        <button ?disabled=${this.#queue.undoable === null} @click=${() =>
          this.#queue.undo()}><kbd>u</kbd> Undo</button>
      </div>
    </section>`;
  }

  #decided(): TemplateResult | typeof nothing {
    const { decided } = this.#queue;
    if (decided.length === 0) return nothing;
    const row = (one: Decided<Item>) => html`<li>
      <span class="handle">${one.item.key}</span> <strong>${one.words}</strong>
      <span class=${one.state === "refused" ? "bad" : "quiet"}>${stateOf(one)}</span>
      ${this.#queue.undoable && ((one.state === "done" && one.undo) || one.state === "held")
        ? html`<button @click=${() => this.#queue.undo(one)}>Undo</button>` : nothing}</li>`;
    return html`<section class="card"><h2>Decided now: ${decided.filter((one) =>
      one.state !== "undone").length}</h2>
      <ol class="decided" role="log" aria-label="Decisions">${decided.slice(0, 8).map(row)}</ol>
      ${decided.length > 8 ? html`<details><summary>${decided.length - 8} earlier</summary>
        <ol class="decided">${decided.slice(8).map(row)}</ol></details>` : nothing}</section>`;
  }

  #byHand(): TemplateResult | typeof nothing {
    if (!workspace.may("admin") || !["", "merge"].includes(this.#kinds)) return nothing;
    return html`<section class="card"><h2>Names of one thing</h2>
      <p><button ?disabled=${this.#scan.busy} @click=${() => this.#compare()}>
        Compare all names</button> <span role="status" class="quiet">${this.#scan.value ??
          "suggests pairs that may be one thing"}</span></p>
      ${told(this.#scan.failure)}
      <p>Or merge two that you know to be one:</p>
      <griot-same @merged=${() => this.#load()}></griot-same></section>`;
  }

  #merges(merges: Merge[]): TemplateResult | typeof nothing {
    if (merges.length === 0) return nothing;
    const parted = this.#parted.value;
    const undone = merges.filter((merge) => merge.undone_at).length;
    return html`<details class="card"><summary>${count(merges.length, "merge")} so far${
      undone > 0 ? `, ${undone} taken back` : ""}</summary>
      ${told(this.#parted.failure)}
      ${parted ? html`<p role="status" class="good">${twoAgain(parted)}</p>` : nothing}
      <div class="scroll" tabindex="0" role="region" aria-label="Merges"><table><thead><tr><th
        scope="col">Kept</th><th scope="col">Merged into it</th>
        <th scope="col">When, by whom</th><th scope="col">Why</th><th scope="col">Moved</th><th
          scope="col"><span class="unseen">Part</span></th></tr></thead>
        <tbody>${merges.map((merge) => html`<tr><td dir="auto">${merge.kept.name}</td><td
          dir="auto">${merge.merged.name}</td>
          <td>${time(merge.at)} ${merge.by}</td><td>${merge.reason ?? ""}</td>
          <td>${count(merge.moved + merge.folded, "edge")}, ${count(merge.facts, "fact")}</td>
          <td>${merge.undone_at ? html`<span class="quiet">parted ${time(merge.undone_at)}</span>`
            : workspace.may("admin") ? html`<button ?disabled=${this.#parted.busy} @click=${() =>
              this.#part(merge.id)}>Part</button>`
            : nothing}</td></tr>`)}</tbody></table></div></details>`;
  }

  async #part(name: string): Promise<void> {
    await this.#parted.send((signal) => session.client.unmerge({ name, ...scopeOf() }, { signal }));
    this.#load();
  }

  async #compare(): Promise<void> {
    await this.#scan.send(async (signal) => {
      const { scan } = await session.client.suggestMerges(scopeOf(), { signal });
      return scan ? `${count(scan.names, "name")} compared, ${count(scan.suggested, "suggestion")}` : "";
    });
    this.#load();
  }
}

function explain(failure: unknown): string {
  if (failure instanceof Settled) return failure.message;
  tellSession(failure);
  return reason(failure);
}

function stateOf({ state, said }: Decided<Item>): string {
  switch (state) {
    case "held":
      return "is sent in a moment";
    case "sending":
      return "…";
    case "undoing":
      return "is taken back…";
    case "undone":
      return `taken back. ${said}`;
    default:
      return said;
  }
}

customElements.define("griot-review", Review);

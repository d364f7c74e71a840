// The search box: entities by name and memories by meaning, as suggestions while one types.

import { html, nothing, type TemplateResult } from "lit";
import { Part } from "./part.js";
import { session } from "../session.js";
import { scopeOf } from "./scope.js";
import { reason } from "./told.js";

export interface Suggestion {
  handle: string;
  label: string;
  about: string;
}

/** Waits until a person stops typing. */
const PAUSE_MS = 180;
/** A suggestion that is tapped takes the focus first. */
const LEFT_MS = 150;

async function suggest(text: string, entitiesOnly: boolean, signal: AbortSignal): Promise<Suggestion[]> {
  const [entities, recall] = await Promise.all([
    session.client.entities({ search: text, limit: 8, ...scopeOf() }, { signal }),
    // One letter is no question.
    entitiesOnly || text.length < 3
      ? null
      : session.client.recall({ query: text, limit: 5, no_rules: true, ...scopeOf() }, { signal }),
  ]);
  return [
    ...entities.map(({ entity, degree }) => ({
      handle: entity.id,
      label: entity.name,
      about: `${entity.type}, ${degree.toLocaleString("en")} edges`,
    })),
    ...(recall?.results ?? []).map((one) => ({
      handle: one.handle,
      label: one.text.slice(0, 120),
      about: `memory ${one.handle}`,
    })),
  ];
}

let boxes = 0;

/** Tells `chosen` with a suggestion. `keep` leaves the chosen name in the box; `entities` suggests no
 * memories. */
class Search extends Part {
  static override properties = {
    label: {},
    placeholder: {},
    value: {},
    keep: { type: Boolean },
    entities: { type: Boolean },
    found: { state: true },
    at: { state: true },
    why: { state: true },
  };
  declare label: string;
  declare placeholder: string;
  declare value: string;
  declare keep: boolean;
  declare entities: boolean;
  declare found: Suggestion[] | null;
  declare at: number;
  declare why: string;
  readonly #name = `search-${(boxes += 1)}`;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = new AbortController();
  /** Whether the first suggestion is chosen as soon as it comes. */
  #eager = false;

  constructor() {
    super();
    this.label = this.placeholder = this.value = this.why = "";
    this.keep = this.entities = false;
    this.found = null;
    this.at = -1;
  }

  protected override render(): TemplateResult {
    const open = this.found !== null;
    const line = (tone: string, text: string) =>
      html`<li class=${tone} role="option" aria-selected="false">${text}</li>`;
    const option = (at: number) => `${this.#name}-${at}`;
    return html`
      <input type="search" role="combobox" autocomplete="off" spellcheck="false" aria-label=${this.label}
        placeholder=${this.placeholder} .value=${this.value} aria-expanded=${open ? "true" : "false"}
        aria-controls=${this.#name} aria-activedescendant=${this.at >= 0 ? option(this.at) : nothing}
        @input=${this.#typed} @keydown=${this.#key} @blur=${() => setTimeout(this.#left, LEFT_MS)}>
      <ul id=${this.#name} role="listbox" class="suggestions" aria-label="Suggestions"
        ?hidden=${!open && this.why === ""}>
        ${(this.found ?? []).map(
          (one, at) => html`
          <li id=${option(at)} role="option" aria-selected=${at === this.at ? "true" : "false"}
            @pointerdown=${(event: Event) => {
              event.preventDefault();
              this.#choose(one);
            }}>
            <span class="clip" dir="auto">${one.label}</span><span class="quiet">${one.about}</span>
          </li>`,
        )}
        ${this.found?.length === 0 ? line("quiet", "Nothing found.") : nothing}
        ${this.why === "" ? nothing : line("bad", this.why)}
      </ul>
    `;
  }

  /** Who pressed Enter and went on still gets the first suggestion. */
  readonly #left = (): void => {
    if (!this.#eager) this.#close();
  };

  #close(): void {
    this.#eager = false;
    clearTimeout(this.#timer);
    this.#asked.abort();
    this.found = null;
    this.at = -1;
    this.why = "";
  }

  readonly #typed = (event: InputEvent): void => {
    this.#eager = false;
    this.value = (event.target as HTMLInputElement).value;
    clearTimeout(this.#timer);
    this.#asked.abort();
    const text = this.value.trim();
    if (text === "") {
      this.#close();
      if (this.keep) this.dispatchEvent(new CustomEvent("chosen", { detail: null }));
      return;
    }
    const asked = (this.#asked = new AbortController());
    this.#timer = setTimeout(() => void this.#ask(text, asked.signal), PAUSE_MS);
  };

  async #ask(text: string, signal: AbortSignal): Promise<void> {
    try {
      const found = await suggest(text, this.entities, signal);
      if (signal.aborted) return;
      this.found = found;
      this.at = found.length > 0 ? 0 : -1;
      this.why = "";
      if (this.#eager && found[0]) this.#choose(found[0]);
    } catch (failure) {
      if (signal.aborted) return;
      this.found = null;
      this.why = reason(failure);
    }
  }

  readonly #key = (event: KeyboardEvent): void => {
    const last = (this.found?.length ?? 0) - 1;
    if (event.key === "ArrowDown") this.at = Math.min(last, this.at + 1);
    else if (event.key === "ArrowUp") this.at = Math.max(0, this.at - 1);
    else if (event.key === "Escape") this.#close();
    else if (event.key === "Enter") {
      const one = this.found?.[this.at];
      if (one) this.#choose(one);
      else this.#eager = true;
    } else return;
    event.preventDefault();
  };

  #choose(one: Suggestion): void {
    this.#close();
    this.value = this.keep ? one.label : "";
    this.dispatchEvent(new CustomEvent("chosen", { detail: one }));
  }
}

customElements.define("griot-graph-search", Search);

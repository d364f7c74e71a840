// The menu of a position in the picture.

import { html, nothing, type TemplateResult } from "lit";
import { Part } from "../parts/part.js";
import type { Point } from "./camera.js";

/** A finger that opened the menu by a long press lies on it, and taps it when it is lifted soon after. */
const LIFTED_MS = 600;

export interface Choice {
  label: string;
  run: () => void;
}

class Menu extends Part {
  static override properties = { choices: { attribute: false }, at: { attribute: false }, subject: {} };
  declare choices: Choice[];
  declare at: Point | null;
  declare subject: string;
  #before: HTMLElement | null = null;
  #opened = 0;

  constructor() {
    super();
    this.choices = [];
    this.subject = "";
    this.at = null;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("pointerdown", this.#outside);
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.at) return nothing;
    return html`
      <div class="menu" role="menu" aria-label=${`Menu of ${this.subject}`} @keydown=${this.#key}>
        <p class="menu-title clip" dir="auto">${this.subject}</p>
        ${this.choices.map(
          (choice) => html`
          <button role="menuitem" tabindex="-1" @click=${(event: PointerEvent) => {
            if (event.pointerType === "touch" && performance.now() - this.#opened < LIFTED_MS) return;
            this.#close();
            choice.run();
          }}>${choice.label}</button>`,
        )}
      </div>
    `;
  }

  protected override updated(changed: Map<string, unknown>): void {
    const menu = this.querySelector<HTMLElement>(".menu");
    if (!changed.has("at") || !menu || !this.at) return;
    // Within the picture, whichever corner it was asked for in.
    const room = (this.parentElement ?? this).getBoundingClientRect();
    menu.style.left = `${Math.max(4, Math.min(this.at.x, room.width - menu.offsetWidth - 4))}px`;
    menu.style.top = `${Math.max(4, Math.min(this.at.y, room.height - menu.offsetHeight - 4))}px`;
    this.#opened = performance.now();
    this.#before = document.activeElement as HTMLElement | null;
    menu.querySelector("button")?.focus();
    document.addEventListener("pointerdown", this.#outside);
  }

  readonly #outside = (event: Event): void => {
    if (!this.contains(event.target as Node)) this.#close();
  };

  #close(): void {
    document.removeEventListener("pointerdown", this.#outside);
    this.at = null;
    this.#before?.focus();
    this.dispatchEvent(new Event("closed"));
  }

  readonly #key = (event: KeyboardEvent): void => {
    const items = [...this.querySelectorAll<HTMLElement>("[role=menuitem]")];
    const now = items.indexOf(document.activeElement as HTMLElement);
    const to: Record<string, number> = {
      ArrowDown: (now + 1) % items.length,
      ArrowUp: (now - 1 + items.length) % items.length,
      Home: 0,
      End: items.length - 1,
    };
    if (event.key === "Escape" || event.key === "Tab") this.#close();
    else if (event.key in to) items[to[event.key]!]?.focus();
    else return;
    event.preventDefault();
  };
}

customElements.define("griot-menu", Menu);

// How the chat client looks: its theme, its font, and the room that it leaves free.

import type { HostContext } from "./host.js";

const DARK = "prefers-color-scheme";

/** The parts of the style sheet for a dark page, found before the first of them is changed. */
function darkRules(): CSSMediaRule[] {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  return rules.filter((rule): rule is CSSMediaRule =>
    rule instanceof CSSMediaRule && rule.conditionText.includes(DARK));
}

/** Wears the look of the host; what it does not tell stays as the browser has it. */
export class Look {
  readonly #dark = darkRules();

  wear({ theme, styles, safeAreaInsets: free }: HostContext): void {
    const { style } = document.documentElement;
    if (theme === "light" || theme === "dark") {
      // The theme of the host may be another one than that of the system.
      for (const rule of this.#dark) rule.media.mediaText = theme === "dark" ? "all" : "not all";
      style.colorScheme = theme;
    }
    // Its colours are not taken: they may leave too little contrast to those that say something here.
    const font = styles?.variables?.["--font-sans"];
    if (font) style.fontFamily = font;
    if (free) style.padding = `${free.top}px ${free.right}px ${free.bottom}px ${free.left}px`;
  }
}

// Text with words in it that stand out, by splitting: stored text never becomes HTML.

import { html, type TemplateResult } from "lit";

export interface Piece {
  text: string;
  marked: boolean;
}

/** The pieces of `text`, which together are the text. Neither case counts nor how words are spaced. */
export function pieces(text: string, needles: readonly string[]): Piece[] {
  const patterns = needles
    .map((needle) => needle.trim())
    .filter((needle) => needle.length > 1)
    .sort((a, b) => b.length - a.length)
    .map((needle) => {
      const words = needle.split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
      // A name within another word is another thing: `Ann` is not in `annual`.
      const edge = (letter: string) => /[\p{L}\p{N}]/u.test(letter);
      const before = edge(needle[0]!) ? "(?<![\\p{L}\\p{N}])" : "";
      const after = edge(needle.at(-1)!) ? "(?![\\p{L}\\p{N}])" : "";
      return `${before}${words.join("\\s+")}${after}`;
    });
  if (patterns.length === 0) return text === "" ? [] : [{ text, marked: false }];
  return text
    .split(new RegExp(`(${patterns.join("|")})`, "giu"))
    .map((piece, at) => ({ text: piece, marked: at % 2 === 1 }))
    .filter((piece) => piece.text !== "");
}

export function marked(text: string, needles: readonly string[]): TemplateResult {
  const shown = pieces(text, needles).map((one) => (one.marked ? html`<mark>${one.text}</mark>` : one.text));
  return html`${shown}`;
}

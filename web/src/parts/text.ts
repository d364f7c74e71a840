// What of a text is shown, and which of its words are marked. Pieces only: text never becomes HTML.

export interface Piece {
  text: string;
  /** The words of the question stand here. */
  marked: boolean;
}

export interface Excerpt {
  pieces: Piece[];
  /** Whether text was left out before and after. */
  cutBefore: boolean;
  cutAfter: boolean;
}

interface Hit {
  start: number;
  end: number;
  term: number;
}

const WORD = /[\p{L}\p{N}]+/gu;
/** Scripts that put no spaces between words: a term is found inside a run of letters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** A stem may grow by an ending, a short one by a short ending: `google` is not a form of `go`. */
const LONGEST_ENDING = 4;

/** A text without Markdown's marks of bold and code, which are noise where they are not drawn. */
export function unmarked(text: string): string {
  const of = (_: string, bold?: string, code?: string) => bold ?? code ?? "";
  return text.replace(/\*\*(?=\S)([^*\n]*\S)\*\*|`([^`\n]+)`/g, of);
}

/** The part of `text` of about `length` characters that has most of `terms`, with the terms marked. */
export function excerpt(text: string, terms: string[], length: number): Excerpt {
  const hits = hitsIn(text, terms);
  const [start, end] = text.length <= length ? [0, text.length] : bestWindow(text, hits, length);
  const pieces: Piece[] = [];
  let at = start;
  for (const hit of hits) {
    if (hit.start < at || hit.end > end) continue;
    if (hit.start > at) pieces.push({ text: text.slice(at, hit.start), marked: false });
    pieces.push({ text: text.slice(hit.start, hit.end), marked: true });
    at = hit.end;
  }
  if (at < end) pieces.push({ text: text.slice(at, end), marked: false });
  return { pieces, cutBefore: start > 0, cutAfter: end < text.length };
}

/** `terms` are folded stems, as `recall` tells them. */
function hitsIn(text: string, terms: string[]): Hit[] {
  const hits: Hit[] = [];
  for (const match of text.matchAll(WORD)) {
    const word = folded(match[0]);
    for (const [term, stem] of terms.entries()) {
      if (UNSPACED.test(stem)) {
        for (let at = match[0].indexOf(stem); at >= 0; at = match[0].indexOf(stem, at + stem.length)) {
          hits.push({ start: match.index + at, end: match.index + at + stem.length, term });
        }
      } else if (hasStem(word, stem)) {
        hits.push({ start: match.index, end: match.index + match[0].length, term });
        break;
      }
    }
  }
  return hits.sort((a, b) => a.start - b.start);
}

function hasStem(word: string, stem: string): boolean {
  if (stem === "" || word.length > stem.length + Math.min(LONGEST_ENDING, stem.length + 1)) return false;
  // English stems end in `i` where the word ends in `y`.
  return word.startsWith(stem) || (stem.endsWith("i") && word === `${stem.slice(0, -1)}y`);
}

function folded(word: string): string {
  return word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** The window with the most different terms, then the most hits; its ends do not cut words. */
function bestWindow(text: string, hits: Hit[], length: number): [number, number] {
  let best: Hit[] = [];
  let bestScore = -1;
  for (let first = 0; first < hits.length; first += 1) {
    let last = first;
    while (last + 1 < hits.length && hits[last + 1]!.end - hits[first]!.start <= length) last += 1;
    const inside = hits.slice(first, last + 1);
    const score = new Set(inside.map((hit) => hit.term)).size * 1000 + inside.length;
    if (score > bestScore) [best, bestScore] = [inside, score];
  }
  const from = best[0]?.start ?? 0;
  const to = best.at(-1)?.end ?? 0;
  const slack = Math.max(0, length - (to - from));
  const start = Math.max(0, Math.min(from - Math.floor(slack / 3), text.length - length));
  return [wordStart(text, start, from), wordEnd(text, Math.min(text.length, start + length), to)];
}

function wordStart(text: string, at: number, latest: number): number {
  if (at === 0) return 0;
  const space = text.slice(at, latest).search(/\s/);
  return space < 0 ? at : at + space + 1;
}

function wordEnd(text: string, at: number, earliest: number): number {
  if (at >= text.length) return text.length;
  const space = text.slice(earliest, at).search(/\s\S*$/);
  return space < 0 ? at : earliest + space;
}

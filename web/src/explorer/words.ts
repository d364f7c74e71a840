// How numbers and times are written.

/** A time as a day, in the reader's zone; an empty text where there is none. */
export function day(time: string | number | null | undefined): string {
  const date = typeof time === "number" ? new Date(time * 1000) : new Date(time ?? NaN);
  if (Number.isNaN(date.getTime())) return "";
  return date.toLocaleDateString("en-GB", { year: "numeric", month: "short", day: "numeric" });
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** `relation:works_at` is read as `works at`. */
export function kindWords(kind: string): string {
  return kind.replace(/^relation:/, "").replaceAll("_", " ");
}

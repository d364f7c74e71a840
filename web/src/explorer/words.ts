// How numbers and times are written.

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

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

export function reason(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure);
  const { hint } = failure as { hint?: string | null };
  return hint && !failure.message.includes(hint) ? `${failure.message} ${hint}` : failure.message;
}

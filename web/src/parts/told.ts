// What the server says when it refuses, and dates and numbers in words.

import { html, nothing, type TemplateResult } from "lit";
import { GriotError } from "../../../sdk/typescript/src/errors.js";

/** A failure with the hint that the server gives; nothing if there is none. */
export function told(failure: unknown): TemplateResult | typeof nothing {
  if (failure === null || failure === undefined) return nothing;
  const { why, hint } = reasonOf(failure);
  return html`<p class="told" role="alert"><strong class="bad">${why}</strong>${
    hint ? html` <span class="quiet">${hint}</span>` : nothing
  }</p>`;
}

export function reasonOf(failure: unknown): { why: string; hint: string | null } {
  if (failure instanceof GriotError) {
    const why = `Could not ${failure.what}: ${failure.why}.`;
    if (failure.kind === "forbidden") return { why,
      hint: failure.hint ?? "The key of this tab may not do this." };
    return { why, hint: failure.hint };
  }
  return { why: failure instanceof Error ? failure.message : String(failure), hint: null };
}

/** A failure and its hint, where there is room for one line. */
export function reason(failure: unknown): string {
  const { why, hint } = reasonOf(failure);
  return [why, hint].filter(Boolean).join(" ");
}

/** `12 March 2026`, with the time of the day where it is not midnight. */
export function day(moment: string): string {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return moment;
  const isWhole = moment.includes("T00:00:00");
  return date.toLocaleString(undefined, {
    year: "numeric",
    month: "short",
    day: "numeric",
    timeZone: "UTC",
    ...(isWhole ? {} : { hour: "2-digit", minute: "2-digit" }),
  });
}

export function time(moment: string | null): TemplateResult | typeof nothing {
  return moment === null ? nothing : html`<time datetime=${moment} title=${moment}>${day(moment)}</time>`;
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** `1 h 5 min`, `20 s`. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function percent(share: number): string {
  return `${(share * 100).toLocaleString(undefined, { maximumFractionDigits: 1 })} %`;
}

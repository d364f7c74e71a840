// What the chat client tells: the question, and the answer in the result of a tool.

import { BY_KIND, GriotError, type ErrorDetails } from "../../sdk/typescript/src/errors.js";
import type { Recall, RecallRequest } from "../../sdk/typescript/src/types.js";
import { spaced } from "../src/parts/words.js";
import type { ToolResult } from "./host.js";

/** Key of the error as data in the `_meta` of a result. */
const ERROR = "griot/error";

/** What a model asked, as this view asks it again: with what was left out, and not for feedback twice. */
export function questionOf(given: Record<string, unknown>): RecallRequest {
  // `detail` and `budget` are about the text for the model.
  const { detail: _, budget: __, feedback: ___, ...asked } = given;
  return { ...asked, query: String(given["query"] ?? ""), rejected: true };
}

/** What narrows the question, in words: `["as of", "2026-03"]`. */
export function filtersOf({ query: _, rejected: __, ...filters }: RecallRequest): [string, string][] {
  const worded = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : String(value));
  const isSet = (value: unknown) => value !== null && value !== "" && value !== false;
  const set = Object.entries(filters).filter(([, value]) => isSet(value));
  return set.map(([name, value]) => [spaced(name), [value].flat().map(worded).join(", ")]);
}

/** The object in a result; throws what the server refused. */
export function answerIn<T>(result: ToolResult): T {
  if (result.isError) throw failureIn(result);
  const object = objectIn<T>(result);
  if (object === null) throw new Error("The chat client did not pass the data of the answer on.");
  return object;
}

/** `null` in a result that is text alone. */
export function objectIn<T>(result: ToolResult): T | null {
  const trace = result.structuredContent?.["trace"];
  return typeof trace === "object" ? (trace as T | null) : null;
}

export function failureIn(result: ToolResult): Error {
  const told = result._meta?.[ERROR] as (ErrorDetails & { kind: string }) | undefined;
  if (typeof told?.kind !== "string") return new Error(textIn(result) || "The call failed.");
  return new (BY_KIND[told.kind] ?? GriotError)(told);
}

export function textIn(result: ToolResult): string {
  return (result.content ?? []).flatMap((one) => (one.type === "text" ? [one.text ?? ""] : [])).join("\n");
}

export interface Given {
  /** How many of the results stand in the text for the model. */
  count: number;
  /** Whether that text has memories that are no longer among the results. */
  isOther: boolean;
}

/** What the model was given of `recall`, by the text that it read: `- #a1b2c3 (…): …` for each memory. */
export function givenOf(text: string, recall: Recall): Given {
  // The lines of a memory after its first are indented, so that none of them reads like this.
  const given = new Set([...text.matchAll(/^- (#[0-9a-z]+) \(/gm)].map((match) => match[1]!));
  const known = new Set(recall.results.map((result) => result.handle));
  return {
    count: [...given].filter((handle) => known.has(handle)).length,
    isOther: [...given].some((handle) => !known.has(handle)),
  };
}

// Words for what the server answers in codes.

import type { RecallResult, RolloutTrace, Standing,
  Understanding, Unmerged } from "../../../sdk/typescript/src/types.js";
import { count, day } from "./told.js";

export interface Chip {
  words: string;
  tone: "good" | "warn" | "bad" | "quiet";
  /** A sign besides the colour. */
  sign: string;
}

export function standing(of: Standing): Chip {
  const since = of.since ? ` since ${day(of.since)}` : "";
  const until = of.until ? ` until ${day(of.until)}` : "";
  const sure = of.certain ? "" : ", read from the texts";
  switch (of.is) {
    case "current":
      return { words: `current${since}${until}${sure}`, tone: "good", sign: "✓" };
    case "outdated":
      return { words: `outdated${since}${sure}`, tone: "warn", sign: "⟲" };
    case "planned":
      return { words: `planned${of.since ? ` for ${day(of.since)}` : ""}${until}${sure}`, tone: "quiet",
        sign: "…" };
    case "cancelled":
      return { words: `cancelled${since}${sure}`, tone: "bad", sign: "✕" };
    case "temporary":
      return { words: `temporary${since}${until}${sure}`, tone: "quiet", sign: "◷" };
    case "contradicted":
      return { words: `contradicted${since}${sure}`, tone: "bad", sign: "≠" };
    default:
      return { words: `${of.is}${since}${until}${sure}`, tone: "quiet", sign: "•" };
  }
}

const INCLUDED: Record<string, string> = {
  direct_match: "it has the words of the question",
  similar_meaning: "its meaning is close to the question",
  place: "it stands next to what was asked, in the same session or document",
  graph_expansion: "the graph leads to it",
  time: "it happened at the time that was asked for",
};

export function included(result: RecallResult): string {
  return INCLUDED[result.why_included] ?? result.why_included;
}

const REJECTED: Record<string, string> = {
  floor: "too unlikely to bear on the question",
  scope: "of another project",
  limit: "beyond the number of results",
  budget: "beyond the budget of tokens",
  redundant: "a result says the same",
  superseded: "replaced by a newer memory",
};

export function rejected(reason: string): string {
  return REJECTED[reason] ?? reason;
}

const FALLBACK: Record<string, string> = {
  feature_flag_disabled: "the setting recall.graph is off",
  rollout_off: "the rollout is off",
  shadow_mode: "in shadow the graph is only measured",
  quality_gate_blocked: "the quality gate holds it back",
  graph_expansion_error: "it failed",
  rollout_guardrail: "its rollout could not be read",
};

export function strategy(of: RolloutTrace): string {
  if (of.applied === "hybrid_graph") {
    return `With the graph, which reached ${count(of.graph_candidates, "memory", "memories")}`;
  }
  const why = of.fallback_reason;
  return why ? `Without the graph: ${FALLBACK[why] ?? why}` : "Without the graph";
}

const INTENT: Record<string, string> = {
  why: "a question for reasons",
  when: "a question for a time",
  entity: "a question about a thing",
  general: "a general question",
};

export function understood(of: Understanding): string {
  if (of.intent === "why" && of.direction === "consequences") return "a question for what followed";
  return INTENT[of.intent] ?? of.intent;
}

/** That a merge was undone, and what it could not part. */
export function twoAgain({ kept, merged, inseparable }: Unmerged): string {
  return [`${kept.name} and ${merged.name} are two again.`, ...inseparable].join(" ");
}

/** A passage of a document has the time of the document or of its storing: when it holds, nobody says. */
export function isTimeless(of: { kind: string }): boolean {
  return of.kind === "passage";
}

/** `migrated_to` reads `migrated to`. */
export function spaced(code: string): string {
  return code.replaceAll("_", " ");
}

/** What a person sees of `MIN_SHADOW_EXECUTIONS_NOT_MET`. */
export function sentence(code: string): string {
  const words = spaced(code).toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

// What there is to decide, and how each decision is carried out with the verbs of the server.

import { GriotError, InvalidInput } from "../../../../sdk/typescript/src/errors.js";
import type { Griot } from "../../../../sdk/typescript/src/client.js";
import type { Edge, Fact, FactConflict, NodeRef, Offer, Suggestion,
  Warning } from "../../../../sdk/typescript/src/types.js";
import type { Scope } from "../../parts/scope.js";
import { nameOf } from "../../parts/steps.js";
import { day } from "../../parts/told.js";
import { spaced } from "../../parts/words.js";
import type { Role } from "../../parts/workspace.js";
import { Settled, type Choice, type Outcome } from "./queue.js";

export type Item =
  | { kind: "merge"; key: string; suggestion: Suggestion }
  | { kind: "replacement"; key: string; offer: Offer }
  | { kind: "cause"; key: string; offer: Offer }
  | { kind: "conflict"; key: string; conflict: FactConflict }
  | { kind: "warning"; key: string; warning: Warning };

export type Kind = Item["kind"];

export const KINDS: Record<Kind, { title: string; role: Role }> = {
  merge: { title: "Two names of one thing?", role: "admin" },
  replacement: { title: "Outdated?", role: "write" },
  cause: { title: "Cause and effect?", role: "write" },
  conflict: { title: "Contradictions", role: "write" },
  warning: { title: "Warnings", role: "write" },
};

export function ofSuggestion(suggestion: Suggestion): Item {
  return { kind: "merge", key: suggestion.id, suggestion };
}

export function ofOffer(offer: Offer): Item {
  return { kind: offer.kind === "cause" ? "cause" : "replacement", key: offer.id, offer };
}

export function ofConflict(conflict: FactConflict): Item {
  return { kind: "conflict", key: `${conflict.first.id}-${conflict.second.id}`, conflict };
}

export function ofWarning(warning: Warning): Item {
  return { kind: "warning", key: warning.id, warning };
}

/** What is to be decided of each kind, the likeliest first. */
export function itemsOf(
  suggestions: Suggestion[], offers: Offer[], conflicts: FactConflict[], warnings: Warning[],
): Item[] {
  return [
    ...suggestions.toSorted((a, b) => b.likeness - a.likeness).map(ofSuggestion),
    ...offers.toSorted((a, b) => b.probability - a.probability).map(ofOffer),
    ...conflicts.map(ofConflict),
    ...warnings.map(ofWarning),
  ];
}

/** The memory that would be the cause, or would replace the other, and that other. */
export function endsOf({ newer, other, source }: Offer): [NodeRef, NodeRef] {
  return newer.name === source ? [newer, other] : [other, newer];
}

export function fact(of: Fact): string {
  return `${of.subject.name} ${spaced(of.predicate)} ${of.object}`;
}

/** The memory that states a fact, if a memory does. */
export function statedBy(of: Fact): string | null {
  return of.evidence.find((one) => one.memory !== null)?.memory ?? null;
}

/** The ways to decide an item. `edges` are those of a warning, `note` is noted with its acknowledgement. */
export function choicesOf(
  item: Item, client: Griot, scope: Scope, edges: Edge[] = [], note: () => string = () => "",
): Choice[] {
  switch (item.kind) {
    case "merge":
      return merging(item.suggestion, client, scope);
    case "replacement":
      return replacing(item.offer, client, scope);
    case "cause":
      return causing(item.offer, client, scope);
    case "conflict":
      return contradicting(item.conflict, client, scope);
    case "warning":
      return warned(item.warning, client, scope, edges, note);
  }
}

function merging({ id, kept, merged }: Suggestion, client: Griot, scope: Scope): Choice[] {
  return [
    {
      key: "y", words: "Merge", isFinal: false,
      send: () => settled(async () => {
        const { merge } = await client.applyMerge({ name: id, ...scope });
        return {
          said: `${merged.name} is now ${kept.name}`,
          undo: async () => {
            const { inseparable } = await client.unmerge({ name: merge.id, ...scope });
            // The suggestion stays decided: these names are not suggested again.
            return { said: ["They are two again.", ...inseparable].join(" "), isOpen: false };
          },
        };
      }),
    },
    {
      key: "n", words: "Two things", isFinal: true,
      send: () => settled(async () => {
        await client.dismissMerge({ name: id, ...scope });
        return { said: `${merged.name} and ${kept.name} stay two`, undo: null };
      }),
    },
  ];
}

/** The server refuses a suggestion that is decided, and says how it was decided. */
async function settled(run: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await run();
  } catch (failure) {
    const how = failure instanceof InvalidInput && /^it is (applied|dismissed)/.exec(failure.why)?.[1];
    if (how) throw new Settled(`Somebody decided before: it was ${how}.`);
    throw failure;
  }
}

function replacing(offer: Offer, client: Griot, scope: Scope): Choice[] {
  const { newer, other } = offer;
  const [by, replaced] = endsOf(offer);
  return [
    {
      key: "y", words: "Replaced", isFinal: false,
      send: () => linked(offer, by, replaced, "supersedes", null, client, scope,
        `${by.name} replaces ${replaced.name}`),
    },
    { key: "n", words: "Keep both", isFinal: false, send: () => refused([offer.id], offer, client, scope,
      "both hold") },
    {
      key: "x", words: "Not the same", isFinal: false,
      // Not about one thing: then nothing else that was offered for the two holds either.
      send: async () => {
        const all = await client.offers({ memory: nameOf(newer), limit: 500, ...scope });
        const same = all.filter((one) => one.other.id === other.id && one.newer.id === newer.id).map((one) =>
          one.id);
        return refused([...new Set([offer.id, ...same])], offer, client, scope,
          "they are about different things");
      },
    },
  ];
}

function causing(offer: Offer, client: Griot, scope: Scope): Choice[] {
  const [cause, effect] = endsOf(offer);
  const label = offer.sub_type ?? "causes";
  const link = (from: NodeRef, to: NodeRef) =>
    linked(offer, from, to, "causal", label, client, scope, `${from.name} ${label} ${to.name}`);
  return [
    { key: "y", words: "Yes", isFinal: false, send: () => link(cause, effect) },
    { key: "n", words: "No", isFinal: false, send: () => refused([offer.id], offer, client, scope,
      "no cause") },
    { key: "t", words: "Turned round", isFinal: false, send: () => link(effect, cause) },
  ];
}

/** Takes an offer, unless somebody decided it before: a second link would count as more evidence. */
async function linked(
  offer: Offer, from: NodeRef, to: NodeRef, kind: string, label: string | null,
  client: Griot, scope: Scope, said: string,
): Promise<Outcome> {
  await stillOpen(offer, client, scope);
  const ends = { source: nameOf(from), target: nameOf(to), kind, ...(label ? { label } : {}) };
  const { created, warnings } = await client.link({ ...ends, ...scope });
  const noted = [
    created ? said : `${said}, which was known`,
    ...warnings.map((one) => `warning: ${one.message}`),
  ];
  return {
    said: noted.join("; "),
    undo: created
      ? async () => {
          await client.unlink({ ...ends, ...scope });
          await client.restore({ name: offer.id, ...scope });
          return { said: "The link is removed, the offer is open again.", isOpen: true };
        }
      : null,
  };
}

async function refused(
  ids: string[], offer: Offer, client: Griot, scope: Scope, said: string,
): Promise<Outcome> {
  await stillOpen(offer, client, scope);
  for (const name of ids) await client.forget({ name, ...scope });
  return {
    said: `${offer.newer.name} and ${offer.other.name}: ${said}`,
    undo: async () => {
      for (const name of ids) await client.restore({ name, ...scope });
      return { said: "It is open again.", isOpen: true };
    },
  };
}

async function stillOpen(offer: Offer, client: Griot, scope: Scope): Promise<void> {
  const now = (await client.offers({ memory: nameOf(offer.newer), all: true, limit: 500, ...scope }))
    .find((one) => one.id === offer.id);
  if (now && now.state !== "open") {
    const when = now.settled_at ? ` on ${day(now.settled_at)}` : "";
    throw new Settled(`Somebody decided before: it was ${now.state}${when}.`);
  }
}

/** A fact ends with the memory that states it; nothing ends one that was given without a memory. */
function contradicting({ first, second }: FactConflict, client: Griot, scope: Scope): Choice[] {
  const wrong = (which: Fact, key: string, place: string): Choice[] => {
    const memory = statedBy(which);
    if (!memory) return [];
    return [{
      key, words: `The ${place} is wrong`, isFinal: false,
      send: async () => {
        try {
          await client.forget({ name: memory, ...scope });
        } catch (failure) {
          if (failure instanceof GriotError && failure.kind === "not_found") throw new
            Settled("Somebody forgot it before.");
          throw failure;
        }
        return {
          said: `Forgot what states “${fact(which)}”`,
          undo: async () => {
            await client.restore({ name: memory, ...scope });
            return { said: "It is there again.", isOpen: true };
          },
        };
      },
    }];
  };
  return [...wrong(first, "1", "first"), ...wrong(second, "2", "second")];
}

function warned(warning: Warning, client: Griot, scope: Scope, edges: Edge[], note: () => string): Choice[] {
  const acknowledge: Choice = {
    key: "y", words: "Acknowledge", isFinal: true,
    send: async () => {
      const now = (await client.warnings({ all: true, ...scope })).warnings.find((one) =>
        one.id === warning.id);
      if (!now) throw new Settled("It no longer applies.");
      if (now.acknowledged) throw new
        Settled(`${now.acknowledged.by} acknowledged it before: ${now.acknowledged.note ?? "no note"}.`);
      const text = note();
      await client.acknowledgeWarning({ name: warning.id, ...(text ? { note: text } : {}), ...scope });
      return { said: text ? `Acknowledged: ${text}` : "Acknowledged", undo: null };
    },
  };
  const removals = edges.slice(0, 9).map((edge, at): Choice => ({
    key: String(at + 1), words: `Remove edge ${at + 1}`, isFinal: true,
    send: async () => {
      const { removed } = await client.unlink({
        source: nameOf(edge.source), target: nameOf(edge.target), kind: edge.kind,
        ...(edge.label ? { label: edge.label } : {}), ...scope,
      });
      if (removed.length === 0) throw new Settled("Somebody removed it before.");
      const reads = edge.label || edge.kind;
      return { said: `Removed: ${edge.source.name} ${reads} ${edge.target.name}`, undo: null };
    },
  }));
  return [acknowledge, ...removals];
}

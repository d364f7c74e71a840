// Takes the place of `src/session.ts`: there is no connection to the server but through the chat client,
// which calls the tools that only this view may call.

import type {
  EntityView, Feedback, Recall, Status, Timeline, Why,
} from "../../sdk/typescript/src/types.js";
import type { Griot } from "../../sdk/typescript/src/client.js";
import { Host } from "./host.js";
import { answerIn } from "./told.js";

export const host = new Host(window, window.parent);

/** One of the verbs that the server offers to this view. */
async function ask<T>(verb: string, asked: object, signal?: AbortSignal): Promise<T> {
  const result = await host.call(`app_${verb}`, asked);
  signal?.throwIfAborted();
  return answerIn<T>(result);
}

type Client = Pick<Griot, "recall" | "why" | "timeline" | "entity" | "feedback" | "status">;

class Session extends EventTarget {
  readonly client: Client = {
    recall: (asked, options) => ask<Recall>("recall", asked, options?.signal),
    why: (asked, options) => ask<Why>("why", asked, options?.signal),
    timeline: (asked = {}, options) => ask<Timeline>("timeline", asked, options?.signal),
    entity: (asked, options) => ask<EntityView>("entity", asked, options?.signal),
    feedback: (asked, options) => ask<Feedback>("feedback", asked, options?.signal),
    status: (asked = {}, options) => ask<Status>("status", asked, options?.signal),
  };
}

export const session = new Session();

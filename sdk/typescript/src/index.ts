// Client of Griot, a graph memory for AI agents: one method per verb of the server.

export { Griot, type EventOptions } from "./client.js";
export * from "./errors.js";
export type { Options } from "./plan.js";
export type * from "./types.js";
export type { CallOptions, Verb } from "./verb.js";
export { REFUSALS, VERBS } from "./verbs.js";

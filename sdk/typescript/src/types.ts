// What is asked and answered. Made by `cargo xtask codegen` from the server's OpenAPI document; changes here are lost.

/** Somebody knows of a warning and leaves it as it is. */
export interface Acknowledged {
  /** When. */
  at: string;
  /** Who: `user`, or the name of a key. */
  by: string;
  /** Why. */
  note: string | null;
}

/** What a person should look at. */
export interface Alarm {
  /** Such as `HIGH_FALLBACK_RATE`. */
  code: string;
  /** `info`, `warning` or `critical`. */
  severity: string;
  /** In words. */
  message: string;
  /** When it was seen. */
  triggered_at: string;
}

/** The answer to `build-graphs`. */
export interface BuiltGraphs {
  /** Steps in time between consecutive memories in all: those of one source are derived when read, others stored. */
  temporal_total: number;
  /** Stored steps in time that were added. */
  temporal_added: number;
  /** Stored steps in time that were removed, since something lies between by now. */
  temporal_removed: number;
  /** Semantic edges that were added. */
  semantic_added: number;
  /** Semantic edges in all. */
  semantic_total: number;
  /** Edges from memories to the topics that their tags name, of memories that had none. */
  topics_added: number;
}

/** A memory that may have caused the new one, or followed from it. */
export interface CausalCandidate {
  /** Stable id. */
  id: string;
  /** Short name. */
  handle: string;
  /** Its text. */
  text: string;
  /** Its kind. */
  kind: string;
  /** 1 or 2: how far it is in the graph; 0 if it is further and among the latest memories. */
  hop: number;
  /** Kind of the edge it was reached by, or `latest`. */
  via_edge: string;
  /** Share of common words, 0..=1. */
  causal_signal: number;
  /** `causes`, `enables` or `prevents`. */
  suggested_sub_type: string;
  /** The candidate would be the cause and the new memory the effect. */
  candidate_is_cause: boolean;
  /** Why it is offered. */
  reason: string;
}

/** How results hang together: cause before effect. */
export interface Chain {
  /** From cause to effect. */
  hops: Hop[];
  /** Product of the hops' confidences, 0..=1. */
  confidence: number;
}

/** One committed change, as `/v1/events` sends it. */
export interface Changed {
  /** Number of the change; also the id of the event. */
  revision: number;
  /** When it was committed. */
  at: string;
  /** Ids of memories that are new or changed, forgotten ones too. */
  memories: string[];
  /** Their handles, in the same order. */
  handles: string[];
  /** Canonical ids of entities that are new or changed. */
  entities: string[];
  /** Ids of edges that are new or changed. */
  edges: string[];
  /** Ids of edges that were removed. */
  removed_edges: string[];
}

/** The answer to `context`. */
export interface Context {
  /** Markdown: entities, relationships, memories with handle and date. Stored text, not instructions. */
  text: string;
  /** Ids of the memories in it. */
  results: string[];
}

/** How many of each there are. */
export interface Counts {
  /** Live memories. */
  memories: number;
  /** Forgotten memories. */
  deleted_memories: number;
  /** Memories that another one replaced. */
  superseded_memories: number;
  /** Memories whose time is over. */
  expired_memories: number;
  /** Stored edges whose time is over. */
  expired_edges: number;
  /** Memories with a vector. */
  vectors: number;
  /** Entities. */
  entities: number;
  /** Stored edges whose time is not over. */
  edges: number;
  /** Facts. */
  facts: number;
  /** Sources. */
  sources: number;
  /** Memories by kind. */
  memories_by_kind: Record<string, number>;
  /** Entities by type. */
  entities_by_type: Record<string, number>;
  /** Edges by kind. */
  edges_by_kind: Record<string, number>;
  /** Edges by who says so. */
  edges_by_provenance: Record<string, number>;
}

/** One piece of feedback. */
export interface Credited {
  /** Handle of the memory; `null` for the answer as a whole. */
  handle: string | null;
  /** Id of the memory. */
  memory: string | null;
  /** The answer that it was taken for; `null` if no kept answer holds the memory. */
  answer: string | null;
  /** `hybrid_graph` if the graph had a part in the place of the result, else `baseline`. */
  strategy: string | null;
}

/** A comparison with the most similar memory. */
export interface Diff {
  /** `add`, `duplicate`, `conflict` or `update`. */
  suggestion: string;
  /** Id of the memory it was compared with. */
  with: string | null;
  /** Handle of that memory. */
  with_handle: string | null;
  /** 0..=1. */
  similarity: number;
  /** Why this is suggested. */
  reason: string;
}

/** A text on its way into the store. Everything but `text` may be left out. */
export interface Draft {
  text: string;
  kind?: string | null;
  tags?: string[];
  tier?: string | null;
  /** A date, RFC 3339, or how long: `8h`, `30d`. */
  expires_at?: string | null;
  importance?: number | null;
  user?: string | null;
  project?: string | null;
  agent?: string | null;
  session?: string | null;
  speaker?: string | null;
  /** RFC 3339, a date, or words such as `yesterday`. */
  occurred_at?: string | null;
  entities?: EntityDraft[];
  heading?: string[];
  lines?: Span | null;
  ordinal?: number | null;
  supersedes?: string | null;
}

/** A stored edge with both ends spelled out. */
export interface Edge {
  /** Number in the workspace, such as `e12`; `null` if it is derived when read. */
  id: string | null;
  /** Where it starts. */
  source: NodeRef;
  /** Where it leads. */
  target: NodeRef;
  /** Kind of the edge, a word of the catalogue. */
  kind: string;
  /** Sub-type or relation label; empty where the kind has none. */
  label: string;
  /** Which question it answers: `temporal`, `entity`, `causal`, `semantic`. */
  family: string;
  /** Weight, 0..=1; relations count how often they were said. */
  weight: number;
  /** Confidence now, 0..=1: what it was at its last evidence, faded since. */
  confidence: number;
  /** Confidence as it is stored, before fading. */
  stored_confidence: number;
  /** Who says so: `user`, `static`, `import`, `llm`, `embedding`, `rule`. */
  provenance: string;
  /** Why it is believed. */
  evidence: Evidence[];
  /** When it was first stored. */
  created_at: string;
  /** When it last gained evidence. */
  touched_at: string;
  /** When it stops being true, if that is known. */
  expires_at: string | null;
}

/** Edges by the question they answer. */
export interface EdgeTally {
  /** When. */
  temporal: number;
  /** Who and what. */
  entity: number;
  /** Why. */
  causal: number;
  /** What is like it. */
  semantic: number;
}

/** A named thing. */
export interface Entity {
  /** Canonical id: type and key, such as `tool:redis`. No other entity has it. */
  id: string;
  /** The name as first written. */
  name: string;
  /** `person`, `org`, `repo`, `concept`, `tool`, `location`, `event`, `goal`, `task`, `file`, `module`, `function`, `type`, `external`, `topic`, `date` or `custom`. */
  type: string;
  /** What tells it from others of its type; `null` where that follows from the name. */
  key: string | null;
  /** `code`, `execution`, `knowledge` or `project`: follows from its type or kind. */
  layer: string;
  /** Other names of the same thing, in normal form, and canonical ids it had before. */
  aliases: string[];
  /** What was learned about it, in order. */
  description: string[];
  /** When it was first mentioned. */
  first_seen: string;
  /** When it was last mentioned. */
  last_seen: string;
  /** When it was forgotten, if it was. */
  deleted_at: string | null;
}

/** `"Redis"`, `"Redis:tool"` or `{"name": "get", "type": "function", "key": "http::get"}`. */
export type EntityDraft = string | NamedEntity;

/** The answer to `entity`. */
export interface EntityView {
  /** The entity. */
  entity: Entity;
  /** Edges with other entities, and causal or semantic ones with memories. */
  relations: Edge[];
  /** Memories that mention it, latest first, up to the asked number. */
  mentions: Memory[];
  /** How many memories mention it. */
  mention_count: number;
  /** What is held to be true of it. */
  facts: Fact[];
  /** Entities within the asked steps, through relations and shared memories. */
  neighbourhood: Related[];
}

/** The receipt of an erasure. It holds no text and no name. */
export interface Erasure {
  /** Number in the workspace, such as `x3`; `null` for what `--dry-run` answers. */
  id: string | null;
  /** `memory`, `source`, `entity` or `user`. */
  kind: string;
  /** When. */
  at: string;
  /** Who asked for it. */
  by: string;
  /** The revision before. */
  revision_before: number;
  /** The revision without it. */
  revision_after: number;
  /** When every file of the workspace was rid of it; `null` while that is left to do. */
  finished_at: string | null;
  /** How much went, and what stayed. */
  counts: ErasureCounts;
  /** How many of the things that it says are gone are there: 0 is sound. `null` where nobody compared. */
  found: number | null;
}

/** What an erasure came to. */
export interface ErasureCounts {
  /** Texts with their tags, hidden ones too. */
  memories: number;
  /** Their vectors. */
  vectors: number;
  /** Entities. */
  entities: number;
  /** Sources that were asked for, or had no other memory. */
  sources: number;
  /** Edges. */
  edges: number;
  /** Facts. */
  facts: number;
  /** Pieces of evidence of edges and facts that others support as well. */
  evidence: number;
  /** Names of entities that stay, where only erased texts wrote them so. */
  spellings: number;
  /** Merges in the log that were removed or rewritten. */
  merges: number;
  /** Rows of jobs. */
  job_rows: number;
  /** Copies of the database that were removed. */
  copies: number;
  /** Other memories that say the same, word for word. They stay. */
  same_texts: number;
  /** Texts that mention an erased entity. They stay. */
  mentioning: number;
}

/** Why an edge or a fact is believed. */
export interface Evidence {
  /** Id of the memory that says it; `null` when a caller said it without one. */
  memory: string | null;
  /** The words that say it. */
  quote: string | null;
  /** What the rule, model or caller gave as its reason. */
  reason: string | null;
  /** When it was said. */
  at: string;
}

/** Subject, predicate, object, with the time it was true and the time we knew it. */
export interface Fact {
  /** Number in the workspace, such as `f3`. */
  id: string;
  /** What the fact is about. */
  subject: NodeRef;
  /** `adopted`, `migrated_to`, `deployed_to`, `runs_on`, `replaced`, `depends_on`, `integrates_with`, `uses`, `prefers`, `avoids`, `caused_by`, `resolved_by` or `owned_by`. */
  predicate: string;
  /** Name of the object, or the literal itself. */
  object: string;
  /** The object as a node; `null` for a literal. */
  object_node: NodeRef | null;
  /** Since when it is true, if known. */
  valid_from: string | null;
  /** Until when it was true, if it is over. */
  valid_to: string | null;
  /** When it was stored. */
  recorded_at: string;
  /** When it was withdrawn. */
  superseded_at: string | null;
  /** 0..=1. */
  confidence: number;
  /** True at the asked time. */
  current: boolean;
  /** Ids of facts that hold at the same time and say otherwise. */
  contradicts: string[];
  /** Who sees it; everybody if there is none. */
  user: string | null;
  /** What it is about; everything if there is none. */
  project: string | null;
  /** Why it is believed. */
  evidence: Evidence[];
}

/** What feedback was counted for. */
export interface Feedback {
  /** What was said. */
  good: boolean;
  /** Piece by piece. */
  credited: Credited[];
}

/** What a client sends as feedback: `{"answer": "q-…", "memories": ["#a1b2c3"], "good": true}`; either of the first two may be left out. */
export interface FeedbackGiven {
  /** Id of an answer (`rollout.id`). */
  answer?: string | null;
  /** Handles or ids of its results; empty for the answer as a whole. Without an answer, the latest one that holds each counts. */
  memories?: string[];
  /** They helped. */
  good: boolean;
}

/** The answer to `forget` and `restore`. */
export interface Forgotten {
  /** Ids of memories. */
  memories: string[];
  /** Their handles, in the same order. */
  handles: string[];
  /** Canonical ids of entities. */
  entities: string[];
  /** Ids of sources. */
  sources: string[];
  /** Edges that hang on a hidden node: kept, not followed, and back with a restore. */
  edges_hidden: number;
}

/** One thing that is not as it should be. */
export interface GateReason {
  /** Such as `GRAPH_ERROR_RATE_ABOVE_LIMIT`. */
  code: string;
  /** It blocks the gate; otherwise it is a warning. */
  blocking: boolean;
  /** What was measured. */
  value: number;
  /** Where it should stay. */
  limit: number;
}

/** The answer to `doctor`. */
export interface Health {
  /** Nothing is wrong. */
  sound: boolean;
  /** What is wrong, in sentences. */
  problems: string[];
  /** What was looked at. */
  checked: string[];
  /** What was wrong and was repaired (`doctor --repair`), in sentences. */
  repaired: string[];
  /** The file that holds rows as they were before they were removed or changed; `null` if there were none. */
  quarantine: string | null;
}

/** One step of a path, in walking order. */
export interface Hop {
  /** Where the step starts. */
  from: NodeRef;
  /** Where it leads. */
  to: NodeRef;
  /** Kind of the edge, a word of the catalogue such as `causal` or `mentions`. */
  kind: string;
  /** The edge's sub-type or relation label; empty where the kind has none. */
  label: string;
  /** How the step reads from `from` to `to`, such as `mentions`, `caused by`, `depends_on`. */
  reads: string;
  /** Which question the edge answers: `temporal`, `entity`, `causal`, `semantic`. */
  family: string;
  /** The edge itself runs from `from` to `to`; `false` if it is walked against its direction. */
  forward: boolean;
  /** Weight of the edge, 0..=1; relations count how often they were said. */
  weight: number;
  /** Confidence in the edge, 0..=1, faded to the time of the question. */
  confidence: number;
  /** Who says so: `user`, `static`, `import`, `llm`, `embedding`, `rule`. */
  provenance: string;
  /** Hours between both ends of a step in time; `null` for other steps. */
  hours: number | null;
  /** From when on the edge is not there any more; `null` if it does not expire. */
  expires_at: string | null;
  /** Id of the edge (`e12`); `null` if it follows from times or places alone and is not stored. */
  edge: string | null;
  /** Why the edge is believed. */
  evidence: Evidence[];
}

/** A well connected entity. */
export interface Hub {
  /** The entity. */
  entity: Entity;
  /** How many edges it has. */
  degree: number;
}

/** A failure of the graph. */
export interface Incident {
  /** When. */
  at: string;
  /** `graph_expansion_error` or `rollout_guardrail`. */
  reason: string;
  /** The graph ran for its measures only. */
  shadow: boolean;
  /** In words. */
  message: string;
}

/** A file that could not be read. */
export interface IngestFailure {
  /** The file. */
  path: string;
  /** Stable code of the error. */
  code: string;
  /** What was wrong with it. */
  message: string;
}

/** A file that has another name. */
export interface IngestRename {
  /** Its last name. */
  from: string;
  /** Where it lies now. */
  to: string;
}

/** The answer to `ingest`. */
export interface Ingested {
  /** Sources that were read. */
  sources: number;
  /** Sources whose content had not changed. */
  unchanged: number;
  /** Memories added. */
  added: number;
  /** Of those, the ones whose text calls for care: it holds a key or password, or gives orders to a model. */
  flagged: number;
  /** Memories that were there already in the same source. */
  kept: number;
  /** Texts that another source of the same scope already holds. */
  skipped: number;
  /** Memories that are no longer in their source. */
  removed: number;
  /** Entities added. */
  entities: number;
  /** Edges added. */
  edges: number;
  /** Warnings of the verifier around what was added that nobody acknowledged: `griot verify --list`. */
  warnings: number;
  /** Files with another name than the last time; what came from them stays. */
  renamed: IngestRename[];
  /** Sources removed because their file is gone (`--prune`). */
  pruned: string[];
  /** Files that could not be read. */
  failed: IngestFailure[];
  /** Stopped by the user before the end. */
  interrupted: boolean;
}

/** A span of time: `start` belongs to it, `end` does not. */
export interface Interval {
  /** First moment. */
  start: string;
  /** First moment after it. */
  end: string;
}

/** A durable job: an ingestion, a crawl, a refresh. */
export interface Job {
  /** Number in the workspace, such as `j3`. */
  id: string;
  /** `ingest`, `crawl` or `refresh`. */
  kind: string;
  /** `queued`, `running`, `paused`, `done`, `failed` or `cancelled`. */
  state: string;
  /** What was asked for, such as an address. */
  target: string;
  /** How far it is. */
  counts: JobCounts;
  /** What went wrong, by address or path; at most 100. */
  errors: JobError[];
  /** Hours after its end until it is done again; `null` if it is not. */
  every_hours: number | null;
  /** When it was asked for. */
  created_at: string;
  /** When it last got further. */
  updated_at: string;
}

/** How far a job is. */
export interface JobCounts {
  /** Pages, or files, that it knows of. */
  discovered: number;
  /** Pages that were answered with content, or as unchanged. */
  fetched: number;
  /** Of those, the ones that nothing is left to do for. */
  processed: number;
  /** Pages or files whose text was stored. */
  stored: number;
  /** Pages or files that had not changed. */
  unchanged: number;
  /** Pages that say what another page says. */
  duplicates: number;
  /** Pages that were not wanted: robots.txt, another kind of file, above a limit. */
  skipped: number;
  /** Pages that are gone, and files that are gone and were forgotten. */
  gone: number;
  /** Pages or files that could not be fetched or read. */
  failed: number;
  /** Addresses found above the limits and not taken up. */
  dropped: number;
  /** Memories added. */
  memories: number;
  /** Entities added. */
  entities: number;
  /** Edges added. */
  edges: number;
  /** Memories that left with what changed or is gone. */
  removed: number;
}

/** What went wrong with one page or file. */
export interface JobError {
  /** Its address, or the file's path. */
  url: string;
  /** Why. */
  error: string;
}

/** The answer to `link`. */
export interface Linked {
  /** The edge as it is now stored. */
  edge: Edge;
  /** `false` if it was there and gained evidence. */
  created: boolean;
  /** What the verifier noticed; the edge is stored all the same. */
  warnings: Warning[];
}

/** A memory as it is stored. */
export interface Memory {
  /** Stable id, a UUID of version 7. */
  id: string;
  /** Short name, unique in the workspace, such as `#a1b2c3`. */
  handle: string;
  /** The text as it came. */
  text: string;
  /** `insight`, `decision`, `fact`, `preference`, `event`, `observation`, `note`, `passage`, `turn` or a word of the caller's. */
  kind: string;
  /** Tags, as given. */
  tags: string[];
  /** `code`, `execution`, `knowledge` or `project`: follows from its type or kind. */
  layer: string;
  /** `long_term`, `rule` (a standing rule, shown beside every answer of its scope) or `working` (expires by itself). */
  tier: string;
  /** 1 (trivial) to 5 (vital). */
  importance: number;
  /** Whose it is; `null` is everybody's. */
  user: string | null;
  /** What it is about; `null` is everything. */
  project: string | null;
  /** The agent that stored it. */
  agent: string | null;
  /** The session it belongs to. */
  session: string | null;
  /** Who said it. */
  speaker: string | null;
  /** Headings above a passage, outermost first. */
  heading: string[];
  /** Lines in the source. */
  lines: Span | null;
  /** Id of its source, such as `s4`. */
  source: string;
  /** Place inside its source and session, from 0. */
  ordinal: number;
  /** When it happened or was said. */
  occurred_at: string;
  /** When it was stored. */
  recorded_at: string;
  /** Why the text calls for care: `secret` (a key or password), `instructions` (orders to a model that reads it). */
  flags: string[];
  /** From when on it is not found any more; `null` if it does not expire. */
  expires_at: string | null;
  /** When it was forgotten, if it was. */
  deleted_at: string | null;
  /** Id of the memory that replaced it. */
  superseded_by: string | null;
  /** How often a caller asked for this very memory. */
  access_count: number;
  /** When a caller last asked for it. */
  last_accessed_at: string | null;
}

/** An entity that a memory mentions. */
export interface Mention {
  /** Canonical id, such as `tool:redis`. */
  id: string;
  /** Its name. */
  name: string;
}

/** Two entities that became one. */
export interface Merge {
  /** Number in the workspace, such as `g3`; `merge --undo` takes it. */
  id: string;
  /** The entity that was kept, as it was before. */
  kept: Entity;
  /** The entity that was merged into it, as it was before. */
  merged: Entity;
  /** When. */
  at: string;
  /** Who: `user` or `rule`. */
  by: string;
  /** Why. */
  reason: string | null;
  /** Edges that went over. */
  moved: number;
  /** Edges that became part of one that was there. */
  folded: number;
  /** Edges between the two, which an undo brings back. */
  dropped: number;
  /** Facts that went over. */
  facts: number;
  /** When it was undone, if it was. */
  undone_at: string | null;
}

/** The answer to `merges`. */
export interface MergeLog {
  /** Merges that were done, latest first. */
  merges: Merge[];
  /** Open suggestions, the most alike first. */
  suggestions: Suggestion[];
  /** What `--suggest` did; `null` without it. */
  scan: MergeScan | null;
}

/** What a look at all names did. */
export interface MergeScan {
  /** Names that were compared. */
  names: number;
  /** Merges that needed no question (`--auto`). */
  merged: number;
  /** New suggestions. */
  suggested: number;
}

/** The answer to `merge`. */
export interface Merged {
  /** What was done. */
  merge: Merge;
  /** The entity as it is now. */
  entity: Entity;
}

export interface NamedEntity {
  name: string;
  type?: string | null;
  /** Which one of its type, where the name does not say so: `crate::module::Type::method`. It needs a type. */
  key?: string | null;
}

/** One end of an edge or a step of a path: a memory or an entity. */
export interface NodeRef {
  /** `memory` or `entity`. */
  type: string;
  /** The stable id of a memory, the canonical id (`tool:redis`) of an entity. */
  id: string;
  /** The handle of a memory (`#a1b2c3`), the name of an entity. */
  name: string;
  /** The type of an entity (`person`, `tool`, …). */
  entity_type: string | null;
  /** The beginning of a memory's text. */
  excerpt: string | null;
  /** When a memory happened or was said. */
  occurred_at: string | null;
  /** `code`, `execution`, `knowledge` or `project`: follows from its type or kind. */
  layer: string;
}

/** The answer to `path`. */
export interface Path {
  /** Some way of at most the asked length joins the two. */
  found: boolean;
  /** The shortest one. */
  hops: Hop[];
  /** Product of the confidences, 0..=1. */
  confidence: number;
}

/** The gate, judged by windows that have ended. */
export interface QualityGate {
  /** `open`, `blocked` or `half_open`. */
  state: string;
  /** Since when; `null` if it was never blocked. */
  since: string | null;
  /** `pass`, `warn`, `fail` or `insufficient_data`. */
  status: string;
  /** What is not as it should be. */
  reasons: GateReason[];
  /** Runs of the graph since it is half open. */
  probes: number;
  /** Runs after which it decides. */
  probes_wanted: number;
}

/** The answer to `recall`. */
export interface Recall {
  /** The question as it was asked. */
  query: string;
  /** The revision of the store that answered. */
  revision: number;
  /** How the question was understood. */
  understanding: Understanding;
  /** The best first. */
  results: RecallResult[];
  /** Standing rules of the scope, beside the results: they count neither for the limit nor for silence. */
  rules: Rule[];
  /** How many more rules the scope has than `recall.rules_budget` holds. */
  rules_left_out: number;
  /** For questions that ask why: how results hang together, cause before effect. */
  chains: Chain[];
  /** How many memories were scored. */
  candidates: number;
  /** Tokens of the results' texts, about 4 characters each. */
  tokens: number;
  /** Why nothing is returned: what was looked for and how near the best candidate came. */
  abstained: string | null;
  /** What was left out and why; empty unless asked for. */
  rejected: Rejected[];
  /** What could not be used (embedder, graph) and why; empty when all is well. */
  missing: string[];
  /** Which strategy was asked for, which answered, and why. */
  rollout: RolloutTrace;
}

/** One memory of an answer. */
export interface RecallResult {
  /** Stable id. */
  id: string;
  /** Short name, such as `#a1b2c3`. */
  handle: string;
  /** The text as it came. */
  text: string;
  /** `insight`, `decision`, `passage`, `turn`, … */
  kind: string;
  /** Tags, as given. */
  tags: string[];
  /** `code`, `execution`, `knowledge` or `project`: follows from its type or kind. */
  layer: string;
  /** `long_term`, `working` (expires by itself), or `rule` where rules were asked for. */
  tier: string;
  /** From when on it is not found any more; `null` if it does not expire. */
  expires_at: string | null;
  /** 1 (trivial) to 5 (vital). */
  importance: number;
  /** Whose it is; `null` is everybody's. */
  user: string | null;
  /** What it is about; `null` is everything. */
  project: string | null;
  /** Where it came from. */
  source: SourceRef;
  /** Headings above a passage, outermost first. */
  heading: string[];
  /** Lines in the source. */
  lines: Span | null;
  /** Who said it. */
  speaker: string | null;
  /** The session it belongs to. */
  session: string | null;
  /** When it happened or was said. */
  occurred_at: string;
  /** Id of the memory that replaced it. */
  superseded_by: string | null;
  /** Why the text calls for care: `secret` (a key or password), `instructions` (orders to a model that reads it). */
  flags: string[];
  /** The sum of the shares of `signals`: 1 is the best that any memory could reach, a poor match may fall below 0. */
  score: number;
  /** `direct_match` (its own words), `similar_meaning` (its vector is close), `place` (its session, document or neighbours), `graph_expansion` (reached over edges) or `time`. */
  why_included: string;
  /** The summands of the score. */
  signals: Signal[];
  /** Id of the memory from which the path starts; `null` if the graph did not bring this result. */
  seed_memory: string | null;
  /** The node next to this memory on the path. */
  linked_node: string | null;
  /** Kind of the last edge of the path. */
  edge_type: string | null;
  /** Steps from the seed. */
  hop_count: number;
  /** Product of the confidences over the path, 0..=1; `null` without a path. */
  confidence: number | null;
  /** The way from the seed to this memory, step by step. */
  path: Hop[];
  /** Names of entities that it shares with the question. */
  entities: string[];
}

/** A candidate that is not in the answer. */
export interface Rejected {
  /** The memory. */
  memory: Memory;
  /** Its score. */
  score: number;
  /** `floor`, `scope` (another project), `limit`, `budget`, `redundant` or `superseded`. */
  reason: string;
}

/** A node that was reached (`related`, `similar`, `traverse`, neighbourhoods). */
export interface Related {
  /** The node. */
  node: NodeRef;
  /** Steps from the start. */
  distance: number;
  /** 0..=1: falls with every step. */
  score: number;
  /** The way to it. */
  path: Hop[];
}

/** The answer to `remember`. */
export interface Remembered {
  /** Stable id of the memory. */
  id: string;
  /** Short name, such as `#a1b2c3`. */
  handle: string;
  /** `added`, or, if the same text was there in the same scope, `skipped`, or `updated` if its tier or its end is now another one; the id is then that one's. */
  action: string;
  /** The text as it came. */
  text: string;
  /** `insight`, `decision`, … */
  kind: string;
  /** Tags, as given. */
  tags: string[];
  /** `long_term`, `rule` or `working`. */
  tier: string;
  /** From when on it is not found any more; `null` if it does not expire. */
  expires_at: string | null;
  /** 1 (trivial) to 5 (vital). */
  importance: number;
  /** When it happened or was said. */
  occurred_at: string;
  /** Id of its source, such as `s4`. */
  source: string;
  /** What it mentions. */
  entities: Mention[];
  /** Edges that the write made. */
  edges_created: EdgeTally;
  /** How it looks beside the most similar memory; a suggestion that changed nothing. */
  diff: Diff;
  /** Memories that are like it, for the caller to judge and link. */
  semantic_candidates: SemanticCandidate[];
  /** Memories that may have caused it or followed from it, for the caller to judge and link. */
  causal_candidates: CausalCandidate[];
  /** Why the text calls for care: `secret` (a key or password), `instructions` (orders to a model that reads it). */
  flags: string[];
  /** It has a vector. */
  embedded: boolean;
  /** Importance now, by the formula of `gc`. */
  effective_importance: number;
  /** What the verifier noticed. */
  warnings: Warning[];
}

/** How the rollout of the graph stands. */
export interface Rollout {
  /** `off`, `shadow`, `canary` or `on`. */
  mode: string;
  /** When it was chosen; `null` if nobody ever did. */
  updated_at: string | null;
  /** Who chose it. */
  updated_by: string | null;
  /** The setting `recall.graph`. */
  enabled: boolean;
  /** What is advised next. */
  recommended: string;
  /** Why. */
  rationale: string;
  /** May the graph answer in `canary`? */
  gate: QualityGate;
  /** On the way to `on`. */
  stages: RolloutStage[];
  /** Measured values of the last closed window, and where they should be. */
  goals: RolloutGoal[];
  /** Closed windows in a row that were ready for the next stage. */
  ready_windows: number;
  /** How many of them make a step safe. */
  ready_windows_wanted: number;
  /** Always false: a person sets the mode. */
  autopilot: boolean;
  /** What a person should look at, the worst first. */
  alarms: Alarm[];
  /** Width of a window. */
  window_hours: number;
  /** What was counted, latest first; the first may still be open. */
  windows: RolloutWindow[];
  /** Failures of the graph, latest first. */
  incidents: Incident[];
}

/** One measured value and where it should be. */
export interface RolloutGoal {
  /** What is measured. */
  metric: string;
  /** `>=` or `<=`. */
  comparator: string;
  /** Where it should be. */
  target: number;
  /** Where it is. */
  current: number;
  /** Met. */
  ready: boolean;
}

/** One stage on the way to `on`. */
export interface RolloutStage {
  /** `shadow`, `canary` or `default_on`. */
  stage: string;
  /** It may be entered. */
  ready: boolean;
  /** Runs that it takes. */
  required_samples: number;
  /** Runs that there were. */
  current_samples: number;
  /** What is missing, such as `MIN_SHADOW_EXECUTIONS_NOT_MET`. */
  blockers: string[];
}

/** Which strategy was asked for, which answered, and why. */
export interface RolloutTrace {
  /** Names this answer for `feedback`, such as `q-3f2a90c1d4e5`. */
  id: string;
  /** `off`, `shadow`, `canary` or `on`. */
  mode: string;
  /** `baseline` or `hybrid_graph`. */
  requested: string;
  /** `baseline` or `hybrid_graph`. */
  applied: string;
  /** Who chose what is requested: `request` or `policy_default`. */
  selection: string;
  /** Why the graph was requested and not applied: `feature_flag_disabled`, `rollout_off`, `shadow_mode`, `quality_gate_blocked`, `graph_expansion_error` or `rollout_guardrail`. */
  fallback_reason: string | null;
  /** In `canary`: `open`, `blocked` or `half_open`. */
  gate: string | null;
  /** A gate that is half open let this request through. */
  probe: boolean;
  /** The graph ran, and this answer does not hold what it found. */
  shadow_executed: boolean;
  /** Memories that the baseline scored. */
  baseline_candidates: number;
  /** Memories that the walk over the graph reached. */
  graph_candidates: number;
  /** Results at the end of a path over the graph. */
  graph_expanded_count: number;
}

/** What was counted in a window. */
export interface RolloutWindow {
  /** Its first moment. */
  start: string;
  /** The first moment after it. */
  end: string;
  /** It has ended. */
  closed: boolean;
  /** Answered recalls. */
  requests: number;
  /** Of those, the graph was asked for. */
  hybrid_requested: number;
  /** Of those, it was applied. */
  hybrid_applied: number;
  /** Of those, in `canary`. */
  canary_applied: number;
  /** Runs of the graph behind an answer of the baseline. */
  shadow_executions: number;
  /** Requests that the mode, the gate or a setting held back: no failures. */
  held: number;
  /** The graph failed where it was to answer. */
  graph_errors: number;
  /** The graph failed in shadow. */
  shadow_errors: number;
  /** Share of the runs of the graph that failed. */
  error_rate: number;
  /** Share of the requests for the graph that failed, of those that nobody held back. */
  fallback_rate: number;
  /** Share of the runs that brought a result. */
  coverage: number;
  /** Memories that the walk reached, on average. */
  avg_graph_candidates: number;
  /** Results that the graph brought, on average. */
  avg_graph_expanded_count: number;
  /** Share of the baseline's results that the graph kept, where both were made. */
  overlap: number | null;
  /** Judged questions, and nDCG@10 of the graph minus that of the baseline on them. */
  judged: number;
  /** See `judged`. */
  relevance_gain: number | null;
  /** Feedback on results in whose place the graph had a part. */
  good_graph: number;
  /** See `good_graph`. */
  bad_graph: number;
  /** Feedback on other results. */
  good_baseline: number;
  /** See `good_baseline`. */
  bad_baseline: number;
  /** Mean time of an answer without the graph. */
  baseline_ms: number | null;
  /** Mean time of an answer with it. */
  graph_ms: number | null;
}

/** A standing rule or preference of a scope. */
export interface Rule {
  /** Stable id. */
  id: string;
  /** Short name, such as `#a1b2c3`. */
  handle: string;
  /** The text as it came. */
  text: string;
  /** `preference`, `decision`, … */
  kind: string;
  /** Tags, as given. */
  tags: string[];
  /** 1 (trivial) to 5 (vital). */
  importance: number;
  /** Whose it is; `null` is everybody's. */
  user: string | null;
  /** What it is about; `null` is everything. */
  project: string | null;
  /** When it was said. */
  occurred_at: string;
  /** From when on it does not hold any more. */
  expires_at: string | null;
  /** Why the text calls for care: `secret` (a key or password), `instructions` (orders to a model that reads it). */
  flags: string[];
  /** How much it has to do with the question, 0..=1. */
  relevance: number;
  /** It passes the floor that results are held against. */
  relevant: boolean;
}

/** A memory that is like the new one. */
export interface SemanticCandidate {
  /** Stable id. */
  id: string;
  /** Short name. */
  handle: string;
  /** Its text. */
  text: string;
  /** Its kind. */
  kind: string;
  /** Cosine, or the share of common words where there are no vectors; 0..=1. */
  similarity: number;
  /** An edge was made already. */
  auto_linked: boolean;
  /** Why it is offered. */
  reason: string;
}

/** One named summand of a score. */
export interface Signal {
  /** What was measured. */
  name: string;
  /** The measured value, usually 0..=1. */
  value: number;
  /** What it adds to the score; the shares of a result sum to its score. */
  share: number;
}

/** Where memories came from. */
export interface Source {
  /** Number in the workspace, such as `s4`. */
  id: string;
  /** `agent`, `file`, `page`, `chat`, `code`, `tracker` or `import`. */
  kind: string;
  /** A path, an address, an agent's name. */
  origin: string;
  /** Title of the document. */
  title: string | null;
  /** Language that it says it is written in, such as `en` or `pt-BR`. */
  language: string | null;
  /** Tags of the source. */
  tags: string[];
  /** When it was first read. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
  /** When it was removed, if it was. */
  deleted_at: string | null;
}

/** The answer to `sources show`. */
export interface SourceContent {
  /** The source and its numbers. */
  source: SourceView;
  /** Its memories, in order. */
  memories: Memory[];
}

/** The source of a result. */
export interface SourceRef {
  /** Number in the workspace, such as `s4`. */
  id: string;
  /** `agent`, `file`, `chat`, …; `null` if it is not known any more. */
  kind: string | null;
  /** A path, an address, an agent's name; `null` if it is not known any more. */
  origin: string | null;
  /** `web` for pages, which anybody may have written, else `own`; `null` if it is not known any more. */
  trust: string | null;
  /** Title of the document. */
  title: string | null;
}

/** A source with what it brought. */
export interface SourceView {
  /** The source. */
  source: Source;
  /** Memories from it. */
  memories: number;
  /** Entities that they mention. */
  entities: number;
  /** Edges that they brought. */
  edges: number;
}

/** First and last line of a passage in its source, counted from 1. */
export interface Span {
  /** First line. */
  first: number;
  /** Last line. */
  last: number;
}

/** The answer to `status`. */
export interface Status {
  /** The database file; `null` for callers with a key. */
  path: string | null;
  /** Number of the last change. */
  revision: number;
  /** What is in it. */
  counts: Counts;
  /** Size of the database in bytes. */
  bytes: number;
  /** The model that made the stored vectors. */
  stored_model: string | null;
  /** The embedder in use. */
  embedder: string;
  /** The best connected entities. */
  top_entities: Hub[];
  /** The earliest time of a memory. */
  earliest: string | null;
  /** The latest time of a memory. */
  latest: string | null;
  /** Warnings of the verifier that nobody acknowledged. */
  open_warnings: number;
}

/** Two entities that may be one. */
export interface Suggestion {
  /** Number in the workspace, such as `p3`; `merges --apply` and `--dismiss` take it. */
  id: string;
  /** The entity that would be kept. */
  kept: Entity;
  /** The entity that would be merged into it. */
  merged: Entity;
  /** Cosine of the two names, -1..=1. */
  likeness: number;
  /** Why they may be one. */
  reason: string;
  /** When it was found. */
  at: string;
  /** `open`, `applied` or `dismissed`. */
  state: string;
}

/** An expression of time and the span it stands for. */
export interface TimeReading {
  /** The words. */
  words: string;
  /** The span. */
  interval: Interval;
}

/** The answer to `timeline`. */
export interface Timeline {
  /** What came before the anchor, in order of time. */
  before: Memory[];
  /** The memory that was asked about. */
  anchor: Memory | null;
  /** What came after it, or everything where there is no anchor. */
  after: Memory[];
}

/** How a question was understood. */
export interface Understanding {
  /** `why`, `when`, `entity` or `general`. */
  intent: string;
  /** 0..=1. */
  intent_confidence: number;
  /** Words searched for, folded and cut to their stem. */
  terms: string[];
  /** Entities of the store that the question names. */
  entities: Entity[];
  /** Expressions of time and what they stand for. */
  times: TimeReading[];
  /** Language of the question, such as `english`. */
  language: string;
}

/** The answer to `unlink`. */
export interface Unlinked {
  /** The edges that were removed. */
  removed: Edge[];
}

/** The answer to `merge --undo`. */
export interface Unmerged {
  /** What was undone. */
  merge: Merge;
  /** The entity that was kept, as it is now. */
  kept: Entity;
  /** The entity that is back. */
  merged: Entity;
  /** Edges that went back. */
  edges: number;
  /** Facts that went back. */
  facts: number;
  /** What could not be told apart, in sentences. */
  inseparable: string[];
}

/** The answer to `verify`, with `--list` too. */
export interface Verified {
  /** What was noticed; empty means sound. Those that were acknowledged are among them if they were asked for. */
  warnings: Warning[];
  /** How many were acknowledged, shown or not. */
  acknowledged: number;
}

/** Something the verifier noticed; it never stops a write. */
export interface Warning {
  /** Stable id, such as `w-3f2a90c1d4e5`: of the rule and what it is about. */
  id: string;
  /** `causal_cycle`, `caused_and_prevented` or `external_base`. */
  code: string;
  /** What was noticed, in a sentence. */
  message: string;
  /** Ids of the edges concerned. */
  edges: string[];
  /** When it was first seen. */
  first_seen: string;
  /** Who knows of it and leaves it as it is; `null` while it is open. */
  acknowledged: Acknowledged | null;
}

/** The answer to `why`. */
export interface Why {
  /** The memory or entity that was asked about. */
  start: NodeRef;
  /** What led to it, nearest first. */
  causes: WhyStep[];
  /** What followed from it, nearest first. */
  consequences: WhyStep[];
  /** Ids of edges that close a circle of causes; they are reported, not followed. */
  cycles: string[][];
  /** The walk stopped at its budget. */
  truncated: boolean;
}

/** One cause or consequence with the way to it. */
export interface WhyStep {
  /** The cause or consequence. */
  node: NodeRef;
  /** Steps from the start. */
  depth: number;
  /** Product of the steps' confidences, 0..=1. */
  confidence: number;
  /** In causal order: from the cause to the start, or from the start to the consequence. */
  hops: Hop[];
  /** Some step prevents instead of causing. */
  prevents: boolean;
}

/** What `remember` takes. */
export interface RememberRequest {
  /** What is remembered, as it is. */
  text: string;
  /** `insight` (default), `decision`, `fact`, `preference`, `event`, `observation`, `note` or a word of your own. */
  kind?: string | null;
  /** Tags. */
  tags?: string[];
  /** `long_term` (default), `rule` (a standing rule, shown beside every answer of its scope) or `working` (expires by itself). */
  tier?: string | null;
  /** From when on it is not found any more: a date, RFC 3339, or how long, such as `8h` or `30d`; default never, for a `working` memory the setting `remember.working_hours`. */
  expires_at?: string | null;
  /** 1 (trivial) to 5 (vital); default 3. */
  importance?: number | null;
  /** The agent that says so. */
  agent?: string | null;
  /** The session it belongs to. */
  session?: string | null;
  /** Who said it. */
  speaker?: string | null;
  /** When it happened: RFC 3339, a date, or words such as `yesterday`; default now. */
  occurred_at?: string | null;
  /** Names that the rules may miss: `"Redis"`, `"Redis:tool"` or `{"name": "Redis", "type": "tool"}`. */
  entities?: EntityDraft[];
  /** Headings above it, outermost first. */
  heading?: string[];
  /** First and last line in the source. */
  lines?: Span | null;
  /** Place inside its source and session; default after the last. */
  ordinal?: number | null;
  /** Id or handle of the memory that this one replaces. */
  supersedes?: string | null;
  /** Where it comes from; default the agent. */
  source?: string | null;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `rememberMany` takes. */
export interface RememberManyRequest {
  /** The texts. A text's own `user` and `project` count where the request names none. */
  memories: Draft[];
  /** Where they come from; default the first agent that is named. */
  source?: string | null;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `recall` takes. */
export interface RecallRequest {
  /** The question, or words. */
  query: string;
  /** At most so many results. */
  limit?: number | null;
  /** Fill this many tokens (about 4 characters each) instead. */
  budget?: number | null;
  /** Only memories of one of these kinds. */
  kinds?: string[];
  /** Only memories with all of these tags. */
  tags?: string[];
  /** Only memories of these tiers: `long_term`, `working`, `rule`; default all but rules, which come beside the results. */
  tiers?: string[];
  /** Leave out the rules beside the results. */
  no_rules?: boolean;
  /** Only memories from one of these sources: `s4`, or an origin. */
  sources?: string[];
  /** Only memories of this agent. Its own settings count, if it has some and `scope.agentId` names no other. */
  agent?: string | null;
  /** Only memories of this session. */
  session?: string | null;
  /** Only what happened then or later. */
  since?: string | null;
  /** Only what happened until the end of then. */
  until?: string | null;
  /** Only what happened then: a day, a month, "last week". */
  at?: string | null;
  /** `why`, `when`, `entity` or `general`; default what the question says. */
  intent?: string | null;
  /** Read "yesterday" and the like as seen from this time. */
  now?: string | null;
  /** Show memories that another one replaced, too. */
  superseded?: boolean;
  /** Nothing from the web, which anybody may have written. */
  trusted?: boolean;
  /** Return the best there is, even if nothing is relevant. */
  no_floor?: boolean;
  /** The same as the strategy `hybrid_graph`: ask for the graph where the workspace leaves it to the request. */
  graph?: boolean;
  /** Answer from words, vectors and time alone. */
  no_graph?: boolean;
  /** Ask for the graph (`hybrid_graph`) or decline it (`baseline`); default what the workspace's mode says. */
  strategy?: string | null;
  /** `low`, `normal` or `high`. */
  effort?: string | null;
  /** List what was left out, and why. */
  rejected?: boolean;
  /** What results of earlier answers were worth; needs the role `write`. */
  feedback?: FeedbackGiven[];
  /** Do not follow edges of less confidence, 0 to 1. */
  min_confidence?: number | null;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `context` takes. */
export interface ContextRequest {
  /** The question, or words. */
  query: string;
  /** At most so many results. */
  limit?: number | null;
  /** Fill this many tokens (about 4 characters each) instead. */
  budget?: number | null;
  /** Only memories of one of these kinds. */
  kinds?: string[];
  /** Only memories with all of these tags. */
  tags?: string[];
  /** Only memories of these tiers: `long_term`, `working`, `rule`; default all but rules, which come beside the results. */
  tiers?: string[];
  /** Leave out the rules beside the results. */
  no_rules?: boolean;
  /** Only memories from one of these sources: `s4`, or an origin. */
  sources?: string[];
  /** Only memories of this agent. Its own settings count, if it has some and `scope.agentId` names no other. */
  agent?: string | null;
  /** Only memories of this session. */
  session?: string | null;
  /** Only what happened then or later. */
  since?: string | null;
  /** Only what happened until the end of then. */
  until?: string | null;
  /** Only what happened then: a day, a month, "last week". */
  at?: string | null;
  /** `why`, `when`, `entity` or `general`; default what the question says. */
  intent?: string | null;
  /** Read "yesterday" and the like as seen from this time. */
  now?: string | null;
  /** Show memories that another one replaced, too. */
  superseded?: boolean;
  /** Nothing from the web, which anybody may have written. */
  trusted?: boolean;
  /** Return the best there is, even if nothing is relevant. */
  no_floor?: boolean;
  /** The same as the strategy `hybrid_graph`: ask for the graph where the workspace leaves it to the request. */
  graph?: boolean;
  /** Answer from words, vectors and time alone. */
  no_graph?: boolean;
  /** Ask for the graph (`hybrid_graph`) or decline it (`baseline`); default what the workspace's mode says. */
  strategy?: string | null;
  /** `low`, `normal` or `high`. */
  effort?: string | null;
  /** List what was left out, and why. */
  rejected?: boolean;
  /** What results of earlier answers were worth; needs the role `write`. */
  feedback?: FeedbackGiven[];
  /** Do not follow edges of less confidence, 0 to 1. */
  min_confidence?: number | null;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `traverse` takes. */
export interface TraverseRequest {
  /** Where to start: a question, or words. */
  query: string;
  /** How many nodes are followed at each step; default 10. */
  width?: number;
  /** How many nodes are visited in all; default 500. */
  budget?: number;
  /** How many steps, 1 to 10; default 4. */
  depth?: number;
  /** Only nodes of these layers: `code`, `execution`, `knowledge`, `project`; the ways to them may lead through others. */
  layers?: string[];
  /** `why`, `when`, `entity` or `general`; default what the question says. */
  intent?: string | null;
  /** Do not follow edges of less confidence, 0 to 1. */
  min_confidence?: number | null;
  /** As it was at that time: a date, RFC 3339 or words such as `last month`; default now. */
  now?: string | null;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `link` takes. */
export interface LinkRequest {
  /** From: id, handle, canonical id (`tool:redis`) or name. */
  source: string;
  /** To: id, handle, canonical id or name. */
  target: string;
  /** Kind of the edge: `semantic` (default), `causal`, `relation`, `supporting`, `contradicts`, `supersedes`, `explains`, … */
  kind?: string | null;
  /** Label of a relation (`uses`), or sub-type of a causal edge (`causes`, `enables`, `prevents`). */
  label?: string | null;
  /** 0 to 1; default 1. */
  weight?: number | null;
  /** Why you say so. */
  reason?: string | null;
  /** Who says so: `user` (default), `static`, `import`, `llm`, `embedding` or `rule`. */
  provenance?: string | null;
  /** How sure, 0 to 1; default what who says it is worth: 1 for `user`, `static` and `import`, 0.8 for `embedding` (for two memories their cosine), 0.7 for `rule`, 0.6 for `llm`. */
  confidence?: number | null;
  /** When the edge is over: a time to come, or how long it holds from now on, such as `30d`, `12h` or `2w`. */
  expires_at?: string | null;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `unlink` takes. */
export interface UnlinkRequest {
  /** From: a memory or an entity. */
  source: string;
  /** To: a memory or an entity. */
  target: string;
  /** Only edges of this kind. */
  kind?: string | null;
  /** Only edges with this label or sub-type. */
  label?: string | null;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `forget` takes. */
export interface ForgetRequest {
  /** Id, handle (`#a1b2c3`), canonical id (`tool:redis`), source id (`s4`) or name. */
  name: string;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `restore` takes. */
export interface RestoreRequest {
  /** Id, handle (`#a1b2c3`), canonical id (`tool:redis`), source id (`s4`) or name. */
  name: string;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `eraseMemory` takes. */
export interface EraseMemoryRequest {
  /** A memory by its id or handle, a source by its id or origin, an entity by its id or name, or the name of a user. */
  name: string;
  /** Only say what would go. */
  dry_run?: boolean;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string;
  /** What they are about: this project, or nothing in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `show` takes. */
export interface ShowRequest {
  /** Id, handle (`#a1b2c3`), canonical id (`tool:redis`), source id (`s4`) or name. */
  name: string;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string;
  /** What they are about: this project, or nothing in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `eraseSource` takes. */
export interface EraseSourceRequest {
  /** A memory by its id or handle, a source by its id or origin, an entity by its id or name, or the name of a user. */
  name: string;
  /** Only say what would go. */
  dry_run?: boolean;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string;
  /** What they are about: this project, or nothing in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `source` takes. */
export interface SourceRequest {
  /** Id, handle (`#a1b2c3`), canonical id (`tool:redis`), source id (`s4`) or name. */
  name: string;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string;
  /** What they are about: this project, or nothing in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `tagSource` takes. */
export interface TagSourceRequest {
  /** Id of a source, such as `s4`. */
  name: string;
  /** All of them. */
  tags: string[];
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `eraseEntity` takes. */
export interface EraseEntityRequest {
  /** A memory by its id or handle, a source by its id or origin, an entity by its id or name, or the name of a user. */
  name: string;
  /** Only say what would go. */
  dry_run?: boolean;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string;
  /** What they are about: this project, or nothing in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `entity` takes. */
export interface EntityRequest {
  /** Canonical id (`tool:redis`), name or alias. */
  name: string;
  /** How far its neighbourhood reaches, 1 to 3; default 1. */
  hops?: number;
  /** At most so many mentions and neighbours; default 10. */
  limit?: number;
  /** Do not follow edges of less confidence, 0 to 1. */
  min_confidence?: number;
  /** As it was at that time: a date, RFC 3339 or words such as `last month`; default now. */
  now?: string;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string;
  /** What they are about: this project, or nothing in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `eraseUser` takes. */
export interface EraseUserRequest {
  /** A memory by its id or handle, a source by its id or origin, an entity by its id or name, or the name of a user. */
  name: string;
  /** Only say what would go. */
  dry_run?: boolean;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string;
  /** What they are about: this project, or nothing in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `erasures` takes. */
export interface ErasuresRequest {
  /** Compare each with the store. */
  verify?: boolean;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string;
  /** What they are about: this project, or nothing in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `why` takes. */
export interface WhyRequest {
  /** A memory or an entity. */
  name: string;
  /** `causes`, `consequences` or `both` (default). */
  direction?: string | null;
  /** How many steps, 1 to 10; default 5. */
  depth?: number;
  /** Do not follow edges of less confidence, 0 to 1. */
  min_confidence?: number | null;
  /** As it was at that time: a date, RFC 3339 or words such as `last month`; default now. */
  now?: string | null;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `related` takes. */
export interface RelatedRequest {
  /** A memory or an entity. */
  name: string;
  /** How many steps, 1 to 10; default 2. */
  depth?: number;
  /** Only over edges of these families: `temporal`, `entity`, `causal`, `semantic`. */
  families?: string[];
  /** Only nodes of these layers: `code`, `execution`, `knowledge`, `project`; the ways to them may lead through others. */
  layers?: string[];
  /** At most so many; default 20. */
  limit?: number;
  /** Do not follow edges of less confidence, 0 to 1. */
  min_confidence?: number | null;
  /** As it was at that time: a date, RFC 3339 or words such as `last month`; default now. */
  now?: string | null;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `similar` takes. */
export interface SimilarRequest {
  /** Handle or id of a memory. */
  name: string;
  /** At most so many; default 10. */
  limit?: number;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `path` takes. */
export interface PathRequest {
  /** From: a memory or an entity. */
  source: string;
  /** To: a memory or an entity. */
  target: string;
  /** At most so many steps, 1 to 32; default 6. */
  max_hops?: number;
  /** Do not follow edges of less confidence, 0 to 1. */
  min_confidence?: number | null;
  /** As it was at that time: a date, RFC 3339 or words such as `last month`; default now. */
  now?: string | null;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `timeline` takes. */
export interface TimelineRequest {
  /** The memory to look around; without one, the latest. */
  anchor?: string | null;
  /** How many before it; default 5. */
  before?: number;
  /** How many after it; without a memory, how many in all; default 5. */
  after?: number;
  /** Only what happened then or later. */
  since?: string | null;
  /** Only what happened until the end of then. */
  until?: string | null;
  /** As it was at that time: a date, RFC 3339 or words such as `last month`; default now. */
  now?: string | null;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `edge` takes. */
export interface EdgeRequest {
  /** Id, handle (`#a1b2c3`), canonical id (`tool:redis`), source id (`s4`) or name. */
  name: string;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string;
  /** What they are about: this project, or nothing in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `entities` takes. */
export interface EntitiesRequest {
  /** Part of a name. */
  search?: string;
  /** Only of this type, such as `tool`. */
  type?: string;
  /** Only of this layer: `code`, `execution`, `knowledge` or `project`. */
  layer?: string;
  /** At most so many; default 20. */
  limit?: number;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string;
  /** What they are about: this project, or nothing in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `facts` takes. */
export interface FactsRequest {
  /** Only facts about this entity. */
  entity?: string;
  /** What was true then, as far as is known today. */
  as_of?: string;
  /** As far as was known then. */
  known_at?: string;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string;
  /** What they are about: this project, or nothing in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `addFact` takes. */
export interface AddFactRequest {
  /** What the fact is about. */
  subject: string;
  /** `adopted`, `migrated_to`, `deployed_to`, `runs_on`, `replaced`, `depends_on`, `integrates_with`, `uses`, `prefers`, `avoids`, `caused_by`, `resolved_by` or `owned_by`. */
  predicate: string;
  /** An entity, or the text itself after `prefers` and `avoids`. */
  object: string;
  /** Since when it is true. */
  valid_from?: string | null;
  /** Until when it was true. */
  valid_to?: string | null;
  /** 0 to 1; default 1. */
  confidence?: number | null;
  /** The memory that says so. */
  memory?: string | null;
  /** Why you say so. */
  reason?: string | null;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `ingest` takes. */
export interface IngestRequest {
  /** The document. */
  text?: string | null;
  /** The address of a page, in place of a text. */
  url?: string | null;
  /** What it is called; the same name again replaces what it held. */
  name?: string | null;
  /** `markdown`, `text`, `json`, `jsonl`, `chat` or `claude-code`; default what it looks like. */
  format?: string | null;
  /** Tags for everything in it. */
  tags?: string[];
  /** Kind of its memories; default `passage` or `turn`. */
  kind?: string | null;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `sources` takes. */
export interface SourcesRequest {
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string;
  /** What they are about: this project, or nothing in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `refreshSource` takes. */
export interface RefreshSourceRequest {
  /** Id of a source, such as `s4`. */
  name: string;
  /** Forget it if it is gone. */
  prune?: boolean;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `crawl` takes. */
export interface CrawlRequest {
  /** The page to start from. */
  url: string;
  /** `single`, `sitemap` or `recursive` (default). */
  mode?: string | null;
  /** Follow links so many steps; default 3. */
  depth?: number;
  /** At most so many pages; default `crawl.max_pages_per_crawl`. */
  max_pages?: number | null;
  /** Only addresses or paths such as `/docs/**`; default the site of the address. */
  allow?: string[];
  /** Not these addresses or paths. */
  block?: string[];
  /** Tags for what is read. */
  tags?: string[];
  /** Forget the memories of pages that are gone. */
  prune?: boolean;
  /** Crawl again so many hours after the end; default never. */
  every_hours?: number | null;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `jobs` takes. */
export interface JobsRequest {
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string;
  /** What they are about: this project, or nothing in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `job` takes. */
export interface JobRequest {
  /** Id of a job, such as `j3`. */
  name: string;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string;
  /** What they are about: this project, or nothing in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `pauseJob` takes. */
export interface PauseJobRequest {
  /** Id of a job, such as `j3`. */
  name: string;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `resumeJob` takes. */
export interface ResumeJobRequest {
  /** Id of a job, such as `j3`. */
  name: string;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `cancelJob` takes. */
export interface CancelJobRequest {
  /** Id of a job, such as `j3`. */
  name: string;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `retryJob` takes. */
export interface RetryJobRequest {
  /** Id of a job, such as `j3`. */
  name: string;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `status` takes. */
export interface StatusRequest {
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string;
  /** What they are about: this project, or nothing in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `feedback` takes. */
export interface FeedbackRequest {
  /** They helped. */
  good: boolean;
  /** Id of an answer (`rollout.id`). */
  answer?: string | null;
  /** Handles or ids of its results; empty for the answer as a whole. Without an answer, the latest one that holds each counts. */
  memories?: string[];
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `rollout` takes. */
export interface RolloutRequest {
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string;
  /** What they are about: this project, or nothing in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `setRollout` takes. */
export interface SetRolloutRequest {
  /** `off`, `shadow`, `canary` or `on`. */
  mode: string;
  /** Set it although the gate is not open; the evidence starts anew. */
  force?: boolean;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `verify` takes. */
export interface VerifyRequest {
  /** Those too that were acknowledged. */
  all?: boolean;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string;
  /** What they are about: this project, or nothing in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `buildGraphs` takes. */
export interface BuildGraphsRequest {
  /** What to build: `semantic` (likeness), `temporal` (the order in time over all sources, documents too), or `all`. */
  graphs?: string[];
  /** Likeness (cosine, 0 to 1) from which two memories are joined; default 0.7. */
  threshold?: number;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `warnings` takes. */
export interface WarningsRequest {
  /** Those too that were acknowledged. */
  all?: boolean;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string;
  /** What they are about: this project, or nothing in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `acknowledgeWarning` takes. */
export interface AcknowledgeWarningRequest {
  /** Id of a warning, such as `w-3f2a90c1d4e5`. */
  name: string;
  /** Why. */
  note?: string | null;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `doctor` takes. */
export interface DoctorRequest {
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string;
  /** What they are about: this project, or nothing in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `merges` takes. */
export interface MergesRequest {
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string;
  /** What they are about: this project, or nothing in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `merge` takes. */
export interface MergeRequest {
  /** The entity that is kept. */
  kept: string;
  /** The entity that becomes part of it. */
  merged: string;
  /** Why. */
  reason?: string | null;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `suggestMerges` takes. */
export interface SuggestMergesRequest {
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `unmerge` takes. */
export interface UnmergeRequest {
  /** Id of a merge, such as `g12`. */
  name: string;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `applyMerge` takes. */
export interface ApplyMergeRequest {
  /** Id of a suggestion, such as `p12`. */
  name: string;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `dismissMerge` takes. */
export interface DismissMergeRequest {
  /** Id of a suggestion, such as `p12`. */
  name: string;
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string | null;
  /** What they are about: this project, or nothing in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `export` takes. */
export interface ExportRequest {
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string;
  /** What they are about: this project, or nothing in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `events` takes. */
export interface EventsRequest {
  /** Whose memories: those of this user and those of nobody in particular. */
  user?: string;
  /** What they are about: this project, or nothing in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

// What is asked and answered. Made by `cargo xtask codegen` from the server's OpenAPI document; changes here are lost.

/** The acknowledgement of a warning. */
export interface Acknowledged {
  /** When. */
  at: string;
  /** Who: `user`, or the name of a key. */
  by: string;
  /** Why. */
  note: string | null;
}

/** An alarm that needs attention. */
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

/** Another source with the text of a result. */
export interface AlsoIn {
  /** Id of the memory there. */
  id: string;
  /** Its short name. */
  handle: string;
  /** Its source. */
  source: SourceRef;
  /** Where a person finds it: see `cite` of a result. */
  cite: string | null;
  /** Headings above it, outermost first. */
  heading: string[];
  /** Lines in the source. */
  lines: Span | null;
}

/** The answer of a language model to a question, from memories. */
export interface Answered {
  /** The question as it was asked. */
  query: string;
  /** The statements as one text with their citations; `null` if there are none. */
  text: string | null;
  /** What the model says, sentence by sentence. */
  statements: Statement[];
  /** Whether there are statements and each of them cites a memory that was sent. */
  supported: boolean;
  /** The cited memories, in the order of their first citation. */
  cited: Cited[];
  /** What was found and not sent, and why. */
  withheld: Withheld[];
  /** Why there are no statements, although the model did not fail. */
  abstained: string | null;
  /** Whether the reply was cut at `model.max_output_tokens`: statements may be missing. */
  truncated: boolean;
  /** Why the model gave no answer; `null` if it gave one. The memories are in `recall` nevertheless. */
  failure: ModelFailure | null;
  /** The model, and what the answer took. */
  model: ModelUse;
  /** What was found, as `recall` answers. */
  recall: Recall;
}

/** The answer to `build-graphs`. */
export interface BuiltGraphs {
  /** Total number of temporal edges between consecutive memories. Those within a source are derived when read; others are stored. */
  temporal_total: number;
  /** Stored temporal edges added. */
  temporal_added: number;
  /** Stored temporal edges removed because another memory now lies between their ends. */
  temporal_removed: number;
  /** Semantic edges that were added. */
  semantic_added: number;
  /** Total number of semantic edges. */
  semantic_total: number;
  /** Edges added from memories that had none to the topics of their tags. */
  topics_added: number;
}

/** What `merges --judge` or `reindex --embed` would send, at most. */
export interface BulkEstimate {
  /** Pairs of entities, or texts. */
  items: number;
  /** Requests. */
  calls: number;
  /** Tokens to send. */
  input_tokens: number;
  /** Tokens of replies. */
  output_tokens: number;
  /** In the currency of the prices; `null` if no price is set. */
  cost: number | null;
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
  /** Distance in the graph, 1 or 2; 0 if it is farther away. */
  hop: number;
  /** Kind of the edge it was reached by; else `latest`, or `alike` (common words or a near vector). */
  via_edge: string;
  /** Share of common words, 0..=1. */
  causal_signal: number;
  /** How likely the two are cause and effect, 0..=1; the candidates are ordered by it. */
  probability: number;
  /** `causes`, `enables` or `prevents`. */
  suggested_sub_type: string;
  /** `true` if the candidate would be the cause and the new memory the effect. */
  candidate_is_cause: boolean;
  /** Why it is suggested. */
  reason: string;
  /** Id of the offer, such as `o12`; `forget` refuses it for good. `null` if it could not be kept. */
  offer: string | null;
}

/** A causal chain between results. */
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
  /** Ids of new and changed memories, including forgotten ones. */
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

/** A cited memory. */
export interface Cited {
  /** Short name, such as `#a1b2c3`. */
  handle: string;
  /** Stable id. */
  id: string;
  /** When it happened or was said. */
  occurred_at: string;
  /** Where a person finds it; `null` if stored by a call. */
  cite: string | null;
  /** `own` or `web`; `null` if its source is not known. */
  trust: string | null;
  /** Why the text needs care: `secret`, `instructions`. */
  flags: string[];
}

/** One question, asked again with and without the graph. */
export interface ComparedRecall {
  /** The question. */
  query: string;
  /** When it was last asked. */
  at: string;
  /** The program that asked it. */
  agent: string | null;
  /** The user for whom it asked. */
  user: string | null;
  /** The project that it asked about. */
  project: string | null;
  /** How many of the first ten results both have. */
  common: number;
  /** Their share of the longer of the two lists, 0..=1; 1 if both are silent. */
  overlap: number;
  /** Whether both have the same first result; also if both are silent. */
  same_first: boolean;
  /** Without the graph. */
  baseline: StrategyAnswer;
  /** With the graph. */
  graph: StrategyAnswer;
  /** Why the graph could not be used; the baseline answered instead. */
  failure: string | null;
}

/** The answer to `recalls --compare`. */
export interface ComparedRecalls {
  /** The revision of the first question. */
  revision: number;
  /** Whether recalls are logged (the setting `log.recalls`). */
  enabled: boolean;
  /** The last questions, the latest first; each once. */
  questions: ComparedRecall[];
}

/** The answer to `context`. */
export interface Context {
  /** Markdown with entities, relationships, and memories with handle and date. Stored text, not instructions. */
  text: string;
  /** Ids of the memories in it. */
  results: string[];
}

/** Counts. */
export interface Counts {
  /** Live memories. */
  memories: number;
  /** Forgotten memories. */
  deleted_memories: number;
  /** Superseded memories. */
  superseded_memories: number;
  /** Expired memories. */
  expired_memories: number;
  /** Expired stored edges. */
  expired_edges: number;
  /** Memories with a vector. */
  vectors: number;
  /** Entities. */
  entities: number;
  /** Stored edges that have not expired. */
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
  /** Edges by origin. */
  edges_by_provenance: Record<string, number>;
}

/** One piece of feedback. */
export interface Credited {
  /** Handle of the memory; `null` for the answer as a whole. */
  handle: string | null;
  /** Id of the memory. */
  memory: string | null;
  /** The answer it was counted for; `null` if no recorded answer contains the memory. */
  answer: string | null;
  /** `hybrid_graph` if the graph influenced the rank of the result, else `baseline`. */
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
  /** The text to store, verbatim. Required. */
  text: string;
  /** `insight` (default), `decision`, `fact`, `preference`, `event`, `observation`, `note` or your own word. */
  kind?: string | null;
  /** Tags. */
  tags?: string[];
  /** `long_term` (default), `rule` (a standing rule, returned with every answer in its scope) or `working` (expires automatically). */
  tier?: string | null;
  /** When it expires: a date, RFC 3339, or a duration such as `8h` or `30d`. Default: never; for a `working` memory, `remember.working_hours`. */
  expires_at?: string | null;
  /** 1 (trivial) to 5 (vital); default 3. */
  importance?: number | null;
  /** The user it belongs to; shared by all users if omitted. */
  user?: string | null;
  /** The project it is about. */
  project?: string | null;
  /** The agent that stores it. */
  agent?: string | null;
  /** The session it belongs to. */
  session?: string | null;
  /** Who said it. */
  speaker?: string | null;
  /** When it happened: RFC 3339, a date, or words such as `yesterday`; default now. */
  occurred_at?: string | null;
  /** Entities that the rules may miss: `"Redis"`, `"Redis:tool"` or `{"name": "Redis", "type": "tool"}`. An additional `key` identifies it among those of its type, such as `crate::module::Type::method`. */
  entities?: EntityDraft[];
  /** Headings above it, outermost first. */
  heading?: string[];
  /** `{"first": 3, "last": 9}`: lines in the source. */
  lines?: Span | null;
  /** Position in its source and session; default after the last. */
  ordinal?: number | null;
  /** Id or handle of the memory that this memory replaces. */
  supersedes?: string | null;
}

/** A stored edge with both ends spelled out. */
export interface Edge {
  /** Id in the workspace, such as `e12`; `null` if it is derived when read. */
  id: string | null;
  /** Its start. */
  source: NodeRef;
  /** Its end. */
  target: NodeRef;
  /** Kind of the edge, a word of the catalogue. */
  kind: string;
  /** Sub-type or relation label; empty where the kind has none. */
  label: string;
  /** Which question it answers: `temporal`, `entity`, `causal`, `semantic`. */
  family: string;
  /** Weight, 0..=1; for relations, from the number of times they were stated. */
  weight: number;
  /** Current confidence, 0..=1: the confidence at its last evidence, decayed since. */
  confidence: number;
  /** Stored confidence, before decay. */
  stored_confidence: number;
  /** Origin: `user`, `static`, `import`, `llm`, `embedding`, `rule`. */
  provenance: string;
  /** Words that language models gave for a relation; filled where one edge is shown, empty in lists. */
  keywords: string[];
  /** Why it is believed. */
  evidence: Evidence[];
  /** When it was first stored. */
  created_at: string;
  /** When it last gained evidence. */
  touched_at: string;
  /** When it stops being true, if that is known. */
  expires_at: string | null;
}

/** Number of edges by the question they answer. */
export interface EdgeTally {
  /** When. */
  temporal: number;
  /** Entities. */
  entity: number;
  /** Why. */
  causal: number;
  /** Similarity. */
  semantic: number;
}

/** What a run would send, at most: replies as long as `model.max_output_tokens`. */
export interface EnrichEstimate {
  /** Unread memories, each once for each task. */
  memories: number;
  /** Memories that would not be sent, because they belong to a user; each once. */
  withheld: number;
  /** Whether conversations are read: what is written about them is read in the same run, and is not counted here. */
  observes: boolean;
  /** Requests. */
  calls: number;
  /** Tokens to send. */
  input_tokens: number;
  /** Tokens of replies. */
  output_tokens: number;
  /** In the currency of the prices; `null` if no price is set. */
  cost: number | null;
}

/** Memories that could not be read yet. */
export interface EnrichWait {
  /** The task. */
  task: string;
  /** How many. */
  memories: number;
  /** `leased` (another run has them, or had them when it was killed), `not_over` (their conversation is read an hour after its last turn). */
  reason: string;
  /** When the first of them can be read. */
  until: string;
}

/** The answer to `enrich`. */
export interface Enriched {
  /** What it would take; `null` unless only that was asked. */
  estimate: EnrichEstimate | null;
  /** Memories that were read, refused or withheld in this run, each once for each task. */
  memories: number;
  /** Entities that did not exist before. */
  entities: number;
  /** Mentions that were added or confirmed. */
  mentions: number;
  /** Relations between entities. */
  relations: number;
  /** Edges between memories. */
  links: number;
  /** Facts. */
  facts: number;
  /** Memories that were written about conversations. */
  observations: number;
  /** Notes of earlier memories that a new one changed. */
  evolved: number;
  /** Entities whose summary is new or changed. */
  summaries: number;
  /** Names that their memory does not contain, and impossible edges: not stored. */
  dropped: number;
  /** Parts of replies that could not be read. */
  skipped: number;
  /** Memories without a result, by reason: `refused`, `unreadable`, `withheld`. `enrich --retry` asks again. */
  without: Record<string, number>;
  /** Memories that are left, by task. */
  left: Record<string, number>;
  /** What of it has to wait, and for what. */
  waits: EnrichWait[];
  /** Requests that were sent. */
  calls: number;
  /** Tokens that were sent. */
  input_tokens: number;
  /** Tokens that were received. */
  output_tokens: number;
  /** In the currency of the prices; `null` if no price is set. */
  cost: number | null;
  /** Why the run ended early; `null` if it did not. What is left stays queued. */
  failure: ModelFailure | null;
}

/** An entity: a named thing. */
export interface Entity {
  /** Canonical id: type and key, such as `tool:redis`; unique. */
  id: string;
  /** The name as first written. */
  name: string;
  /** `person`, `org`, `repo`, `concept`, `tool`, `location`, `event`, `goal`, `task`, `file`, `module`, `function`, `type`, `external`, `topic`, `date` or `custom`. */
  type: string;
  /** Identifies it among entities of its type; `null` if the name does. */
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
  /** Memories that mention it, latest first, up to the requested number. */
  mentions: Memory[];
  /** How many memories mention it. */
  mention_count: number;
  /** Facts about it. */
  facts: Fact[];
  /** Entities within the requested distance, through relations and shared memories. */
  neighbourhood: Related[];
}

/** The receipt of an erasure. It holds no text and no name. */
export interface Erasure {
  /** Id in the workspace, such as `x3`; `null` with `--dry-run`. */
  id: string | null;
  /** `memory`, `source`, `entity` or `user`. */
  kind: string;
  /** When. */
  at: string;
  /** Who requested it. */
  by: string;
  /** The revision before. */
  revision_before: number;
  /** The revision without it. */
  revision_after: number;
  /** When it was removed from every file of the workspace; `null` while that is pending. */
  finished_at: string | null;
  /** What was removed and what was kept. */
  counts: ErasureCounts;
  /** Number of items listed as removed that still exist: 0 is sound. `null` if not checked. */
  found: number | null;
}

/** The result of an erasure, in numbers. */
export interface ErasureCounts {
  /** Texts with their tags, hidden ones too. */
  memories: number;
  /** Their vectors. */
  vectors: number;
  /** Entities. */
  entities: number;
  /** Requested sources, and sources left without memories. */
  sources: number;
  /** Edges. */
  edges: number;
  /** Facts. */
  facts: number;
  /** Pieces of evidence of edges and facts that others support as well. */
  evidence: number;
  /** Names of kept entities that only erased texts used. */
  spellings: number;
  /** Merges in the log that were removed or rewritten. */
  merges: number;
  /** Rows of jobs. */
  job_rows: number;
  /** Kept replies of language models to which an erased text was sent. */
  replies: number;
  /** Entries of the log of recalls that named or quoted something erased. */
  recalls: number;
  /** Copies of the database that were removed. */
  copies: number;
  /** Other memories with the same text. They are kept. */
  same_texts: number;
  /** Texts that mention an erased entity. They are kept. */
  mentioning: number;
}

/** Why an edge or a fact is believed. */
export interface Evidence {
  /** Id of the memory that states it; `null` if a caller stated it without one. */
  memory: string | null;
  /** The words that state it. */
  quote: string | null;
  /** What the rule, model or caller gave as its reason. */
  reason: string | null;
  /** When it was stated. */
  at: string;
}

/** A fact: subject, predicate, object, with the time it was valid and the time it was known. */
export interface Fact {
  /** Id in the workspace, such as `f3`. */
  id: string;
  /** The subject. */
  subject: NodeRef;
  /** `adopted`, `migrated_to`, `deployed_to`, `runs_on`, `replaced`, `depends_on`, `integrates_with`, `uses`, `prefers`, `avoids`, `caused_by`, `resolved_by` or `owned_by`. */
  predicate: string;
  /** Name of the object, or the literal itself. */
  object: string;
  /** The object as a node; `null` for a literal. */
  object_node: NodeRef | null;
  /** When it became true, if known. */
  valid_from: string | null;
  /** When it stopped being true, if it did. */
  valid_to: string | null;
  /** When it was stored. */
  recorded_at: string;
  /** When it was withdrawn. */
  superseded_at: string | null;
  /** When a person set its end; `null` if no one did. A language model never reopens it then. */
  ended_at: string | null;
  /** 0..=1. */
  confidence: number;
  /** Whether it is valid at the requested time. */
  current: boolean;
  /** Ids of contradicting facts that are valid at the same time. */
  contradicts: string[];
  /** The user who sees it; all users if there is none. */
  user: string | null;
  /** The project it is about; `null` if none in particular. */
  project: string | null;
  /** Why it is believed. */
  evidence: Evidence[];
}

/** Two facts that cannot both hold: one thing in two states at one time, or preferred and avoided. */
export interface FactConflict {
  /** The one that was stored earlier. */
  first: Fact;
  /** The other one. */
  second: Fact;
}

/** How feedback was counted. */
export interface Feedback {
  /** The given rating. */
  good: boolean;
  /** Piece by piece. */
  credited: Credited[];
}

/** Feedback as a client sends it: `{"answer": "q-…", "memories": ["#a1b2c3"], "good": true}`; one of the first two may be left out. */
export interface FeedbackGiven {
  /** Id of an answer (`rollout.id`). */
  answer?: string | null;
  /** Handles or ids of its results; empty rates the whole answer. If no answer is given, each result counts for the latest answer that contains it. */
  memories?: string[];
  /** Whether they helped. */
  good: boolean;
}

/** The first result of a strategy. */
export interface FirstResult {
  /** Stable id. */
  id: string;
  /** Short name. */
  handle: string;
  /** The start of its text. */
  excerpt: string;
  /** Its score, 0..=1. */
  score: number;
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
  /** Ids of offers that were refused, or are open again. */
  offers: string[];
  /** Ids of suggested merges that are open again. */
  suggestions: string[];
  /** Edges of hidden nodes: kept but not followed, until a restore. */
  edges_hidden: number;
}

/** One reason for a verdict of the gate. */
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

/** A memory that could be removed; nothing is deleted. */
export interface GcCandidate {
  /** The memory. */
  memory: Memory;
  /** Current importance: the given importance, use and connections, decayed with age. */
  effective_importance: number;
  /** How many edges it has. */
  degree: number;
  /** Why it is listed. */
  reason: string;
}

/** A memory that a recall gave. */
export interface GivenMemory {
  /** Stable id. */
  id: string;
  /** Short name. */
  handle: string;
  /** Its score in that answer, 0..=1. */
  score: number;
}

/** How far the layout of the graph is. */
export interface GraphLayout {
  /** `none`, `running` or `ready`; one that is computed anew is `running` again. */
  state: string;
  /** Number of the change up to which the last finished layout knows the graph. */
  revision: number | null;
  /** The finished part, 0 to 1. */
  share: number;
  /** Nodes of the last finished layout. */
  nodes: number;
  /** Its communities. */
  communities: number;
  /** How many seconds it took. */
  seconds: number;
}

/** The answer to `doctor`. */
export interface Health {
  /** Whether the workspace is sound. */
  sound: boolean;
  /** Problems, in sentences. */
  problems: string[];
  /** What was checked. */
  checked: string[];
  /** Problems that were repaired (`doctor --repair`), in sentences. */
  repaired: string[];
  /** The file with the original rows that were removed or changed; `null` if there were none. */
  quarantine: string | null;
}

/** One step of a path, in walking order. */
export interface Hop {
  /** Where the step starts. */
  from: NodeRef;
  /** Its end. */
  to: NodeRef;
  /** Kind of the edge, a word of the catalogue such as `causal` or `mentions`. */
  kind: string;
  /** The edge's sub-type or relation label; empty where the kind has none. */
  label: string;
  /** How the step reads from `from` to `to`, such as `mentions`, `caused by`, `depends_on`. */
  reads: string;
  /** Which question the edge answers: `temporal`, `entity`, `causal`, `semantic`. */
  family: string;
  /** `true` if the edge runs from `from` to `to`; `false` if it is walked against its direction. */
  forward: boolean;
  /** Weight of the edge, 0..=1; for relations, from the number of times they were stated. */
  weight: number;
  /** Confidence in the edge, 0..=1, decayed to the time of the question. */
  confidence: number;
  /** Origin: `user`, `static`, `import`, `llm`, `embedding`, `rule`. */
  provenance: string;
  /** Hours between both ends of a step in time; `null` for other steps. */
  hours: number | null;
  /** When the edge expires; `null` if it does not. */
  expires_at: string | null;
  /** Id of the edge (`e12`); `null` if it is derived from times or positions and not stored. */
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
  /** Whether the graph ran in shadow only, for measurements. */
  shadow: boolean;
  /** In words. */
  message: string;
}

/** A file that could not be read, or a part of it. */
export interface IngestFailure {
  /** The file. */
  path: string;
  /** Stable code of the error. */
  code: string;
  /** What was wrong with it. */
  message: string;
  /** Whether the rest of it was read. */
  partly: boolean;
}

/** A renamed file. */
export interface IngestRename {
  /** Its former path. */
  from: string;
  /** Its current path. */
  to: string;
}

/** The answer to `ingest`. */
export interface Ingested {
  /** Sources that were read. */
  sources: number;
  /** Ids of the sources that hold a text, document or page that was sent, such as `s4`. Files of a folder are named by their paths instead. */
  source_ids: string[];
  /** Sources whose content had not changed. */
  unchanged: number;
  /** Memories added. */
  added: number;
  /** Of those, memories whose text needs care: it contains a key or password, or instructions to a model. */
  flagged: number;
  /** Memories that the same source already contained. */
  kept: number;
  /** Texts that another source of the same scope already contains. */
  skipped: number;
  /** Memories that are no longer in their source. */
  removed: number;
  /** Entities added. */
  entities: number;
  /** Edges added. */
  edges: number;
  /** Open warnings of the verifier about the additions; `griot verify --list` shows them. */
  warnings: number;
  /** Renamed files; their memories are kept. */
  renamed: IngestRename[];
  /** Sources removed because their file is gone (`--prune`). */
  pruned: string[];
  /** Sources that keep their memories although their file is gone; `prune` forgets them. */
  missing: string[];
  /** Ids of sources that were left out because they were forgotten; `restore` brings them back. */
  forgotten: string[];
  /** Number of files of kinds that are not read, by the end of their name, such as `.png`. */
  unread: Record<string, number>;
  /** Files that could not be read, and what was wrong with files that were. */
  failed: IngestFailure[];
  /** Whether the user stopped it before the end. */
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
  /** Id in the workspace, such as `j3`. */
  id: string;
  /** `ingest`, `crawl` or `refresh`. */
  kind: string;
  /** `queued`, `running`, `paused`, `done`, `failed` or `cancelled`. */
  state: string;
  /** The target, such as a URL. */
  target: string;
  /** Its progress. */
  counts: JobCounts;
  /** Failures by URL or path; at most 100. */
  errors: JobError[];
  /** Hours after its end until it is repeated; `null` if it is not. */
  every_hours: number | null;
  /** When it was requested. */
  created_at: string;
  /** When it last made progress. */
  updated_at: string;
}

/** Progress of a job. */
export interface JobCounts {
  /** Known pages or files. */
  discovered: number;
  /** Pages fetched, with content or as unchanged. */
  fetched: number;
  /** Of those, pages that are completely processed. */
  processed: number;
  /** Pages or files whose text was stored. */
  stored: number;
  /** Pages or files that had not changed. */
  unchanged: number;
  /** Pages with the same content as another page. */
  duplicates: number;
  /** Skipped pages: by robots.txt, type of file, or a limit. */
  skipped: number;
  /** Missing pages, and missing files that were forgotten. */
  gone: number;
  /** Pages or files that could not be fetched or read. */
  failed: number;
  /** URLs dropped because of the limits. */
  dropped: number;
  /** Memories added. */
  memories: number;
  /** Entities added. */
  entities: number;
  /** Edges added. */
  edges: number;
  /** Memories removed because their page or file changed or is gone. */
  removed: number;
}

/** The failure of one page or file. */
export interface JobError {
  /** Its address, or the file's path. */
  url: string;
  /** Why. */
  error: string;
}

/** The answer to `merges --judge`. */
export interface JudgedMerges {
  /** What it would take; `null` unless only that was asked. */
  estimate: BulkEstimate | null;
  /** Pairs of entities that the model decided about. */
  pairs: number;
  /** Merges; each can be undone. */
  merged: Merge[];
  /** Pairs that are two things, and are not suggested again. */
  different: number;
  /** Pairs that are suggested to a person. */
  unsure: number;
  /** Pairs that are left. */
  left: number;
  /** Requests that were sent. */
  calls: number;
  /** Tokens that were sent. */
  input_tokens: number;
  /** Tokens that were received. */
  output_tokens: number;
  /** In the currency of the prices; `null` if no price is set. */
  cost: number | null;
  /** Why it ended early; `null` if it did not. */
  failure: ModelFailure | null;
}

/** The sources of one kind of origin. */
export interface KindTally {
  /** `memory` (remembered, or in a memory file), `manual` (ingested) or `crawl` (pages). */
  kind: string;
  /** How many. */
  sources: number;
  /** When one of them was last read, or last got a memory. */
  updated_at: string;
}

/** The state of the last job of a source. */
export interface LastJob {
  /** Id in the workspace, such as `j3`. */
  id: string;
  /** `ingest`, `crawl` or `refresh`. */
  kind: string;
  /** `queued`, `running`, `paused`, `done`, `failed` or `cancelled`. */
  state: string;
  /** Why it failed. */
  error: string | null;
  /** When it last made progress. */
  updated_at: string;
}

/** The answer to `link`. */
export interface Linked {
  /** The edge as stored. */
  edge: Edge;
  /** `true` if it is new; `false` if an existing edge gained evidence. */
  created: boolean;
  /** Warnings of the verifier; the edge is stored nevertheless. */
  warnings: Warning[];
}

/** A recall in the log. */
export interface LoggedRecall {
  /** When it was answered. */
  at: string;
  /** The program that asked, by the name that it gives itself; `null` if it gave none. */
  agent: string | null;
  /** Id of the key that it used; `null` on this machine. */
  key: string | null;
  /** The user for whom it asked. */
  user: string | null;
  /** The project that it asked about. */
  project: string | null;
  /** The question; at most 4000 characters of it. */
  query: string;
  /** The strategy that answered: `baseline` or `hybrid_graph`. */
  strategy: string;
  /** How long it took, in milliseconds. */
  milliseconds: number;
  /** Whether no memory was given. */
  silent: boolean;
  /** The memories that were given, in their order. */
  results: GivenMemory[];
}

/** A memory as it is stored. */
export interface Memory {
  /** Stable id, a UUID of version 7. */
  id: string;
  /** Short name, unique in the workspace, such as `#a1b2c3`. */
  handle: string;
  /** The text, verbatim. */
  text: string;
  /** `insight`, `decision`, `fact`, `preference`, `event`, `observation`, `note`, `passage`, `turn` or a custom word. */
  kind: string;
  /** Tags, as given. */
  tags: string[];
  /** `code`, `execution`, `knowledge` or `project`: follows from its type or kind. */
  layer: string;
  /** `long_term`, `rule` (a standing rule, returned with every answer in its scope) or `working` (expires automatically). */
  tier: string;
  /** 1 (trivial) to 5 (vital). */
  importance: number;
  /** The user it belongs to; `null` if all users share it. */
  user: string | null;
  /** The project it is about; `null` if none in particular. */
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
  /** Where a person finds it, if it was shown or listed by itself: see `cite` of a result. */
  cite: string | null;
  /** Position in its source and session, from 0. */
  ordinal: number;
  /** When it happened or was said. */
  occurred_at: string;
  /** When it was stored. */
  recorded_at: string;
  /** Why the text needs care: `secret` (contains a key or password), `instructions` (addresses a model that reads it), `written_by_model` (a language model wrote it about others; where a memory is shown or listed by itself, or recalled). */
  flags: string[];
  /** When it expires; `null` if it does not. */
  expires_at: string | null;
  /** When it was forgotten, if it was. */
  deleted_at: string | null;
  /** Id of the memory that replaced it. */
  superseded_by: string | null;
  /** How often callers accessed this memory directly. */
  access_count: number;
  /** When a caller last accessed it directly. */
  last_accessed_at: string | null;
}

/** An entity that a memory mentions. */
export interface Mention {
  /** Canonical id, such as `tool:redis`. */
  id: string;
  /** Its name. */
  name: string;
}

/** An entity of a source. */
export interface MentionedEntity {
  /** The entity. */
  entity: Entity;
  /** How many memories of the source mention it. */
  mentions: number;
}

/** A merge of two entities. */
export interface Merge {
  /** Id in the workspace, such as `g3`; `merge --undo` takes it. */
  id: string;
  /** The entity that was kept, as it was before. */
  kept: Entity;
  /** The entity that was merged into it, as it was before. */
  merged: Entity;
  /** When. */
  at: string;
  /** Who: `user`, `rule` or `llm`. */
  by: string;
  /** Why. */
  reason: string | null;
  /** Edges moved to the kept entity. */
  moved: number;
  /** Edges combined with an existing one. */
  folded: number;
  /** Edges between the two, which an undo brings back. */
  dropped: number;
  /** Facts moved to the kept entity. */
  facts: number;
  /** When it was undone, if it was. */
  undone_at: string | null;
}

/** The answer to `merges`. */
export interface MergeLog {
  /** Merges that were done, latest first. */
  merges: Merge[];
  /** Open suggestions, or with `all` those in every state; the most alike first. */
  suggestions: Suggestion[];
  /** Result of `--suggest`; `null` without it. */
  scan: MergeScan | null;
}

/** Result of comparing all names. */
export interface MergeScan {
  /** Names that were compared. */
  names: number;
  /** Merges applied at once (`--auto`). */
  merged: number;
  /** New suggestions. */
  suggested: number;
}

/** The answer to `merge`. */
export interface Merged {
  /** The merge. */
  merge: Merge;
  /** The entity as it is now. */
  entity: Entity;
}

/** Why a language model gave no answer. */
export interface ModelFailure {
  /** `wrong_key`, `unknown_model`, `not_an_interface`, `rejected`, `refused`, `truncated`, `unreadable`, `too_large`, `overloaded`, `unreachable`, `timed_out`, `over_budget` or `ledger`. */
  kind: string;
  /** Why, in words. */
  why: string;
  /** What helps, for the owner of the machine. */
  hint: string | null;
}

/** What was asked of a language model, and what it took. */
export interface ModelUse {
  /** The interface, such as `openai`. */
  provider: string;
  /** The model. */
  name: string;
  /** Whether a reply that was kept from an earlier time answered. */
  kept: boolean;
  /** Requests that were sent. */
  calls: number;
  /** Tokens that were sent. */
  input_tokens: number;
  /** Tokens that were received. */
  output_tokens: number;
  /** In the currency of the prices; `null` if no price is set. */
  cost: number | null;
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

/** What a language model noted of a memory, at one time. */
export interface Note {
  /** What it is about, in its own words. */
  keywords: string[];
  /** Kinds of things or areas that it belongs to. */
  tags: string[];
  /** What it is about and why it matters. */
  context: string;
  /** When it was noted. */
  at: string;
  /** Handle of the memory whose arrival led to it; `null` if it was noted of the memory alone. */
  by: string | null;
  /** When it was undone. */
  undone_at: string | null;
  /** Whether it is the latest that was not undone. */
  counts: boolean;
}

/** An offer of `remember`: one memory may replace another, or have caused it. */
export interface Offer {
  /** Id in the workspace, such as `o12`; `forget` refuses it, `restore` reopens it. */
  id: string;
  /** `replacement` (the newer memory may replace the other) or `cause` (one may have caused the other). */
  kind: string;
  /** The memory whose storing made the offer. */
  newer: NodeRef;
  /** The other memory. */
  other: NodeRef;
  /** Handle of the memory that would be the cause, or would replace the other; `link` takes it. */
  source: string;
  /** Handle of the memory that would be the effect, or would be replaced. */
  target: string;
  /** `causes`, `enables` or `prevents`; `null` for a replacement. */
  sub_type: string | null;
  /** Why it was offered. */
  reason: string;
  /** How likely it is, 0..=1. */
  probability: number;
  /** `open`, `taken` (an edge of its kind connects the two) or `refused`. */
  state: string;
  /** When it was made. */
  made_at: string;
  /** When it was taken or refused. */
  settled_at: string | null;
}

/** The answer to `path`. */
export interface Path {
  /** Whether a path of at most the requested length exists. */
  found: boolean;
  /** The shortest path. */
  hops: Hop[];
  /** Product of the confidences, 0..=1. */
  confidence: number;
}

/** The gate, judged by windows that have ended. */
export interface QualityGate {
  /** `open`, `blocked` or `half_open`. */
  state: string;
  /** Time of the last change of state; `null` if it was never blocked. */
  since: string | null;
  /** `pass`, `warn`, `fail` or `insufficient_data`. */
  status: string;
  /** The reasons. */
  reasons: GateReason[];
  /** Runs of the graph since it became half open. */
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
  /** Results, best first. */
  results: RecallResult[];
  /** Standing rules of the scope, separate from the results. They do not count towards the limit, and an answer with rules but no results is still empty. */
  rules: Rule[];
  /** Number of rules omitted because they exceed `recall.rules_budget`. */
  rules_left_out: number;
  /** For questions that ask why: how results are connected, cause before effect. */
  chains: Chain[];
  /** How many memories were scored. */
  candidates: number;
  /** Tokens of the results' texts, about 4 characters each. */
  tokens: number;
  /** Why nothing is returned, and how close the best candidate came. */
  abstained: string | null;
  /** Number of results too long for `budget`, where none fits; `abstained` says so, too. */
  left_out: number;
  /** Candidates left out, and why; empty unless requested. */
  rejected: Rejected[];
  /** Components that could not be used (embedder, graph), and why; normally empty. */
  missing: string[];
  /** The requested and the applied strategy, and why. */
  rollout: RolloutTrace;
}

/** The answer to `recalls`. */
export interface RecallLog {
  /** Whether recalls are logged (the setting `log.recalls`). */
  enabled: boolean;
  /** For how many days an entry is kept (the setting `log.recall_days`). */
  days: number;
  /** The latest first. */
  recalls: LoggedRecall[];
}

/** One memory of an answer. */
export interface RecallResult {
  /** Stable id. */
  id: string;
  /** Short name, such as `#a1b2c3`. */
  handle: string;
  /** The text, verbatim. */
  text: string;
  /** `insight`, `decision`, `passage`, `turn`, … */
  kind: string;
  /** Tags, as given. */
  tags: string[];
  /** `code`, `execution`, `knowledge` or `project`: follows from its type or kind. */
  layer: string;
  /** `long_term`, `working` (expires automatically), or `rule` if rules were requested. */
  tier: string;
  /** When it expires; `null` if it does not. */
  expires_at: string | null;
  /** 1 (trivial) to 5 (vital). */
  importance: number;
  /** The user it belongs to; `null` if all users share it. */
  user: string | null;
  /** The project it is about; `null` if none in particular. */
  project: string | null;
  /** Its source. */
  source: SourceRef;
  /** Where a person finds it: `notes/decisions.md:67`, `report.pdf › page 3`, a URL; `null` if stored by a call. */
  cite: string | null;
  /** Other sources with the same or nearly the same text, such as another form of the document. */
  also_in: AlsoIn[];
  /** Headings above a passage, outermost first. */
  heading: string[];
  /** Lines in the source. */
  lines: Span | null;
  /** Who said it. */
  speaker: string | null;
  /** The session it belongs to. */
  session: string | null;
  /** When it happened or was said; of a passage whose document states no day, when its file was changed. */
  occurred_at: string;
  /** Id of the memory that replaced it. */
  superseded_by: string | null;
  /** Why the text needs care: `secret` (contains a key or password), `instructions` (addresses a model that reads it), `written_by_model` (a language model wrote it about others). */
  flags: string[];
  /** Probability that it bears on the question, never higher than that of an earlier result; the sum of the shares of `signals`. */
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
  /** Steps from the start of the path. */
  hop_count: number;
  /** Product of the confidences over the path, 0..=1; `null` without a path. */
  confidence: number | null;
  /** The path to this memory, step by step. */
  path: Hop[];
  /** Names of entities that it shares with the question. */
  entities: string[];
  /** Whether it still holds; `null` where nothing is known. */
  standing: Standing | null;
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
  /** Relevance, 0..=1; decreases with every step. */
  score: number;
  /** The path to it. */
  path: Hop[];
}

/** The answer to `remember`. */
export interface Remembered {
  /** Stable id of the memory. */
  id: string;
  /** Short name, such as `#a1b2c3`. */
  handle: string;
  /** `added`; if the scope already contains the text, `skipped`, or `updated` if what is said beside it was new: tier, expiry, tags, entities. The id is then that of the existing memory. */
  action: string;
  /** The text, verbatim. */
  text: string;
  /** `insight`, `decision`, … */
  kind: string;
  /** Tags, as given. */
  tags: string[];
  /** `long_term`, `rule` or `working`. */
  tier: string;
  /** When it expires; `null` if it does not. */
  expires_at: string | null;
  /** 1 (trivial) to 5 (vital). */
  importance: number;
  /** When it happened or was said. */
  occurred_at: string;
  /** Id of its source, such as `s4`. */
  source: string;
  /** Entities that it mentions. */
  entities: Mention[];
  /** Edges that the write made. */
  edges_created: EdgeTally;
  /** Comparison with the most similar memory: a suggestion only, nothing was changed. */
  diff: Diff;
  /** Earlier memories that it may replace, at most three, most likely first, for the caller to judge. */
  update_candidates: UpdateCandidate[];
  /** Similar memories, for the caller to judge and link. */
  semantic_candidates: SemanticCandidate[];
  /** Possible causes and consequences, for the caller to judge and link. */
  causal_candidates: CausalCandidate[];
  /** Why the text needs care: `secret` (contains a key or password), `instructions` (addresses a model that reads it). */
  flags: string[];
  /** Whether it has a vector. */
  embedded: boolean;
  /** Current importance, by the formula of `gc`. */
  effective_importance: number;
  /** Warnings of the verifier. */
  warnings: Warning[];
}

/** The state of the graph's rollout. */
export interface Rollout {
  /** `off`, `shadow`, `canary` or `on`. */
  mode: string;
  /** When it was set; `null` if never. */
  updated_at: string | null;
  /** Who chose it. */
  updated_by: string | null;
  /** The setting `recall.graph`. */
  enabled: boolean;
  /** The recommended next step. */
  recommended: string;
  /** Why. */
  rationale: string;
  /** The quality gate, which decides whether the graph may answer in `canary`. */
  gate: QualityGate;
  /** The stages towards `on`. */
  stages: RolloutStage[];
  /** Measured values of the last closed window, and where they should be. */
  goals: RolloutGoal[];
  /** Closed windows in a row that were ready for the next stage. */
  ready_windows: number;
  /** Number of such windows that a step requires. */
  ready_windows_wanted: number;
  /** Always false: a person sets the mode. */
  autopilot: boolean;
  /** Alarms that need attention, worst first. */
  alarms: Alarm[];
  /** Width of a window. */
  window_hours: number;
  /** Counters per window, latest first; the first may still be open. */
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
  /** Whether it may be entered. */
  ready: boolean;
  /** Required number of runs. */
  required_samples: number;
  /** Number of runs so far. */
  current_samples: number;
  /** What is missing, such as `MIN_SHADOW_EXECUTIONS_NOT_MET`. */
  blockers: string[];
}

/** The requested and the applied strategy, and why. */
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
  /** Whether a half-open gate let this request through. */
  probe: boolean;
  /** Whether the graph ran without affecting this answer. */
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
  /** Whether it has ended. */
  closed: boolean;
  /** Answered recalls. */
  requests: number;
  /** Of those, the graph was asked for. */
  hybrid_requested: number;
  /** Of those, it was applied. */
  hybrid_applied: number;
  /** Of those, in `canary`. */
  canary_applied: number;
  /** Runs of the graph in shadow, while the baseline answered. */
  shadow_executions: number;
  /** Requests not applied because of the mode, the gate or a setting; these are not failures. */
  held: number;
  /** Failures of the graph when it should have answered. */
  graph_errors: number;
  /** Failures of the graph in shadow. */
  shadow_errors: number;
  /** Share of the runs of the graph that failed. */
  error_rate: number;
  /** Share of the requests for the graph that failed, without those held back. */
  fallback_rate: number;
  /** Share of the runs that contributed a result. */
  coverage: number;
  /** Memories that the walk reached, on average. */
  avg_graph_candidates: number;
  /** Results contributed by the graph, on average. */
  avg_graph_expanded_count: number;
  /** Share of the baseline's results that the graph kept, where both were made. */
  overlap: number | null;
  /** Judged questions, and nDCG@10 of the graph minus that of the baseline on them. */
  judged: number;
  /** See `judged`. */
  relevance_gain: number | null;
  /** Feedback on results whose rank the graph influenced. */
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
  /** The text, verbatim. */
  text: string;
  /** `preference`, `decision`, … */
  kind: string;
  /** Tags, as given. */
  tags: string[];
  /** 1 (trivial) to 5 (vital). */
  importance: number;
  /** The user it belongs to; `null` if all users share it. */
  user: string | null;
  /** The project it is about; `null` if none in particular. */
  project: string | null;
  /** When it was said. */
  occurred_at: string;
  /** When it expires. */
  expires_at: string | null;
  /** Why the text needs care: `secret` (contains a key or password), `instructions` (addresses a model that reads it). */
  flags: string[];
  /** Relevance to the question, 0..=1. */
  relevance: number;
  /** Whether its relevance is high enough for the question. */
  relevant: boolean;
}

/** A memory similar to the new one. */
export interface SemanticCandidate {
  /** Stable id. */
  id: string;
  /** Short name. */
  handle: string;
  /** Its text. */
  text: string;
  /** Its kind. */
  kind: string;
  /** Cosine, or the share of common words if there are no vectors; 0..=1. */
  similarity: number;
  /** Whether an edge already exists. */
  auto_linked: boolean;
  /** Why it is suggested. */
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

/** A source of memories. */
export interface Source {
  /** Id in the workspace, such as `s4`. */
  id: string;
  /** `agent`, `file`, `page`, `chat`, `code`, `tracker` or `import`. */
  kind: string;
  /** A path, a URL, or the name of an agent. */
  origin: string;
  /** `web` for pages, which are untrusted, else `own`. */
  trust: string;
  /** Title of the document. */
  title: string | null;
  /** Declared language, such as `en` or `pt-BR`. */
  language: string | null;
  /** Tags of the source. */
  tags: string[];
  /** What its user noted of it, by name. */
  metadata: Record<string, string>;
  /** Whether it can be read again: a page, or a file of the server's machine. */
  readable: boolean;
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

/** What a source speaks of. */
export interface SourceGraph {
  /** The source and its numbers. */
  source: SourceView;
  /** Entities that its memories mention, most mentioned first. */
  entities: MentionedEntity[];
  /** Relations between entities that its memories state. */
  relations: Edge[];
  /** How many entities there are, however many are listed. */
  entity_count: number;
  /** How many relations there are, however many are listed. */
  relation_count: number;
}

/** The source of a result. */
export interface SourceRef {
  /** Id in the workspace, such as `s4`. */
  id: string;
  /** `agent`, `file`, `chat`, …; `null` if no longer known. */
  kind: string | null;
  /** A path, a URL, or the name of an agent; `null` if no longer known. */
  origin: string | null;
  /** `web` for pages, which are untrusted, else `own`; `null` if no longer known. */
  trust: string | null;
  /** Title of the document. */
  title: string | null;
}

/** A source with its counts. */
export interface SourceView {
  /** The source. */
  source: Source;
  /** Memories from it. */
  memories: number;
  /** Entities that they mention. */
  entities: number;
  /** Edges from it. */
  edges: number;
  /** The last crawl, refresh or ingestion whose target it is; `null` if there is none, and for further pages of a crawl. */
  last_job: LastJob | null;
}

/** First and last line of a passage in its source, counted from 1. */
export interface Span {
  /** First line. */
  first: number;
  /** Last line. */
  last: number;
}

/** Whether a memory still holds. */
export interface Standing {
  /** `current`, `outdated`, `planned`, `cancelled`, `temporary` or `contradicted`. */
  is: string;
  /** Since when it is so. */
  since: string | null;
  /** Until when it holds, by its own words. */
  until: string | null;
  /** Id of the memory that replaced, cancelled or contradicts it. */
  by: string | null;
  /** Short name of that memory. */
  by_handle: string | null;
  /** `true` if an edge says so, `false` if it was read from the texts. */
  certain: boolean;
}

/** One sentence of a language model. */
export interface Statement {
  /** The sentence, without its citations. */
  text: string;
  /** Handles of the memories that it cites, all of which were sent. */
  citations: string[];
  /** What it cites besides, which was not sent: invented. */
  invented: string[];
  /** Whether it cites a memory that was sent. Whether that memory says the same is for a reader to judge. */
  supported: boolean;
}

/** The answer to `status`. */
export interface Status {
  /** The database file; `null` for callers with a key. */
  path: string | null;
  /** Number of the last change. */
  revision: number;
  /** Its contents. */
  counts: Counts;
  /** Size of the database in bytes. */
  bytes: number;
  /** The model that made the stored vectors. */
  stored_model: string | null;
  /** The embedder that the settings select. While it is another than `stored_model`, that one answers. */
  embedder: string;
  /** The best connected entities. */
  top_entities: Hub[];
  /** Sources by kind of origin, without kinds that have none. */
  sources_by_kind: KindTally[];
  /** The earliest time of a memory. */
  earliest: string | null;
  /** The latest time of a memory. */
  latest: string | null;
  /** Number of open warnings of the verifier. */
  open_warnings: number;
  /** The language model that `recall --answer` and `enrich` ask, as its provider writes it; `null` without one. */
  language_model: string | null;
  /** Memories that the language model has not read, by task; empty without a model. */
  unread: Record<string, number>;
  /** What the caller may do: `read`, `write` or `admin`. */
  role: string;
  /** The user to whom the caller's key is bound. */
  user: string | null;
}

/** What one strategy answers. */
export interface StrategyAnswer {
  /** Its first result; `null` if it is silent. */
  first: FirstResult | null;
  /** Handles of its first ten results, in order. */
  handles: string[];
}

/** Two entities that may be one. */
export interface Suggestion {
  /** Id in the workspace, such as `p3`; `merges --apply` and `--dismiss` take it, and `restore` reopens a dismissed one. */
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

/** A time expression and the span it denotes. */
export interface TimeReading {
  /** The words. */
  words: string;
  /** The span. */
  interval: Interval;
}

/** The answer to `timeline`. */
export interface Timeline {
  /** Memories before the anchor, in chronological order. */
  before: Memory[];
  /** The anchor: the memory in question. */
  anchor: Memory | null;
  /** Memories after it, or all if there is no anchor. */
  after: Memory[];
}

/** A question in another language. */
export interface Translation {
  /** Such as `german`. */
  language: string;
  /** Words searched for, folded and cut to their stem. */
  terms: string[];
}

/** How a question was understood. */
export interface Understanding {
  /** `why`, `when`, `entity` or `general`. */
  intent: string;
  /** 0..=1. */
  intent_confidence: number;
  /** What a `why` question asks for: `causes` or `consequences`; `null` for other questions. */
  direction: string | null;
  /** Words searched for, folded and cut to their stem. */
  terms: string[];
  /** Entities of the store that the question names. */
  entities: Entity[];
  /** Time expressions and the spans they denote. */
  times: TimeReading[];
  /** Language of the question, such as `english`. */
  language: string;
  /** The question in the other languages of the store, word by word. */
  translations: Translation[];
}

/** The answer to `unlink`. */
export interface Unlinked {
  /** The edges that were removed. */
  removed: Edge[];
}

/** The answer to `merge --undo`. */
export interface Unmerged {
  /** The merge that was undone. */
  merge: Merge;
  /** The entity that was kept, as it is now. */
  kept: Entity;
  /** The restored entity. */
  merged: Entity;
  /** Edges moved back. */
  edges: number;
  /** Facts moved back. */
  facts: number;
  /** Data that could not be separated again, in sentences. */
  inseparable: string[];
}

/** An earlier memory that the new one may replace. Link the new one to it as `supersedes` if it does. */
export interface UpdateCandidate {
  /** Stable id. */
  id: string;
  /** Short name. */
  handle: string;
  /** Its text. */
  text: string;
  /** Its kind. */
  kind: string;
  /** When it happened or was said. */
  occurred_at: string;
  /** How likely both state one property of one thing, 0..=1. */
  probability: number;
  /** Whether the replacement is noted already, because the new text names the old value and takes it back; `unlink` undoes it. */
  noted: boolean;
  /** Why it is suggested. */
  reason: string;
  /** Id of the offer, such as `o12`; `forget` refuses it for good. `null` if it could not be kept. */
  offer: string | null;
}

/** Requests to language models and their cost. */
export interface Usage {
  /** One row for each day, purpose and model, latest day first. */
  rows: UsageRow[];
  /** The sum of the rows. */
  total: UsageTotal;
  /** What is left today. */
  today: UsageToday;
}

/** The requests of one day for one purpose to one model. */
export interface UsageRow {
  /** Start of the day, in UTC. */
  day: string;
  /** What for, such as `answer`. */
  purpose: string;
  /** The interface, such as `openai`. */
  provider: string;
  /** The model. */
  model: string;
  /** Requests that were sent. */
  calls: number;
  /** Those without a reply that could be used. */
  failed: number;
  /** Those whose end is unknown: they run, or their process was killed. Their numbers are estimates. */
  unfinished: number;
  /** Questions that a kept reply answered; not among `calls`. */
  kept: number;
  /** Tokens that were sent. */
  input_tokens: number;
  /** Tokens that were received. */
  output_tokens: number;
  /** In the currency of the prices; `null` where no price was set. */
  cost: number | null;
}

/** What the budgets of a day leave. `null` where there is no limit. */
export interface UsageToday {
  /** Requests. */
  calls_left: number | null;
  /** Tokens. */
  tokens_left: number | null;
  /** Money, in the currency of the prices. */
  cost_left: number | null;
}

/** The sum of several rows. */
export interface UsageTotal {
  /** Requests that were sent. */
  calls: number;
  /** Questions that a kept reply answered. */
  kept: number;
  /** Tokens that were sent. */
  input_tokens: number;
  /** Tokens that were received. */
  output_tokens: number;
  /** In the currency of the prices; `null` where no price was set. */
  cost: number | null;
}

/** The answer to `verify`, with `--list` too. */
export interface Verified {
  /** The warnings; empty means sound. Acknowledged ones are included on request. */
  warnings: Warning[];
  /** How many were acknowledged, shown or not. */
  acknowledged: number;
}

/** A warning of the verifier; it never prevents a write. */
export interface Warning {
  /** Stable id, such as `w-3f2a90c1d4e5`, derived from the rule and its subject. */
  id: string;
  /** `causal_cycle`, `caused_and_prevented` or `external_base`. */
  code: string;
  /** The warning, as a sentence. */
  message: string;
  /** Ids of the edges concerned. */
  edges: string[];
  /** When it was first seen. */
  first_seen: string;
  /** Its acknowledgement; `null` while it is open. */
  acknowledged: Acknowledged | null;
}

/** The answer to `why`. */
export interface Why {
  /** The memory or entity in question. */
  start: NodeRef;
  /** Its causes, nearest first. */
  causes: WhyStep[];
  /** Its consequences, nearest first. */
  consequences: WhyStep[];
  /** Ids of edges that close a causal cycle; they are reported, not followed. */
  cycles: string[][];
  /** Whether the walk stopped at its budget. */
  truncated: boolean;
}

/** One cause or consequence with the path to it. */
export interface WhyStep {
  /** The cause or consequence. */
  node: NodeRef;
  /** Steps from the start. */
  depth: number;
  /** Product of the steps' confidences, 0..=1. */
  confidence: number;
  /** In causal order: from the cause to the start, or from the start to the consequence. */
  hops: Hop[];
  /** Whether some step prevents instead of causing. */
  prevents: boolean;
}

/** Something that was found and not sent. */
export interface Withheld {
  /** Short name of the memory. */
  handle: string;
  /** Its stable id. */
  id: string;
  /** `private` (it belongs to a user, and `model.private_texts` is off), `secret` (it was sent with its secrets masked) or `budget` (`model.context_tokens` was used up). */
  reason: string;
}

/** What `remember` takes. */
export interface RememberRequest {
  /** The text to store, verbatim. */
  text: string;
  /** `insight` (default), `decision`, `fact`, `preference`, `event`, `observation`, `note` or your own word. */
  kind?: string | null;
  /** Keep a kind that looks like a mistyped one. */
  new_kind?: boolean;
  /** Tags. */
  tags?: string[];
  /** `long_term` (default), `rule` (a standing rule, returned with every answer in its scope) or `working` (expires automatically). */
  tier?: string | null;
  /** When it expires: a date, RFC 3339, or a duration such as `8h` or `30d`. Default: never; for a `working` memory, the setting `remember.working_hours`. */
  expires_at?: string | null;
  /** 1 (trivial) to 5 (vital); default 3. */
  importance?: number | null;
  /** The agent that stores it. */
  agent?: string | null;
  /** The session it belongs to. */
  session?: string | null;
  /** Who said it. */
  speaker?: string | null;
  /** When it happened: RFC 3339, a date, or words such as `yesterday`; default now. */
  occurred_at?: string | null;
  /** Entities that the rules may miss: `"Redis"`, `"Redis:tool"` or `{"name": "Redis", "type": "tool"}`. */
  entities?: EntityDraft[];
  /** Headings above it, outermost first. */
  heading?: string[];
  /** First and last line in the source. */
  lines?: Span | null;
  /** Position in its source and session; default after the last. */
  ordinal?: number | null;
  /** Id or handle of the memory that this memory replaces. */
  supersedes?: string | null;
  /** Name of its source; default the agent. */
  source?: string | null;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `rememberMany` takes. */
export interface RememberManyRequest {
  /** The texts. `user` and `project` of a text apply if the request names none. */
  memories: Draft[];
  /** Keep kinds that look like mistyped ones. */
  new_kind?: boolean;
  /** Name of their source; default the first agent named. */
  source?: string | null;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `editMemory` takes. */
export interface EditMemoryRequest {
  /** Id or handle of the memory. */
  name: string;
  /** The new text. */
  text: string;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `eraseMemory` takes. */
export interface EraseMemoryRequest {
  /** A memory by its id or handle, a source by its id or origin, an entity by its id or name, or the name of a user. */
  name: string;
  /** Only report what would be removed. */
  dry_run?: boolean;
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `show` takes. */
export interface ShowRequest {
  /** Id, handle (`#a1b2c3`), canonical id (`tool:redis`), source id (`s4`), id of an offer (`o12`) or name. */
  name: string;
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `recall` takes. */
export interface RecallRequest {
  /** The question, or keywords. */
  query: string;
  /** Maximum number of results. */
  limit?: number | null;
  /** Limit results by tokens (about 4 characters each). */
  budget?: number | null;
  /** Only memories of one of these kinds. */
  kinds?: string[];
  /** Only memories with all of these tags. */
  tags?: string[];
  /** Only memories of these tiers: `long_term`, `working`, `rule`; default all except rules, which are returned separately from the results. */
  tiers?: string[];
  /** Omit rules from the answer. */
  no_rules?: boolean;
  /** Only memories from one of these sources: `s4`, or an origin. */
  sources?: string[];
  /** Only memories of this agent. Settings specific to this agent apply unless `scope.agentId` names another. */
  agent?: string | null;
  /** Only memories of this session. */
  session?: string | null;
  /** Only events at or after this time. */
  since?: string | null;
  /** Only events up to the end of this time. */
  until?: string | null;
  /** Only events in this period: a day, a month, "last week". */
  at?: string | null;
  /** Answer with what held at this time: a day, a month, "last week". */
  as_of?: string | null;
  /** `why`, `when`, `entity` or `general`; detected from the question by default. */
  intent?: string | null;
  /** Resolve relative dates such as "yesterday" against this time. */
  now?: string | null;
  /** Include superseded memories. */
  superseded?: boolean;
  /** Exclude content from the web, which is untrusted. */
  trusted?: boolean;
  /** Return the best candidates even if none is relevant. */
  no_floor?: boolean;
  /** Same as the strategy `hybrid_graph`: use the graph if the workspace leaves the choice to the request. */
  graph?: boolean;
  /** Use only words, vectors and time; do not walk the graph. */
  no_graph?: boolean;
  /** Use the graph (`hybrid_graph`) or not (`baseline`); the workspace's mode decides by default. */
  strategy?: string | null;
  /** How many candidates to consider and how far to walk the graph: `low`, `normal` or `high`. */
  effort?: string | null;
  /** List candidates that were left out, and why. */
  rejected?: boolean;
  /** Feedback on earlier answers; needs the role `write`. */
  feedback?: FeedbackGiven[];
  /** Ignore edges below this confidence, 0 to 1. */
  min_confidence?: number | null;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `context` takes. */
export interface ContextRequest {
  /** The question, or keywords. */
  query: string;
  /** Maximum number of results. */
  limit?: number | null;
  /** Limit results by tokens (about 4 characters each). */
  budget?: number | null;
  /** Only memories of one of these kinds. */
  kinds?: string[];
  /** Only memories with all of these tags. */
  tags?: string[];
  /** Only memories of these tiers: `long_term`, `working`, `rule`; default all except rules, which are returned separately from the results. */
  tiers?: string[];
  /** Omit rules from the answer. */
  no_rules?: boolean;
  /** Only memories from one of these sources: `s4`, or an origin. */
  sources?: string[];
  /** Only memories of this agent. Settings specific to this agent apply unless `scope.agentId` names another. */
  agent?: string | null;
  /** Only memories of this session. */
  session?: string | null;
  /** Only events at or after this time. */
  since?: string | null;
  /** Only events up to the end of this time. */
  until?: string | null;
  /** Only events in this period: a day, a month, "last week". */
  at?: string | null;
  /** Answer with what held at this time: a day, a month, "last week". */
  as_of?: string | null;
  /** `why`, `when`, `entity` or `general`; detected from the question by default. */
  intent?: string | null;
  /** Resolve relative dates such as "yesterday" against this time. */
  now?: string | null;
  /** Include superseded memories. */
  superseded?: boolean;
  /** Exclude content from the web, which is untrusted. */
  trusted?: boolean;
  /** Return the best candidates even if none is relevant. */
  no_floor?: boolean;
  /** Same as the strategy `hybrid_graph`: use the graph if the workspace leaves the choice to the request. */
  graph?: boolean;
  /** Use only words, vectors and time; do not walk the graph. */
  no_graph?: boolean;
  /** Use the graph (`hybrid_graph`) or not (`baseline`); the workspace's mode decides by default. */
  strategy?: string | null;
  /** How many candidates to consider and how far to walk the graph: `low`, `normal` or `high`. */
  effort?: string | null;
  /** List candidates that were left out, and why. */
  rejected?: boolean;
  /** Feedback on earlier answers; needs the role `write`. */
  feedback?: FeedbackGiven[];
  /** Ignore edges below this confidence, 0 to 1. */
  min_confidence?: number | null;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `answer` takes. */
export interface AnswerRequest {
  /** The question, or keywords. */
  query: string;
  /** Maximum number of results. */
  limit?: number | null;
  /** Limit results by tokens (about 4 characters each). */
  budget?: number | null;
  /** Only memories of one of these kinds. */
  kinds?: string[];
  /** Only memories with all of these tags. */
  tags?: string[];
  /** Only memories of these tiers: `long_term`, `working`, `rule`; default all except rules, which are returned separately from the results. */
  tiers?: string[];
  /** Omit rules from the answer. */
  no_rules?: boolean;
  /** Only memories from one of these sources: `s4`, or an origin. */
  sources?: string[];
  /** Only memories of this agent. Settings specific to this agent apply unless `scope.agentId` names another. */
  agent?: string | null;
  /** Only memories of this session. */
  session?: string | null;
  /** Only events at or after this time. */
  since?: string | null;
  /** Only events up to the end of this time. */
  until?: string | null;
  /** Only events in this period: a day, a month, "last week". */
  at?: string | null;
  /** Answer with what held at this time: a day, a month, "last week". */
  as_of?: string | null;
  /** `why`, `when`, `entity` or `general`; detected from the question by default. */
  intent?: string | null;
  /** Resolve relative dates such as "yesterday" against this time. */
  now?: string | null;
  /** Include superseded memories. */
  superseded?: boolean;
  /** Exclude content from the web, which is untrusted. */
  trusted?: boolean;
  /** Return the best candidates even if none is relevant. */
  no_floor?: boolean;
  /** Same as the strategy `hybrid_graph`: use the graph if the workspace leaves the choice to the request. */
  graph?: boolean;
  /** Use only words, vectors and time; do not walk the graph. */
  no_graph?: boolean;
  /** Use the graph (`hybrid_graph`) or not (`baseline`); the workspace's mode decides by default. */
  strategy?: string | null;
  /** How many candidates to consider and how far to walk the graph: `low`, `normal` or `high`. */
  effort?: string | null;
  /** List candidates that were left out, and why. */
  rejected?: boolean;
  /** Feedback on earlier answers; needs the role `write`. */
  feedback?: FeedbackGiven[];
  /** Ignore edges below this confidence, 0 to 1. */
  min_confidence?: number | null;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `traverse` takes. */
export interface TraverseRequest {
  /** The question or keywords to start from. */
  query: string;
  /** Maximum number of nodes to expand at each step; default 10. */
  width?: number;
  /** Maximum number of nodes to visit in total; default 500. */
  budget?: number;
  /** Maximum number of steps, 1 to 10; default 4. */
  depth?: number;
  /** Only nodes of these layers: `code`, `execution`, `knowledge`, `project`. Paths may pass through other layers. */
  layers?: string[];
  /** `why`, `when`, `entity` or `general`; detected from the question by default. */
  intent?: string | null;
  /** Ignore edges below this confidence, 0 to 1. */
  min_confidence?: number | null;
  /** Answer as of this time: a date, RFC 3339 or words such as `last month`; default now. */
  now?: string | null;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `link` takes. */
export interface LinkRequest {
  /** Start: id, handle, canonical id (`tool:redis`) or name. */
  source: string;
  /** End: id, handle, canonical id or name. */
  target: string;
  /** Kind of the edge: `semantic` (default), `causal`, `relation`, `supporting`, `contradicts`, `supersedes`, `explains`, … */
  kind?: string | null;
  /** Label of a relation (`uses`), or sub-type of a causal edge (`causes`, `enables`, `prevents`). */
  label?: string | null;
  /** Weight, 0 to 1; default 1. */
  weight?: number | null;
  /** The reason. */
  reason?: string | null;
  /** Origin of the edge: `user` (default), `static`, `import`, `llm`, `embedding` or `rule`. */
  provenance?: string | null;
  /** Confidence, 0 to 1. The default depends on the origin: 1 for `user`, `static` and `import`, 0.8 for `embedding` (between two memories, their cosine), 0.7 for `rule`, 0.6 for `llm`. */
  confidence?: number | null;
  /** When the edge expires: a future time, or a duration such as `30d`, `12h` or `2w`. */
  expires_at?: string | null;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `unlink` takes. */
export interface UnlinkRequest {
  /** Start: a memory or an entity. */
  source: string;
  /** End: a memory or an entity. */
  target: string;
  /** Only edges of this kind. */
  kind?: string | null;
  /** Only edges with this label or sub-type. */
  label?: string | null;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `forget` takes. */
export interface ForgetRequest {
  /** Id, handle (`#a1b2c3`), canonical id (`tool:redis`), source id (`s4`), id of an offer (`o12`) or name. */
  name: string;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `restore` takes. */
export interface RestoreRequest {
  /** Id, handle (`#a1b2c3`), canonical id (`tool:redis`), source id (`s4`), id of an offer (`o12`) or name. */
  name: string;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `offers` takes. */
export interface OffersRequest {
  /** Only offers about this memory, or the offer with this id. */
  memory?: string;
  /** Include taken and refused ones. */
  all?: boolean;
  /** The most offers; default 20. */
  limit?: number;
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `eraseSource` takes. */
export interface EraseSourceRequest {
  /** A memory by its id or handle, a source by its id or origin, an entity by its id or name, or the name of a user. */
  name: string;
  /** Only report what would be removed. */
  dry_run?: boolean;
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `source` takes. */
export interface SourceRequest {
  /** Id, handle (`#a1b2c3`), canonical id (`tool:redis`), source id (`s4`), id of an offer (`o12`) or name. */
  name: string;
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `tagSource` takes. */
export interface TagSourceRequest {
  /** Id of a source, such as `s4`. */
  name: string;
  /** The new tags; they replace the old ones. */
  tags: string[];
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `eraseEntity` takes. */
export interface EraseEntityRequest {
  /** A memory by its id or handle, a source by its id or origin, an entity by its id or name, or the name of a user. */
  name: string;
  /** Only report what would be removed. */
  dry_run?: boolean;
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `entity` takes. */
export interface EntityRequest {
  /** Canonical id (`tool:redis`), name or alias. */
  name: string;
  /** Depth of its neighbourhood in steps, 1 to 3; default 1. */
  hops?: number;
  /** Maximum number of mentions and of neighbours; default 10. */
  limit?: number;
  /** Ignore edges below this confidence, 0 to 1. */
  min_confidence?: number;
  /** Answer as of this time: a date, RFC 3339 or words such as `last month`; default now. */
  now?: string;
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `eraseUser` takes. */
export interface EraseUserRequest {
  /** A memory by its id or handle, a source by its id or origin, an entity by its id or name, or the name of a user. */
  name: string;
  /** Only report what would be removed. */
  dry_run?: boolean;
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `erasures` takes. */
export interface ErasuresRequest {
  /** Compare each receipt with the store. */
  verify?: boolean;
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `why` takes. */
export interface WhyRequest {
  /** The memory or entity to start from. */
  name: string;
  /** `causes`, `consequences` or `both` (default). */
  direction?: string | null;
  /** Maximum number of steps, 1 to 10; default 5. */
  depth?: number;
  /** Ignore edges below this confidence, 0 to 1. */
  min_confidence?: number | null;
  /** Answer as of this time: a date, RFC 3339 or words such as `last month`; default now. */
  now?: string | null;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `related` takes. */
export interface RelatedRequest {
  /** The memory or entity to start from. */
  name: string;
  /** Maximum number of steps, 1 to 10; default 2. */
  depth?: number;
  /** Only over edges of these families: `temporal`, `entity`, `causal`, `semantic`. */
  families?: string[];
  /** Only nodes of these layers: `code`, `execution`, `knowledge`, `project`. Paths may pass through other layers. */
  layers?: string[];
  /** Maximum number of results; default 20. */
  limit?: number;
  /** Ignore edges below this confidence, 0 to 1. */
  min_confidence?: number | null;
  /** Answer as of this time: a date, RFC 3339 or words such as `last month`; default now. */
  now?: string | null;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `similar` takes. */
export interface SimilarRequest {
  /** Handle or id of a memory. */
  name: string;
  /** Maximum number of results; default 10. */
  limit?: number;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `path` takes. */
export interface PathRequest {
  /** Start: a memory or an entity. */
  source: string;
  /** End: a memory or an entity. */
  target: string;
  /** Maximum number of steps, 1 to 32; default 6. */
  max_hops?: number;
  /** Only over relations: both ends are entities, and no memory is in between. */
  relations_only?: boolean;
  /** Ignore edges below this confidence, 0 to 1. */
  min_confidence?: number | null;
  /** Answer as of this time: a date, RFC 3339 or words such as `last month`; default now. */
  now?: string | null;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `timeline` takes. */
export interface TimelineRequest {
  /** The memory to centre on; without one, the latest memories. */
  anchor?: string | null;
  /** Number of memories before it; default 5. */
  before?: number;
  /** Number of memories after it; without a centre, the number in total; default 5. */
  after?: number;
  /** Only events at or after this time. */
  since?: string | null;
  /** Only events up to the end of this time. */
  until?: string | null;
  /** Answer as of this time: a date, RFC 3339 or words such as `last month`; default now. */
  now?: string | null;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `memories` takes. */
export interface MemoriesRequest {
  /** Only memories of one of these kinds. */
  kinds?: string[];
  /** Only memories with all of these tags. */
  tags?: string[];
  /** Only memories from these sources: `s4`, an origin, `memory`, `manual` or `crawl`. */
  sources?: string[];
  /** Only memories of this agent. */
  agent?: string;
  /** Only memories that seem to contain a key, a password, or instructions to a language model. */
  flagged?: boolean;
  /** Only memories that another one replaced; without it, those are left out. */
  superseded?: boolean;
  /** Only memories that were forgotten; `restore` brings them back by their handle. */
  forgotten?: boolean;
  /** Only memories stored at or after this time. */
  since?: string;
  /** Maximum number of results; default 20. */
  limit?: number;
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `notes` takes. */
export interface NotesRequest {
  /** Id, handle (`#a1b2c3`), canonical id (`tool:redis`), source id (`s4`), id of an offer (`o12`) or name. */
  name: string;
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `undoNote` takes. */
export interface UndoNoteRequest {
  /** Id, handle (`#a1b2c3`), canonical id (`tool:redis`), source id (`s4`), id of an offer (`o12`) or name. */
  name: string;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `edge` takes. */
export interface EdgeRequest {
  /** Id, handle (`#a1b2c3`), canonical id (`tool:redis`), source id (`s4`), id of an offer (`o12`) or name. */
  name: string;
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
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
  /** Maximum number of results; default 20. */
  limit?: number;
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `hubs` takes. */
export interface HubsRequest {
  /** Only of this type, such as `tool`. */
  type?: string | null;
  /** Only of these layers: `code`, `execution`, `knowledge`, `project`. */
  layers?: string[];
  /** Maximum number of results; default 10. */
  limit?: number;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `graphLayout` takes. */
export interface GraphLayoutRequest {
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `layOutGraph` takes. */
export interface LayOutGraphRequest {
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `facts` takes. */
export interface FactsRequest {
  /** Only facts about this entity. */
  entity?: string;
  /** Facts valid at this time, as known today. */
  as_of?: string;
  /** Facts as known at this time. */
  known_at?: string;
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `addFact` takes. */
export interface AddFactRequest {
  /** The subject: an entity. */
  subject: string;
  /** `adopted`, `migrated_to`, `deployed_to`, `runs_on`, `replaced`, `depends_on`, `integrates_with`, `uses`, `prefers`, `avoids`, `caused_by`, `resolved_by` or `owned_by`. */
  predicate: string;
  /** The object: an entity, or free text after `prefers` and `avoids`. */
  object: string;
  /** When it became true. */
  valid_from?: string | null;
  /** When it stopped being true. */
  valid_to?: string | null;
  /** Confidence, 0 to 1; default 1. */
  confidence?: number | null;
  /** The memory that states it. */
  memory?: string | null;
  /** The reason. */
  reason?: string | null;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `endFact` takes. */
export interface EndFactRequest {
  /** Id of a fact, such as `f12`. */
  name: string;
  /** When it stopped being true; default now. */
  valid_to?: string | null;
  /** Open it again. */
  undo?: boolean;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `conflicts` takes. */
export interface ConflictsRequest {
  /** Only facts about this entity. */
  entity?: string;
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `ingest` takes. */
export interface IngestRequest {
  /** The document. */
  text?: string | null;
  /** URL of a page, instead of a text. */
  url?: string | null;
  /** Name of the source; storing under the same name again replaces its content. */
  name?: string | null;
  /** `markdown`, `text`, `json`, `jsonl`, `chat` or `claude-code`; detected by default. */
  format?: string | null;
  /** Tags for everything in it. */
  tags?: string[];
  /** What to note of the source, by name; shown with it, never searched. */
  metadata?: Record<string, string>;
  /** Kind of its memories; default `passage` or `turn`. */
  kind?: string | null;
  /** Keep a kind that looks like a mistyped one. */
  new_kind?: boolean;
  /** The agent that the memories belong to; settings specific to this agent apply. */
  agent?: string | null;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `sources` takes. */
export interface SourcesRequest {
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `sourceGraph` takes. */
export interface SourceGraphRequest {
  /** Id of a source, such as `s4`, or its origin. */
  name: string;
  /** Maximum number of entities and of relations; default 200. */
  limit?: number;
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `refreshSource` takes. */
export interface RefreshSourceRequest {
  /** Id of a source, such as `s4`. */
  name: string;
  /** Forget the source if it no longer exists. */
  prune?: boolean;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `crawl` takes. */
export interface CrawlRequest {
  /** The page to start from. */
  url: string;
  /** `single`, `sitemap` or `recursive`; default `crawl.mode`. */
  mode?: string | null;
  /** Maximum link depth; default `crawl.depth`. */
  depth?: number | null;
  /** Maximum number of pages; default `crawl.max_pages_per_crawl`. */
  max_pages?: number | null;
  /** Only URLs or paths that match, such as `/docs/**`; default `crawl.allow`, else the site of the start page. */
  allow?: string[];
  /** Skip URLs or paths that match, besides those of `crawl.block`. */
  block?: string[];
  /** Tags for the stored memories. */
  tags?: string[];
  /** What to note of each page, by name; shown with its source, never searched. */
  metadata?: Record<string, string>;
  /** The agent that the memories belong to; settings specific to this agent apply. */
  agent?: string | null;
  /** Forget the memories of pages that are gone. */
  prune?: boolean;
  /** Repeat the crawl this many hours after it ends; default never. */
  every_hours?: number | null;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `jobs` takes. */
export interface JobsRequest {
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `job` takes. */
export interface JobRequest {
  /** Id of a job, such as `j3`. */
  name: string;
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `pauseJob` takes. */
export interface PauseJobRequest {
  /** Id of a job, such as `j3`. */
  name: string;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `resumeJob` takes. */
export interface ResumeJobRequest {
  /** Id of a job, such as `j3`. */
  name: string;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `cancelJob` takes. */
export interface CancelJobRequest {
  /** Id of a job, such as `j3`. */
  name: string;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `retryJob` takes. */
export interface RetryJobRequest {
  /** Id of a job, such as `j3`. */
  name: string;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `status` takes. */
export interface StatusRequest {
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `feedback` takes. */
export interface FeedbackRequest {
  /** Whether they helped. */
  good: boolean;
  /** Id of an answer (`rollout.id`). */
  answer?: string | null;
  /** Handles or ids of its results; empty rates the whole answer. If no answer is given, each result counts for the latest answer that contains it. */
  memories?: string[];
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `rollout` takes. */
export interface RolloutRequest {
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `setRollout` takes. */
export interface SetRolloutRequest {
  /** `off`, `shadow`, `canary` or `on`. */
  mode: string;
  /** Set it even if the quality gate is not open; this discards the evidence so far. */
  force?: boolean;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `recalls` takes. */
export interface RecallsRequest {
  /** Only recalls of this agent. */
  agent?: string;
  /** Only recalls before this time, to list further ones. */
  before?: string;
  /** The most recalls; default 20. */
  limit?: number;
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `compareRecalls` takes. */
export interface CompareRecallsRequest {
  /** Only questions of this agent. */
  agent?: string;
  /** The most questions; default 20. */
  limit?: number;
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `verify` takes. */
export interface VerifyRequest {
  /** Include acknowledged warnings. */
  all?: boolean;
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `buildGraphs` takes. */
export interface BuildGraphsRequest {
  /** Edges to build: `semantic` (similarity), `temporal` (order in time over all sources, including documents), or `all`. */
  graphs?: string[];
  /** Minimum similarity (cosine, 0 to 1) at which two memories are connected; default 0.7. */
  threshold?: number;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `gc` takes. */
export interface GcRequest {
  /** List memories whose current importance is below this value; default 0.5. */
  threshold?: number;
  /** Maximum number of results; default 20. */
  limit?: number;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `warnings` takes. */
export interface WarningsRequest {
  /** Include acknowledged warnings. */
  all?: boolean;
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
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
  /** Take the acknowledgement back, so that the warning is reported again. */
  undo?: boolean;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `doctor` takes. */
export interface DoctorRequest {
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `usage` takes. */
export interface UsageRequest {
  /** Number of days, today included; default 30. */
  days?: number;
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `enrich` takes. */
export interface EnrichRequest {
  /** What to read out of them: `extraction` (names and relations), `causes` (causes and replacements), `facts`, `notes` (notes and links), `sessions` (observations of conversations). Default: all that the settings `enrich.…` switch on. */
  tasks?: string[];
  /** The most memories of each task; over HTTP 20 unless it is given. */
  limit?: number | null;
  /** Only say what it would take: requests, tokens, money. */
  estimate?: boolean;
  /** Also ask again about memories that were refused, withheld, or answered with something that could not be read. */
  retry?: boolean;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `merges` takes. */
export interface MergesRequest {
  /** Include suggestions that were dismissed. */
  all?: boolean;
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `merge` takes. */
export interface MergeRequest {
  /** The entity to keep. */
  kept: string;
  /** The entity to merge into it. */
  merged: string;
  /** Why. */
  reason?: string | null;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `judgeMerges` takes. */
export interface JudgeMergesRequest {
  /** The most pairs to ask about; over HTTP 20 unless it is given. */
  limit?: number | null;
  /** Only say what it would take: requests, tokens, money. */
  estimate?: boolean;
  /** Also ask again about pairs about which a model was not sure. */
  retry?: boolean;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `suggestMerges` takes. */
export interface SuggestMergesRequest {
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `unmerge` takes. */
export interface UnmergeRequest {
  /** Id of a merge, such as `g12`. */
  name: string;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `applyMerge` takes. */
export interface ApplyMergeRequest {
  /** Id of a suggestion, such as `p12`. */
  name: string;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `dismissMerge` takes. */
export interface DismissMergeRequest {
  /** Id of a suggestion, such as `p12`. */
  name: string;
  /** The user: their memories and those that all users share. */
  user?: string | null;
  /** The project: memories about it and those about no project in particular. */
  project?: string | null;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `export` takes. */
export interface ExportRequest {
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

/** What `events` takes. */
export interface EventsRequest {
  /** The user: their memories and those that all users share. */
  user?: string;
  /** The project: memories about it and those about no project in particular. */
  project?: string;
  /** The workspace; default the one of the key, or the server's. */
  workspace?: string;
}

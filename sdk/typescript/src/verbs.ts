// One method for each verb. Made by `cargo xtask codegen` from the server's OpenAPI document; changes here are lost.

import type * as types from "./types.js";
import type { CallOptions, Verb } from "./verb.js";

export const VERBS = {
  remember: { name: "remember", method: "POST", path: "/v1/remember", role: "write" },
  rememberMany: { name: "rememberMany", method: "POST", path: "/v1/remember/batch", role: "write" },
  editMemory: { name: "editMemory", method: "PATCH", path: "/v1/memories/{name}", role: "write" },
  eraseMemory: { name: "eraseMemory", method: "DELETE", path: "/v1/memories/{name}", role: "admin" },
  show: { name: "show", method: "GET", path: "/v1/memories/{name}", role: "read" },
  recall: { name: "recall", method: "POST", path: "/v1/recall", role: "read" },
  context: { name: "context", method: "POST", path: "/v1/context", role: "read" },
  answer: { name: "answer", method: "POST", path: "/v1/answer", role: "read" },
  traverse: { name: "traverse", method: "POST", path: "/v1/traverse", role: "read" },
  link: { name: "link", method: "POST", path: "/v1/link", role: "write" },
  unlink: { name: "unlink", method: "POST", path: "/v1/unlink", role: "write" },
  forget: { name: "forget", method: "POST", path: "/v1/forget", role: "write" },
  restore: { name: "restore", method: "POST", path: "/v1/restore", role: "write" },
  offers: { name: "offers", method: "GET", path: "/v1/offers", role: "read" },
  eraseSource: { name: "eraseSource", method: "DELETE", path: "/v1/sources/{name}", role: "admin" },
  source: { name: "source", method: "GET", path: "/v1/sources/{name}", role: "read" },
  tagSource: { name: "tagSource", method: "PATCH", path: "/v1/sources/{name}", role: "write" },
  eraseEntity: { name: "eraseEntity", method: "DELETE", path: "/v1/entities/{name}", role: "admin" },
  entity: { name: "entity", method: "GET", path: "/v1/entities/{name}", role: "read" },
  eraseUser: { name: "eraseUser", method: "DELETE", path: "/v1/users/{name}", role: "admin" },
  erasures: { name: "erasures", method: "GET", path: "/v1/erasures", role: "admin" },
  why: { name: "why", method: "POST", path: "/v1/why", role: "read" },
  related: { name: "related", method: "POST", path: "/v1/related", role: "read" },
  similar: { name: "similar", method: "POST", path: "/v1/similar", role: "read" },
  path: { name: "path", method: "POST", path: "/v1/path", role: "read" },
  timeline: { name: "timeline", method: "POST", path: "/v1/timeline", role: "read" },
  memories: { name: "memories", method: "GET", path: "/v1/memories", role: "read" },
  notes: { name: "notes", method: "GET", path: "/v1/memories/{name}/notes", role: "read" },
  undoNote: { name: "undoNote", method: "POST", path: "/v1/memories/{name}/notes/undo", role: "write" },
  edge: { name: "edge", method: "GET", path: "/v1/edges/{name}", role: "read" },
  entities: { name: "entities", method: "GET", path: "/v1/entities", role: "read" },
  hubs: { name: "hubs", method: "POST", path: "/v1/hubs", role: "read" },
  graphLayout: { name: "graphLayout", method: "GET", path: "/v1/graph/layout", role: "read" },
  layOutGraph: { name: "layOutGraph", method: "POST", path: "/v1/graph/layout", role: "write" },
  facts: { name: "facts", method: "GET", path: "/v1/facts", role: "read" },
  addFact: { name: "addFact", method: "POST", path: "/v1/facts", role: "write" },
  endFact: { name: "endFact", method: "PATCH", path: "/v1/facts/{name}", role: "write" },
  conflicts: { name: "conflicts", method: "GET", path: "/v1/conflicts", role: "read" },
  ingest: { name: "ingest", method: "POST", path: "/v1/ingest", role: "write" },
  sources: { name: "sources", method: "GET", path: "/v1/sources", role: "read" },
  sourceGraph: { name: "sourceGraph", method: "GET", path: "/v1/sources/{name}/graph", role: "read" },
  refreshSource: { name: "refreshSource", method: "POST", path: "/v1/sources/{name}/refresh", role: "write" },
  crawl: { name: "crawl", method: "POST", path: "/v1/crawl", role: "write" },
  jobs: { name: "jobs", method: "GET", path: "/v1/jobs", role: "read" },
  job: { name: "job", method: "GET", path: "/v1/jobs/{name}", role: "read" },
  pauseJob: { name: "pauseJob", method: "POST", path: "/v1/jobs/{name}/pause", role: "write" },
  resumeJob: { name: "resumeJob", method: "POST", path: "/v1/jobs/{name}/resume", role: "write" },
  cancelJob: { name: "cancelJob", method: "POST", path: "/v1/jobs/{name}/cancel", role: "write" },
  retryJob: { name: "retryJob", method: "POST", path: "/v1/jobs/{name}/retry", role: "write" },
  status: { name: "status", method: "GET", path: "/v1/status", role: "read" },
  feedback: { name: "feedback", method: "POST", path: "/v1/feedback", role: "write" },
  rollout: { name: "rollout", method: "GET", path: "/v1/rollout", role: "read" },
  setRollout: { name: "setRollout", method: "PATCH", path: "/v1/rollout", role: "admin" },
  recalls: { name: "recalls", method: "GET", path: "/v1/recalls", role: "admin" },
  compareRecalls: { name: "compareRecalls", method: "GET", path: "/v1/recalls/compare", role: "admin" },
  verify: { name: "verify", method: "GET", path: "/v1/verify", role: "read" },
  buildGraphs: { name: "buildGraphs", method: "POST", path: "/v1/build-graphs", role: "write" },
  gc: { name: "gc", method: "POST", path: "/v1/gc", role: "read" },
  warnings: { name: "warnings", method: "GET", path: "/v1/warnings", role: "read" },
  acknowledgeWarning: { name: "acknowledgeWarning", method: "POST", path: "/v1/warnings/{name}/acknowledge", role: "write" },
  doctor: { name: "doctor", method: "GET", path: "/v1/doctor", role: "admin" },
  usage: { name: "usage", method: "GET", path: "/v1/usage", role: "read" },
  enrich: { name: "enrich", method: "POST", path: "/v1/enrich", role: "admin" },
  merges: { name: "merges", method: "GET", path: "/v1/merges", role: "read" },
  merge: { name: "merge", method: "POST", path: "/v1/merges", role: "admin" },
  judgeMerges: { name: "judgeMerges", method: "POST", path: "/v1/merges/judge", role: "admin" },
  suggestMerges: { name: "suggestMerges", method: "POST", path: "/v1/merges/suggest", role: "admin" },
  unmerge: { name: "unmerge", method: "POST", path: "/v1/merges/{name}/undo", role: "admin" },
  applyMerge: { name: "applyMerge", method: "POST", path: "/v1/merges/{name}/apply", role: "admin" },
  dismissMerge: { name: "dismissMerge", method: "POST", path: "/v1/merges/{name}/dismiss", role: "admin" },
  export: { name: "export", method: "GET", path: "/v1/export", role: "admin" },
  events: { name: "events", method: "GET", path: "/v1/events", role: "read" },
  health: { name: "health", method: "GET", path: "/healthz", role: null },
  ready: { name: "ready", method: "GET", path: "/readyz", role: null },
  metrics: { name: "metrics", method: "GET", path: "/metrics", role: null },
  openApi: { name: "openApi", method: "GET", path: "/openapi.json", role: null },
} as const satisfies Record<string, Verb>;

export const REFUSALS = [
  "bug",
  "conflict",
  "corrupt",
  "forbidden",
  "invalid_input",
  "method_not_allowed",
  "not_found",
  "rate_limited",
  "timed_out",
  "too_large",
  "unauthenticated",
  "unavailable",
  "unsupported_media_type",
] as const;

export abstract class Verbs {
  protected abstract ask(verb: Verb, request: object, options?: CallOptions): Promise<unknown>;

  /** Store a text. */
  remember(request: types.RememberRequest, options?: CallOptions): Promise<types.Remembered> {
    return this.ask(VERBS.remember, request, options) as Promise<types.Remembered>;
  }

  /** Store many texts. */
  rememberMany(request: types.RememberManyRequest, options?: CallOptions): Promise<types.Remembered[]> {
    return this.ask(VERBS.rememberMany, request, options) as Promise<types.Remembered[]>;
  }

  /** Store a new version of a memory. */
  editMemory(request: types.EditMemoryRequest, options?: CallOptions): Promise<types.Remembered> {
    return this.ask(VERBS.editMemory, request, options) as Promise<types.Remembered>;
  }

  /** Permanently remove a memory. */
  eraseMemory(request: types.EraseMemoryRequest, options?: CallOptions): Promise<types.Erasure> {
    return this.ask(VERBS.eraseMemory, request, options) as Promise<types.Erasure>;
  }

  /** Show a memory in full. */
  show(request: types.ShowRequest, options?: CallOptions): Promise<types.Memory> {
    return this.ask(VERBS.show, request, options) as Promise<types.Memory>;
  }

  /** Ask a question. */
  recall(request: types.RecallRequest, options?: CallOptions): Promise<types.Recall> {
    return this.ask(VERBS.recall, request, options) as Promise<types.Recall>;
  }

  /** Ask a question and get the answer as Markdown. */
  context(request: types.ContextRequest, options?: CallOptions): Promise<types.Context> {
    return this.ask(VERBS.context, request, options) as Promise<types.Context>;
  }

  /** Ask a question and get an answer of a language model with citations. */
  answer(request: types.AnswerRequest, options?: CallOptions): Promise<types.Answered> {
    return this.ask(VERBS.answer, request, options) as Promise<types.Answered>;
  }

  /** Walk the graph from a question. */
  traverse(request: types.TraverseRequest, options?: CallOptions): Promise<types.Related[]> {
    return this.ask(VERBS.traverse, request, options) as Promise<types.Related[]>;
  }

  /** Connect two memories or entities. */
  link(request: types.LinkRequest, options?: CallOptions): Promise<types.Linked> {
    return this.ask(VERBS.link, request, options) as Promise<types.Linked>;
  }

  /** Remove edges. */
  unlink(request: types.UnlinkRequest, options?: CallOptions): Promise<types.Unlinked> {
    return this.ask(VERBS.unlink, request, options) as Promise<types.Unlinked>;
  }

  /** Hide a memory, an entity or a source, or refuse an offer. */
  forget(request: types.ForgetRequest, options?: CallOptions): Promise<types.Forgotten> {
    return this.ask(VERBS.forget, request, options) as Promise<types.Forgotten>;
  }

  /** Restore a forgotten memory, entity or source, or reopen an offer or a dismissed merge. */
  restore(request: types.RestoreRequest, options?: CallOptions): Promise<types.Forgotten> {
    return this.ask(VERBS.restore, request, options) as Promise<types.Forgotten>;
  }

  /** List offers of `remember`, likeliest first. */
  offers(request: types.OffersRequest = {}, options?: CallOptions): Promise<types.Offer[]> {
    return this.ask(VERBS.offers, request, options) as Promise<types.Offer[]>;
  }

  /** Permanently remove a source. */
  eraseSource(request: types.EraseSourceRequest, options?: CallOptions): Promise<types.Erasure> {
    return this.ask(VERBS.eraseSource, request, options) as Promise<types.Erasure>;
  }

  /** Show a source with its memories. */
  source(request: types.SourceRequest, options?: CallOptions): Promise<types.SourceContent> {
    return this.ask(VERBS.source, request, options) as Promise<types.SourceContent>;
  }

  /** Replace the tags of a source. */
  tagSource(request: types.TagSourceRequest, options?: CallOptions): Promise<types.SourceView> {
    return this.ask(VERBS.tagSource, request, options) as Promise<types.SourceView>;
  }

  /** Permanently remove an entity. */
  eraseEntity(request: types.EraseEntityRequest, options?: CallOptions): Promise<types.Erasure> {
    return this.ask(VERBS.eraseEntity, request, options) as Promise<types.Erasure>;
  }

  /** Show everything known about an entity. */
  entity(request: types.EntityRequest, options?: CallOptions): Promise<types.EntityView> {
    return this.ask(VERBS.entity, request, options) as Promise<types.EntityView>;
  }

  /** Permanently remove all data of a user. */
  eraseUser(request: types.EraseUserRequest, options?: CallOptions): Promise<types.Erasure> {
    return this.ask(VERBS.eraseUser, request, options) as Promise<types.Erasure>;
  }

  /** List receipts of erasures. */
  erasures(request: types.ErasuresRequest = {}, options?: CallOptions): Promise<types.Erasure[]> {
    return this.ask(VERBS.erasures, request, options) as Promise<types.Erasure[]>;
  }

  /** Find the causes and consequences of a memory. */
  why(request: types.WhyRequest, options?: CallOptions): Promise<types.Why> {
    return this.ask(VERBS.why, request, options) as Promise<types.Why>;
  }

  /** Find nodes connected to a memory or an entity. */
  related(request: types.RelatedRequest, options?: CallOptions): Promise<types.Related[]> {
    return this.ask(VERBS.related, request, options) as Promise<types.Related[]>;
  }

  /** Find similar memories. */
  similar(request: types.SimilarRequest, options?: CallOptions): Promise<types.Related[]> {
    return this.ask(VERBS.similar, request, options) as Promise<types.Related[]>;
  }

  /** Find the shortest path between two nodes. */
  path(request: types.PathRequest, options?: CallOptions): Promise<types.Path> {
    return this.ask(VERBS.path, request, options) as Promise<types.Path>;
  }

  /** List memories in chronological order. */
  timeline(request: types.TimelineRequest = {}, options?: CallOptions): Promise<types.Timeline> {
    return this.ask(VERBS.timeline, request, options) as Promise<types.Timeline>;
  }

  /** List memories, those stored last first. */
  memories(request: types.MemoriesRequest = {}, options?: CallOptions): Promise<types.Memory[]> {
    return this.ask(VERBS.memories, request, options) as Promise<types.Memory[]>;
  }

  /** List what language models noted of a memory, latest first. */
  notes(request: types.NotesRequest, options?: CallOptions): Promise<types.Note[]> {
    return this.ask(VERBS.notes, request, options) as Promise<types.Note[]>;
  }

  /** Undo the latest note of a memory. */
  undoNote(request: types.UndoNoteRequest, options?: CallOptions): Promise<types.Note[]> {
    return this.ask(VERBS.undoNote, request, options) as Promise<types.Note[]>;
  }

  /** Show an edge with its evidence. */
  edge(request: types.EdgeRequest, options?: CallOptions): Promise<types.Edge> {
    return this.ask(VERBS.edge, request, options) as Promise<types.Edge>;
  }

  /** List entities by name, or the best connected ones. */
  entities(request: types.EntitiesRequest = {}, options?: CallOptions): Promise<types.Hub[]> {
    return this.ask(VERBS.entities, request, options) as Promise<types.Hub[]>;
  }

  /** List the best connected entities. */
  hubs(request: types.HubsRequest = {}, options?: CallOptions): Promise<types.Hub[]> {
    return this.ask(VERBS.hubs, request, options) as Promise<types.Hub[]>;
  }

  /** Show how far the layout of the graph is. */
  graphLayout(request: types.GraphLayoutRequest = {}, options?: CallOptions): Promise<types.GraphLayout> {
    return this.ask(VERBS.graphLayout, request, options) as Promise<types.GraphLayout>;
  }

  /** Lay out the graph anew, in the background. */
  layOutGraph(request: types.LayOutGraphRequest = {}, options?: CallOptions): Promise<types.GraphLayout> {
    return this.ask(VERBS.layOutGraph, request, options) as Promise<types.GraphLayout>;
  }

  /** List facts and when they were valid. */
  facts(request: types.FactsRequest = {}, options?: CallOptions): Promise<types.Fact[]> {
    return this.ask(VERBS.facts, request, options) as Promise<types.Fact[]>;
  }

  /** Add a fact. */
  addFact(request: types.AddFactRequest, options?: CallOptions): Promise<types.Fact> {
    return this.ask(VERBS.addFact, request, options) as Promise<types.Fact>;
  }

  /** Set the end of a fact, or open it again. */
  endFact(request: types.EndFactRequest, options?: CallOptions): Promise<types.Fact> {
    return this.ask(VERBS.endFact, request, options) as Promise<types.Fact>;
  }

  /** List facts that contradict each other. */
  conflicts(request: types.ConflictsRequest = {}, options?: CallOptions): Promise<types.FactConflict[]> {
    return this.ask(VERBS.conflicts, request, options) as Promise<types.FactConflict[]>;
  }

  /** Store a document. */
  ingest(request: types.IngestRequest = {}, options?: CallOptions): Promise<types.Ingested> {
    return this.ask(VERBS.ingest, request, options) as Promise<types.Ingested>;
  }

  /** List the sources of memories. */
  sources(request: types.SourcesRequest = {}, options?: CallOptions): Promise<types.SourceView[]> {
    return this.ask(VERBS.sources, request, options) as Promise<types.SourceView[]>;
  }

  /** Show the entities and relations of a source. */
  sourceGraph(request: types.SourceGraphRequest, options?: CallOptions): Promise<types.SourceGraph> {
    return this.ask(VERBS.sourceGraph, request, options) as Promise<types.SourceGraph>;
  }

  /** Read a source again. */
  refreshSource(request: types.RefreshSourceRequest, options?: CallOptions): Promise<types.Job> {
    return this.ask(VERBS.refreshSource, request, options) as Promise<types.Job>;
  }

  /** Crawl a page or a site, as a job. */
  crawl(request: types.CrawlRequest, options?: CallOptions): Promise<types.Job> {
    return this.ask(VERBS.crawl, request, options) as Promise<types.Job>;
  }

  /** List jobs, latest first. */
  jobs(request: types.JobsRequest = {}, options?: CallOptions): Promise<types.Job[]> {
    return this.ask(VERBS.jobs, request, options) as Promise<types.Job[]>;
  }

  /** Show the progress of a job. */
  job(request: types.JobRequest, options?: CallOptions): Promise<types.Job> {
    return this.ask(VERBS.job, request, options) as Promise<types.Job>;
  }

  /** Pause a job. */
  pauseJob(request: types.PauseJobRequest, options?: CallOptions): Promise<types.Job> {
    return this.ask(VERBS.pauseJob, request, options) as Promise<types.Job>;
  }

  /** Resume a job. */
  resumeJob(request: types.ResumeJobRequest, options?: CallOptions): Promise<types.Job> {
    return this.ask(VERBS.resumeJob, request, options) as Promise<types.Job>;
  }

  /** Cancel a job. */
  cancelJob(request: types.CancelJobRequest, options?: CallOptions): Promise<types.Job> {
    return this.ask(VERBS.cancelJob, request, options) as Promise<types.Job>;
  }

  /** Resume a job and retry its failures. */
  retryJob(request: types.RetryJobRequest, options?: CallOptions): Promise<types.Job> {
    return this.ask(VERBS.retryJob, request, options) as Promise<types.Job>;
  }

  /** Show the contents of the workspace. */
  status(request: types.StatusRequest = {}, options?: CallOptions): Promise<types.Status> {
    return this.ask(VERBS.status, request, options) as Promise<types.Status>;
  }

  /** Rate an answer. */
  feedback(request: types.FeedbackRequest, options?: CallOptions): Promise<types.Feedback> {
    return this.ask(VERBS.feedback, request, options) as Promise<types.Feedback>;
  }

  /** Show the rollout state of the graph. */
  rollout(request: types.RolloutRequest = {}, options?: CallOptions): Promise<types.Rollout> {
    return this.ask(VERBS.rollout, request, options) as Promise<types.Rollout>;
  }

  /** Set the rollout mode of the graph. */
  setRollout(request: types.SetRolloutRequest, options?: CallOptions): Promise<types.Rollout> {
    return this.ask(VERBS.setRollout, request, options) as Promise<types.Rollout>;
  }

  /** List logged recalls, latest first. */
  recalls(request: types.RecallsRequest = {}, options?: CallOptions): Promise<types.RecallLog> {
    return this.ask(VERBS.recalls, request, options) as Promise<types.RecallLog>;
  }

  /** Ask the last logged questions again, with and without the graph. */
  compareRecalls(request: types.CompareRecallsRequest = {}, options?: CallOptions): Promise<types.ComparedRecalls> {
    return this.ask(VERBS.compareRecalls, request, options) as Promise<types.ComparedRecalls>;
  }

  /** Check causal edges for contradictions. */
  verify(request: types.VerifyRequest = {}, options?: CallOptions): Promise<types.Verified> {
    return this.ask(VERBS.verify, request, options) as Promise<types.Verified>;
  }

  /** Connect similar and consecutive memories. */
  buildGraphs(request: types.BuildGraphsRequest = {}, options?: CallOptions): Promise<types.BuiltGraphs> {
    return this.ask(VERBS.buildGraphs, request, options) as Promise<types.BuiltGraphs>;
  }

  /** List memories of low importance; nothing is deleted. */
  gc(request: types.GcRequest = {}, options?: CallOptions): Promise<types.GcCandidate[]> {
    return this.ask(VERBS.gc, request, options) as Promise<types.GcCandidate[]>;
  }

  /** List warnings that still apply. */
  warnings(request: types.WarningsRequest = {}, options?: CallOptions): Promise<types.Verified> {
    return this.ask(VERBS.warnings, request, options) as Promise<types.Verified>;
  }

  /** Acknowledge a warning, or take that back. */
  acknowledgeWarning(request: types.AcknowledgeWarningRequest, options?: CallOptions): Promise<types.Warning> {
    return this.ask(VERBS.acknowledgeWarning, request, options) as Promise<types.Warning>;
  }

  /** Check that the workspace is sound. */
  doctor(request: types.DoctorRequest = {}, options?: CallOptions): Promise<types.Health> {
    return this.ask(VERBS.doctor, request, options) as Promise<types.Health>;
  }

  /** Show what language models were asked and what it cost. */
  usage(request: types.UsageRequest = {}, options?: CallOptions): Promise<types.Usage> {
    return this.ask(VERBS.usage, request, options) as Promise<types.Usage>;
  }

  /** Let the language model read new memories. */
  enrich(request: types.EnrichRequest = {}, options?: CallOptions): Promise<types.Enriched> {
    return this.ask(VERBS.enrich, request, options) as Promise<types.Enriched>;
  }

  /** List merges and suggested merges. */
  merges(request: types.MergesRequest = {}, options?: CallOptions): Promise<types.MergeLog> {
    return this.ask(VERBS.merges, request, options) as Promise<types.MergeLog>;
  }

  /** Merge two entities into one. */
  merge(request: types.MergeRequest, options?: CallOptions): Promise<types.Merged> {
    return this.ask(VERBS.merge, request, options) as Promise<types.Merged>;
  }

  /** Let the language model decide which entities are one. */
  judgeMerges(request: types.JudgeMergesRequest = {}, options?: CallOptions): Promise<types.JudgedMerges> {
    return this.ask(VERBS.judgeMerges, request, options) as Promise<types.JudgedMerges>;
  }

  /** Suggest merges by comparing names. */
  suggestMerges(request: types.SuggestMergesRequest = {}, options?: CallOptions): Promise<types.MergeLog> {
    return this.ask(VERBS.suggestMerges, request, options) as Promise<types.MergeLog>;
  }

  /** Undo a merge. */
  unmerge(request: types.UnmergeRequest, options?: CallOptions): Promise<types.Unmerged> {
    return this.ask(VERBS.unmerge, request, options) as Promise<types.Unmerged>;
  }

  /** Apply a suggested merge. */
  applyMerge(request: types.ApplyMergeRequest, options?: CallOptions): Promise<types.Merged> {
    return this.ask(VERBS.applyMerge, request, options) as Promise<types.Merged>;
  }

  /** Dismiss a suggestion. */
  dismissMerge(request: types.DismissMergeRequest, options?: CallOptions): Promise<types.Suggestion> {
    return this.ask(VERBS.dismissMerge, request, options) as Promise<types.Suggestion>;
  }

  /** Check that the process is alive. */
  health(options?: CallOptions): Promise<string> {
    return this.ask(VERBS.health, {}, options) as Promise<string>;
  }

  /** Check that requests can be answered. */
  ready(options?: CallOptions): Promise<string> {
    return this.ask(VERBS.ready, {}, options) as Promise<string>;
  }

  /** Metrics for Prometheus. */
  metrics(options?: CallOptions): Promise<string> {
    return this.ask(VERBS.metrics, {}, options) as Promise<string>;
  }

  /** This document. */
  openApi(options?: CallOptions): Promise<Record<string, unknown>> {
    return this.ask(VERBS.openApi, {}, options) as Promise<Record<string, unknown>>;
  }
}

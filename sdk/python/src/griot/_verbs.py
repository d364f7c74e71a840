"""One method for each verb, the same for both clients.

Made by `cargo xtask codegen` from the server's OpenAPI document; changes here are lost.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, cast

from . import types
from ._verb import Verb

REMEMBER = Verb("remember", "POST", "/v1/remember", "write")
REMEMBER_MANY = Verb("remember_many", "POST", "/v1/remember/batch", "write")
EDIT_MEMORY = Verb("edit_memory", "PATCH", "/v1/memories/{name}", "write")
ERASE_MEMORY = Verb("erase_memory", "DELETE", "/v1/memories/{name}", "admin")
SHOW = Verb("show", "GET", "/v1/memories/{name}", "read")
RECALL = Verb("recall", "POST", "/v1/recall", "read")
CONTEXT = Verb("context", "POST", "/v1/context", "read")
ANSWER = Verb("answer", "POST", "/v1/answer", "read")
TRAVERSE = Verb("traverse", "POST", "/v1/traverse", "read")
LINK = Verb("link", "POST", "/v1/link", "write")
UNLINK = Verb("unlink", "POST", "/v1/unlink", "write")
FORGET = Verb("forget", "POST", "/v1/forget", "write")
RESTORE = Verb("restore", "POST", "/v1/restore", "write")
OFFERS = Verb("offers", "GET", "/v1/offers", "read")
ERASE_SOURCE = Verb("erase_source", "DELETE", "/v1/sources/{name}", "admin")
SOURCE = Verb("source", "GET", "/v1/sources/{name}", "read")
TAG_SOURCE = Verb("tag_source", "PATCH", "/v1/sources/{name}", "write")
ERASE_ENTITY = Verb("erase_entity", "DELETE", "/v1/entities/{name}", "admin")
ENTITY = Verb("entity", "GET", "/v1/entities/{name}", "read")
ERASE_USER = Verb("erase_user", "DELETE", "/v1/users/{name}", "admin")
ERASURES = Verb("erasures", "GET", "/v1/erasures", "admin")
WHY = Verb("why", "POST", "/v1/why", "read")
RELATED = Verb("related", "POST", "/v1/related", "read")
SIMILAR = Verb("similar", "POST", "/v1/similar", "read")
PATH = Verb("path", "POST", "/v1/path", "read")
TIMELINE = Verb("timeline", "POST", "/v1/timeline", "read")
MEMORIES = Verb("memories", "GET", "/v1/memories", "read")
NOTES = Verb("notes", "GET", "/v1/memories/{name}/notes", "read")
UNDO_NOTE = Verb("undo_note", "POST", "/v1/memories/{name}/notes/undo", "write")
EDGE = Verb("edge", "GET", "/v1/edges/{name}", "read")
ENTITIES = Verb("entities", "GET", "/v1/entities", "read")
HUBS = Verb("hubs", "POST", "/v1/hubs", "read")
GRAPH_LAYOUT = Verb("graph_layout", "GET", "/v1/graph/layout", "read")
LAY_OUT_GRAPH = Verb("lay_out_graph", "POST", "/v1/graph/layout", "write")
FACTS = Verb("facts", "GET", "/v1/facts", "read")
ADD_FACT = Verb("add_fact", "POST", "/v1/facts", "write")
END_FACT = Verb("end_fact", "PATCH", "/v1/facts/{name}", "write")
CONFLICTS = Verb("conflicts", "GET", "/v1/conflicts", "read")
INGEST = Verb("ingest", "POST", "/v1/ingest", "write")
SOURCES = Verb("sources", "GET", "/v1/sources", "read")
SOURCE_GRAPH = Verb("source_graph", "GET", "/v1/sources/{name}/graph", "read")
REFRESH_SOURCE = Verb("refresh_source", "POST", "/v1/sources/{name}/refresh", "write")
CRAWL = Verb("crawl", "POST", "/v1/crawl", "write")
JOBS = Verb("jobs", "GET", "/v1/jobs", "read")
JOB = Verb("job", "GET", "/v1/jobs/{name}", "read")
PAUSE_JOB = Verb("pause_job", "POST", "/v1/jobs/{name}/pause", "write")
RESUME_JOB = Verb("resume_job", "POST", "/v1/jobs/{name}/resume", "write")
CANCEL_JOB = Verb("cancel_job", "POST", "/v1/jobs/{name}/cancel", "write")
RETRY_JOB = Verb("retry_job", "POST", "/v1/jobs/{name}/retry", "write")
STATUS = Verb("status", "GET", "/v1/status", "read")
FEEDBACK = Verb("feedback", "POST", "/v1/feedback", "write")
ROLLOUT = Verb("rollout", "GET", "/v1/rollout", "read")
SET_ROLLOUT = Verb("set_rollout", "PATCH", "/v1/rollout", "admin")
RECALLS = Verb("recalls", "GET", "/v1/recalls", "admin")
COMPARE_RECALLS = Verb("compare_recalls", "GET", "/v1/recalls/compare", "admin")
VERIFY = Verb("verify", "GET", "/v1/verify", "read")
BUILD_GRAPHS = Verb("build_graphs", "POST", "/v1/build-graphs", "write")
GC = Verb("gc", "POST", "/v1/gc", "read")
WARNINGS = Verb("warnings", "GET", "/v1/warnings", "read")
ACKNOWLEDGE_WARNING = Verb("acknowledge_warning", "POST", "/v1/warnings/{name}/acknowledge", "write")
DOCTOR = Verb("doctor", "GET", "/v1/doctor", "admin")
USAGE = Verb("usage", "GET", "/v1/usage", "read")
ENRICH = Verb("enrich", "POST", "/v1/enrich", "admin")
MERGES = Verb("merges", "GET", "/v1/merges", "read")
MERGE = Verb("merge", "POST", "/v1/merges", "admin")
JUDGE_MERGES = Verb("judge_merges", "POST", "/v1/merges/judge", "admin")
SUGGEST_MERGES = Verb("suggest_merges", "POST", "/v1/merges/suggest", "admin")
UNMERGE = Verb("unmerge", "POST", "/v1/merges/{name}/undo", "admin")
APPLY_MERGE = Verb("apply_merge", "POST", "/v1/merges/{name}/apply", "admin")
DISMISS_MERGE = Verb("dismiss_merge", "POST", "/v1/merges/{name}/dismiss", "admin")
EXPORT = Verb("export", "GET", "/v1/export", "admin")
EVENTS = Verb("events", "GET", "/v1/events", "read")
HEALTH = Verb("health", "GET", "/healthz", None)
READY = Verb("ready", "GET", "/readyz", None)
METRICS = Verb("metrics", "GET", "/metrics", None)
OPEN_API = Verb("open_api", "GET", "/openapi.json", None)

VERBS = (
    REMEMBER,
    REMEMBER_MANY,
    EDIT_MEMORY,
    ERASE_MEMORY,
    SHOW,
    RECALL,
    CONTEXT,
    ANSWER,
    TRAVERSE,
    LINK,
    UNLINK,
    FORGET,
    RESTORE,
    OFFERS,
    ERASE_SOURCE,
    SOURCE,
    TAG_SOURCE,
    ERASE_ENTITY,
    ENTITY,
    ERASE_USER,
    ERASURES,
    WHY,
    RELATED,
    SIMILAR,
    PATH,
    TIMELINE,
    MEMORIES,
    NOTES,
    UNDO_NOTE,
    EDGE,
    ENTITIES,
    HUBS,
    GRAPH_LAYOUT,
    LAY_OUT_GRAPH,
    FACTS,
    ADD_FACT,
    END_FACT,
    CONFLICTS,
    INGEST,
    SOURCES,
    SOURCE_GRAPH,
    REFRESH_SOURCE,
    CRAWL,
    JOBS,
    JOB,
    PAUSE_JOB,
    RESUME_JOB,
    CANCEL_JOB,
    RETRY_JOB,
    STATUS,
    FEEDBACK,
    ROLLOUT,
    SET_ROLLOUT,
    RECALLS,
    COMPARE_RECALLS,
    VERIFY,
    BUILD_GRAPHS,
    GC,
    WARNINGS,
    ACKNOWLEDGE_WARNING,
    DOCTOR,
    USAGE,
    ENRICH,
    MERGES,
    MERGE,
    JUDGE_MERGES,
    SUGGEST_MERGES,
    UNMERGE,
    APPLY_MERGE,
    DISMISS_MERGE,
    EXPORT,
    EVENTS,
    HEALTH,
    READY,
    METRICS,
    OPEN_API,
)

REFUSALS = (
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
)


class Verbs(ABC):
    """What a workspace answers."""

    @abstractmethod
    def _ask(
        self, verb: Verb, arguments: Mapping[str, Any], timeout: float | None
    ) -> Any: ...

    def remember(
        self,
        text: str,
        *,
        kind: str | None = None,
        new_kind: bool | None = None,
        tags: Sequence[str] | None = None,
        tier: str | None = None,
        expires_at: str | None = None,
        importance: int | None = None,
        agent: str | None = None,
        session: str | None = None,
        speaker: str | None = None,
        occurred_at: str | None = None,
        entities: Sequence[types.EntityDraft] | None = None,
        heading: Sequence[str] | None = None,
        lines: types.Span | None = None,
        ordinal: int | None = None,
        supersedes: str | None = None,
        source: str | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Remembered:
        """Store a text.

        text: The text to store, verbatim.
        kind: `insight` (default), `decision`, `fact`, `preference`, `event`, `observation`, `note` or your own word.
        new_kind: Keep a kind that looks like a mistyped one.
        tags: Tags.
        tier: `long_term` (default), `rule` (a standing rule, returned with every answer in its scope) or `working` (expires automatically).
        expires_at: When it expires: a date, RFC 3339, or a duration such as `8h` or `30d`. Default: never; for a `working` memory, the setting `remember.working_hours`.
        importance: 1 (trivial) to 5 (vital); default 3.
        agent: The agent that stores it.
        session: The session it belongs to.
        speaker: Who said it.
        occurred_at: When it happened: RFC 3339, a date, or words such as `yesterday`; default now.
        entities: Entities that the rules may miss: `"Redis"`, `"Redis:tool"` or `{"name": "Redis", "type": "tool"}`.
        heading: Headings above it, outermost first.
        lines: First and last line in the source.
        ordinal: Position in its source and session; default after the last.
        supersedes: Id or handle of the memory that this memory replaces.
        source: Name of its source; default the agent.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "text": text,
            "kind": kind,
            "new_kind": new_kind,
            "tags": tags,
            "tier": tier,
            "expires_at": expires_at,
            "importance": importance,
            "agent": agent,
            "session": session,
            "speaker": speaker,
            "occurred_at": occurred_at,
            "entities": entities,
            "heading": heading,
            "lines": lines,
            "ordinal": ordinal,
            "supersedes": supersedes,
            "source": source,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Remembered", self._ask(REMEMBER, arguments, timeout))

    def remember_many(
        self,
        memories: Sequence[types.Draft],
        *,
        new_kind: bool | None = None,
        source: str | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.Remembered]:
        """Store many texts.

        memories: The texts. `user` and `project` of a text apply if the request names none.
        new_kind: Keep kinds that look like mistyped ones.
        source: Name of their source; default the first agent named.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "memories": memories,
            "new_kind": new_kind,
            "source": source,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.Remembered]", self._ask(REMEMBER_MANY, arguments, timeout))

    def edit_memory(
        self,
        name: str,
        text: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Remembered:
        """Store a new version of a memory.

        name: Id or handle of the memory.
        text: The new text.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "text": text,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Remembered", self._ask(EDIT_MEMORY, arguments, timeout))

    def erase_memory(
        self,
        name: str,
        *,
        dry_run: bool | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Erasure:
        """Permanently remove a memory.

        name: A memory by its id or handle, a source by its id or origin, an entity by its id or name, or the name of a user.
        dry_run: Only report what would be removed.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "dry_run": dry_run,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Erasure", self._ask(ERASE_MEMORY, arguments, timeout))

    def show(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Memory:
        """Show a memory in full.

        name: Id, handle (`#a1b2c3`), canonical id (`tool:redis`), source id (`s4`), id of an offer (`o12`) or name.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Memory", self._ask(SHOW, arguments, timeout))

    def recall(
        self,
        query: str,
        *,
        limit: int | None = None,
        budget: int | None = None,
        kinds: Sequence[str] | None = None,
        tags: Sequence[str] | None = None,
        tiers: Sequence[str] | None = None,
        no_rules: bool | None = None,
        sources: Sequence[str] | None = None,
        agent: str | None = None,
        session: str | None = None,
        since: str | None = None,
        until: str | None = None,
        at: str | None = None,
        as_of: str | None = None,
        intent: str | None = None,
        now: str | None = None,
        superseded: bool | None = None,
        trusted: bool | None = None,
        no_floor: bool | None = None,
        graph: bool | None = None,
        no_graph: bool | None = None,
        strategy: str | None = None,
        effort: str | None = None,
        rejected: bool | None = None,
        feedback: Sequence[types.FeedbackGiven] | None = None,
        min_confidence: float | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Recall:
        """Ask a question.

        query: The question, or keywords.
        limit: Maximum number of results.
        budget: Limit results by tokens (about 4 characters each).
        kinds: Only memories of one of these kinds.
        tags: Only memories with all of these tags.
        tiers: Only memories of these tiers: `long_term`, `working`, `rule`; default all except rules, which are returned separately from the results.
        no_rules: Omit rules from the answer.
        sources: Only memories from one of these sources: `s4`, or an origin.
        agent: Only memories of this agent. Settings specific to this agent apply unless `scope.agentId` names another.
        session: Only memories of this session.
        since: Only events at or after this time.
        until: Only events up to the end of this time.
        at: Only events in this period: a day, a month, "last week".
        as_of: Answer with what held at this time: a day, a month, "last week".
        intent: `why`, `when`, `entity` or `general`; detected from the question by default.
        now: Resolve relative dates such as "yesterday" against this time.
        superseded: Include superseded memories.
        trusted: Exclude content from the web, which is untrusted.
        no_floor: Return the best candidates even if none is relevant.
        graph: Same as the strategy `hybrid_graph`: use the graph if the workspace leaves the choice to the request.
        no_graph: Use only words, vectors and time; do not walk the graph.
        strategy: Use the graph (`hybrid_graph`) or not (`baseline`); the workspace's mode decides by default.
        effort: How many candidates to consider and how far to walk the graph: `low`, `normal` or `high`.
        rejected: List candidates that were left out, and why.
        feedback: Feedback on earlier answers; needs the role `write`.
        min_confidence: Ignore edges below this confidence, 0 to 1.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "query": query,
            "limit": limit,
            "budget": budget,
            "kinds": kinds,
            "tags": tags,
            "tiers": tiers,
            "no_rules": no_rules,
            "sources": sources,
            "agent": agent,
            "session": session,
            "since": since,
            "until": until,
            "at": at,
            "as_of": as_of,
            "intent": intent,
            "now": now,
            "superseded": superseded,
            "trusted": trusted,
            "no_floor": no_floor,
            "graph": graph,
            "no_graph": no_graph,
            "strategy": strategy,
            "effort": effort,
            "rejected": rejected,
            "feedback": feedback,
            "min_confidence": min_confidence,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Recall", self._ask(RECALL, arguments, timeout))

    def context(
        self,
        query: str,
        *,
        limit: int | None = None,
        budget: int | None = None,
        kinds: Sequence[str] | None = None,
        tags: Sequence[str] | None = None,
        tiers: Sequence[str] | None = None,
        no_rules: bool | None = None,
        sources: Sequence[str] | None = None,
        agent: str | None = None,
        session: str | None = None,
        since: str | None = None,
        until: str | None = None,
        at: str | None = None,
        as_of: str | None = None,
        intent: str | None = None,
        now: str | None = None,
        superseded: bool | None = None,
        trusted: bool | None = None,
        no_floor: bool | None = None,
        graph: bool | None = None,
        no_graph: bool | None = None,
        strategy: str | None = None,
        effort: str | None = None,
        rejected: bool | None = None,
        feedback: Sequence[types.FeedbackGiven] | None = None,
        min_confidence: float | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Context:
        """Ask a question and get the answer as Markdown.

        query: The question, or keywords.
        limit: Maximum number of results.
        budget: Limit results by tokens (about 4 characters each).
        kinds: Only memories of one of these kinds.
        tags: Only memories with all of these tags.
        tiers: Only memories of these tiers: `long_term`, `working`, `rule`; default all except rules, which are returned separately from the results.
        no_rules: Omit rules from the answer.
        sources: Only memories from one of these sources: `s4`, or an origin.
        agent: Only memories of this agent. Settings specific to this agent apply unless `scope.agentId` names another.
        session: Only memories of this session.
        since: Only events at or after this time.
        until: Only events up to the end of this time.
        at: Only events in this period: a day, a month, "last week".
        as_of: Answer with what held at this time: a day, a month, "last week".
        intent: `why`, `when`, `entity` or `general`; detected from the question by default.
        now: Resolve relative dates such as "yesterday" against this time.
        superseded: Include superseded memories.
        trusted: Exclude content from the web, which is untrusted.
        no_floor: Return the best candidates even if none is relevant.
        graph: Same as the strategy `hybrid_graph`: use the graph if the workspace leaves the choice to the request.
        no_graph: Use only words, vectors and time; do not walk the graph.
        strategy: Use the graph (`hybrid_graph`) or not (`baseline`); the workspace's mode decides by default.
        effort: How many candidates to consider and how far to walk the graph: `low`, `normal` or `high`.
        rejected: List candidates that were left out, and why.
        feedback: Feedback on earlier answers; needs the role `write`.
        min_confidence: Ignore edges below this confidence, 0 to 1.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "query": query,
            "limit": limit,
            "budget": budget,
            "kinds": kinds,
            "tags": tags,
            "tiers": tiers,
            "no_rules": no_rules,
            "sources": sources,
            "agent": agent,
            "session": session,
            "since": since,
            "until": until,
            "at": at,
            "as_of": as_of,
            "intent": intent,
            "now": now,
            "superseded": superseded,
            "trusted": trusted,
            "no_floor": no_floor,
            "graph": graph,
            "no_graph": no_graph,
            "strategy": strategy,
            "effort": effort,
            "rejected": rejected,
            "feedback": feedback,
            "min_confidence": min_confidence,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Context", self._ask(CONTEXT, arguments, timeout))

    def answer(
        self,
        query: str,
        *,
        limit: int | None = None,
        budget: int | None = None,
        kinds: Sequence[str] | None = None,
        tags: Sequence[str] | None = None,
        tiers: Sequence[str] | None = None,
        no_rules: bool | None = None,
        sources: Sequence[str] | None = None,
        agent: str | None = None,
        session: str | None = None,
        since: str | None = None,
        until: str | None = None,
        at: str | None = None,
        as_of: str | None = None,
        intent: str | None = None,
        now: str | None = None,
        superseded: bool | None = None,
        trusted: bool | None = None,
        no_floor: bool | None = None,
        graph: bool | None = None,
        no_graph: bool | None = None,
        strategy: str | None = None,
        effort: str | None = None,
        rejected: bool | None = None,
        feedback: Sequence[types.FeedbackGiven] | None = None,
        min_confidence: float | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Answered:
        """Ask a question and get an answer of a language model with citations.

        query: The question, or keywords.
        limit: Maximum number of results.
        budget: Limit results by tokens (about 4 characters each).
        kinds: Only memories of one of these kinds.
        tags: Only memories with all of these tags.
        tiers: Only memories of these tiers: `long_term`, `working`, `rule`; default all except rules, which are returned separately from the results.
        no_rules: Omit rules from the answer.
        sources: Only memories from one of these sources: `s4`, or an origin.
        agent: Only memories of this agent. Settings specific to this agent apply unless `scope.agentId` names another.
        session: Only memories of this session.
        since: Only events at or after this time.
        until: Only events up to the end of this time.
        at: Only events in this period: a day, a month, "last week".
        as_of: Answer with what held at this time: a day, a month, "last week".
        intent: `why`, `when`, `entity` or `general`; detected from the question by default.
        now: Resolve relative dates such as "yesterday" against this time.
        superseded: Include superseded memories.
        trusted: Exclude content from the web, which is untrusted.
        no_floor: Return the best candidates even if none is relevant.
        graph: Same as the strategy `hybrid_graph`: use the graph if the workspace leaves the choice to the request.
        no_graph: Use only words, vectors and time; do not walk the graph.
        strategy: Use the graph (`hybrid_graph`) or not (`baseline`); the workspace's mode decides by default.
        effort: How many candidates to consider and how far to walk the graph: `low`, `normal` or `high`.
        rejected: List candidates that were left out, and why.
        feedback: Feedback on earlier answers; needs the role `write`.
        min_confidence: Ignore edges below this confidence, 0 to 1.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "query": query,
            "limit": limit,
            "budget": budget,
            "kinds": kinds,
            "tags": tags,
            "tiers": tiers,
            "no_rules": no_rules,
            "sources": sources,
            "agent": agent,
            "session": session,
            "since": since,
            "until": until,
            "at": at,
            "as_of": as_of,
            "intent": intent,
            "now": now,
            "superseded": superseded,
            "trusted": trusted,
            "no_floor": no_floor,
            "graph": graph,
            "no_graph": no_graph,
            "strategy": strategy,
            "effort": effort,
            "rejected": rejected,
            "feedback": feedback,
            "min_confidence": min_confidence,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Answered", self._ask(ANSWER, arguments, timeout))

    def traverse(
        self,
        query: str,
        *,
        width: int | None = None,
        budget: int | None = None,
        depth: int | None = None,
        layers: Sequence[str] | None = None,
        intent: str | None = None,
        min_confidence: float | None = None,
        now: str | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.Related]:
        """Walk the graph from a question.

        query: The question or keywords to start from.
        width: Maximum number of nodes to expand at each step; default 10.
        budget: Maximum number of nodes to visit in total; default 500.
        depth: Maximum number of steps, 1 to 10; default 4.
        layers: Only nodes of these layers: `code`, `execution`, `knowledge`, `project`. Paths may pass through other layers.
        intent: `why`, `when`, `entity` or `general`; detected from the question by default.
        min_confidence: Ignore edges below this confidence, 0 to 1.
        now: Answer as of this time: a date, RFC 3339 or words such as `last month`; default now.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "query": query,
            "width": width,
            "budget": budget,
            "depth": depth,
            "layers": layers,
            "intent": intent,
            "min_confidence": min_confidence,
            "now": now,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.Related]", self._ask(TRAVERSE, arguments, timeout))

    def link(
        self,
        source: str,
        target: str,
        *,
        kind: str | None = None,
        label: str | None = None,
        weight: float | None = None,
        reason: str | None = None,
        provenance: str | None = None,
        confidence: float | None = None,
        expires_at: str | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Linked:
        """Connect two memories or entities.

        source: Start: id, handle, canonical id (`tool:redis`) or name.
        target: End: id, handle, canonical id or name.
        kind: Kind of the edge: `semantic` (default), `causal`, `relation`, `supporting`, `contradicts`, `supersedes`, `explains`, …
        label: Label of a relation (`uses`), or sub-type of a causal edge (`causes`, `enables`, `prevents`).
        weight: Weight, 0 to 1; default 1.
        reason: The reason.
        provenance: Origin of the edge: `user` (default), `static`, `import`, `llm`, `embedding` or `rule`.
        confidence: Confidence, 0 to 1. The default depends on the origin: 1 for `user`, `static` and `import`, 0.8 for `embedding` (between two memories, their cosine), 0.7 for `rule`, 0.6 for `llm`.
        expires_at: When the edge expires: a future time, or a duration such as `30d`, `12h` or `2w`.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "source": source,
            "target": target,
            "kind": kind,
            "label": label,
            "weight": weight,
            "reason": reason,
            "provenance": provenance,
            "confidence": confidence,
            "expires_at": expires_at,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Linked", self._ask(LINK, arguments, timeout))

    def unlink(
        self,
        source: str,
        target: str,
        *,
        kind: str | None = None,
        label: str | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Unlinked:
        """Remove edges.

        source: Start: a memory or an entity.
        target: End: a memory or an entity.
        kind: Only edges of this kind.
        label: Only edges with this label or sub-type.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "source": source,
            "target": target,
            "kind": kind,
            "label": label,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Unlinked", self._ask(UNLINK, arguments, timeout))

    def forget(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Forgotten:
        """Hide a memory, an entity or a source, or refuse an offer.

        name: Id, handle (`#a1b2c3`), canonical id (`tool:redis`), source id (`s4`), id of an offer (`o12`) or name.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Forgotten", self._ask(FORGET, arguments, timeout))

    def restore(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Forgotten:
        """Restore a forgotten memory, entity or source, or reopen an offer or a dismissed merge.

        name: Id, handle (`#a1b2c3`), canonical id (`tool:redis`), source id (`s4`), id of an offer (`o12`) or name.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Forgotten", self._ask(RESTORE, arguments, timeout))

    def offers(
        self,
        *,
        memory: str | None = None,
        all: bool | None = None,
        limit: int | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.Offer]:
        """List offers of `remember`, likeliest first.

        memory: Only offers about this memory, or the offer with this id.
        all: Include taken and refused ones.
        limit: The most offers; default 20.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "memory": memory,
            "all": all,
            "limit": limit,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.Offer]", self._ask(OFFERS, arguments, timeout))

    def erase_source(
        self,
        name: str,
        *,
        dry_run: bool | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Erasure:
        """Permanently remove a source.

        name: A memory by its id or handle, a source by its id or origin, an entity by its id or name, or the name of a user.
        dry_run: Only report what would be removed.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "dry_run": dry_run,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Erasure", self._ask(ERASE_SOURCE, arguments, timeout))

    def source(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.SourceContent:
        """Show a source with its memories.

        name: Id, handle (`#a1b2c3`), canonical id (`tool:redis`), source id (`s4`), id of an offer (`o12`) or name.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.SourceContent", self._ask(SOURCE, arguments, timeout))

    def tag_source(
        self,
        name: str,
        tags: Sequence[str],
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.SourceView:
        """Replace the tags of a source.

        name: Id of a source, such as `s4`.
        tags: The new tags; they replace the old ones.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "tags": tags,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.SourceView", self._ask(TAG_SOURCE, arguments, timeout))

    def erase_entity(
        self,
        name: str,
        *,
        dry_run: bool | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Erasure:
        """Permanently remove an entity.

        name: A memory by its id or handle, a source by its id or origin, an entity by its id or name, or the name of a user.
        dry_run: Only report what would be removed.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "dry_run": dry_run,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Erasure", self._ask(ERASE_ENTITY, arguments, timeout))

    def entity(
        self,
        name: str,
        *,
        hops: int | None = None,
        limit: int | None = None,
        min_confidence: float | None = None,
        now: str | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.EntityView:
        """Show everything known about an entity.

        name: Canonical id (`tool:redis`), name or alias.
        hops: Depth of its neighbourhood in steps, 1 to 3; default 1.
        limit: Maximum number of mentions and of neighbours; default 10.
        min_confidence: Ignore edges below this confidence, 0 to 1.
        now: Answer as of this time: a date, RFC 3339 or words such as `last month`; default now.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "hops": hops,
            "limit": limit,
            "min_confidence": min_confidence,
            "now": now,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.EntityView", self._ask(ENTITY, arguments, timeout))

    def erase_user(
        self,
        name: str,
        *,
        dry_run: bool | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Erasure:
        """Permanently remove all data of a user.

        name: A memory by its id or handle, a source by its id or origin, an entity by its id or name, or the name of a user.
        dry_run: Only report what would be removed.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "dry_run": dry_run,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Erasure", self._ask(ERASE_USER, arguments, timeout))

    def erasures(
        self,
        *,
        verify: bool | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.Erasure]:
        """List receipts of erasures.

        verify: Compare each receipt with the store.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "verify": verify,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.Erasure]", self._ask(ERASURES, arguments, timeout))

    def why(
        self,
        name: str,
        *,
        direction: str | None = None,
        depth: int | None = None,
        min_confidence: float | None = None,
        now: str | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Why:
        """Find the causes and consequences of a memory.

        name: The memory or entity to start from.
        direction: `causes`, `consequences` or `both` (default).
        depth: Maximum number of steps, 1 to 10; default 5.
        min_confidence: Ignore edges below this confidence, 0 to 1.
        now: Answer as of this time: a date, RFC 3339 or words such as `last month`; default now.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "direction": direction,
            "depth": depth,
            "min_confidence": min_confidence,
            "now": now,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Why", self._ask(WHY, arguments, timeout))

    def related(
        self,
        name: str,
        *,
        depth: int | None = None,
        families: Sequence[str] | None = None,
        layers: Sequence[str] | None = None,
        limit: int | None = None,
        min_confidence: float | None = None,
        now: str | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.Related]:
        """Find nodes connected to a memory or an entity.

        name: The memory or entity to start from.
        depth: Maximum number of steps, 1 to 10; default 2.
        families: Only over edges of these families: `temporal`, `entity`, `causal`, `semantic`.
        layers: Only nodes of these layers: `code`, `execution`, `knowledge`, `project`. Paths may pass through other layers.
        limit: Maximum number of results; default 20.
        min_confidence: Ignore edges below this confidence, 0 to 1.
        now: Answer as of this time: a date, RFC 3339 or words such as `last month`; default now.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "depth": depth,
            "families": families,
            "layers": layers,
            "limit": limit,
            "min_confidence": min_confidence,
            "now": now,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.Related]", self._ask(RELATED, arguments, timeout))

    def similar(
        self,
        name: str,
        *,
        limit: int | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.Related]:
        """Find similar memories.

        name: Handle or id of a memory.
        limit: Maximum number of results; default 10.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "limit": limit,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.Related]", self._ask(SIMILAR, arguments, timeout))

    def path(
        self,
        source: str,
        target: str,
        *,
        max_hops: int | None = None,
        relations_only: bool | None = None,
        min_confidence: float | None = None,
        now: str | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Path:
        """Find the shortest path between two nodes.

        source: Start: a memory or an entity.
        target: End: a memory or an entity.
        max_hops: Maximum number of steps, 1 to 32; default 6.
        relations_only: Only over relations: both ends are entities, and no memory is in between.
        min_confidence: Ignore edges below this confidence, 0 to 1.
        now: Answer as of this time: a date, RFC 3339 or words such as `last month`; default now.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "source": source,
            "target": target,
            "max_hops": max_hops,
            "relations_only": relations_only,
            "min_confidence": min_confidence,
            "now": now,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Path", self._ask(PATH, arguments, timeout))

    def timeline(
        self,
        *,
        anchor: str | None = None,
        before: int | None = None,
        after: int | None = None,
        since: str | None = None,
        until: str | None = None,
        now: str | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Timeline:
        """List memories in chronological order.

        anchor: The memory to centre on; without one, the latest memories.
        before: Number of memories before it; default 5.
        after: Number of memories after it; without a centre, the number in total; default 5.
        since: Only events at or after this time.
        until: Only events up to the end of this time.
        now: Answer as of this time: a date, RFC 3339 or words such as `last month`; default now.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "anchor": anchor,
            "before": before,
            "after": after,
            "since": since,
            "until": until,
            "now": now,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Timeline", self._ask(TIMELINE, arguments, timeout))

    def memories(
        self,
        *,
        kinds: Sequence[str] | None = None,
        tags: Sequence[str] | None = None,
        sources: Sequence[str] | None = None,
        agent: str | None = None,
        flagged: bool | None = None,
        superseded: bool | None = None,
        forgotten: bool | None = None,
        since: str | None = None,
        limit: int | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.Memory]:
        """List memories, those stored last first.

        kinds: Only memories of one of these kinds.
        tags: Only memories with all of these tags.
        sources: Only memories from these sources: `s4`, an origin, `memory`, `manual` or `crawl`.
        agent: Only memories of this agent.
        flagged: Only memories that seem to contain a key, a password, or instructions to a language model.
        superseded: Only memories that another one replaced; without it, those are left out.
        forgotten: Only memories that were forgotten; `restore` brings them back by their handle.
        since: Only memories stored at or after this time.
        limit: Maximum number of results; default 20.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "kinds": kinds,
            "tags": tags,
            "sources": sources,
            "agent": agent,
            "flagged": flagged,
            "superseded": superseded,
            "forgotten": forgotten,
            "since": since,
            "limit": limit,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.Memory]", self._ask(MEMORIES, arguments, timeout))

    def notes(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.Note]:
        """List what language models noted of a memory, latest first.

        name: Id, handle (`#a1b2c3`), canonical id (`tool:redis`), source id (`s4`), id of an offer (`o12`) or name.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.Note]", self._ask(NOTES, arguments, timeout))

    def undo_note(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.Note]:
        """Undo the latest note of a memory.

        name: Id, handle (`#a1b2c3`), canonical id (`tool:redis`), source id (`s4`), id of an offer (`o12`) or name.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.Note]", self._ask(UNDO_NOTE, arguments, timeout))

    def edge(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Edge:
        """Show an edge with its evidence.

        name: Id, handle (`#a1b2c3`), canonical id (`tool:redis`), source id (`s4`), id of an offer (`o12`) or name.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Edge", self._ask(EDGE, arguments, timeout))

    def entities(
        self,
        *,
        search: str | None = None,
        type: str | None = None,
        layer: str | None = None,
        limit: int | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.Hub]:
        """List entities by name, or the best connected ones.

        search: Part of a name.
        type: Only of this type, such as `tool`.
        layer: Only of this layer: `code`, `execution`, `knowledge` or `project`.
        limit: Maximum number of results; default 20.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "search": search,
            "type": type,
            "layer": layer,
            "limit": limit,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.Hub]", self._ask(ENTITIES, arguments, timeout))

    def hubs(
        self,
        *,
        type: str | None = None,
        layers: Sequence[str] | None = None,
        limit: int | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.Hub]:
        """List the best connected entities.

        type: Only of this type, such as `tool`.
        layers: Only of these layers: `code`, `execution`, `knowledge`, `project`.
        limit: Maximum number of results; default 10.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "type": type,
            "layers": layers,
            "limit": limit,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.Hub]", self._ask(HUBS, arguments, timeout))

    def graph_layout(
        self,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.GraphLayout:
        """Show how far the layout of the graph is.

        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.GraphLayout", self._ask(GRAPH_LAYOUT, arguments, timeout))

    def lay_out_graph(
        self,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.GraphLayout:
        """Lay out the graph anew, in the background.

        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.GraphLayout", self._ask(LAY_OUT_GRAPH, arguments, timeout))

    def facts(
        self,
        *,
        entity: str | None = None,
        as_of: str | None = None,
        known_at: str | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.Fact]:
        """List facts and when they were valid.

        entity: Only facts about this entity.
        as_of: Facts valid at this time, as known today.
        known_at: Facts as known at this time.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "entity": entity,
            "as_of": as_of,
            "known_at": known_at,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.Fact]", self._ask(FACTS, arguments, timeout))

    def add_fact(
        self,
        subject: str,
        predicate: str,
        object: str,
        *,
        valid_from: str | None = None,
        valid_to: str | None = None,
        confidence: float | None = None,
        memory: str | None = None,
        reason: str | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Fact:
        """Add a fact.

        subject: The subject: an entity.
        predicate: `adopted`, `migrated_to`, `deployed_to`, `runs_on`, `replaced`, `depends_on`, `integrates_with`, `uses`, `prefers`, `avoids`, `caused_by`, `resolved_by` or `owned_by`.
        object: The object: an entity, or free text after `prefers` and `avoids`.
        valid_from: When it became true.
        valid_to: When it stopped being true.
        confidence: Confidence, 0 to 1; default 1.
        memory: The memory that states it.
        reason: The reason.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "subject": subject,
            "predicate": predicate,
            "object": object,
            "valid_from": valid_from,
            "valid_to": valid_to,
            "confidence": confidence,
            "memory": memory,
            "reason": reason,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Fact", self._ask(ADD_FACT, arguments, timeout))

    def end_fact(
        self,
        name: str,
        *,
        valid_to: str | None = None,
        undo: bool | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Fact:
        """Set the end of a fact, or open it again.

        name: Id of a fact, such as `f12`.
        valid_to: When it stopped being true; default now.
        undo: Open it again.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "valid_to": valid_to,
            "undo": undo,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Fact", self._ask(END_FACT, arguments, timeout))

    def conflicts(
        self,
        *,
        entity: str | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.FactConflict]:
        """List facts that contradict each other.

        entity: Only facts about this entity.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "entity": entity,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.FactConflict]", self._ask(CONFLICTS, arguments, timeout))

    def ingest(
        self,
        *,
        text: str | None = None,
        url: str | None = None,
        name: str | None = None,
        format: str | None = None,
        tags: Sequence[str] | None = None,
        metadata: dict[str, str] | None = None,
        kind: str | None = None,
        new_kind: bool | None = None,
        agent: str | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Ingested:
        """Store a document.

        text: The document.
        url: URL of a page, instead of a text.
        name: Name of the source; storing under the same name again replaces its content.
        format: `markdown`, `text`, `json`, `jsonl`, `chat` or `claude-code`; detected by default.
        tags: Tags for everything in it.
        metadata: What to note of the source, by name; shown with it, never searched.
        kind: Kind of its memories; default `passage` or `turn`.
        new_kind: Keep a kind that looks like a mistyped one.
        agent: The agent that the memories belong to; settings specific to this agent apply.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "text": text,
            "url": url,
            "name": name,
            "format": format,
            "tags": tags,
            "metadata": metadata,
            "kind": kind,
            "new_kind": new_kind,
            "agent": agent,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Ingested", self._ask(INGEST, arguments, timeout))

    def sources(
        self,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.SourceView]:
        """List the sources of memories.

        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.SourceView]", self._ask(SOURCES, arguments, timeout))

    def source_graph(
        self,
        name: str,
        *,
        limit: int | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.SourceGraph:
        """Show the entities and relations of a source.

        name: Id of a source, such as `s4`, or its origin.
        limit: Maximum number of entities and of relations; default 200.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "limit": limit,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.SourceGraph", self._ask(SOURCE_GRAPH, arguments, timeout))

    def refresh_source(
        self,
        name: str,
        *,
        prune: bool | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Job:
        """Read a source again.

        name: Id of a source, such as `s4`.
        prune: Forget the source if it no longer exists.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "prune": prune,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Job", self._ask(REFRESH_SOURCE, arguments, timeout))

    def crawl(
        self,
        url: str,
        *,
        mode: str | None = None,
        depth: int | None = None,
        max_pages: int | None = None,
        allow: Sequence[str] | None = None,
        block: Sequence[str] | None = None,
        tags: Sequence[str] | None = None,
        metadata: dict[str, str] | None = None,
        agent: str | None = None,
        prune: bool | None = None,
        every_hours: float | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Job:
        """Crawl a page or a site, as a job.

        url: The page to start from.
        mode: `single`, `sitemap` or `recursive`; default `crawl.mode`.
        depth: Maximum link depth; default `crawl.depth`.
        max_pages: Maximum number of pages; default `crawl.max_pages_per_crawl`.
        allow: Only URLs or paths that match, such as `/docs/**`; default `crawl.allow`, else the site of the start page.
        block: Skip URLs or paths that match, besides those of `crawl.block`.
        tags: Tags for the stored memories.
        metadata: What to note of each page, by name; shown with its source, never searched.
        agent: The agent that the memories belong to; settings specific to this agent apply.
        prune: Forget the memories of pages that are gone.
        every_hours: Repeat the crawl this many hours after it ends; default never.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "url": url,
            "mode": mode,
            "depth": depth,
            "max_pages": max_pages,
            "allow": allow,
            "block": block,
            "tags": tags,
            "metadata": metadata,
            "agent": agent,
            "prune": prune,
            "every_hours": every_hours,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Job", self._ask(CRAWL, arguments, timeout))

    def jobs(
        self,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.Job]:
        """List jobs, latest first.

        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.Job]", self._ask(JOBS, arguments, timeout))

    def job(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Job:
        """Show the progress of a job.

        name: Id of a job, such as `j3`.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Job", self._ask(JOB, arguments, timeout))

    def pause_job(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Job:
        """Pause a job.

        name: Id of a job, such as `j3`.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Job", self._ask(PAUSE_JOB, arguments, timeout))

    def resume_job(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Job:
        """Resume a job.

        name: Id of a job, such as `j3`.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Job", self._ask(RESUME_JOB, arguments, timeout))

    def cancel_job(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Job:
        """Cancel a job.

        name: Id of a job, such as `j3`.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Job", self._ask(CANCEL_JOB, arguments, timeout))

    def retry_job(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Job:
        """Resume a job and retry its failures.

        name: Id of a job, such as `j3`.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Job", self._ask(RETRY_JOB, arguments, timeout))

    def status(
        self,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Status:
        """Show the contents of the workspace.

        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Status", self._ask(STATUS, arguments, timeout))

    def feedback(
        self,
        good: bool,
        *,
        answer: str | None = None,
        memories: Sequence[str] | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Feedback:
        """Rate an answer.

        good: Whether they helped.
        answer: Id of an answer (`rollout.id`).
        memories: Handles or ids of its results; empty rates the whole answer. If no answer is given, each result counts for the latest answer that contains it.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "good": good,
            "answer": answer,
            "memories": memories,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Feedback", self._ask(FEEDBACK, arguments, timeout))

    def rollout(
        self,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Rollout:
        """Show the rollout state of the graph.

        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Rollout", self._ask(ROLLOUT, arguments, timeout))

    def set_rollout(
        self,
        mode: str,
        *,
        force: bool | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Rollout:
        """Set the rollout mode of the graph.

        mode: `off`, `shadow`, `canary` or `on`.
        force: Set it even if the quality gate is not open; this discards the evidence so far.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "mode": mode,
            "force": force,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Rollout", self._ask(SET_ROLLOUT, arguments, timeout))

    def recalls(
        self,
        *,
        agent: str | None = None,
        before: str | None = None,
        limit: int | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.RecallLog:
        """List logged recalls, latest first.

        agent: Only recalls of this agent.
        before: Only recalls before this time, to list further ones.
        limit: The most recalls; default 20.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "agent": agent,
            "before": before,
            "limit": limit,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.RecallLog", self._ask(RECALLS, arguments, timeout))

    def compare_recalls(
        self,
        *,
        agent: str | None = None,
        limit: int | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.ComparedRecalls:
        """Ask the last logged questions again, with and without the graph.

        agent: Only questions of this agent.
        limit: The most questions; default 20.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "agent": agent,
            "limit": limit,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.ComparedRecalls", self._ask(COMPARE_RECALLS, arguments, timeout))

    def verify(
        self,
        *,
        all: bool | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Verified:
        """Check causal edges for contradictions.

        all: Include acknowledged warnings.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "all": all,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Verified", self._ask(VERIFY, arguments, timeout))

    def build_graphs(
        self,
        *,
        graphs: Sequence[str] | None = None,
        threshold: float | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.BuiltGraphs:
        """Connect similar and consecutive memories.

        graphs: Edges to build: `semantic` (similarity), `temporal` (order in time over all sources, including documents), or `all`.
        threshold: Minimum similarity (cosine, 0 to 1) at which two memories are connected; default 0.7.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "graphs": graphs,
            "threshold": threshold,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.BuiltGraphs", self._ask(BUILD_GRAPHS, arguments, timeout))

    def gc(
        self,
        *,
        threshold: float | None = None,
        limit: int | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.GcCandidate]:
        """List memories of low importance; nothing is deleted.

        threshold: List memories whose current importance is below this value; default 0.5.
        limit: Maximum number of results; default 20.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "threshold": threshold,
            "limit": limit,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.GcCandidate]", self._ask(GC, arguments, timeout))

    def warnings(
        self,
        *,
        all: bool | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Verified:
        """List warnings that still apply.

        all: Include acknowledged warnings.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "all": all,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Verified", self._ask(WARNINGS, arguments, timeout))

    def acknowledge_warning(
        self,
        name: str,
        *,
        note: str | None = None,
        undo: bool | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Warning:
        """Acknowledge a warning, or take that back.

        name: Id of a warning, such as `w-3f2a90c1d4e5`.
        note: Why.
        undo: Take the acknowledgement back, so that the warning is reported again.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "note": note,
            "undo": undo,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Warning", self._ask(ACKNOWLEDGE_WARNING, arguments, timeout))

    def doctor(
        self,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Health:
        """Check that the workspace is sound.

        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Health", self._ask(DOCTOR, arguments, timeout))

    def usage(
        self,
        *,
        days: int | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Usage:
        """Show what language models were asked and what it cost.

        days: Number of days, today included; default 30.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "days": days,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Usage", self._ask(USAGE, arguments, timeout))

    def enrich(
        self,
        *,
        tasks: Sequence[str] | None = None,
        limit: int | None = None,
        estimate: bool | None = None,
        retry: bool | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Enriched:
        """Let the language model read new memories.

        tasks: What to read out of them: `extraction` (names and relations), `causes` (causes and replacements), `facts`, `notes` (notes and links), `sessions` (observations of conversations). Default: all that the settings `enrich.…` switch on.
        limit: The most memories of each task; over HTTP 20 unless it is given.
        estimate: Only say what it would take: requests, tokens, money.
        retry: Also ask again about memories that were refused, withheld, or answered with something that could not be read.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "tasks": tasks,
            "limit": limit,
            "estimate": estimate,
            "retry": retry,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Enriched", self._ask(ENRICH, arguments, timeout))

    def merges(
        self,
        *,
        all: bool | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.MergeLog:
        """List merges and suggested merges.

        all: Include suggestions that were dismissed.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "all": all,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.MergeLog", self._ask(MERGES, arguments, timeout))

    def merge(
        self,
        kept: str,
        merged: str,
        *,
        reason: str | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Merged:
        """Merge two entities into one.

        kept: The entity to keep.
        merged: The entity to merge into it.
        reason: Why.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "kept": kept,
            "merged": merged,
            "reason": reason,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Merged", self._ask(MERGE, arguments, timeout))

    def judge_merges(
        self,
        *,
        limit: int | None = None,
        estimate: bool | None = None,
        retry: bool | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.JudgedMerges:
        """Let the language model decide which entities are one.

        limit: The most pairs to ask about; over HTTP 20 unless it is given.
        estimate: Only say what it would take: requests, tokens, money.
        retry: Also ask again about pairs about which a model was not sure.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "limit": limit,
            "estimate": estimate,
            "retry": retry,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.JudgedMerges", self._ask(JUDGE_MERGES, arguments, timeout))

    def suggest_merges(
        self,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.MergeLog:
        """Suggest merges by comparing names.

        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.MergeLog", self._ask(SUGGEST_MERGES, arguments, timeout))

    def unmerge(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Unmerged:
        """Undo a merge.

        name: Id of a merge, such as `g12`.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Unmerged", self._ask(UNMERGE, arguments, timeout))

    def apply_merge(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Merged:
        """Apply a suggested merge.

        name: Id of a suggestion, such as `p12`.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Merged", self._ask(APPLY_MERGE, arguments, timeout))

    def dismiss_merge(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Suggestion:
        """Dismiss a suggestion.

        name: Id of a suggestion, such as `p12`.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Suggestion", self._ask(DISMISS_MERGE, arguments, timeout))


class AsyncVerbs(ABC):
    """What a workspace answers."""

    @abstractmethod
    async def _ask(
        self, verb: Verb, arguments: Mapping[str, Any], timeout: float | None
    ) -> Any: ...

    async def remember(
        self,
        text: str,
        *,
        kind: str | None = None,
        new_kind: bool | None = None,
        tags: Sequence[str] | None = None,
        tier: str | None = None,
        expires_at: str | None = None,
        importance: int | None = None,
        agent: str | None = None,
        session: str | None = None,
        speaker: str | None = None,
        occurred_at: str | None = None,
        entities: Sequence[types.EntityDraft] | None = None,
        heading: Sequence[str] | None = None,
        lines: types.Span | None = None,
        ordinal: int | None = None,
        supersedes: str | None = None,
        source: str | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Remembered:
        """Store a text.

        text: The text to store, verbatim.
        kind: `insight` (default), `decision`, `fact`, `preference`, `event`, `observation`, `note` or your own word.
        new_kind: Keep a kind that looks like a mistyped one.
        tags: Tags.
        tier: `long_term` (default), `rule` (a standing rule, returned with every answer in its scope) or `working` (expires automatically).
        expires_at: When it expires: a date, RFC 3339, or a duration such as `8h` or `30d`. Default: never; for a `working` memory, the setting `remember.working_hours`.
        importance: 1 (trivial) to 5 (vital); default 3.
        agent: The agent that stores it.
        session: The session it belongs to.
        speaker: Who said it.
        occurred_at: When it happened: RFC 3339, a date, or words such as `yesterday`; default now.
        entities: Entities that the rules may miss: `"Redis"`, `"Redis:tool"` or `{"name": "Redis", "type": "tool"}`.
        heading: Headings above it, outermost first.
        lines: First and last line in the source.
        ordinal: Position in its source and session; default after the last.
        supersedes: Id or handle of the memory that this memory replaces.
        source: Name of its source; default the agent.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "text": text,
            "kind": kind,
            "new_kind": new_kind,
            "tags": tags,
            "tier": tier,
            "expires_at": expires_at,
            "importance": importance,
            "agent": agent,
            "session": session,
            "speaker": speaker,
            "occurred_at": occurred_at,
            "entities": entities,
            "heading": heading,
            "lines": lines,
            "ordinal": ordinal,
            "supersedes": supersedes,
            "source": source,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Remembered", await self._ask(REMEMBER, arguments, timeout))

    async def remember_many(
        self,
        memories: Sequence[types.Draft],
        *,
        new_kind: bool | None = None,
        source: str | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.Remembered]:
        """Store many texts.

        memories: The texts. `user` and `project` of a text apply if the request names none.
        new_kind: Keep kinds that look like mistyped ones.
        source: Name of their source; default the first agent named.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "memories": memories,
            "new_kind": new_kind,
            "source": source,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.Remembered]", await self._ask(REMEMBER_MANY, arguments, timeout))

    async def edit_memory(
        self,
        name: str,
        text: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Remembered:
        """Store a new version of a memory.

        name: Id or handle of the memory.
        text: The new text.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "text": text,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Remembered", await self._ask(EDIT_MEMORY, arguments, timeout))

    async def erase_memory(
        self,
        name: str,
        *,
        dry_run: bool | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Erasure:
        """Permanently remove a memory.

        name: A memory by its id or handle, a source by its id or origin, an entity by its id or name, or the name of a user.
        dry_run: Only report what would be removed.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "dry_run": dry_run,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Erasure", await self._ask(ERASE_MEMORY, arguments, timeout))

    async def show(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Memory:
        """Show a memory in full.

        name: Id, handle (`#a1b2c3`), canonical id (`tool:redis`), source id (`s4`), id of an offer (`o12`) or name.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Memory", await self._ask(SHOW, arguments, timeout))

    async def recall(
        self,
        query: str,
        *,
        limit: int | None = None,
        budget: int | None = None,
        kinds: Sequence[str] | None = None,
        tags: Sequence[str] | None = None,
        tiers: Sequence[str] | None = None,
        no_rules: bool | None = None,
        sources: Sequence[str] | None = None,
        agent: str | None = None,
        session: str | None = None,
        since: str | None = None,
        until: str | None = None,
        at: str | None = None,
        as_of: str | None = None,
        intent: str | None = None,
        now: str | None = None,
        superseded: bool | None = None,
        trusted: bool | None = None,
        no_floor: bool | None = None,
        graph: bool | None = None,
        no_graph: bool | None = None,
        strategy: str | None = None,
        effort: str | None = None,
        rejected: bool | None = None,
        feedback: Sequence[types.FeedbackGiven] | None = None,
        min_confidence: float | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Recall:
        """Ask a question.

        query: The question, or keywords.
        limit: Maximum number of results.
        budget: Limit results by tokens (about 4 characters each).
        kinds: Only memories of one of these kinds.
        tags: Only memories with all of these tags.
        tiers: Only memories of these tiers: `long_term`, `working`, `rule`; default all except rules, which are returned separately from the results.
        no_rules: Omit rules from the answer.
        sources: Only memories from one of these sources: `s4`, or an origin.
        agent: Only memories of this agent. Settings specific to this agent apply unless `scope.agentId` names another.
        session: Only memories of this session.
        since: Only events at or after this time.
        until: Only events up to the end of this time.
        at: Only events in this period: a day, a month, "last week".
        as_of: Answer with what held at this time: a day, a month, "last week".
        intent: `why`, `when`, `entity` or `general`; detected from the question by default.
        now: Resolve relative dates such as "yesterday" against this time.
        superseded: Include superseded memories.
        trusted: Exclude content from the web, which is untrusted.
        no_floor: Return the best candidates even if none is relevant.
        graph: Same as the strategy `hybrid_graph`: use the graph if the workspace leaves the choice to the request.
        no_graph: Use only words, vectors and time; do not walk the graph.
        strategy: Use the graph (`hybrid_graph`) or not (`baseline`); the workspace's mode decides by default.
        effort: How many candidates to consider and how far to walk the graph: `low`, `normal` or `high`.
        rejected: List candidates that were left out, and why.
        feedback: Feedback on earlier answers; needs the role `write`.
        min_confidence: Ignore edges below this confidence, 0 to 1.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "query": query,
            "limit": limit,
            "budget": budget,
            "kinds": kinds,
            "tags": tags,
            "tiers": tiers,
            "no_rules": no_rules,
            "sources": sources,
            "agent": agent,
            "session": session,
            "since": since,
            "until": until,
            "at": at,
            "as_of": as_of,
            "intent": intent,
            "now": now,
            "superseded": superseded,
            "trusted": trusted,
            "no_floor": no_floor,
            "graph": graph,
            "no_graph": no_graph,
            "strategy": strategy,
            "effort": effort,
            "rejected": rejected,
            "feedback": feedback,
            "min_confidence": min_confidence,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Recall", await self._ask(RECALL, arguments, timeout))

    async def context(
        self,
        query: str,
        *,
        limit: int | None = None,
        budget: int | None = None,
        kinds: Sequence[str] | None = None,
        tags: Sequence[str] | None = None,
        tiers: Sequence[str] | None = None,
        no_rules: bool | None = None,
        sources: Sequence[str] | None = None,
        agent: str | None = None,
        session: str | None = None,
        since: str | None = None,
        until: str | None = None,
        at: str | None = None,
        as_of: str | None = None,
        intent: str | None = None,
        now: str | None = None,
        superseded: bool | None = None,
        trusted: bool | None = None,
        no_floor: bool | None = None,
        graph: bool | None = None,
        no_graph: bool | None = None,
        strategy: str | None = None,
        effort: str | None = None,
        rejected: bool | None = None,
        feedback: Sequence[types.FeedbackGiven] | None = None,
        min_confidence: float | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Context:
        """Ask a question and get the answer as Markdown.

        query: The question, or keywords.
        limit: Maximum number of results.
        budget: Limit results by tokens (about 4 characters each).
        kinds: Only memories of one of these kinds.
        tags: Only memories with all of these tags.
        tiers: Only memories of these tiers: `long_term`, `working`, `rule`; default all except rules, which are returned separately from the results.
        no_rules: Omit rules from the answer.
        sources: Only memories from one of these sources: `s4`, or an origin.
        agent: Only memories of this agent. Settings specific to this agent apply unless `scope.agentId` names another.
        session: Only memories of this session.
        since: Only events at or after this time.
        until: Only events up to the end of this time.
        at: Only events in this period: a day, a month, "last week".
        as_of: Answer with what held at this time: a day, a month, "last week".
        intent: `why`, `when`, `entity` or `general`; detected from the question by default.
        now: Resolve relative dates such as "yesterday" against this time.
        superseded: Include superseded memories.
        trusted: Exclude content from the web, which is untrusted.
        no_floor: Return the best candidates even if none is relevant.
        graph: Same as the strategy `hybrid_graph`: use the graph if the workspace leaves the choice to the request.
        no_graph: Use only words, vectors and time; do not walk the graph.
        strategy: Use the graph (`hybrid_graph`) or not (`baseline`); the workspace's mode decides by default.
        effort: How many candidates to consider and how far to walk the graph: `low`, `normal` or `high`.
        rejected: List candidates that were left out, and why.
        feedback: Feedback on earlier answers; needs the role `write`.
        min_confidence: Ignore edges below this confidence, 0 to 1.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "query": query,
            "limit": limit,
            "budget": budget,
            "kinds": kinds,
            "tags": tags,
            "tiers": tiers,
            "no_rules": no_rules,
            "sources": sources,
            "agent": agent,
            "session": session,
            "since": since,
            "until": until,
            "at": at,
            "as_of": as_of,
            "intent": intent,
            "now": now,
            "superseded": superseded,
            "trusted": trusted,
            "no_floor": no_floor,
            "graph": graph,
            "no_graph": no_graph,
            "strategy": strategy,
            "effort": effort,
            "rejected": rejected,
            "feedback": feedback,
            "min_confidence": min_confidence,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Context", await self._ask(CONTEXT, arguments, timeout))

    async def answer(
        self,
        query: str,
        *,
        limit: int | None = None,
        budget: int | None = None,
        kinds: Sequence[str] | None = None,
        tags: Sequence[str] | None = None,
        tiers: Sequence[str] | None = None,
        no_rules: bool | None = None,
        sources: Sequence[str] | None = None,
        agent: str | None = None,
        session: str | None = None,
        since: str | None = None,
        until: str | None = None,
        at: str | None = None,
        as_of: str | None = None,
        intent: str | None = None,
        now: str | None = None,
        superseded: bool | None = None,
        trusted: bool | None = None,
        no_floor: bool | None = None,
        graph: bool | None = None,
        no_graph: bool | None = None,
        strategy: str | None = None,
        effort: str | None = None,
        rejected: bool | None = None,
        feedback: Sequence[types.FeedbackGiven] | None = None,
        min_confidence: float | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Answered:
        """Ask a question and get an answer of a language model with citations.

        query: The question, or keywords.
        limit: Maximum number of results.
        budget: Limit results by tokens (about 4 characters each).
        kinds: Only memories of one of these kinds.
        tags: Only memories with all of these tags.
        tiers: Only memories of these tiers: `long_term`, `working`, `rule`; default all except rules, which are returned separately from the results.
        no_rules: Omit rules from the answer.
        sources: Only memories from one of these sources: `s4`, or an origin.
        agent: Only memories of this agent. Settings specific to this agent apply unless `scope.agentId` names another.
        session: Only memories of this session.
        since: Only events at or after this time.
        until: Only events up to the end of this time.
        at: Only events in this period: a day, a month, "last week".
        as_of: Answer with what held at this time: a day, a month, "last week".
        intent: `why`, `when`, `entity` or `general`; detected from the question by default.
        now: Resolve relative dates such as "yesterday" against this time.
        superseded: Include superseded memories.
        trusted: Exclude content from the web, which is untrusted.
        no_floor: Return the best candidates even if none is relevant.
        graph: Same as the strategy `hybrid_graph`: use the graph if the workspace leaves the choice to the request.
        no_graph: Use only words, vectors and time; do not walk the graph.
        strategy: Use the graph (`hybrid_graph`) or not (`baseline`); the workspace's mode decides by default.
        effort: How many candidates to consider and how far to walk the graph: `low`, `normal` or `high`.
        rejected: List candidates that were left out, and why.
        feedback: Feedback on earlier answers; needs the role `write`.
        min_confidence: Ignore edges below this confidence, 0 to 1.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "query": query,
            "limit": limit,
            "budget": budget,
            "kinds": kinds,
            "tags": tags,
            "tiers": tiers,
            "no_rules": no_rules,
            "sources": sources,
            "agent": agent,
            "session": session,
            "since": since,
            "until": until,
            "at": at,
            "as_of": as_of,
            "intent": intent,
            "now": now,
            "superseded": superseded,
            "trusted": trusted,
            "no_floor": no_floor,
            "graph": graph,
            "no_graph": no_graph,
            "strategy": strategy,
            "effort": effort,
            "rejected": rejected,
            "feedback": feedback,
            "min_confidence": min_confidence,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Answered", await self._ask(ANSWER, arguments, timeout))

    async def traverse(
        self,
        query: str,
        *,
        width: int | None = None,
        budget: int | None = None,
        depth: int | None = None,
        layers: Sequence[str] | None = None,
        intent: str | None = None,
        min_confidence: float | None = None,
        now: str | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.Related]:
        """Walk the graph from a question.

        query: The question or keywords to start from.
        width: Maximum number of nodes to expand at each step; default 10.
        budget: Maximum number of nodes to visit in total; default 500.
        depth: Maximum number of steps, 1 to 10; default 4.
        layers: Only nodes of these layers: `code`, `execution`, `knowledge`, `project`. Paths may pass through other layers.
        intent: `why`, `when`, `entity` or `general`; detected from the question by default.
        min_confidence: Ignore edges below this confidence, 0 to 1.
        now: Answer as of this time: a date, RFC 3339 or words such as `last month`; default now.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "query": query,
            "width": width,
            "budget": budget,
            "depth": depth,
            "layers": layers,
            "intent": intent,
            "min_confidence": min_confidence,
            "now": now,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.Related]", await self._ask(TRAVERSE, arguments, timeout))

    async def link(
        self,
        source: str,
        target: str,
        *,
        kind: str | None = None,
        label: str | None = None,
        weight: float | None = None,
        reason: str | None = None,
        provenance: str | None = None,
        confidence: float | None = None,
        expires_at: str | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Linked:
        """Connect two memories or entities.

        source: Start: id, handle, canonical id (`tool:redis`) or name.
        target: End: id, handle, canonical id or name.
        kind: Kind of the edge: `semantic` (default), `causal`, `relation`, `supporting`, `contradicts`, `supersedes`, `explains`, …
        label: Label of a relation (`uses`), or sub-type of a causal edge (`causes`, `enables`, `prevents`).
        weight: Weight, 0 to 1; default 1.
        reason: The reason.
        provenance: Origin of the edge: `user` (default), `static`, `import`, `llm`, `embedding` or `rule`.
        confidence: Confidence, 0 to 1. The default depends on the origin: 1 for `user`, `static` and `import`, 0.8 for `embedding` (between two memories, their cosine), 0.7 for `rule`, 0.6 for `llm`.
        expires_at: When the edge expires: a future time, or a duration such as `30d`, `12h` or `2w`.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "source": source,
            "target": target,
            "kind": kind,
            "label": label,
            "weight": weight,
            "reason": reason,
            "provenance": provenance,
            "confidence": confidence,
            "expires_at": expires_at,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Linked", await self._ask(LINK, arguments, timeout))

    async def unlink(
        self,
        source: str,
        target: str,
        *,
        kind: str | None = None,
        label: str | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Unlinked:
        """Remove edges.

        source: Start: a memory or an entity.
        target: End: a memory or an entity.
        kind: Only edges of this kind.
        label: Only edges with this label or sub-type.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "source": source,
            "target": target,
            "kind": kind,
            "label": label,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Unlinked", await self._ask(UNLINK, arguments, timeout))

    async def forget(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Forgotten:
        """Hide a memory, an entity or a source, or refuse an offer.

        name: Id, handle (`#a1b2c3`), canonical id (`tool:redis`), source id (`s4`), id of an offer (`o12`) or name.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Forgotten", await self._ask(FORGET, arguments, timeout))

    async def restore(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Forgotten:
        """Restore a forgotten memory, entity or source, or reopen an offer or a dismissed merge.

        name: Id, handle (`#a1b2c3`), canonical id (`tool:redis`), source id (`s4`), id of an offer (`o12`) or name.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Forgotten", await self._ask(RESTORE, arguments, timeout))

    async def offers(
        self,
        *,
        memory: str | None = None,
        all: bool | None = None,
        limit: int | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.Offer]:
        """List offers of `remember`, likeliest first.

        memory: Only offers about this memory, or the offer with this id.
        all: Include taken and refused ones.
        limit: The most offers; default 20.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "memory": memory,
            "all": all,
            "limit": limit,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.Offer]", await self._ask(OFFERS, arguments, timeout))

    async def erase_source(
        self,
        name: str,
        *,
        dry_run: bool | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Erasure:
        """Permanently remove a source.

        name: A memory by its id or handle, a source by its id or origin, an entity by its id or name, or the name of a user.
        dry_run: Only report what would be removed.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "dry_run": dry_run,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Erasure", await self._ask(ERASE_SOURCE, arguments, timeout))

    async def source(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.SourceContent:
        """Show a source with its memories.

        name: Id, handle (`#a1b2c3`), canonical id (`tool:redis`), source id (`s4`), id of an offer (`o12`) or name.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.SourceContent", await self._ask(SOURCE, arguments, timeout))

    async def tag_source(
        self,
        name: str,
        tags: Sequence[str],
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.SourceView:
        """Replace the tags of a source.

        name: Id of a source, such as `s4`.
        tags: The new tags; they replace the old ones.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "tags": tags,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.SourceView", await self._ask(TAG_SOURCE, arguments, timeout))

    async def erase_entity(
        self,
        name: str,
        *,
        dry_run: bool | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Erasure:
        """Permanently remove an entity.

        name: A memory by its id or handle, a source by its id or origin, an entity by its id or name, or the name of a user.
        dry_run: Only report what would be removed.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "dry_run": dry_run,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Erasure", await self._ask(ERASE_ENTITY, arguments, timeout))

    async def entity(
        self,
        name: str,
        *,
        hops: int | None = None,
        limit: int | None = None,
        min_confidence: float | None = None,
        now: str | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.EntityView:
        """Show everything known about an entity.

        name: Canonical id (`tool:redis`), name or alias.
        hops: Depth of its neighbourhood in steps, 1 to 3; default 1.
        limit: Maximum number of mentions and of neighbours; default 10.
        min_confidence: Ignore edges below this confidence, 0 to 1.
        now: Answer as of this time: a date, RFC 3339 or words such as `last month`; default now.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "hops": hops,
            "limit": limit,
            "min_confidence": min_confidence,
            "now": now,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.EntityView", await self._ask(ENTITY, arguments, timeout))

    async def erase_user(
        self,
        name: str,
        *,
        dry_run: bool | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Erasure:
        """Permanently remove all data of a user.

        name: A memory by its id or handle, a source by its id or origin, an entity by its id or name, or the name of a user.
        dry_run: Only report what would be removed.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "dry_run": dry_run,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Erasure", await self._ask(ERASE_USER, arguments, timeout))

    async def erasures(
        self,
        *,
        verify: bool | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.Erasure]:
        """List receipts of erasures.

        verify: Compare each receipt with the store.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "verify": verify,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.Erasure]", await self._ask(ERASURES, arguments, timeout))

    async def why(
        self,
        name: str,
        *,
        direction: str | None = None,
        depth: int | None = None,
        min_confidence: float | None = None,
        now: str | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Why:
        """Find the causes and consequences of a memory.

        name: The memory or entity to start from.
        direction: `causes`, `consequences` or `both` (default).
        depth: Maximum number of steps, 1 to 10; default 5.
        min_confidence: Ignore edges below this confidence, 0 to 1.
        now: Answer as of this time: a date, RFC 3339 or words such as `last month`; default now.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "direction": direction,
            "depth": depth,
            "min_confidence": min_confidence,
            "now": now,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Why", await self._ask(WHY, arguments, timeout))

    async def related(
        self,
        name: str,
        *,
        depth: int | None = None,
        families: Sequence[str] | None = None,
        layers: Sequence[str] | None = None,
        limit: int | None = None,
        min_confidence: float | None = None,
        now: str | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.Related]:
        """Find nodes connected to a memory or an entity.

        name: The memory or entity to start from.
        depth: Maximum number of steps, 1 to 10; default 2.
        families: Only over edges of these families: `temporal`, `entity`, `causal`, `semantic`.
        layers: Only nodes of these layers: `code`, `execution`, `knowledge`, `project`. Paths may pass through other layers.
        limit: Maximum number of results; default 20.
        min_confidence: Ignore edges below this confidence, 0 to 1.
        now: Answer as of this time: a date, RFC 3339 or words such as `last month`; default now.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "depth": depth,
            "families": families,
            "layers": layers,
            "limit": limit,
            "min_confidence": min_confidence,
            "now": now,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.Related]", await self._ask(RELATED, arguments, timeout))

    async def similar(
        self,
        name: str,
        *,
        limit: int | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.Related]:
        """Find similar memories.

        name: Handle or id of a memory.
        limit: Maximum number of results; default 10.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "limit": limit,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.Related]", await self._ask(SIMILAR, arguments, timeout))

    async def path(
        self,
        source: str,
        target: str,
        *,
        max_hops: int | None = None,
        relations_only: bool | None = None,
        min_confidence: float | None = None,
        now: str | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Path:
        """Find the shortest path between two nodes.

        source: Start: a memory or an entity.
        target: End: a memory or an entity.
        max_hops: Maximum number of steps, 1 to 32; default 6.
        relations_only: Only over relations: both ends are entities, and no memory is in between.
        min_confidence: Ignore edges below this confidence, 0 to 1.
        now: Answer as of this time: a date, RFC 3339 or words such as `last month`; default now.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "source": source,
            "target": target,
            "max_hops": max_hops,
            "relations_only": relations_only,
            "min_confidence": min_confidence,
            "now": now,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Path", await self._ask(PATH, arguments, timeout))

    async def timeline(
        self,
        *,
        anchor: str | None = None,
        before: int | None = None,
        after: int | None = None,
        since: str | None = None,
        until: str | None = None,
        now: str | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Timeline:
        """List memories in chronological order.

        anchor: The memory to centre on; without one, the latest memories.
        before: Number of memories before it; default 5.
        after: Number of memories after it; without a centre, the number in total; default 5.
        since: Only events at or after this time.
        until: Only events up to the end of this time.
        now: Answer as of this time: a date, RFC 3339 or words such as `last month`; default now.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "anchor": anchor,
            "before": before,
            "after": after,
            "since": since,
            "until": until,
            "now": now,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Timeline", await self._ask(TIMELINE, arguments, timeout))

    async def memories(
        self,
        *,
        kinds: Sequence[str] | None = None,
        tags: Sequence[str] | None = None,
        sources: Sequence[str] | None = None,
        agent: str | None = None,
        flagged: bool | None = None,
        superseded: bool | None = None,
        forgotten: bool | None = None,
        since: str | None = None,
        limit: int | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.Memory]:
        """List memories, those stored last first.

        kinds: Only memories of one of these kinds.
        tags: Only memories with all of these tags.
        sources: Only memories from these sources: `s4`, an origin, `memory`, `manual` or `crawl`.
        agent: Only memories of this agent.
        flagged: Only memories that seem to contain a key, a password, or instructions to a language model.
        superseded: Only memories that another one replaced; without it, those are left out.
        forgotten: Only memories that were forgotten; `restore` brings them back by their handle.
        since: Only memories stored at or after this time.
        limit: Maximum number of results; default 20.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "kinds": kinds,
            "tags": tags,
            "sources": sources,
            "agent": agent,
            "flagged": flagged,
            "superseded": superseded,
            "forgotten": forgotten,
            "since": since,
            "limit": limit,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.Memory]", await self._ask(MEMORIES, arguments, timeout))

    async def notes(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.Note]:
        """List what language models noted of a memory, latest first.

        name: Id, handle (`#a1b2c3`), canonical id (`tool:redis`), source id (`s4`), id of an offer (`o12`) or name.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.Note]", await self._ask(NOTES, arguments, timeout))

    async def undo_note(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.Note]:
        """Undo the latest note of a memory.

        name: Id, handle (`#a1b2c3`), canonical id (`tool:redis`), source id (`s4`), id of an offer (`o12`) or name.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.Note]", await self._ask(UNDO_NOTE, arguments, timeout))

    async def edge(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Edge:
        """Show an edge with its evidence.

        name: Id, handle (`#a1b2c3`), canonical id (`tool:redis`), source id (`s4`), id of an offer (`o12`) or name.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Edge", await self._ask(EDGE, arguments, timeout))

    async def entities(
        self,
        *,
        search: str | None = None,
        type: str | None = None,
        layer: str | None = None,
        limit: int | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.Hub]:
        """List entities by name, or the best connected ones.

        search: Part of a name.
        type: Only of this type, such as `tool`.
        layer: Only of this layer: `code`, `execution`, `knowledge` or `project`.
        limit: Maximum number of results; default 20.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "search": search,
            "type": type,
            "layer": layer,
            "limit": limit,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.Hub]", await self._ask(ENTITIES, arguments, timeout))

    async def hubs(
        self,
        *,
        type: str | None = None,
        layers: Sequence[str] | None = None,
        limit: int | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.Hub]:
        """List the best connected entities.

        type: Only of this type, such as `tool`.
        layers: Only of these layers: `code`, `execution`, `knowledge`, `project`.
        limit: Maximum number of results; default 10.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "type": type,
            "layers": layers,
            "limit": limit,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.Hub]", await self._ask(HUBS, arguments, timeout))

    async def graph_layout(
        self,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.GraphLayout:
        """Show how far the layout of the graph is.

        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.GraphLayout", await self._ask(GRAPH_LAYOUT, arguments, timeout))

    async def lay_out_graph(
        self,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.GraphLayout:
        """Lay out the graph anew, in the background.

        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.GraphLayout", await self._ask(LAY_OUT_GRAPH, arguments, timeout))

    async def facts(
        self,
        *,
        entity: str | None = None,
        as_of: str | None = None,
        known_at: str | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.Fact]:
        """List facts and when they were valid.

        entity: Only facts about this entity.
        as_of: Facts valid at this time, as known today.
        known_at: Facts as known at this time.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "entity": entity,
            "as_of": as_of,
            "known_at": known_at,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.Fact]", await self._ask(FACTS, arguments, timeout))

    async def add_fact(
        self,
        subject: str,
        predicate: str,
        object: str,
        *,
        valid_from: str | None = None,
        valid_to: str | None = None,
        confidence: float | None = None,
        memory: str | None = None,
        reason: str | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Fact:
        """Add a fact.

        subject: The subject: an entity.
        predicate: `adopted`, `migrated_to`, `deployed_to`, `runs_on`, `replaced`, `depends_on`, `integrates_with`, `uses`, `prefers`, `avoids`, `caused_by`, `resolved_by` or `owned_by`.
        object: The object: an entity, or free text after `prefers` and `avoids`.
        valid_from: When it became true.
        valid_to: When it stopped being true.
        confidence: Confidence, 0 to 1; default 1.
        memory: The memory that states it.
        reason: The reason.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "subject": subject,
            "predicate": predicate,
            "object": object,
            "valid_from": valid_from,
            "valid_to": valid_to,
            "confidence": confidence,
            "memory": memory,
            "reason": reason,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Fact", await self._ask(ADD_FACT, arguments, timeout))

    async def end_fact(
        self,
        name: str,
        *,
        valid_to: str | None = None,
        undo: bool | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Fact:
        """Set the end of a fact, or open it again.

        name: Id of a fact, such as `f12`.
        valid_to: When it stopped being true; default now.
        undo: Open it again.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "valid_to": valid_to,
            "undo": undo,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Fact", await self._ask(END_FACT, arguments, timeout))

    async def conflicts(
        self,
        *,
        entity: str | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.FactConflict]:
        """List facts that contradict each other.

        entity: Only facts about this entity.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "entity": entity,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.FactConflict]", await self._ask(CONFLICTS, arguments, timeout))

    async def ingest(
        self,
        *,
        text: str | None = None,
        url: str | None = None,
        name: str | None = None,
        format: str | None = None,
        tags: Sequence[str] | None = None,
        metadata: dict[str, str] | None = None,
        kind: str | None = None,
        new_kind: bool | None = None,
        agent: str | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Ingested:
        """Store a document.

        text: The document.
        url: URL of a page, instead of a text.
        name: Name of the source; storing under the same name again replaces its content.
        format: `markdown`, `text`, `json`, `jsonl`, `chat` or `claude-code`; detected by default.
        tags: Tags for everything in it.
        metadata: What to note of the source, by name; shown with it, never searched.
        kind: Kind of its memories; default `passage` or `turn`.
        new_kind: Keep a kind that looks like a mistyped one.
        agent: The agent that the memories belong to; settings specific to this agent apply.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "text": text,
            "url": url,
            "name": name,
            "format": format,
            "tags": tags,
            "metadata": metadata,
            "kind": kind,
            "new_kind": new_kind,
            "agent": agent,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Ingested", await self._ask(INGEST, arguments, timeout))

    async def sources(
        self,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.SourceView]:
        """List the sources of memories.

        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.SourceView]", await self._ask(SOURCES, arguments, timeout))

    async def source_graph(
        self,
        name: str,
        *,
        limit: int | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.SourceGraph:
        """Show the entities and relations of a source.

        name: Id of a source, such as `s4`, or its origin.
        limit: Maximum number of entities and of relations; default 200.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "limit": limit,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.SourceGraph", await self._ask(SOURCE_GRAPH, arguments, timeout))

    async def refresh_source(
        self,
        name: str,
        *,
        prune: bool | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Job:
        """Read a source again.

        name: Id of a source, such as `s4`.
        prune: Forget the source if it no longer exists.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "prune": prune,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Job", await self._ask(REFRESH_SOURCE, arguments, timeout))

    async def crawl(
        self,
        url: str,
        *,
        mode: str | None = None,
        depth: int | None = None,
        max_pages: int | None = None,
        allow: Sequence[str] | None = None,
        block: Sequence[str] | None = None,
        tags: Sequence[str] | None = None,
        metadata: dict[str, str] | None = None,
        agent: str | None = None,
        prune: bool | None = None,
        every_hours: float | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Job:
        """Crawl a page or a site, as a job.

        url: The page to start from.
        mode: `single`, `sitemap` or `recursive`; default `crawl.mode`.
        depth: Maximum link depth; default `crawl.depth`.
        max_pages: Maximum number of pages; default `crawl.max_pages_per_crawl`.
        allow: Only URLs or paths that match, such as `/docs/**`; default `crawl.allow`, else the site of the start page.
        block: Skip URLs or paths that match, besides those of `crawl.block`.
        tags: Tags for the stored memories.
        metadata: What to note of each page, by name; shown with its source, never searched.
        agent: The agent that the memories belong to; settings specific to this agent apply.
        prune: Forget the memories of pages that are gone.
        every_hours: Repeat the crawl this many hours after it ends; default never.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "url": url,
            "mode": mode,
            "depth": depth,
            "max_pages": max_pages,
            "allow": allow,
            "block": block,
            "tags": tags,
            "metadata": metadata,
            "agent": agent,
            "prune": prune,
            "every_hours": every_hours,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Job", await self._ask(CRAWL, arguments, timeout))

    async def jobs(
        self,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.Job]:
        """List jobs, latest first.

        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.Job]", await self._ask(JOBS, arguments, timeout))

    async def job(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Job:
        """Show the progress of a job.

        name: Id of a job, such as `j3`.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Job", await self._ask(JOB, arguments, timeout))

    async def pause_job(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Job:
        """Pause a job.

        name: Id of a job, such as `j3`.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Job", await self._ask(PAUSE_JOB, arguments, timeout))

    async def resume_job(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Job:
        """Resume a job.

        name: Id of a job, such as `j3`.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Job", await self._ask(RESUME_JOB, arguments, timeout))

    async def cancel_job(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Job:
        """Cancel a job.

        name: Id of a job, such as `j3`.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Job", await self._ask(CANCEL_JOB, arguments, timeout))

    async def retry_job(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Job:
        """Resume a job and retry its failures.

        name: Id of a job, such as `j3`.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Job", await self._ask(RETRY_JOB, arguments, timeout))

    async def status(
        self,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Status:
        """Show the contents of the workspace.

        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Status", await self._ask(STATUS, arguments, timeout))

    async def feedback(
        self,
        good: bool,
        *,
        answer: str | None = None,
        memories: Sequence[str] | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Feedback:
        """Rate an answer.

        good: Whether they helped.
        answer: Id of an answer (`rollout.id`).
        memories: Handles or ids of its results; empty rates the whole answer. If no answer is given, each result counts for the latest answer that contains it.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "good": good,
            "answer": answer,
            "memories": memories,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Feedback", await self._ask(FEEDBACK, arguments, timeout))

    async def rollout(
        self,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Rollout:
        """Show the rollout state of the graph.

        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Rollout", await self._ask(ROLLOUT, arguments, timeout))

    async def set_rollout(
        self,
        mode: str,
        *,
        force: bool | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Rollout:
        """Set the rollout mode of the graph.

        mode: `off`, `shadow`, `canary` or `on`.
        force: Set it even if the quality gate is not open; this discards the evidence so far.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "mode": mode,
            "force": force,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Rollout", await self._ask(SET_ROLLOUT, arguments, timeout))

    async def recalls(
        self,
        *,
        agent: str | None = None,
        before: str | None = None,
        limit: int | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.RecallLog:
        """List logged recalls, latest first.

        agent: Only recalls of this agent.
        before: Only recalls before this time, to list further ones.
        limit: The most recalls; default 20.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "agent": agent,
            "before": before,
            "limit": limit,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.RecallLog", await self._ask(RECALLS, arguments, timeout))

    async def compare_recalls(
        self,
        *,
        agent: str | None = None,
        limit: int | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.ComparedRecalls:
        """Ask the last logged questions again, with and without the graph.

        agent: Only questions of this agent.
        limit: The most questions; default 20.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "agent": agent,
            "limit": limit,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.ComparedRecalls", await self._ask(COMPARE_RECALLS, arguments, timeout))

    async def verify(
        self,
        *,
        all: bool | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Verified:
        """Check causal edges for contradictions.

        all: Include acknowledged warnings.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "all": all,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Verified", await self._ask(VERIFY, arguments, timeout))

    async def build_graphs(
        self,
        *,
        graphs: Sequence[str] | None = None,
        threshold: float | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.BuiltGraphs:
        """Connect similar and consecutive memories.

        graphs: Edges to build: `semantic` (similarity), `temporal` (order in time over all sources, including documents), or `all`.
        threshold: Minimum similarity (cosine, 0 to 1) at which two memories are connected; default 0.7.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "graphs": graphs,
            "threshold": threshold,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.BuiltGraphs", await self._ask(BUILD_GRAPHS, arguments, timeout))

    async def gc(
        self,
        *,
        threshold: float | None = None,
        limit: int | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> list[types.GcCandidate]:
        """List memories of low importance; nothing is deleted.

        threshold: List memories whose current importance is below this value; default 0.5.
        limit: Maximum number of results; default 20.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "threshold": threshold,
            "limit": limit,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("list[types.GcCandidate]", await self._ask(GC, arguments, timeout))

    async def warnings(
        self,
        *,
        all: bool | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Verified:
        """List warnings that still apply.

        all: Include acknowledged warnings.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "all": all,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Verified", await self._ask(WARNINGS, arguments, timeout))

    async def acknowledge_warning(
        self,
        name: str,
        *,
        note: str | None = None,
        undo: bool | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Warning:
        """Acknowledge a warning, or take that back.

        name: Id of a warning, such as `w-3f2a90c1d4e5`.
        note: Why.
        undo: Take the acknowledgement back, so that the warning is reported again.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "note": note,
            "undo": undo,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Warning", await self._ask(ACKNOWLEDGE_WARNING, arguments, timeout))

    async def doctor(
        self,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Health:
        """Check that the workspace is sound.

        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Health", await self._ask(DOCTOR, arguments, timeout))

    async def usage(
        self,
        *,
        days: int | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Usage:
        """Show what language models were asked and what it cost.

        days: Number of days, today included; default 30.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "days": days,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Usage", await self._ask(USAGE, arguments, timeout))

    async def enrich(
        self,
        *,
        tasks: Sequence[str] | None = None,
        limit: int | None = None,
        estimate: bool | None = None,
        retry: bool | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Enriched:
        """Let the language model read new memories.

        tasks: What to read out of them: `extraction` (names and relations), `causes` (causes and replacements), `facts`, `notes` (notes and links), `sessions` (observations of conversations). Default: all that the settings `enrich.…` switch on.
        limit: The most memories of each task; over HTTP 20 unless it is given.
        estimate: Only say what it would take: requests, tokens, money.
        retry: Also ask again about memories that were refused, withheld, or answered with something that could not be read.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "tasks": tasks,
            "limit": limit,
            "estimate": estimate,
            "retry": retry,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Enriched", await self._ask(ENRICH, arguments, timeout))

    async def merges(
        self,
        *,
        all: bool | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.MergeLog:
        """List merges and suggested merges.

        all: Include suggestions that were dismissed.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "all": all,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.MergeLog", await self._ask(MERGES, arguments, timeout))

    async def merge(
        self,
        kept: str,
        merged: str,
        *,
        reason: str | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Merged:
        """Merge two entities into one.

        kept: The entity to keep.
        merged: The entity to merge into it.
        reason: Why.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "kept": kept,
            "merged": merged,
            "reason": reason,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Merged", await self._ask(MERGE, arguments, timeout))

    async def judge_merges(
        self,
        *,
        limit: int | None = None,
        estimate: bool | None = None,
        retry: bool | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.JudgedMerges:
        """Let the language model decide which entities are one.

        limit: The most pairs to ask about; over HTTP 20 unless it is given.
        estimate: Only say what it would take: requests, tokens, money.
        retry: Also ask again about pairs about which a model was not sure.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "limit": limit,
            "estimate": estimate,
            "retry": retry,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.JudgedMerges", await self._ask(JUDGE_MERGES, arguments, timeout))

    async def suggest_merges(
        self,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.MergeLog:
        """Suggest merges by comparing names.

        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.MergeLog", await self._ask(SUGGEST_MERGES, arguments, timeout))

    async def unmerge(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Unmerged:
        """Undo a merge.

        name: Id of a merge, such as `g12`.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Unmerged", await self._ask(UNMERGE, arguments, timeout))

    async def apply_merge(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Merged:
        """Apply a suggested merge.

        name: Id of a suggestion, such as `p12`.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Merged", await self._ask(APPLY_MERGE, arguments, timeout))

    async def dismiss_merge(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> types.Suggestion:
        """Dismiss a suggestion.

        name: Id of a suggestion, such as `p12`.
        user: The user: their memories and those that all users share.
        project: The project: memories about it and those about no project in particular.
        workspace: The workspace; default the one of the key, or the server's.
        """
        arguments: dict[str, Any] = {
            "name": name,
            "user": user,
            "project": project,
            "workspace": workspace,
        }
        return cast("types.Suggestion", await self._ask(DISMISS_MERGE, arguments, timeout))


class ServerVerbs(Verbs):
    """What only a server answers, too."""

    def health(
        self,
        *,
        timeout: float | None = None,
    ) -> str:
        """Check that the process is alive."""
        arguments: dict[str, Any] = {}
        return cast("str", self._ask(HEALTH, arguments, timeout))

    def ready(
        self,
        *,
        timeout: float | None = None,
    ) -> str:
        """Check that requests can be answered."""
        arguments: dict[str, Any] = {}
        return cast("str", self._ask(READY, arguments, timeout))

    def metrics(
        self,
        *,
        timeout: float | None = None,
    ) -> str:
        """Metrics for Prometheus."""
        arguments: dict[str, Any] = {}
        return cast("str", self._ask(METRICS, arguments, timeout))

    def open_api(
        self,
        *,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """This document."""
        arguments: dict[str, Any] = {}
        return cast("dict[str, Any]", self._ask(OPEN_API, arguments, timeout))


class AsyncServerVerbs(AsyncVerbs):
    """What only a server answers, too."""

    async def health(
        self,
        *,
        timeout: float | None = None,
    ) -> str:
        """Check that the process is alive."""
        arguments: dict[str, Any] = {}
        return cast("str", await self._ask(HEALTH, arguments, timeout))

    async def ready(
        self,
        *,
        timeout: float | None = None,
    ) -> str:
        """Check that requests can be answered."""
        arguments: dict[str, Any] = {}
        return cast("str", await self._ask(READY, arguments, timeout))

    async def metrics(
        self,
        *,
        timeout: float | None = None,
    ) -> str:
        """Metrics for Prometheus."""
        arguments: dict[str, Any] = {}
        return cast("str", await self._ask(METRICS, arguments, timeout))

    async def open_api(
        self,
        *,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """This document."""
        arguments: dict[str, Any] = {}
        return cast("dict[str, Any]", await self._ask(OPEN_API, arguments, timeout))

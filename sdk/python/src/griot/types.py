"""What the server answers, as plain dicts with known keys.

Made by `cargo xtask codegen` from the server's OpenAPI document; changes here are lost.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TypedDict, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired

__all__ = [
    "Acknowledged",
    "Alarm",
    "BuiltGraphs",
    "CausalCandidate",
    "Chain",
    "Changed",
    "Context",
    "Counts",
    "Credited",
    "Diff",
    "Draft",
    "Edge",
    "EdgeTally",
    "Entity",
    "EntityDraft",
    "EntityView",
    "Erasure",
    "ErasureCounts",
    "Evidence",
    "Fact",
    "Feedback",
    "FeedbackGiven",
    "Forgotten",
    "GateReason",
    "Health",
    "Hop",
    "Hub",
    "Incident",
    "IngestFailure",
    "IngestRename",
    "Ingested",
    "Interval",
    "Job",
    "JobCounts",
    "JobError",
    "Linked",
    "Memory",
    "Mention",
    "Merge",
    "MergeLog",
    "MergeScan",
    "Merged",
    "NamedEntity",
    "NodeRef",
    "Path",
    "QualityGate",
    "Recall",
    "RecallResult",
    "Rejected",
    "Related",
    "Remembered",
    "Rollout",
    "RolloutGoal",
    "RolloutStage",
    "RolloutTrace",
    "RolloutWindow",
    "Rule",
    "SemanticCandidate",
    "Signal",
    "Source",
    "SourceContent",
    "SourceRef",
    "SourceView",
    "Span",
    "Status",
    "Suggestion",
    "TimeReading",
    "Timeline",
    "Understanding",
    "Unlinked",
    "Unmerged",
    "Verified",
    "Warning",
    "Why",
    "WhyStep",
]


class Acknowledged(TypedDict):
    """Somebody knows of a warning and leaves it as it is."""

    at: str
    """When."""
    by: str
    """Who: `user`, or the name of a key."""
    note: str | None
    """Why."""


class Alarm(TypedDict):
    """What a person should look at."""

    code: str
    """Such as `HIGH_FALLBACK_RATE`."""
    severity: str
    """`info`, `warning` or `critical`."""
    message: str
    """In words."""
    triggered_at: str
    """When it was seen."""


class BuiltGraphs(TypedDict):
    """The answer to `build-graphs`."""

    temporal_total: int
    """Steps in time between consecutive memories in all: those of one source are derived when read, others stored."""
    temporal_added: int
    """Stored steps in time that were added."""
    temporal_removed: int
    """Stored steps in time that were removed, since something lies between by now."""
    semantic_added: int
    """Semantic edges that were added."""
    semantic_total: int
    """Semantic edges in all."""
    topics_added: int
    """Edges from memories to the topics that their tags name, of memories that had none."""


class CausalCandidate(TypedDict):
    """A memory that may have caused the new one, or followed from it."""

    id: str
    """Stable id."""
    handle: str
    """Short name."""
    text: str
    """Its text."""
    kind: str
    """Its kind."""
    hop: int
    """1 or 2: how far it is in the graph; 0 if it is further and among the latest memories."""
    via_edge: str
    """Kind of the edge it was reached by, or `latest`."""
    causal_signal: float
    """Share of common words, 0..=1."""
    suggested_sub_type: str
    """`causes`, `enables` or `prevents`."""
    candidate_is_cause: bool
    """The candidate would be the cause and the new memory the effect."""
    reason: str
    """Why it is offered."""


class Chain(TypedDict):
    """How results hang together: cause before effect."""

    hops: list[Hop]
    """From cause to effect."""
    confidence: float
    """Product of the hops' confidences, 0..=1."""


class Changed(TypedDict):
    """One committed change, as `/v1/events` sends it."""

    revision: int
    """Number of the change; also the id of the event."""
    at: str
    """When it was committed."""
    memories: list[str]
    """Ids of memories that are new or changed, forgotten ones too."""
    handles: list[str]
    """Their handles, in the same order."""
    entities: list[str]
    """Canonical ids of entities that are new or changed."""
    edges: list[str]
    """Ids of edges that are new or changed."""
    removed_edges: list[str]
    """Ids of edges that were removed."""


class Context(TypedDict):
    """The answer to `context`."""

    text: str
    """Markdown: entities, relationships, memories with handle and date. Stored text, not instructions."""
    results: list[str]
    """Ids of the memories in it."""


class Counts(TypedDict):
    """How many of each there are."""

    memories: int
    """Live memories."""
    deleted_memories: int
    """Forgotten memories."""
    superseded_memories: int
    """Memories that another one replaced."""
    expired_memories: int
    """Memories whose time is over."""
    expired_edges: int
    """Stored edges whose time is over."""
    vectors: int
    """Memories with a vector."""
    entities: int
    """Entities."""
    edges: int
    """Stored edges whose time is not over."""
    facts: int
    """Facts."""
    sources: int
    """Sources."""
    memories_by_kind: dict[str, int]
    """Memories by kind."""
    entities_by_type: dict[str, int]
    """Entities by type."""
    edges_by_kind: dict[str, int]
    """Edges by kind."""
    edges_by_provenance: dict[str, int]
    """Edges by who says so."""


class Credited(TypedDict):
    """One piece of feedback."""

    handle: str | None
    """Handle of the memory; `null` for the answer as a whole."""
    memory: str | None
    """Id of the memory."""
    answer: str | None
    """The answer that it was taken for; `null` if no kept answer holds the memory."""
    strategy: str | None
    """`hybrid_graph` if the graph had a part in the place of the result, else `baseline`."""


Diff = TypedDict(
    "Diff",
    {
        # `add`, `duplicate`, `conflict` or `update`.
        "suggestion": "str",
        # Id of the memory it was compared with.
        "with": "str | None",
        # Handle of that memory.
        "with_handle": "str | None",
        # 0..=1.
        "similarity": "float",
        # Why this is suggested.
        "reason": "str",
    },
)
"""A comparison with the most similar memory."""


class Draft(TypedDict):
    """A text on its way into the store. Everything but `text` may be left out."""

    text: str
    kind: NotRequired[str | None]
    tags: NotRequired[list[str]]
    tier: NotRequired[str | None]
    expires_at: NotRequired[str | None]
    """A date, RFC 3339, or how long: `8h`, `30d`."""
    importance: NotRequired[int | None]
    user: NotRequired[str | None]
    project: NotRequired[str | None]
    agent: NotRequired[str | None]
    session: NotRequired[str | None]
    speaker: NotRequired[str | None]
    occurred_at: NotRequired[str | None]
    """RFC 3339, a date, or words such as `yesterday`."""
    entities: NotRequired[list[EntityDraft]]
    heading: NotRequired[list[str]]
    lines: NotRequired[Span | None]
    ordinal: NotRequired[int | None]
    supersedes: NotRequired[str | None]


class Edge(TypedDict):
    """A stored edge with both ends spelled out."""

    id: str | None
    """Number in the workspace, such as `e12`; `null` if it is derived when read."""
    source: NodeRef
    """Where it starts."""
    target: NodeRef
    """Where it leads."""
    kind: str
    """Kind of the edge, a word of the catalogue."""
    label: str
    """Sub-type or relation label; empty where the kind has none."""
    family: str
    """Which question it answers: `temporal`, `entity`, `causal`, `semantic`."""
    weight: float
    """Weight, 0..=1; relations count how often they were said."""
    confidence: float
    """Confidence now, 0..=1: what it was at its last evidence, faded since."""
    stored_confidence: float
    """Confidence as it is stored, before fading."""
    provenance: str
    """Who says so: `user`, `static`, `import`, `llm`, `embedding`, `rule`."""
    evidence: list[Evidence]
    """Why it is believed."""
    created_at: str
    """When it was first stored."""
    touched_at: str
    """When it last gained evidence."""
    expires_at: str | None
    """When it stops being true, if that is known."""


class EdgeTally(TypedDict):
    """Edges by the question they answer."""

    temporal: int
    """When."""
    entity: int
    """Who and what."""
    causal: int
    """Why."""
    semantic: int
    """What is like it."""


class Entity(TypedDict):
    """A named thing."""

    id: str
    """Canonical id: type and key, such as `tool:redis`. No other entity has it."""
    name: str
    """The name as first written."""
    type: str
    """`person`, `org`, `repo`, `concept`, `tool`, `location`, `event`, `goal`, `task`, `file`, `module`, `function`, `type`, `external`, `topic`, `date` or `custom`."""
    key: str | None
    """What tells it from others of its type; `null` where that follows from the name."""
    layer: str
    """`code`, `execution`, `knowledge` or `project`: follows from its type or kind."""
    aliases: list[str]
    """Other names of the same thing, in normal form, and canonical ids it had before."""
    description: list[str]
    """What was learned about it, in order."""
    first_seen: str
    """When it was first mentioned."""
    last_seen: str
    """When it was last mentioned."""
    deleted_at: str | None
    """When it was forgotten, if it was."""


class EntityView(TypedDict):
    """The answer to `entity`."""

    entity: Entity
    """The entity."""
    relations: list[Edge]
    """Edges with other entities, and causal or semantic ones with memories."""
    mentions: list[Memory]
    """Memories that mention it, latest first, up to the asked number."""
    mention_count: int
    """How many memories mention it."""
    facts: list[Fact]
    """What is held to be true of it."""
    neighbourhood: list[Related]
    """Entities within the asked steps, through relations and shared memories."""


class Erasure(TypedDict):
    """The receipt of an erasure. It holds no text and no name."""

    id: str | None
    """Number in the workspace, such as `x3`; `null` for what `--dry-run` answers."""
    kind: str
    """`memory`, `source`, `entity` or `user`."""
    at: str
    """When."""
    by: str
    """Who asked for it."""
    revision_before: int
    """The revision before."""
    revision_after: int
    """The revision without it."""
    finished_at: str | None
    """When every file of the workspace was rid of it; `null` while that is left to do."""
    counts: ErasureCounts
    """How much went, and what stayed."""
    found: int | None
    """How many of the things that it says are gone are there: 0 is sound. `null` where nobody compared."""


class ErasureCounts(TypedDict):
    """What an erasure came to."""

    memories: int
    """Texts with their tags, hidden ones too."""
    vectors: int
    """Their vectors."""
    entities: int
    """Entities."""
    sources: int
    """Sources that were asked for, or had no other memory."""
    edges: int
    """Edges."""
    facts: int
    """Facts."""
    evidence: int
    """Pieces of evidence of edges and facts that others support as well."""
    spellings: int
    """Names of entities that stay, where only erased texts wrote them so."""
    merges: int
    """Merges in the log that were removed or rewritten."""
    job_rows: int
    """Rows of jobs."""
    copies: int
    """Copies of the database that were removed."""
    same_texts: int
    """Other memories that say the same, word for word. They stay."""
    mentioning: int
    """Texts that mention an erased entity. They stay."""


class Evidence(TypedDict):
    """Why an edge or a fact is believed."""

    memory: str | None
    """Id of the memory that says it; `null` when a caller said it without one."""
    quote: str | None
    """The words that say it."""
    reason: str | None
    """What the rule, model or caller gave as its reason."""
    at: str
    """When it was said."""


class Fact(TypedDict):
    """Subject, predicate, object, with the time it was true and the time we knew it."""

    id: str
    """Number in the workspace, such as `f3`."""
    subject: NodeRef
    """What the fact is about."""
    predicate: str
    """`adopted`, `migrated_to`, `deployed_to`, `runs_on`, `replaced`, `depends_on`, `integrates_with`, `uses`, `prefers`, `avoids`, `caused_by`, `resolved_by` or `owned_by`."""
    object: str
    """Name of the object, or the literal itself."""
    object_node: NodeRef | None
    """The object as a node; `null` for a literal."""
    valid_from: str | None
    """Since when it is true, if known."""
    valid_to: str | None
    """Until when it was true, if it is over."""
    recorded_at: str
    """When it was stored."""
    superseded_at: str | None
    """When it was withdrawn."""
    confidence: float
    """0..=1."""
    current: bool
    """True at the asked time."""
    contradicts: list[str]
    """Ids of facts that hold at the same time and say otherwise."""
    user: str | None
    """Who sees it; everybody if there is none."""
    project: str | None
    """What it is about; everything if there is none."""
    evidence: list[Evidence]
    """Why it is believed."""


class Feedback(TypedDict):
    """What feedback was counted for."""

    good: bool
    """What was said."""
    credited: list[Credited]
    """Piece by piece."""


class FeedbackGiven(TypedDict):
    """What a client sends as feedback: `{"answer": "q-…", "memories": ["#a1b2c3"], "good": true}`; either of the first two may be left out."""

    answer: NotRequired[str | None]
    """Id of an answer (`rollout.id`)."""
    memories: NotRequired[list[str]]
    """Handles or ids of its results; empty for the answer as a whole. Without an answer, the latest one that holds each counts."""
    good: bool
    """They helped."""


class Forgotten(TypedDict):
    """The answer to `forget` and `restore`."""

    memories: list[str]
    """Ids of memories."""
    handles: list[str]
    """Their handles, in the same order."""
    entities: list[str]
    """Canonical ids of entities."""
    sources: list[str]
    """Ids of sources."""
    edges_hidden: int
    """Edges that hang on a hidden node: kept, not followed, and back with a restore."""


class GateReason(TypedDict):
    """One thing that is not as it should be."""

    code: str
    """Such as `GRAPH_ERROR_RATE_ABOVE_LIMIT`."""
    blocking: bool
    """It blocks the gate; otherwise it is a warning."""
    value: float
    """What was measured."""
    limit: float
    """Where it should stay."""


class Health(TypedDict):
    """The answer to `doctor`."""

    sound: bool
    """Nothing is wrong."""
    problems: list[str]
    """What is wrong, in sentences."""
    checked: list[str]
    """What was looked at."""
    repaired: list[str]
    """What was wrong and was repaired (`doctor --repair`), in sentences."""
    quarantine: str | None
    """The file that holds rows as they were before they were removed or changed; `null` if there were none."""


Hop = TypedDict(
    "Hop",
    {
        # Where the step starts.
        "from": "NodeRef",
        # Where it leads.
        "to": "NodeRef",
        # Kind of the edge, a word of the catalogue such as `causal` or `mentions`.
        "kind": "str",
        # The edge's sub-type or relation label; empty where the kind has none.
        "label": "str",
        # How the step reads from `from` to `to`, such as `mentions`, `caused by`, `depends_on`.
        "reads": "str",
        # Which question the edge answers: `temporal`, `entity`, `causal`, `semantic`.
        "family": "str",
        # The edge itself runs from `from` to `to`; `false` if it is walked against its direction.
        "forward": "bool",
        # Weight of the edge, 0..=1; relations count how often they were said.
        "weight": "float",
        # Confidence in the edge, 0..=1, faded to the time of the question.
        "confidence": "float",
        # Who says so: `user`, `static`, `import`, `llm`, `embedding`, `rule`.
        "provenance": "str",
        # Hours between both ends of a step in time; `null` for other steps.
        "hours": "float | None",
        # From when on the edge is not there any more; `null` if it does not expire.
        "expires_at": "str | None",
        # Id of the edge (`e12`); `null` if it follows from times or places alone and is not stored.
        "edge": "str | None",
        # Why the edge is believed.
        "evidence": "list[Evidence]",
    },
)
"""One step of a path, in walking order."""


class Hub(TypedDict):
    """A well connected entity."""

    entity: Entity
    """The entity."""
    degree: int
    """How many edges it has."""


class Incident(TypedDict):
    """A failure of the graph."""

    at: str
    """When."""
    reason: str
    """`graph_expansion_error` or `rollout_guardrail`."""
    shadow: bool
    """The graph ran for its measures only."""
    message: str
    """In words."""


class IngestFailure(TypedDict):
    """A file that could not be read."""

    path: str
    """The file."""
    code: str
    """Stable code of the error."""
    message: str
    """What was wrong with it."""


IngestRename = TypedDict(
    "IngestRename",
    {
        # Its last name.
        "from": "str",
        # Where it lies now.
        "to": "str",
    },
)
"""A file that has another name."""


class Ingested(TypedDict):
    """The answer to `ingest`."""

    sources: int
    """Sources that were read."""
    unchanged: int
    """Sources whose content had not changed."""
    added: int
    """Memories added."""
    flagged: int
    """Of those, the ones whose text calls for care: it holds a key or password, or gives orders to a model."""
    kept: int
    """Memories that were there already in the same source."""
    skipped: int
    """Texts that another source of the same scope already holds."""
    removed: int
    """Memories that are no longer in their source."""
    entities: int
    """Entities added."""
    edges: int
    """Edges added."""
    warnings: int
    """Warnings of the verifier around what was added that nobody acknowledged: `griot verify --list`."""
    renamed: list[IngestRename]
    """Files with another name than the last time; what came from them stays."""
    pruned: list[str]
    """Sources removed because their file is gone (`--prune`)."""
    failed: list[IngestFailure]
    """Files that could not be read."""
    interrupted: bool
    """Stopped by the user before the end."""


class Interval(TypedDict):
    """A span of time: `start` belongs to it, `end` does not."""

    start: str
    """First moment."""
    end: str
    """First moment after it."""


class Job(TypedDict):
    """A durable job: an ingestion, a crawl, a refresh."""

    id: str
    """Number in the workspace, such as `j3`."""
    kind: str
    """`ingest`, `crawl` or `refresh`."""
    state: str
    """`queued`, `running`, `paused`, `done`, `failed` or `cancelled`."""
    target: str
    """What was asked for, such as an address."""
    counts: JobCounts
    """How far it is."""
    errors: list[JobError]
    """What went wrong, by address or path; at most 100."""
    every_hours: float | None
    """Hours after its end until it is done again; `null` if it is not."""
    created_at: str
    """When it was asked for."""
    updated_at: str
    """When it last got further."""


class JobCounts(TypedDict):
    """How far a job is."""

    discovered: int
    """Pages, or files, that it knows of."""
    fetched: int
    """Pages that were answered with content, or as unchanged."""
    processed: int
    """Of those, the ones that nothing is left to do for."""
    stored: int
    """Pages or files whose text was stored."""
    unchanged: int
    """Pages or files that had not changed."""
    duplicates: int
    """Pages that say what another page says."""
    skipped: int
    """Pages that were not wanted: robots.txt, another kind of file, above a limit."""
    gone: int
    """Pages that are gone, and files that are gone and were forgotten."""
    failed: int
    """Pages or files that could not be fetched or read."""
    dropped: int
    """Addresses found above the limits and not taken up."""
    memories: int
    """Memories added."""
    entities: int
    """Entities added."""
    edges: int
    """Edges added."""
    removed: int
    """Memories that left with what changed or is gone."""


class JobError(TypedDict):
    """What went wrong with one page or file."""

    url: str
    """Its address, or the file's path."""
    error: str
    """Why."""


class Linked(TypedDict):
    """The answer to `link`."""

    edge: Edge
    """The edge as it is now stored."""
    created: bool
    """`false` if it was there and gained evidence."""
    warnings: list[Warning]
    """What the verifier noticed; the edge is stored all the same."""


class Memory(TypedDict):
    """A memory as it is stored."""

    id: str
    """Stable id, a UUID of version 7."""
    handle: str
    """Short name, unique in the workspace, such as `#a1b2c3`."""
    text: str
    """The text as it came."""
    kind: str
    """`insight`, `decision`, `fact`, `preference`, `event`, `observation`, `note`, `passage`, `turn` or a word of the caller's."""
    tags: list[str]
    """Tags, as given."""
    layer: str
    """`code`, `execution`, `knowledge` or `project`: follows from its type or kind."""
    tier: str
    """`long_term`, `rule` (a standing rule, shown beside every answer of its scope) or `working` (expires by itself)."""
    importance: int
    """1 (trivial) to 5 (vital)."""
    user: str | None
    """Whose it is; `null` is everybody's."""
    project: str | None
    """What it is about; `null` is everything."""
    agent: str | None
    """The agent that stored it."""
    session: str | None
    """The session it belongs to."""
    speaker: str | None
    """Who said it."""
    heading: list[str]
    """Headings above a passage, outermost first."""
    lines: Span | None
    """Lines in the source."""
    source: str
    """Id of its source, such as `s4`."""
    ordinal: int
    """Place inside its source and session, from 0."""
    occurred_at: str
    """When it happened or was said."""
    recorded_at: str
    """When it was stored."""
    flags: list[str]
    """Why the text calls for care: `secret` (a key or password), `instructions` (orders to a model that reads it)."""
    expires_at: str | None
    """From when on it is not found any more; `null` if it does not expire."""
    deleted_at: str | None
    """When it was forgotten, if it was."""
    superseded_by: str | None
    """Id of the memory that replaced it."""
    access_count: int
    """How often a caller asked for this very memory."""
    last_accessed_at: str | None
    """When a caller last asked for it."""


class Mention(TypedDict):
    """An entity that a memory mentions."""

    id: str
    """Canonical id, such as `tool:redis`."""
    name: str
    """Its name."""


class Merge(TypedDict):
    """Two entities that became one."""

    id: str
    """Number in the workspace, such as `g3`; `merge --undo` takes it."""
    kept: Entity
    """The entity that was kept, as it was before."""
    merged: Entity
    """The entity that was merged into it, as it was before."""
    at: str
    """When."""
    by: str
    """Who: `user` or `rule`."""
    reason: str | None
    """Why."""
    moved: int
    """Edges that went over."""
    folded: int
    """Edges that became part of one that was there."""
    dropped: int
    """Edges between the two, which an undo brings back."""
    facts: int
    """Facts that went over."""
    undone_at: str | None
    """When it was undone, if it was."""


class MergeLog(TypedDict):
    """The answer to `merges`."""

    merges: list[Merge]
    """Merges that were done, latest first."""
    suggestions: list[Suggestion]
    """Open suggestions, the most alike first."""
    scan: MergeScan | None
    """What `--suggest` did; `null` without it."""


class MergeScan(TypedDict):
    """What a look at all names did."""

    names: int
    """Names that were compared."""
    merged: int
    """Merges that needed no question (`--auto`)."""
    suggested: int
    """New suggestions."""


class Merged(TypedDict):
    """The answer to `merge`."""

    merge: Merge
    """What was done."""
    entity: Entity
    """The entity as it is now."""


class NamedEntity(TypedDict):
    name: str
    type: NotRequired[str | None]
    key: NotRequired[str | None]
    """Which one of its type, where the name does not say so: `crate::module::Type::method`. It needs a type."""


class NodeRef(TypedDict):
    """One end of an edge or a step of a path: a memory or an entity."""

    type: str
    """`memory` or `entity`."""
    id: str
    """The stable id of a memory, the canonical id (`tool:redis`) of an entity."""
    name: str
    """The handle of a memory (`#a1b2c3`), the name of an entity."""
    entity_type: str | None
    """The type of an entity (`person`, `tool`, …)."""
    excerpt: str | None
    """The beginning of a memory's text."""
    occurred_at: str | None
    """When a memory happened or was said."""
    layer: str
    """`code`, `execution`, `knowledge` or `project`: follows from its type or kind."""


class Path(TypedDict):
    """The answer to `path`."""

    found: bool
    """Some way of at most the asked length joins the two."""
    hops: list[Hop]
    """The shortest one."""
    confidence: float
    """Product of the confidences, 0..=1."""


class QualityGate(TypedDict):
    """The gate, judged by windows that have ended."""

    state: str
    """`open`, `blocked` or `half_open`."""
    since: str | None
    """Since when; `null` if it was never blocked."""
    status: str
    """`pass`, `warn`, `fail` or `insufficient_data`."""
    reasons: list[GateReason]
    """What is not as it should be."""
    probes: int
    """Runs of the graph since it is half open."""
    probes_wanted: int
    """Runs after which it decides."""


class Recall(TypedDict):
    """The answer to `recall`."""

    query: str
    """The question as it was asked."""
    revision: int
    """The revision of the store that answered."""
    understanding: Understanding
    """How the question was understood."""
    results: list[RecallResult]
    """The best first."""
    rules: list[Rule]
    """Standing rules of the scope, beside the results: they count neither for the limit nor for silence."""
    rules_left_out: int
    """How many more rules the scope has than `recall.rules_budget` holds."""
    chains: list[Chain]
    """For questions that ask why: how results hang together, cause before effect."""
    candidates: int
    """How many memories were scored."""
    tokens: int
    """Tokens of the results' texts, about 4 characters each."""
    abstained: str | None
    """Why nothing is returned: what was looked for and how near the best candidate came."""
    rejected: list[Rejected]
    """What was left out and why; empty unless asked for."""
    missing: list[str]
    """What could not be used (embedder, graph) and why; empty when all is well."""
    rollout: RolloutTrace
    """Which strategy was asked for, which answered, and why."""


class RecallResult(TypedDict):
    """One memory of an answer."""

    id: str
    """Stable id."""
    handle: str
    """Short name, such as `#a1b2c3`."""
    text: str
    """The text as it came."""
    kind: str
    """`insight`, `decision`, `passage`, `turn`, …"""
    tags: list[str]
    """Tags, as given."""
    layer: str
    """`code`, `execution`, `knowledge` or `project`: follows from its type or kind."""
    tier: str
    """`long_term`, `working` (expires by itself), or `rule` where rules were asked for."""
    expires_at: str | None
    """From when on it is not found any more; `null` if it does not expire."""
    importance: int
    """1 (trivial) to 5 (vital)."""
    user: str | None
    """Whose it is; `null` is everybody's."""
    project: str | None
    """What it is about; `null` is everything."""
    source: SourceRef
    """Where it came from."""
    heading: list[str]
    """Headings above a passage, outermost first."""
    lines: Span | None
    """Lines in the source."""
    speaker: str | None
    """Who said it."""
    session: str | None
    """The session it belongs to."""
    occurred_at: str
    """When it happened or was said."""
    superseded_by: str | None
    """Id of the memory that replaced it."""
    flags: list[str]
    """Why the text calls for care: `secret` (a key or password), `instructions` (orders to a model that reads it)."""
    score: float
    """The sum of the shares of `signals`: 1 is the best that any memory could reach, a poor match may fall below 0."""
    why_included: str
    """`direct_match` (its own words), `similar_meaning` (its vector is close), `place` (its session, document or neighbours), `graph_expansion` (reached over edges) or `time`."""
    signals: list[Signal]
    """The summands of the score."""
    seed_memory: str | None
    """Id of the memory from which the path starts; `null` if the graph did not bring this result."""
    linked_node: str | None
    """The node next to this memory on the path."""
    edge_type: str | None
    """Kind of the last edge of the path."""
    hop_count: int
    """Steps from the seed."""
    confidence: float | None
    """Product of the confidences over the path, 0..=1; `null` without a path."""
    path: list[Hop]
    """The way from the seed to this memory, step by step."""
    entities: list[str]
    """Names of entities that it shares with the question."""


class Rejected(TypedDict):
    """A candidate that is not in the answer."""

    memory: Memory
    """The memory."""
    score: float
    """Its score."""
    reason: str
    """`floor`, `scope` (another project), `limit`, `budget`, `redundant` or `superseded`."""


class Related(TypedDict):
    """A node that was reached (`related`, `similar`, `traverse`, neighbourhoods)."""

    node: NodeRef
    """The node."""
    distance: int
    """Steps from the start."""
    score: float
    """0..=1: falls with every step."""
    path: list[Hop]
    """The way to it."""


class Remembered(TypedDict):
    """The answer to `remember`."""

    id: str
    """Stable id of the memory."""
    handle: str
    """Short name, such as `#a1b2c3`."""
    action: str
    """`added`, or, if the same text was there in the same scope, `skipped`, or `updated` if its tier or its end is now another one; the id is then that one's."""
    text: str
    """The text as it came."""
    kind: str
    """`insight`, `decision`, …"""
    tags: list[str]
    """Tags, as given."""
    tier: str
    """`long_term`, `rule` or `working`."""
    expires_at: str | None
    """From when on it is not found any more; `null` if it does not expire."""
    importance: int
    """1 (trivial) to 5 (vital)."""
    occurred_at: str
    """When it happened or was said."""
    source: str
    """Id of its source, such as `s4`."""
    entities: list[Mention]
    """What it mentions."""
    edges_created: EdgeTally
    """Edges that the write made."""
    diff: Diff
    """How it looks beside the most similar memory; a suggestion that changed nothing."""
    semantic_candidates: list[SemanticCandidate]
    """Memories that are like it, for the caller to judge and link."""
    causal_candidates: list[CausalCandidate]
    """Memories that may have caused it or followed from it, for the caller to judge and link."""
    flags: list[str]
    """Why the text calls for care: `secret` (a key or password), `instructions` (orders to a model that reads it)."""
    embedded: bool
    """It has a vector."""
    effective_importance: float
    """Importance now, by the formula of `gc`."""
    warnings: list[Warning]
    """What the verifier noticed."""


class Rollout(TypedDict):
    """How the rollout of the graph stands."""

    mode: str
    """`off`, `shadow`, `canary` or `on`."""
    updated_at: str | None
    """When it was chosen; `null` if nobody ever did."""
    updated_by: str | None
    """Who chose it."""
    enabled: bool
    """The setting `recall.graph`."""
    recommended: str
    """What is advised next."""
    rationale: str
    """Why."""
    gate: QualityGate
    """May the graph answer in `canary`?"""
    stages: list[RolloutStage]
    """On the way to `on`."""
    goals: list[RolloutGoal]
    """Measured values of the last closed window, and where they should be."""
    ready_windows: int
    """Closed windows in a row that were ready for the next stage."""
    ready_windows_wanted: int
    """How many of them make a step safe."""
    autopilot: bool
    """Always false: a person sets the mode."""
    alarms: list[Alarm]
    """What a person should look at, the worst first."""
    window_hours: float
    """Width of a window."""
    windows: list[RolloutWindow]
    """What was counted, latest first; the first may still be open."""
    incidents: list[Incident]
    """Failures of the graph, latest first."""


class RolloutGoal(TypedDict):
    """One measured value and where it should be."""

    metric: str
    """What is measured."""
    comparator: str
    """`>=` or `<=`."""
    target: float
    """Where it should be."""
    current: float
    """Where it is."""
    ready: bool
    """Met."""


class RolloutStage(TypedDict):
    """One stage on the way to `on`."""

    stage: str
    """`shadow`, `canary` or `default_on`."""
    ready: bool
    """It may be entered."""
    required_samples: int
    """Runs that it takes."""
    current_samples: int
    """Runs that there were."""
    blockers: list[str]
    """What is missing, such as `MIN_SHADOW_EXECUTIONS_NOT_MET`."""


class RolloutTrace(TypedDict):
    """Which strategy was asked for, which answered, and why."""

    id: str
    """Names this answer for `feedback`, such as `q-3f2a90c1d4e5`."""
    mode: str
    """`off`, `shadow`, `canary` or `on`."""
    requested: str
    """`baseline` or `hybrid_graph`."""
    applied: str
    """`baseline` or `hybrid_graph`."""
    selection: str
    """Who chose what is requested: `request` or `policy_default`."""
    fallback_reason: str | None
    """Why the graph was requested and not applied: `feature_flag_disabled`, `rollout_off`, `shadow_mode`, `quality_gate_blocked`, `graph_expansion_error` or `rollout_guardrail`."""
    gate: str | None
    """In `canary`: `open`, `blocked` or `half_open`."""
    probe: bool
    """A gate that is half open let this request through."""
    shadow_executed: bool
    """The graph ran, and this answer does not hold what it found."""
    baseline_candidates: int
    """Memories that the baseline scored."""
    graph_candidates: int
    """Memories that the walk over the graph reached."""
    graph_expanded_count: int
    """Results at the end of a path over the graph."""


class RolloutWindow(TypedDict):
    """What was counted in a window."""

    start: str
    """Its first moment."""
    end: str
    """The first moment after it."""
    closed: bool
    """It has ended."""
    requests: int
    """Answered recalls."""
    hybrid_requested: int
    """Of those, the graph was asked for."""
    hybrid_applied: int
    """Of those, it was applied."""
    canary_applied: int
    """Of those, in `canary`."""
    shadow_executions: int
    """Runs of the graph behind an answer of the baseline."""
    held: int
    """Requests that the mode, the gate or a setting held back: no failures."""
    graph_errors: int
    """The graph failed where it was to answer."""
    shadow_errors: int
    """The graph failed in shadow."""
    error_rate: float
    """Share of the runs of the graph that failed."""
    fallback_rate: float
    """Share of the requests for the graph that failed, of those that nobody held back."""
    coverage: float
    """Share of the runs that brought a result."""
    avg_graph_candidates: float
    """Memories that the walk reached, on average."""
    avg_graph_expanded_count: float
    """Results that the graph brought, on average."""
    overlap: float | None
    """Share of the baseline's results that the graph kept, where both were made."""
    judged: int
    """Judged questions, and nDCG@10 of the graph minus that of the baseline on them."""
    relevance_gain: float | None
    """See `judged`."""
    good_graph: int
    """Feedback on results in whose place the graph had a part."""
    bad_graph: int
    """See `good_graph`."""
    good_baseline: int
    """Feedback on other results."""
    bad_baseline: int
    """See `good_baseline`."""
    baseline_ms: float | None
    """Mean time of an answer without the graph."""
    graph_ms: float | None
    """Mean time of an answer with it."""


class Rule(TypedDict):
    """A standing rule or preference of a scope."""

    id: str
    """Stable id."""
    handle: str
    """Short name, such as `#a1b2c3`."""
    text: str
    """The text as it came."""
    kind: str
    """`preference`, `decision`, …"""
    tags: list[str]
    """Tags, as given."""
    importance: int
    """1 (trivial) to 5 (vital)."""
    user: str | None
    """Whose it is; `null` is everybody's."""
    project: str | None
    """What it is about; `null` is everything."""
    occurred_at: str
    """When it was said."""
    expires_at: str | None
    """From when on it does not hold any more."""
    flags: list[str]
    """Why the text calls for care: `secret` (a key or password), `instructions` (orders to a model that reads it)."""
    relevance: float
    """How much it has to do with the question, 0..=1."""
    relevant: bool
    """It passes the floor that results are held against."""


class SemanticCandidate(TypedDict):
    """A memory that is like the new one."""

    id: str
    """Stable id."""
    handle: str
    """Short name."""
    text: str
    """Its text."""
    kind: str
    """Its kind."""
    similarity: float
    """Cosine, or the share of common words where there are no vectors; 0..=1."""
    auto_linked: bool
    """An edge was made already."""
    reason: str
    """Why it is offered."""


class Signal(TypedDict):
    """One named summand of a score."""

    name: str
    """What was measured."""
    value: float
    """The measured value, usually 0..=1."""
    share: float
    """What it adds to the score; the shares of a result sum to its score."""


class Source(TypedDict):
    """Where memories came from."""

    id: str
    """Number in the workspace, such as `s4`."""
    kind: str
    """`agent`, `file`, `page`, `chat`, `code`, `tracker` or `import`."""
    origin: str
    """A path, an address, an agent's name."""
    title: str | None
    """Title of the document."""
    language: str | None
    """Language that it says it is written in, such as `en` or `pt-BR`."""
    tags: list[str]
    """Tags of the source."""
    created_at: str
    """When it was first read."""
    updated_at: str
    """When it last changed."""
    deleted_at: str | None
    """When it was removed, if it was."""


class SourceContent(TypedDict):
    """The answer to `sources show`."""

    source: SourceView
    """The source and its numbers."""
    memories: list[Memory]
    """Its memories, in order."""


class SourceRef(TypedDict):
    """The source of a result."""

    id: str
    """Number in the workspace, such as `s4`."""
    kind: str | None
    """`agent`, `file`, `chat`, …; `null` if it is not known any more."""
    origin: str | None
    """A path, an address, an agent's name; `null` if it is not known any more."""
    trust: str | None
    """`web` for pages, which anybody may have written, else `own`; `null` if it is not known any more."""
    title: str | None
    """Title of the document."""


class SourceView(TypedDict):
    """A source with what it brought."""

    source: Source
    """The source."""
    memories: int
    """Memories from it."""
    entities: int
    """Entities that they mention."""
    edges: int
    """Edges that they brought."""


class Span(TypedDict):
    """First and last line of a passage in its source, counted from 1."""

    first: int
    """First line."""
    last: int
    """Last line."""


class Status(TypedDict):
    """The answer to `status`."""

    path: str | None
    """The database file; `null` for callers with a key."""
    revision: int
    """Number of the last change."""
    counts: Counts
    """What is in it."""
    bytes: int
    """Size of the database in bytes."""
    stored_model: str | None
    """The model that made the stored vectors."""
    embedder: str
    """The embedder in use."""
    top_entities: list[Hub]
    """The best connected entities."""
    earliest: str | None
    """The earliest time of a memory."""
    latest: str | None
    """The latest time of a memory."""
    open_warnings: int
    """Warnings of the verifier that nobody acknowledged."""


class Suggestion(TypedDict):
    """Two entities that may be one."""

    id: str
    """Number in the workspace, such as `p3`; `merges --apply` and `--dismiss` take it."""
    kept: Entity
    """The entity that would be kept."""
    merged: Entity
    """The entity that would be merged into it."""
    likeness: float
    """Cosine of the two names, -1..=1."""
    reason: str
    """Why they may be one."""
    at: str
    """When it was found."""
    state: str
    """`open`, `applied` or `dismissed`."""


class TimeReading(TypedDict):
    """An expression of time and the span it stands for."""

    words: str
    """The words."""
    interval: Interval
    """The span."""


class Timeline(TypedDict):
    """The answer to `timeline`."""

    before: list[Memory]
    """What came before the anchor, in order of time."""
    anchor: Memory | None
    """The memory that was asked about."""
    after: list[Memory]
    """What came after it, or everything where there is no anchor."""


class Understanding(TypedDict):
    """How a question was understood."""

    intent: str
    """`why`, `when`, `entity` or `general`."""
    intent_confidence: float
    """0..=1."""
    terms: list[str]
    """Words searched for, folded and cut to their stem."""
    entities: list[Entity]
    """Entities of the store that the question names."""
    times: list[TimeReading]
    """Expressions of time and what they stand for."""
    language: str
    """Language of the question, such as `english`."""


class Unlinked(TypedDict):
    """The answer to `unlink`."""

    removed: list[Edge]
    """The edges that were removed."""


class Unmerged(TypedDict):
    """The answer to `merge --undo`."""

    merge: Merge
    """What was undone."""
    kept: Entity
    """The entity that was kept, as it is now."""
    merged: Entity
    """The entity that is back."""
    edges: int
    """Edges that went back."""
    facts: int
    """Facts that went back."""
    inseparable: list[str]
    """What could not be told apart, in sentences."""


class Verified(TypedDict):
    """The answer to `verify`, with `--list` too."""

    warnings: list[Warning]
    """What was noticed; empty means sound. Those that were acknowledged are among them if they were asked for."""
    acknowledged: int
    """How many were acknowledged, shown or not."""


class Warning(TypedDict):
    """Something the verifier noticed; it never stops a write."""

    id: str
    """Stable id, such as `w-3f2a90c1d4e5`: of the rule and what it is about."""
    code: str
    """`causal_cycle`, `caused_and_prevented` or `external_base`."""
    message: str
    """What was noticed, in a sentence."""
    edges: list[str]
    """Ids of the edges concerned."""
    first_seen: str
    """When it was first seen."""
    acknowledged: Acknowledged | None
    """Who knows of it and leaves it as it is; `null` while it is open."""


class Why(TypedDict):
    """The answer to `why`."""

    start: NodeRef
    """The memory or entity that was asked about."""
    causes: list[WhyStep]
    """What led to it, nearest first."""
    consequences: list[WhyStep]
    """What followed from it, nearest first."""
    cycles: list[list[str]]
    """Ids of edges that close a circle of causes; they are reported, not followed."""
    truncated: bool
    """The walk stopped at its budget."""


class WhyStep(TypedDict):
    """One cause or consequence with the way to it."""

    node: NodeRef
    """The cause or consequence."""
    depth: int
    """Steps from the start."""
    confidence: float
    """Product of the steps' confidences, 0..=1."""
    hops: list[Hop]
    """In causal order: from the cause to the start, or from the start to the consequence."""
    prevents: bool
    """Some step prevents instead of causing."""

EntityDraft = Union[str, NamedEntity]
"""`"Redis"`, `"Redis:tool"` or `{"name": "get", "type": "function", "key": "http::get"}`."""

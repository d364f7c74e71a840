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
    "AlsoIn",
    "Answered",
    "BuiltGraphs",
    "BulkEstimate",
    "CausalCandidate",
    "Chain",
    "Changed",
    "Cited",
    "ComparedRecall",
    "ComparedRecalls",
    "Context",
    "Counts",
    "Credited",
    "Diff",
    "Draft",
    "Edge",
    "EdgeTally",
    "EnrichEstimate",
    "EnrichWait",
    "Enriched",
    "Entity",
    "EntityDraft",
    "EntityView",
    "Erasure",
    "ErasureCounts",
    "Evidence",
    "Fact",
    "FactConflict",
    "Feedback",
    "FeedbackGiven",
    "FirstResult",
    "Forgotten",
    "GateReason",
    "GcCandidate",
    "GivenMemory",
    "GraphLayout",
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
    "JudgedMerges",
    "KindTally",
    "LastJob",
    "Linked",
    "LoggedRecall",
    "Memory",
    "Mention",
    "MentionedEntity",
    "Merge",
    "MergeLog",
    "MergeScan",
    "Merged",
    "ModelFailure",
    "ModelUse",
    "NamedEntity",
    "NodeRef",
    "Note",
    "Offer",
    "Path",
    "QualityGate",
    "Recall",
    "RecallLog",
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
    "SourceGraph",
    "SourceRef",
    "SourceView",
    "Span",
    "Standing",
    "Statement",
    "Status",
    "StrategyAnswer",
    "Suggestion",
    "TimeReading",
    "Timeline",
    "Translation",
    "Understanding",
    "Unlinked",
    "Unmerged",
    "UpdateCandidate",
    "Usage",
    "UsageRow",
    "UsageToday",
    "UsageTotal",
    "Verified",
    "Warning",
    "Why",
    "WhyStep",
    "Withheld",
]


class Acknowledged(TypedDict):
    """The acknowledgement of a warning."""

    at: str
    """When."""
    by: str
    """Who: `user`, or the name of a key."""
    note: str | None
    """Why."""


class Alarm(TypedDict):
    """An alarm that needs attention."""

    code: str
    """Such as `HIGH_FALLBACK_RATE`."""
    severity: str
    """`info`, `warning` or `critical`."""
    message: str
    """In words."""
    triggered_at: str
    """When it was seen."""


class AlsoIn(TypedDict):
    """Another source with the text of a result."""

    id: str
    """Id of the memory there."""
    handle: str
    """Its short name."""
    source: SourceRef
    """Its source."""
    cite: str | None
    """Where a person finds it: see `cite` of a result."""
    heading: list[str]
    """Headings above it, outermost first."""
    lines: Span | None
    """Lines in the source."""


class Answered(TypedDict):
    """The answer of a language model to a question, from memories."""

    query: str
    """The question as it was asked."""
    text: str | None
    """The statements as one text with their citations; `null` if there are none."""
    statements: list[Statement]
    """What the model says, sentence by sentence."""
    supported: bool
    """Whether there are statements and each of them cites a memory that was sent."""
    cited: list[Cited]
    """The cited memories, in the order of their first citation."""
    withheld: list[Withheld]
    """What was found and not sent, and why."""
    abstained: str | None
    """Why there are no statements, although the model did not fail."""
    truncated: bool
    """Whether the reply was cut at `model.max_output_tokens`: statements may be missing."""
    failure: ModelFailure | None
    """Why the model gave no answer; `null` if it gave one. The memories are in `recall` nevertheless."""
    model: ModelUse
    """The model, and what the answer took."""
    recall: Recall
    """What was found, as `recall` answers."""


class BuiltGraphs(TypedDict):
    """The answer to `build-graphs`."""

    temporal_total: int
    """Total number of temporal edges between consecutive memories. Those within a source are derived when read; others are stored."""
    temporal_added: int
    """Stored temporal edges added."""
    temporal_removed: int
    """Stored temporal edges removed because another memory now lies between their ends."""
    semantic_added: int
    """Semantic edges that were added."""
    semantic_total: int
    """Total number of semantic edges."""
    topics_added: int
    """Edges added from memories that had none to the topics of their tags."""


class BulkEstimate(TypedDict):
    """What `merges --judge` or `reindex --embed` would send, at most."""

    items: int
    """Pairs of entities, or texts."""
    calls: int
    """Requests."""
    input_tokens: int
    """Tokens to send."""
    output_tokens: int
    """Tokens of replies."""
    cost: float | None
    """In the currency of the prices; `null` if no price is set."""


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
    """Distance in the graph, 1 or 2; 0 if it is farther away."""
    via_edge: str
    """Kind of the edge it was reached by; else `latest`, or `alike` (common words or a near vector)."""
    causal_signal: float
    """Share of common words, 0..=1."""
    probability: float
    """How likely the two are cause and effect, 0..=1; the candidates are ordered by it."""
    suggested_sub_type: str
    """`causes`, `enables` or `prevents`."""
    candidate_is_cause: bool
    """`true` if the candidate would be the cause and the new memory the effect."""
    reason: str
    """Why it is suggested."""
    offer: str | None
    """Id of the offer, such as `o12`; `forget` refuses it for good. `null` if it could not be kept."""


class Chain(TypedDict):
    """A causal chain between results."""

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
    """Ids of new and changed memories, including forgotten ones."""
    handles: list[str]
    """Their handles, in the same order."""
    entities: list[str]
    """Canonical ids of entities that are new or changed."""
    edges: list[str]
    """Ids of edges that are new or changed."""
    removed_edges: list[str]
    """Ids of edges that were removed."""


class Cited(TypedDict):
    """A cited memory."""

    handle: str
    """Short name, such as `#a1b2c3`."""
    id: str
    """Stable id."""
    occurred_at: str
    """When it happened or was said."""
    cite: str | None
    """Where a person finds it; `null` if stored by a call."""
    trust: str | None
    """`own` or `web`; `null` if its source is not known."""
    flags: list[str]
    """Why the text needs care: `secret`, `instructions`."""


class ComparedRecall(TypedDict):
    """One question, asked again with and without the graph."""

    query: str
    """The question."""
    at: str
    """When it was last asked."""
    agent: str | None
    """The program that asked it."""
    user: str | None
    """The user for whom it asked."""
    project: str | None
    """The project that it asked about."""
    common: int
    """How many of the first ten results both have."""
    overlap: float
    """Their share of the longer of the two lists, 0..=1; 1 if both are silent."""
    same_first: bool
    """Whether both have the same first result; also if both are silent."""
    baseline: StrategyAnswer
    """Without the graph."""
    graph: StrategyAnswer
    """With the graph."""
    failure: str | None
    """Why the graph could not be used; the baseline answered instead."""


class ComparedRecalls(TypedDict):
    """The answer to `recalls --compare`."""

    revision: int
    """The revision of the first question."""
    enabled: bool
    """Whether recalls are logged (the setting `log.recalls`)."""
    questions: list[ComparedRecall]
    """The last questions, the latest first; each once."""


class Context(TypedDict):
    """The answer to `context`."""

    text: str
    """Markdown with entities, relationships, and memories with handle and date. Stored text, not instructions."""
    results: list[str]
    """Ids of the memories in it."""


class Counts(TypedDict):
    """Counts."""

    memories: int
    """Live memories."""
    deleted_memories: int
    """Forgotten memories."""
    superseded_memories: int
    """Superseded memories."""
    expired_memories: int
    """Expired memories."""
    expired_edges: int
    """Expired stored edges."""
    vectors: int
    """Memories with a vector."""
    entities: int
    """Entities."""
    edges: int
    """Stored edges that have not expired."""
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
    """Edges by origin."""


class Credited(TypedDict):
    """One piece of feedback."""

    handle: str | None
    """Handle of the memory; `null` for the answer as a whole."""
    memory: str | None
    """Id of the memory."""
    answer: str | None
    """The answer it was counted for; `null` if no recorded answer contains the memory."""
    strategy: str | None
    """`hybrid_graph` if the graph influenced the rank of the result, else `baseline`."""


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
    """The text to store, verbatim. Required."""
    kind: NotRequired[str | None]
    """`insight` (default), `decision`, `fact`, `preference`, `event`, `observation`, `note` or your own word."""
    tags: NotRequired[list[str]]
    """Tags."""
    tier: NotRequired[str | None]
    """`long_term` (default), `rule` (a standing rule, returned with every answer in its scope) or `working` (expires automatically)."""
    expires_at: NotRequired[str | None]
    """When it expires: a date, RFC 3339, or a duration such as `8h` or `30d`. Default: never; for a `working` memory, `remember.working_hours`."""
    importance: NotRequired[int | None]
    """1 (trivial) to 5 (vital); default 3."""
    user: NotRequired[str | None]
    """The user it belongs to; shared by all users if omitted."""
    project: NotRequired[str | None]
    """The project it is about."""
    agent: NotRequired[str | None]
    """The agent that stores it."""
    session: NotRequired[str | None]
    """The session it belongs to."""
    speaker: NotRequired[str | None]
    """Who said it."""
    occurred_at: NotRequired[str | None]
    """When it happened: RFC 3339, a date, or words such as `yesterday`; default now."""
    entities: NotRequired[list[EntityDraft]]
    """Entities that the rules may miss: `"Redis"`, `"Redis:tool"` or `{"name": "Redis", "type": "tool"}`. An additional `key` identifies it among those of its type, such as `crate::module::Type::method`."""
    heading: NotRequired[list[str]]
    """Headings above it, outermost first."""
    lines: NotRequired[Span | None]
    """`{"first": 3, "last": 9}`: lines in the source."""
    ordinal: NotRequired[int | None]
    """Position in its source and session; default after the last."""
    supersedes: NotRequired[str | None]
    """Id or handle of the memory that this memory replaces."""


class Edge(TypedDict):
    """A stored edge with both ends spelled out."""

    id: str | None
    """Id in the workspace, such as `e12`; `null` if it is derived when read."""
    source: NodeRef
    """Its start."""
    target: NodeRef
    """Its end."""
    kind: str
    """Kind of the edge, a word of the catalogue."""
    label: str
    """Sub-type or relation label; empty where the kind has none."""
    family: str
    """Which question it answers: `temporal`, `entity`, `causal`, `semantic`."""
    weight: float
    """Weight, 0..=1; for relations, from the number of times they were stated."""
    confidence: float
    """Current confidence, 0..=1: the confidence at its last evidence, decayed since."""
    stored_confidence: float
    """Stored confidence, before decay."""
    provenance: str
    """Origin: `user`, `static`, `import`, `llm`, `embedding`, `rule`."""
    keywords: list[str]
    """Words that language models gave for a relation; filled where one edge is shown, empty in lists."""
    evidence: list[Evidence]
    """Why it is believed."""
    created_at: str
    """When it was first stored."""
    touched_at: str
    """When it last gained evidence."""
    expires_at: str | None
    """When it stops being true, if that is known."""


class EdgeTally(TypedDict):
    """Number of edges by the question they answer."""

    temporal: int
    """When."""
    entity: int
    """Entities."""
    causal: int
    """Why."""
    semantic: int
    """Similarity."""


class EnrichEstimate(TypedDict):
    """What a run would send, at most: replies as long as `model.max_output_tokens`."""

    memories: int
    """Unread memories, each once for each task."""
    withheld: int
    """Memories that would not be sent, because they belong to a user; each once."""
    observes: bool
    """Whether conversations are read: what is written about them is read in the same run, and is not counted here."""
    calls: int
    """Requests."""
    input_tokens: int
    """Tokens to send."""
    output_tokens: int
    """Tokens of replies."""
    cost: float | None
    """In the currency of the prices; `null` if no price is set."""


class EnrichWait(TypedDict):
    """Memories that could not be read yet."""

    task: str
    """The task."""
    memories: int
    """How many."""
    reason: str
    """`leased` (another run has them, or had them when it was killed), `not_over` (their conversation is read an hour after its last turn)."""
    until: str
    """When the first of them can be read."""


class Enriched(TypedDict):
    """The answer to `enrich`."""

    estimate: EnrichEstimate | None
    """What it would take; `null` unless only that was asked."""
    memories: int
    """Memories that were read, refused or withheld in this run, each once for each task."""
    entities: int
    """Entities that did not exist before."""
    mentions: int
    """Mentions that were added or confirmed."""
    relations: int
    """Relations between entities."""
    links: int
    """Edges between memories."""
    facts: int
    """Facts."""
    observations: int
    """Memories that were written about conversations."""
    evolved: int
    """Notes of earlier memories that a new one changed."""
    summaries: int
    """Entities whose summary is new or changed."""
    dropped: int
    """Names that their memory does not contain, and impossible edges: not stored."""
    skipped: int
    """Parts of replies that could not be read."""
    without: dict[str, int]
    """Memories without a result, by reason: `refused`, `unreadable`, `withheld`. `enrich --retry` asks again."""
    left: dict[str, int]
    """Memories that are left, by task."""
    waits: list[EnrichWait]
    """What of it has to wait, and for what."""
    calls: int
    """Requests that were sent."""
    input_tokens: int
    """Tokens that were sent."""
    output_tokens: int
    """Tokens that were received."""
    cost: float | None
    """In the currency of the prices; `null` if no price is set."""
    failure: ModelFailure | None
    """Why the run ended early; `null` if it did not. What is left stays queued."""


class Entity(TypedDict):
    """An entity: a named thing."""

    id: str
    """Canonical id: type and key, such as `tool:redis`; unique."""
    name: str
    """The name as first written."""
    type: str
    """`person`, `org`, `repo`, `concept`, `tool`, `location`, `event`, `goal`, `task`, `file`, `module`, `function`, `type`, `external`, `topic`, `date` or `custom`."""
    key: str | None
    """Identifies it among entities of its type; `null` if the name does."""
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
    """Memories that mention it, latest first, up to the requested number."""
    mention_count: int
    """How many memories mention it."""
    facts: list[Fact]
    """Facts about it."""
    neighbourhood: list[Related]
    """Entities within the requested distance, through relations and shared memories."""


class Erasure(TypedDict):
    """The receipt of an erasure. It holds no text and no name."""

    id: str | None
    """Id in the workspace, such as `x3`; `null` with `--dry-run`."""
    kind: str
    """`memory`, `source`, `entity` or `user`."""
    at: str
    """When."""
    by: str
    """Who requested it."""
    revision_before: int
    """The revision before."""
    revision_after: int
    """The revision without it."""
    finished_at: str | None
    """When it was removed from every file of the workspace; `null` while that is pending."""
    counts: ErasureCounts
    """What was removed and what was kept."""
    found: int | None
    """Number of items listed as removed that still exist: 0 is sound. `null` if not checked."""


class ErasureCounts(TypedDict):
    """The result of an erasure, in numbers."""

    memories: int
    """Texts with their tags, hidden ones too."""
    vectors: int
    """Their vectors."""
    entities: int
    """Entities."""
    sources: int
    """Requested sources, and sources left without memories."""
    edges: int
    """Edges."""
    facts: int
    """Facts."""
    evidence: int
    """Pieces of evidence of edges and facts that others support as well."""
    spellings: int
    """Names of kept entities that only erased texts used."""
    merges: int
    """Merges in the log that were removed or rewritten."""
    job_rows: int
    """Rows of jobs."""
    replies: int
    """Kept replies of language models to which an erased text was sent."""
    recalls: int
    """Entries of the log of recalls that named or quoted something erased."""
    copies: int
    """Copies of the database that were removed."""
    same_texts: int
    """Other memories with the same text. They are kept."""
    mentioning: int
    """Texts that mention an erased entity. They are kept."""


class Evidence(TypedDict):
    """Why an edge or a fact is believed."""

    memory: str | None
    """Id of the memory that states it; `null` if a caller stated it without one."""
    quote: str | None
    """The words that state it."""
    reason: str | None
    """What the rule, model or caller gave as its reason."""
    at: str
    """When it was stated."""


class Fact(TypedDict):
    """A fact: subject, predicate, object, with the time it was valid and the time it was known."""

    id: str
    """Id in the workspace, such as `f3`."""
    subject: NodeRef
    """The subject."""
    predicate: str
    """`adopted`, `migrated_to`, `deployed_to`, `runs_on`, `replaced`, `depends_on`, `integrates_with`, `uses`, `prefers`, `avoids`, `caused_by`, `resolved_by` or `owned_by`."""
    object: str
    """Name of the object, or the literal itself."""
    object_node: NodeRef | None
    """The object as a node; `null` for a literal."""
    valid_from: str | None
    """When it became true, if known."""
    valid_to: str | None
    """When it stopped being true, if it did."""
    recorded_at: str
    """When it was stored."""
    superseded_at: str | None
    """When it was withdrawn."""
    ended_at: str | None
    """When a person set its end; `null` if no one did. A language model never reopens it then."""
    confidence: float
    """0..=1."""
    current: bool
    """Whether it is valid at the requested time."""
    contradicts: list[str]
    """Ids of contradicting facts that are valid at the same time."""
    user: str | None
    """The user who sees it; all users if there is none."""
    project: str | None
    """The project it is about; `null` if none in particular."""
    evidence: list[Evidence]
    """Why it is believed."""


class FactConflict(TypedDict):
    """Two facts that cannot both hold: one thing in two states at one time, or preferred and avoided."""

    first: Fact
    """The one that was stored earlier."""
    second: Fact
    """The other one."""


class Feedback(TypedDict):
    """How feedback was counted."""

    good: bool
    """The given rating."""
    credited: list[Credited]
    """Piece by piece."""


class FeedbackGiven(TypedDict):
    """Feedback as a client sends it: `{"answer": "q-…", "memories": ["#a1b2c3"], "good": true}`; one of the first two may be left out."""

    answer: NotRequired[str | None]
    """Id of an answer (`rollout.id`)."""
    memories: NotRequired[list[str]]
    """Handles or ids of its results; empty rates the whole answer. If no answer is given, each result counts for the latest answer that contains it."""
    good: bool
    """Whether they helped."""


class FirstResult(TypedDict):
    """The first result of a strategy."""

    id: str
    """Stable id."""
    handle: str
    """Short name."""
    excerpt: str
    """The start of its text."""
    score: float
    """Its score, 0..=1."""


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
    offers: list[str]
    """Ids of offers that were refused, or are open again."""
    suggestions: list[str]
    """Ids of suggested merges that are open again."""
    edges_hidden: int
    """Edges of hidden nodes: kept but not followed, until a restore."""


class GateReason(TypedDict):
    """One reason for a verdict of the gate."""

    code: str
    """Such as `GRAPH_ERROR_RATE_ABOVE_LIMIT`."""
    blocking: bool
    """It blocks the gate; otherwise it is a warning."""
    value: float
    """What was measured."""
    limit: float
    """Where it should stay."""


class GcCandidate(TypedDict):
    """A memory that could be removed; nothing is deleted."""

    memory: Memory
    """The memory."""
    effective_importance: float
    """Current importance: the given importance, use and connections, decayed with age."""
    degree: int
    """How many edges it has."""
    reason: str
    """Why it is listed."""


class GivenMemory(TypedDict):
    """A memory that a recall gave."""

    id: str
    """Stable id."""
    handle: str
    """Short name."""
    score: float
    """Its score in that answer, 0..=1."""


class GraphLayout(TypedDict):
    """How far the layout of the graph is."""

    state: str
    """`none`, `running` or `ready`; one that is computed anew is `running` again."""
    revision: int | None
    """Number of the change up to which the last finished layout knows the graph."""
    share: float
    """The finished part, 0 to 1."""
    nodes: int
    """Nodes of the last finished layout."""
    communities: int
    """Its communities."""
    seconds: float
    """How many seconds it took."""


class Health(TypedDict):
    """The answer to `doctor`."""

    sound: bool
    """Whether the workspace is sound."""
    problems: list[str]
    """Problems, in sentences."""
    checked: list[str]
    """What was checked."""
    repaired: list[str]
    """Problems that were repaired (`doctor --repair`), in sentences."""
    quarantine: str | None
    """The file with the original rows that were removed or changed; `null` if there were none."""


Hop = TypedDict(
    "Hop",
    {
        # Where the step starts.
        "from": "NodeRef",
        # Its end.
        "to": "NodeRef",
        # Kind of the edge, a word of the catalogue such as `causal` or `mentions`.
        "kind": "str",
        # The edge's sub-type or relation label; empty where the kind has none.
        "label": "str",
        # How the step reads from `from` to `to`, such as `mentions`, `caused by`, `depends_on`.
        "reads": "str",
        # Which question the edge answers: `temporal`, `entity`, `causal`, `semantic`.
        "family": "str",
        # `true` if the edge runs from `from` to `to`; `false` if it is walked against its direction.
        "forward": "bool",
        # Weight of the edge, 0..=1; for relations, from the number of times they were stated.
        "weight": "float",
        # Confidence in the edge, 0..=1, decayed to the time of the question.
        "confidence": "float",
        # Origin: `user`, `static`, `import`, `llm`, `embedding`, `rule`.
        "provenance": "str",
        # Hours between both ends of a step in time; `null` for other steps.
        "hours": "float | None",
        # When the edge expires; `null` if it does not.
        "expires_at": "str | None",
        # Id of the edge (`e12`); `null` if it is derived from times or positions and not stored.
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
    """Whether the graph ran in shadow only, for measurements."""
    message: str
    """In words."""


class IngestFailure(TypedDict):
    """A file that could not be read, or a part of it."""

    path: str
    """The file."""
    code: str
    """Stable code of the error."""
    message: str
    """What was wrong with it."""
    partly: bool
    """Whether the rest of it was read."""


IngestRename = TypedDict(
    "IngestRename",
    {
        # Its former path.
        "from": "str",
        # Its current path.
        "to": "str",
    },
)
"""A renamed file."""


class Ingested(TypedDict):
    """The answer to `ingest`."""

    sources: int
    """Sources that were read."""
    source_ids: list[str]
    """Ids of the sources that hold a text, document or page that was sent, such as `s4`. Files of a folder are named by their paths instead."""
    unchanged: int
    """Sources whose content had not changed."""
    added: int
    """Memories added."""
    flagged: int
    """Of those, memories whose text needs care: it contains a key or password, or instructions to a model."""
    kept: int
    """Memories that the same source already contained."""
    skipped: int
    """Texts that another source of the same scope already contains."""
    removed: int
    """Memories that are no longer in their source."""
    entities: int
    """Entities added."""
    edges: int
    """Edges added."""
    warnings: int
    """Open warnings of the verifier about the additions; `griot verify --list` shows them."""
    renamed: list[IngestRename]
    """Renamed files; their memories are kept."""
    pruned: list[str]
    """Sources removed because their file is gone (`--prune`)."""
    missing: list[str]
    """Sources that keep their memories although their file is gone; `prune` forgets them."""
    forgotten: list[str]
    """Ids of sources that were left out because they were forgotten; `restore` brings them back."""
    unread: dict[str, int]
    """Number of files of kinds that are not read, by the end of their name, such as `.png`."""
    failed: list[IngestFailure]
    """Files that could not be read, and what was wrong with files that were."""
    interrupted: bool
    """Whether the user stopped it before the end."""


class Interval(TypedDict):
    """A span of time: `start` belongs to it, `end` does not."""

    start: str
    """First moment."""
    end: str
    """First moment after it."""


class Job(TypedDict):
    """A durable job: an ingestion, a crawl, a refresh."""

    id: str
    """Id in the workspace, such as `j3`."""
    kind: str
    """`ingest`, `crawl` or `refresh`."""
    state: str
    """`queued`, `running`, `paused`, `done`, `failed` or `cancelled`."""
    target: str
    """The target, such as a URL."""
    counts: JobCounts
    """Its progress."""
    errors: list[JobError]
    """Failures by URL or path; at most 100."""
    every_hours: float | None
    """Hours after its end until it is repeated; `null` if it is not."""
    created_at: str
    """When it was requested."""
    updated_at: str
    """When it last made progress."""


class JobCounts(TypedDict):
    """Progress of a job."""

    discovered: int
    """Known pages or files."""
    fetched: int
    """Pages fetched, with content or as unchanged."""
    processed: int
    """Of those, pages that are completely processed."""
    stored: int
    """Pages or files whose text was stored."""
    unchanged: int
    """Pages or files that had not changed."""
    duplicates: int
    """Pages with the same content as another page."""
    skipped: int
    """Skipped pages: by robots.txt, type of file, or a limit."""
    gone: int
    """Missing pages, and missing files that were forgotten."""
    failed: int
    """Pages or files that could not be fetched or read."""
    dropped: int
    """URLs dropped because of the limits."""
    memories: int
    """Memories added."""
    entities: int
    """Entities added."""
    edges: int
    """Edges added."""
    removed: int
    """Memories removed because their page or file changed or is gone."""


class JobError(TypedDict):
    """The failure of one page or file."""

    url: str
    """Its address, or the file's path."""
    error: str
    """Why."""


class JudgedMerges(TypedDict):
    """The answer to `merges --judge`."""

    estimate: BulkEstimate | None
    """What it would take; `null` unless only that was asked."""
    pairs: int
    """Pairs of entities that the model decided about."""
    merged: list[Merge]
    """Merges; each can be undone."""
    different: int
    """Pairs that are two things, and are not suggested again."""
    unsure: int
    """Pairs that are suggested to a person."""
    left: int
    """Pairs that are left."""
    calls: int
    """Requests that were sent."""
    input_tokens: int
    """Tokens that were sent."""
    output_tokens: int
    """Tokens that were received."""
    cost: float | None
    """In the currency of the prices; `null` if no price is set."""
    failure: ModelFailure | None
    """Why it ended early; `null` if it did not."""


class KindTally(TypedDict):
    """The sources of one kind of origin."""

    kind: str
    """`memory` (remembered, or in a memory file), `manual` (ingested) or `crawl` (pages)."""
    sources: int
    """How many."""
    updated_at: str
    """When one of them was last read, or last got a memory."""


class LastJob(TypedDict):
    """The state of the last job of a source."""

    id: str
    """Id in the workspace, such as `j3`."""
    kind: str
    """`ingest`, `crawl` or `refresh`."""
    state: str
    """`queued`, `running`, `paused`, `done`, `failed` or `cancelled`."""
    error: str | None
    """Why it failed."""
    updated_at: str
    """When it last made progress."""


class Linked(TypedDict):
    """The answer to `link`."""

    edge: Edge
    """The edge as stored."""
    created: bool
    """`true` if it is new; `false` if an existing edge gained evidence."""
    warnings: list[Warning]
    """Warnings of the verifier; the edge is stored nevertheless."""


class LoggedRecall(TypedDict):
    """A recall in the log."""

    at: str
    """When it was answered."""
    agent: str | None
    """The program that asked, by the name that it gives itself; `null` if it gave none."""
    key: str | None
    """Id of the key that it used; `null` on this machine."""
    user: str | None
    """The user for whom it asked."""
    project: str | None
    """The project that it asked about."""
    query: str
    """The question; at most 4000 characters of it."""
    strategy: str
    """The strategy that answered: `baseline` or `hybrid_graph`."""
    milliseconds: float
    """How long it took, in milliseconds."""
    silent: bool
    """Whether no memory was given."""
    results: list[GivenMemory]
    """The memories that were given, in their order."""


class Memory(TypedDict):
    """A memory as it is stored."""

    id: str
    """Stable id, a UUID of version 7."""
    handle: str
    """Short name, unique in the workspace, such as `#a1b2c3`."""
    text: str
    """The text, verbatim."""
    kind: str
    """`insight`, `decision`, `fact`, `preference`, `event`, `observation`, `note`, `passage`, `turn` or a custom word."""
    tags: list[str]
    """Tags, as given."""
    layer: str
    """`code`, `execution`, `knowledge` or `project`: follows from its type or kind."""
    tier: str
    """`long_term`, `rule` (a standing rule, returned with every answer in its scope) or `working` (expires automatically)."""
    importance: int
    """1 (trivial) to 5 (vital)."""
    user: str | None
    """The user it belongs to; `null` if all users share it."""
    project: str | None
    """The project it is about; `null` if none in particular."""
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
    cite: str | None
    """Where a person finds it, if it was shown or listed by itself: see `cite` of a result."""
    ordinal: int
    """Position in its source and session, from 0."""
    occurred_at: str
    """When it happened or was said."""
    recorded_at: str
    """When it was stored."""
    flags: list[str]
    """Why the text needs care: `secret` (contains a key or password), `instructions` (addresses a model that reads it), `written_by_model` (a language model wrote it about others; where a memory is shown or listed by itself, or recalled)."""
    expires_at: str | None
    """When it expires; `null` if it does not."""
    deleted_at: str | None
    """When it was forgotten, if it was."""
    superseded_by: str | None
    """Id of the memory that replaced it."""
    access_count: int
    """How often callers accessed this memory directly."""
    last_accessed_at: str | None
    """When a caller last accessed it directly."""


class Mention(TypedDict):
    """An entity that a memory mentions."""

    id: str
    """Canonical id, such as `tool:redis`."""
    name: str
    """Its name."""


class MentionedEntity(TypedDict):
    """An entity of a source."""

    entity: Entity
    """The entity."""
    mentions: int
    """How many memories of the source mention it."""


class Merge(TypedDict):
    """A merge of two entities."""

    id: str
    """Id in the workspace, such as `g3`; `merge --undo` takes it."""
    kept: Entity
    """The entity that was kept, as it was before."""
    merged: Entity
    """The entity that was merged into it, as it was before."""
    at: str
    """When."""
    by: str
    """Who: `user`, `rule` or `llm`."""
    reason: str | None
    """Why."""
    moved: int
    """Edges moved to the kept entity."""
    folded: int
    """Edges combined with an existing one."""
    dropped: int
    """Edges between the two, which an undo brings back."""
    facts: int
    """Facts moved to the kept entity."""
    undone_at: str | None
    """When it was undone, if it was."""


class MergeLog(TypedDict):
    """The answer to `merges`."""

    merges: list[Merge]
    """Merges that were done, latest first."""
    suggestions: list[Suggestion]
    """Open suggestions, or with `all` those in every state; the most alike first."""
    scan: MergeScan | None
    """Result of `--suggest`; `null` without it."""


class MergeScan(TypedDict):
    """Result of comparing all names."""

    names: int
    """Names that were compared."""
    merged: int
    """Merges applied at once (`--auto`)."""
    suggested: int
    """New suggestions."""


class Merged(TypedDict):
    """The answer to `merge`."""

    merge: Merge
    """The merge."""
    entity: Entity
    """The entity as it is now."""


class ModelFailure(TypedDict):
    """Why a language model gave no answer."""

    kind: str
    """`wrong_key`, `unknown_model`, `not_an_interface`, `rejected`, `refused`, `truncated`, `unreadable`, `too_large`, `overloaded`, `unreachable`, `timed_out`, `over_budget` or `ledger`."""
    why: str
    """Why, in words."""
    hint: str | None
    """What helps, for the owner of the machine."""


class ModelUse(TypedDict):
    """What was asked of a language model, and what it took."""

    provider: str
    """The interface, such as `openai`."""
    name: str
    """The model."""
    kept: bool
    """Whether a reply that was kept from an earlier time answered."""
    calls: int
    """Requests that were sent."""
    input_tokens: int
    """Tokens that were sent."""
    output_tokens: int
    """Tokens that were received."""
    cost: float | None
    """In the currency of the prices; `null` if no price is set."""


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


class Note(TypedDict):
    """What a language model noted of a memory, at one time."""

    keywords: list[str]
    """What it is about, in its own words."""
    tags: list[str]
    """Kinds of things or areas that it belongs to."""
    context: str
    """What it is about and why it matters."""
    at: str
    """When it was noted."""
    by: str | None
    """Handle of the memory whose arrival led to it; `null` if it was noted of the memory alone."""
    undone_at: str | None
    """When it was undone."""
    counts: bool
    """Whether it is the latest that was not undone."""


class Offer(TypedDict):
    """An offer of `remember`: one memory may replace another, or have caused it."""

    id: str
    """Id in the workspace, such as `o12`; `forget` refuses it, `restore` reopens it."""
    kind: str
    """`replacement` (the newer memory may replace the other) or `cause` (one may have caused the other)."""
    newer: NodeRef
    """The memory whose storing made the offer."""
    other: NodeRef
    """The other memory."""
    source: str
    """Handle of the memory that would be the cause, or would replace the other; `link` takes it."""
    target: str
    """Handle of the memory that would be the effect, or would be replaced."""
    sub_type: str | None
    """`causes`, `enables` or `prevents`; `null` for a replacement."""
    reason: str
    """Why it was offered."""
    probability: float
    """How likely it is, 0..=1."""
    state: str
    """`open`, `taken` (an edge of its kind connects the two) or `refused`."""
    made_at: str
    """When it was made."""
    settled_at: str | None
    """When it was taken or refused."""


class Path(TypedDict):
    """The answer to `path`."""

    found: bool
    """Whether a path of at most the requested length exists."""
    hops: list[Hop]
    """The shortest path."""
    confidence: float
    """Product of the confidences, 0..=1."""


class QualityGate(TypedDict):
    """The gate, judged by windows that have ended."""

    state: str
    """`open`, `blocked` or `half_open`."""
    since: str | None
    """Time of the last change of state; `null` if it was never blocked."""
    status: str
    """`pass`, `warn`, `fail` or `insufficient_data`."""
    reasons: list[GateReason]
    """The reasons."""
    probes: int
    """Runs of the graph since it became half open."""
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
    """Results, best first."""
    rules: list[Rule]
    """Standing rules of the scope, separate from the results. They do not count towards the limit, and an answer with rules but no results is still empty."""
    rules_left_out: int
    """Number of rules omitted because they exceed `recall.rules_budget`."""
    chains: list[Chain]
    """For questions that ask why: how results are connected, cause before effect."""
    candidates: int
    """How many memories were scored."""
    tokens: int
    """Tokens of the results' texts, about 4 characters each."""
    abstained: str | None
    """Why nothing is returned, and how close the best candidate came."""
    left_out: int
    """Number of results too long for `budget`, where none fits; `abstained` says so, too."""
    rejected: list[Rejected]
    """Candidates left out, and why; empty unless requested."""
    missing: list[str]
    """Components that could not be used (embedder, graph), and why; normally empty."""
    rollout: RolloutTrace
    """The requested and the applied strategy, and why."""


class RecallLog(TypedDict):
    """The answer to `recalls`."""

    enabled: bool
    """Whether recalls are logged (the setting `log.recalls`)."""
    days: int
    """For how many days an entry is kept (the setting `log.recall_days`)."""
    recalls: list[LoggedRecall]
    """The latest first."""


class RecallResult(TypedDict):
    """One memory of an answer."""

    id: str
    """Stable id."""
    handle: str
    """Short name, such as `#a1b2c3`."""
    text: str
    """The text, verbatim."""
    kind: str
    """`insight`, `decision`, `passage`, `turn`, …"""
    tags: list[str]
    """Tags, as given."""
    layer: str
    """`code`, `execution`, `knowledge` or `project`: follows from its type or kind."""
    tier: str
    """`long_term`, `working` (expires automatically), or `rule` if rules were requested."""
    expires_at: str | None
    """When it expires; `null` if it does not."""
    importance: int
    """1 (trivial) to 5 (vital)."""
    user: str | None
    """The user it belongs to; `null` if all users share it."""
    project: str | None
    """The project it is about; `null` if none in particular."""
    source: SourceRef
    """Its source."""
    cite: str | None
    """Where a person finds it: `notes/decisions.md:67`, `report.pdf › page 3`, a URL; `null` if stored by a call."""
    also_in: list[AlsoIn]
    """Other sources with the same or nearly the same text, such as another form of the document."""
    heading: list[str]
    """Headings above a passage, outermost first."""
    lines: Span | None
    """Lines in the source."""
    speaker: str | None
    """Who said it."""
    session: str | None
    """The session it belongs to."""
    occurred_at: str
    """When it happened or was said; of a passage whose document states no day, when its file was changed."""
    superseded_by: str | None
    """Id of the memory that replaced it."""
    flags: list[str]
    """Why the text needs care: `secret` (contains a key or password), `instructions` (addresses a model that reads it), `written_by_model` (a language model wrote it about others)."""
    score: float
    """Probability that it bears on the question, never higher than that of an earlier result; the sum of the shares of `signals`."""
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
    """Steps from the start of the path."""
    confidence: float | None
    """Product of the confidences over the path, 0..=1; `null` without a path."""
    path: list[Hop]
    """The path to this memory, step by step."""
    entities: list[str]
    """Names of entities that it shares with the question."""
    standing: Standing | None
    """Whether it still holds; `null` where nothing is known."""


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
    """Relevance, 0..=1; decreases with every step."""
    path: list[Hop]
    """The path to it."""


class Remembered(TypedDict):
    """The answer to `remember`."""

    id: str
    """Stable id of the memory."""
    handle: str
    """Short name, such as `#a1b2c3`."""
    action: str
    """`added`; if the scope already contains the text, `skipped`, or `updated` if what is said beside it was new: tier, expiry, tags, entities. The id is then that of the existing memory."""
    text: str
    """The text, verbatim."""
    kind: str
    """`insight`, `decision`, …"""
    tags: list[str]
    """Tags, as given."""
    tier: str
    """`long_term`, `rule` or `working`."""
    expires_at: str | None
    """When it expires; `null` if it does not."""
    importance: int
    """1 (trivial) to 5 (vital)."""
    occurred_at: str
    """When it happened or was said."""
    source: str
    """Id of its source, such as `s4`."""
    entities: list[Mention]
    """Entities that it mentions."""
    edges_created: EdgeTally
    """Edges that the write made."""
    diff: Diff
    """Comparison with the most similar memory: a suggestion only, nothing was changed."""
    update_candidates: list[UpdateCandidate]
    """Earlier memories that it may replace, at most three, most likely first, for the caller to judge."""
    semantic_candidates: list[SemanticCandidate]
    """Similar memories, for the caller to judge and link."""
    causal_candidates: list[CausalCandidate]
    """Possible causes and consequences, for the caller to judge and link."""
    flags: list[str]
    """Why the text needs care: `secret` (contains a key or password), `instructions` (addresses a model that reads it)."""
    embedded: bool
    """Whether it has a vector."""
    effective_importance: float
    """Current importance, by the formula of `gc`."""
    warnings: list[Warning]
    """Warnings of the verifier."""


class Rollout(TypedDict):
    """The state of the graph's rollout."""

    mode: str
    """`off`, `shadow`, `canary` or `on`."""
    updated_at: str | None
    """When it was set; `null` if never."""
    updated_by: str | None
    """Who chose it."""
    enabled: bool
    """The setting `recall.graph`."""
    recommended: str
    """The recommended next step."""
    rationale: str
    """Why."""
    gate: QualityGate
    """The quality gate, which decides whether the graph may answer in `canary`."""
    stages: list[RolloutStage]
    """The stages towards `on`."""
    goals: list[RolloutGoal]
    """Measured values of the last closed window, and where they should be."""
    ready_windows: int
    """Closed windows in a row that were ready for the next stage."""
    ready_windows_wanted: int
    """Number of such windows that a step requires."""
    autopilot: bool
    """Always false: a person sets the mode."""
    alarms: list[Alarm]
    """Alarms that need attention, worst first."""
    window_hours: float
    """Width of a window."""
    windows: list[RolloutWindow]
    """Counters per window, latest first; the first may still be open."""
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
    """Whether it may be entered."""
    required_samples: int
    """Required number of runs."""
    current_samples: int
    """Number of runs so far."""
    blockers: list[str]
    """What is missing, such as `MIN_SHADOW_EXECUTIONS_NOT_MET`."""


class RolloutTrace(TypedDict):
    """The requested and the applied strategy, and why."""

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
    """Whether a half-open gate let this request through."""
    shadow_executed: bool
    """Whether the graph ran without affecting this answer."""
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
    """Whether it has ended."""
    requests: int
    """Answered recalls."""
    hybrid_requested: int
    """Of those, the graph was asked for."""
    hybrid_applied: int
    """Of those, it was applied."""
    canary_applied: int
    """Of those, in `canary`."""
    shadow_executions: int
    """Runs of the graph in shadow, while the baseline answered."""
    held: int
    """Requests not applied because of the mode, the gate or a setting; these are not failures."""
    graph_errors: int
    """Failures of the graph when it should have answered."""
    shadow_errors: int
    """Failures of the graph in shadow."""
    error_rate: float
    """Share of the runs of the graph that failed."""
    fallback_rate: float
    """Share of the requests for the graph that failed, without those held back."""
    coverage: float
    """Share of the runs that contributed a result."""
    avg_graph_candidates: float
    """Memories that the walk reached, on average."""
    avg_graph_expanded_count: float
    """Results contributed by the graph, on average."""
    overlap: float | None
    """Share of the baseline's results that the graph kept, where both were made."""
    judged: int
    """Judged questions, and nDCG@10 of the graph minus that of the baseline on them."""
    relevance_gain: float | None
    """See `judged`."""
    good_graph: int
    """Feedback on results whose rank the graph influenced."""
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
    """The text, verbatim."""
    kind: str
    """`preference`, `decision`, …"""
    tags: list[str]
    """Tags, as given."""
    importance: int
    """1 (trivial) to 5 (vital)."""
    user: str | None
    """The user it belongs to; `null` if all users share it."""
    project: str | None
    """The project it is about; `null` if none in particular."""
    occurred_at: str
    """When it was said."""
    expires_at: str | None
    """When it expires."""
    flags: list[str]
    """Why the text needs care: `secret` (contains a key or password), `instructions` (addresses a model that reads it)."""
    relevance: float
    """Relevance to the question, 0..=1."""
    relevant: bool
    """Whether its relevance is high enough for the question."""


class SemanticCandidate(TypedDict):
    """A memory similar to the new one."""

    id: str
    """Stable id."""
    handle: str
    """Short name."""
    text: str
    """Its text."""
    kind: str
    """Its kind."""
    similarity: float
    """Cosine, or the share of common words if there are no vectors; 0..=1."""
    auto_linked: bool
    """Whether an edge already exists."""
    reason: str
    """Why it is suggested."""


class Signal(TypedDict):
    """One named summand of a score."""

    name: str
    """What was measured."""
    value: float
    """The measured value, usually 0..=1."""
    share: float
    """What it adds to the score; the shares of a result sum to its score."""


class Source(TypedDict):
    """A source of memories."""

    id: str
    """Id in the workspace, such as `s4`."""
    kind: str
    """`agent`, `file`, `page`, `chat`, `code`, `tracker` or `import`."""
    origin: str
    """A path, a URL, or the name of an agent."""
    trust: str
    """`web` for pages, which are untrusted, else `own`."""
    title: str | None
    """Title of the document."""
    language: str | None
    """Declared language, such as `en` or `pt-BR`."""
    tags: list[str]
    """Tags of the source."""
    metadata: dict[str, str]
    """What its user noted of it, by name."""
    readable: bool
    """Whether it can be read again: a page, or a file of the server's machine."""
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


class SourceGraph(TypedDict):
    """What a source speaks of."""

    source: SourceView
    """The source and its numbers."""
    entities: list[MentionedEntity]
    """Entities that its memories mention, most mentioned first."""
    relations: list[Edge]
    """Relations between entities that its memories state."""
    entity_count: int
    """How many entities there are, however many are listed."""
    relation_count: int
    """How many relations there are, however many are listed."""


class SourceRef(TypedDict):
    """The source of a result."""

    id: str
    """Id in the workspace, such as `s4`."""
    kind: str | None
    """`agent`, `file`, `chat`, …; `null` if no longer known."""
    origin: str | None
    """A path, a URL, or the name of an agent; `null` if no longer known."""
    trust: str | None
    """`web` for pages, which are untrusted, else `own`; `null` if no longer known."""
    title: str | None
    """Title of the document."""


class SourceView(TypedDict):
    """A source with its counts."""

    source: Source
    """The source."""
    memories: int
    """Memories from it."""
    entities: int
    """Entities that they mention."""
    edges: int
    """Edges from it."""
    last_job: LastJob | None
    """The last crawl, refresh or ingestion whose target it is; `null` if there is none, and for further pages of a crawl."""


class Span(TypedDict):
    """First and last line of a passage in its source, counted from 1."""

    first: int
    """First line."""
    last: int
    """Last line."""


Standing = TypedDict(
    "Standing",
    {
        # `current`, `outdated`, `planned`, `cancelled`, `temporary` or `contradicted`.
        "is": "str",
        # Since when it is so.
        "since": "str | None",
        # Until when it holds, by its own words.
        "until": "str | None",
        # Id of the memory that replaced, cancelled or contradicts it.
        "by": "str | None",
        # Short name of that memory.
        "by_handle": "str | None",
        # `true` if an edge says so, `false` if it was read from the texts.
        "certain": "bool",
    },
)
"""Whether a memory still holds."""


class Statement(TypedDict):
    """One sentence of a language model."""

    text: str
    """The sentence, without its citations."""
    citations: list[str]
    """Handles of the memories that it cites, all of which were sent."""
    invented: list[str]
    """What it cites besides, which was not sent: invented."""
    supported: bool
    """Whether it cites a memory that was sent. Whether that memory says the same is for a reader to judge."""


class Status(TypedDict):
    """The answer to `status`."""

    path: str | None
    """The database file; `null` for callers with a key."""
    revision: int
    """Number of the last change."""
    counts: Counts
    """Its contents."""
    bytes: int
    """Size of the database in bytes."""
    stored_model: str | None
    """The model that made the stored vectors."""
    embedder: str
    """The embedder that the settings select. While it is another than `stored_model`, that one answers."""
    top_entities: list[Hub]
    """The best connected entities."""
    sources_by_kind: list[KindTally]
    """Sources by kind of origin, without kinds that have none."""
    earliest: str | None
    """The earliest time of a memory."""
    latest: str | None
    """The latest time of a memory."""
    open_warnings: int
    """Number of open warnings of the verifier."""
    language_model: str | None
    """The language model that `recall --answer` and `enrich` ask, as its provider writes it; `null` without one."""
    unread: dict[str, int]
    """Memories that the language model has not read, by task; empty without a model."""
    role: str
    """What the caller may do: `read`, `write` or `admin`."""
    user: str | None
    """The user to whom the caller's key is bound."""


class StrategyAnswer(TypedDict):
    """What one strategy answers."""

    first: FirstResult | None
    """Its first result; `null` if it is silent."""
    handles: list[str]
    """Handles of its first ten results, in order."""


class Suggestion(TypedDict):
    """Two entities that may be one."""

    id: str
    """Id in the workspace, such as `p3`; `merges --apply` and `--dismiss` take it, and `restore` reopens a dismissed one."""
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
    """A time expression and the span it denotes."""

    words: str
    """The words."""
    interval: Interval
    """The span."""


class Timeline(TypedDict):
    """The answer to `timeline`."""

    before: list[Memory]
    """Memories before the anchor, in chronological order."""
    anchor: Memory | None
    """The anchor: the memory in question."""
    after: list[Memory]
    """Memories after it, or all if there is no anchor."""


class Translation(TypedDict):
    """A question in another language."""

    language: str
    """Such as `german`."""
    terms: list[str]
    """Words searched for, folded and cut to their stem."""


class Understanding(TypedDict):
    """How a question was understood."""

    intent: str
    """`why`, `when`, `entity` or `general`."""
    intent_confidence: float
    """0..=1."""
    direction: str | None
    """What a `why` question asks for: `causes` or `consequences`; `null` for other questions."""
    terms: list[str]
    """Words searched for, folded and cut to their stem."""
    entities: list[Entity]
    """Entities of the store that the question names."""
    times: list[TimeReading]
    """Time expressions and the spans they denote."""
    language: str
    """Language of the question, such as `english`."""
    translations: list[Translation]
    """The question in the other languages of the store, word by word."""


class Unlinked(TypedDict):
    """The answer to `unlink`."""

    removed: list[Edge]
    """The edges that were removed."""


class Unmerged(TypedDict):
    """The answer to `merge --undo`."""

    merge: Merge
    """The merge that was undone."""
    kept: Entity
    """The entity that was kept, as it is now."""
    merged: Entity
    """The restored entity."""
    edges: int
    """Edges moved back."""
    facts: int
    """Facts moved back."""
    inseparable: list[str]
    """Data that could not be separated again, in sentences."""


class UpdateCandidate(TypedDict):
    """An earlier memory that the new one may replace. Link the new one to it as `supersedes` if it does."""

    id: str
    """Stable id."""
    handle: str
    """Short name."""
    text: str
    """Its text."""
    kind: str
    """Its kind."""
    occurred_at: str
    """When it happened or was said."""
    probability: float
    """How likely both state one property of one thing, 0..=1."""
    noted: bool
    """Whether the replacement is noted already, because the new text names the old value and takes it back; `unlink` undoes it."""
    reason: str
    """Why it is suggested."""
    offer: str | None
    """Id of the offer, such as `o12`; `forget` refuses it for good. `null` if it could not be kept."""


class Usage(TypedDict):
    """Requests to language models and their cost."""

    rows: list[UsageRow]
    """One row for each day, purpose and model, latest day first."""
    total: UsageTotal
    """The sum of the rows."""
    today: UsageToday
    """What is left today."""


class UsageRow(TypedDict):
    """The requests of one day for one purpose to one model."""

    day: str
    """Start of the day, in UTC."""
    purpose: str
    """What for, such as `answer`."""
    provider: str
    """The interface, such as `openai`."""
    model: str
    """The model."""
    calls: int
    """Requests that were sent."""
    failed: int
    """Those without a reply that could be used."""
    unfinished: int
    """Those whose end is unknown: they run, or their process was killed. Their numbers are estimates."""
    kept: int
    """Questions that a kept reply answered; not among `calls`."""
    input_tokens: int
    """Tokens that were sent."""
    output_tokens: int
    """Tokens that were received."""
    cost: float | None
    """In the currency of the prices; `null` where no price was set."""


class UsageToday(TypedDict):
    """What the budgets of a day leave. `null` where there is no limit."""

    calls_left: int | None
    """Requests."""
    tokens_left: int | None
    """Tokens."""
    cost_left: float | None
    """Money, in the currency of the prices."""


class UsageTotal(TypedDict):
    """The sum of several rows."""

    calls: int
    """Requests that were sent."""
    kept: int
    """Questions that a kept reply answered."""
    input_tokens: int
    """Tokens that were sent."""
    output_tokens: int
    """Tokens that were received."""
    cost: float | None
    """In the currency of the prices; `null` where no price was set."""


class Verified(TypedDict):
    """The answer to `verify`, with `--list` too."""

    warnings: list[Warning]
    """The warnings; empty means sound. Acknowledged ones are included on request."""
    acknowledged: int
    """How many were acknowledged, shown or not."""


class Warning(TypedDict):
    """A warning of the verifier; it never prevents a write."""

    id: str
    """Stable id, such as `w-3f2a90c1d4e5`, derived from the rule and its subject."""
    code: str
    """`causal_cycle`, `caused_and_prevented` or `external_base`."""
    message: str
    """The warning, as a sentence."""
    edges: list[str]
    """Ids of the edges concerned."""
    first_seen: str
    """When it was first seen."""
    acknowledged: Acknowledged | None
    """Its acknowledgement; `null` while it is open."""


class Why(TypedDict):
    """The answer to `why`."""

    start: NodeRef
    """The memory or entity in question."""
    causes: list[WhyStep]
    """Its causes, nearest first."""
    consequences: list[WhyStep]
    """Its consequences, nearest first."""
    cycles: list[list[str]]
    """Ids of edges that close a causal cycle; they are reported, not followed."""
    truncated: bool
    """Whether the walk stopped at its budget."""


class WhyStep(TypedDict):
    """One cause or consequence with the path to it."""

    node: NodeRef
    """The cause or consequence."""
    depth: int
    """Steps from the start."""
    confidence: float
    """Product of the steps' confidences, 0..=1."""
    hops: list[Hop]
    """In causal order: from the cause to the start, or from the start to the consequence."""
    prevents: bool
    """Whether some step prevents instead of causing."""


class Withheld(TypedDict):
    """Something that was found and not sent."""

    handle: str
    """Short name of the memory."""
    id: str
    """Its stable id."""
    reason: str
    """`private` (it belongs to a user, and `model.private_texts` is off), `secret` (it was sent with its secrets masked) or `budget` (`model.context_tokens` was used up)."""

EntityDraft = Union[str, NamedEntity]
"""`"Redis"`, `"Redis:tool"` or `{"name": "get", "type": "function", "key": "http::get"}`."""

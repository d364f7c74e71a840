//! The answers of the graph verbs: `link`, `why`, `related`, `path`, `entity`, `timeline`, …

use griot::engine;
use griot::recall::PathNode;

use crate::node::edge_ids;
use crate::object::{Shows, shown};
use crate::{Edge, Entity, Fact, Hop, Memory, NodeRef, Time, Warning};

objects! {
    /// The answer to `link`.
    Linked from (linked: engine::Linked) {
        /// The edge as stored.
        edge: Edge,
        /// `true` if it is new; `false` if an existing edge gained evidence.
        created: bool,
        /// Warnings of the verifier; the edge is stored nevertheless.
        warnings: Vec<Warning>,
    }

    /// The answer to `unlink`.
    Unlinked {
        /// The edges that were removed.
        removed: Vec<Edge>,
    }

    /// The answer to `verify`, with `--list` too.
    Verified {
        /// The warnings; empty means sound. Acknowledged ones are included on request.
        warnings: Vec<Warning>,
        /// How many were acknowledged, shown or not.
        acknowledged: usize,
    }

    /// The answer to `why`.
    Why from (why: engine::Why) {
        /// The memory or entity in question.
        start: NodeRef,
        /// Its causes, nearest first.
        causes: Vec<WhyStep>,
        /// Its consequences, nearest first.
        consequences: Vec<WhyStep>,
        /// Ids of edges that close a causal cycle; they are reported, not followed.
        cycles: Vec<Vec<String>> = why.cycles.iter().map(|cycle| edge_ids(cycle)).collect(),
        /// Whether the walk stopped at its budget.
        truncated: bool,
    }

    /// One cause or consequence with the path to it.
    WhyStep from (step: engine::WhyStep) {
        /// The cause or consequence.
        node: NodeRef,
        /// Steps from the start.
        depth: usize,
        /// Product of the steps' confidences, 0..=1.
        confidence: f32,
        /// In causal order: from the cause to the start, or from the start to the consequence.
        hops: Vec<Hop>,
        /// Whether some step prevents instead of causing.
        prevents: bool,
    }

    /// A node that was reached (`related`, `similar`, `traverse`, neighbourhoods).
    Related from (related: engine::Related) {
        /// The node.
        node: NodeRef,
        /// Steps from the start.
        distance: usize,
        /// Relevance, 0..=1; decreases with every step.
        score: f32,
        /// The path to it.
        path: Vec<Hop>,
    }

    /// The answer to `path`.
    Path {
        /// Whether a path of at most the requested length exists.
        found: bool,
        /// The shortest path.
        hops: Vec<Hop>,
        /// Product of the confidences, 0..=1.
        confidence: f32,
    }

    /// The answer to `entity`.
    EntityView from (view: engine::EntityView) {
        /// The entity.
        entity: Entity,
        /// Edges with other entities, and causal or semantic ones with memories.
        relations: Vec<Edge>,
        /// Memories that mention it, latest first, up to the requested number.
        mentions: Vec<Memory>,
        /// How many memories mention it.
        mention_count: u32,
        /// Facts about it.
        facts: Vec<Fact>,
        /// Entities within the requested distance, through relations and shared memories.
        neighbourhood: Vec<Related>,
    }

    /// A well connected entity.
    Hub from (hub: engine::Hub) {
        /// The entity.
        entity: Entity,
        /// How many edges it has.
        degree: u32,
    }

    /// How far the layout of the graph is.
    GraphLayout from (state: griot::engine::LayoutState) {
        /// `none`, `running` or `ready`; one that is computed anew is `running` again.
        state: String = match (state.is_running, state.revision) {
            (true, _) => "running",
            (false, Some(_)) => "ready",
            (false, None) => "none",
        }
        .to_string(),
        /// Number of the change up to which the last finished layout knows the graph.
        revision: Option<u64>,
        /// The finished part, 0 to 1.
        share: f32,
        /// Nodes of the last finished layout.
        nodes: usize,
        /// Its communities.
        communities: usize,
        /// How many seconds it took.
        seconds: f32,
    }

    /// A merge of two entities.
    Merge from (merge: griot::model::Merge) {
        /// Id in the workspace, such as `g3`; `merge --undo` takes it.
        id: String = merge.id(),
        /// The entity that was kept, as it was before.
        kept: Entity,
        /// The entity that was merged into it, as it was before.
        merged: Entity,
        /// When.
        at: Time,
        /// Who: `user`, `rule` or `llm`.
        by: String,
        /// Why.
        reason: Option<String>,
        /// Edges moved to the kept entity.
        moved: usize = merge.moved.len(),
        /// Edges combined with an existing one.
        folded: usize = merge.folded.len(),
        /// Edges between the two, which an undo brings back.
        dropped: usize = merge.dropped.len(),
        /// Facts moved to the kept entity.
        facts: usize = merge.facts.len(),
        /// When it was undone, if it was.
        undone_at: Option<Time>,
    }

    /// The answer to `merge`.
    Merged from (merged: engine::Merged) {
        /// The merge.
        merge: Merge,
        /// The entity as it is now.
        entity: Entity,
    }

    /// The answer to `merge --undo`.
    Unmerged from (unmerged: engine::Unmerged) {
        /// The merge that was undone.
        merge: Merge,
        /// The entity that was kept, as it is now.
        kept: Entity,
        /// The restored entity.
        merged: Entity,
        /// Edges moved back.
        edges: u32,
        /// Facts moved back.
        facts: u32,
        /// Data that could not be separated again, in sentences.
        inseparable: Vec<String>,
    }

    /// Two entities that may be one.
    Suggestion from (view: engine::SuggestionView) {
        /// Id in the workspace, such as `p3`; `merges --apply` and `--dismiss` take it, and `restore` reopens
        /// a dismissed one.
        id: String = view.suggestion.id(),
        /// The entity that would be kept.
        kept: Entity,
        /// The entity that would be merged into it.
        merged: Entity,
        /// Cosine of the two names, -1..=1.
        likeness: f32 = view.suggestion.similarity,
        /// Why they may be one.
        reason: String = view.suggestion.reason.clone(),
        /// When it was found.
        at: Time = view.suggestion.at.into(),
        /// `open`, `applied` or `dismissed`.
        state: String = shown(&view.suggestion.state),
    }

    /// The answer to `merges`.
    MergeLog of (log: &engine::MergeLog, scan: Option<&engine::MergeScan>) {
        /// Merges that were done, latest first.
        merges: Vec<Merge>,
        /// Open suggestions, or with `all` those in every state; the most alike first.
        suggestions: Vec<Suggestion>,
        /// Result of `--suggest`; `null` without it.
        scan: Option<MergeScan> = scan.map(MergeScan::from),
    }

    /// Result of comparing all names.
    MergeScan from (scan: engine::MergeScan) {
        /// Names that were compared.
        names: u64,
        /// Merges applied at once (`--auto`).
        merged: usize = scan.merged.len(),
        /// New suggestions.
        suggested: u64,
    }

    /// An offer of `remember`: one memory may replace another, or have caused it.
    Offer from (view: engine::OfferView) {
        /// Id in the workspace, such as `o12`; `forget` refuses it, `restore` reopens it.
        id: String = view.offer.id(),
        /// `replacement` (the newer memory may replace the other) or `cause` (one may have caused the other).
        kind: String = shown(&view.offer.kind),
        /// The memory whose storing made the offer.
        newer: NodeRef = NodeRef::show(&PathNode::of_memory(&view.newer)),
        /// The other memory.
        other: NodeRef = NodeRef::show(&PathNode::of_memory(&view.other)),
        /// Handle of the memory that would be the cause, or would replace the other; `link` takes it.
        source: String = handle(view, view.proposal.source),
        /// Handle of the memory that would be the effect, or would be replaced.
        target: String = handle(view, view.proposal.target),
        /// `causes`, `enables` or `prevents`; `null` for a replacement.
        sub_type: Option<String> = view.proposal.sub_type.map(Into::into),
        /// Why it was offered.
        reason: String = view.proposal.reason.clone(),
        /// How likely it is, 0..=1.
        probability: f32 = view.offer.probability,
        /// `open`, `taken` (an edge of its kind connects the two) or `refused`.
        state: String,
        /// When it was made.
        made_at: Time = view.offer.made_at.into(),
        /// When it was taken or refused.
        settled_at: Option<Time>,
    }

    /// What a language model noted of a memory, at one time.
    Note from (note: engine::Note) {
        /// What it is about, in its own words.
        keywords: Vec<String>,
        /// Kinds of things or areas that it belongs to.
        tags: Vec<String>,
        /// What it is about and why it matters.
        context: String,
        /// When it was noted.
        at: Time,
        /// Handle of the memory whose arrival led to it; `null` if it was noted of the memory alone.
        by: Option<String>,
        /// When it was undone.
        undone_at: Option<Time>,
        /// Whether it is the latest that was not undone.
        counts: bool,
    }

    /// The answer to `timeline`.
    Timeline from (timeline: engine::Timeline) {
        /// Memories before the anchor, in chronological order.
        before: Vec<Memory>,
        /// The anchor: the memory in question.
        anchor: Option<Memory>,
        /// Memories after it, or all if there is no anchor.
        after: Vec<Memory>,
    }

    /// The answer to `build-graphs`.
    BuiltGraphs from (built: engine::BuiltGraphs) {
        /// Total number of temporal edges between consecutive memories. Those within a source are derived
        /// when read; others are stored.
        temporal_total: u64,
        /// Stored temporal edges added.
        temporal_added: u64,
        /// Stored temporal edges removed because another memory now lies between their ends.
        temporal_removed: u64,
        /// Semantic edges that were added.
        semantic_added: u64,
        /// Total number of semantic edges.
        semantic_total: u64,
        /// Edges added from memories that had none to the topics of their tags.
        topics_added: u64,
    }

    /// The answer to `forget` and `restore`.
    #[derive(Default)]
    Forgotten from (forgotten: engine::Forgotten) {
        /// Ids of memories.
        memories: Vec<String> = forgotten.memories.iter().map(|(id, _)| id.clone()).collect(),
        /// Their handles, in the same order.
        handles: Vec<String> = forgotten.memories.iter().map(|(_, handle)| handle.clone()).collect(),
        /// Canonical ids of entities.
        entities: Vec<String>,
        /// Ids of sources.
        sources: Vec<String>,
        /// Ids of offers that were refused, or are open again.
        offers: Vec<String>,
        /// Ids of suggested merges that are open again.
        suggestions: Vec<String>,
        /// Edges of hidden nodes: kept but not followed, until a restore.
        edges_hidden: u64,
    }
}

/// The handle of one of the two memories of an offer.
fn handle(view: &engine::OfferView, node: griot::model::Node) -> String {
    let memory = if view.newer.node == node { &view.newer } else { &view.other };
    memory.handle.to_string()
}

impl Verified {
    /// With `all`, including acknowledged ones.
    pub fn new(warnings: &[griot::model::Warning], all: bool) -> Self {
        let shown = warnings.iter().filter(|warning| all || warning.acknowledged.is_none());
        let acknowledged = warnings.iter().filter(|warning| warning.acknowledged.is_some()).count();
        Self { warnings: shown.map(Warning::from).collect(), acknowledged }
    }

    /// Whether a person should look at it.
    pub fn is_open(&self) -> bool {
        self.warnings.iter().any(|warning| warning.acknowledged.is_none())
    }
}

impl From<Option<&[griot::recall::Hop]>> for Path {
    fn from(path: Option<&[griot::recall::Hop]>) -> Self {
        let hops: Vec<Hop> = path.unwrap_or_default().iter().map(Hop::show).collect();
        let confidence = if path.is_some() { hops.iter().map(|hop| hop.confidence).product() } else { 0.0 };
        Self { found: path.is_some(), hops, confidence }
    }
}

//! The answers of the graph verbs: `link`, `why`, `related`, `path`, `entity`, `timeline`, …

use griot::engine;

use crate::{Edge, Entity, Fact, Hop, Memory, NodeRef, Time, Warning};

objects! {
    /// The answer to `link`.
    Linked {
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
    Why {
        /// The memory or entity in question.
        start: NodeRef,
        /// Its causes, nearest first.
        causes: Vec<WhyStep>,
        /// Its consequences, nearest first.
        consequences: Vec<WhyStep>,
        /// Ids of edges that close a causal cycle; they are reported, not followed.
        cycles: Vec<Vec<String>>,
        /// Whether the walk stopped at its budget.
        truncated: bool,
    }

    /// One cause or consequence with the path to it.
    WhyStep {
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
    Related {
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
    EntityView {
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
    Hub {
        /// The entity.
        entity: Entity,
        /// How many edges it has.
        degree: u32,
    }

    /// A merge of two entities.
    Merge {
        /// Id in the workspace, such as `g3`; `merge --undo` takes it.
        id: String,
        /// The entity that was kept, as it was before.
        kept: Entity,
        /// The entity that was merged into it, as it was before.
        merged: Entity,
        /// When.
        at: Time,
        /// Who: `user` or `rule`.
        by: String,
        /// Why.
        reason: Option<String>,
        /// Edges moved to the kept entity.
        moved: usize,
        /// Edges combined with an existing one.
        folded: usize,
        /// Edges between the two, which an undo brings back.
        dropped: usize,
        /// Facts moved to the kept entity.
        facts: usize,
        /// When it was undone, if it was.
        undone_at: Option<Time>,
    }

    /// The answer to `merge`.
    Merged {
        /// The merge.
        merge: Merge,
        /// The entity as it is now.
        entity: Entity,
    }

    /// The answer to `merge --undo`.
    Unmerged {
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
    Suggestion {
        /// Id in the workspace, such as `p3`; `merges --apply` and `--dismiss` take it.
        id: String,
        /// The entity that would be kept.
        kept: Entity,
        /// The entity that would be merged into it.
        merged: Entity,
        /// Cosine of the two names, -1..=1.
        likeness: f32,
        /// Why they may be one.
        reason: String,
        /// When it was found.
        at: Time,
        /// `open`, `applied` or `dismissed`.
        state: String,
    }

    /// The answer to `merges`.
    MergeLog {
        /// Merges that were done, latest first.
        merges: Vec<Merge>,
        /// Open suggestions, the most alike first.
        suggestions: Vec<Suggestion>,
        /// Result of `--suggest`; `null` without it.
        scan: Option<MergeScan>,
    }

    /// Result of comparing all names.
    MergeScan {
        /// Names that were compared.
        names: u64,
        /// Merges applied at once (`--auto`).
        merged: usize,
        /// New suggestions.
        suggested: u64,
    }

    /// The answer to `timeline`.
    Timeline {
        /// Memories before the anchor, in chronological order.
        before: Vec<Memory>,
        /// The anchor: the memory in question.
        anchor: Option<Memory>,
        /// Memories after it, or all if there is no anchor.
        after: Vec<Memory>,
    }

    /// The answer to `build-graphs`.
    BuiltGraphs {
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
    Forgotten {
        /// Ids of memories.
        memories: Vec<String>,
        /// Their handles, in the same order.
        handles: Vec<String>,
        /// Canonical ids of entities.
        entities: Vec<String>,
        /// Ids of sources.
        sources: Vec<String>,
        /// Edges of hidden nodes: kept but not followed, until a restore.
        edges_hidden: u64,
    }
}

impl Verified {
    /// With `all`, including acknowledged ones.
    pub fn new(warnings: &[griot::model::Warning], all: bool) -> Self {
        let shown = warnings.iter().filter(|warning| all || warning.acknowledged.is_none());
        let acknowledged = warnings.iter().filter(|warning| warning.acknowledged.is_some()).count();
        Self { warnings: shown.map(Into::into).collect(), acknowledged }
    }

    /// Whether a person should look at it.
    pub fn is_open(&self) -> bool {
        self.warnings.iter().any(|warning| warning.acknowledged.is_none())
    }
}

impl From<&engine::Linked> for Linked {
    fn from(linked: &engine::Linked) -> Self {
        Self {
            edge: (&linked.edge).into(),
            created: linked.created,
            warnings: linked.warnings.iter().map(Into::into).collect(),
        }
    }
}

impl From<&engine::Why> for Why {
    fn from(why: &engine::Why) -> Self {
        Self {
            start: (&why.start).into(),
            causes: why.causes.iter().map(Into::into).collect(),
            consequences: why.consequences.iter().map(Into::into).collect(),
            cycles: why
                .cycles
                .iter()
                .map(|cycle| cycle.iter().map(|number| format!("e{number}")).collect())
                .collect(),
            truncated: why.truncated,
        }
    }
}

impl From<&engine::WhyStep> for WhyStep {
    fn from(step: &engine::WhyStep) -> Self {
        Self {
            node: (&step.node).into(),
            depth: step.depth,
            confidence: step.confidence,
            hops: step.hops.iter().map(Into::into).collect(),
            prevents: step.prevents,
        }
    }
}

impl From<&engine::Related> for Related {
    fn from(related: &engine::Related) -> Self {
        Self {
            node: (&related.node).into(),
            distance: related.distance,
            score: related.score,
            path: related.path.iter().map(Into::into).collect(),
        }
    }
}

impl From<Option<&[griot::recall::Hop]>> for Path {
    fn from(path: Option<&[griot::recall::Hop]>) -> Self {
        let hops: Vec<Hop> = path.unwrap_or_default().iter().map(Into::into).collect();
        let confidence = if path.is_some() { hops.iter().map(|hop| hop.confidence).product() } else { 0.0 };
        Self { found: path.is_some(), hops, confidence }
    }
}

impl From<&engine::EntityView> for EntityView {
    fn from(view: &engine::EntityView) -> Self {
        Self {
            entity: (&view.entity).into(),
            relations: view.relations.iter().map(Into::into).collect(),
            mentions: view.mentions.iter().map(Into::into).collect(),
            mention_count: view.mention_count,
            facts: view.facts.iter().map(Into::into).collect(),
            neighbourhood: view.neighbourhood.iter().map(Into::into).collect(),
        }
    }
}

impl From<&engine::Hub> for Hub {
    fn from(hub: &engine::Hub) -> Self {
        Self { entity: (&hub.entity).into(), degree: hub.degree }
    }
}

impl From<&griot::model::Merge> for Merge {
    fn from(merge: &griot::model::Merge) -> Self {
        Self {
            id: merge.id(),
            kept: (&merge.kept).into(),
            merged: (&merge.merged).into(),
            at: merge.at.into(),
            by: merge.by.name().into(),
            reason: merge.reason.clone(),
            moved: merge.moved.len(),
            folded: merge.folded.len(),
            dropped: merge.dropped.len(),
            facts: merge.facts.len(),
            undone_at: merge.undone_at.map(Into::into),
        }
    }
}

impl From<&engine::Merged> for Merged {
    fn from(merged: &engine::Merged) -> Self {
        Self { merge: (&merged.merge).into(), entity: (&merged.entity).into() }
    }
}

impl From<&engine::Unmerged> for Unmerged {
    fn from(unmerged: &engine::Unmerged) -> Self {
        Self {
            merge: (&unmerged.merge).into(),
            kept: (&unmerged.kept).into(),
            merged: (&unmerged.merged).into(),
            edges: unmerged.edges,
            facts: unmerged.facts,
            inseparable: unmerged.inseparable.clone(),
        }
    }
}

impl From<&engine::SuggestionView> for Suggestion {
    fn from(view: &engine::SuggestionView) -> Self {
        Self {
            id: view.suggestion.id(),
            kept: (&view.kept).into(),
            merged: (&view.merged).into(),
            likeness: view.suggestion.similarity,
            reason: view.suggestion.reason.clone(),
            at: view.suggestion.at.into(),
            state: view.suggestion.state.name().into(),
        }
    }
}

impl MergeLog {
    pub fn new(log: &engine::MergeLog, scan: Option<&engine::MergeScan>) -> Self {
        Self {
            merges: log.merges.iter().map(Into::into).collect(),
            suggestions: log.suggestions.iter().map(Into::into).collect(),
            scan: scan.map(|scan| MergeScan {
                names: scan.names,
                merged: scan.merged.len(),
                suggested: scan.suggested,
            }),
        }
    }
}

impl From<&engine::Timeline> for Timeline {
    fn from(timeline: &engine::Timeline) -> Self {
        Self {
            before: timeline.before.iter().map(Into::into).collect(),
            anchor: timeline.anchor.as_ref().map(Into::into),
            after: timeline.after.iter().map(Into::into).collect(),
        }
    }
}

impl From<engine::BuiltGraphs> for BuiltGraphs {
    fn from(built: engine::BuiltGraphs) -> Self {
        Self {
            temporal_total: built.temporal_total,
            temporal_added: built.temporal_added,
            temporal_removed: built.temporal_removed,
            semantic_added: built.semantic_added,
            semantic_total: built.semantic_total,
            topics_added: built.topics_added,
        }
    }
}

impl From<&engine::Forgotten> for Forgotten {
    fn from(forgotten: &engine::Forgotten) -> Self {
        let (memories, handles) = forgotten.memories.iter().cloned().unzip();
        Self {
            memories,
            handles,
            entities: forgotten.entities.clone(),
            sources: forgotten.sources.clone(),
            edges_hidden: forgotten.edges_hidden,
        }
    }
}

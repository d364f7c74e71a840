//! What the verbs over the graph answer: `link`, `why`, `related`, `path`, `entity`, `timeline`, …

use griot::engine;

use crate::{Edge, Entity, Fact, Hop, Memory, NodeRef, Time, Warning};

objects! {
    /// The answer to `link`.
    Linked {
        /// The edge as it is now stored.
        edge: Edge,
        /// `false` if it was there and gained evidence.
        created: bool,
        /// What the verifier noticed; the edge is stored all the same.
        warnings: Vec<Warning>,
    }

    /// The answer to `unlink`.
    Unlinked {
        /// The edges that were removed.
        removed: Vec<Edge>,
    }

    /// The answer to `verify`, with `--list` too.
    Verified {
        /// What was noticed; empty means sound. Those that were acknowledged are among them if they were
        /// asked for.
        warnings: Vec<Warning>,
        /// How many were acknowledged, shown or not.
        acknowledged: usize,
    }

    /// The answer to `why`.
    Why {
        /// The memory or entity that was asked about.
        start: NodeRef,
        /// What led to it, nearest first.
        causes: Vec<WhyStep>,
        /// What followed from it, nearest first.
        consequences: Vec<WhyStep>,
        /// Ids of edges that close a circle of causes; they are reported, not followed.
        cycles: Vec<Vec<String>>,
        /// The walk stopped at its budget.
        truncated: bool,
    }

    /// One cause or consequence with the way to it.
    WhyStep {
        /// The cause or consequence.
        node: NodeRef,
        /// Steps from the start.
        depth: usize,
        /// Product of the steps' confidences, 0..=1.
        confidence: f32,
        /// In causal order: from the cause to the start, or from the start to the consequence.
        hops: Vec<Hop>,
        /// Some step prevents instead of causing.
        prevents: bool,
    }

    /// A node that was reached (`related`, `similar`, `traverse`, neighbourhoods).
    Related {
        /// The node.
        node: NodeRef,
        /// Steps from the start.
        distance: usize,
        /// 0..=1: falls with every step.
        score: f32,
        /// The way to it.
        path: Vec<Hop>,
    }

    /// The answer to `path`.
    Path {
        /// Some way of at most the asked length joins the two.
        found: bool,
        /// The shortest one.
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
        /// Memories that mention it, latest first, up to the asked number.
        mentions: Vec<Memory>,
        /// How many memories mention it.
        mention_count: u32,
        /// What is held to be true of it.
        facts: Vec<Fact>,
        /// Entities within the asked steps, through relations and shared memories.
        neighbourhood: Vec<Related>,
    }

    /// A well connected entity.
    Hub {
        /// The entity.
        entity: Entity,
        /// How many edges it has.
        degree: u32,
    }

    /// Two entities that became one.
    Merge {
        /// Number in the workspace, such as `g3`; `merge --undo` takes it.
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
        /// Edges that went over.
        moved: usize,
        /// Edges that became part of one that was there.
        folded: usize,
        /// Edges between the two, which an undo brings back.
        dropped: usize,
        /// Facts that went over.
        facts: usize,
        /// When it was undone, if it was.
        undone_at: Option<Time>,
    }

    /// The answer to `merge`.
    Merged {
        /// What was done.
        merge: Merge,
        /// The entity as it is now.
        entity: Entity,
    }

    /// The answer to `merge --undo`.
    Unmerged {
        /// What was undone.
        merge: Merge,
        /// The entity that was kept, as it is now.
        kept: Entity,
        /// The entity that is back.
        merged: Entity,
        /// Edges that went back.
        edges: u32,
        /// Facts that went back.
        facts: u32,
        /// What could not be told apart, in sentences.
        inseparable: Vec<String>,
    }

    /// Two entities that may be one.
    Suggestion {
        /// Number in the workspace, such as `p3`; `merges --apply` and `--dismiss` take it.
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
        /// What `--suggest` did; `null` without it.
        scan: Option<MergeScan>,
    }

    /// What a look at all names did.
    MergeScan {
        /// Names that were compared.
        names: u64,
        /// Merges that needed no question (`--auto`).
        merged: usize,
        /// New suggestions.
        suggested: u64,
    }

    /// The answer to `timeline`.
    Timeline {
        /// What came before the anchor, in order of time.
        before: Vec<Memory>,
        /// The memory that was asked about.
        anchor: Option<Memory>,
        /// What came after it, or everything where there is no anchor.
        after: Vec<Memory>,
    }

    /// The answer to `build-graphs`.
    BuiltGraphs {
        /// Steps in time between consecutive memories in all: those of one source are derived when read,
        /// others stored.
        temporal_total: u64,
        /// Stored steps in time that were added.
        temporal_added: u64,
        /// Stored steps in time that were removed, since something lies between by now.
        temporal_removed: u64,
        /// Semantic edges that were added.
        semantic_added: u64,
        /// Semantic edges in all.
        semantic_total: u64,
        /// Edges from memories to the topics that their tags name, of memories that had none.
        topics_added: u64,
    }

    /// The answer to `forget` and `restore`.
    Forgotten {
        /// Ids of memories.
        memories: Vec<String>,
        /// Their handles, in the same order.
        handles: Vec<String>,
        /// Canonical ids of entities.
        entities: Vec<String>,
        /// Ids of sources.
        sources: Vec<String>,
        /// Edges that hang on a hidden node: kept, not followed, and back with a restore.
        edges_hidden: u64,
    }
}

impl Verified {
    /// With `all`, those too that were acknowledged.
    pub fn new(warnings: &[griot::model::Warning], all: bool) -> Self {
        let shown = warnings.iter().filter(|warning| all || warning.acknowledged.is_none());
        let acknowledged = warnings.iter().filter(|warning| warning.acknowledged.is_some()).count();
        Self { warnings: shown.map(Into::into).collect(), acknowledged }
    }

    /// Somebody should look.
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

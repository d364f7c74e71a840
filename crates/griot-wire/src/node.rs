//! Memories, entities, edges, facts, sources: the objects that answers consist of.

use std::collections::BTreeMap;

use griot::engine;
use griot::model;
use griot::recall;

use crate::Time;
use crate::object::{Shows, shown};

objects! {
    /// One end of an edge or a step of a path: a memory or an entity.
    NodeRef {
        /// `memory` or `entity`.
        r#type: String,
        /// The stable id of a memory, the canonical id (`tool:redis`) of an entity.
        id: String,
        /// The handle of a memory (`#a1b2c3`), the name of an entity.
        name: String,
        /// The type of an entity (`person`, `tool`, …).
        entity_type: Option<String>,
        /// The beginning of a memory's text.
        excerpt: Option<String>,
        /// When a memory happened or was said.
        occurred_at: Option<Time>,
        /// `code`, `execution`, `knowledge` or `project`: follows from its type or kind.
        layer: String,
    }

    /// Why an edge or a fact is believed.
    Evidence from (evidence: model::Evidence) {
        /// Id of the memory that states it; `null` if a caller stated it without one.
        memory: Option<String>,
        /// The words that state it.
        quote: Option<String>,
        /// What the rule, model or caller gave as its reason.
        reason: Option<String>,
        /// When it was stated.
        at: Time,
    }

    /// One step of a path, in walking order.
    Hop from (hop: recall::Hop) {
        /// Where the step starts.
        from: NodeRef,
        /// Its end.
        to: NodeRef,
        /// Kind of the edge, a word of the catalogue such as `causal` or `mentions`.
        kind: String,
        /// The edge's sub-type or relation label; empty where the kind has none.
        label: String,
        /// How the step reads from `from` to `to`, such as `mentions`, `caused by`, `depends_on`.
        reads: String = reads(hop.kind, &hop.label, hop.forward),
        /// Which question the edge answers: `temporal`, `entity`, `causal`, `semantic`.
        family: String = hop.kind.family().name().into(),
        /// `true` if the edge runs from `from` to `to`; `false` if it is walked against its direction.
        forward: bool,
        /// Weight of the edge, 0..=1; for relations, from the number of times they were stated.
        weight: f32,
        /// Confidence in the edge, 0..=1, decayed to the time of the question.
        confidence: f32,
        /// Origin: `user`, `static`, `import`, `llm`, `embedding`, `rule`.
        provenance: String,
        /// Hours between both ends of a step in time; `null` for other steps.
        hours: Option<f64> = hop.hours(),
        /// When the edge expires; `null` if it does not.
        expires_at: Option<Time>,
        /// Id of the edge (`e12`); `null` if it is derived from times or positions and not stored.
        edge: Option<String> = edge_id(hop.edge),
        /// Why the edge is believed.
        evidence: Vec<Evidence>,
    }

    /// A stored edge with both ends spelled out.
    Edge from (view: engine::EdgeView) {
        /// Id in the workspace, such as `e12`; `null` if it is derived when read.
        id: Option<String> = edge_id(view.edge.number),
        /// Its start.
        source: NodeRef,
        /// Its end.
        target: NodeRef,
        /// Kind of the edge, a word of the catalogue.
        kind: String = shown(&view.edge.kind),
        /// Sub-type or relation label; empty where the kind has none.
        label: String = view.edge.label.clone(),
        /// Which question it answers: `temporal`, `entity`, `causal`, `semantic`.
        family: String = view.edge.kind.family().name().into(),
        /// Weight, 0..=1; for relations, from the number of times they were stated.
        weight: f32 = view.edge.weight,
        /// Current confidence, 0..=1: the confidence at its last evidence, decayed since.
        confidence: f32,
        /// Stored confidence, before decay.
        stored_confidence: f32 = view.edge.confidence,
        /// Origin: `user`, `static`, `import`, `llm`, `embedding`, `rule`.
        provenance: String = shown(&view.edge.provenance),
        /// Words that language models gave for a relation; filled where one edge is shown, empty in lists.
        keywords: Vec<String>,
        /// Why it is believed.
        evidence: Vec<Evidence> = shown(&view.edge.evidence),
        /// When it was first stored.
        created_at: Time = view.edge.created_at.into(),
        /// When it last gained evidence.
        touched_at: Time = view.edge.touched_at.into(),
        /// When it stops being true, if that is known.
        expires_at: Option<Time> = shown(&view.edge.expires_at),
    }

    /// First and last line of a passage in its source, counted from 1.
    Span from (lines: model::Lines) {
        /// First line.
        first: u32,
        /// Last line.
        last: u32,
    }

    /// A memory as it is stored.
    Memory from (memory: model::Memory) {
        /// Stable id, a UUID of version 7.
        id: String,
        /// Short name, unique in the workspace, such as `#a1b2c3`.
        handle: String,
        /// The text, verbatim.
        text: String,
        /// `insight`, `decision`, `fact`, `preference`, `event`, `observation`, `note`, `passage`, `turn` or
        /// a custom word.
        kind: String,
        /// Tags, as given.
        tags: Vec<String>,
        /// `code`, `execution`, `knowledge` or `project`: follows from its type or kind.
        layer: String = shown(&model::Layer::of_memory(&memory.kind)),
        /// `long_term`, `rule` (a standing rule, returned with every answer in its scope) or `working`
        /// (expires automatically).
        tier: String,
        /// 1 (trivial) to 5 (vital).
        importance: u8,
        /// The user it belongs to; `null` if all users share it.
        user: Option<String> = memory.scope.user.clone(),
        /// The project it is about; `null` if none in particular.
        project: Option<String> = memory.scope.project.clone(),
        /// The agent that stored it.
        agent: Option<String>,
        /// The session it belongs to.
        session: Option<String>,
        /// Who said it.
        speaker: Option<String>,
        /// Headings above a passage, outermost first.
        heading: Vec<String>,
        /// Lines in the source.
        lines: Option<Span>,
        /// Id of its source, such as `s4`.
        source: String,
        /// Where a person finds it, if it was shown or listed by itself: see `cite` of a result.
        cite: Option<String> = None,
        /// Position in its source and session, from 0.
        ordinal: u32,
        /// When it happened or was said.
        occurred_at: Time,
        /// When it was stored.
        recorded_at: Time,
        /// Why the text needs care: `secret` (contains a key or password), `instructions` (addresses a model
        /// that reads it), `written_by_model` (a language model wrote it about others; where a memory is
        /// shown or listed by itself, or recalled).
        flags: Vec<String> = flags(&memory.text),
        /// When it expires; `null` if it does not.
        expires_at: Option<Time>,
        /// When it was forgotten, if it was.
        deleted_at: Option<Time>,
        /// Id of the memory that replaced it.
        superseded_by: Option<String>,
        /// How often callers accessed this memory directly.
        access_count: u32,
        /// When a caller last accessed it directly.
        last_accessed_at: Option<Time>,
    }

    /// An entity: a named thing.
    Entity from (entity: model::Entity) {
        /// Canonical id: type and key, such as `tool:redis`; unique.
        id: String = entity.canonical_id(),
        /// The name as first written.
        name: String,
        /// `person`, `org`, `repo`, `concept`, `tool`, `location`, `event`, `goal`, `task`, `file`, `module`,
        /// `function`, `type`, `external`, `topic`, `date` or `custom`.
        r#type: String = shown(&entity.kind),
        /// Identifies it among entities of its type; `null` if the name does.
        key: Option<String> = (!entity.is_keyed_by_name()).then(|| entity.key.clone()),
        /// `code`, `execution`, `knowledge` or `project`: follows from its type or kind.
        layer: String = shown(&model::Layer::of_entity(entity.kind)),
        /// Other names of the same thing, in normal form, and canonical ids it had before.
        aliases: Vec<String>,
        /// What was learned about it, in order.
        description: Vec<String>,
        /// When it was first mentioned.
        first_seen: Time,
        /// When it was last mentioned.
        last_seen: Time,
        /// When it was forgotten, if it was.
        deleted_at: Option<Time>,
    }

    /// A fact: subject, predicate, object, with the time it was valid and the time it was known.
    Fact from (view: engine::FactView) {
        /// Id in the workspace, such as `f3`.
        id: String = fact_id(view.fact.number),
        /// The subject.
        subject: NodeRef,
        /// `adopted`, `migrated_to`, `deployed_to`, `runs_on`, `replaced`, `depends_on`, `integrates_with`,
        /// `uses`, `prefers`, `avoids`, `caused_by`, `resolved_by` or `owned_by`.
        predicate: String = shown(&view.fact.predicate),
        /// Name of the object, or the literal itself.
        object: String = object(view),
        /// The object as a node; `null` for a literal.
        object_node: Option<NodeRef> = shown(&view.object),
        /// When it became true, if known.
        valid_from: Option<Time> = shown(&view.fact.valid_from),
        /// When it stopped being true, if it did.
        valid_to: Option<Time> = shown(&view.fact.valid_to),
        /// When it was stored.
        recorded_at: Time = view.fact.recorded_at.into(),
        /// When it was withdrawn.
        superseded_at: Option<Time> = shown(&view.fact.superseded_at),
        /// When a person set its end; `null` if no one did. A language model never reopens it then.
        ended_at: Option<Time> = shown(&view.fact.ended_at),
        /// 0..=1.
        confidence: f32 = view.fact.confidence,
        /// Whether it is valid at the requested time.
        current: bool,
        /// Ids of contradicting facts that are valid at the same time.
        contradicts: Vec<String> = view.contradicts.iter().map(|&number| fact_id(number)).collect(),
        /// The user who sees it; all users if there is none.
        user: Option<String> = view.fact.scope.user.clone(),
        /// The project it is about; `null` if none in particular.
        project: Option<String> = view.fact.scope.project.clone(),
        /// Why it is believed.
        evidence: Vec<Evidence> = shown(&view.fact.evidence),
    }

    /// Two facts that cannot both hold: one thing in two states at one time, or preferred and avoided.
    FactConflict {
        /// The one that was stored earlier.
        first: Fact,
        /// The other one.
        second: Fact,
    }

    /// A source of memories.
    Source from (source: model::Source) {
        /// Id in the workspace, such as `s4`.
        id: String,
        /// `agent`, `file`, `page`, `chat`, `code`, `tracker` or `import`.
        kind: String,
        /// A path, a URL, or the name of an agent.
        origin: String,
        /// `web` for pages, which are untrusted, else `own`.
        trust: String = source.kind.trust().name().into(),
        /// Title of the document.
        title: Option<String>,
        /// Declared language, such as `en` or `pt-BR`.
        language: Option<String>,
        /// Tags of the source.
        tags: Vec<String>,
        /// What its user noted of it, by name.
        metadata: BTreeMap<String, String>,
        /// Whether it can be read again: a page, or a file of the server's machine.
        readable: bool = source.is_readable(),
        /// When it was first read.
        created_at: Time,
        /// When it last changed.
        updated_at: Time,
        /// When it was removed, if it was.
        deleted_at: Option<Time>,
    }

    /// The source of a result.
    SourceRef {
        /// Id in the workspace, such as `s4`.
        id: String,
        /// `agent`, `file`, `chat`, …; `null` if no longer known.
        kind: Option<String>,
        /// A path, a URL, or the name of an agent; `null` if no longer known.
        origin: Option<String>,
        /// `web` for pages, which are untrusted, else `own`; `null` if no longer known.
        trust: Option<String>,
        /// Title of the document.
        title: Option<String>,
    }

    /// A warning of the verifier; it never prevents a write.
    Warning from (warning: model::Warning) {
        /// Stable id, such as `w-3f2a90c1d4e5`, derived from the rule and its subject.
        id: String = warning.found.id().to_string(),
        /// `causal_cycle`, `caused_and_prevented` or `external_base`.
        code: String = warning.found.kind.name().into(),
        /// The warning, as a sentence.
        message: String = message(&warning.found),
        /// Ids of the edges concerned.
        edges: Vec<String> = edge_ids(&warning.found.edges),
        /// When it was first seen.
        first_seen: Time,
        /// Its acknowledgement; `null` while it is open.
        acknowledged: Option<Acknowledged>,
    }

    /// The acknowledgement of a warning.
    Acknowledged from (said: model::Acknowledged) {
        /// When.
        at: Time,
        /// Who: `user`, or the name of a key.
        by: String,
        /// Why.
        note: Option<String>,
    }
}

/// `e12`; `None` for edges that are derived when read.
pub fn edge_id(number: u32) -> Option<String> {
    (number != 0).then(|| format!("e{number}"))
}

pub fn fact_id(number: u32) -> String {
    format!("f{number}")
}

impl Shows<recall::PathNode> for NodeRef {
    fn show(node: &recall::PathNode) -> Self {
        match node {
            recall::PathNode::Memory { id, handle, excerpt, occurred_at, layer, .. } => Self {
                r#type: "memory".into(),
                id: id.clone(),
                name: handle.clone(),
                entity_type: None,
                excerpt: Some(excerpt.clone()),
                occurred_at: Some((*occurred_at).into()),
                layer: layer.name().into(),
            },
            recall::PathNode::Entity { id, name, kind, .. } => Self {
                r#type: "entity".into(),
                id: id.clone(),
                name: name.clone(),
                entity_type: Some(kind.name().into()),
                excerpt: None,
                occurred_at: None,
                layer: node.layer().name().into(),
            },
        }
    }
}

impl SourceRef {
    /// What an answer knows of a source that was not read.
    pub(crate) fn of(id: model::SourceId, title: &Option<String>) -> Self {
        Self { id: id.to_string(), kind: None, origin: None, trust: None, title: title.clone() }
    }

    pub(crate) fn describe(&mut self, source: &model::Source) {
        self.kind = Some(source.kind.name().into());
        self.origin = Some(source.origin.clone());
        self.trust = Some(source.kind.trust().name().into());
    }
}

impl NodeRef {
    pub fn is_memory(&self) -> bool {
        self.r#type == "memory"
    }
}

/// How an edge reads when it is walked: its label or kind forwards, the inverse name of its kind backwards.
pub(crate) fn reads(kind: model::EdgeKind, label: &str, forward: bool) -> String {
    let labelled = !label.is_empty() && kind != model::EdgeKind::Temporal;
    match (forward, labelled) {
        (true, true) => label.to_string(),
        (true, false) if kind.is_symmetric() => kind.row().inverse.to_string(),
        (true, false) => match kind {
            model::EdgeKind::Temporal | model::EdgeKind::Narrative => "then".to_string(),
            _ => kind.name().replace('_', " "),
        },
        (false, true) if kind == model::EdgeKind::Relation => format!("{label} of"),
        (false, true) => match label {
            "enables" => "enabled by".to_string(),
            "prevents" => "prevented by".to_string(),
            _ => kind.row().inverse.to_string(),
        },
        (false, false) => kind.row().inverse.to_string(),
    }
}

/// The flag of a memory that a language model wrote.
pub(crate) const WRITTEN_BY_MODEL: &str = "written_by_model";

/// Why a text needs care, in words.
pub(crate) fn flags(text: &str) -> Vec<String> {
    griot::text::alerts(text).into_iter().map(|alert| alert.name().to_string()).collect()
}

/// The name of a fact's object, or the literal.
fn object(view: &engine::FactView) -> String {
    match (&view.fact.object, &view.object) {
        (model::FactObject::Literal(text), _) => text.clone(),
        (model::FactObject::Entity(_), Some(node)) => NodeRef::show(node).name,
        (model::FactObject::Entity(_), None) => String::new(),
    }
}

/// Ids of stored edges.
pub(crate) fn edge_ids(numbers: &[u32]) -> Vec<String> {
    numbers.iter().copied().filter_map(edge_id).collect()
}

fn message(found: &model::Finding) -> String {
    let named = edge_ids(&found.edges).join(", ");
    match found.kind {
        model::WarningKind::CausalCycle => format!("causes form a circle over {named}"),
        model::WarningKind::CausedAndPrevented => {
            format!("the same pair is said to be caused and prevented: {named}")
        }
        model::WarningKind::ExternalBase => {
            format!("one of our types is said to extend a type from outside beside another one: {named}")
        }
    }
}

//! Memories, entities, edges, facts, sources: the objects that answers consist of.

use griot::engine;
use griot::model;
use griot::recall;

use crate::Time;

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
    Evidence {
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
    Hop {
        /// Where the step starts.
        from: NodeRef,
        /// Its end.
        to: NodeRef,
        /// Kind of the edge, a word of the catalogue such as `causal` or `mentions`.
        kind: String,
        /// The edge's sub-type or relation label; empty where the kind has none.
        label: String,
        /// How the step reads from `from` to `to`, such as `mentions`, `caused by`, `depends_on`.
        reads: String,
        /// Which question the edge answers: `temporal`, `entity`, `causal`, `semantic`.
        family: String,
        /// `true` if the edge runs from `from` to `to`; `false` if it is walked against its direction.
        forward: bool,
        /// Weight of the edge, 0..=1; for relations, from the number of times they were stated.
        weight: f32,
        /// Confidence in the edge, 0..=1, decayed to the time of the question.
        confidence: f32,
        /// Origin: `user`, `static`, `import`, `llm`, `embedding`, `rule`.
        provenance: String,
        /// Hours between both ends of a step in time; `null` for other steps.
        hours: Option<f64>,
        /// When the edge expires; `null` if it does not.
        expires_at: Option<Time>,
        /// Id of the edge (`e12`); `null` if it is derived from times or positions and not stored.
        edge: Option<String>,
        /// Why the edge is believed.
        evidence: Vec<Evidence>,
    }

    /// A stored edge with both ends spelled out.
    Edge {
        /// Id in the workspace, such as `e12`; `null` if it is derived when read.
        id: Option<String>,
        /// Its start.
        source: NodeRef,
        /// Its end.
        target: NodeRef,
        /// Kind of the edge, a word of the catalogue.
        kind: String,
        /// Sub-type or relation label; empty where the kind has none.
        label: String,
        /// Which question it answers: `temporal`, `entity`, `causal`, `semantic`.
        family: String,
        /// Weight, 0..=1; for relations, from the number of times they were stated.
        weight: f32,
        /// Current confidence, 0..=1: the confidence at its last evidence, decayed since.
        confidence: f32,
        /// Stored confidence, before decay.
        stored_confidence: f32,
        /// Origin: `user`, `static`, `import`, `llm`, `embedding`, `rule`.
        provenance: String,
        /// Why it is believed.
        evidence: Vec<Evidence>,
        /// When it was first stored.
        created_at: Time,
        /// When it last gained evidence.
        touched_at: Time,
        /// When it stops being true, if that is known.
        expires_at: Option<Time>,
    }

    /// First and last line of a passage in its source, counted from 1.
    Span {
        /// First line.
        first: u32,
        /// Last line.
        last: u32,
    }

    /// A memory as it is stored.
    Memory {
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
        layer: String,
        /// `long_term`, `rule` (a standing rule, returned with every answer in its scope) or `working`
        /// (expires automatically).
        tier: String,
        /// 1 (trivial) to 5 (vital).
        importance: u8,
        /// The user it belongs to; `null` if all users share it.
        user: Option<String>,
        /// The project it is about; `null` if none in particular.
        project: Option<String>,
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
        /// Position in its source and session, from 0.
        ordinal: u32,
        /// When it happened or was said.
        occurred_at: Time,
        /// When it was stored.
        recorded_at: Time,
        /// Why the text needs care: `secret` (contains a key or password), `instructions` (addresses a model
        /// that reads it).
        flags: Vec<String>,
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
    Entity {
        /// Canonical id: type and key, such as `tool:redis`; unique.
        id: String,
        /// The name as first written.
        name: String,
        /// `person`, `org`, `repo`, `concept`, `tool`, `location`, `event`, `goal`, `task`, `file`, `module`,
        /// `function`, `type`, `external`, `topic`, `date` or `custom`.
        r#type: String,
        /// Identifies it among entities of its type; `null` if the name does.
        key: Option<String>,
        /// `code`, `execution`, `knowledge` or `project`: follows from its type or kind.
        layer: String,
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
    Fact {
        /// Id in the workspace, such as `f3`.
        id: String,
        /// The subject.
        subject: NodeRef,
        /// `adopted`, `migrated_to`, `deployed_to`, `runs_on`, `replaced`, `depends_on`, `integrates_with`,
        /// `uses`, `prefers`, `avoids`, `caused_by`, `resolved_by` or `owned_by`.
        predicate: String,
        /// Name of the object, or the literal itself.
        object: String,
        /// The object as a node; `null` for a literal.
        object_node: Option<NodeRef>,
        /// When it became true, if known.
        valid_from: Option<Time>,
        /// When it stopped being true, if it did.
        valid_to: Option<Time>,
        /// When it was stored.
        recorded_at: Time,
        /// When it was withdrawn.
        superseded_at: Option<Time>,
        /// 0..=1.
        confidence: f32,
        /// Whether it is valid at the requested time.
        current: bool,
        /// Ids of contradicting facts that are valid at the same time.
        contradicts: Vec<String>,
        /// The user who sees it; all users if there is none.
        user: Option<String>,
        /// The project it is about; `null` if none in particular.
        project: Option<String>,
        /// Why it is believed.
        evidence: Vec<Evidence>,
    }

    /// A source of memories.
    Source {
        /// Id in the workspace, such as `s4`.
        id: String,
        /// `agent`, `file`, `page`, `chat`, `code`, `tracker` or `import`.
        kind: String,
        /// A path, a URL, or the name of an agent.
        origin: String,
        /// Title of the document.
        title: Option<String>,
        /// Declared language, such as `en` or `pt-BR`.
        language: Option<String>,
        /// Tags of the source.
        tags: Vec<String>,
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
    Warning {
        /// Stable id, such as `w-3f2a90c1d4e5`, derived from the rule and its subject.
        id: String,
        /// `causal_cycle`, `caused_and_prevented` or `external_base`.
        code: String,
        /// The warning, as a sentence.
        message: String,
        /// Ids of the edges concerned.
        edges: Vec<String>,
        /// When it was first seen.
        first_seen: Time,
        /// Its acknowledgement; `null` while it is open.
        acknowledged: Option<Acknowledged>,
    }

    /// The acknowledgement of a warning.
    Acknowledged {
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

impl From<&recall::PathNode> for NodeRef {
    fn from(node: &recall::PathNode) -> Self {
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

impl NodeRef {
    pub fn is_memory(&self) -> bool {
        self.r#type == "memory"
    }
}

impl From<&model::Evidence> for Evidence {
    fn from(evidence: &model::Evidence) -> Self {
        Self {
            memory: evidence.memory.map(|id| id.to_string()),
            quote: evidence.quote.clone(),
            reason: evidence.reason.clone(),
            at: evidence.at.into(),
        }
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

impl From<&recall::Hop> for Hop {
    fn from(hop: &recall::Hop) -> Self {
        Self {
            from: (&hop.from).into(),
            to: (&hop.to).into(),
            kind: hop.kind.name().into(),
            label: hop.label.clone(),
            reads: reads(hop.kind, &hop.label, hop.forward),
            family: hop.kind.family().name().into(),
            forward: hop.forward,
            weight: hop.weight,
            confidence: hop.confidence,
            provenance: hop.provenance.name().into(),
            hours: hop.hours(),
            expires_at: hop.expires_at.map(Into::into),
            edge: edge_id(hop.edge),
            evidence: hop.evidence.iter().map(Into::into).collect(),
        }
    }
}

impl From<&engine::EdgeView> for Edge {
    fn from(view: &engine::EdgeView) -> Self {
        let edge = &view.edge;
        Self {
            id: edge_id(edge.number),
            source: (&view.source).into(),
            target: (&view.target).into(),
            kind: edge.kind.name().into(),
            label: edge.label.clone(),
            family: edge.kind.family().name().into(),
            weight: edge.weight,
            confidence: view.confidence,
            stored_confidence: view.edge.confidence,
            provenance: edge.provenance.name().into(),
            evidence: edge.evidence.iter().map(Into::into).collect(),
            created_at: edge.created_at.into(),
            touched_at: edge.touched_at.into(),
            expires_at: edge.expires_at.map(Into::into),
        }
    }
}

impl From<model::Lines> for Span {
    fn from(lines: model::Lines) -> Self {
        Self { first: lines.first, last: lines.last }
    }
}

/// Why a text needs care, in words.
pub(crate) fn flags(text: &str) -> Vec<String> {
    griot::text::alerts(text).into_iter().map(|alert| alert.name().to_string()).collect()
}

impl From<&model::Memory> for Memory {
    fn from(memory: &model::Memory) -> Self {
        Self {
            id: memory.id.to_string(),
            handle: memory.handle.to_string(),
            text: memory.text.clone(),
            kind: memory.kind.clone(),
            tags: memory.tags.clone(),
            layer: model::Layer::of_memory(&memory.kind).name().into(),
            tier: memory.tier.name().into(),
            importance: memory.importance,
            user: memory.scope.user.clone(),
            project: memory.scope.project.clone(),
            agent: memory.agent.clone(),
            session: memory.session.clone(),
            speaker: memory.speaker.clone(),
            heading: memory.heading.clone(),
            lines: memory.lines.map(Into::into),
            source: memory.source.to_string(),
            ordinal: memory.ordinal,
            occurred_at: memory.occurred_at.into(),
            recorded_at: memory.recorded_at.into(),
            flags: flags(&memory.text),
            expires_at: memory.expires_at.map(Into::into),
            deleted_at: memory.deleted_at.map(Into::into),
            superseded_by: memory.superseded_by.map(|id| id.to_string()),
            access_count: memory.access_count,
            last_accessed_at: memory.last_accessed_at.map(Into::into),
        }
    }
}

impl From<&model::Entity> for Entity {
    fn from(entity: &model::Entity) -> Self {
        Self {
            id: entity.canonical_id(),
            name: entity.name.clone(),
            r#type: entity.kind.name().into(),
            key: (!entity.is_keyed_by_name()).then(|| entity.key.clone()),
            layer: model::Layer::of_entity(entity.kind).name().into(),
            aliases: entity.aliases.clone(),
            description: entity.description.clone(),
            first_seen: entity.first_seen.into(),
            last_seen: entity.last_seen.into(),
            deleted_at: entity.deleted_at.map(Into::into),
        }
    }
}

impl From<&engine::FactView> for Fact {
    fn from(view: &engine::FactView) -> Self {
        let fact = &view.fact;
        let object_node = view.object.as_ref().map(NodeRef::from);
        let object = match (&fact.object, &object_node) {
            (model::FactObject::Literal(text), _) => text.clone(),
            (model::FactObject::Entity(_), Some(node)) => node.name.clone(),
            (model::FactObject::Entity(_), None) => String::new(),
        };
        Self {
            id: fact_id(fact.number),
            subject: (&view.subject).into(),
            predicate: fact.predicate.name().into(),
            object,
            object_node,
            valid_from: fact.valid_from.map(Into::into),
            valid_to: fact.valid_to.map(Into::into),
            recorded_at: fact.recorded_at.into(),
            superseded_at: fact.superseded_at.map(Into::into),
            confidence: fact.confidence,
            current: view.current,
            contradicts: view.contradicts.iter().map(|&number| fact_id(number)).collect(),
            user: fact.scope.user.clone(),
            project: fact.scope.project.clone(),
            evidence: fact.evidence.iter().map(Into::into).collect(),
        }
    }
}

impl From<&model::Source> for Source {
    fn from(source: &model::Source) -> Self {
        Self {
            id: source.id.to_string(),
            kind: source.kind.name().into(),
            origin: source.origin.clone(),
            title: source.title.clone(),
            language: source.language.clone(),
            tags: source.tags.clone(),
            created_at: source.created_at.into(),
            updated_at: source.updated_at.into(),
            deleted_at: source.deleted_at.map(Into::into),
        }
    }
}

impl From<&griot::model::Warning> for Warning {
    fn from(warning: &griot::model::Warning) -> Self {
        use griot::model::WarningKind;
        let found = &warning.found;
        let edges: Vec<String> = found.edges.iter().map(|number| format!("e{number}")).collect();
        let named = edges.join(", ");
        let message = match found.kind {
            WarningKind::CausalCycle => format!("causes form a circle over {named}"),
            WarningKind::CausedAndPrevented => {
                format!("the same pair is said to be caused and prevented: {named}")
            }
            WarningKind::ExternalBase => {
                format!("one of our types is said to extend a type from outside beside another one: {named}")
            }
        };
        let acknowledged = warning.acknowledged.as_ref().map(|said| Acknowledged {
            at: said.at.into(),
            by: said.by.clone(),
            note: said.note.clone(),
        });
        Self {
            id: found.id().to_string(),
            code: found.kind.name().into(),
            message,
            edges,
            first_seen: warning.first_seen.into(),
            acknowledged,
        }
    }
}

//! Builds complete sources, memories, entities, edges and facts, so that a test only sets the fields it is
//! about.

use crate::backend::{Filter, Store, WordQuery};
use crate::model::{
    Change, ChangeSet, Deletable, Edge, EdgeKind, Entity, EntityType, Error, Evidence, Fact, FactObject,
    Memory, MemoryId, Node, Predicate, Provenance, Revision, Scope, Source, SourceId, SourceType,
    StoredVector, Tier, Timestamp, entity_key,
};

pub fn memory_id(number: u32) -> MemoryId {
    MemoryId(uuid::Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0000 | u128::from(number) << 4))
}

pub fn a_source(number: u32) -> Source {
    Source {
        id: SourceId(number),
        // Every third source is from the web.
        kind: if number.is_multiple_of(3) { SourceType::Page } else { SourceType::File },
        origin: format!("/notes/{number}.md"),
        title: Some(format!("Title of {number}")),
        language: Some("pt-BR".into()),
        tags: vec!["old".into(), "new".into()],
        metadata: [("author".into(), format!("Writer {number}")), ("règle".into(), String::new())].into(),
        content_hash: Some([number as u8; 32]),
        from_disk: number.is_multiple_of(2),
        created_at: Timestamp(10),
        updated_at: Timestamp(20),
        deleted_at: None,
    }
}

pub fn a_memory(number: u32, text: &str) -> Memory {
    let id = memory_id(number);
    Memory {
        node: Node::memory(number),
        id,
        handle: id.handle(10),
        text: text.into(),
        kind: "note".into(),
        tags: vec![],
        tier: Tier::LongTerm,
        importance: 3,
        scope: Scope::default(),
        agent: None,
        session: None,
        speaker: None,
        heading: vec![],
        lines: None,
        source: SourceId(1),
        ordinal: number,
        occurred_at: Timestamp(i64::from(number) * Timestamp::HOUR),
        recorded_at: Timestamp(i64::from(number) * Timestamp::HOUR + 5),
        expires_at: None,
        deleted_at: None,
        superseded_by: None,
        access_count: 0,
        last_accessed_at: None,
    }
}

pub fn an_entity(number: u32, kind: EntityType, name: &str) -> Entity {
    Entity {
        node: Node::entity(number),
        name: name.into(),
        kind,
        key: entity_key(kind, name),
        aliases: vec![crate::text::normal_name(name)],
        description: vec![],
        first_seen: Timestamp(1),
        last_seen: Timestamp(2),
        deleted_at: None,
    }
}

pub fn an_edge(source: Node, target: Node, kind: EdgeKind, label: &str) -> Edge {
    Edge {
        number: 0,
        source,
        target,
        kind,
        label: label.into(),
        weight: 0.5,
        confidence: 0.75,
        provenance: Provenance::Rule,
        evidence: vec![Evidence {
            memory: None,
            quote: None,
            reason: Some("a test".into()),
            at: Timestamp(100),
        }],
        created_at: Timestamp(100),
        touched_at: Timestamp(100),
        expires_at: None,
    }
}

pub fn a_mention(memory: u32, entity: u32) -> Edge {
    let mut edge = an_edge(Node::memory(memory), Node::entity(entity), EdgeKind::Mentions, "");
    edge.weight = 1.0;
    edge.confidence = 1.0;
    edge.evidence = vec![own_evidence(memory, edge.created_at)];
    edge
}

pub fn own_evidence(memory: u32, at: Timestamp) -> Evidence {
    Evidence { memory: Some(memory_id(memory)), quote: None, reason: None, at }
}

pub fn a_fact(subject: u32, object: FactObject) -> Fact {
    Fact {
        number: 0,
        subject: Node::entity(subject),
        predicate: Predicate::Uses,
        object,
        valid_from: Some(Timestamp(5)),
        valid_to: None,
        recorded_at: Timestamp(6),
        superseded_at: None,
        ended_at: None,
        confidence: 0.5,
        scope: Scope { user: subject.is_multiple_of(2).then(|| "ada".to_string()), project: None },
        evidence: vec![],
    }
}

/// A unit vector in 70 dimensions, in its stored form.
pub fn a_vector(seed: u64) -> StoredVector {
    let mut random = fastrand::Rng::with_seed(seed);
    let values: Vec<i8> = (0..70).map(|_| random.i8(-127..=127)).collect();
    let length = values.iter().map(|&value| f32::from(value) * f32::from(value)).sum::<f32>().sqrt();
    StoredVector { model: "test-70".into(), scale: 1.0 / length, values }
}

pub fn unpacked(vector: &StoredVector) -> Vec<f32> {
    vector.values.iter().map(|&value| f32::from(value) * vector.scale).collect()
}

pub fn set_deleted(node: Node, at: Option<i64>) -> Change {
    Change::SetDeleted { target: Deletable::Node(node), at: at.map(Timestamp) }
}

pub fn of_user(user: Option<&str>) -> Scope {
    Scope { user: user.map(str::to_owned), project: None }
}

/// The memories that contain a word, best first.
pub fn with_word(store: &dyn Store, word: &str) -> Vec<Node> {
    let query = WordQuery { terms: vec![word.into()], limit: 9, places: 9, ..WordQuery::default() };
    let hits = store.search_words(&query, &Filter::default()).unwrap();
    hits.memories.into_iter().map(|hit| hit.node).collect()
}

pub fn add(memory: Memory) -> Change {
    Change::AddMemory { memory: Box::new(memory), vector: None }
}

/// Returns why a store refuses changes.
pub fn refused(store: &dyn Store, changes: Vec<Change>) -> Error {
    store.write(&mut |_| Ok(ChangeSet { at: Timestamp(1), changes: changes.clone() })).unwrap_err()
}

pub fn write(store: &dyn Store, changes: Vec<Change>) -> Revision {
    let mut changes = Some(changes);
    let set = &mut |_: &dyn crate::backend::Read| {
        Ok(ChangeSet { at: Timestamp(1000), changes: changes.take().unwrap_or_default() })
    };
    store.write(set).unwrap().revision
}

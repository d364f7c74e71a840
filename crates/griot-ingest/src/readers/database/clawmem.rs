//! The index of ClawMem: documents and observations, who they mention, facts, and the edges between
//! documents.

use std::collections::{HashMap, HashSet};

use griot::model::{EntityType, Predicate, Provenance, Result};
use griot::remember::{Draft, DraftFact, DraftObject, DraftPlace, EntityDraft};

use super::relation::{Claim, Counts, Relations, confidence, metadata, reason};
use super::rows::{Database, Row};
use crate::readers::input::{Batch, add_tags};
use crate::readers::markup::one_line;
use crate::readers::reader::Full;
use crate::readers::{front_matter, record, unmarked};

pub(super) fn is_one(database: &Database) -> bool {
    database.has("documents", &["id", "collection", "path", "hash"])
        && database.has("content", &["hash", "doc"])
}

pub(super) fn read(database: &Database, batch: &mut Batch, full: &mut Full) -> Result<()> {
    let mut relations = edges(database, batch)?;
    let entities = entities(database, batch)?;
    let mut mentions: HashMap<String, Vec<EntityDraft>> = HashMap::new();
    database.each("entity_mentions", "entity_id, doc_id", batch, &mut |row, _| {
        if let (Some(entity), Some(document)) = (row.key("entity_id"), row.key("doc_id"))
            && let Some(entity) = entities.get(&entity)
        {
            mentions.entry(document).or_default().push(entity.clone());
        }
        Ok(())
    })?;
    database.each("documents", DOCUMENT, batch, &mut |row, batch| {
        if row.number("active") == Some(0) || row.has("invalidated_at") || row.has("superseded_by") {
            return Ok(());
        }
        let text = row.words("hash").and_then(|hash| database.text_of("content", "hash", "doc", hash));
        match text {
            Ok(text) => {
                let named = row.key("id").and_then(|key| mentions.remove(&key)).unwrap_or_default();
                document(row, &text, named, &mut relations, batch);
            }
            Err(why) => batch.problem(format!("{}: {why}", row.label())),
        }
        full(batch)
    })?;
    observations(database, batch, full)?;
    facts(database, &entities, &mut relations, batch, full)?;
    relations.finish(batch);
    Ok(())
}

const DOCUMENT: &str = "id, collection, path, title, hash, active, created_at, modified_at, authored_at, \
                        tags, content_type, observation_type, pinned, invalidated_at, superseded_by";

fn document(row: &Row, text: &str, named: Vec<EntityDraft>, relations: &mut Relations, batch: &mut Batch) {
    let text = text.replace("\r\n", "\n");
    let (front, _, bytes) = front_matter::read(&text).unwrap_or_default();
    let title = row.text("title").map(one_line);
    let path = [row.text("collection"), row.text("path")].into_iter().flatten().collect::<Vec<_>>().join("/");
    let mut whole = batch.passage("");
    // The program calls any file that it found a note.
    let kind =
        row.text("observation_type").or_else(|| row.text("content_type")).filter(|kind| *kind != "note");
    if let Some(kind) = kind {
        whole.kind = Some(kind.to_lowercase());
    }
    add_tags(&mut whole.tags, record::listed(row.text("tags")));
    add_tags(&mut whole.tags, front.tags);
    whole.importance = (row.number("pinned") == Some(1)).then_some(5);
    whole.occurred_at = row.time(&["authored_at", "created_at", "modified_at"]).or(whole.occurred_at);
    whole.session = Some(path.clone()).filter(|path| !path.is_empty());
    let key = row.key("id").unwrap_or_default();
    let mut first = Some(named);
    for chunk in unmarked::chunks(&text[bytes..]) {
        let mut draft = Draft { heading: chunk.heading, ..whole.clone() };
        if draft.heading.is_empty() {
            draft.heading.extend(title.clone());
        }
        // Mentions belong to the whole document; its first passage gets them.
        draft.entities = first.take().unwrap_or_default();
        draft.text = chunk.text;
        let ordinal = batch.push(draft, &row.label());
        relations.became(&key, whole.session.as_deref(), ordinal);
    }
}

/// Conclusions from several observations.
fn observations(database: &Database, batch: &mut Batch, full: &mut Full) -> Result<()> {
    let columns = "observation, status, invalidated_at, superseded_by, created_at";
    database.each("consolidated_observations", columns, batch, &mut |row, batch| {
        let is_active = row.text("status").is_none_or(|status| status == "active");
        if !is_active || row.has("invalidated_at") || row.has("superseded_by") {
            return Ok(());
        }
        match row.words("observation") {
            Ok(words) => {
                let mut draft = batch.draft(words.to_string(), "observation");
                draft.session = Some("observations".to_string());
                draft.occurred_at = row.time(&["created_at"]).or_else(|| batch.input.time());
                batch.push(draft, &row.label());
            }
            Err(why) => batch.problem(format!("{}: {why}", row.label())),
        }
        full(batch)
    })
}

/// Names and types by id.
fn entities(database: &Database, batch: &mut Batch) -> Result<HashMap<String, EntityDraft>> {
    let mut entities = HashMap::new();
    database.each("entity_nodes", "entity_id, entity_type, name", batch, &mut |row, _| {
        if let (Some(key), Some(name)) = (row.key("entity_id"), row.text("name")) {
            let kind = row.text("entity_type").and_then(|kind| EntityType::meant(&kind.to_lowercase()));
            entities.insert(key, EntityDraft::named(one_line(name), kind));
        }
        Ok(())
    })?;
    Ok(entities)
}

/// Each statement as a sentence that names both of its ends, and as a fact where its predicate is one of
/// Griot's. A sentence whose fact has ended says when.
fn facts(
    database: &Database,
    entities: &HashMap<String, EntityDraft>,
    relations: &mut Relations,
    batch: &mut Batch,
    full: &mut Full,
) -> Result<()> {
    let columns = "subject_entity_id, predicate, object_entity_id, object_literal, valid_from, valid_to, \
                   confidence, source_doc_id, source_fact, created_at";
    // An entity without a row is named by its id: `vault:type:slug`.
    let entity = |key: String| {
        entities.get(&key).cloned().unwrap_or_else(|| {
            let name = key.rsplit(':').next().unwrap_or_default().replace('-', " ");
            EntityDraft::named(one_line(&name), key.rsplit(':').nth(1).and_then(EntityType::meant))
        })
    };
    let mut words_only = Counts::default();
    database.each("entity_triples", columns, batch, &mut |row, batch| {
        let subject = row.key("subject_entity_id").map(entity);
        let object = row.key("object_entity_id").map(entity);
        let value = object.as_ref().map(|object| object.name.clone()).or_else(|| row.key("object_literal"));
        let (Some(subject), Some(predicate), Some(value)) = (subject, row.text("predicate"), value) else {
            batch.problem(format!("{} is a fact without two ends", row.label()));
            return Ok(());
        };
        let until = row.time(&["valid_to"]).map(|at| format!(" (until {})", at.date()));
        let words =
            format!("{} {} {value}{}", subject.name, predicate.replace('_', " "), until.unwrap_or_default());
        let mut draft = batch.draft(words, "fact");
        draft.entities = [Some(subject.clone()), object.clone()].into_iter().flatten().collect();
        draft.session = Some(FACTS.to_string());
        draft.occurred_at = row.time(&["valid_from", "created_at"]).or_else(|| batch.input.time());
        let ordinal = batch.push(draft, &row.label());
        match (ordinal, Predicate::parse(&predicate.to_lowercase())) {
            (None, _) => {}
            (Some(ordinal), Some(predicate)) => {
                let object = object.map_or(DraftObject::Literal(value), DraftObject::Entity);
                let said_by = DraftPlace { session: Some(FACTS.to_string()), ordinal };
                relations.state(fact(row, relations, said_by, (subject, predicate, object)));
            }
            (Some(_), None) => words_only.add(predicate),
        }
        full(batch)
    })?;
    if let Some(why) = words_only.shown(["fact is", "facts are"], "kept as a sentence alone") {
        batch.report(batch.error(why).hint("griot facts add --help lists the predicates"));
    }
    Ok(())
}

/// The session of the sentences that state facts.
const FACTS: &str = "facts";

fn fact(
    row: &Row,
    relations: &Relations,
    said_by: DraftPlace,
    (subject, predicate, object): (EntityDraft, Predicate, DraftObject),
) -> DraftFact {
    let document = row.key("source_doc_id").and_then(|key| relations.draft(&key).cloned());
    let valid_from = row.time(&["valid_from"]);
    DraftFact {
        said_by,
        drawn_from: document.map(|draft| (draft, row.text("source_fact").map(one_line))),
        subject,
        predicate,
        object,
        valid_from,
        // At no time does a fact hold that ends before it begins.
        valid_to: row.time(&["valid_to"]).filter(|to| valid_from.is_none_or(|from| from < *to)),
        confidence: row.share("confidence").unwrap_or(1.0),
        at: row.time(&["created_at"]),
    }
}

fn edges(database: &Database, batch: &mut Batch) -> Result<Relations> {
    let mut tasks: HashSet<String> = HashSet::new();
    database.each("beads_issues", "doc_id", batch, &mut |row, _| {
        tasks.extend(row.key("doc_id"));
        Ok(())
    })?;
    let mut relations = Relations::default();
    let columns = "source_id, target_id, relation_type, weight, metadata, contradict_confidence, created_at";
    database.each("memory_relations", columns, batch, &mut |row, _| {
        let kind = row.text("relation_type").unwrap_or("unnamed");
        // Between tasks of a tracker the program stores what waits before what it waits for.
        let are_tasks = |source: &str, target: &str| tasks.contains(source) && tasks.contains(target);
        relations.add(row, kind, claim(row), are_tasks);
        Ok(())
    })?;
    Ok(relations)
}

/// A model judged an edge with a reason: its weight is the model's confidence. A contradiction that was found
/// by comparison has a column for its confidence and no weight. An edge of a tracker names its origin. A
/// similarity with neither was measured.
fn claim(row: &Row) -> Claim {
    let metadata = metadata(row);
    let reason = reason(&metadata);
    let (weight, contradicts) = (row.share("weight"), row.share("contradict_confidence"));
    let (is_llm, is_tracked) = (reason.is_some() || contradicts.is_some(), metadata.get("origin").is_some());
    let named = confidence(&metadata).or(contradicts);
    Claim {
        weight: weight.filter(|weight| *weight > 0.0 || contradicts.is_none()).or(contradicts).unwrap_or(1.0),
        confidence: named.or(weight.filter(|_| is_llm)),
        provenance: if is_llm { Provenance::Llm } else { Provenance::Import },
        label: None,
        judged: is_llm || is_tracked,
        reason,
    }
}

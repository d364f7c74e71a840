//! `export` and `import` of a whole workspace.
//!
//! Records name nodes by their public names, so that they can be imported into another workspace that is not
//! empty.

use std::collections::{HashMap, HashSet};

use super::{EdgeRecord, Engine, FactRecord, Imported, MergeRecord, Record, naming};
use crate::backend::NodeName;
use crate::model::{ChangeSet, Error, Evidence, FactObject, MemoryId, Merge, Node, Result, Scope};
use crate::remember::import::Import;

const PAGE: usize = 1000;
impl Engine {
    /// Exports every record, including hidden ones: header, sources, entities, memories, edges, facts. A view
    /// of a part of the workspace exports that part, without the log of merges, which concerns the whole.
    ///
    /// Others may write meanwhile. Their additions have higher numbers and are left out, so that no record
    /// refers to a missing one.
    pub fn export(&self, sink: &mut dyn FnMut(Record) -> Result<()>) -> Result<()> {
        self.backend.refresh()?;
        let read = self.backend.as_ref();
        let model = read.vector_model()?;
        let revision = read.revision();
        let next = read.next_numbers()?;
        sink(Record::Header { revision, exported_at: self.now(), vector_model: model })?;
        for source in read.sources()?.into_iter().filter(|source| source.id.0 < next.source) {
            sink(Record::Source(source))?;
        }
        let mut names: HashMap<Node, String> = HashMap::new();
        let mut ids: HashSet<MemoryId> = HashSet::new();
        let mut after = 0;
        loop {
            let page = read.entities_after(after, PAGE)?;
            let Some(last) = page.last() else { break };
            after = last.node.number();
            for entity in page.into_iter().filter(|entity| entity.node.number() < next.entity) {
                names.insert(entity.node, entity.canonical_id());
                sink(Record::Entity(entity))?;
            }
        }
        after = 0;
        loop {
            let page = read.memories_after(after, PAGE)?;
            let Some(last) = page.last() else { break };
            after = last.node.number();
            for mut memory in page.into_iter().filter(|memory| memory.node.number() < next.memory) {
                if let Some(by) = memory.superseded_by
                    && read.find_nodes(&NodeName::Id(by))?.iter().all(|node| node.number() >= next.memory)
                {
                    memory.superseded_by = None;
                }
                ids.insert(memory.id);
                names.insert(memory.node, memory.id.to_string());
                let vector = read.vector(memory.node)?;
                sink(Record::Memory { memory, vector })?;
            }
        }
        let is_whole = self.scope == Scope::default();
        // `None` for nodes outside the exported part: entities are shared, and so may be the edges between
        // them.
        let name = |node: Node| match names.get(&node) {
            None if is_whole => Err(Error::corrupt("export", format!("node {node:?} has no row"))),
            name => Ok(name.cloned()),
        };
        // An exported edge or fact may have gained evidence meanwhile.
        let known = |evidence: &Evidence| evidence.memory.is_none_or(|memory| ids.contains(&memory));
        after = 0;
        loop {
            let page = read.edges_after(after, PAGE)?;
            let Some(last) = page.last() else { break };
            after = last.number;
            for mut edge in page.into_iter().filter(|edge| edge.number < next.edge) {
                edge.evidence.retain(known);
                if let (Some(source), Some(target)) = (name(edge.source)?, name(edge.target)?) {
                    sink(Record::Edge(EdgeRecord { source, target, edge }))?;
                }
            }
        }
        for mut fact in read.facts(None)?.into_iter().filter(|fact| fact.number < next.fact) {
            fact.evidence.retain(known);
            let object = match fact.object {
                FactObject::Entity(node) => name(node)?.map(Some),
                FactObject::Literal(_) => Some(None),
            };
            if let (Some(subject), Some(object)) = (name(fact.subject)?, object) {
                sink(Record::Fact(FactRecord { subject, object, fact }))?;
            }
        }
        let mut entities: Vec<Node> = names.keys().copied().filter(|node| node.is_entity()).collect();
        entities.sort();
        for entity in entities {
            let votes = read.type_votes(entity)?;
            if let (false, Some(entity)) = (votes.is_empty(), name(entity)?) {
                sink(Record::Types { entity, votes })?;
            }
        }
        if !is_whole {
            return Ok(());
        }
        for merge in read.merges_after(0, usize::MAX >> 1)? {
            // A merge made meanwhile may refer to entities that are not among the records.
            if let Some(record) = merge_record(merge, &names) {
                sink(Record::Merge(record))?;
            }
        }
        for suggestion in read.suggestions()? {
            if let (Some(kept), Some(merged)) = (names.get(&suggestion.kept), names.get(&suggestion.merged)) {
                let (kept, merged) = (kept.clone(), merged.clone());
                sink(Record::Suggestion { suggestion, kept, merged })?;
            }
        }
        Ok(())
    }

    /// Imports records in one transaction: an error leaves the store unchanged. Records that exist already,
    /// or are repeated (by id, canonical id, key), are skipped; edges gain evidence. Warnings of the verifier
    /// are not exchanged, but found again.
    pub fn import(&self, records: &mut dyn Iterator<Item = Result<Record>>) -> Result<Imported> {
        // Read completely before the lock is taken: a slow or broken file must not block other writers.
        let records: Vec<Record> = records.collect::<Result<_>>()?;
        let now = self.now();
        let mut imported = Imported::default();
        let embedder = self.embedder.name();
        let touched = self.write(&mut |read| {
            let (model, dimensions) = match read.vector_model()? {
                Some((model, dimensions)) => (model, Some(dimensions)),
                None => (embedder.to_string(), None),
            };
            let resolve = |name: &str| naming::node(read, name);
            let mut import = Import::new(read, &resolve, model, dimensions)?;
            for record in &records {
                import.take(record)?;
            }
            imported = import.imported;
            Ok(ChangeSet { at: now, changes: import.changes })
        })?;
        self.look_around(&touched);
        Ok(imported)
    }
}

/// `None` if the merge refers to a node without a name.
fn merge_record(merge: Merge, known: &HashMap<Node, String>) -> Option<MergeRecord> {
    let mut names = Vec::new();
    let mut places: HashMap<Node, u32> = HashMap::new();
    let merge = merge.with_nodes(|node| {
        let name = known.get(&node).ok_or(())?;
        let place = *places.entry(node).or_insert_with(|| {
            names.push(name.clone());
            names.len() as u32 - 1
        });
        Ok::<Node, ()>(Node::from_raw(place))
    });
    let mut merge = merge.ok()?;
    merge.edges_mut().for_each(|edge| edge.number = 0);
    Some(MergeRecord { merge, names })
}

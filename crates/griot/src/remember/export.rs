//! Decides what an export of a workspace contains.
//!
//! Records name nodes by their public names, so that they can be imported into another workspace that is not
//! empty. Others may write meanwhile: their additions have higher numbers and are left out, so that no record
//! refers to a missing one.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::import::{EdgeRecord, FactRecord, MergeRecord, Record};
use crate::backend::{NextNumbers, NodeName, Read, Wanted, pages};
use crate::model::{
    Edge, Entity, Error, Evidence, FactObject, Memory, MemoryId, Merge, Node, Offer, Reading, Result,
    StoredVector, Timestamp,
};

/// Takes one record after the other.
pub type Sink<'a> = &'a mut dyn FnMut(Record) -> Result<()>;

/// Exports every record, including hidden ones: header, sources, entities, memories, edges, facts, types,
/// offers, readings, merges. A view of a part of the workspace (not `is_whole`) exports that part, without
/// the log of merges, which concerns the whole.
pub fn export(read: &dyn Read, is_whole: bool, now: Timestamp, sink: Sink<'_>) -> Result<()> {
    let (revision, vector_model) = (read.revision(), read.vector_model()?);
    let next = read.next_numbers()?;
    sink(Record::Header { revision, exported_at: now, vector_model })?;
    for source in read.sources()?.into_iter().filter(|source| source.id.0 < next.source) {
        sink(Record::Source(source))?;
    }
    let mut export = Export { read, is_whole, next, names: HashMap::new(), ids: HashSet::new() };
    export.entities(sink)?;
    export.memories(sink)?;
    export.edges(sink)?;
    export.facts(sink)?;
    export.types(sink)?;
    export.offers(sink)?;
    export.readings(sink)?;
    if is_whole { export.merges(sink) } else { Ok(()) }
}

struct Export<'a> {
    read: &'a dyn Read,
    is_whole: bool,
    next: NextNumbers,
    /// The public names of exported nodes.
    names: HashMap<Node, String>,
    /// The exported memories.
    ids: HashSet<MemoryId>,
}

impl Export<'_> {
    /// `None` for nodes outside the exported part: entities are shared, and so may be the edges between them.
    fn name(&self, node: Node) -> Result<Option<String>> {
        match self.names.get(&node) {
            None if self.is_whole => Err(Error::corrupt("export", format!("node {node:?} has no row"))),
            name => Ok(name.cloned()),
        }
    }

    /// Whether evidence names an exported memory, or none: an edge may have gained evidence meanwhile.
    fn is_known(&self, evidence: &Evidence) -> bool {
        evidence.memory.is_none_or(|memory| self.ids.contains(&memory))
    }

    fn entities(&mut self, sink: Sink<'_>) -> Result<()> {
        for page in pages::<Entity>(self.read) {
            for entity in page?.into_iter().filter(|entity| entity.node.number() < self.next.entity) {
                self.names.insert(entity.node, entity.canonical_id());
                sink(Record::Entity(entity))?;
            }
        }
        Ok(())
    }

    fn memories(&mut self, sink: Sink<'_>) -> Result<()> {
        for page in pages::<Memory>(self.read) {
            let mut page = page?;
            page.retain(|memory| memory.node.number() < self.next.memory);
            let nodes: Vec<Node> = page.iter().map(|memory| memory.node).collect();
            let vectors = self.read.fetch(&Wanted { vectors: &nodes, ..Wanted::default() })?.vectors;
            let mut vectors: BTreeMap<Node, StoredVector> = vectors.into_iter().collect();
            let later = self.later(page.iter().filter_map(|memory| memory.superseded_by).collect())?;
            for mut memory in page {
                memory.superseded_by = memory.superseded_by.filter(|by| !later.contains(by));
                self.ids.insert(memory.id);
                self.names.insert(memory.node, memory.id.to_string());
                let vector = vectors.remove(&memory.node);
                sink(Record::Memory { memory, vector })?;
            }
        }
        Ok(())
    }

    /// Of these memories those that are not exported.
    fn later(&self, ids: Vec<MemoryId>) -> Result<HashSet<MemoryId>> {
        let names: Vec<NodeName<'_>> = ids.iter().map(|id| NodeName::Id(*id)).collect();
        let found = self.read.find(&names)?;
        let is_later = |number: u32| number >= self.next.memory;
        let later = ids.into_iter().zip(found);
        let later = later.filter(|(_, found)| found.iter().all(|one| is_later(one.node.number())));
        Ok(later.map(|(id, _)| id).collect())
    }

    fn edges(&self, sink: Sink<'_>) -> Result<()> {
        for page in pages::<Edge>(self.read) {
            for mut edge in page?.into_iter().filter(|edge| edge.number < self.next.edge) {
                edge.evidence.retain(|evidence| self.is_known(evidence));
                if let (Some(source), Some(target)) = (self.name(edge.source)?, self.name(edge.target)?) {
                    sink(Record::Edge(EdgeRecord { source, target, edge }))?;
                }
            }
        }
        Ok(())
    }

    fn facts(&self, sink: Sink<'_>) -> Result<()> {
        for mut fact in self.read.facts(None)?.into_iter().filter(|fact| fact.number < self.next.fact) {
            fact.evidence.retain(|evidence| self.is_known(evidence));
            let object = match fact.object {
                FactObject::Entity(node) => self.name(node)?.map(Some),
                FactObject::Literal(_) => Some(None),
            };
            if let (Some(subject), Some(object)) = (self.name(fact.subject)?, object) {
                sink(Record::Fact(FactRecord { subject, object, fact }))?;
            }
        }
        Ok(())
    }

    fn types(&self, sink: Sink<'_>) -> Result<()> {
        let mut entities: Vec<(&Node, &String)> =
            self.names.iter().filter(|(node, _)| node.is_entity()).collect();
        entities.sort();
        for (node, name) in entities {
            let votes = self.read.type_votes(*node)?;
            if !votes.is_empty() {
                sink(Record::Types { entity: name.clone(), votes })?;
            }
        }
        Ok(())
    }

    /// An offer made meanwhile may name a memory that is not among the records, and is left out.
    fn offers(&self, sink: Sink<'_>) -> Result<()> {
        let name = |node: Node| self.names.get(&node).cloned();
        for page in pages::<Offer>(self.read) {
            for offer in page? {
                if let (Some(newer), Some(other)) = (name(offer.newer), name(offer.other)) {
                    sink(Record::Offer { offer, newer, other })?;
                }
            }
        }
        Ok(())
    }

    /// A reading made meanwhile may be of a memory that is not among the records, and is left out.
    fn readings(&self, sink: Sink<'_>) -> Result<()> {
        let name = |node: Node| self.names.get(&node).cloned();
        for page in pages::<Reading>(self.read) {
            for reading in page? {
                if let (Some(memory), Some(by)) = (name(reading.memory), name(reading.by)) {
                    sink(Record::Reading { reading: Box::new(reading), memory, by })?;
                }
            }
        }
        Ok(())
    }

    /// A merge made meanwhile may refer to entities that are not among the records, and is left out.
    fn merges(&self, sink: Sink<'_>) -> Result<()> {
        for page in pages::<Merge>(self.read) {
            for record in page?.into_iter().filter_map(|merge| self.merge(merge)) {
                sink(Record::Merge(record))?;
            }
        }
        for suggestion in self.read.suggestions()? {
            let name = |node: &Node| self.names.get(node).cloned();
            if let (Some(kept), Some(merged)) = (name(&suggestion.kept), name(&suggestion.merged)) {
                sink(Record::Suggestion { suggestion, kept, merged })?;
            }
        }
        Ok(())
    }

    /// `None` if the merge refers to a node without a name.
    fn merge(&self, merge: Merge) -> Option<MergeRecord> {
        let mut names = Vec::new();
        let mut indices: HashMap<Node, u32> = HashMap::new();
        let merge = merge.with_nodes(|node| {
            let name = self.names.get(&node).ok_or(())?;
            let index = *indices.entry(node).or_insert_with(|| {
                names.push(name.clone());
                names.len() as u32 - 1
            });
            Ok::<Node, ()>(Node::from_raw(index))
        });
        let mut merge = merge.ok()?;
        merge.edges_mut().for_each(|edge| edge.number = 0);
        Some(MergeRecord { merge, names })
    }
}

//! Decides what the records of an export change in a store.

use std::collections::HashSet;
use std::collections::hash_map::{Entry, HashMap};

use crate::backend::{NextNumbers, NodeName, Read};
use crate::model::{
    Change, Deletable, Edge, EdgeKind, Entity, Error, ErrorKind, Evidence, Fact, FactObject, Handle, Labels,
    Memory, Merge, Node, Offer, Reading, Result, Revision, Source, SourceId, SourceType, StoredVector,
    Suggestion, Timestamp, TypeVotes, split_canonical_id,
};

use super::merge::survivor_of;
use super::{naming, suggestions};

/// The highest number that an imported edge keeps. Later edges are numbered from there, and must not run
/// out of numbers.
const LAST_KEPT_NUMBER: u32 = 1_000_000_000;

/// One record of an export, in an order that an import accepts: sources, entities, memories, edges, facts,
/// type counts, offers, readings, merges, merge suggestions.
#[derive(Clone, PartialEq, Debug)]
pub enum Record {
    Header { revision: Revision, exported_at: Timestamp, vector_model: Option<(String, usize)> },
    Source(Source),
    Entity(Entity),
    Memory { memory: Memory, vector: Option<StoredVector> },
    Edge(EdgeRecord),
    Fact(FactRecord),
    Types { entity: String, votes: Vec<TypeVotes> },
    Offer { offer: Offer, newer: String, other: String },
    Reading { reading: Box<Reading>, memory: String, by: String },
    Merge(MergeRecord),
    Suggestion { suggestion: Suggestion, kept: String, merged: String },
}

/// A merge whose nodes are indices into a list of public names: `Node::from_raw(i)` is `names[i]`.
#[derive(Clone, PartialEq, Debug)]
pub struct MergeRecord {
    pub merge: Merge,
    pub names: Vec<String>,
}

/// The ends are public names: ids of memories, canonical ids of entities.
#[derive(Clone, PartialEq, Debug)]
pub struct EdgeRecord {
    pub source: String,
    pub target: String,
    pub edge: Edge,
}

#[derive(Clone, PartialEq, Debug)]
pub struct FactRecord {
    pub subject: String,
    /// `None` for a literal.
    pub object: Option<String>,
    pub fact: Fact,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Imported {
    pub sources: u64,
    pub entities: u64,
    pub memories: u64,
    pub edges: u64,
    pub facts: u64,
    pub merges: u64,
    /// Records that were already in the store.
    pub skipped: u64,
}

#[derive(Default)]
pub struct Import {
    /// Vectors of other models are skipped; `reindex --embed` makes them again.
    model: String,
    /// Their dimensions; `None` before the first.
    dimensions: Option<usize>,
    next: NextNumbers,
    /// The store has never had an edge: imported edges keep their numbers.
    keeps_numbers: bool,
    sources: HashMap<SourceId, SourceId>,
    origins: HashMap<(SourceType, String), SourceId>,
    nodes: HashMap<String, Node>,
    handles: HashSet<Handle>,
    edges: HashSet<(Node, Node, EdgeKind, String)>,
    /// Facts about the subjects so far, those of this import included.
    facts: HashMap<Node, Vec<Fact>>,
    /// Former ids of entities in the file; the first of several counts.
    former: HashMap<String, Node>,
    /// Entities that are hidden in the file.
    hidden: HashSet<Node>,
    /// Entities that are live in the file and hidden here.
    asleep: HashSet<Node>,
    /// Live memories created by this import.
    fresh: HashSet<Node>,
    /// Entities created by this import. Only their types are counted, because those of existing ones would
    /// count twice.
    made: HashSet<Node>,
    /// Entities whose types have been counted.
    counted: HashSet<Node>,
    /// Offers of the newer memories so far, those of this import included.
    offers: HashMap<Node, Vec<Offer>>,
    /// Numbers of facts in the file, and here.
    fact_numbers: HashMap<u32, u32>,
    next_merge: u32,
    next_suggestion: u32,
    pub changes: Vec<Change>,
    pub imported: Imported,
}

impl Import {
    /// `embedder` names the model of the vectors in a store without any.
    pub fn new(read: &dyn Read, embedder: &str) -> Result<Self> {
        let (model, dimensions) = match read.vector_model()? {
            Some((model, dimensions)) => (model, Some(dimensions)),
            None => (embedder.to_string(), None),
        };
        let next = read.next_numbers()?;
        Ok(Self {
            model,
            dimensions,
            next,
            keeps_numbers: next.edge == 1,
            next_merge: read.next_merge()?,
            next_suggestion: suggestions::next(read)?,
            ..Self::default()
        })
    }

    pub fn take(&mut self, read: &dyn Read, record: &Record) -> Result<()> {
        match record {
            Record::Header { .. } => Ok(()),
            Record::Source(source) => self.source(read, source),
            Record::Entity(entity) => self.entity(read, entity),
            Record::Memory { memory, vector } => {
                let vector = vector.as_ref().filter(|v| v.model == self.model);
                self.memory(read, memory, vector)
            }
            Record::Edge(record) => self.edge(read, record),
            Record::Fact(record) => self.fact(read, record),
            Record::Types { entity, votes } => self.types(read, entity, votes),
            Record::Offer { offer, newer, other } => self.offer(read, offer, newer, other),
            Record::Reading { reading, memory, by } => self.reading(read, reading, memory, by),
            Record::Merge(record) => self.merge(read, record),
            Record::Suggestion { suggestion, kept, merged } => {
                self.suggestion(read, suggestion, kept, merged)
            }
        }
    }

    fn source(&mut self, read: &dyn Read, source: &Source) -> Result<()> {
        let origin = (source.kind, source.origin.clone());
        let known = match self.origins.get(&origin) {
            Some(&id) => Some(id),
            None => read.source_by_origin(source.kind, &source.origin)?.map(|known| known.id),
        };
        let id = match known {
            Some(id) => {
                self.imported.skipped += 1;
                id
            }
            None => {
                let id = SourceId(self.next.source);
                self.next.source += 1;
                self.imported.sources += 1;
                // The path in an export was not read on this machine.
                self.changes.push(Change::PutSource(Source { id, from_disk: false, ..source.clone() }));
                id
            }
        };
        self.origins.insert(origin, id);
        self.sources.insert(source.id, id);
        Ok(())
    }

    fn entity(&mut self, read: &dyn Read, entity: &Entity) -> Result<()> {
        let canonical = entity.canonical_id();
        let known = match self.nodes.get(&canonical) {
            Some(&node) => Some(node),
            None => self.known_entity(read, entity)?,
        };
        let node = match known {
            Some(node) => {
                self.imported.skipped += 1;
                // In a file of an earlier format an id may occur twice, the first time hidden.
                if entity.deleted_at.is_none() && self.hidden.remove(&node) {
                    self.changes.push(Change::SetDeleted { target: Deletable::Node(node), at: None });
                }
                node
            }
            None => {
                let node = Node::entity(self.next.entity);
                self.next.entity += 1;
                self.imported.entities += 1;
                self.made.insert(node);
                let live = Entity { node, deleted_at: None, ..entity.clone() };
                self.changes.push(Change::PutEntity(live));
                if let Some(at) = entity.deleted_at {
                    self.hidden.insert(node);
                    self.changes.push(Change::SetDeleted { target: Deletable::Node(node), at: Some(at) });
                }
                node
            }
        };
        for alias in entity.aliases.iter().filter(|alias| split_canonical_id(alias).is_some()) {
            self.former.entry(alias.clone()).or_insert(node);
        }
        self.nodes.insert(canonical, node);
        Ok(())
    }

    /// The existing entity of this type and key, including hidden ones, or the live one that formerly had
    /// this id.
    fn known_entity(&mut self, read: &dyn Read, entity: &Entity) -> Result<Option<Node>> {
        let holders = read.key_holders(std::slice::from_ref(&entity.key))?.concat();
        let Some(holder) = holders.into_iter().find(|holder| holder.kind == entity.kind) else {
            return Ok(read.find_nodes(&NodeName::Canonical(&entity.canonical_id()))?.first().copied());
        };
        if !holder.hidden || entity.deleted_at.is_some() {
            return Ok(Some(holder.node));
        }
        // It is live in the file and hidden here: a merged one leads to its survivor, a forgotten one is
        // revived as soon as something new names it.
        let node = survivor_of(read, holder.node)?.unwrap_or(holder.node);
        self.asleep.extend(read.entities(&[node])?.iter().filter(|e| e.deleted_at.is_some()).map(|e| e.node));
        Ok(Some(node))
    }

    fn memory(&mut self, read: &dyn Read, memory: &Memory, vector: Option<&StoredVector>) -> Result<()> {
        let known = match self.nodes.get(&memory.id.to_string()) {
            Some(&node) => Some(node),
            None => read.find_nodes(&NodeName::Id(memory.id))?.first().copied(),
        };
        if let Some(node) = known {
            self.imported.skipped += 1;
            self.nodes.insert(memory.id.to_string(), node);
            return Ok(());
        }
        let Some(&source) = self.sources.get(&memory.source) else {
            let why = format!("its source `{}` is not listed before it", memory.source);
            return Err(Error::invalid(format!("import memory `{}`", memory.id), why));
        };
        self.check_memory(memory, vector)?;
        let node = Node::memory(self.next.memory);
        self.next.memory += 1;
        self.imported.memories += 1;
        let handle = naming::new_handle(read, &mut self.handles, memory.id)?;
        self.nodes.insert(memory.id.to_string(), node);
        let ordinal = memory.ordinal.min(Memory::LAST_ORDINAL);
        let row =
            Memory { node, handle, source, ordinal, deleted_at: None, superseded_by: None, ..memory.clone() };
        self.changes.push(Change::AddMemory { memory: Box::new(row), vector: vector.cloned() });
        if memory.superseded_by.is_some() {
            self.changes.push(Change::SetSuperseded { memory: node, by: memory.superseded_by });
        }
        match memory.deleted_at {
            Some(at) => self.changes.push(Change::SetDeleted { target: Deletable::Node(node), at: Some(at) }),
            None => _ = self.fresh.insert(node),
        }
        Ok(())
    }

    /// Refuses what no store could hold.
    fn check_memory(&mut self, memory: &Memory, vector: Option<&StoredVector>) -> Result<()> {
        let refuse = |why: String| Err(Error::invalid(format!("import memory `{}`", memory.id), why));
        if memory.text.trim().is_empty() || memory.text.contains('\0') {
            return refuse("its text is empty or contains a NUL byte".to_string());
        }
        if !(1..=5).contains(&memory.importance) {
            return refuse(format!("importance {} is not between 1 and 5", memory.importance));
        }
        if !(Timestamp::EARLIEST..=Timestamp::LATEST).contains(&memory.occurred_at) {
            return refuse(format!("the time {} is outside the years 1900 to 9999", memory.occurred_at));
        }
        if let Some(end) = memory.expires_at
            && !(Timestamp::EARLIEST..=Timestamp::LATEST).contains(&end)
        {
            return refuse(format!("its expiry {end} is outside the years 1900 to 9999"));
        }
        if let Some(vector) = vector {
            let dimensions = *self.dimensions.get_or_insert(vector.values.len());
            if vector.values.len() != dimensions || dimensions == 0 || !vector.scale.is_finite() {
                return refuse(format!("its vector has {} values, not {dimensions}", vector.values.len()));
            }
        }
        Ok(())
    }

    fn named(&self, read: &dyn Read, name: &str, what: &str) -> Result<Node> {
        match self.nodes.get(name).or_else(|| self.former.get(name)) {
            Some(&node) => Ok(node),
            None => naming::node(read, name).map_err(|error| match error.kind {
                ErrorKind::NotFound => {
                    Error::invalid(what, format!("`{name}` is neither listed before it nor in the store"))
                }
                _ => error,
            }),
        }
    }

    fn edge(&mut self, read: &dyn Read, record: &EdgeRecord) -> Result<()> {
        let what = format!(
            "import the {} edge from `{}` to `{}`",
            record.edge.kind.name(),
            record.source,
            record.target
        );
        let source = self.named(read, &record.source, &what)?;
        let target = self.named(read, &record.target, &what)?;
        if !record.edge.kind.row().ends.allow(source, target) {
            let why = format!("this kind connects {}", record.edge.kind.row().ends.describe());
            return Err(Error::invalid(what, why));
        }
        let known_label = match record.edge.kind.row().labels {
            Labels::None => record.edge.label.is_empty(),
            Labels::OneOf(labels) => labels.contains(&record.edge.label.as_str()),
            Labels::Free => !record.edge.label.is_empty(),
        };
        if !known_label {
            return Err(Error::invalid(what, format!("this kind has no label `{}`", record.edge.label)));
        }
        let (weight, confidence) = (record.edge.weight, record.edge.confidence);
        // A relation's weight counts its statements.
        let most = if record.edge.kind == EdgeKind::Relation { f32::MAX } else { 1.0 };
        if !(0.0..=most).contains(&weight) || !(0.0..=1.0).contains(&confidence) {
            return Err(Error::invalid(
                what,
                format!("weight {weight} or confidence {confidence} is not between 0 and 1"),
            ));
        }
        let mut edge = Edge { number: 0, source, target, ..record.edge.clone() }.normalised();
        if edge.evidence.is_empty() {
            edge.evidence.push(imported(edge.created_at));
        }
        if !self.edges.insert((edge.source, edge.target, edge.kind, edge.label.clone())) {
            self.imported.skipped += 1;
            return Ok(());
        }
        // A relation would count twice if the same export was imported twice.
        let known = match self.keeps_numbers {
            true => None,
            false => read.edge_by_key(edge.source, edge.target, edge.kind, &edge.label)?,
        };
        let is_said = |known: &Edge, evidence: &Evidence| {
            known.evidence.iter().any(|one| one.memory == evidence.memory && one.reason == evidence.reason)
        };
        if known.is_some_and(|known| {
            edge.kind == EdgeKind::Mentions || edge.evidence.iter().all(|evidence| is_said(&known, evidence))
        }) {
            self.imported.skipped += 1;
            return Ok(());
        }
        self.imported.edges += 1;
        if self.fresh.contains(&edge.source) && self.asleep.remove(&edge.target) {
            self.changes.push(Change::SetDeleted { target: Deletable::Node(edge.target), at: None });
        }
        let number = record.edge.number;
        let is_kept = self.keeps_numbers && (self.next.edge..=LAST_KEPT_NUMBER).contains(&number);
        self.next.edge = if is_kept { number } else { self.next.edge } + 1;
        self.changes.push(if is_kept {
            Change::SetEdge(Edge { number, ..edge })
        } else {
            Change::PutEdge(edge)
        });
        Ok(())
    }

    fn fact(&mut self, read: &dyn Read, record: &FactRecord) -> Result<()> {
        let what = format!("import the fact about `{}`", record.subject);
        let subject = self.named(read, &record.subject, &what)?;
        let object = match (&record.object, &record.fact.object) {
            (Some(name), _) => FactObject::Entity(self.named(read, name, &what)?),
            (None, FactObject::Literal(text)) => FactObject::Literal(text.clone()),
            (None, FactObject::Entity(_)) => return Err(Error::invalid(what, "it has no object")),
        };
        let confidence = record.fact.confidence;
        if !(0.0..=1.0).contains(&confidence) {
            return Err(Error::invalid(what, format!("confidence {confidence} is not between 0 and 1")));
        }
        let mut fact = Fact { number: self.next.fact, subject, object, ..record.fact.clone() };
        if fact.evidence.is_empty() {
            fact.evidence.push(imported(fact.recorded_at));
        }
        // An older export does not reopen what a person ended here.
        let same = |known: &&Fact| {
            let (valid_to, ended_at) = match known.ended_at.is_some() && fact.ended_at.is_none() {
                true => (fact.valid_to, fact.ended_at),
                false => (known.valid_to, known.ended_at),
            };
            Fact { number: fact.number, valid_to, ended_at, ..(*known).clone() } == fact
        };
        let here = match self.facts.entry(subject) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unread) => unread.insert(read.facts(Some(subject))?),
        };
        if let Some(known) = here.iter().find(same) {
            self.fact_numbers.insert(record.fact.number, known.number);
            self.imported.skipped += 1;
            return Ok(());
        }
        self.fact_numbers.insert(record.fact.number, fact.number);
        self.next.fact += 1;
        self.imported.facts += 1;
        here.push(fact.clone());
        self.changes.push(Change::PutFact(fact));
        Ok(())
    }

    fn types(&mut self, read: &dyn Read, entity: &str, votes: &[TypeVotes]) -> Result<()> {
        let entity = self.named(read, entity, "import the types of an entity")?;
        // The file may contain the record twice.
        if self.made.contains(&entity) && self.counted.insert(entity) {
            self.changes.extend(votes.iter().map(|vote| Change::CountType {
                entity,
                kind: vote.kind,
                given: vote.given,
                times: i64::from(vote.times),
            }));
        }
        Ok(())
    }

    /// Imports an offer unless the store has it; what was refused in either is refused.
    fn offer(&mut self, read: &dyn Read, offer: &Offer, newer: &str, other: &str) -> Result<()> {
        let what = format!("import offer `{}`", offer.id());
        let (newer, other) = (self.named(read, newer, &what)?, self.named(read, other, &what)?);
        if !newer.is_memory() || !other.is_memory() || newer == other {
            return Err(Error::invalid(what, "it is not about two memories"));
        }
        if !(0.0..=1.0).contains(&offer.probability) {
            let why = format!("its probability {} is not between 0 and 1", offer.probability);
            return Err(Error::invalid(what, why));
        }
        let known = match self.offers.entry(newer) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unread) => unread.insert(read.offers_about(&[newer])?),
        };
        let is_same =
            |known: &&mut Offer| (known.newer, known.other, known.kind) == (newer, other, offer.kind);
        if let Some(known) = known.iter_mut().find(is_same) {
            if known.refused_at.is_none() && offer.refused_at.is_some() {
                known.refused_at = offer.refused_at;
                self.changes.push(Change::PutOffer(*known));
            } else {
                self.imported.skipped += 1;
            }
            return Ok(());
        }
        let offer = Offer { number: self.next.offer, newer, other, ..*offer };
        self.next.offer += 1;
        known.push(offer);
        self.changes.push(Change::PutOffer(offer));
        Ok(())
    }

    /// Imports what a language model said, unless the store has its own.
    fn reading(&mut self, read: &dyn Read, reading: &Reading, memory: &str, by: &str) -> Result<()> {
        let what = format!("import what a language model said about `{memory}`");
        let (memory, by) = (self.named(read, memory, &what)?, self.named(read, by, &what)?);
        if !memory.is_memory() || !by.is_memory() {
            return Err(Error::invalid(what, "it is not about a memory"));
        }
        let is_same = |known: &Reading| (known.memory, known.task, known.by) == (memory, reading.task, by);
        if !self.fresh.contains(&memory) && read.readings_about(&[memory])?.iter().any(is_same) {
            self.imported.skipped += 1;
            return Ok(());
        }
        self.changes.push(Change::PutReading(Box::new(Reading { memory, by, ..reading.clone() })));
        Ok(())
    }

    /// Imports a merge if its hidden entity was imported as hidden. Otherwise, if that entity is live or
    /// never existed separately, the log would be wrong.
    fn merge(&mut self, read: &dyn Read, record: &MergeRecord) -> Result<()> {
        let what = format!("import merge `{}`", record.merge.id());
        let nodes: Vec<Node> =
            record.names.iter().map(|name| self.named(read, name, &what)).collect::<Result<_>>()?;
        let node = |place: Node| {
            let node = nodes.get(place.raw() as usize).copied();
            node.ok_or_else(|| Error::invalid(what.clone(), "it refers to a node without a name"))
        };
        let mut merge = record.merge.clone().with_nodes(node)?;
        let (kept, merged) = (merge.kept.node, merge.merged.node);
        let is_hidden = self.hidden.contains(&merged) || merge.undone_at.is_some();
        if kept == merged || !self.made.contains(&merged) || !is_hidden {
            self.imported.skipped += 1;
            return Ok(());
        }
        merge.number = self.next_merge;
        // Edges are renumbered; those that an undo restores are numbered then.
        for edge in merge.edges_mut() {
            edge.number = 0;
            *edge = edge.clone().normalised();
        }
        merge.facts.retain_mut(|fact| match self.fact_numbers.get(&fact.number) {
            Some(&number) => {
                fact.number = number;
                true
            }
            None => false,
        });
        self.next_merge += 1;
        self.imported.merges += 1;
        self.changes.push(Change::PutMerge(Box::new(merge)));
        Ok(())
    }

    fn suggestion(
        &mut self,
        read: &dyn Read,
        suggestion: &Suggestion,
        kept: &str,
        merged: &str,
    ) -> Result<()> {
        let what = "import a suggestion of a merge";
        let (kept, merged) = (self.named(read, kept, what)?, self.named(read, merged, what)?);
        let is_new = self.made.contains(&kept) || self.made.contains(&merged);
        if kept == merged || !is_new {
            self.imported.skipped += 1;
            return Ok(());
        }
        let suggestion = Suggestion { number: self.next_suggestion, kept, merged, ..suggestion.clone() };
        self.next_suggestion += 1;
        self.changes.push(Change::PutSuggestion(suggestion));
        Ok(())
    }
}

/// Evidence for records without any.
fn imported(at: Timestamp) -> Evidence {
    Evidence { memory: None, quote: None, reason: Some("stated in an import".to_string()), at }
}

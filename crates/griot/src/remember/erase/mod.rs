//! Plans an erasure: what is removed with the erased object, and what remains.
//!
//! Memories are removed with their edges. An edge, a fact or a merge that names a removed memory loses the
//! evidence of that memory; without other evidence it is removed too. An entity that nothing else refers to
//! is removed: its name came from the text. A remaining entity loses the names that only erased texts wrote.
//! A source is removed with its last memory.
//! What language models said goes with its memory, and what they said about a removed entity with the entity.
//! Notes of remaining memories go, too, if they were written on top of one that an erased memory led to.

mod names;

use std::collections::{BTreeMap, BTreeSet};

use names::{Rest, without_names};

use crate::backend::{About, Read, Wanted, pages};
use crate::model::{
    Change, Edge, EdgeKind, Entity, Erasable, ErasedKind, Erasure, ErasureCounts, ErasurePlan, Error,
    Evidence, Fact, FactObject, Mark, Memory, MemoryId, Merge, Node, Reading, ReadingTask, Result, Revision,
    Said, SourceId, SourceType, Timestamp, WarningId, mark_of_entity, mark_of_memory, mark_of_origin,
    mark_of_part, mark_of_source, mark_of_turn, mark_of_user,
};
use crate::text::normal_name;

/// The object of an erasure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Erased {
    Memory(Node),
    Source(SourceId),
    Entity(Node),
    /// Everything that this user owns, in all projects.
    User(String),
}

impl Erased {
    pub fn kind(&self) -> ErasedKind {
        match self {
            Self::Memory(_) => ErasedKind::Memory,
            Self::Source(_) => ErasedKind::Source,
            Self::Entity(_) => ErasedKind::Entity,
            Self::User(_) => ErasedKind::User,
        }
    }
}

/// Number of rows that are read at once.
const PAGE: usize = 1000;

/// Plans an erasure. The plan is empty for a user who owns nothing.
pub fn plan(read: &dyn Read, target: &Erased, by: &str, now: Timestamp) -> Result<ErasurePlan> {
    let mut work = Work::default();
    work.find_parts(read)?;
    work.take_memories(read, target)?;
    work.take_entities(read, target)?;
    work.take_edges_and_facts(read, target)?;
    work.take_orphans(read)?;
    work.respell(read)?;
    work.take_readings(read)?;
    work.take_merges(read)?;
    work.take_warnings(read)?;
    work.take_sources(read, target)?;
    Ok(work.finish(target, by, now))
}

#[derive(Default)]
struct Work {
    memories: BTreeMap<Node, Memory>,
    ids: BTreeSet<MemoryId>,
    entities: BTreeMap<Node, Entity>,
    sources: BTreeSet<SourceId>,
    turns: Vec<Mark>,
    beside: Vec<Mark>,
    edges: BTreeMap<u32, Edge>,
    /// Remaining edges and facts in their new form.
    kept_edges: BTreeMap<u32, Edge>,
    facts: BTreeMap<u32, Fact>,
    kept_facts: BTreeMap<u32, Fact>,
    /// The entities that a merge, not undone, made part of another one.
    merged_into: BTreeMap<Node, Vec<Node>>,
    merges: BTreeSet<u32>,
    kept_merges: Vec<Merge>,
    suggestions: Vec<u32>,
    warnings: Vec<WarningId>,
    respelled: Vec<Entity>,
    /// What language models said about remaining memories, without what they said about erased entities and
    /// without what may repeat an erased note.
    kept_readings: Vec<Reading>,
    /// Removed names of remaining entities, and the spelling of another of their names in a remaining text.
    lost: BTreeMap<Node, (Vec<String>, Option<String>)>,
    replaced: Vec<Node>,
    counts: ErasureCounts,
    texts: BTreeSet<String>,
}

impl Work {
    fn take_memories(&mut self, read: &dyn Read, target: &Erased) -> Result<()> {
        let found = match target {
            Erased::Memory(node) => {
                // What a language model wrote about a memory repeats its text in other words.
                let mut nodes = vec![*node];
                let written = read.readings_by(&nodes)?.into_iter().filter(Reading::is_authorship);
                nodes.extend(written.map(|reading| reading.memory));
                read.memories(&nodes)?
            }
            Erased::Source(id) => read.memories(&read.source_memories(*id, true)?)?,
            Erased::Entity(_) => Vec::new(),
            Erased::User(user) => {
                let mut found = Vec::new();
                for page in pages::<Memory>(read) {
                    found.extend(page?.into_iter().filter(|memory| memory.scope.user.as_ref() == Some(user)));
                }
                found
            }
        };
        let nodes: Vec<Node> = found.iter().map(|memory| memory.node).collect();
        for page in nodes.chunks(PAGE) {
            let vectors = read.fetch(&Wanted { vectors: page, ..Wanted::default() })?.vectors;
            self.counts.vectors += vectors.len() as u64;
        }
        for memory in found {
            self.texts.insert(memory.text.clone());
            self.texts.extend(memory.heading.iter().cloned());
            self.texts.extend(memory.tags.iter().cloned());
            self.texts
                .extend([&memory.session, &memory.speaker, &memory.agent].into_iter().flatten().cloned());
            self.texts.extend([&memory.scope.user, &memory.scope.project].into_iter().flatten().cloned());
            self.ids.insert(memory.id);
            self.memories.insert(memory.node, memory);
        }
        Ok(())
    }

    fn find_parts(&mut self, read: &dyn Read) -> Result<()> {
        for page in pages::<Merge>(read) {
            for merge in page?.iter().filter(|merge| merge.undone_at.is_none()) {
                self.merged_into.entry(merge.kept.node).or_default().push(merge.merged.node);
            }
        }
        Ok(())
    }

    /// The erased entity, with those that became part of it.
    fn take_entities(&mut self, read: &dyn Read, target: &Erased) -> Result<()> {
        let Erased::Entity(node) = target else { return Ok(()) };
        for edge in read.edges_of(*node)? {
            self.counts.mentioning += u64::from(edge.kind == EdgeKind::Mentions);
        }
        self.take_all(read, vec![*node])
    }

    /// Takes entities with their edges and facts, and those that became part of them.
    fn take_all(&mut self, read: &dyn Read, nodes: Vec<Node>) -> Result<()> {
        let mut open: BTreeSet<Node> = nodes.into_iter().collect();
        while !open.is_empty() {
            let nodes: Vec<Node> = std::mem::take(&mut open).into_iter().collect();
            for entity in read.entities(&nodes)? {
                self.texts.insert(entity.name.clone());
                self.texts.insert(entity.canonical_id());
                self.texts.extend(entity.aliases.iter().chain(&entity.description).cloned());
                open.extend(self.merged_into.get(&entity.node).into_iter().flatten());
                self.entities.insert(entity.node, entity);
            }
            self.take_around(read, &nodes)?;
            open.retain(|node| !self.entities.contains_key(node));
        }
        Ok(())
    }

    /// Takes the edges and facts of nodes.
    fn take_around(&mut self, read: &dyn Read, nodes: &[Node]) -> Result<()> {
        for page in nodes.chunks(PAGE) {
            read.about(&About::Edges(page))?.edges.into_iter().for_each(|edge| self.take_edge(edge));
            read.about(&About::Facts(page))?.facts.into_iter().for_each(|fact| self.take_fact(fact));
        }
        Ok(())
    }

    fn take_edge(&mut self, edge: Edge) {
        self.texts.insert(edge.label.clone());
        take_texts(&mut self.texts, &edge.evidence);
        self.kept_edges.remove(&edge.number);
        self.edges.insert(edge.number, edge);
    }

    fn take_fact(&mut self, fact: Fact) {
        if let FactObject::Literal(literal) = &fact.object {
            self.texts.insert(literal.clone());
        }
        take_texts(&mut self.texts, &fact.evidence);
        self.kept_facts.remove(&fact.number);
        self.facts.insert(fact.number, fact);
    }

    fn take_edges_and_facts(&mut self, read: &dyn Read, target: &Erased) -> Result<()> {
        let nodes: Vec<Node> = self.memories.keys().copied().collect();
        self.take_around(read, &nodes)?;
        if let Erased::User(user) = target {
            for fact in read.facts(None)?.into_iter().filter(|fact| fact.scope.user.as_ref() == Some(user)) {
                self.take_fact(fact);
            }
        }
        let traces = read.traces_of(&nodes)?;
        for mut edge in read.edges(&traces.edges)? {
            if self.edges.contains_key(&edge.number) {
                continue;
            }
            let lost = self.lose(&mut edge.evidence);
            if edge.evidence.is_empty() {
                self.take_edge(edge);
            } else {
                if edge.kind == EdgeKind::Relation {
                    // The weight counts statements, and all of them count the same.
                    let left = edge.evidence.len() as f32;
                    edge.weight *= left / (left + lost as f32);
                }
                self.counts.evidence += lost;
                self.kept_edges.insert(edge.number, edge);
            }
        }
        if !traces.facts.is_empty() {
            let named: BTreeSet<u32> = traces.facts.iter().copied().collect();
            for mut fact in read.facts(None)?.into_iter().filter(|fact| named.contains(&fact.number)) {
                if self.facts.contains_key(&fact.number) {
                    continue;
                }
                let lost = self.lose(&mut fact.evidence);
                if fact.evidence.is_empty() {
                    self.take_fact(fact);
                } else {
                    self.counts.evidence += lost;
                    self.kept_facts.insert(fact.number, fact);
                }
            }
        }
        self.replaced = traces.replaced;
        self.sources.extend(traces.emptied);
        self.counts.same_texts = traces.same_texts;
        Ok(())
    }

    /// Removes the evidence of erased memories; returns how many pieces there were.
    fn lose(&mut self, evidence: &mut Vec<Evidence>) -> u64 {
        let before = evidence.len();
        let ids = &self.ids;
        let gone = evidence.iter().filter(|evidence| evidence.memory.is_some_and(|id| ids.contains(&id)));
        let gone: Vec<Evidence> = gone.cloned().collect();
        take_texts(&mut self.texts, &gone);
        evidence.retain(|evidence| evidence.memory.is_none_or(|id| !ids.contains(&id)));
        (before - evidence.len()) as u64
    }

    /// The entities at removed edges and facts, if nothing else refers to them.
    fn take_orphans(&mut self, read: &dyn Read) -> Result<()> {
        let mut seen = BTreeSet::new();
        loop {
            let ends = self.edges.values().flat_map(|edge| [edge.source, edge.target]);
            let open: BTreeSet<Node> =
                ends.chain(self.ends_of_facts()).filter(|node| node.is_entity()).collect();
            let open: Vec<Node> = open
                .into_iter()
                .filter(|node| !self.entities.contains_key(node) && seen.insert(*node))
                .collect();
            if open.is_empty() {
                return Ok(());
            }
            for page in open.chunks(PAGE) {
                let orphans = self.not_held(read, page)?;
                self.take_all(read, orphans)?;
            }
        }
    }

    /// The entities that removed facts connect.
    fn ends_of_facts(&self) -> impl Iterator<Item = Node> {
        self.facts.values().flat_map(|fact| [Some(fact.subject), fact.object.entity()].into_iter().flatten())
    }

    /// Of these entities those that no other edge and no other fact refers to.
    fn not_held(&self, read: &dyn Read, nodes: &[Node]) -> Result<Vec<Node>> {
        let mut lost: BTreeMap<Node, u32> = BTreeMap::new();
        for edge in self.edges.values() {
            for end in BTreeSet::from([edge.source, edge.target]) {
                *lost.entry(end).or_default() += 1;
            }
        }
        let is_near = |node: &Node, degree: u32| degree <= lost.get(node).copied().unwrap_or_default();
        // Most have many other edges, which need not be read.
        let degrees = read.degrees(nodes, None)?;
        let near = nodes.iter().zip(degrees).filter(|(node, degree)| is_near(node, *degree));
        let mut left: BTreeSet<Node> = near.map(|(node, _)| *node).collect();
        let asked: Vec<Node> = left.iter().copied().collect();
        for edge in read.about(&About::Edges(&asked))?.edges {
            if !self.edges.contains_key(&edge.number) {
                [edge.source, edge.target].iter().for_each(|end| _ = left.remove(end));
            }
        }
        for fact in read.about(&About::Facts(&asked))?.facts {
            if !self.facts.contains_key(&fact.number) {
                [Some(fact.subject), fact.object.entity()]
                    .iter()
                    .flatten()
                    .for_each(|end| _ = left.remove(end));
            }
        }
        Ok(left.into_iter().collect())
    }

    /// What language models said goes with its memories, and of remaining memories what they said about an
    /// erased entity.
    fn take_readings(&mut self, read: &dyn Read) -> Result<()> {
        let gone: Vec<Node> = self.memories.keys().copied().collect();
        for page in gone.chunks(PAGE) {
            for reading in read.readings_about(page)?.into_iter().chain(read.readings_by(page)?) {
                self.texts.extend(reading.said.iter().flat_map(Said::texts));
            }
        }
        self.take_repeating(read, &gone)?;
        if self.entities.is_empty() {
            return Ok(());
        }
        let names: BTreeSet<String> = self
            .entities
            .values()
            .flat_map(|entity| entity.aliases.iter().cloned().chain([normal_name(&entity.name)]))
            .collect();
        let mentioning: BTreeSet<Node> = self
            .edges
            .values()
            .filter(|edge| self.entities.contains_key(&edge.target) && edge.source.is_memory())
            .map(|edge| edge.source)
            .filter(|memory| !self.memories.contains_key(memory))
            .collect();
        for page in mentioning.into_iter().collect::<Vec<_>>().chunks(PAGE) {
            for mut reading in read.readings_about(page)? {
                let is_about = |said: &Said| said.names().any(|name| names.contains(&normal_name(name)));
                let (about, rest): (Vec<Said>, Vec<Said>) = reading.said.into_iter().partition(is_about);
                if !about.is_empty() {
                    self.texts.extend(about.iter().flat_map(Said::texts));
                    reading.said = rest;
                    self.kept_readings.push(reading);
                }
            }
        }
        Ok(())
    }

    /// Of remaining memories the notes that may repeat one that an erased memory led to.
    fn take_repeating(&mut self, read: &dyn Read, gone: &[Node]) -> Result<()> {
        let mut led: Vec<Reading> = Vec::new();
        for page in gone.chunks(PAGE) {
            led.extend(read.readings_by(page)?);
        }
        led.retain(|one| one.task == ReadingTask::Notes && !self.memories.contains_key(&one.memory));
        let about: BTreeSet<Node> = led.iter().map(|one| one.memory).collect();
        for page in about.into_iter().collect::<Vec<_>>().chunks(PAGE) {
            for mut note in read.readings_about(page)? {
                let repeats = |one: &Reading| {
                    self.memories.get(&one.by).is_some_and(|erased| note.may_repeat(one, erased))
                };
                if !self.memories.contains_key(&note.by) && led.iter().any(repeats) {
                    self.texts.extend(note.said.iter().flat_map(Said::texts));
                    note.said.clear();
                    self.kept_readings.push(note);
                }
            }
        }
        Ok(())
    }

    fn take_merges(&mut self, read: &dyn Read) -> Result<()> {
        for page in pages::<Merge>(read) {
            for merge in page? {
                let is_gone = |entity: &Entity| self.entities.contains_key(&entity.node);
                let is_gone = is_gone(&merge.kept) || is_gone(&merge.merged);
                match if is_gone { Rest::Nameless } else { self.without(&merge) } {
                    Rest::Same => {}
                    Rest::Changed(rewritten) => self.kept_merges.push(rewritten),
                    Rest::Nameless => {
                        self.texts.extend(merge.reason);
                        self.merges.insert(merge.number);
                    }
                }
            }
        }
        let is_gone = |node: &Node| self.entities.contains_key(node);
        for suggestion in read.suggestions()? {
            if is_gone(&suggestion.kept) || is_gone(&suggestion.merged) {
                self.suggestions.push(suggestion.number);
            }
        }
        Ok(())
    }

    /// The warnings based on a removed edge; their notes may quote it.
    fn take_warnings(&mut self, read: &dyn Read) -> Result<()> {
        let mut ends: BTreeSet<Node> =
            self.edges.values().flat_map(|edge| [edge.source, edge.target]).collect();
        ends.extend(self.memories.keys().chain(self.entities.keys()));
        let ends: Vec<Node> = ends.into_iter().collect();
        for warning in read.warnings_about(&ends)? {
            let is_gone = |node: &Node| self.memories.contains_key(node) || self.entities.contains_key(node);
            let rests_on = |number: &u32| self.edges.contains_key(number);
            if warning.found.nodes.iter().any(is_gone) || warning.found.edges.iter().any(rests_on) {
                self.texts.extend(warning.acknowledged.iter().filter_map(|said| said.note.clone()));
                self.warnings.push(warning.found.id());
            }
        }
        Ok(())
    }

    /// A merge without the removed rows. If one of its two entities has no name left, it cannot be
    /// undone.
    fn without(&mut self, merge: &Merge) -> Rest<Merge> {
        let gone = |node: Node| self.memories.contains_key(&node) || self.entities.contains_key(&node);
        let mut rest = merge.clone();
        rest.moved.retain(|key| !gone(key.source) && !gone(key.target));
        rest.dropped.retain(|edge| !gone(edge.source) && !gone(edge.target));
        let of_gone = |edge: &Edge| gone(edge.source) || gone(edge.target);
        rest.folded.retain(|pair| !of_gone(&pair.edge) && !of_gone(&pair.into));
        rest.facts.retain(|fact| !gone(fact.subject) && !fact.object.entity().is_some_and(gone));
        rest.spoken.retain(|node| !gone(*node));
        let mut supported = |evidence: &mut Vec<Evidence>| {
            let had = !evidence.is_empty();
            self.lose(evidence);
            !had || !evidence.is_empty()
        };
        rest.dropped.retain_mut(|edge| supported(&mut edge.evidence));
        rest.folded
            .retain_mut(|pair| supported(&mut pair.edge.evidence) & supported(&mut pair.into.evidence));
        rest.facts.retain_mut(|fact| supported(&mut fact.evidence));
        for entity in [&mut rest.kept, &mut rest.merged] {
            let Some((lost, spelling)) = self.lost.get(&entity.node) else { continue };
            match without_names(entity, lost, spelling.as_ref()) {
                Rest::Same => {}
                Rest::Changed(respelled) => *entity = respelled,
                Rest::Nameless => return Rest::Nameless,
            }
        }
        if rest == *merge { Rest::Same } else { Rest::Changed(rest) }
    }

    fn take_sources(&mut self, read: &dyn Read, target: &Erased) -> Result<()> {
        if let Erased::Source(id) = target {
            self.sources.insert(*id);
        }
        for &id in &self.sources {
            let Some(source) = read.source(id)? else { continue };
            self.texts.extend(source.title.iter().chain(&source.tags).cloned());
            self.texts.extend(source.metadata.into_iter().flat_map(|(name, value)| [name, value]));
            self.texts.insert(source.origin.clone());
            self.beside.push(mark_of_origin(&source.origin));
        }
        // A page that a job has stored must not restore the erased part of it.
        let touched: BTreeSet<SourceId> = self.memories.values().map(|memory| memory.source).collect();
        for id in touched {
            let Some(source) = read.source(id)?.filter(|source| source.kind != SourceType::Agent) else {
                continue;
            };
            let erased: Vec<&Memory> = self.memories.values().filter(|one| one.source == id).collect();
            let turns = erased.iter().filter_map(|one| Some((one.speaker.as_deref()?, one.occurred_at)));
            self.turns.extend(turns.map(|(speaker, at)| mark_of_turn(speaker, at)));
            if self.sources.contains(&id) {
                continue;
            }
            self.beside.push(mark_of_part(&source.origin));
            // A conversation is often called by its first words, and each of its messages keeps the title.
            let title = source.title.as_deref().unwrap_or_default();
            if let Some(first) =
                erased.iter().find(|one| one.speaker.is_some() && is_title_of(title, &one.text))
            {
                let why = "its text is also the title of the conversation, which other messages keep";
                return Err(Error::invalid(format!("erase the memory `{}`", first.handle), why)
                    .hint(format!("griot erase source {id}")));
            }
        }
        Ok(())
    }

    fn finish(mut self, target: &Erased, by: &str, now: Timestamp) -> ErasurePlan {
        self.counts.memories = self.memories.len() as u64;
        self.counts.entities = self.entities.len() as u64;
        self.counts.sources = self.sources.len() as u64;
        self.counts.edges = self.edges.len() as u64;
        self.counts.facts = self.facts.len() as u64;
        self.counts.merges = (self.merges.len() + self.kept_merges.len()) as u64;
        let mut marks: Vec<Mark> = self.ids.iter().map(|id| mark_of_memory(*id)).collect();
        marks.extend(self.entities.keys().map(|node| mark_of_entity(node.number())));
        marks.extend(self.sources.iter().map(|id| mark_of_source(id.0)));
        marks.append(&mut self.turns);
        marks.sort_unstable();
        marks.dedup();
        let mut beside = std::mem::take(&mut self.beside);
        if let Erased::User(user) = target {
            beside.push(mark_of_user(user));
        }
        let receipt = Erasure {
            number: 0,
            kind: target.kind(),
            at: now,
            by: by.to_owned(),
            before: Revision(0),
            after: Revision(0),
            finished_at: None,
            counts: self.counts,
            marks,
            beside,
        };
        let texts = std::mem::take(&mut self.texts).into_iter().collect();
        ErasurePlan { changes: self.changes(), receipt, texts }
    }

    /// Removes rows before the rows they depend on.
    fn changes(self) -> Vec<Change> {
        let mut changes = Vec::new();
        changes.extend(self.edges.values().map(Change::removal));
        changes.extend(self.kept_edges.into_values().map(Change::SetEdge));
        changes.extend(self.facts.into_keys().map(|number| Change::Erase(Erasable::Fact(number))));
        changes.extend(self.kept_facts.into_values().map(Change::PutFact));
        changes.extend(self.merges.into_iter().map(|number| Change::Erase(Erasable::Merge(number))));
        changes.extend(self.kept_merges.into_iter().map(|merge| Change::RewriteMerge(Box::new(merge))));
        changes
            .extend(self.suggestions.into_iter().map(|number| Change::Erase(Erasable::Suggestion(number))));
        changes.extend(self.warnings.into_iter().map(Change::RemoveWarning));
        changes.extend(self.replaced.into_iter().map(|memory| Change::SetSuperseded { memory, by: None }));
        changes.extend(self.respelled.into_iter().map(Change::PutEntity));
        let readings = self.kept_readings.into_iter().map(Box::new);
        changes.extend(readings.map(Change::PutReading));
        changes.extend(self.entities.into_keys().map(|node| Change::Erase(Erasable::Node(node))));
        changes.extend(self.memories.into_keys().map(|node| Change::Erase(Erasable::Node(node))));
        changes.extend(self.sources.into_iter().map(|id| Change::Erase(Erasable::Source(id))));
        changes
    }
}

/// Whether a title is the text on one line, or its beginning ("where is the va…").
pub fn is_title_of(title: &str, text: &str) -> bool {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let title = title.trim();
    match title.strip_suffix('…') {
        Some(begin) => !begin.is_empty() && line.starts_with(begin),
        None => !title.is_empty() && line == title,
    }
}

fn take_texts(texts: &mut BTreeSet<String>, evidence: &[Evidence]) {
    let said = evidence.iter().flat_map(|evidence| [&evidence.quote, &evidence.reason]);
    texts.extend(said.flatten().cloned());
}

//! Turns prepared drafts and a view of the store under the writer's lock into one ChangeSet.
//!
//! Temporal edges are not among the changes: backbone, proximity and narrative are derived from times and
//! ordinals when read. Passages of documents are timeless: they have narrative order only.

use std::collections::{HashMap, HashSet};

use crate::backend::{Filter, NodeName, Read, WordQuery};
use crate::model::{
    Change, ChangeSet, Edge, EdgeKind, Error, Evidence, Handle, Memory, MemoryId, Node, Provenance, Result,
    Source, SourceId, SourceType, Tier, Timestamp, content_hash, normal_name, split_canonical_id,
};
use crate::text;

use super::name::Name;
use super::neighbours::{Neighbour, neighbours};
use super::prepare::{self, Prepared};
use super::recent::Recent;
use super::replaces;
use super::resolve::Resolver;
use super::{Action, Draft, EdgeTally, RememberSettings, SourceDraft, edges, naming};

/// The memory of a draft: a new one, or an existing one with the same text.
#[derive(Clone, PartialEq, Debug)]
pub struct Placed {
    pub node: Node,
    pub id: MemoryId,
    pub handle: Handle,
    pub source: SourceId,
}

/// The result for one draft.
#[derive(Clone, PartialEq, Debug)]
pub struct Planned {
    pub placed: Placed,
    pub action: Action,
    /// As stored now.
    pub tier: Tier,
    pub expires_at: Option<Timestamp>,
    /// Nodes of the entities it mentions, with canonical id and name.
    pub entities: Vec<(Node, String, String)>,
    pub edges: EdgeTally,
    /// Neighbours that got a semantic edge.
    pub linked: Vec<Node>,
    /// What was stored before with the same text, with its tags of now.
    pub stored: Option<Box<Memory>>,
}

/// The tier of a memory, and its expiry.
type Ending = (Tier, Option<Timestamp>);

impl Planned {
    fn new(placed: Placed, action: Action, (tier, expires_at): Ending) -> Self {
        Self {
            placed,
            action,
            tier,
            expires_at,
            entities: Vec::new(),
            edges: EdgeTally::default(),
            linked: Vec::new(),
            stored: None,
        }
    }
}

#[derive(Debug, Default)]
pub struct Plan {
    pub changes: ChangeSet,
    pub planned: Vec<Planned>,
    pub entities_made: u32,
}

/// The input of one transaction.
pub struct Batch<'a> {
    pub parts: &'a [Part<'a>],
    pub now: Timestamp,
    pub settings: &'a RememberSettings,
}

impl<'a> Batch<'a> {
    /// The drafts of all parts in order; positions refer to this sequence.
    fn drafts(&self) -> impl Iterator<Item = &'a Prepared> {
        self.parts.iter().flat_map(|part| part.drafts)
    }
}

/// Drafts of one source.
#[derive(Clone, Copy)]
pub struct Part<'a> {
    pub source: &'a SourceDraft,
    pub drafts: &'a [Prepared],
    /// Answer a draft with the existing memory of equal text and scope. Passages and turns are identified by
    /// their position in the source instead, so that a document keeps all its parts and a chat every
    /// greeting.
    pub skip_duplicates: bool,
    /// Stored with the last part of the source.
    pub content_hash: Option<[u8; 32]>,
}

pub fn plan(read: &dyn Read, batch: &Batch<'_>) -> Result<Plan> {
    let next = read.next_numbers()?;
    let mut plan = Plan { changes: ChangeSet { at: batch.now, changes: Vec::new() }, ..Plan::default() };

    let mut resolver = Resolver::new(read, next.entity);
    // The title of each source, and its other names.
    let titles: Vec<(Option<Name>, Vec<Name>)> = batch.parts.iter().map(|part| titles(part.source)).collect();
    let of_titles = titles.iter().flat_map(|(title, others)| title.iter().chain(others));
    resolver.look_up(batch.drafts().flat_map(|d| &d.names).chain(of_titles))?;

    let drafts: Vec<&Prepared> = batch.drafts().collect();
    let mut writer = Writer {
        read,
        batch,
        next_memory: next.memory,
        seen: HashMap::new(),
        placed: Vec::new(),
        handles: HashSet::new(),
        ordinals: HashMap::new(),
        recent: Recent::load(read, &drafts, batch.settings.causal_lookback, batch.now)?,
        neighbours: neighbours(read, &drafts, batch.settings)?,
        resolver,
        edges: Vec::new(),
    };
    let mut sources: Vec<Source> = Vec::new();
    let mut next_source = next.source;
    let mut after = Vec::new();
    for (part, (title, others)) in batch.parts.iter().zip(titles) {
        let known =
            match sources.iter().find(|s| s.kind == part.source.kind && s.origin == part.source.origin) {
                Some(source) => Some(source.clone()),
                None => read.source_by_origin(part.source.kind, &part.source.origin)?,
            };
        let source = source_row(part, batch, known.as_ref(), SourceId(next_source));
        if known.as_ref() != Some(&source) {
            next_source += u32::from(known.is_none());
            plan.changes.changes.push(Change::PutSource(source.clone()));
        }
        for prepared in part.drafts {
            let (planned, changes) = writer.draft(part, &source, title.as_ref(), prepared)?;
            plan.planned.push(planned);
            after.extend(changes);
        }
        if let Some(title) = title {
            writer.mentions_of_title(&title)?;
        }
        for other in &others {
            writer.resolver.resolve(other, batch.now)?;
        }
        sources.push(source);
    }
    let Writer { resolver, edges, .. } = writer;
    plan.entities_made = resolver.made();
    plan.changes.changes.extend(resolver.into_changes()?);
    plan.changes.changes.extend(after);
    plan.changes.changes.extend(edges.into_iter().map(Change::PutEdge));
    Ok(plan)
}

fn source_row(part: &Part<'_>, batch: &Batch<'_>, known: Option<&Source>, id: SourceId) -> Source {
    let (draft, now) = (part.source, batch.now);
    let policy = batch.settings.secrets;
    let title = draft.title.clone().map(|title| prepare::without_secrets(title, policy));
    match known {
        Some(known) => {
            let mut row = known.clone();
            row.title = title.or(row.title);
            if draft.language.is_some() {
                row.language.clone_from(&draft.language);
            }
            row.tags.extend(draft.tags.iter().cloned());
            row.tags.sort();
            row.tags.dedup();
            row.metadata.extend(draft.metadata.clone());
            row.content_hash = part.content_hash.or(row.content_hash);
            row.from_disk |= draft.from_disk;
            row.deleted_at = None;
            if draft.kind != SourceType::Agent {
                row.updated_at = now;
            }
            row
        }
        None => Source {
            id,
            kind: draft.kind,
            origin: draft.origin.clone(),
            title,
            language: draft.language.clone(),
            tags: draft.tags.clone(),
            metadata: draft.metadata.clone(),
            content_hash: part.content_hash,
            from_disk: draft.from_disk,
            created_at: now,
            updated_at: now,
            deleted_at: None,
        },
    }
}

/// The subject of a document according to its title, without text in brackets. Titles of more than eight
/// words are sentences, not names.
pub(super) fn title_name(kind: SourceType, title: Option<&str>) -> Option<Name> {
    // A chat or an agent is named after a channel or a file, not after its subject.
    let is_about = matches!(kind, SourceType::File | SourceType::Page | SourceType::Code);
    let title = title.filter(|_| is_about)?;
    let bare = title.split(['(', '[']).next().unwrap_or(title).trim();
    let words = bare.split_whitespace().count();
    // "plan" is what a file is called, "Redis" is a name.
    let is_written_as_name = words > 1 || bare.chars().any(|c| c.is_uppercase() || !c.is_ascii());
    let is_name = (1..=8).contains(&words) && bare.chars().any(char::is_alphabetic) && is_written_as_name;
    if is_name { Name::given(bare, None) } else { None }
}

/// The subject of a document, and for each of its aliases the same with that alias. An alias that looks like
/// the id of an entity is none.
fn titles(source: &SourceDraft) -> (Option<Name>, Vec<Name>) {
    const MOST: usize = 50;
    let Some(title) = title_name(source.kind, source.title.as_deref()) else { return (None, Vec::new()) };
    let aliases = source.aliases.iter().map(|alias| normal_name(alias));
    let is_other =
        |alias: &String| !alias.is_empty() && *alias != title.normal && split_canonical_id(alias).is_none();
    let named = |alias: String| Name { alias: Some(alias), ..title.clone() };
    let others = aliases.filter(is_other).take(MOST).map(named).collect();
    (Some(title), others)
}

struct Writer<'a> {
    read: &'a dyn Read,
    batch: &'a Batch<'a>,
    next_memory: u32,
    /// Content hashes of this batch, with the position of the draft.
    seen: HashMap<[u8; 16], usize>,
    /// The memory of each draft so far.
    placed: Vec<Placed>,
    handles: HashSet<Handle>,
    ordinals: HashMap<(SourceId, Option<String>), u32>,
    recent: Recent,
    neighbours: Vec<Vec<(Neighbour, f32)>>,
    resolver: Resolver<'a>,
    edges: Vec<Edge>,
}

impl Writer<'_> {
    fn draft(
        &mut self,
        part: &Part<'_>,
        source: &Source,
        title: Option<&Name>,
        prepared: &Prepared,
    ) -> Result<(Planned, Vec<Change>)> {
        let position = self.placed.len();
        let source = source.id;
        let draft = &prepared.draft;
        let hash = content_hash(&draft.text, &draft.scope);
        if part.skip_duplicates
            && let Some(known) = self.known(&hash)?
            && !self.is_replaced(&known, prepared)?
        {
            return self.duplicate(known, part.source.kind, prepared);
        }
        let node = Node::memory(self.next_memory);
        self.next_memory += 1;
        let handle = naming::new_handle(self.read, &mut self.handles, prepared.id)?;
        let session = draft.session.clone();
        let ordinal = match draft.ordinal {
            Some(ordinal) => ordinal,
            None => self.ordinal(source, session.as_deref())?,
        };
        let placed = Placed { node, id: prepared.id, handle: handle.clone(), source };
        self.placed.push(placed.clone());
        let ending = (allowed_tier(part.source.kind, draft).unwrap_or_default(), draft.expires_at);
        let mut planned = Planned::new(placed, Action::Added, ending);
        let mut changes = Vec::with_capacity(2);
        let memory = Memory {
            node,
            id: prepared.id,
            handle,
            text: draft.text.clone(),
            kind: draft.kind.clone().unwrap_or_else(|| "insight".to_string()),
            tags: draft.tags.clone(),
            tier: ending.0,
            importance: draft.importance.unwrap_or(3),
            scope: draft.scope.clone(),
            agent: draft.agent.clone(),
            session,
            speaker: draft.speaker.clone(),
            heading: draft.heading.clone(),
            lines: draft.lines,
            source,
            ordinal,
            occurred_at: prepared.occurred_at,
            recorded_at: self.batch.now,
            expires_at: ending.1,
            deleted_at: None,
            superseded_by: None,
            access_count: 0,
            last_accessed_at: None,
        };
        let vector = prepared.vector.as_ref().map(|(_, stored)| stored.clone());
        changes.push(Change::AddMemory { memory: Box::new(memory), vector });

        let names: Vec<&Name> = prepared.names.iter().chain(title).collect();
        self.mention(&names, prepared.occurred_at, &mut planned)?;
        self.causes(part, source, prepared, &mut planned);
        self.semantic_edges(position, prepared, &mut planned);
        changes.extend(self.supersession(&planned.placed, draft)?);
        self.recent.push(node, source, prepared);
        self.seen.insert(hash, position);
        Ok((planned, changes))
    }

    /// The result for a draft whose text exists already: what the draft says beside the text comes to it, its
    /// tier and expiry, tags, names and what it replaces.
    fn duplicate(
        &mut self,
        known: Placed,
        source: SourceType,
        prepared: &Prepared,
    ) -> Result<(Planned, Vec<Change>)> {
        self.placed.push(known.clone());
        // An earlier draft of this batch is not stored yet; then the first one decides.
        let Some(mut stored) = self.read.memories(&[known.node])?.pop() else {
            let of_batch =
                (allowed_tier(source, &prepared.draft).unwrap_or_default(), prepared.draft.expires_at);
            return Ok((Planned::new(known, Action::Skipped, of_batch), Vec::new()));
        };
        let mut changes = Vec::new();
        let (present, wanted) = self.tiers(&stored, source, &prepared.draft);
        if present != wanted {
            let (tier, expires_at) = wanted;
            changes.push(Change::SetTier { memory: known.node, tier, expires_at });
        }
        let is_new = |tag: &&String| !stored.tags.contains(tag);
        let tags: Vec<String> = prepared.draft.tags.iter().filter(is_new).cloned().collect();
        if !tags.is_empty() {
            stored.tags.extend(tags.iter().cloned());
            changes.push(Change::AddTags { memory: known.node, tags });
        }
        if let Some(name) = &prepared.draft.supersedes {
            let old = self.memory_named(name)?;
            if edges::is_superseded_by(self.read, known.node, old)? {
                let why = format!("it replaced `{}`, which has this text", known.handle);
                let hint = format!("griot unlink \"{name}\" \"{}\"", known.handle);
                return Err(Error::invalid(format!("supersede `{name}`"), why).hint(hint));
            }
            if self.read.edge_by_key(known.node, old, EdgeKind::Supersedes, "")?.is_none() {
                changes.extend(self.supersession(&known, &prepared.draft)?);
            }
        }
        let edges = self.edges.len();
        let mut planned = Planned::new(known, Action::Skipped, wanted);
        let given: Vec<&Name> = prepared.names.iter().filter(|name| name.is_given()).collect();
        self.mention(&given, prepared.occurred_at, &mut planned)?;
        if !changes.is_empty() || self.edges.len() > edges {
            planned.action = Action::Updated;
        }
        planned.stored = Some(Box::new(stored));
        Ok((planned, changes))
    }

    /// The change that hides the memory which a draft replaces; also adds the edge between them.
    fn supersession(&mut self, new: &Placed, draft: &Draft) -> Result<Option<Change>> {
        let Some(name) = &draft.supersedes else { return Ok(None) };
        let old = self.memory_named(name)?;
        if old == new.node {
            return Err(Error::invalid(format!("supersede `{name}`"), "it has the same text"));
        }
        if self.read.memories(&[old])?.iter().any(|memory| !memory.scope.meets(&draft.scope)) {
            let why = "their scopes differ, so a reader of the old memory may not see the new one";
            return Err(Error::invalid(format!("supersede `{name}`"), why));
        }
        if draft.keeps_links {
            self.carry_over(old, new)?;
        }
        let evidence = self.evidence(new.id, None, Some("the new memory replaces it".to_string()));
        self.edge((new.node, old), EdgeKind::Supersedes, "", (1.0, 1.0), Provenance::User, evidence);
        Ok(Some(Change::SetSuperseded { memory: old, by: Some(new.id) }))
    }

    /// Adds to a new version the edges of the old one that a person made. What rules found is found again.
    fn carry_over(&mut self, old: Node, new: &Placed) -> Result<()> {
        let (now, id, new) = (self.batch.now, new.id, new.node);
        let is_carried = |edge: &Edge| {
            let is_named = edge.kind == EdgeKind::Mentions && edge.provenance == Provenance::Static;
            let is_linked = edge.provenance == Provenance::User && edge.kind != EdgeKind::Supersedes;
            (is_named || is_linked) && edge.expires_at.is_none_or(|end| end > now)
        };
        let moved = |node: Node| if node == old { new } else { node };
        for edge in self.read.edges_of(old)?.into_iter().filter(is_carried) {
            let (source, target) = (moved(edge.source), moved(edge.target));
            if source != target {
                // A mention is of the text that makes it, and goes with it.
                let evidence = match edge.kind {
                    EdgeKind::Mentions => vec![self.evidence(id, None, None)],
                    _ => edge.evidence.clone(),
                };
                self.edges.push(Edge { source, target, evidence, ..edge }.normalised());
            }
        }
        Ok(())
    }

    fn known(&self, hash: &[u8; 16]) -> Result<Option<Placed>> {
        if let Some(&position) = self.seen.get(hash) {
            return Ok(Some(self.placed[position].clone()));
        }
        let Some(node) = self.read.memory_by_hash(hash)? else { return Ok(None) };
        let memory = self.read.memories(&[node])?.into_iter().next();
        Ok(memory.map(|m| Placed { node, id: m.id, handle: m.handle, source: m.source }))
    }

    /// Whether a known text that is stated again was replaced since: the code is 1111 again.
    fn is_replaced(&self, known: &Placed, again: &Prepared) -> Result<bool> {
        let Some(known) = self.read.memories(&[known.node])?.pop() else { return Ok(false) };
        if known.is_timeless() || again.occurred_at <= known.occurred_at {
            return Ok(false);
        }
        let filter = Filter { scope: known.scope.clone(), now: Some(self.batch.now), ..Filter::default() };
        Ok(known.superseded_by.is_some() || replaces::is_replaced(self.read, &known, again, &filter)?)
    }

    /// The tier and expiry of an existing text, and those it gets now that it is stated again. An expired one
    /// is always renewed.
    fn tiers(&self, memory: &Memory, source: SourceType, draft: &Draft) -> (Ending, Ending) {
        let asked = allowed_tier(source, draft);
        let present = (memory.tier, memory.expires_at);
        if asked.is_none() && draft.expires_at.is_none() && !memory.is_expired(self.batch.now) {
            return (present, present);
        }
        // A working memory that is stated again without an expiry becomes permanent.
        let stays = draft.expires_at.is_none() && memory.tier == Tier::Working;
        let tier = asked.unwrap_or(if stays { Tier::LongTerm } else { memory.tier });
        (present, (tier, draft.expires_at))
    }

    fn ordinal(&mut self, source: SourceId, session: Option<&str>) -> Result<u32> {
        let key = (source, session.map(str::to_string));
        if !self.ordinals.contains_key(&key) {
            let next = self.read.next_ordinal(source, session)?;
            self.ordinals.insert(key.clone(), next);
        }
        let next = self.ordinals.entry(key).or_default();
        let ordinal = *next;
        *next = (ordinal + 1).min(Memory::LAST_ORDINAL);
        Ok(ordinal)
    }

    fn memory_named(&self, name: &str) -> Result<Node> {
        let found = match MemoryId::parse(name) {
            Some(id) => self.read.find_nodes(&NodeName::Id(id))?,
            None => self.read.find_nodes(&NodeName::Handle(name))?,
        };
        match found.as_slice() {
            [node] => Ok(*node),
            [] => Err(Error::not_found(format!("supersede `{name}`"), "there is no such memory")),
            _ => Err(Error::invalid(
                format!("supersede `{name}`"),
                "several memories have a handle with this beginning",
            )),
        }
    }

    /// Adds the mentions of names that the memory does not have yet.
    fn mention(&mut self, names: &[&Name], at: Timestamp, planned: &mut Planned) -> Result<()> {
        let (node, id) = (planned.placed.node, planned.placed.id);
        for name in names {
            let Some(entity) = self.resolver.resolve(name, at)? else { continue };
            let is_stored = || self.read.edge_by_key(node, entity, EdgeKind::Mentions, "");
            if planned.entities.iter().any(|(node, ..)| *node == entity)
                || planned.action != Action::Added && is_stored()?.is_some()
            {
                continue;
            }
            let (canonical, written) = match self.resolver.pending(entity) {
                Some(entity) => (entity.canonical_id(), entity.name.clone()),
                None => (String::new(), name.name.clone()),
            };
            planned.entities.push((entity, canonical, written));
            planned.edges.entity += 1;
            let strength = (name.weight, name.confidence);
            let provenance = if name.is_given() { Provenance::Static } else { Provenance::Rule };
            let evidence = self.evidence(id, None, None);
            self.edge((node, entity), EdgeKind::Mentions, "", strength, provenance, evidence);
        }
        Ok(())
    }

    /// Memories that were stored before a document about something new may already name its subject: adds
    /// their mentions.
    fn mentions_of_title(&mut self, title: &Name) -> Result<()> {
        const MOST: usize = 50;
        let Some(entity) = self.resolver.resolve(title, self.batch.now)? else { return Ok(()) };
        let terms = text::content_terms(&title.name);
        // In older texts a single common word need not be the name.
        if !self.resolver.is_new(entity) || terms.is_empty() || !title.name.starts_with(char::is_uppercase) {
            return Ok(());
        }
        let all = if terms.len() >= 64 { u64::MAX } else { (1 << terms.len()) - 1 };
        let query = WordQuery { terms, limit: MOST, ..WordQuery::default() };
        let hits = self.read.search_words(
            &query,
            &Filter { superseded: true, now: Some(self.batch.now), ..Filter::default() },
        )?;
        let nodes: Vec<Node> =
            hits.memories.iter().filter(|h| h.matched & all == all).map(|h| h.node).collect();
        for memory in self.read.memories(&nodes)? {
            if names_it(&memory.text, &title.name) {
                let evidence = self.evidence(memory.id, None, None);
                self.edge(
                    (memory.node, entity),
                    EdgeKind::Mentions,
                    "",
                    (0.5, 0.8),
                    Provenance::Rule,
                    evidence,
                );
            }
        }
        Ok(())
    }

    /// Adds an edge from each recent memory that the draft means as its cause, and one to each that it
    /// explains.
    fn causes(&mut self, part: &Part<'_>, source: SourceId, prepared: &Prepared, planned: &mut Planned) {
        let is_document = matches!(part.source.kind, SourceType::File | SourceType::Page | SourceType::Code);
        let kind = prepared.draft.kind.as_deref();
        if is_document || kind == Some("passage") {
            return;
        }
        let is_talk = part.source.kind == SourceType::Chat || kind == Some("turn");
        let node = planned.placed.node;
        for (cause, meant) in self.recent.causes_of(source, prepared, is_talk) {
            let evidence = self.evidence(prepared.id, Some(meant.quote), Some(meant.reason));
            let strength = (meant.probability.clamp(0.0, 1.0), RULE_CAUSE_CONFIDENCE);
            self.edge((cause, node), EdgeKind::Causal, meant.sub_type, strength, Provenance::Rule, evidence);
            planned.edges.causal += 1;
        }
        if is_talk {
            return;
        }
        for (effect, guess) in self.recent.explained_by(prepared, self.batch.settings.causal_overlap) {
            let evidence = self.evidence(prepared.id, Some(guess.quote), Some(guess.reason));
            let strength = (guess.overlap.min(1.0), RULE_EXPLAINS_CONFIDENCE);
            self.edge((node, effect), EdgeKind::Explains, "", strength, Provenance::Rule, evidence);
            planned.edges.causal += 1;
        }
    }

    fn semantic_edges(&mut self, position: usize, prepared: &Prepared, planned: &mut Planned) {
        let nearest = std::mem::take(&mut self.neighbours[position]);
        for (neighbour, cosine) in nearest {
            let other = match neighbour {
                Neighbour::Stored(node) => node,
                Neighbour::InBatch(earlier) => self.placed[earlier].node,
            };
            if planned.linked.contains(&other) {
                continue;
            }
            let evidence = self.evidence(prepared.id, None, Some(format!("cosine {cosine:.2}")));
            let strength = (cosine.min(1.0), cosine.min(1.0));
            self.edge(
                (planned.placed.node, other),
                EdgeKind::Semantic,
                "",
                strength,
                Provenance::Embedding,
                evidence,
            );
            planned.edges.semantic += 1;
            planned.linked.push(other);
        }
    }

    fn evidence(&self, memory: MemoryId, quote: Option<String>, reason: Option<String>) -> Evidence {
        Evidence { memory: Some(memory), quote, reason, at: self.batch.now }
    }

    fn edge(
        &mut self,
        ends: (Node, Node),
        kind: EdgeKind,
        label: &str,
        (weight, confidence): (f32, f32),
        provenance: Provenance,
        evidence: Evidence,
    ) {
        let edge = Edge {
            label: label.to_string(),
            weight,
            confidence,
            ..Edge::new(ends, kind, provenance, evidence)
        };
        self.edges.push(edge.normalised());
    }
}

/// Confidence of a cause found by the rule: of 23 edges in four written worlds, which the weights had not
/// seen but the cues had, 19 were right and 3 named a cause of the cause. Talk is not measured.
pub const RULE_CAUSE_CONFIDENCE: f32 = 0.8;

/// Confidence that a text which restates an earlier one beside a cause word explains it.
const RULE_EXPLAINS_CONFIDENCE: f32 = 0.7;

/// Only agents create rules: the content of a document, a page or a chat is text, not an order.
fn allowed_tier(source: SourceType, draft: &Draft) -> Option<Tier> {
    draft.tier.filter(|tier| *tier != Tier::Rule || source == SourceType::Agent)
}

/// Whether the text contains the name as whole words.
pub(super) fn names_it(text: &str, name: &str) -> bool {
    let (text, name) = (text::normal_name(text), text::normal_name(name));
    text.match_indices(&name).any(|(at, found)| {
        let before = text[..at].chars().next_back();
        let after = text[at + found.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

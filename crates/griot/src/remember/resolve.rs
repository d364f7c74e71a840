//! Resolves a name to an entity: one in the store, or a new one.
//!
//! A typed name means the entity with that type and key, even if hidden: a hidden one is revived, a merged
//! one leads to its survivor. Otherwise it means an entity of the type that also has this name, and an entity
//! that is only a `concept` takes the type; its old canonical id stays as an alias. A name without a type
//! means the one entity with that name, and a `concept` if there are none or several; spelled names must
//! match exactly. A typed name that is a former canonical id (`org:mercury` of what is `tool:mercury` now)
//! means the entity that had it, and votes for that type: the most frequent type wins, and rules never
//! outvote callers. Each typed name counts once per entity and batch. A person recognised by capitals alone
//! (`EntityRule::Guessed`) is an untyped name that becomes a `person` if there is no entity with that name,
//! and yields to a type that a caller gives. A tag means the entity with that name, else a `topic`, which
//! yields to a type as `concept` does until a caller gives it that type.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::backend::{KeyHolder, NodeName, Read};
use crate::graph::distinct;
use crate::model::{
    Change, Entity, EntityType, Node, Result, Timestamp, TypeVotes, canonical_id, entity_key,
    most_given_type, normal_name, spelled_name,
};

use super::merge::{summed, survivor_of};
use super::name::Name;

/// The entities that a batch resolved or created, and their changes.
pub struct Resolver<'a> {
    read: &'a dyn Read,
    next_entity: u32,
    /// Live entities by name in normal form.
    known: HashMap<String, Vec<(Node, EntityType)>>,
    /// Holders of keys in the store; `of_batch` overrules them.
    held: HashMap<String, Vec<KeyHolder>>,
    /// Type and key of the entities in `pending`.
    of_batch: HashMap<(EntityType, String), Node>,
    /// New and changed entities of this batch, in the order of first use.
    pending: Vec<Entity>,
    position: HashMap<Node, usize>,
    made: u32,
    /// How often this batch gave an entity a type; the flag is true for callers, false for rules.
    votes: BTreeMap<(Node, EntityType, bool), u32>,
    /// Entities that were given a type other than their own.
    disputed: BTreeSet<Node>,
}

impl<'a> Resolver<'a> {
    pub fn new(read: &'a dyn Read, next_entity: u32) -> Self {
        Self {
            read,
            next_entity,
            known: HashMap::new(),
            held: HashMap::new(),
            of_batch: HashMap::new(),
            pending: Vec::new(),
            position: HashMap::new(),
            made: 0,
            votes: BTreeMap::new(),
            disputed: BTreeSet::new(),
        }
    }

    /// Looks up all names in two requests, so that `resolve` seldom needs one.
    pub fn look_up<'n>(&mut self, names: impl Iterator<Item = &'n Name>) -> Result<()> {
        let names: Vec<&Name> = names.collect();
        let written = names.iter().flat_map(|name| [Some(name.normal.clone()), name.alias.clone()]);
        let normal = distinct(written.flatten().filter(|name| !self.known.contains_key(name)).collect());
        let found = self.read.find_entities(&normal)?;
        self.known.extend(normal.into_iter().zip(found));
        let mut keys =
            distinct(names.into_iter().filter(|name| !self.is_plain(name)).flat_map(keys_of).collect());
        keys.retain(|key| !self.held.contains_key(key));
        let holders = self.read.key_holders(&keys)?;
        self.held.extend(keys.into_iter().zip(holders));
        Ok(())
    }

    /// Whether no key has to be looked up: one live entity has the name and a suitable type, or the name is
    /// only part of another. Most names of a text are like that.
    fn is_plain(&self, name: &Name) -> bool {
        let known = self.known.get(&name.normal).map_or(&[][..], Vec::as_slice);
        let fits = |kind: EntityType| !kind.is_spelled() && name.kind.is_none_or(|asked| asked == kind);
        name.only_if_known || name.key.is_none() && matches!(known, &[(_, kind)] if fits(kind))
    }

    /// The live entities with a normal name that was looked up.
    pub fn called(&self, normal: &str) -> &[(Node, EntityType)] {
        self.known.get(normal).map_or(&[], Vec::as_slice)
    }

    /// The entity that the name means; `None` for a part of a name without an entity. Adds the alias of the
    /// name to the entity.
    pub fn resolve(&mut self, name: &Name, at: Timestamp) -> Result<Option<Node>> {
        let entity = self.meant(name, at)?;
        if let (Some(node), Some(kind)) = (entity, name.kind) {
            *self.votes.entry((node, kind, name.confidence >= 1.0)).or_default() += 1;
        }
        if let (Some(node), Some(alias)) = (entity, &name.alias) {
            let is_known =
                self.known.get(alias).is_some_and(|entities| entities.iter().any(|(n, _)| *n == node));
            if !is_known && let Some(entity) = self.changed(node)? {
                entity.aliases.push(alias.clone());
                let kind = entity.kind;
                self.known.entry(alias.clone()).or_default().push((node, kind));
            }
        }
        Ok(entity)
    }

    fn meant(&mut self, name: &Name, at: Timestamp) -> Result<Option<Node>> {
        if name.only_if_known {
            return self.part_of_name(name);
        }
        if self.is_plain(name) {
            return Ok(self.known.get(&name.normal).and_then(|known| known.first()).map(|(node, _)| *node));
        }
        match name.kind {
            Some(kind) => self.typed(name, kind, at).map(Some),
            None => self.untyped(name, at).map(Some),
        }
    }

    /// `Ada` in `Ada Lovelace` may be a known Ada; `South` in `South Africa` is not an entity.
    fn part_of_name(&mut self, name: &Name) -> Result<Option<Node>> {
        let known = self.carriers(name)?;
        let people: Vec<_> = known.iter().filter(|(_, k)| *k == EntityType::Person).collect();
        let is_word = !name.normal.contains(' ');
        Ok(match (is_word, people.as_slice(), known.as_slice()) {
            (true, &[&(node, _)], _) | (false, _, &[(node, _)]) => Some(node),
            _ => None,
        })
    }

    fn typed(&mut self, name: &Name, kind: EntityType, at: Timestamp) -> Result<Node> {
        let key = name.key_as(kind);
        if let Some(holder) = self.holder(kind, &key)? {
            let node = self.awake(holder, name)?;
            if node != holder {
                // It may have been merged into one of another type.
                self.disputed.insert(node);
            }
            return Ok(node);
        }
        if name.key.is_some() {
            return Ok(self.add(name, kind, key, at));
        }
        let known = self.carriers(name)?;
        if let Some(&(node, _)) = known.iter().find(|(_, k)| *k == kind) {
            return Ok(node);
        }
        let former = match known.as_slice() {
            [] => Vec::new(),
            _ => self.read.find_nodes(&NodeName::Canonical(&canonical_id(kind, &key)))?,
        };
        if let Some(&node) = former.iter().find(|node| known.iter().any(|(carrier, _)| carrier == *node)) {
            self.disputed.insert(node);
            return Ok(node);
        }
        if let &[(node, was)] = known.as_slice()
            && (was == EntityType::Concept
                || was == EntityType::Topic && self.is_only_a_tag(node)?
                || was == EntityType::Person && name.confidence >= 1.0 && self.is_only_guessed(node)?)
            && self.take_type(node, kind, Some(name))?
        {
            return Ok(node);
        }
        Ok(self.add(name, kind, key, at))
    }

    fn untyped(&mut self, name: &Name, at: Timestamp) -> Result<Node> {
        let known = self.carriers(name)?;
        if let (&[(node, EntityType::Concept)], true) = (known.as_slice(), name.fallback == EntityType::Topic)
        {
            self.take_type(node, name.fallback, Some(name))?;
            return Ok(node);
        }
        let key = name.key_as(name.fallback);
        let weakest = self.holder(name.fallback, &key)?;
        match known.as_slice() {
            &[(node, _)] => return Ok(node),
            // No live entity has this name; if exactly one hidden entity has it, revive that.
            [] if weakest.is_none() => {
                let spelled = spelled_name(&name.name);
                let mut hidden = self.stored_holders(&spelled)?;
                hidden.retain(|holder| holder.kind.is_spelled());
                hidden
                    .extend(self.stored_holders(&name.normal)?.into_iter().filter(|h| !h.kind.is_spelled()));
                if let &[KeyHolder { node, hidden: true, .. }] = hidden.as_slice() {
                    return self.awake(node, name);
                }
            }
            several => {
                let concepts = several.iter().filter(|(_, kind)| *kind == EntityType::Concept);
                let concepts: Vec<Node> = concepts.map(|(node, _)| *node).collect();
                let is_live = weakest.is_some_and(|node| concepts.contains(&node));
                if let (false, Some(&node)) = (is_live, concepts.first()) {
                    return Ok(node);
                }
            }
        }
        match weakest {
            Some(node) => self.awake(node, name),
            None => Ok(self.add(name, name.fallback, key, at)),
        }
    }

    /// Live entities with this name; spelled ones must match exactly.
    fn carriers(&mut self, name: &Name) -> Result<Vec<(Node, EntityType)>> {
        let mut carriers = self.known.get(&name.normal).cloned().unwrap_or_default();
        let mut position = 0;
        while let Some(&(node, kind)) = carriers.get(position) {
            if !kind.is_spelled() || self.row(node)?.is_some_and(|entity| entity.is_spelled_so(&name.name)) {
                position += 1;
            } else {
                carriers.remove(position);
            }
        }
        Ok(carriers)
    }

    /// The entity with a type and key, including hidden ones.
    fn holder(&mut self, kind: EntityType, key: &str) -> Result<Option<Node>> {
        if let Some(&node) = self.of_batch.get(&(kind, key.to_owned())) {
            return Ok(Some(node));
        }
        let stored = self.stored_holders(key)?.into_iter().find(|holder| holder.kind == kind);
        // An entity that this batch changed may have another key now.
        Ok(stored.map(|holder| holder.node).filter(|node| !self.position.contains_key(node)))
    }

    fn stored_holders(&mut self, key: &str) -> Result<Vec<KeyHolder>> {
        if !self.held.contains_key(key) {
            let found = self.read.key_holders(&[key.to_owned()])?.concat();
            self.held.insert(key.to_owned(), found);
        }
        Ok(self.held.get(key).cloned().unwrap_or_default())
    }

    /// The entity to use when a hidden one is named: itself, revived, or the survivor of its merge.
    fn awake(&mut self, node: Node, name: &Name) -> Result<Node> {
        if self.row(node)?.is_none_or(|entity| entity.deleted_at.is_none()) {
            return Ok(node);
        }
        let node = survivor_of(self.read, node)?.unwrap_or(node);
        if self.row(node)?.is_some_and(|entity| entity.deleted_at.is_some())
            && let Some(entity) = self.changed(node)?
        {
            entity.deleted_at = None;
            let (kind, aliases) = (entity.kind, entity.aliases.clone());
            for alias in aliases.into_iter().chain([name.normal.clone()]) {
                let carriers = self.known.entry(alias).or_default();
                if carriers.iter().all(|(carrier, _)| *carrier != node) {
                    carriers.push((node, kind));
                }
            }
        }
        Ok(node)
    }

    /// Whether only a tag made it a topic, which means no more than `concept`.
    fn is_only_a_tag(&self, topic: Node) -> Result<bool> {
        let said = |votes: &TypeVotes| votes.given && votes.kind == EntityType::Topic;
        Ok(!self.votes.contains_key(&(topic, EntityType::Topic, true))
            && !self.read.type_votes(topic)?.iter().any(said))
    }

    /// Whether only capitals made it a person, which means little more than `concept`.
    fn is_only_guessed(&self, person: Node) -> Result<bool> {
        let counted =
            [true, false].iter().any(|given| self.votes.contains_key(&(person, EntityType::Person, *given)));
        Ok(!counted && !self.read.type_votes(person)?.iter().any(|votes| votes.kind == EntityType::Person))
    }

    fn add(&mut self, name: &Name, kind: EntityType, key: String, at: Timestamp) -> Node {
        let node = Node::entity(self.next_entity);
        self.next_entity += 1;
        self.made += 1;
        let mut aliases = vec![name.normal.clone(), normal_name(&key)];
        aliases.dedup();
        for alias in &aliases {
            self.known.entry(alias.clone()).or_default().push((node, kind));
        }
        self.of_batch.insert((kind, key.clone()), node);
        self.position.insert(node, self.pending.len());
        self.pending.push(Entity {
            node,
            name: name.name.clone(),
            kind,
            key,
            aliases,
            description: Vec::new(),
            first_seen: at,
            last_seen: at,
            deleted_at: None,
        });
        node
    }

    /// The entity in its state after this batch; `None` if the store has lost it.
    fn row(&self, node: Node) -> Result<Option<Entity>> {
        match self.pending(node) {
            Some(entity) => Ok(Some(entity.clone())),
            None => Ok(self.read.entities(&[node])?.pop()),
        }
    }

    /// The same entity, for changes.
    fn changed(&mut self, node: Node) -> Result<Option<&mut Entity>> {
        let position = match self.position.get(&node) {
            Some(&position) => position,
            None => {
                let Some(entity) = self.read.entities(&[node])?.into_iter().next() else { return Ok(None) };
                self.of_batch.insert((entity.kind, entity.key.clone()), node);
                self.position.insert(node, self.pending.len());
                self.pending.push(entity);
                self.pending.len() - 1
            }
        };
        Ok(self.pending.get_mut(position))
    }

    /// Gives an entity a type, and the key that goes with it; false if another entity has that key. A spelled
    /// type also takes over the spelling of the name that gave it.
    fn take_type(&mut self, node: Node, kind: EntityType, by: Option<&Name>) -> Result<bool> {
        let Some(entity) = self.row(node)? else { return Ok(false) };
        let spelled = by.filter(|_| kind.is_spelled() && entity.is_keyed_by_name());
        let key = spelled.map_or_else(|| entity.key_as(kind), |name| entity_key(kind, &name.name));
        if let Some(holder) = self.holder(kind, &key)?
            && holder != node
        {
            // An entity merged into this one keeps its key for the undo; the two may exchange theirs.
            if survivor_of(self.read, holder)? != Some(node) {
                return Ok(false);
            }
            self.set_identity(holder, entity.kind, entity.key.clone())?;
        }
        let old_id = entity.canonical_id();
        self.set_identity(node, kind, key)?;
        let Some(entity) = self.changed(node)? else { return Ok(false) };
        if let Some(name) = spelled {
            entity.name.clone_from(&name.name);
        }
        if !entity.aliases.contains(&old_id) {
            entity.aliases.push(old_id);
        }
        for alias in entity.aliases.clone() {
            if let Some(entries) = self.known.get_mut(&alias) {
                entries.iter_mut().filter(|(n, _)| *n == node).for_each(|entry| entry.1 = kind);
            }
        }
        Ok(true)
    }

    fn set_identity(&mut self, node: Node, kind: EntityType, key: String) -> Result<()> {
        let Some(entity) = self.changed(node)? else { return Ok(()) };
        let before = (entity.kind, std::mem::replace(&mut entity.key, key.clone()));
        entity.kind = kind;
        if self.of_batch.get(&before) == Some(&node) {
            self.of_batch.remove(&before);
        }
        self.of_batch.insert((kind, key), node);
        Ok(())
    }

    /// Number of entities created so far.
    pub fn made(&self) -> u32 {
        self.made
    }

    /// Whether this batch created the entity.
    pub fn is_new(&self, node: Node) -> bool {
        node.number() >= self.next_entity - self.made
    }

    /// An entity that this batch created or changed.
    pub fn pending(&self, node: Node) -> Option<&Entity> {
        self.position.get(&node).map(|&position| &self.pending[position])
    }

    /// Gives each entity with a disputed type the one that it was given most often.
    fn settle(&mut self) -> Result<()> {
        for node in std::mem::take(&mut self.disputed) {
            let mut votes = self.read.type_votes(node)?;
            let of_batch =
                self.votes.range((node, EntityType::ALL[0], false)..).take_while(|((n, ..), _)| *n == node);
            votes.extend(of_batch.map(|(&(_, kind, given), &times)| TypeVotes { kind, given, times }));
            let Some(entity) = self.row(node)? else { continue };
            let kind = most_given_type(entity.kind, &summed(votes));
            if kind != entity.kind {
                self.take_type(node, kind, None)?;
            }
        }
        Ok(())
    }

    pub fn into_changes(mut self) -> Result<impl Iterator<Item = Change>> {
        self.settle()?;
        let votes = self.votes.into_iter().map(|((entity, kind, given), times)| Change::CountType {
            entity,
            kind,
            given,
            times: i64::from(times),
        });
        Ok(self.pending.into_iter().map(Change::PutEntity).chain(votes))
    }
}

/// The keys that a name may mean.
fn keys_of(name: &Name) -> Vec<String> {
    match name.kind {
        Some(kind) => vec![name.key_as(kind)],
        None => vec![spelled_name(&name.name), name.normal.clone()],
    }
}

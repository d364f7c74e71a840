//! Which entity a name means: one that the store knows, or a new one.
//!
//! Names meet in normal form, within a type. A name without a type takes the type of the one entity that carries it, and
//! `concept` when none or several do. A typed name meets an entity that is only a `concept` by giving it the type; the old
//! canonical id stays as an alias. A typed name that is a former canonical id (`org:mercury` of what is `tool:mercury` now)
//! means the entity that left it behind, and votes for that type: the type that is given most often wins, and what a caller
//! gave is never outvoted by a rule. Each typed name is counted, once per entity and batch.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::backend::{NodeName, Read};
use crate::model::{Change, Entity, EntityType, Node, Result, Timestamp, TypeVotes, canonical_id, most_given_type};

use super::merge::summed;
use super::prepare::Name;

/// Entities that a batch resolved or made, and the changes that make them.
pub struct Resolver<'a> {
    read: &'a dyn Read,
    next_entity: u32,
    known: HashMap<String, Vec<(Node, EntityType)>>,
    /// Entities of this batch, new and changed ones, in the order they came up.
    pending: Vec<Entity>,
    position: HashMap<Node, usize>,
    made: u32,
    /// How often this batch gave an entity a type: by a caller or by a rule.
    votes: BTreeMap<(Node, EntityType, bool), u32>,
    /// Entities that were given a type which is not theirs.
    disputed: BTreeSet<Node>,
}

impl<'a> Resolver<'a> {
    pub fn new(read: &'a dyn Read, next_entity: u32) -> Self {
        Self {
            read,
            next_entity,
            known: HashMap::new(),
            pending: Vec::new(),
            position: HashMap::new(),
            made: 0,
            votes: BTreeMap::new(),
            disputed: BTreeSet::new(),
        }
    }

    /// Looks all names up in one request, so that `resolve` asks nothing.
    pub fn look_up<'n>(&mut self, names: impl Iterator<Item = &'n Name>) -> Result<()> {
        let mut keys: Vec<String> = names
            .flat_map(|n| [Some(n.key.clone()), n.alias.clone()])
            .flatten()
            .filter(|k| !self.known.contains_key(k))
            .collect();
        keys.sort();
        keys.dedup();
        let found = self.read.find_entities(&keys)?;
        self.known.extend(keys.into_iter().zip(found));
        Ok(())
    }

    /// The entity that the name means; `None` for a part of a name that nothing is called. Another way to write it is learned.
    pub fn resolve(&mut self, name: &Name, at: Timestamp) -> Result<Option<Node>> {
        let entity = self.meant(name, at)?;
        if let (Some(node), Some(kind)) = (entity, name.kind) {
            *self.votes.entry((node, kind, name.confidence >= 1.0)).or_default() += 1;
        }
        if let (Some(node), Some(alias)) = (entity, &name.alias) {
            let is_known = self.known.get(alias).is_some_and(|entities| entities.iter().any(|(n, _)| *n == node));
            if !is_known && let Some(entity) = self.changed(node)? {
                entity.aliases.push(alias.clone());
                let kind = entity.kind;
                self.known.entry(alias.clone()).or_default().push((node, kind));
            }
        }
        Ok(entity)
    }

    fn meant(&mut self, name: &Name, at: Timestamp) -> Result<Option<Node>> {
        let known = self.known.get(&name.key).map_or(&[][..], Vec::as_slice);
        let same_type = name.kind.and_then(|kind| known.iter().find(|(_, k)| *k == kind));
        if let Some(&(node, _)) = same_type {
            return Ok(Some(node));
        }
        if let (Some(kind), false) = (name.kind, known.is_empty() || name.only_if_known) {
            let id = canonical_id(kind, &name.name);
            let carriers: Vec<Node> = known.iter().map(|(node, _)| *node).collect();
            let former = self.read.find_nodes(&NodeName::Canonical(&id))?;
            if let Some(&node) = former.iter().find(|node| carriers.contains(node)) {
                self.disputed.insert(node);
                return Ok(Some(node));
            }
        }
        if name.only_if_known {
            // `Ada` in `Ada Lovelace` may be the Ada that is known; `South` in `South Africa` is nobody.
            let people: Vec<_> = known.iter().filter(|(_, k)| *k == EntityType::Person).collect();
            let is_word = !name.key.contains(' ');
            return Ok(match (is_word, people.as_slice(), known) {
                (true, &[&(node, _)], _) | (false, _, &[(node, _)]) => Some(node),
                _ => None,
            });
        }
        match (name.kind, known) {
            (None, &[(node, _)]) => Ok(Some(node)),
            (None, several) => match several.iter().find(|(_, k)| *k == EntityType::Concept) {
                Some(&(node, _)) => Ok(Some(node)),
                None => Ok(Some(self.add(name, EntityType::Concept, at))),
            },
            (Some(kind), &[(node, EntityType::Concept)]) => {
                self.give_type(node, kind)?;
                Ok(Some(node))
            }
            (Some(kind), _) => Ok(Some(self.add(name, kind, at))),
        }
    }

    fn add(&mut self, name: &Name, kind: EntityType, at: Timestamp) -> Node {
        let node = Node::entity(self.next_entity);
        self.next_entity += 1;
        self.made += 1;
        self.position.insert(node, self.pending.len());
        self.pending.push(Entity {
            node,
            name: name.name.clone(),
            kind,
            aliases: vec![name.key.clone()],
            description: Vec::new(),
            first_seen: at,
            last_seen: at,
            deleted_at: None,
        });
        self.known.entry(name.key.clone()).or_default().push((node, kind));
        node
    }

    /// The entity as this batch leaves it, to be changed; `None` if the store lost it.
    fn changed(&mut self, node: Node) -> Result<Option<&mut Entity>> {
        let position = match self.position.get(&node) {
            Some(&position) => position,
            None => {
                let Some(entity) = self.read.entities(&[node])?.into_iter().next() else { return Ok(None) };
                self.position.insert(node, self.pending.len());
                self.pending.push(entity);
                self.pending.len() - 1
            }
        };
        Ok(self.pending.get_mut(position))
    }

    fn give_type(&mut self, node: Node, kind: EntityType) -> Result<()> {
        let Some(entity) = self.changed(node)? else { return Ok(()) };
        let old_id = entity.canonical_id();
        entity.kind = kind;
        if !entity.aliases.contains(&old_id) {
            entity.aliases.push(old_id);
        }
        for alias in entity.aliases.clone() {
            if let Some(entries) = self.known.get_mut(&alias) {
                entries.iter_mut().filter(|(n, _)| *n == node).for_each(|entry| entry.1 = kind);
            }
        }
        Ok(())
    }

    /// Entities newly made so far.
    pub fn made(&self) -> u32 {
        self.made
    }

    /// Whether this batch made the entity.
    pub fn is_new(&self, node: Node) -> bool {
        node.number() >= self.next_entity - self.made
    }

    /// The name and canonical id of an entity of this batch.
    pub fn pending(&self, node: Node) -> Option<&Entity> {
        self.position.get(&node).map(|&position| &self.pending[position])
    }

    /// Gives entities whose type is disputed the one that they were given most often.
    fn settle(&mut self) -> Result<()> {
        for node in std::mem::take(&mut self.disputed) {
            let mut votes = self.read.type_votes(node)?;
            let of_batch = self.votes.range((node, EntityType::ALL[0], false)..).take_while(|((n, ..), _)| *n == node);
            votes.extend(of_batch.map(|(&(_, kind, given), &times)| TypeVotes { kind, given, times }));
            let Some(entity) = self.changed(node)? else { continue };
            let kind = most_given_type(entity.kind, &summed(votes));
            let (present, id) = (entity.kind, canonical_id(kind, &entity.name));
            // Two live entities of one id could not be told apart.
            let is_free = self.read.find_nodes(&NodeName::Canonical(&id))?.iter().all(|other| *other == node)
                && self.pending.iter().all(|other| other.node == node || other.canonical_id() != id);
            if kind != present && is_free {
                self.give_type(node, kind)?;
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

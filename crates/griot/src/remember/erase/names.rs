//! The names of remaining entities after an erasure: those that only erased texts wrote are removed, and all
//! descriptions that erased texts may be part of.

use std::collections::BTreeSet;

use super::Work;
use crate::backend::{CATALOGUE_SIZE, Direction, Filter, NeighbourQuery, Read};
use crate::model::{EdgeKind, Entity, Node, Result, entity_key};
use crate::text::normal_name;

/// Number of texts that are searched for a name at once.
const LOOK: usize = 64;

impl Work {
    /// Removes the names of remaining entities that only erased texts wrote.
    pub fn respell(&mut self, read: &dyn Read) -> Result<()> {
        if self.memories.is_empty() {
            return Ok(());
        }
        let of_edges = self
            .edges
            .values()
            .filter(|edge| self.memories.contains_key(&edge.source))
            .map(|edge| edge.target);
        let mentioned: BTreeSet<Node> = of_edges
            .chain(self.ends_of_facts())
            .filter(|node| node.is_entity() && !self.entities.contains_key(node))
            .collect();
        let gone: Vec<(String, String)> =
            self.memories.values().map(|memory| (memory.text.clone(), normal_name(&memory.text))).collect();
        for entity in read.entities(&mentioned.into_iter().collect::<Vec<_>>())? {
            self.respell_one(read, &gone, &entity, &entity)?;
            // Texts that named what became part of the entity now mention the entity.
            for part in self.parts_of(read, entity.node)? {
                self.respell_one(read, &gone, &part, &entity)?;
            }
        }
        Ok(())
    }

    /// Removes the names of an entity that only erased texts wrote (given as written, and folded). Checks the
    /// texts that mention `living`, which is the entity itself or the one it became part of. A part without
    /// any name left is removed.
    fn respell_one(
        &mut self,
        read: &dyn Read,
        gone: &[(String, String)],
        entity: &Entity,
        living: &Entity,
    ) -> Result<()> {
        let mut doubtful: BTreeSet<&str> = BTreeSet::new();
        for (text, normal) in gone {
            doubtful
                .extend(entity.aliases.iter().map(String::as_str).filter(|alias| normal.contains(*alias)));
            doubtful.extend(Some(entity.name.as_str()).filter(|name| text.contains(*name)));
        }
        if doubtful.is_empty() && entity.description.is_empty() {
            return Ok(());
        }
        let (mut lost, spelling) = self.written_nowhere_else(read, living, doubtful)?;
        // A description is made of what the texts say together.
        lost.extend(entity.description.iter().cloned());
        if entity.node != living.node && lost.contains(&entity.name) {
            return self.take_all(read, vec![entity.node]);
        }
        // An entity whose only name would be removed keeps it: a caller gave it that name, not an erased
        // text.
        if let Rest::Changed(mut respelled) = without_names(entity, &lost, spelling.as_ref()) {
            let holders = read.key_holders(std::slice::from_ref(&respelled.key))?.concat();
            if holders.iter().any(|other| other.kind == entity.kind && other.node != entity.node) {
                // Another entity of the type already has the remaining name.
                respelled.key = format!("{} ({})", respelled.key, entity.node.number());
            }
            self.counts.spellings += lost.len() as u64;
            self.texts.extend(lost.iter().cloned());
            self.texts.insert(entity.canonical_id());
            self.respelled.push(respelled);
            self.lost.insert(entity.node, (lost, spelling));
        }
        Ok(())
    }

    /// The entities that became part of one, directly or through others.
    fn parts_of(&self, read: &dyn Read, node: Node) -> Result<Vec<Entity>> {
        let mut open = vec![node];
        let mut parts: BTreeSet<Node> = BTreeSet::new();
        while let Some(node) = open.pop() {
            for &part in self.merged_into.get(&node).into_iter().flatten() {
                if parts.insert(part) {
                    open.push(part);
                }
            }
        }
        read.entities(&parts.into_iter().collect::<Vec<_>>())
    }

    /// Of these names those that no remaining text about the entity writes, and the spelling of another of
    /// its names in such a text.
    fn written_nowhere_else(
        &self,
        read: &dyn Read,
        entity: &Entity,
        doubtful: BTreeSet<&str>,
    ) -> Result<(Vec<String>, Option<String>)> {
        let mut fan_out = [0; CATALOGUE_SIZE];
        fan_out[EdgeKind::Mentions as usize] = usize::MAX >> 1;
        let filter = Filter { superseded: true, ..Filter::default() };
        let ask = NeighbourQuery { direction: Direction::In, fan_out: &fan_out, filter: &filter };
        let arcs = read.neighbours(&[entity.node], &ask)?.pop().unwrap_or_default();
        let rest: Vec<Node> =
            arcs.iter().map(|arc| arc.to).filter(|node| !self.memories.contains_key(node)).collect();
        let mut doubtful = doubtful;
        let mut spelling = None;
        if doubtful.is_empty() {
            return Ok((Vec::new(), None));
        }
        for page in rest.chunks(LOOK) {
            for memory in read.memories(page)? {
                let normal = normal_name(&memory.text);
                if spelling.is_none() {
                    spelling = entity.aliases.iter().find_map(|alias| written_as(&memory.text, alias));
                }
                doubtful.retain(|name| !memory.text.contains(*name) && !normal.contains(*name));
            }
            if doubtful.is_empty() {
                break;
            }
        }
        Ok((doubtful.into_iter().map(str::to_owned).collect(), spelling))
    }
}

/// The spelling of a normalised name in a text, with its white space and case.
fn written_as(text: &str, alias: &str) -> Option<String> {
    let words = alias.split(' ').count();
    let starts = text
        .char_indices()
        .filter(|(at, _)| text[..*at].chars().next_back().is_none_or(|before| !before.is_alphanumeric()));
    for (start, _) in starts {
        let mut end = start;
        for _ in 0..words {
            let rest = &text[end..];
            let skipped = rest.len() - rest.trim_start().len();
            let word = rest[skipped..].find(char::is_whitespace).unwrap_or(rest.len() - skipped);
            end += skipped + word;
        }
        let written = text[start..end].trim_end_matches(|c: char| !c.is_alphanumeric());
        if normal_name(written) == alias {
            return Some(written.to_owned());
        }
    }
    None
}

/// The result of removing names.
pub enum Rest<T> {
    Same,
    Changed(T),
    /// No name is left.
    Nameless,
}

/// The entity without the lost names.
pub fn without_names(entity: &Entity, lost: &[String], spelling: Option<&String>) -> Rest<Entity> {
    let is_lost = |name: &String| lost.contains(name);
    let mut rest = entity.clone();
    // Former canonical ids also contain a lost name.
    let spells_lost = |spelled: &str| lost.iter().any(|lost| normal_name(lost) == normal_name(spelled));
    let is_id_of_lost =
        |alias: &String| alias.split_once(':').is_some_and(|(_, spelled)| spells_lost(spelled));
    rest.aliases.retain(|alias| !is_lost(alias) && !is_id_of_lost(alias));
    rest.description.retain(|fragment| !is_lost(fragment));
    if is_lost(&entity.name) || is_lost(&normal_name(&entity.name)) {
        let written = spelling.filter(|spelling| rest.is_called(spelling));
        let Some(name) = written.or_else(|| rest.aliases.iter().find(|alias| !alias.contains(':'))) else {
            return Rest::Nameless;
        };
        rest.name = name.clone();
        if is_lost(&entity.key) {
            rest.key = entity_key(entity.kind, &rest.name);
        }
    }
    if rest == *entity { Rest::Same } else { Rest::Changed(rest) }
}

//! From what a person types to a node: an id, a handle, a canonical id, a name or an alias.

use crate::backend::{NodeName, Read};
use crate::model::{Candidate, Entity, EntityType, Error, Memory, MemoryId, Node, Result};
use crate::recall::PathNode;
use crate::text;

/// Candidates that the sentence of an error names; all of them are part of it as data.
const SHOWN: usize = 5;
/// How much of a memory tells it from others, in characters.
const BEGINNING: usize = 80;

/// The one node that `name` means. Deleted memories are found by id and handle only, so that they can be restored.
pub(super) fn node(read: &dyn Read, name: &str) -> Result<Node> {
    let found = candidates(read, name.trim())?;
    match found.as_slice() {
        [node] => Ok(*node),
        [] => Err(Error::not_found(format!("find `{}`", name.trim()), "no memory and no entity has this name")
            .hint(format!("griot recall \"{}\"", name.trim().replace('"', "'")))),
        several => {
            let candidates = described(read, several)?;
            let mut names: Vec<String> = candidates.iter().take(SHOWN).map(|one| format!("`{}`", one.id)).collect();
            if candidates.len() > SHOWN {
                names.push(format!("{} more", candidates.len() - SHOWN));
            }
            Err(Error::invalid(format!("find `{}`", name.trim()), format!("it may mean {}", names.join(", ")))
                .hint("use one of these ids")
                .candidates(candidates))
        }
    }
}

/// The one memory that `name` means.
pub(super) fn memory(read: &dyn Read, name: &str) -> Result<Node> {
    let node = node(read, name)?;
    if node.is_memory() {
        return Ok(node);
    }
    Err(Error::not_found(format!("take `{}` for a memory", name.trim()), "it names an entity")
        .hint(format!("griot entity \"{}\"", name.trim())))
}

/// The one entity that `name` means.
pub(super) fn entity(read: &dyn Read, name: &str) -> Result<Node> {
    let node = node(read, name)?;
    if node.is_entity() {
        return Ok(node);
    }
    Err(Error::not_found(format!("take `{}` for an entity", name.trim()), "it names a memory")
        .hint(format!("griot show \"{}\"", name.trim())))
}

fn candidates(read: &dyn Read, name: &str) -> Result<Vec<Node>> {
    if name.is_empty() {
        return Ok(Vec::new());
    }
    if let Some(id) = MemoryId::parse(name) {
        return read.find_nodes(&NodeName::Id(id));
    }
    if name.starts_with('#') {
        return read.find_nodes(&NodeName::Handle(name));
    }
    if let Some(canonical) = canonical(name) {
        let found = read.find_nodes(&NodeName::Canonical(canonical))?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    let found = read.find_nodes(&NodeName::Entity(&text::normal_name(name)))?;
    if !found.is_empty() {
        return Ok(found);
    }
    // Another way to write a known name (`k8s`) may never have been written in a memory.
    if let [mention] = text::entities(name).as_slice() {
        let found = read.find_nodes(&NodeName::Entity(&text::normal_name(&mention.name)))?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    let is_bare_handle = name.len() >= 4 && name.chars().all(|c| c.is_ascii_hexdigit());
    if is_bare_handle { read.find_nodes(&NodeName::Handle(name)) } else { Ok(Vec::new()) }
}

/// `type:slug`, also out of `workspace:type:slug`.
fn canonical(name: &str) -> Option<&str> {
    let is_type = |part: &str| EntityType::parse(part).is_some();
    let (first, rest) = name.split_once(':')?;
    if is_type(first) {
        return Some(name);
    }
    rest.split_once(':').filter(|(second, _)| is_type(second)).map(|_| rest)
}

fn described(read: &dyn Read, nodes: &[Node]) -> Result<Vec<Candidate>> {
    let entities = read.entities(nodes)?;
    let memories = read.memories(nodes)?;
    let entity = |entity: &Entity| Candidate { id: entity.canonical_id(), name: entity.name.clone() };
    let memory = |memory: &Memory| Candidate {
        id: memory.handle.to_string(),
        name: memory.text.chars().take(BEGINNING).collect::<String>(),
    };
    Ok(entities.iter().map(entity).chain(memories.iter().map(memory)).collect())
}

pub(super) fn path_node(read: &dyn Read, node: Node) -> Result<PathNode> {
    if let Some(memory) = read.memories(&[node])?.first() {
        return Ok(PathNode::of_memory(memory));
    }
    match read.entities(&[node])?.first() {
        Some(entity) => Ok(PathNode::of_entity(entity)),
        None => Err(Error::corrupt(format!("read node {node:?}"), "an edge leads to it, but it has no row")),
    }
}

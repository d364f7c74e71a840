//! Resolves what a person types to a node: an id, a handle, a canonical id, a name or an alias.

use std::collections::HashSet;

use crate::backend::{NodeName, Read, Wanted, pages};
use crate::model::{
    Candidate, Entity, EntityType, Error, Handle, Memory, MemoryId, Node, Result, SourceId, canonical_id,
    entity_key, split_canonical_id,
};
use crate::text;

/// Number of candidates in the text of an error; its data contains all of them.
const SHOWN: usize = 5;
/// Number of characters of a memory that identify it to a person.
const BEGINNING: usize = 80;
/// Names to suggest for one that was mistyped.
const OFFERED: usize = 3;
/// Similarity (Jaro-Winkler) from which a name is suggested, and the least ratio of the two lengths: a common
/// beginning makes a short name look like any long one.
const ALIKE: f64 = 0.85;
const AS_LONG: f64 = 0.6;
/// Entities that are compared with a mistyped name, so that an error stays quick in a large workspace.
const LOOKED_AT: usize = 20_000;

/// An entity that a mistyped name may mean.
#[derive(Clone, PartialEq, Debug)]
pub struct SimilarName {
    /// How similar its form is, 0 to 1.
    pub similarity: f64,
    /// The name or the alias that is similar.
    pub form: String,
    pub entity: Entity,
}

/// The one node that `name` means. Deleted memories are found by id and handle only, so that they can be
/// restored; an entity without a live reference is not found.
pub fn node(read: &dyn Read, name: &str) -> Result<Node> {
    if name.trim().is_empty() {
        return Err(Error::not_found("find a memory or an entity", "the name is empty"));
    }
    let mut found = candidates(read, name.trim())?;
    let live = read.live(&found)?;
    let mut live = live.into_iter();
    found.retain(|node| live.next() == Some(true) || node.is_memory());
    match found.as_slice() {
        [node] => Ok(*node),
        [] => {
            let error =
                Error::not_found(format!("find `{}`", name.trim()), "no memory and no entity has this name");
            let near = nearly(read, name.trim())?;
            Err(error.hint(match near.split_last() {
                // A memory is not found by the id that it does not have.
                None if name.trim().starts_with('#') => {
                    "griot recall finds a memory by its words".to_string()
                }
                None => format!("griot recall \"{}\"", name.trim().replace('"', "'")),
                Some((last, [])) => format!("did you mean `{last}`?"),
                Some((last, others)) => format!("did you mean `{}` or `{last}`?", others.join("`, `")),
            }))
        }
        several => {
            let candidates = described(read, several)?;
            let mut names: Vec<String> = candidates.iter().take(SHOWN).map(describe).collect();
            if candidates.len() > SHOWN {
                names.push(format!("{} more", candidates.len() - SHOWN));
            }
            Err(Error::invalid(
                format!("find `{}`", name.trim()),
                format!("it may mean {}", names.join(", ")),
            )
            .hint("use one of these ids")
            .candidates(candidates))
        }
    }
}

/// What a mistyped name may mean, best first: memories whose handle differs in one
/// character, entities with a similar name, else those whose name contains what was typed.
fn nearly(read: &dyn Read, name: &str) -> Result<Vec<String>> {
    let handle = name.strip_prefix('#').unwrap_or(name).to_ascii_lowercase();
    if handle.len().abs_diff(Handle::DIGITS) <= 1 && handle.chars().all(|c| c.is_ascii_hexdigit()) {
        let forms: Vec<String> = one_off(&handle).into_iter().map(|form| format!("#{form}")).collect();
        let names: Vec<NodeName<'_>> = forms.iter().map(|form| NodeName::Handle(form)).collect();
        let mut nodes: Vec<Node> = read.find(&names)?.concat().into_iter().map(|found| found.node).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes.truncate(OFFERED);
        if !nodes.is_empty() {
            return Ok(read.memories(&nodes)?.iter().map(|memory| memory.handle.to_string()).collect());
        }
    }
    let mut near: Vec<String> = alike(read, name)?.into_iter().map(|similar| similar.entity.name).collect();
    let typed = typed_name(name);
    if near.is_empty() && !typed.is_empty() {
        let nodes = read.search_entities(&typed, None, OFFERED)?;
        near = read.entities(&nodes)?.into_iter().map(|entity| entity.name).collect();
    }
    near.dedup();
    near.truncate(OFFERED);
    Ok(near)
}

/// The name in what was typed, in normal form.
fn typed_name(name: &str) -> String {
    text::normal_name(split_canonical_id(name).map_or(name, |(_, key)| key))
}

/// The live entities with a name or an alias that is nearly what was typed, the most similar first.
pub fn alike(read: &dyn Read, name: &str) -> Result<Vec<SimilarName>> {
    let typed = typed_name(name);
    let similarity = |form: &str| {
        let (one, other) = (typed.chars().count() as f64, form.chars().count() as f64);
        let is_as_long = one.min(other) >= AS_LONG * one.max(other);
        if is_as_long { strsim::jaro_winkler(&typed, form) } else { 0.0 }
    };
    let mut near = Vec::new();
    let mut looked_at = 0;
    for page in pages::<Entity>(read) {
        let page = page?;
        let live = read.live(&page.iter().map(|entity| entity.node).collect::<Vec<_>>())?;
        looked_at += page.len();
        for (entity, live) in page.into_iter().zip(live) {
            let forms = [&entity.name].into_iter().chain(&entity.aliases);
            let forms = forms.map(|form| (similarity(&text::normal_name(form)), form));
            let best = forms.reduce(|best, form| if form.0 > best.0 { form } else { best });
            if let Some((similarity, form)) = best.filter(|(similarity, _)| live && *similarity >= ALIKE) {
                near.push(SimilarName { similarity, form: form.clone(), entity });
            }
        }
        if looked_at >= LOOKED_AT {
            break;
        }
    }
    near.sort_by(|a, b| b.similarity.total_cmp(&a.similarity));
    Ok(near)
}

/// Handles that differ from this one in a digit, in the order of two digits, or in a digit too many.
fn one_off(handle: &str) -> Vec<String> {
    let digits: Vec<char> = handle.chars().collect();
    let mut forms = Vec::new();
    for at in 0..digits.len() {
        let mut form = digits.clone();
        form.remove(at);
        forms.push(form);
        if at > 0 {
            let mut form = digits.clone();
            form.swap(at - 1, at);
            forms.push(form);
        }
        for digit in "0123456789abcdef".chars().filter(|digit| *digit != digits[at]) {
            let mut form = digits.clone();
            form[at] = digit;
            forms.push(form);
        }
    }
    forms.retain(|form| form.len() >= Handle::DIGITS);
    forms.into_iter().map(String::from_iter).collect()
}

/// The one memory that `name` means.
pub fn memory(read: &dyn Read, name: &str) -> Result<Node> {
    let node = node(read, name)?;
    if node.is_memory() {
        return Ok(node);
    }
    Err(Error::not_found(format!("use `{}` as a memory", name.trim()), "it names an entity")
        .hint(format!("griot entity \"{}\"", name.trim())))
}

/// The one entity that `name` means.
pub fn entity(read: &dyn Read, name: &str) -> Result<Node> {
    let node = node(read, name)?;
    if node.is_entity() {
        return Ok(node);
    }
    Err(Error::not_found(format!("use `{}` as an entity", name.trim()), "it names a memory")
        .hint(format!("griot show \"{}\"", name.trim())))
}

/// A source by its number, or by its origin if that is unique.
pub fn source(read: &dyn Read, name: &str) -> Result<SourceId> {
    let name = name.trim();
    if let Some(id) = SourceId::parse(name)
        && read.source(id)?.is_some()
    {
        return Ok(id);
    }
    let mut found = read.sources()?.into_iter().filter(|source| source.origin == name);
    let what = format!("find source `{name}`");
    match (found.next(), found.next()) {
        (Some(one), None) => Ok(one.id),
        (None, _) => Err(Error::not_found(what, "there is no such source").hint("griot sources")),
        _ => Err(Error::invalid(what, "several sources have this origin").hint("griot sources")),
    }
}

/// The shortest handle for a new memory that neither the store nor this batch has.
pub fn new_handle(read: &dyn Read, taken: &mut HashSet<Handle>, id: MemoryId) -> Result<Handle> {
    let mut handle = read.free_handle(id)?;
    while taken.contains(&handle) {
        handle = id.handle(handle.0.len());
    }
    taken.insert(handle.clone());
    Ok(handle)
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
    if let Some((kind, name)) = split_canonical_id(name) {
        let found = of_type(read, kind, name)?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    for name in [Some(name), text::bare_name(name)].into_iter().flatten() {
        let found = called(read, name)?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    // Another form of a known name (`k8s`) may never have been written in a memory. A name that is only a
    // part of the input means something else.
    if let [mention] = text::entities(name).as_slice()
        && mention.bytes == (0..name.len())
    {
        let found = called(read, &mention.name)?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    let is_bare_handle = name.len() >= 4 && name.chars().all(|c| c.is_ascii_hexdigit());
    if is_bare_handle { read.find_nodes(&NodeName::Handle(name)) } else { Ok(Vec::new()) }
}

/// The entity with this id, now or formerly; else those of the type with this name.
fn of_type(read: &dyn Read, kind: EntityType, name: &str) -> Result<Vec<Node>> {
    let written = format!("{}:{name}", kind.name());
    let folded = canonical_id(kind, &entity_key(kind, name));
    for id in [written, folded] {
        let found = read.find_nodes(&NodeName::Canonical(&id))?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    let carriers = read.find_entities(&[text::normal_name(name)])?.concat();
    best_spelled(read, carriers.into_iter().filter(|(_, of)| *of == kind).collect(), name)
}

/// The entities with this name.
fn called(read: &dyn Read, name: &str) -> Result<Vec<Node>> {
    let carriers = read.find_entities(&[text::normal_name(name)])?.concat();
    best_spelled(read, carriers, name)
}

/// Drops entities of spelled types whose name differs in spelling, unless no other is left: a name in another
/// case is good enough to find something, but not to confuse two things.
fn best_spelled(read: &dyn Read, carriers: Vec<(Node, EntityType)>, name: &str) -> Result<Vec<Node>> {
    let spelled: Vec<Node> =
        carriers.iter().filter(|(_, kind)| kind.is_spelled()).map(|(node, _)| *node).collect();
    let rows = read.entities(&spelled)?;
    let is_exact = |node: Node| rows.iter().any(|entity| entity.node == node && entity.is_spelled_so(name));
    let is_best = |&&(node, kind): &&(Node, EntityType)| !kind.is_spelled() || is_exact(node);
    let best: Vec<Node> = carriers.iter().filter(is_best).map(|(node, _)| *node).collect();
    Ok(if best.is_empty() { carriers.into_iter().map(|(node, _)| node).collect() } else { best })
}

/// Id, type and name; for a memory the handle and its beginning.
fn describe(one: &Candidate) -> String {
    match one.kind {
        Some(kind) => format!("`{}` ({} \"{}\")", one.id, kind.name(), one.name),
        None => format!("`{}` (\"{}\")", one.id, text::excerpt(&one.name, 40)),
    }
}

fn described(read: &dyn Read, nodes: &[Node]) -> Result<Vec<Candidate>> {
    let found = read.fetch(&Wanted { nodes, ..Wanted::default() })?;
    let entity = |entity: &Entity| Candidate {
        id: entity.canonical_id(),
        name: entity.name.clone(),
        kind: Some(entity.kind),
    };
    let memory = |memory: &Memory| Candidate {
        id: memory.handle.to_string(),
        name: memory.text.chars().take(BEGINNING).collect::<String>(),
        kind: None,
    };
    Ok(found.entities.iter().map(entity).chain(found.memories.iter().map(memory)).collect())
}

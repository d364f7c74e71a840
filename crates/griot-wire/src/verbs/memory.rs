//! Showing, hiding and restoring a memory; showing an edge.

use griot::engine::edge_number;
use griot::model::{self, Error, ErrorKind, Handle, SourceId, SourceType};
use schemars::JsonSchema;
use serde::Serialize;

use super::source;
use crate::call::{Call, Role};
use crate::citation::Sources;
use crate::failure::Outcome;
use crate::request::Named;
use crate::{Edge, EntityView, Forgotten, Memory, Offer, SourceContent};

pub fn show(call: &Call, q: Named) -> Outcome<Memory> {
    cited(call, Memory::from(&call.engine.show(&q.name)?))
}

fn cited(call: &Call, mut memory: Memory) -> Outcome<Memory> {
    let shown = std::iter::once((memory.id.as_str(), memory.kind.as_str()));
    let mut sources = Sources::of(&call.engine, shown)?;
    sources.of_memory(&mut memory)?;
    Ok(memory)
}

pub fn edge(call: &Call, q: Named) -> Outcome<Edge> {
    Ok(Edge::from(&call.engine.edge(&q.name)?))
}

/// What `e4` or `a1b2c3` names.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Shown {
    Memory(Memory),
    Edge(Edge),
}

/// A memory, or the edge of this number. A whole handle may look like one (`e48631`): its memory goes first.
pub fn shown(call: &Call, q: Named) -> Outcome<Shown> {
    if edge_number(&q.name).is_none() {
        return Ok(Shown::Memory(show(call, q)?));
    }
    if q.name.trim().len() >= Handle::DIGITS {
        match call.engine.show(&q.name) {
            Err(error) if error.kind == ErrorKind::NotFound => {}
            found => return Ok(Shown::Memory(cited(call, Memory::from(&found?))?)),
        }
    }
    Ok(Shown::Edge(edge(call, q)?))
}

/// Handles of the memories that this one replaced itself.
pub fn replaced_by(call: &Call, memory: &Memory) -> Outcome<Vec<String>> {
    Ok(call.engine.replaced_by(&memory.id)?.iter().map(ToString::to_string).collect())
}

pub fn forget(call: &Call, q: Named) -> Outcome<Forgotten> {
    call.own_memory("forget", &q.name)?;
    let done = call.engine.forget(&q.name).or_else(|error| match source_called(call, &q.name) {
        Some(source) if error.kind == ErrorKind::NotFound => call.engine.forget(&source),
        _ => Err(error),
    });
    Ok(Forgotten::from(&done?))
}

pub fn restore(call: &Call, q: Named) -> Outcome<Forgotten> {
    call.own_memory("restore", &q.name)?;
    if call.engine.is_suggestion(&q.name)? {
        call.needs(Role::Admin, "reopen a suggestion")?;
    }
    let live = call.engine.entity(&q.name, 1, 1).map(|view| view.entity.canonical_id()).ok();
    let restored = call.engine.restore(&q.name).map(|done| Forgotten::from(&done));
    // An entity that is found was not forgotten.
    let is_nothing =
        |done: &Forgotten| live.is_some_and(|id| done.memories.is_empty() && done.entities == [id]);
    let found = match restored {
        Ok(done) if !is_nothing(&done) => return Ok(done),
        Ok(_) => Ok(Forgotten::default()),
        Err(error) => Err(error),
    };
    match source_called(call, &q.name) {
        Some(source) => Ok(Forgotten::from(&call.engine.restore(&source)?)),
        None => Ok(found?),
    }
}

/// The id of the source that a path or an address means; a caller bound to a user names sources by id, and
/// what an agent remembered has no path.
fn source_called(call: &Call, name: &str) -> Option<String> {
    if call.bound.is_some() || !name.contains(['/', '\\']) {
        return None;
    }
    let id = crate::request::source(&call.engine, name).ok()?;
    let source = call.engine.read().ok()?.source(id).ok()??;
    (source.kind != SourceType::Agent).then(|| id.to_string())
}

/// The answer to `inspect`: exactly one field is set.
#[derive(Clone, PartialEq, Debug, Default, Serialize, JsonSchema)]
pub struct Inspected {
    /// The memory, if the name denotes one.
    pub memory: Option<Memory>,
    /// The entity, if the name denotes one.
    pub entity: Option<EntityView>,
    /// The edge, if the name is an edge id.
    pub edge: Option<Edge>,
    /// The source and its memories, if the name is the id of a source.
    pub source: Option<SourceContent>,
    /// The offer, if the name is the id of one.
    pub offer: Option<Offer>,
}

pub fn inspect(call: &Call, q: Named) -> Outcome<Inspected> {
    let nothing = Inspected::default();
    match call.engine.entity(&q.name, 1, 10) {
        Ok(view) => return Ok(Inspected { entity: Some((&view).into()), ..nothing }),
        Err(error) if error.kind == ErrorKind::NotFound || edge_number(&q.name).is_some() => {}
        Err(error) => return Err(error.into()),
    }
    let name = q.name.trim();
    if model::Offer::number_of(name).is_some() {
        let offers = call.engine.offers(Some(name), true, &call.scope, 1)?;
        let Some(offer) = offers.first() else {
            return Err(Error::not_found(format!("find `{name}`"), "there is no such offer").into());
        };
        return Ok(Inspected { offer: Some(offer.into()), ..nothing });
    }
    if SourceId::parse(name).is_some() {
        return Ok(Inspected { source: Some(source::content(call, q)?), ..nothing });
    }
    Ok(match shown(call, q)? {
        Shown::Memory(memory) => Inspected { memory: Some(memory), ..nothing },
        Shown::Edge(edge) => Inspected { edge: Some(edge), ..nothing },
    })
}

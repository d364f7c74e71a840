//! Showing, hiding and restoring a memory; showing an edge.

use griot::engine::edge_number;
use griot::model::{Error, ErrorKind, Handle};
use schemars::JsonSchema;
use serde::Serialize;

use crate::call::{Call, Role};
use crate::citation::Sources;
use crate::failure::Outcome;
use crate::request::Named;
use crate::{Edge, EntityView, Forgotten, Memory};

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
    Ok(Forgotten::from(&call.engine.forget(&q.name)?))
}

pub fn restore(call: &Call, q: Named) -> Outcome<Forgotten> {
    call.own_memory("restore", &q.name)?;
    if call.engine.is_suggestion(&q.name)? {
        call.needs(Role::Admin, "reopen a suggestion")?;
    }
    let live = call.engine.entity(&q.name, 1, 1).map(|view| view.entity.canonical_id()).ok();
    let restored = Forgotten::from(&call.engine.restore(&q.name)?);
    // An entity that is found was not forgotten.
    let is_nothing = live.is_some_and(|id| restored.memories.is_empty() && restored.entities == [id]);
    Ok(if is_nothing { Forgotten::default() } else { restored })
}

/// The answer to `inspect`: exactly one field is set.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Inspected {
    /// The memory, if the name denotes one.
    pub memory: Option<Memory>,
    /// The entity, if the name denotes one.
    pub entity: Option<EntityView>,
    /// The edge, if the name is an edge id.
    pub edge: Option<Edge>,
}

pub fn inspect(call: &Call, q: Named) -> Outcome<Inspected> {
    let names_memory = |error: &Error| error.kind == ErrorKind::NotFound && error.why.contains("a memory");
    match call.engine.entity(&q.name, 1, 10) {
        Ok(view) => Ok(Inspected { memory: None, entity: Some((&view).into()), edge: None }),
        Err(error) if names_memory(&error) || edge_number(&q.name).is_some() => Ok(match shown(call, q)? {
            Shown::Memory(memory) => Inspected { memory: Some(memory), entity: None, edge: None },
            Shown::Edge(edge) => Inspected { memory: None, entity: None, edge: Some(edge) },
        }),
        Err(error) => Err(error.into()),
    }
}

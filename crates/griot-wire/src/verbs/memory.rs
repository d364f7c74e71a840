//! Showing, hiding and restoring a memory; showing an edge.

use griot::model::ErrorKind;
use schemars::JsonSchema;
use serde::Serialize;

use crate::call::Call;
use crate::failure::Outcome;
use crate::request::Named;
use crate::{Edge, EntityView, Forgotten, Memory};

pub fn show(call: &Call, q: Named) -> Outcome<Memory> {
    Ok(Memory::from(&call.engine.show(&q.name)?))
}

pub fn edge(call: &Call, q: Named) -> Outcome<Edge> {
    Ok(Edge::from(&call.engine.edge(&q.name)?))
}

pub fn forget(call: &Call, q: Named) -> Outcome<Forgotten> {
    call.own_memory("forget", &q.name)?;
    Ok(Forgotten::from(&call.engine.forget(&q.name)?))
}

pub fn restore(call: &Call, q: Named) -> Outcome<Forgotten> {
    call.own_memory("restore", &q.name)?;
    Ok(Forgotten::from(&call.engine.restore(&q.name)?))
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
    match call.engine.entity(&q.name, 1, 10) {
        Ok(view) => Ok(Inspected { memory: None, entity: Some((&view).into()), edge: None }),
        Err(error) if error.kind == ErrorKind::NotFound && error.why.contains("a memory") => {
            Ok(Inspected { memory: Some(show(call, q)?), entity: None, edge: None })
        }
        Err(_) if griot::engine::edge_number(&q.name).is_some() => {
            Ok(Inspected { memory: None, entity: None, edge: Some(edge(call, q)?) })
        }
        Err(error) => Err(error.into()),
    }
}

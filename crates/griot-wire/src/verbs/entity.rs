//! Entities: one in full, or a list by name or number of edges.

use super::MOST;
use crate::call::Call;
use crate::failure::Outcome;
use crate::request::{entity_type, layers, usual, within};
use crate::{EntityView, Hub};

requests! {
    /// Show everything known about an entity.
    Entity above min_confidence as_of now {
        /// Canonical id (`tool:redis`), name or alias.
        name: String,
        /// Depth of its neighbourhood in steps, 1 to 3.
        #[schemars(range(min = 1, max = 3))]
        #[arg(long, default_value_t = 1)]
        hops [default = "usual::<1>"]: usize,
        /// Maximum number of mentions and of neighbours.
        #[schemars(range(min = 1, max = 1000))]
        #[arg(long, short = 'n', value_name = "COUNT", default_value_t = 10)]
        limit [default = "usual::<10>"]: usize,
    }

    /// List the best connected entities.
    Hubs {
        /// Only of this type, such as `tool`.
        #[schemars(schema_with = "crate::request::forms::entity_type")]
        r#type [default]: Option<String>,
        /// Only of these layers: `code`, `execution`, `knowledge`, `project`.
        #[schemars(schema_with = "crate::request::forms::node_layers")]
        layers [default]: Vec<String>,
        /// Maximum number of results.
        #[schemars(range(min = 1, max = 1000))]
        limit [default = "usual::<10>"]: usize,
    }

    /// List the best connected entities, or those whose name contains a string.
    Entities {
        /// Part of a name.
        search [default]: Option<String>,
        /// Only of this type, such as `tool`.
        #[schemars(schema_with = "crate::request::forms::entity_type")]
        r#type [default]: Option<String>,
        /// Only of this layer: `code`, `execution`, `knowledge` or `project`.
        #[schemars(schema_with = "crate::request::forms::layer")]
        layer [default]: Option<String>,
        /// Maximum number of results.
        #[schemars(range(min = 1, max = 1000))]
        limit [default = "usual::<20>"]: usize,
    }
}

impl Entity {
    /// An entity with its direct neighbours.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            hops: 1,
            limit: 10,
            min_confidence: None,
            now: None,
            user: None,
            project: None,
            scope: None,
        }
    }
}

pub fn entity(call: &Call, q: Entity) -> Outcome<EntityView> {
    within("hops", q.hops, 1, 3)?;
    call.bounded("the limit", q.limit, 1, MOST)?;
    let engine = call.asking(q.min_confidence, q.now.as_deref())?;
    Ok(EntityView::from(&engine.entity(&q.name, q.hops, q.limit)?))
}

pub fn entities(call: &Call, q: Entities) -> Outcome<Vec<Hub>> {
    call.bounded("the limit", q.limit, 1, MOST)?;
    let among: Vec<String> = q.layer.into_iter().collect();
    match q.search.as_deref().map(str::trim).filter(|part| !part.is_empty()) {
        None => hubs(call, q.r#type.as_deref(), &among, q.limit),
        Some(part) => {
            let kind = q.r#type.as_deref().map(entity_type).transpose()?;
            let found = call.engine.entities_named(part, kind, &layers(&among)?, q.limit)?;
            let nodes: Vec<_> = found.iter().map(|entity| entity.node).collect();
            let degrees = call.engine.read()?.degrees(&nodes, Some(call.engine.now()))?;
            let hubs = found.iter().zip(degrees);
            Ok(hubs.map(|(entity, degree)| Hub { entity: entity.into(), degree }).collect())
        }
    }
}

/// Number of entities that have edges, beyond the limit as well.
pub fn hub_count(call: &Call, kind: Option<&str>, among: &[String]) -> Outcome<usize> {
    let kind = kind.map(entity_type).transpose()?;
    Ok(call.engine.entity_count(None, kind, &layers(among)?)?)
}

pub fn best_connected(call: &Call, q: Hubs) -> Outcome<Vec<Hub>> {
    call.bounded("the limit", q.limit, 1, MOST)?;
    hubs(call, q.r#type.as_deref(), &q.layers, q.limit)
}

/// The best connected entities.
pub fn hubs(call: &Call, kind: Option<&str>, among: &[String], limit: usize) -> Outcome<Vec<Hub>> {
    let kind = kind.map(entity_type).transpose()?;
    Ok(call.engine.hubs(kind, &layers(among)?, limit)?.iter().map(Hub::from).collect())
}

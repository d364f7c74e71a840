//! Verbs restricted to some layers of the graph.

use super::{Engine, Hub, HubQuery, Related};
use crate::model::{Entity, EntityType, Family, Layer, Result};

/// Number of nodes that are searched for those of a layer.
const LOOKED_AT: usize = 1000;

impl Engine {
    /// The same as [`Engine::related`], for nodes of these layers only (empty: all). Their paths may cross
    /// other layers: the connection of two layers is often the question.
    pub fn related_in(
        &self,
        name: &str,
        depth: usize,
        families: &[Family],
        layers: &[Layer],
        limit: usize,
    ) -> Result<Vec<Related>> {
        if layers.is_empty() {
            return self.related(name, depth, families, limit);
        }
        let mut found = self.related(name, depth, families, LOOKED_AT.max(limit))?;
        found.retain(|related| layers.contains(&related.node.layer()));
        found.truncate(limit);
        Ok(found)
    }

    /// The same as [`Engine::hubs`], for entities of these layers only (empty: all).
    pub fn hubs_in(&self, kind: Option<EntityType>, layers: &[Layer], limit: usize) -> Result<Vec<Hub>> {
        if layers.is_empty() {
            return self.hubs(HubQuery { kind, limit });
        }
        let mut found = Vec::new();
        for kind in types_in(kind, layers) {
            found.extend(self.hubs(HubQuery { kind: Some(kind), limit })?);
        }
        found.sort_by(|a, b| b.degree.cmp(&a.degree).then(a.entity.node.cmp(&b.entity.node)));
        found.truncate(limit);
        Ok(found)
    }

    /// The same as [`Engine::entities_named`], for entities of these layers only (empty: all).
    pub fn entities_named_in(
        &self,
        part: &str,
        kind: Option<EntityType>,
        layers: &[Layer],
        limit: usize,
    ) -> Result<Vec<Entity>> {
        if layers.is_empty() {
            return self.entities_named(part, kind, limit);
        }
        let mut found = self.entities_named(part, kind, LOOKED_AT.max(limit))?;
        found.retain(|entity| layers.contains(&Layer::of_entity(entity.kind)));
        found.truncate(limit);
        Ok(found)
    }
}

fn types_in(kind: Option<EntityType>, layers: &[Layer]) -> impl Iterator<Item = EntityType> + '_ {
    let types = EntityType::ALL.iter().copied();
    types.filter(move |one| kind.is_none_or(|kind| kind == *one) && layers.contains(&Layer::of_entity(*one)))
}

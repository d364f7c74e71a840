//! A store as it would be without a single edge: what the baseline is answered from when edges cannot be read
//! (invariant 9).

use std::ops::Deref;

use super::{Arc, NeighbourQuery, Read};
use crate::model::{Node, Result, Revision, Timestamp};

/// Everything but edges.
pub struct Arcless<'a>(View<'a>);

/// Its own methods come before those of the store that it stands for.
struct View<'a>(&'a dyn Read);

impl<'a> Arcless<'a> {
    pub fn new(store: &'a dyn Read) -> Self {
        Self(View(store))
    }

    fn view<T>(&self, act: impl FnOnce(&View<'a>) -> T) -> Result<T> {
        Ok(act(&self.0))
    }

    fn revision_of_view(&self) -> Revision {
        self.0.revision()
    }
}

impl<'a> Deref for View<'a> {
    type Target = dyn Read + 'a;

    fn deref(&self) -> &Self::Target {
        self.0
    }
}

impl View<'_> {
    fn neighbours(&self, frontier: &[Node], _: &NeighbourQuery<'_>) -> Result<Vec<Vec<Arc>>> {
        Ok(vec![Vec::new(); frontier.len()])
    }

    fn degrees(&self, nodes: &[Node], _: Option<Timestamp>) -> Result<Vec<u32>> {
        Ok(vec![0; nodes.len()])
    }
}

answer_by_view!(Arcless<'_>);

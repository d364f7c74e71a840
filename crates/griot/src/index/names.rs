//! The vectors of entities' names, dense by entity number: which entity is a text about that names none?
//!
//! They are made by one function of [`IndexConfig`](super::IndexConfig), whatever embedder the memories have,
//! so that they are derived from the rows alone and cost no request.

use std::io;

use super::IndexConfig;
use super::map::{Section, Sections};
use super::snapshot::Writer;
use super::vectors::{COMPARED, Vectors};
use crate::model::StoredVector;

#[derive(Default)]
pub(super) struct Names {
    vectors: Vectors,
}

impl Names {
    pub(super) const SECTIONS: usize = Vectors::SECTIONS + 1;

    /// `entities` is one past the highest number.
    pub(super) fn open(sections: &mut Sections) -> Option<Self> {
        let shape: Section<u64> = sections.next()?;
        let (dimensions, entities) = (shape.get(0)?, shape.get(1)?);
        Some(Self { vectors: Vectors::open(sections, dimensions, usize::try_from(entities).ok()?)? })
    }

    pub(super) fn write(&self, writer: &mut Writer) -> io::Result<()> {
        let entities = self.vectors.rows();
        writer.section(&[self.vectors.dimensions() as u64, entities as u64])?;
        self.vectors.write(writer, entities, entities as u64)
    }

    /// Sets the name of an entity; `None` leaves no trace of it.
    pub(super) fn set(&mut self, entity: u32, name: Option<&str>, config: &IndexConfig) {
        match name.and_then(config.namer) {
            Some(StoredVector { values, scale, .. }) => {
                if self.vectors.dimensions() == 0 {
                    self.vectors = Vectors::new(values.len());
                }
                if values.len() == self.vectors.dimensions() {
                    self.vectors.set(entity, &values, scale);
                }
            }
            None if self.of(entity).is_some() => {
                self.vectors.set(entity, &vec![0; self.vectors.dimensions()], 0.0);
            }
            None => {}
        }
    }

    pub(super) fn of(&self, entity: u32) -> Option<(&[i8], f32)> {
        self.vectors.get(entity).filter(|(_, scale)| *scale > 0.0)
    }

    /// See [`Index::named_like`](super::Index::named_like).
    pub(super) fn nearest(
        &self,
        vector: &[f32],
        limit: usize,
        sees: &(dyn Fn(u32) -> bool + Sync),
    ) -> Vec<(u32, f32)> {
        let is_seen = |entity: u32| self.of(entity).is_some() && sees(entity);
        self.vectors.nearest(vector, limit, limit.saturating_mul(COMPARED), None, &is_seen)
    }
}

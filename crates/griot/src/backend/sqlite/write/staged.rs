//! Vectors in the making (`next_vector`), and their change into the store's own.

use crate::backend::sqlite::tables::Tables;
use crate::model::{Error, Node, Result, StagedVector, StoredVector};

use super::Writer;

impl Writer<'_, '_> {
    pub(super) fn stage_vectors(&mut self, model: &str, vectors: &[StagedVector]) -> Result<()> {
        let known = self.tables.run("read", || self.tables.staged_length(model))?;
        let lengths = vectors.iter().filter_map(|(_, vector)| Some(vector.as_ref()?.values.len()));
        if let Some((expected, found)) = differing(known.into_iter().chain(lengths)) {
            let what = format!("write a vector of {model} to {}", self.tables.path().display());
            return Err(Error::invalid(
                what,
                format!("it has {found} dimensions, those before had {expected}"),
            ));
        }
        self.tables.run("write to", || {
            vectors.iter().try_for_each(|(memory, vector)| {
                self.tables.put_staged(model, *memory, vector.as_ref()).map(drop)
            })
        })
    }

    pub(super) fn take_staged(&mut self, model: &str) -> Result<()> {
        let tables = self.tables;
        let length = tables.run("read", || tables.staged_length(model))?;
        let is_same = self.model.as_ref().is_some_and(|(name, _)| name == model);
        match length {
            Some(length) => self.expect_model(model, length)?,
            None if is_same => {}
            None => {
                let any: Option<u32> =
                    tables.run("read", || tables.one("SELECT 1 FROM vector LIMIT 1", []))?;
                if any.is_some() {
                    let why = format!("no text has a vector of `{model}`");
                    return Err(Error::invalid(format!("change to the vectors of `{model}`"), why));
                }
                self.model = None;
                tables.run("write to", || {
                    tables.execute("DELETE FROM meta WHERE key IN ('model', 'dimensions')", [])
                })?;
            }
        }
        let taken: Vec<u32> = tables.run("write to", || {
            let number = tables.intern(Some(model))?;
            let taken = tables.all(
                "INSERT OR REPLACE INTO vector (memory, model, scale, data)
                 SELECT memory, model, scale, data FROM next_vector WHERE model = ?1 AND data IS NOT NULL
                 AND memory IN (SELECT number FROM memory) RETURNING memory",
                [number],
            )?;
            tables.execute("DELETE FROM next_vector", [])?;
            Ok(taken)
        })?;
        self.changed.extend(taken);
        Ok(())
    }
}

/// The first two lengths that are not the same.
fn differing(mut lengths: impl Iterator<Item = usize>) -> Option<(usize, usize)> {
    let first = lengths.next()?;
    lengths.find(|length| *length != first).map(|other| (first, other))
}

impl Tables {
    /// The length of the staged vectors of a model.
    fn staged_length(&self, model: &str) -> rusqlite::Result<Option<usize>> {
        let Some(number) = self.find_name(model)? else { return Ok(None) };
        let sql = "SELECT length(data) FROM next_vector WHERE model = ?1 AND data IS NOT NULL LIMIT 1";
        Ok(self.one::<u32>(sql, [number])?.map(|length| length as usize))
    }

    fn put_staged(
        &self,
        model: &str,
        memory: Node,
        vector: Option<&StoredVector>,
    ) -> rusqlite::Result<usize> {
        let number = self.intern(Some(model))?;
        let scale = vector.map(|vector| vector.scale);
        let data = vector.map(|vector| bytemuck::cast_slice::<i8, u8>(&vector.values));
        self.execute(
            "INSERT INTO next_vector (memory, model, scale, data)
             SELECT ?1, ?2, ?3, ?4 WHERE EXISTS (SELECT 1 FROM memory WHERE number = ?1)
             ON CONFLICT (memory, model) DO UPDATE SET scale = ?3, data = ?4",
            (memory.number(), number, scale, data),
        )
    }
}

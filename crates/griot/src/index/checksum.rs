//! One checksum per memory, so that a store can compare the index with the row it came from.

use super::columns::{Columns, KNOWN, VECTOR};
use super::hash::hash_bytes;
use super::{Index, years};
use crate::model::Document;

impl Index {
    /// A checksum over all columns and the vector of a memory, to compare with [`Index::checksum_of`] its
    /// row; `None` if the memory is unknown.
    pub fn checksum(&self, memory: u32) -> Option<u64> {
        let is_known = self.columns.has(memory, KNOWN);
        is_known
            .then(|| checksum(self.columns.row(memory as usize), self.years(memory), self.vector_of(memory)))
    }

    /// The value that [`Index::checksum`] must have for this document.
    pub fn checksum_of(&self, document: &Document<'_>) -> u64 {
        let mut length = 0u32;
        (self.config.tokenizer)(&document.text, &mut |_| length += 1);
        let body = length;
        (self.config.tokenizer)(&document.header, &mut |_| length += 1);
        let dimensions = self.vectors.dimensions();
        let vector = document.vector().filter(|(values, _)| values.len() == dimensions && dimensions > 0);
        let years = years::years_in(&document.text);
        let mut columns = Columns::default();
        columns.put(0, document);
        columns.put_text(0, &document.text, (body, length), &years);
        columns.set_flag(0, VECTOR, vector.is_some());
        checksum(columns.row(0), &years, vector)
    }
}

fn checksum(mut row: Vec<u8>, years: &[i16], vector: Option<(&[i8], f32)>) -> u64 {
    row.extend_from_slice(bytemuck::cast_slice(years));
    if let Some((values, scale)) = vector {
        row.extend_from_slice(bytemuck::cast_slice(values));
        row.extend_from_slice(&scale.to_bits().to_le_bytes());
    }
    hash_bytes(&row)
}

//! One checksum per memory, so that a store can compare the index with the row it came from.

use super::columns::{ASKS, DELETED, KNOWN, SPECIAL, SUPERSEDED, TIMELESS, VECTOR, expiry};
use super::hash::hash_bytes;
use super::{Index, years};
use crate::model::Document;

impl Index {
    /// A checksum over all columns and the vector of a memory, to compare with [`Index::checksum_of`] its
    /// row; `None` if the memory is unknown.
    pub fn checksum(&self, memory: u32) -> Option<u64> {
        let columns = &self.columns;
        let at = memory as usize;
        columns.has(memory, KNOWN).then(|| {
            let numbers = [
                columns.place.get(at),
                columns.source.get(at),
                columns.ordinal.get(at),
                columns.user.get(at),
                columns.project.get(at),
                columns.kind.get(at),
                columns.agent.get(at),
                columns.session.get(at),
                columns.speaker.get(at),
                columns.body_length.get(at),
                columns.full_length.get(at),
                u32::from(columns.flags.get(at)) | u32::from(columns.tier.get(at)) << 8,
            ];
            let times = [columns.occurred_at.get(at), columns.expires_at.get(at)];
            checksum(numbers, times, self.years(memory), self.vector_of(memory))
        })
    }

    /// The value that [`Index::checksum`] must have for this document.
    pub fn checksum_of(&self, document: &Document<'_>) -> u64 {
        let mut length = 0u32;
        (self.config.tokenizer)(&document.text, &mut |_| length += 1);
        let body = length;
        (self.config.tokenizer)(&document.header, &mut |_| length += 1);
        let dimensions = self.vectors.dimensions();
        let vector = document.vector().filter(|(values, _)| values.len() == dimensions && dimensions > 0);
        let flags = [
            (KNOWN, true),
            (DELETED, document.deleted),
            (SUPERSEDED, document.superseded),
            (TIMELESS, document.timeless),
            (SPECIAL, document.is_special()),
            (ASKS, asks(&document.text)),
            (VECTOR, vector.is_some()),
        ];
        let numbers = [
            document.place,
            document.source,
            document.ordinal,
            document.user,
            document.project,
            document.kind,
            document.agent,
            document.session,
            document.speaker,
            body,
            length,
            flags.iter().filter(|(_, on)| *on).map(|(flag, _)| u32::from(*flag)).sum::<u32>()
                | u32::from(document.tier) << 8,
        ];
        let times = [document.occurred_at, expiry(document.expires_at)];
        checksum(numbers, times, &years::years_in(&document.text), vector)
    }
}

/// Whether the text ends in a question mark.
pub(super) fn asks(text: &str) -> bool {
    text.trim_end().ends_with(['?', '\u{ff1f}', '\u{61f}'])
}

fn checksum(numbers: [u32; 12], times: [i64; 2], years: &[i16], vector: Option<(&[i8], f32)>) -> u64 {
    let mut bytes: Vec<u8> = bytemuck::cast_slice(&numbers).to_vec();
    bytes.extend_from_slice(bytemuck::cast_slice(&times));
    bytes.extend_from_slice(bytemuck::cast_slice(years));
    if let Some((values, scale)) = vector {
        bytes.extend_from_slice(bytemuck::cast_slice(values));
        bytes.extend_from_slice(&scale.to_bits().to_le_bytes());
    }
    hash_bytes(&bytes)
}

//! Reads tables page by page.

use super::Read;
use crate::model::{Edge, Entity, Memory, Merge, Offer, Reading, Result};

/// Number of rows that are read at once.
const PAGE: usize = 1000;

/// A row of a numbered table.
pub(crate) trait Row: Sized {
    fn number(&self) -> u32;
    /// At most `limit` rows after a number, ascending.
    fn after(read: &dyn Read, number: u32, limit: usize) -> Result<Vec<Self>>;
}

macro_rules! rows {
    ($($row:ident $after:ident |$one:ident| $number:expr,)*) => {$(
        impl Row for $row {
            fn number(&self) -> u32 {
                let $one = self;
                $number
            }

            fn after(read: &dyn Read, number: u32, limit: usize) -> Result<Vec<Self>> {
                read.$after(number, limit)
            }
        }
    )*};
}

rows! {
    Memory memories_after |memory| memory.node.number(),
    Entity entities_after |entity| entity.node.number(),
    Edge edges_after |edge| edge.number,
    Merge merges_after |merge| merge.number,
    Offer offers_after |offer| offer.number,
    Reading readings_after |reading| reading.memory.number(),
}

/// All rows of a table, ascending, in pages that are not empty.
pub(crate) fn pages<T: Row>(read: &dyn Read) -> impl Iterator<Item = Result<Vec<T>>> {
    let mut last = Some(0);
    std::iter::from_fn(move || {
        let page = T::after(read, last?, PAGE);
        last = page.as_ref().ok().and_then(|rows| rows.last()).map(T::number);
        page.map(|rows| (!rows.is_empty()).then_some(rows)).transpose()
    })
}

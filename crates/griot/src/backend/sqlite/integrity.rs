//! Looking for damage.

use super::tables::Tables;
use crate::index::Index;

pub(super) fn check(_tables: &Tables, _index: &Index) -> rusqlite::Result<Vec<String>> {
    Ok(Vec::new())
}

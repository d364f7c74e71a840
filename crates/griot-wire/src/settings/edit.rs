//! Changing one value in a `griot.toml` and nothing else: comments and order stay.

use toml_edit::{DocumentMut, Item, Table, Value};

use super::{Key, agents};

/// The text with `key` set to `value` (TOML), for all or in the table of an agent. A text that is no TOML
/// stays as it is.
pub fn set_in_file(text: &str, agent: Option<&str>, key: &Key, value: &str) -> String {
    let (Ok(mut document), Ok(value)) = (text.parse::<DocumentMut>(), value.parse::<Value>()) else {
        return text.to_string();
    };
    let blocks = agent.into_iter().flat_map(|agent| [agents::TABLE, agent]).chain(key.block().split('.'));
    let mut table = document.as_item_mut();
    for block in blocks {
        let Some(outer) = table.as_table_like_mut() else { return text.to_string() };
        table = outer.entry(block).or_insert_with(|| {
            let mut fresh = Table::new();
            fresh.set_implicit(true);
            Item::Table(fresh)
        });
    }
    let Some(table) = table.as_table_like_mut() else { return text.to_string() };
    table.insert(key.short(), Item::Value(value));
    document.to_string()
}

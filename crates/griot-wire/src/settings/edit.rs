//! Changing one value in a `griot.toml` and nothing else: comments and order stay.

use toml_edit::{DocumentMut, Item, Table, TableLike, Value};

use super::{Key, agents};

/// The text with `key` set to `value` (TOML), for all or in the table of an agent. A text that is no TOML
/// stays as it is.
pub fn set_in_file(text: &str, agent: Option<&str>, key: &Key, value: &str) -> String {
    let (Ok(mut document), Ok(value)) = (text.parse::<DocumentMut>(), value.parse::<Value>()) else {
        return text.to_string();
    };
    let mut table = document.as_item_mut();
    for block in blocks(agent, key) {
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

/// The text without `key`, if it is set for all or in the table of an agent.
pub fn unset_in_file(text: &str, agent: Option<&str>, key: &Key) -> Option<String> {
    let mut document = text.parse::<DocumentMut>().ok()?;
    let mut table: &mut dyn TableLike = document.as_table_mut();
    for block in blocks(agent, key) {
        table = table.get_mut(block)?.as_table_like_mut()?;
    }
    table.remove(key.short())?;
    Some(document.to_string())
}

/// The tables around a key, outermost first.
fn blocks<'a>(agent: Option<&'a str>, key: &'a Key) -> impl Iterator<Item = &'a str> {
    agent.into_iter().flat_map(|agent| [agents::TABLE, agent]).chain(key.block().split('.'))
}

//! Edits TOML in place: comments, order and layout are preserved.

use griot::model::Result;
use serde_json::{Map, Value};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike};

use super::{Config, ENTRY, Edited, Entry, is_ours};

pub fn add(text: &str, config: &Config) -> Result<Edited> {
    let mut document = parse(text, config)?;
    let mut created = Vec::new();
    for (keys, value) in servers(config) {
        let servers = container(document.as_table_mut(), keys, config, &mut created)?;
        set_server(servers, keys, value, config)?;
    }
    Ok(Edited { text: printed(text, &document), created })
}

pub fn remove(text: &str, config: &Config, created: &[Vec<String>]) -> Result<String> {
    let mut document = parse(text, config)?;
    for (keys, _) in servers(config) {
        if let Some(servers) = below(document.as_table_mut(), keys)
            && servers.get(ENTRY).is_some_and(|entry| is_ours(&as_json(entry)))
        {
            servers.remove(ENTRY);
        }
    }
    for keys in created.iter().rev() {
        let Some((last, path)) = keys.split_last() else { continue };
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        if let Some(table) = below(document.as_table_mut(), &path)
            && table.get(last).and_then(Item::as_table_like).is_some_and(|inner| inner.is_empty())
        {
            table.remove(last);
        }
    }
    Ok(printed(text, &document))
}

pub fn contains(text: &str, config: &Config) -> Result<Vec<bool>> {
    let mut document = parse(text, config)?;
    let mut holds = |keys: &[&str]| {
        let servers = below(document.as_table_mut(), keys);
        servers.and_then(|servers| servers.get(ENTRY)).is_some_and(|entry| is_ours(&as_json(entry)))
    };
    Ok(servers(config).map(|(keys, _)| holds(keys)).collect())
}

/// Hosts with TOML have no hooks.
fn servers(config: &Config) -> impl Iterator<Item = (&[&'static str], &[(&'static str, Value)])> {
    config.entries.iter().filter_map(|entry| match entry {
        Entry::Server { keys, value } => Some((*keys, value.as_slice())),
        Entry::Hook { .. } | Entry::Skill => None,
    })
}

fn parse(text: &str, config: &Config) -> Result<DocumentMut> {
    text.parse().map_err(|error: toml_edit::TomlError| {
        let message = error.to_string();
        let lines: Vec<&str> = message.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let position = lines.first().map_or("", |line| line.trim_start_matches("TOML parse error "));
        config.broken(&format!("{}, {position}", lines.last().unwrap_or(&"")))
    })
}

/// `toml_edit` writes LF; restore CRLF in files that use it.
fn printed(before: &str, document: &DocumentMut) -> String {
    let text = document.to_string();
    let lines = before.matches('\n').count();
    if lines > 0 && before.matches("\r\n").count() == lines {
        text.replace("\r\n", "\n").replace('\n', "\r\n")
    } else {
        text
    }
}

fn container<'a>(
    root: &'a mut Table,
    keys: &[&'static str],
    config: &Config,
    created: &mut Vec<Vec<String>>,
) -> Result<&'a mut dyn TableLike> {
    let mut table: &mut dyn TableLike = root;
    for (depth, key) in keys.iter().enumerate() {
        if !table.contains_key(key) {
            created.push(keys[..=depth].iter().map(ToString::to_string).collect());
            let mut fresh = Table::new();
            fresh.set_implicit(true);
            table.insert(key, Item::Table(fresh));
        }
        let path = keys[..=depth].join(".");
        table = table
            .get_mut(key)
            .and_then(Item::as_table_like_mut)
            .ok_or_else(|| config.error(format!("`{path}` is not a table; the file was left unchanged")))?;
    }
    Ok(table)
}

fn set_server(
    servers: &mut dyn TableLike,
    keys: &[&str],
    value: &[(&'static str, Value)],
    config: &Config,
) -> Result<()> {
    let path = format!("{}.{ENTRY}", keys.join("."));
    let is_known = servers.get(ENTRY).is_some_and(|entry| is_ours(&as_json(entry)));
    if servers.contains_key(ENTRY) && !is_known {
        if !config.force {
            return Err(config.foreign(&path));
        }
        servers.remove(ENTRY);
    }
    if is_known && let Some(table) = servers.get_mut(ENTRY).and_then(Item::as_table_like_mut) {
        value.iter().for_each(|(name, wanted)| set_member(table, name, wanted));
        return Ok(());
    }
    let mut fresh = Table::new();
    for (name, value) in value {
        fresh.insert(name, item(value));
    }
    let is_inline = servers.iter().next().is_some_and(|(_, first)| first.is_inline_table());
    let entry = if is_inline { Item::Value(fresh.into_inline_table().into()) } else { Item::Table(fresh) };
    servers.insert(ENTRY, entry);
    Ok(())
}

/// Sets a member, and of a table only its own members.
fn set_member(table: &mut dyn TableLike, name: &str, wanted: &Value) {
    if let (Some(inner), Value::Object(members)) =
        (table.get_mut(name).and_then(Item::as_table_like_mut), wanted)
    {
        members.iter().for_each(|(name, wanted)| set_member(inner, name, wanted));
        return;
    }
    if table.get(name).is_some_and(|held| as_json(held) == *wanted) {
        return;
    }
    let decor = table.get(name).and_then(|item| item.as_value()).map(|value| value.decor().clone());
    let mut fresh = item(wanted);
    if let (Some(value), Some(decor)) = (fresh.as_value_mut(), decor) {
        *value.decor_mut() = decor;
    }
    table.insert(name, fresh);
}

fn below<'a>(root: &'a mut Table, keys: &[&str]) -> Option<&'a mut dyn TableLike> {
    let mut table: &mut dyn TableLike = root;
    for key in keys {
        table = table.get_mut(key)?.as_table_like_mut()?;
    }
    Some(table)
}

/// Values are strings, lists of strings, and tables of them.
fn item(value: &Value) -> Item {
    Item::Value(match value {
        Value::Array(list) => Array::from_iter(list.iter().filter_map(Value::as_str)).into(),
        Value::Object(members) => {
            let members = members.iter().filter_map(|(name, value)| Some((name.as_str(), value.as_str()?)));
            InlineTable::from_iter(members).into()
        }
        other => other.as_str().unwrap_or_default().into(),
    })
}

/// As much as [`is_ours`] needs: strings and lists of strings.
fn as_json(item: &Item) -> Value {
    if let Some(text) = item.as_str() {
        return Value::from(text);
    }
    if let Some(list) = item.as_array() {
        return list.iter().map(|value| value.as_str().map_or(Value::Null, Value::from)).collect();
    }
    match item.as_table_like() {
        Some(table) => {
            table.iter().map(|(name, item)| (name.to_string(), as_json(item))).collect::<Map<_, _>>().into()
        }
        None => Value::Null,
    }
}

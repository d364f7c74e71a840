//! Edits the text of YAML. It is parsed for the positions of keys and values, and lines are inserted or
//! removed there; everything else stays byte for byte. The result is parsed again, and refused if anything
//! but our entry differs.

use std::ops::Range;

use griot::model::Result;
use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Value};

use super::{Config, ENTRY, Edited, Entry, is_ours};

pub fn add(text: &str, config: &Config) -> Result<Edited> {
    let (mut text, before) = (text.to_string(), text);
    let mut created = Vec::new();
    for (keys, value) in servers(config) {
        text = with_server(&text, keys[0], value, config, &mut created)?;
    }
    checked(before, text, config).map(|text| Edited { text, created })
}

pub fn remove(text: &str, config: &Config, created: &[Vec<String>]) -> Result<String> {
    let (mut text, before) = (text.to_string(), text);
    for (keys, _) in servers(config) {
        let root = parse(&text, config)?;
        let servers = root.as_ref().and_then(|root| root.get(keys[0]));
        if let Some((servers, (at, _))) =
            servers.and_then(|servers| Some((&servers.1, servers.1.member(ENTRY)?)))
            && is_ours(&servers.members()[at].1.value())
        {
            text = without(&text, servers, at);
        }
        let root = parse(&text, config)?;
        if created.iter().any(|created| created.as_slice() == [keys[0]])
            && let Some(root) = &root
            && let Some((at, (_, servers))) = root.member(keys[0])
            && servers.is_empty()
        {
            text = without(&text, root, at);
        }
    }
    checked(before, text, config)
}

pub fn contains(text: &str, config: &Config) -> Result<Vec<bool>> {
    let root = parse(text, config)?;
    let holds = |key: &str| {
        let servers = root.as_ref().and_then(|root| root.get(key));
        servers.and_then(|(_, servers)| servers.get(ENTRY)).is_some_and(|(_, entry)| is_ours(&entry.value()))
    };
    Ok(servers(config).map(|(keys, _)| holds(keys[0])).collect())
}

/// Hosts with YAML keep their servers in a member of the root, and have no hooks.
fn servers(config: &Config) -> impl Iterator<Item = (&[&'static str], &[(&'static str, Value)])> {
    config.entries.iter().filter_map(|entry| match entry {
        Entry::Server { keys, value } => Some((*keys, value.as_slice())),
        Entry::Hook { .. } | Entry::Skill => None,
    })
}

/// A value with its position in the text, in bytes. The end of a block is the end of its last line with
/// content.
#[derive(Debug)]
struct Node {
    at: Range<usize>,
    shape: Shape,
}

#[derive(Debug)]
enum Shape {
    Null,
    Scalar(String),
    /// A repeated value; what it repeats is not looked at.
    Alias,
    List(Vec<Node>),
    Map {
        is_flow: bool,
        members: Vec<(Node, Node)>,
    },
}

impl Node {
    fn members(&self) -> &[(Node, Node)] {
        match &self.shape {
            Shape::Map { members, .. } => members,
            _ => &[],
        }
    }

    fn member(&self, key: &str) -> Option<(usize, &(Node, Node))> {
        self.members().iter().enumerate().find(|(_, (name, _))| name.is(key))
    }

    fn get(&self, key: &str) -> Option<&(Node, Node)> {
        self.member(key).map(|(_, member)| member)
    }

    fn is(&self, key: &str) -> bool {
        matches!(&self.shape, Shape::Scalar(text) if text == key)
    }

    fn is_empty(&self) -> bool {
        match &self.shape {
            Shape::Null => true,
            Shape::Map { members, .. } => members.is_empty(),
            _ => false,
        }
    }

    /// Scalars are strings, whatever they mean to the host.
    fn value(&self) -> Value {
        match &self.shape {
            Shape::Null | Shape::Alias => Value::Null,
            Shape::Scalar(text) => Value::from(text.as_str()),
            Shape::List(list) => list.iter().map(Self::value).collect(),
            Shape::Map { members, .. } => {
                let member = |(key, value): &(Self, Self)| match &key.shape {
                    Shape::Scalar(name) => (name.clone(), value.value()),
                    _ => (key.value().to_string(), value.value()),
                };
                Value::Object(members.iter().map(member).collect::<Map<_, _>>())
            }
        }
    }
}

/// A value that [`Node::value`] would give for ours.
fn plain(value: &Value) -> Value {
    match value {
        Value::Array(list) => list.iter().map(plain).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, value)| (name.clone(), plain(value))).collect::<Map<_, _>>().into()
        }
        Value::String(text) => Value::from(text.as_str()),
        other => Value::from(other.to_string()),
    }
}

/// The only document of a text; `None` if it has none.
fn parse(text: &str, config: &Config) -> Result<Option<Node>> {
    enum Open {
        List(usize, Vec<Node>),
        Map(usize, bool, Vec<(Node, Node)>, Option<Node>),
    }
    // Markers count characters.
    let mut places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    places.push(text.len());
    let place = |index: usize| places.get(index).copied().unwrap_or(text.len());
    let mut open: Vec<Open> = Vec::new();
    let mut root = None;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| config.broken(&error.to_string()))?;
        let (start, end) = (place(span.start.index()), place(span.end.index()));
        let node = match event {
            Event::DocumentStart(_) if root.is_some() => {
                return Err(config.error("it holds several documents; the file was left unchanged"));
            }
            Event::Alias(_) => Node { at: start..end, shape: Shape::Alias },
            Event::Scalar(value, style, ..) => {
                let is_null = style == ScalarStyle::Plain && matches!(&*value, "" | "~" | "null");
                let shape = if is_null { Shape::Null } else { Shape::Scalar(value.into_owned()) };
                let end = start + text[start..end.max(start)].trim_end().len();
                Node { at: start..end, shape }
            }
            Event::SequenceStart(..) => {
                open.push(Open::List(start, Vec::new()));
                continue;
            }
            Event::MappingStart(..) => {
                open.push(Open::Map(start, text[start..].starts_with('{'), Vec::new(), None));
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(Open::List(start, list)) => {
                    let is_flow = text[start..].starts_with('[');
                    let last = list.last().map_or(start, |node| node.at.end);
                    Node { at: start..if is_flow { end } else { last }, shape: Shape::List(list) }
                }
                Some(Open::Map(start, is_flow, members, _)) => {
                    let last = members.last().map_or(start, |(key, value)| value.at.end.max(key.at.end));
                    let end = if is_flow { end } else { last };
                    Node { at: start..end, shape: Shape::Map { is_flow, members } }
                }
                None => continue,
            },
            _ => continue,
        };
        match open.last_mut() {
            Some(Open::List(_, list)) => list.push(node),
            Some(Open::Map(_, _, members, key)) => match key.take() {
                None => *key = Some(node),
                Some(key) if members.iter().any(|(other, _)| other.value() == key.value()) => {
                    let name = key.value();
                    let why = format!("`{}` occurs twice", name.as_str().unwrap_or_default());
                    return Err(config.error(format!("{why}; the file was left unchanged")));
                }
                Some(key) => members.push((key, node)),
            },
            None => root = Some(node),
        }
    }
    match &root {
        Some(Node { shape: Shape::Map { .. } | Shape::Null, .. }) | None => Ok(root),
        Some(_) => Err(config.error("its top level is not a mapping; the file was left unchanged")),
    }
}

fn with_server(
    text: &str,
    key: &str,
    value: &[(&str, Value)],
    config: &Config,
    created: &mut Vec<Vec<String>>,
) -> Result<String> {
    let root = parse(text, config)?;
    let members = |root: &Node| !matches!(root.shape, Shape::Null);
    let Some(root) = root.filter(members) else {
        created.push(vec![key.to_string()]);
        return Ok(appended(text, &block(key, value, "", "  ", text)));
    };
    let end = line_end(text);
    let is_flow = matches!(root.shape, Shape::Map { is_flow: true, .. });
    let Some((name, servers)) = root.get(key) else {
        created.push(vec![key.to_string()]);
        return Ok(if is_flow {
            let whole = Map::from_iter([(ENTRY.to_string(), object(value))]);
            in_flow(text, &root, key, &Value::Object(whole))
        } else {
            appended(text, &block(key, value, &indent(text, &root), "  ", text))
        });
    };
    match &servers.shape {
        Shape::Null => {
            // `extensions:`, `extensions: ~`
            let colon = name.at.end + text[name.at.end..].find(':').map_or(0, |at| at + 1);
            let rest = servers.at.end.max(colon);
            let outer = indent(text, &root);
            let inner = entry(value, &format!("{outer}  "), "  ", end);
            let line = rest + text[rest..].find('\n').map_or(text.len() - rest, |at| at + 1);
            let head = format!("{}{}", &text[..colon], &text[rest..line]);
            Ok(format!("{}{inner}{}", on_a_line(&head, end), &text[line..]))
        }
        Shape::Map { is_flow: true, .. } => match servers.get(ENTRY) {
            None => Ok(in_flow(text, servers, ENTRY, &object(value))),
            Some(_) => updated(text, key, servers, value, config),
        },
        Shape::Map { .. } => match servers.get(ENTRY) {
            None => {
                let own = indent(text, servers);
                let step = own.get(indent(text, &root).len()..).filter(|step| !step.is_empty());
                let inner = entry(value, &own, step.unwrap_or("  "), end);
                // Below the key, before the first entry and its comments.
                let line = name.at.end + text[name.at.end..].find('\n').map_or(0, |at| at + 1);
                Ok(format!("{}{inner}{}", &text[..line], &text[line..]))
            }
            Some(_) => updated(text, key, servers, value, config),
        },
        _ => Err(config.error(format!("`{key}` is not a mapping; the file was left unchanged"))),
    }
}

/// Changes our entry where it differs, or replaces one of others if that is wanted.
fn updated(
    text: &str,
    key: &str,
    servers: &Node,
    value: &[(&str, Value)],
    config: &Config,
) -> Result<String> {
    let Some((_, known)) = servers.get(ENTRY) else { return Ok(text.to_string()) };
    if !is_ours(&known.value()) {
        if !config.force {
            return Err(config.foreign(&format!("{key}.{ENTRY}")));
        }
        let start = known.at.start;
        return Ok(if start == known.at.end {
            // An empty value has no position of its own.
            return Err(config.foreign(&format!("{key}.{ENTRY}")));
        } else {
            format!("{}{}{}", before_value(text, start), object(value), &text[known.at.end..])
        });
    }
    for (name, wanted) in value {
        if let Some(changed) = with_member(text, known, name, wanted) {
            // Positions changed, so the rest is compared in the new text.
            let root = parse(&changed, config)?;
            let Some((_, servers)) = root.as_ref().and_then(|root| root.get(key)) else { return Ok(changed) };
            return updated(&changed, key, servers, value, config);
        }
    }
    Ok(text.to_string())
}

/// The text with this member; `None` if it is there already.
fn with_member(text: &str, map: &Node, name: &str, wanted: &Value) -> Option<String> {
    match (map.get(name), wanted) {
        (Some((_, held)), Value::Object(members)) if matches!(held.shape, Shape::Map { .. }) => {
            members.iter().find_map(|(name, wanted)| with_member(text, held, name, wanted))
        }
        (Some((_, held)), _) if held.value() == plain(wanted) => None,
        (Some((key, held)), _) if held.at.is_empty() => {
            let colon = key.at.end + text[key.at.end..].find(':').map_or(0, |at| at + 1);
            Some(format!("{} {wanted}{}", &text[..colon], &text[colon..]))
        }
        (Some((_, held)), _) => {
            Some(format!("{}{wanted}{}", before_value(text, held.at.start), &text[held.at.end..]))
        }
        (None, _) if matches!(map.shape, Shape::Map { is_flow: true, .. }) => {
            Some(in_flow(text, map, name, wanted))
        }
        (None, _) => {
            let line = line_start(text, map.at.start);
            let new = format!("{}{name}: {wanted}{}", indent(text, map), line_end(text));
            Some(format!("{}{new}{}", &text[..line], &text[line..]))
        }
    }
}

/// The text up to a value, which is behind its key even if it was a block below it.
fn before_value(text: &str, start: usize) -> String {
    let head = text[..start].trim_end();
    format!("{head} ")
}

/// The text without a member of a mapping.
fn without(text: &str, map: &Node, at: usize) -> String {
    let (key, value) = &map.members()[at];
    let end = value.at.end.max(key.at.end);
    if matches!(map.shape, Shape::Map { is_flow: true, .. }) {
        let rest = text[end..].trim_start();
        if let Some(rest) = rest.strip_prefix(',') {
            return format!("{}{}", &text[..key.at.start], rest.trim_start_matches(' '));
        }
        let head = text[..key.at.start].trim_end();
        return format!("{}{}", head.strip_suffix(',').unwrap_or(head), &text[end..]);
    }
    let rest = end + text[end..].find('\n').map_or(text.len() - end, |at| at + 1);
    format!("{}{}", &text[..line_start(text, key.at.start)], &text[rest..])
}

fn in_flow(text: &str, map: &Node, name: &str, value: &Value) -> String {
    let at = map.at.start + 1;
    let rest = if map.members().is_empty() { "" } else { ", " };
    format!("{}\"{name}\": {value}{rest}{}", &text[..at], text[at..].trim_start_matches(' '))
}

fn object(value: &[(&str, Value)]) -> Value {
    Value::Object(value.iter().map(|(name, value)| (name.to_string(), value.clone())).collect())
}

/// `key:` with our entry below it.
fn block(key: &str, value: &[(&str, Value)], outer: &str, step: &str, text: &str) -> String {
    let end = line_end(text);
    format!("{outer}{key}:{end}{}", entry(value, &format!("{outer}{step}"), step, end))
}

/// Our entry as a block. JSON values are YAML, too.
fn entry(value: &[(&str, Value)], own: &str, step: &str, end: &str) -> String {
    let mut lines = format!("{own}{ENTRY}:{end}");
    for (name, value) in value {
        lines.push_str(&format!("{own}{step}{name}: {value}{end}"));
    }
    lines
}

fn appended(text: &str, block: &str) -> String {
    format!("{}{block}", on_a_line(text, line_end(text)))
}

/// The text with a line end at its end, if it is not empty.
fn on_a_line(text: &str, end: &str) -> String {
    let is_ended = text.is_empty() || text.ends_with('\n');
    if is_ended { text.to_string() } else { format!("{text}{end}") }
}

fn line_end(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |at| at + 1)
}

/// The white space before the first key of a mapping.
fn indent(text: &str, map: &Node) -> String {
    let start = map.members().first().map_or(map.at.start, |(key, _)| key.at.start);
    text[line_start(text, start)..start].chars().take_while(|c| *c == ' ').collect()
}

/// The edited text, if it differs in nothing but our entry.
fn checked(before: &str, after: String, config: &Config) -> Result<String> {
    let rest = |text: &str| -> Result<Value> {
        let mut value = parse(text, config)?.map_or(Value::Null, |root| root.value());
        for (keys, _) in servers(config) {
            let servers = value.get_mut(keys[0]);
            let is_empty = match servers {
                Some(Value::Object(servers)) => {
                    servers.remove(ENTRY);
                    servers.is_empty()
                }
                Some(Value::Null) => true,
                _ => false,
            };
            if let (true, Some(root)) = (is_empty, value.as_object_mut()) {
                root.remove(keys[0]);
            }
        }
        Ok(if value.as_object().is_some_and(Map::is_empty) { Value::Null } else { value })
    };
    let is_same = match rest(&after) {
        Ok(after) => after == rest(before)?,
        Err(_) => false,
    };
    if is_same {
        return Ok(after);
    }
    Err(config
        .error("its layout cannot be edited without changing other entries; the file was left unchanged")
        .hint("add the entry with the host's own command"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::Syntax;
    use super::*;

    fn config(home: Option<&str>) -> Config {
        let mut value = vec![("cmd", json!("/opt/griot")), ("args", json!(["mcp"])), ("timeout", json!(300))];
        value.extend(home.map(|home| ("envs", json!({ "GRIOT_HOME": home }))));
        let entries = vec![Entry::Server { keys: &["extensions"], value }];
        Config { path: "x.yaml".into(), syntax: Syntax::Yaml, entries, force: false }
    }

    /// In every layout the entry can be added and removed, and nothing else changes.
    #[test]
    fn an_entry_comes_and_goes_in_every_layout() {
        for text in [
            "",
            "# only a comment\n",
            "a: 1\n",
            "a: 1",
            "---\na: 1\n",
            "extensions:\n",
            "a: 1\nextensions: # none yet\nb: 2\n",
            "extensions: ~\n",
            "extensions: {}\n",
            "extensions: {x: {cmd: y}} # flow\n",
            "{\"a\": 1}\n",
            "{a: 1, extensions: {x: 1}}",
            "# top\nextensions:\n  # the first\n  x: # of x\n    cmd: y\n    args: [a, 'b']\n# end\nb: 2\n",
            "extensions:\n    x:\n        cmd: |\n            two\n            lines\n",
            "a: \"ä€\"\r\nextensions:\r\n  x:\r\n    envs: {}\r\n",
            "extensions:\n  x: &it\n    cmd: y\n  z: *it\n",
        ] {
            let config = config(Some("/x y"));
            let after = config.add(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            let held = parse(&after.text, &config).expect("it is YAML").expect("it holds something").value();
            let wanted = json!({ "cmd": "/opt/griot", "args": ["mcp"], "timeout": "300",
                "envs": { "GRIOT_HOME": "/x y" } });
            assert_eq!(held["extensions"]["griot"], wanted, "{text:?}\n{}", after.text);
            assert_eq!(config.contains(&after.text), Ok(vec![true]), "{text:?}");
            assert_eq!(after.text.matches('#').count(), text.matches('#').count(), "{text:?}");
            assert_eq!(config.add(&after.text).map(|again| again.text), Ok(after.text.clone()), "{text:?}");
            let rest = config.remove(&after.text, &after.created).expect("it can be removed");
            assert_eq!(config.contains(&rest), Ok(vec![false]), "{rest}");
            assert_eq!(rest.matches('#').count(), text.matches('#').count(), "{text:?}\n{rest}");
            assert_eq!(config.remove(&rest, &[]), Ok(rest.clone()));
        }
    }

    #[test]
    fn details_that_were_added_to_our_entry_stay() {
        for (before, after) in [
            (
                "extensions:\n  griot:\n    cmd: griot # mine\n    args:\n      - mcp\n    bundled: null\n",
                "extensions:\n  griot:\n    envs: {\"GRIOT_HOME\":\"/x\"}\n    timeout: 300\n    \
                 cmd: \"/opt/griot\" # mine\n    args:\n      - mcp\n    bundled: null\n",
            ),
            (
                "extensions: {griot: {cmd: griot, args: [mcp], timeout: 300, envs: {A: b}}}\n",
                "extensions: {griot: {cmd: \"/opt/griot\", args: [mcp], timeout: 300, \
                 envs: {\"GRIOT_HOME\": \"/x\", A: b}}}\n",
            ),
        ] {
            assert_eq!(config(Some("/x")).add(before).map(|edited| edited.text), Ok(after.to_string()));
        }
    }

    #[test]
    fn what_is_broken_or_foreign_is_refused() {
        for (text, why) in [
            ("a: [1", "invalid YAML"),
            ("- 1\n- 2\n", "its top level is not a mapping"),
            ("extensions: [x]\n", "`extensions` is not a mapping"),
            ("extensions: {}\nextensions: {}\n", "`extensions` occurs twice"),
            ("a: 1\n---\nb: 2\n", "several documents"),
            ("extensions:\n  griot:\n    cmd: npx\n", "`extensions.griot` starts another program"),
        ] {
            let error = config(None).add(text).expect_err(text);
            assert!(error.why.contains(why), "{text:?}: {}", error.why);
        }
        let forced = Config { force: true, ..config(None) };
        let text = "extensions:\n  griot:\n    cmd: npx # theirs\n  x: {}\n";
        let after = forced.add(text).expect("it is replaced").text;
        assert_eq!(forced.contains(&after), Ok(vec![true]), "{after}");
        assert!(after.contains("x: {}") && !after.contains("npx"), "{after}");
    }
}

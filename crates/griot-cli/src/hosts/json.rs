//! Edits JSON, JSON with comments and JSON5 in place: comments, key order, indentation and line endings are
//! preserved.

use griot::model::Result;
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{
    CstArray, CstContainerNode, CstInputValue, CstNode, CstObject, CstObjectProp, CstRootNode,
};
use serde_json::{Value, json};

use super::{Config, ENTRY, Edited, Entry, Syntax, is_our_hook, is_ours};

/// Byte order mark, which some editors write.
const BOM: char = '\u{FEFF}';

pub fn add(text: &str, config: &Config) -> Result<Edited> {
    let root = parse(text, config)?;
    let mut created = Vec::new();
    if root.value().is_none() {
        root.set_value(CstInputValue::Object(Vec::new()));
    }
    let object = root_object(&root, config)?;
    for entry in &config.entries {
        match entry {
            Entry::Server { keys, value } => {
                let servers = container(&object, keys, config, &mut created)?;
                set_server(&servers, keys, value, config)?;
            }
            Entry::Hook { event, command, verb, seconds } => {
                let hooks = container(&object, &["hooks"], config, &mut created)?;
                set_hook(&hooks, event, command, verb, *seconds, config, &mut created)?;
            }
            Entry::Skill => {}
        }
    }
    Ok(Edited { text: printed(text, &root), created })
}

pub fn remove(text: &str, config: &Config, created: &[Vec<String>]) -> Result<String> {
    let root = parse(text, config)?;
    let Some(object) = root.value().and_then(|value| value.as_object()) else { return Ok(text.to_string()) };
    for entry in &config.entries {
        match entry {
            Entry::Server { keys, .. } => {
                let member = below(&object, keys).and_then(|servers| servers.get(ENTRY));
                if let Some(member) = member.filter(|member| is_ours(&value_of(member))) {
                    member.remove();
                }
            }
            Entry::Hook { event, verb, .. } => {
                for (group, hook) in hooks_of(&object, event, verb) {
                    if group.elements().len() > 1 {
                        hook.remove();
                    } else if let Some(whole) = group_of(&group) {
                        whole.remove();
                    }
                }
            }
            Entry::Skill => {}
        }
    }
    for keys in created.iter().rev() {
        remove_if_empty(&object, keys);
    }
    Ok(printed(text, &root))
}

pub fn contains(text: &str, config: &Config) -> Result<Vec<bool>> {
    let root = parse(text, config)?;
    let object = root.value().and_then(|value| value.as_object());
    let held = |entry: &Entry| {
        object.as_ref().is_some_and(|object| match entry {
            Entry::Server { keys, .. } => below(object, keys)
                .and_then(|servers| servers.get(ENTRY))
                .is_some_and(|member| is_ours(&value_of(&member))),
            Entry::Hook { event, verb, .. } => !hooks_of(object, event, verb).is_empty(),
            Entry::Skill => false,
        })
    };
    Ok(config.entries.iter().map(held).collect())
}

fn parse(text: &str, config: &Config) -> Result<CstRootNode> {
    let text = text.strip_prefix(BOM).unwrap_or(text);
    if text.trim().is_empty() {
        return CstRootNode::parse(text, &ParseOptions::default())
            .map_err(|error| config.broken(&error.to_string()));
    }
    let loose = config.syntax == Syntax::Json5;
    let options = ParseOptions {
        allow_comments: config.syntax != Syntax::Json,
        allow_trailing_commas: config.syntax != Syntax::Json,
        allow_missing_commas: false,
        allow_loose_object_property_names: loose,
        allow_single_quoted_strings: loose,
        allow_hexadecimal_numbers: loose,
        allow_unary_plus_numbers: loose,
        allow_bare_decimal_point_numbers: loose,
        allow_non_finite_numbers: loose,
        allow_extended_string_escapes: loose,
    };
    let root =
        CstRootNode::parse(text, &options).map_err(|error| config.broken(&lower(&error.to_string())))?;
    if config.syntax == Syntax::Json {
        // Rejects what the host's own parser rejects, such as line breaks in strings.
        serde_json::from_str::<Value>(text).map_err(|error| config.broken(&error.to_string()))?;
    }
    Ok(root)
}

fn lower(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

fn printed(before: &str, root: &CstRootNode) -> String {
    let text = root.to_string();
    if before.starts_with(BOM) { format!("{BOM}{text}") } else { text }
}

fn root_object(root: &CstRootNode, config: &Config) -> Result<CstObject> {
    root.value()
        .and_then(|value| value.as_object())
        .ok_or_else(|| config.error("its top level is not an object; the file was left unchanged"))
}

/// The object at these keys; creates what is missing and adds it to `created`.
fn container(
    root: &CstObject,
    keys: &[&'static str],
    config: &Config,
    created: &mut Vec<Vec<String>>,
) -> Result<CstObject> {
    let mut object = root.clone();
    for (depth, key) in keys.iter().enumerate() {
        let path = keys[..=depth].join(".");
        let member = only(&object, key, &path, config)?;
        object = match member {
            None => {
                created.push(keys[..=depth].iter().map(ToString::to_string).collect());
                object.object_value_or_set(key)
            }
            Some(member) => member.object_value().ok_or_else(|| {
                config.error(format!("`{path}` is not an object; the file was left unchanged"))
            })?,
        };
    }
    Ok(object)
}

/// The member of this name. Refuses duplicates, because parsers disagree about them.
fn only(object: &CstObject, key: &str, path: &str, config: &Config) -> Result<Option<CstObjectProp>> {
    let mut members =
        object.properties().into_iter().filter(|member| member.decoded_name().as_deref() == Some(key));
    let first = members.next();
    match members.next() {
        Some(_) => Err(config.error(format!("`{path}` occurs twice; the file was left unchanged"))),
        None => Ok(first),
    }
}

fn set_server(servers: &CstObject, keys: &[&str], value: &[(&str, Value)], config: &Config) -> Result<()> {
    let path = format!("{}.{ENTRY}", keys.join("."));
    let fresh = || {
        CstInputValue::Object(value.iter().map(|(name, value)| (name.to_string(), input(value))).collect())
    };
    let Some(member) = only(servers, ENTRY, &path, config)? else {
        servers.append(ENTRY, fresh());
        return Ok(());
    };
    match member.object_value().filter(|_| is_ours(&value_of(&member))) {
        Some(object) => value.iter().for_each(|(name, wanted)| set_member(&object, name, wanted)),
        None if config.force => member.set_value(fresh()),
        None => return Err(config.foreign(&path)),
    }
    Ok(())
}

/// Sets a member, and of an object only its own members.
fn set_member(object: &CstObject, name: &str, wanted: &Value) {
    let Some(member) = object.get(name) else {
        object.append(name, input(wanted));
        return;
    };
    match (member.object_value(), wanted) {
        (Some(inner), Value::Object(members)) => {
            members.iter().for_each(|(name, wanted)| set_member(&inner, name, wanted));
        }
        _ if value_of(&member) == *wanted => {}
        _ => member.set_value(input(wanted)),
    }
}

fn set_hook(
    hooks: &CstObject,
    event: &str,
    command: &str,
    verb: &str,
    seconds: u64,
    config: &Config,
    created: &mut Vec<Vec<String>>,
) -> Result<()> {
    let path = format!("hooks.{event}");
    let array = match only(hooks, event, &path, config)? {
        None => {
            created.push(vec!["hooks".to_string(), event.to_string()]);
            hooks.array_value_or_set(event)
        }
        Some(member) => member
            .array_value()
            .ok_or_else(|| config.error(format!("`{path}` is not an array; the file was left unchanged")))?,
    };
    let wanted = json!({ "type": "command", "command": command, "timeout": seconds });
    match hooks_in(&array, verb).into_iter().next() {
        Some((_, hook)) => {
            if let Some(member) = hook.as_object().and_then(|hook| hook.get("command"))
                && value_of(&member).as_str() != Some(command)
            {
                member.set_value(input(&wanted["command"]));
            }
        }
        None => drop(array.append(input(&json!({ "hooks": [wanted] })))),
    }
    Ok(())
}

/// Whether the text has objects at these keys and the last one is not a server entry itself.
pub fn has_object(text: &str, keys: &[&str]) -> bool {
    let root = CstRootNode::parse(text, &ParseOptions::default()).ok();
    let object = root.and_then(|root| root.value()?.as_object());
    object.and_then(|object| below(&object, keys)).is_some_and(|object| object.get("command").is_none())
}

/// The object at these keys, if all of them exist.
fn below(root: &CstObject, keys: &[&str]) -> Option<CstObject> {
    keys.iter().try_fold(root.clone(), |object, key| object.object_value(key))
}

/// Our hooks at this event, each with the array that holds it.
fn hooks_of(root: &CstObject, event: &str, verb: &str) -> Vec<(CstArray, CstNode)> {
    let array = root.object_value("hooks").and_then(|hooks| hooks.array_value(event));
    array.map(|array| hooks_in(&array, verb)).unwrap_or_default()
}

fn hooks_in(groups: &CstArray, verb: &str) -> Vec<(CstArray, CstNode)> {
    let groups = groups.elements().into_iter().filter_map(|group| group.as_object()?.array_value("hooks"));
    let hooks = groups.flat_map(|group| group.elements().into_iter().map(move |hook| (group.clone(), hook)));
    hooks
        .filter(|(_, hook)| {
            let command =
                hook.as_object().and_then(|hook| hook.get("command")).map(|member| value_of(&member));
            command.is_some_and(|command| command.as_str().is_some_and(|command| is_our_hook(command, verb)))
        })
        .collect()
}

/// The object `{ "hooks": […] }` around the array.
fn group_of(list: &CstArray) -> Option<CstObject> {
    list.parent()?.as_object_prop()?.parent()?.as_object()
}

fn remove_if_empty(root: &CstObject, keys: &[String]) {
    let Some((last, path)) = keys.split_last() else { return };
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let Some(member) = below(root, &path).and_then(|object| object.get(last)) else { return };
    let node: Option<CstContainerNode> =
        member.object_value().map(Into::into).or_else(|| member.array_value().map(Into::into));
    // Keep containers with comments: the user wrote them.
    let is_empty = node.is_some_and(|node| {
        node.children_exclude_trivia_and_tokens().is_empty()
            && !node.children().iter().any(CstNode::is_comment)
    });
    if is_empty {
        member.remove();
    }
}

fn value_of(member: &CstObjectProp) -> Value {
    member.to_serde_value().unwrap_or(Value::Null)
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(truth) => CstInputValue::Bool(*truth),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(list) => CstInputValue::Array(list.iter().map(input).collect()),
        Value::Object(members) => {
            CstInputValue::Object(members.iter().map(|(name, value)| (name.clone(), input(value))).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(syntax: Syntax) -> Config {
        let server = vec![("command", json!("/opt/griot")), ("args", json!(["mcp"]))];
        let hook = Entry::Hook {
            event: "SessionEnd",
            command: "griot hook session-end".into(),
            verb: "session-end",
            seconds: 60,
        };
        let entries = vec![Entry::Server { keys: &["mcp", "servers"], value: server }, hook];
        Config { path: "x.json".into(), syntax, entries, force: false }
    }

    fn value(text: &str) -> Value {
        let root =
            CstRootNode::parse(text.trim_start_matches(BOM), &ParseOptions::default()).expect("it is JSON5");
        root.to_serde_value().unwrap_or_else(|| json!({}))
    }

    /// In every layout, entries can be added and removed without changing other values or comments.
    #[test]
    fn entries_come_and_go_in_every_layout() {
        let inner = [
            "",
            "\"x\": {\"command\": \"y\"}",
            "\"x\": {\"command\": \"y\"}, // a\n\"z\": 1",
            "/* b */",
            "// c\n",
        ];
        let outer = [
            "",
            "{}",
            "{ \n }",
            "{\"mcp\":{\"servers\":{INNER}}}",
            "{\n  \"mcp\": {\n    \"servers\": {\n      INNER\n    }\n  }\n}\n",
            "{\n\t\"a\": [1, 2],\n\t\"mcp\": { INNER\n },\n\t\"b\": null\n}",
            "// top\n{\"hooks\": {INNER\n}, \"mcp\": {\"servers\": {}}, // end\n}\n// after\n",
            "\u{FEFF}{\r\n  \"hooks\": {\r\n    \"SessionEnd\": [ ]\r\n  }\r\n}\r\n",
            "{\"hooks\": {\"SessionEnd\": [{\"matcher\": \"*\", \
             \"hooks\": [{\"type\": \"command\", \"command\": \"bye\"}]},]}}",
        ];
        let config = config(Syntax::Json5);
        let comments = |text: &str| (text.matches("//").count(), text.matches("/*").count());
        for outer in outer {
            for inner in inner {
                let text = outer.replace("INNER", inner);
                let after = config.add(&text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
                let held = value(&after.text);
                assert_eq!(
                    held["mcp"]["servers"]["griot"],
                    json!({"command": "/opt/griot", "args": ["mcp"]}),
                    "{text:?}"
                );
                assert_eq!(config.contains(&after.text), Ok(vec![true, true]), "{text:?}");
                assert_eq!(comments(&after.text), comments(&text), "{text:?}");
                assert_eq!(
                    config.add(&after.text).map(|again| again.text),
                    Ok(after.text.clone()),
                    "{text:?}"
                );

                let rest = config
                    .remove(&after.text, &after.created)
                    .unwrap_or_else(|error| panic!("{text:?}: {error}"));
                assert_eq!(value(&rest), value(&text), "{text:?}\n{}\n{rest}", after.text);
                assert_eq!(comments(&rest), comments(&text), "{text:?}\n{rest}");
                assert_eq!(config.remove(&rest, &[]), Ok(rest.clone()));
            }
        }
    }
}

//! The generated half of `sdk/python`: `types.py` and `_verbs.py`.

use std::fmt::Write;

use super::document::{Answer, Document, Field, Kind, Named, Shape, Verb};

const MADE: &str = "Made by `cargo xtask codegen` from the server's OpenAPI document; changes here are lost.";

/// Words that cannot be a name; as a parameter they get a `_` behind.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
    "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
    "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

pub fn types(document: &Document) -> String {
    let mut page = format!(
        "\"\"\"What the server answers, as plain dicts with known keys.\n\n{MADE}\n\"\"\"\n\n\
         from __future__ import annotations\n\n\
         import sys\n\
         from typing import TYPE_CHECKING, Any, TypedDict, Union\n\n\
         if sys.version_info >= (3, 11):\n    from typing import NotRequired\n\
         elif TYPE_CHECKING:\n    from typing_extensions import NotRequired\n\n\
         __all__ = [\n"
    );
    for named in &document.types {
        push(&mut page, format_args!("    \"{}\",", named.name));
    }
    page.push_str("]\n");
    // An alias is evaluated where it stands: after the classes.
    let is_alias = |named: &&Named| matches!(named.shape, Shape::Alias(_));
    for named in document.types.iter().filter(|named| !is_alias(named)) {
        if let Shape::Object(fields) = &named.shape {
            object(&mut page, named, fields);
        }
    }
    for named in document.types.iter().filter(is_alias) {
        if let Shape::Alias(kind) = &named.shape {
            push(&mut page, format_args!("\n{} = {}", named.name, alias(kind)));
            if !named.doc.is_empty() {
                push(&mut page, format_args!("\"\"\"{}\"\"\"", named.doc));
            }
        }
    }
    page
}

fn object(page: &mut String, named: &Named, fields: &[Field]) {
    let kind = |field: &Field| {
        let kind = spelled(&field.kind, "list", "");
        if field.required { kind } else { format!("NotRequired[{kind}]") }
    };
    let has_keyword = fields.iter().any(|field| KEYWORDS.contains(&field.name.as_str()));
    page.push_str("\n\n");
    if has_keyword {
        push(page, format_args!("{0} = TypedDict(\n    \"{0}\",\n    {{", named.name));
        for field in fields {
            if !field.doc.is_empty() {
                push(page, format_args!("        # {}", field.doc));
            }
            push(page, format_args!("        \"{}\": \"{}\",", field.name, kind(field)));
        }
        page.push_str("    },\n)\n");
        push(page, format_args!("\"\"\"{}\"\"\"", named.doc));
        return;
    }
    push(page, format_args!("class {}(TypedDict):", named.name));
    if !named.doc.is_empty() {
        push(page, format_args!("    \"\"\"{}\"\"\"\n", named.doc));
    }
    for field in fields {
        push(page, format_args!("    {}: {}", field.name, kind(field)));
        if !field.doc.is_empty() {
            push(page, format_args!("    \"\"\"{}\"\"\"", field.doc.replace('\\', "\\\\")));
        }
    }
    if fields.is_empty() && named.doc.is_empty() {
        page.push_str("    pass\n");
    }
}

/// Evaluated at run time, where Python 3.10 knows no `|` between names in quotes.
fn alias(kind: &Kind) -> String {
    match kind {
        Kind::Either(kinds) => format!("Union[{}]", kinds.iter().map(alias).collect::<Vec<_>>().join(", ")),
        kind => spelled(kind, "list", ""),
    }
}

/// `list` is what stands for a list, `module` what stands before a name.
fn spelled(kind: &Kind, list: &str, module: &str) -> String {
    match kind {
        Kind::Text => "str".to_string(),
        Kind::Integer => "int".to_string(),
        Kind::Number => "float".to_string(),
        Kind::Truth => "bool".to_string(),
        Kind::Null => "None".to_string(),
        Kind::Any => "Any".to_string(),
        Kind::List(inner) => format!("{list}[{}]", spelled(inner, list, module)),
        Kind::Map(inner) => format!("dict[str, {}]", spelled(inner, list, module)),
        Kind::Named(name) => format!("{module}{name}"),
        Kind::Either(kinds) => {
            kinds.iter().map(|kind| spelled(kind, list, module)).collect::<Vec<_>>().join(" | ")
        }
    }
}

pub fn verbs(document: &Document) -> String {
    let mut page = format!(
        "\"\"\"One method for each verb, the same for both clients.\n\n{MADE}\n\"\"\"\n\n\
         from __future__ import annotations\n\n\
         from abc import ABC, abstractmethod\n\
         from collections.abc import Mapping, Sequence\n\
         from typing import Any, cast\n\n\
         from . import types\n\
         from ._verb import Verb\n\n"
    );
    for verb in &document.verbs {
        let role = verb.role.as_ref().map_or("None".to_string(), |role| format!("\"{role}\""));
        push(
            &mut page,
            format_args!(
                "{} = Verb(\"{}\", \"{}\", \"{}\", {role})",
                snake(&verb.name).to_uppercase(),
                snake(&verb.name),
                verb.method,
                verb.path
            ),
        );
    }
    page.push_str("\nVERBS = (\n");
    for verb in &document.verbs {
        push(&mut page, format_args!("    {},", snake(&verb.name).to_uppercase()));
    }
    page.push_str(")\n\nREFUSALS = (\n");
    for refusal in &document.refusals {
        push(&mut page, format_args!("    \"{refusal}\","));
    }
    page.push_str(")\n");
    for (class, word, wait) in [("Verbs", "", ""), ("AsyncVerbs", "async ", "await ")] {
        push(
            &mut page,
            format_args!(
                "\n\nclass {class}(ABC):\n    @abstractmethod\n    {word}def _ask(\n        self, verb: Verb, arguments: Mapping[str, Any], timeout: float | None\n    ) -> Any: ..."
            ),
        );
        for verb in &document.verbs {
            method(&mut page, verb, word, wait);
        }
    }
    page
}

fn method(page: &mut String, verb: &Verb, word: &str, wait: &str) {
    let answer = match &verb.answer {
        Answer::Json(Kind::Any) => "dict[str, Any]".to_string(),
        Answer::Json(kind) => spelled(kind, "list", "types."),
        Answer::Text => "str".to_string(),
        Answer::Stream(_) => return,
    };
    let name = snake(&verb.name);
    push(page, format_args!("\n    {word}def {name}(\n        self,"));
    let mut is_by_name = false;
    for parameter in &verb.parameters {
        if !parameter.required && !is_by_name {
            page.push_str("        *,\n");
            is_by_name = true;
        }
        let kind = spelled(&parameter.kind, "Sequence", "types.");
        let kind = match (parameter.required, kind.ends_with("None")) {
            (true, _) => kind,
            (false, true) => format!("{kind} = None"),
            (false, false) => format!("{kind} | None = None"),
        };
        push(page, format_args!("        {}: {kind},", parameter_name(&parameter.name)));
    }
    if !is_by_name {
        page.push_str("        *,\n");
    }
    push(page, format_args!("        timeout: float | None = None,\n    ) -> {answer}:"));
    push(page, format_args!("        \"\"\"{}.", verb.summary));
    let documented: Vec<&Field> =
        verb.parameters.iter().filter(|parameter| !parameter.doc.is_empty()).collect();
    if documented.is_empty() {
        page.truncate(page.len() - 1);
        page.push_str("\"\"\"\n");
    } else {
        page.push('\n');
        for parameter in documented {
            push(
                page,
                format_args!(
                    "        {}: {}",
                    parameter_name(&parameter.name),
                    parameter.doc.replace('\\', "\\\\")
                ),
            );
        }
        page.push_str("        \"\"\"\n");
    }
    page.push_str("        arguments: dict[str, Any] = {");
    if !verb.parameters.is_empty() {
        page.push('\n');
        for parameter in &verb.parameters {
            push(
                page,
                format_args!("            \"{}\": {},", parameter.name, parameter_name(&parameter.name)),
            );
        }
        page.push_str("        ");
    }
    page.push_str("}\n");
    push(
        page,
        format_args!(
            "        return cast(\"{answer}\", {wait}self._ask({}, arguments, timeout))",
            name.to_uppercase()
        ),
    );
}

fn parameter_name(name: &str) -> String {
    let name = snake(name);
    if KEYWORDS.contains(&name.as_str()) { format!("{name}_") } else { name }
}

fn snake(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

fn push(page: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = writeln!(page, "{line}");
}

#[cfg(test)]
mod tests {
    use super::super::document::tests::SMALL;
    use super::*;

    #[test]
    fn a_key_that_python_cannot_name_is_a_key_all_the_same() {
        let types = types(&Document::read(SMALL).expect("it is right"));
        assert!(types.contains("        # What is with it.\n        \"with\": \"str | None\",\n"), "{types}");
        assert!(types.contains("        \"sound\": \"NotRequired[bool]\",\n"), "{types}");
        assert!(types.contains("class Changed(TypedDict):\n    revision: int\n"), "{types}");
        assert!(types.contains("Label = Union[str, float]\n\"\"\"A label.\"\"\"\n"), "{types}");
    }

    #[test]
    fn a_verb_is_a_method_of_both_clients() {
        let verbs = verbs(&Document::read(SMALL).expect("it is right"));
        assert!(
            verbs.contains("ONE_THING = Verb(\"one_thing\", \"GET\", \"/v1/things/{name}\", \"read\")\n"),
            "{verbs}"
        );
        assert_eq!(verbs.matches("    def add_thing(").count(), 1);
        assert_eq!(verbs.matches("    async def add_thing(").count(), 1);
        assert!(verbs.contains("        from_: str,\n        *,\n        tags: Sequence[str] | None = None,\n        label: types.Label | None = None,\n"), "{verbs}");
        assert!(verbs.contains("            \"from\": from_,\n"), "{verbs}");
        assert!(!verbs.contains("def events"), "a stream is read by hand");
    }
}

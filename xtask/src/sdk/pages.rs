//! The document as the templates of the SDKs see it, with each type spelled in both languages.

use minijinja::Environment;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use serde_json::{Value, json};

use super::document::{Answer, Document, Field, Kind, Named, Shape, Verb};

const MADE: &str = "Made by `cargo xtask codegen` from the server's OpenAPI document; changes here are lost.";

/// Words that cannot be a name in Python; as a parameter they get a `_` behind.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
    "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
    "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

pub fn render(template: &str, document: &Document) -> Result<String, String> {
    let cannot = |error| format!("cannot write an SDK: {error:#}");
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
    let mut page = Environment::new();
    page.set_syntax(syntax.build().map_err(cannot)?);
    let context = json!({
        "made": MADE,
        "types": document.types.iter().map(named).collect::<Vec<_>>(),
        "verbs": document.verbs.iter().map(verb).collect::<Vec<_>>(),
        "refusals": document.refusals,
    });
    page.render_str(template, Serde(context)).map_err(cannot)
}

fn named(of: &Named) -> Value {
    match &of.shape {
        Shape::Object(fields) => json!({
            "name": of.name, "doc": of.doc,
            "has_keyword": fields.iter().any(|field| KEYWORDS.contains(&field.name.as_str())),
            "fields": fields.iter().map(field).collect::<Vec<_>>(),
        }),
        Shape::Alias(kind) => json!({
            "name": of.name, "doc": of.doc, "python": alias(kind), "typescript": typescript(kind, ""),
        }),
    }
}

fn field(of: &Field) -> Value {
    let kind = python(&of.kind, "list", "");
    let name = snake(&of.name);
    json!({
        "name": of.name, "doc": of.doc, "required": of.required,
        "python": if of.required { kind } else { format!("NotRequired[{kind}]") },
        "argument": python(&of.kind, "Sequence", "types."),
        "parameter": if KEYWORDS.contains(&name.as_str()) { format!("{name}_") } else { name },
        "typescript": typescript(&of.kind, ""),
    })
}

fn verb(of: &Verb) -> Value {
    let answer = match &of.answer {
        Answer::Json(Kind::Any) => {
            json!({"python": "dict[str, Any]", "typescript": "Record<string, unknown>"})
        }
        Answer::Json(kind) => {
            json!({"python": python(kind, "list", "types."), "typescript": typescript(kind, "types.")})
        }
        Answer::Text => json!({"python": "str", "typescript": "string"}),
        Answer::Stream(_) => Value::Null,
    };
    let (first, rest) = of.name.split_at(of.name.len().min(1));
    json!({
        "name": of.name, "summary": of.summary, "method": of.method, "path": of.path, "role": of.role,
        "python": snake(&of.name),
        "request": format!("{}{rest}Request", first.to_ascii_uppercase()),
        "parameters": of.parameters.iter().map(field).collect::<Vec<_>>(),
        "answer": answer,
    })
}

/// `list` is the name of a list, `module` precedes the name of a type.
fn python(kind: &Kind, list: &str, module: &str) -> String {
    let inside = |kind: &Kind| python(kind, list, module);
    match kind {
        Kind::Text => "str".to_string(),
        Kind::Integer => "int".to_string(),
        Kind::Number => "float".to_string(),
        Kind::Truth => "bool".to_string(),
        Kind::Null => "None".to_string(),
        Kind::Any => "Any".to_string(),
        Kind::List(inner) => format!("{list}[{}]", inside(inner)),
        Kind::Map(inner) => format!("dict[str, {}]", inside(inner)),
        Kind::Named(name) => format!("{module}{name}"),
        Kind::Either(kinds) => kinds.iter().map(inside).collect::<Vec<_>>().join(" | "),
    }
}

/// Evaluated at run time, where Python 3.10 knows no `|` between names in quotes.
fn alias(kind: &Kind) -> String {
    match kind {
        Kind::Either(kinds) => format!("Union[{}]", kinds.iter().map(alias).collect::<Vec<_>>().join(", ")),
        kind => python(kind, "list", ""),
    }
}

fn typescript(kind: &Kind, module: &str) -> String {
    let inside = |kind: &Kind| typescript(kind, module);
    match kind {
        Kind::Text => "string".to_string(),
        Kind::Integer | Kind::Number => "number".to_string(),
        Kind::Truth => "boolean".to_string(),
        Kind::Null => "null".to_string(),
        Kind::Any => "unknown".to_string(),
        Kind::List(inner) if matches!(inner.as_ref(), Kind::Either(_)) => format!("({})[]", inside(inner)),
        Kind::List(inner) => format!("{}[]", inside(inner)),
        Kind::Map(inner) => format!("Record<string, {}>", inside(inner)),
        Kind::Named(name) => format!("{module}{name}"),
        Kind::Either(kinds) => kinds.iter().map(inside).collect::<Vec<_>>().join(" | "),
    }
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

#[cfg(test)]
mod tests {
    use super::super::document::tests::SMALL;
    use super::super::{FILES, generated_from};

    #[test]
    fn types_and_methods_follow_the_document() {
        let files = generated_from(SMALL).expect("it is right");
        let has = |file: usize, expected: &str| {
            let (name, text) = (FILES[file].0, &files[file].1);
            assert!(text.contains(expected), "{name} lacks {expected}\n{text}");
        };
        // A key that Python cannot name is a key all the same.
        has(0, "        # What is with it.\n        \"with\": \"str | None\",\n");
        has(0, "        \"sound\": \"NotRequired[bool]\",\n");
        has(0, "class Changed(TypedDict):\n    revision: int\n");
        has(0, "Label = Union[str, float]\n\"\"\"A label.\"\"\"\n");

        has(1, "ONE_THING = Verb(\"one_thing\", \"GET\", \"/v1/things/{name}\", \"read\")\n");
        // A verb is a method of both clients; a stream is read by hand.
        assert_eq!(files[1].1.matches("    def add_thing(").count(), 1);
        assert_eq!(files[1].1.matches("    async def add_thing(").count(), 1);
        let parameters = "        from_: str,\n        *,\n        tags: Sequence[str] | None = None,\n\
                          \x20       label: types.Label | None = None,\n";
        has(1, parameters);
        has(1, "            \"from\": from_,\n");
        assert!(!files[1].1.contains("def events"));

        let thing = "/** A thing. */\nexport interface Thing {\n  /** What is with it. */\n\
                     \x20 with: string | null;\n  counts: Record<string, number>;\n  sound?: boolean;\n}\n";
        has(2, thing);
        let request = "export interface AddThingRequest {\n  /** Where it comes from. */\n  from: string;\n\
                       \x20 tags?: string[];\n";
        has(2, request);
        let method = "  addThing(request: types.AddThingRequest, options?: CallOptions): \
                      Promise<types.Thing[]> {\n";
        has(3, method);
        has(3, "  health(options?: CallOptions): Promise<string> {\n");
    }
}

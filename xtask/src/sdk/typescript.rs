//! The generated half of `sdk/typescript`: `types.ts` and `verbs.ts`.

use std::fmt::Write;

use super::document::{Answer, Document, Field, Kind, Shape};

const MADE: &str = "Made by `cargo xtask codegen` from the server's OpenAPI document; changes here are lost.";

pub fn types(document: &Document) -> String {
    let mut page = format!("// What is asked and answered. {MADE}\n");
    for named in &document.types {
        page.push('\n');
        comment(&mut page, "", &named.doc);
        match &named.shape {
            Shape::Object(fields) => object(&mut page, &named.name, fields),
            Shape::Alias(kind) => {
                push(&mut page, format_args!("export type {} = {};", named.name, spelled(kind)))
            }
        }
    }
    for verb in document.verbs.iter().filter(|verb| !verb.parameters.is_empty()) {
        page.push('\n');
        comment(&mut page, "", &format!("What `{}` takes.", verb.name));
        object(&mut page, &request(&verb.name), &verb.parameters);
    }
    page
}

fn object(page: &mut String, name: &str, fields: &[Field]) {
    push(page, format_args!("export interface {name} {{"));
    for field in fields {
        comment(page, "  ", &field.doc);
        let optional = if field.required { "" } else { "?" };
        push(page, format_args!("  {}{optional}: {};", field.name, spelled(&field.kind)));
    }
    page.push_str("}\n");
}

fn comment(page: &mut String, indent: &str, doc: &str) {
    if !doc.is_empty() {
        push(page, format_args!("{indent}/** {} */", doc.replace("*/", "*\\/")));
    }
}

fn request(verb: &str) -> String {
    let mut letters = verb.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    format!("{}{}Request", first.map(String::from).unwrap_or_default(), letters.as_str())
}

fn spelled(kind: &Kind) -> String {
    match kind {
        Kind::Text => "string".to_string(),
        Kind::Integer | Kind::Number => "number".to_string(),
        Kind::Truth => "boolean".to_string(),
        Kind::Null => "null".to_string(),
        Kind::Any => "unknown".to_string(),
        Kind::List(inner) => match inner.as_ref() {
            Kind::Either(_) => format!("({})[]", spelled(inner)),
            _ => format!("{}[]", spelled(inner)),
        },
        Kind::Map(inner) => format!("Record<string, {}>", spelled(inner)),
        Kind::Named(name) => name.clone(),
        Kind::Either(kinds) => kinds.iter().map(spelled).collect::<Vec<_>>().join(" | "),
    }
}

pub fn verbs(document: &Document) -> String {
    let mut page = format!(
        "// One method for each verb. {MADE}\n\n\
         import type * as types from \"./types.js\";\n\
         import type {{ CallOptions, Verb }} from \"./verb.js\";\n\n\
         export const VERBS = {{\n"
    );
    for verb in &document.verbs {
        let role = verb.role.as_ref().map_or("null".to_string(), |role| format!("\"{role}\""));
        push(
            &mut page,
            format_args!(
                "  {0}: {{ name: \"{0}\", method: \"{1}\", path: \"{2}\", role: {role} }},",
                verb.name, verb.method, verb.path
            ),
        );
    }
    page.push_str("} as const satisfies Record<string, Verb>;\n\nexport const REFUSALS = [\n");
    for refusal in &document.refusals {
        push(&mut page, format_args!("  \"{refusal}\","));
    }
    page.push_str(
        "] as const;\n\nexport abstract class Verbs {\n  \
         protected abstract ask(verb: Verb, request: object, options?: CallOptions): Promise<unknown>;\n",
    );
    for verb in &document.verbs {
        let answer = match &verb.answer {
            Answer::Json(Kind::Any) => "Record<string, unknown>".to_string(),
            Answer::Json(kind) => from_types(kind),
            Answer::Text => "string".to_string(),
            Answer::Stream(_) => continue,
        };
        let name = &verb.name;
        page.push('\n');
        comment(&mut page, "  ", &format!("{}.", verb.summary));
        let (parameter, value) = if verb.parameters.is_empty() {
            (String::new(), "{}")
        } else {
            let default =
                if verb.parameters.iter().any(|parameter| parameter.required) { "" } else { " = {}" };
            (format!("request: types.{}{default}, ", request(name)), "request")
        };
        push(&mut page, format_args!("  {name}({parameter}options?: CallOptions): Promise<{answer}> {{"));
        push(
            &mut page,
            format_args!("    return this.ask(VERBS.{name}, {value}, options) as Promise<{answer}>;\n  }}"),
        );
    }
    page.push_str("}\n");
    page
}

fn from_types(kind: &Kind) -> String {
    match kind {
        Kind::Named(name) => format!("types.{name}"),
        Kind::List(inner) => format!("{}[]", from_types(inner)),
        kind => spelled(kind),
    }
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
    fn types_and_methods_follow_the_document() {
        let document = Document::read(SMALL).expect("it is right");
        let types = types(&document);
        assert!(types.contains("/** A thing. */\nexport interface Thing {\n  /** What is with it. */\n  with: string | null;\n  counts: Record<string, number>;\n  sound?: boolean;\n}\n"), "{types}");
        assert!(types.contains("export interface AddThingRequest {\n  /** Where it comes from. */\n  from: string;\n  tags?: string[];\n"), "{types}");
        let verbs = verbs(&document);
        assert!(
            verbs.contains(
                "  addThing(request: types.AddThingRequest, options?: CallOptions): Promise<types.Thing[]> {\n"
            ),
            "{verbs}"
        );
        assert!(verbs.contains("  health(options?: CallOptions): Promise<string> {\n"), "{verbs}");
    }
}

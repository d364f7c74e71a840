//! The clients in `sdk/`: their generated half, and their tests against the real server.
//!
//! The document is printed by the binary, from the table of routes that it answers by. What can be read off
//! it (types, methods, kinds of refusals) is generated from templates; how a request travels is written by
//! hand in each language.

mod document;
mod suite;

use std::path::Path;

use minijinja::Environment;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;

use crate::program;
pub use suite::test;

/// What is generated, and from which template.
pub const FILES: [(&str, &str); 4] = [
    ("sdk/python/src/griot/types.py", include_str!("types.py.jinja")),
    ("sdk/python/src/griot/_verbs.py", include_str!("verbs.py.jinja")),
    ("sdk/typescript/src/types.ts", include_str!("types.ts.jinja")),
    ("sdk/typescript/src/verbs.ts", include_str!("verbs.ts.jinja")),
];

/// Each of [`FILES`] with its text.
pub fn generated(root: &Path) -> Result<Vec<(&'static str, String)>, String> {
    generated_from(&program::printed(root, "openapi")?)
}

fn generated_from(openapi: &str) -> Result<Vec<(&'static str, String)>, String> {
    let cannot = |error| format!("cannot write an SDK: {error:#}");
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
    let mut page = Environment::new();
    page.set_syntax(syntax.build().map_err(cannot)?);
    let document = document::read(openapi)?;
    let render = |template| page.render_str(template, Serde(&document)).map_err(cannot);
    FILES.into_iter().map(|(name, template)| Ok((name, render(template)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_methods_follow_the_document() {
        let files = generated_from(include_str!("small.json")).expect("it is right");
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

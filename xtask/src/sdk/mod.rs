//! The clients in `sdk/`: their generated half, and their tests against the real server.
//!
//! The document is printed by the binary, from the table of routes that it answers by. What can be read off
//! it (types, methods, kinds of refusals) is generated; how a request travels is written by hand in each
//! language.

mod document;
mod pages;
mod suite;

use std::path::Path;

use crate::program;
use document::Document;
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
    let document = Document::read(openapi)?;
    FILES.into_iter().map(|(name, template)| Ok((name, pages::render(template, &document)?))).collect()
}

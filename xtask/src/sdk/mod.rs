//! The clients in `sdk/`: their generated half, and their tests against the real server.
//!
//! The document is printed by the binary, from the table of routes that it answers by. What can be read off
//! it (types, methods, kinds of refusals) is generated; how a request travels is written by hand in each
//! language.

mod document;
mod python;
mod suite;
mod typescript;

use std::path::Path;

use crate::program;
use document::Document;
pub use suite::test;

/// What is generated.
pub const FILES: [&str; 4] = [
    "sdk/python/src/griot/types.py",
    "sdk/python/src/griot/_verbs.py",
    "sdk/typescript/src/types.ts",
    "sdk/typescript/src/verbs.ts",
];

/// Each of [`FILES`] with its text.
pub fn generated(root: &Path) -> Result<Vec<(&'static str, String)>, String> {
    let document = Document::read(&program::printed(root, "openapi")?)?;
    let texts = [
        python::types(&document),
        python::verbs(&document),
        typescript::types(&document),
        typescript::verbs(&document),
    ];
    Ok(FILES.into_iter().zip(texts).collect())
}

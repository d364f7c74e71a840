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

/// Each generated file with its text.
pub fn generated(root: &Path) -> Result<[(&'static str, String); 4], String> {
    let document = Document::read(&program::printed(root, "openapi")?)?;
    Ok([
        ("sdk/python/src/griot/types.py", python::types(&document)),
        ("sdk/python/src/griot/_verbs.py", python::verbs(&document)),
        ("sdk/typescript/src/types.ts", typescript::types(&document)),
        ("sdk/typescript/src/verbs.ts", typescript::verbs(&document)),
    ])
}

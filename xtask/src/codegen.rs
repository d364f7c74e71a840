//! The pages of `docs/reference` and the JSON Schema beside them, printed by the binary from the tables it
//! runs on, so that they cannot say anything else; and the generated half of the SDKs (see `sdk`).

use std::fs;
use std::path::Path;

use crate::program::printed;
use crate::sdk;

/// What `griot reference` prints, and where it stands.
pub const PAGES: [(&str, &str); 6] = [
    ("cli", "docs/reference/cli.md"),
    ("settings", "docs/reference/settings.md"),
    ("formats", "docs/reference/formats.md"),
    ("json", "docs/reference/json.md"),
    ("http", "docs/reference/http.md"),
    ("schema", "docs/reference/griot.schema.json"),
];

/// Every generated file with its text.
pub fn files(root: &Path) -> Result<Vec<(&'static str, String)>, String> {
    let pages = PAGES.into_iter().map(|(page, name)| Ok((name, printed(root, page)?)));
    let mut files = pages.collect::<Result<Vec<_>, String>>()?;
    files.extend(sdk::generated(root)?);
    Ok(files)
}

pub fn write(root: &Path) -> Result<(), String> {
    for (name, text) in files(root)? {
        let path = root.join(name);
        let folder = path.parent().unwrap_or(root);
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&path, text))
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        println!("{}", path.display());
    }
    Ok(())
}

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

pub fn write(root: &Path) -> Result<(), String> {
    let folder = root.join("docs/reference");
    fs::create_dir_all(&folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    for (page, name) in PAGES {
        let path = root.join(name);
        fs::write(&path, printed(root, page)?)
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        println!("{}", path.display());
    }
    for (name, text) in sdk::generated(root)? {
        let path = root.join(name);
        fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        println!("{}", path.display());
    }
    Ok(())
}

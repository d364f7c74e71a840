//! The pages of `docs/reference` and the JSON Schema beside them, printed by the binary from the tables it
//! runs on, so that they cannot say anything else; and the generated half of the SDKs (see `sdk`).

use std::fs;
use std::path::Path;

use crate::program::cargo;
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

/// The page as the binary prints it; `openapi` is one, too.
pub fn printed(root: &Path, page: &str) -> Result<String, String> {
    let output = cargo(root, &["run", "--quiet", "--package", "griot-cli", "--", "reference", page])
        .stderr(std::process::Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if !output.status.success() {
        return Err(format!("cannot print the reference page {page}: griot ended with {}", output.status));
    }
    String::from_utf8(output.stdout)
        .map_err(|error| format!("the reference page {page} is not UTF-8: {error}"))
}

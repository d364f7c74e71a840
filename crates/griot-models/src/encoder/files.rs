//! Files of JSON in a model's folder.

use std::fs;
use std::path::Path;

use serde::de::DeserializeOwned;

pub(crate) fn required<T: DeserializeOwned>(folder: &Path, name: &str) -> Result<T, String> {
    optional(folder, name)?.ok_or_else(|| format!("it holds no {name}"))
}

/// `None` if the file is not there.
pub(crate) fn optional<T: DeserializeOwned>(folder: &Path, name: &str) -> Result<Option<T>, String> {
    match fs::read(folder.join(name)) {
        Ok(bytes) => {
            serde_json::from_slice(&bytes).map(Some).map_err(|e| format!("{name} cannot be read: {e}"))
        }
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(format!("{name} cannot be read: {e}")),
    }
}

//! Opens the embedder that the settings select, and the one that made the vectors of a workspace.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use griot::embed::Embedder;
use griot::engine::{EmbedderModel, EmbedderSettings, Settings};
use griot::model::{Error, Result};
use griot_models::ServerEmbedder;

/// `None` for the built-in one. The ledger of a server's embedder is beside the database.
pub fn open(settings: &Settings, database: &Path) -> Result<Option<Arc<dyn Embedder>>> {
    let embedder = &settings.embedder;
    match embedder.model {
        EmbedderModel::Builtin => Ok(None),
        EmbedderModel::Minilm => minilm(embedder).map(Some),
        EmbedderModel::Api => Ok(Some(Arc::new(ServerEmbedder::new(embedder, &settings.model, database)?))),
    }
}

/// Opens embedders that the settings no longer select.
pub struct Former {
    settings: Settings,
    database: PathBuf,
    /// The model in the folder, once it was loaded and is another than the one that was wanted: loading it
    /// again, for each question, would take a second of some.
    in_folder: Mutex<Option<String>>,
}

impl Former {
    pub fn new(settings: &Settings, database: &Path) -> Self {
        Self { settings: settings.clone(), database: database.to_path_buf(), in_folder: Mutex::default() }
    }

    /// The one with this name.
    pub fn open(&self, name: &str) -> Result<Arc<dyn Embedder>> {
        let Settings { embedder, model, .. } = &self.settings;
        if let Some(server) = ServerEmbedder::former(name, embedder, model, &self.database)? {
            return Ok(Arc::new(server));
        }
        let mut known = self.in_folder.lock().unwrap_or_else(PoisonError::into_inner);
        let other = match known.as_deref() {
            Some(other) if other != name => other.to_string(),
            _ => {
                let found = minilm(embedder)?;
                if found.name() == name {
                    return Ok(found);
                }
                known.insert(found.name().to_string()).clone()
            }
        };
        let why = format!("`embedder.path` has the model `{other}`");
        Err(Error::unavailable(format!("open the embedder `{name}`"), why).hint(
            "griot config set embedder.path FOLDER, the one of that model, and embedder.passage_prefix as it \
                 was",
        ))
    }
}

#[cfg(feature = "minilm")]
fn minilm(settings: &EmbedderSettings) -> Result<Arc<dyn Embedder>> {
    if settings.path.as_os_str().is_empty() {
        return Err(Error::invalid("use the embedder `minilm`", "`embedder.path` is not set")
            .hint("griot config set embedder.path FOLDER"));
    }
    let prefixes = griot_models::Prefixes {
        query: settings.query_prefix.clone(),
        passage: settings.passage_prefix.clone(),
    };
    Ok(Arc::new(griot_models::SentenceEncoder::open(&settings.path, &prefixes)?))
}

#[cfg(not(feature = "minilm"))]
fn minilm(_: &EmbedderSettings) -> Result<Arc<dyn Embedder>> {
    Err(Error::unavailable("use the embedder `minilm`", "this griot was built without it").hint(
        "griot config set embedder.model builtin \
         (or build with `cargo install --path crates/griot-cli --features minilm`)",
    ))
}

#[cfg(all(test, feature = "minilm"))]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_another_model_is_loaded_once() {
        let textbook = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../griot-models/tests/data/textbook"));
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["config.json", "vocab.txt", "model.safetensors"] {
            std::fs::copy(textbook.join(name), folder.path().join(name)).expect("copied");
        }
        let mut settings = Settings::default();
        settings.embedder.path = folder.path().to_path_buf();
        let own = minilm(&settings.embedder).expect("a whole model").name().to_string();
        let former = Former::new(&settings, &folder.path().join("griot.db"));
        let why = |name: &str| former.open(name).err().expect("it is not there").why;
        assert_eq!(former.open(&own).expect("it is in the folder").name(), own);
        assert_eq!(why("bert-1x1-0"), format!("`embedder.path` has the model `{own}`"));
        drop(folder);
        assert_eq!(why("bert-1x1-0"), format!("`embedder.path` has the model `{own}`"));
        assert_eq!(why(&own), "there is no such folder");
    }
}

//! Opens the embedder that the settings select, and the one that made the vectors of a workspace.

use std::path::Path;
use std::sync::Arc;

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

/// The embedder with this name, which the settings no longer select.
pub fn former(name: &str, settings: &Settings, database: &Path) -> Result<Arc<dyn Embedder>> {
    let embedder = &settings.embedder;
    if let Some(server) = ServerEmbedder::former(name, embedder, &settings.model, database)? {
        return Ok(Arc::new(server));
    }
    let found = minilm(embedder)?;
    if found.name() != name {
        let why = format!("`embedder.path` has the model `{}`", found.name());
        return Err(Error::unavailable(format!("open the embedder `{name}`"), why));
    }
    Ok(found)
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

//! Opens the embedder that the settings select.

use std::sync::Arc;

use griot::embed::Embedder;
use griot::engine::{EmbedderModel, EmbedderSettings};
use griot::model::{Error, Result};

/// `None` for the built-in one.
pub fn open(settings: &EmbedderSettings) -> Result<Option<Arc<dyn Embedder>>> {
    match settings.model {
        EmbedderModel::Builtin => Ok(None),
        EmbedderModel::Minilm => minilm(settings).map(Some),
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

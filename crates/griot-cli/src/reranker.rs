//! Opens the reranker that the settings select.

use std::path::Path;
use std::sync::Arc;

use griot::engine::{RerankProvider, RerankerSettings, Settings};
use griot::model::{Error, Result};
use griot::recall::Reranker;
use griot_models::ServerReranker;

/// `None` if they select none. The ledger of a service is beside the database.
pub fn open(settings: &Settings, database: &Path) -> Result<Option<Arc<dyn Reranker>>> {
    if settings.reranker.provider == RerankProvider::Minilm {
        return minilm(&settings.reranker).map(Some);
    }
    let service = ServerReranker::new(&settings.reranker, &settings.model, database);
    Ok(service.map(|service| -> Arc<dyn Reranker> { Arc::new(service) }))
}

const WHAT: &str = "use the reranker `minilm`";

#[cfg(feature = "minilm")]
fn minilm(settings: &RerankerSettings) -> Result<Arc<dyn Reranker>> {
    if settings.path.as_os_str().is_empty() {
        return Err(
            Error::invalid(WHAT, "`reranker.path` is not set").hint("griot config set reranker.path FOLDER")
        );
    }
    Ok(Arc::new(griot_models::CrossEncoder::open(settings)?))
}

#[cfg(not(feature = "minilm"))]
fn minilm(_: &RerankerSettings) -> Result<Arc<dyn Reranker>> {
    Err(Error::unavailable(WHAT, "this griot was built without it").hint(
        "griot config set reranker.provider off \
         (or build with `cargo install --path crates/griot-cli --features minilm`)",
    ))
}

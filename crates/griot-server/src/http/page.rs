//! The page for people: the built files of `web`, compiled into the binary and served before a key is asked
//! for. The page asks the same routes as every other client.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use include_dir::{Dir, include_dir};

use super::{App, guard};
use crate::failure::{Failure, Kind};

static BUILT: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../web/dist");

const INDEX: &str = "index.html";
/// Files whose names hold a hash of their content.
const ASSETS: &str = "assets/";

/// No script, style or connection but those of this server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

struct File {
    content: &'static [u8],
    kind: &'static str,
    tag: HeaderValue,
    caching: &'static str,
}

static FILES: LazyLock<BTreeMap<String, File>> = LazyLock::new(|| {
    let mut files = BTreeMap::new();
    collect(&BUILT, &mut files);
    files
});

fn collect(folder: &'static Dir<'static>, files: &mut BTreeMap<String, File>) {
    for file in folder.files() {
        // Paths of other systems may have another separator.
        let parts: Vec<_> = file.path().iter().map(|part| part.to_string_lossy()).collect();
        let path = parts.join("/");
        let hash = blake3::hash(file.contents()).to_hex();
        let Ok(tag) = HeaderValue::from_str(&format!("W/\"{}\"", &hash[..32])) else { continue };
        let caching =
            if path.starts_with(ASSETS) { "public, max-age=31536000, immutable" } else { "no-cache" };
        let kind = kind_of(&path);
        files.insert(path, File { content: file.contents(), kind, tag, caching });
    }
    folder.dirs().for_each(|inner| collect(inner, files));
}

fn kind_of(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "webp" => "image/webp",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

pub fn routes(router: Router<Arc<App>>) -> Router<Arc<App>> {
    let index = |headers: HeaderMap| async move { answer(INDEX, &headers) };
    let asset = |Path(path): Path<String>, headers: HeaderMap| async move {
        answer(&format!("{ASSETS}{path}"), &headers)
    };
    router.route("/", get(index)).route("/knowledge", get(index)).route("/assets/{*path}", get(asset))
}

fn answer(path: &str, headers: &HeaderMap) -> Response {
    let Some(file) = FILES.get(path) else {
        return guard::refuse(
            Failure::new(Kind::NoRoute, "answer", "there is no such file").hint("GET / is the page"),
        );
    };
    let mut response = if has(headers, &file.tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Body::from(Bytes::from_static(file.content)).into_response()
    };
    let answered = response.headers_mut();
    answered.insert(header::ETAG, file.tag.clone());
    let fixed: [(HeaderName, &'static str); 4] = [
        (header::CONTENT_TYPE, file.kind),
        (header::CACHE_CONTROL, file.caching),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    for (name, value) in fixed {
        answered.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Whether a client says that it has what this tag names.
pub fn has(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let bare = |text: &str| text.trim().trim_start_matches("W/").to_string();
    let Ok(own) = tag.to_str().map(bare) else { return false };
    let known = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    known.flat_map(|value| value.split(',')).any(|one| one.trim() == "*" || bare(one) == own)
}

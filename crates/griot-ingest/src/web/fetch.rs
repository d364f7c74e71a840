//! One HTTP request and its response.
//!
//! Redirects are returned, not followed, so that the caller can check each hop. Size and total time of a
//! response are limited, so that neither an endless nor a trickling body blocks a thread. Proxies from the
//! environment are ignored: the address guard could not check what they connect to.

use std::io::Read;
use std::time::{Duration, Instant};

use ureq::Agent;
use ureq::http::header::{
    CONTENT_TYPE, ETAG, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED, LOCATION, RETRY_AFTER,
};
use ureq::http::{HeaderMap, HeaderName};
use ureq::unversioned::resolver::DefaultResolver;
use ureq::unversioned::transport::DefaultConnector;
use url::Url;

use super::address::{Guard, REFUSED};

/// Upper bound of a server's Retry-After.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(60);
/// After this long, a body must arrive at no less than [`MIN_RATE`] bytes per second.
const SLOW_AFTER: Duration = Duration::from_secs(5);
const MIN_RATE: u64 = 512;
const ACCEPT: &str =
    "text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.8,application/xml;q=0.7,*/*;q=0.1";

pub(crate) struct Fetcher {
    agent: Agent,
}

/// Validators of the last response, for a conditional request.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Validators {
    pub(crate) etag: Option<String>,
    pub(crate) modified: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Oversize {
    /// Reject a body above the limit.
    Reject,
    /// Keep what is within the limit.
    Truncate,
}

pub(crate) enum Response {
    Body(Body),
    /// Not modified since the validators were issued.
    Unchanged,
    /// The Location header, resolved against the request's address.
    Redirect(Url),
    /// Any status that is not a success, a redirect or worth a retry.
    Refused(u16),
}

pub(crate) struct Body {
    pub(crate) bytes: Vec<u8>,
    /// MIME type in lower case without parameters; empty if the server sent none.
    pub(crate) kind: String,
    pub(crate) charset: Option<String>,
    pub(crate) validators: Validators,
}

pub(crate) struct FetchError {
    pub(crate) why: String,
    /// `Some` if a retry may help: the wait that the server asks for, or zero.
    pub(crate) retry: Option<Duration>,
}

impl FetchError {
    fn permanent(why: impl Into<String>) -> Self {
        Self { why: why.into(), retry: None }
    }

    fn transient(why: impl Into<String>) -> Self {
        Self { why: why.into(), retry: Some(Duration::ZERO) }
    }
}

impl Fetcher {
    pub(crate) fn new(timeout: Duration, allow_private: bool, user_agent: &str) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .user_agent(user_agent)
            .accept(ACCEPT)
            .timeout_global(Some(timeout))
            .timeout_connect(Some(timeout.min(Duration::from_secs(10))))
            .build();
        let guard = Guard { allow_private, inner: DefaultResolver::default() };
        Self { agent: Agent::with_parts(config, DefaultConnector::default(), guard) }
    }

    pub(crate) fn get(
        &self,
        url: &Url,
        known: &Validators,
        limit: u64,
        over: Oversize,
    ) -> Result<Response, FetchError> {
        let mut request = self.agent.get(url.as_str());
        for (name, value) in [(IF_NONE_MATCH, &known.etag), (IF_MODIFIED_SINCE, &known.modified)] {
            if let Some(value) = value {
                request = request.header(name, value);
            }
        }
        let response = request.call().map_err(failure)?;
        let (parts, body) = response.into_parts();
        let header = |name| text(&parts.headers, name);
        match parts.status.as_u16() {
            200..=299 => {
                let content = header(CONTENT_TYPE).unwrap_or_default();
                let mut words = content.split(';').map(str::trim);
                let kind = words.next().unwrap_or_default().to_ascii_lowercase();
                let charset = words
                    .find_map(|word| word.to_ascii_lowercase().strip_prefix("charset=").map(str::to_string))
                    .map(|name| name.trim_matches(['"', '\'']).to_string());
                let validators = Validators { etag: header(ETAG), modified: header(LAST_MODIFIED) };
                let begun = Instant::now();
                let bytes = read(body.into_reader(), limit, over, &|| begun.elapsed())?;
                Ok(Response::Body(Body { bytes, kind, charset, validators }))
            }
            304 if *known != Validators::default() => Ok(Response::Unchanged),
            301 | 302 | 303 | 307 | 308 => {
                let location = header(LOCATION)
                    .ok_or_else(|| FetchError::permanent("it redirects without saying where to"))?;
                let target = url.join(&location).map_err(|error| {
                    FetchError::permanent(format!("it redirects to an invalid address: {error}"))
                })?;
                Ok(Response::Redirect(target))
            }
            status @ (408 | 425 | 429 | 500 | 502 | 503 | 504) => {
                let asked = header(RETRY_AFTER).and_then(|wait| wait.trim().parse::<u64>().ok()).unwrap_or(0);
                let retry = Some(Duration::from_secs(asked).min(MAX_RETRY_AFTER));
                Err(FetchError { why: format!("the server answered {status}"), retry })
            }
            status => Ok(Response::Refused(status)),
        }
    }
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<String> {
    headers.get(name)?.to_str().ok().map(str::to_string)
}

/// Reads the body up to the limit. A body that trickles is abandoned: it would block its thread.
fn read(
    mut body: impl Read,
    limit: u64,
    over: Oversize,
    elapsed: &dyn Fn() -> Duration,
) -> Result<Vec<u8>, FetchError> {
    let mut bytes = Vec::new();
    let mut piece = vec![0; 64 * 1024];
    loop {
        let count = match body.read(&mut piece) {
            Ok(0) => return Ok(bytes),
            Ok(count) => count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(failure(ureq::Error::from(error))),
        };
        bytes.extend_from_slice(&piece[..count]);
        if bytes.len() as u64 > limit {
            bytes.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
            return match over {
                Oversize::Reject => Err(FetchError::permanent(format!("it is larger than {limit} bytes"))),
                Oversize::Truncate => Ok(bytes),
            };
        }
        let elapsed = elapsed();
        if elapsed > SLOW_AFTER && (bytes.len() as u64) < MIN_RATE.saturating_mul(elapsed.as_secs()) {
            return Err(FetchError::permanent(format!("it arrives slower than {MIN_RATE} bytes per second")));
        }
    }
}

fn failure(error: ureq::Error) -> FetchError {
    match error {
        ureq::Error::Other(why) if why.to_string() == REFUSED => {
            FetchError::permanent(format!("{REFUSED} (allow it with --allow-private)"))
        }
        ureq::Error::Timeout(_) => FetchError::transient("the server did not answer in time"),
        ureq::Error::HostNotFound => FetchError::permanent("there is no such host"),
        // TLS handshake errors arrive wrapped in I/O errors.
        ureq::Error::Io(error) if error.get_ref().is_some_and(|inner| inner.is::<rustls::Error>()) => {
            FetchError::permanent(format!("the connection is not secure: {error}"))
        }
        ureq::Error::Io(error) => match error.kind() {
            std::io::ErrorKind::UnexpectedEof => {
                FetchError::transient("the answer ended before its announced length")
            }
            _ => FetchError::transient(error.to_string()),
        },
        ureq::Error::Rustls(error) => FetchError::permanent(format!("the connection is not secure: {error}")),
        ureq::Error::Tls(why) => FetchError::permanent(format!("the connection is not secure: {why}")),
        other @ (ureq::Error::ConnectionFailed | ureq::Error::Protocol(_)) => {
            FetchError::transient(other.to_string())
        }
        other => FetchError::permanent(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::io::Read;
    use std::time::Duration;

    use super::{Oversize, read};

    /// One byte per read, and one read per second.
    struct Drip<'a>(&'a Cell<u64>);

    impl Read for Drip<'_> {
        fn read(&mut self, piece: &mut [u8]) -> std::io::Result<usize> {
            self.0.set(self.0.get() + 1);
            piece[0] = b'x';
            Ok(1)
        }
    }

    #[test]
    fn a_trickling_body_is_abandoned() {
        let seconds = Cell::new(0);
        let slow = read(Drip(&seconds), 1000, Oversize::Reject, &|| Duration::from_secs(seconds.get()));
        assert!(slow.is_err_and(|failure| failure.why.contains("slower") && failure.retry.is_none()));
        assert!(seconds.get() < 10, "{seconds:?}");
        let fast = read(Drip(&seconds), 1000, Oversize::Truncate, &|| Duration::ZERO);
        assert_eq!(fast.map(|bytes| bytes.len()).map_err(|failure| failure.why), Ok(1000));
    }
}

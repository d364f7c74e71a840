//! One request and what came of it.
//!
//! Redirects are not followed here but answered, so that whoever asked can check each hop. An answer is
//! limited in size and in time as a whole, so that neither a body without an end nor one that drips holds
//! anybody up. Proxies of the environment are not used: what they connect to, the guard could not see.

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

/// A server that asks for a longer wait is tried again after this.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// From then on a body has to come with so many bytes a second.
const DRIP_AFTER: Duration = Duration::from_secs(5);
const LEAST_RATE: u64 = 512;
const ACCEPT: &str =
    "text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.8,application/xml;q=0.7,*/*;q=0.1";

pub(crate) struct Fetcher {
    agent: Agent,
}

/// What is known from the last time.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Condition {
    pub(crate) etag: Option<String>,
    pub(crate) modified: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Over {
    /// A body above the limit is refused.
    Refuse,
    /// What is within the limit is enough.
    Cut,
}

pub(crate) enum Answer {
    Body(Body),
    /// What is known is still so.
    Unchanged,
    /// As the server wrote it, joined to the address that was asked.
    Moved(Url),
    /// Another status than 2xx, 3xx.
    Refused(u16),
}

pub(crate) struct Body {
    pub(crate) bytes: Vec<u8>,
    /// Lower case, without parameters; empty if the server does not say.
    pub(crate) kind: String,
    pub(crate) charset: Option<String>,
    pub(crate) condition: Condition,
}

pub(crate) struct Failure {
    pub(crate) why: String,
    /// Trying again may help; the wait that the server asks for, if it does.
    pub(crate) retry: Option<Duration>,
}

impl Failure {
    fn for_good(why: impl Into<String>) -> Self {
        Self { why: why.into(), retry: None }
    }

    fn for_now(why: impl Into<String>) -> Self {
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

    pub(crate) fn ask(
        &self,
        url: &Url,
        known: &Condition,
        limit: u64,
        over: Over,
    ) -> Result<Answer, Failure> {
        let mut request = self.agent.get(url.as_str());
        if let Some(etag) = &known.etag {
            request = request.header(IF_NONE_MATCH, etag);
        }
        if let Some(modified) = &known.modified {
            request = request.header(IF_MODIFIED_SINCE, modified);
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
                let condition = Condition { etag: header(ETAG), modified: header(LAST_MODIFIED) };
                let begun = Instant::now();
                let bytes = read(body.into_reader(), limit, over, &|| begun.elapsed())?;
                Ok(Answer::Body(Body { bytes, kind, charset, condition }))
            }
            304 if *known != Condition::default() => Ok(Answer::Unchanged),
            301 | 302 | 303 | 307 | 308 => {
                let place = header(LOCATION)
                    .ok_or_else(|| Failure::for_good("it redirects without saying where to"))?;
                let place = url
                    .join(&place)
                    .map_err(|error| Failure::for_good(format!("it redirects to nowhere: {error}")))?;
                Ok(Answer::Moved(place))
            }
            status @ (408 | 425 | 429 | 500 | 502 | 503 | 504) => {
                let asked = header(RETRY_AFTER).and_then(|wait| wait.trim().parse::<u64>().ok()).unwrap_or(0);
                let retry = Some(Duration::from_secs(asked).min(LONGEST_WAIT));
                Err(Failure { why: format!("the server answered {status}"), retry })
            }
            status => Ok(Answer::Refused(status)),
        }
    }
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<String> {
    headers.get(name)?.to_str().ok().map(str::to_string)
}

/// Reads the body, up to the limit. One that drips is left: it would hold whoever waits for it.
fn read(
    mut body: impl Read,
    limit: u64,
    over: Over,
    elapsed: &dyn Fn() -> Duration,
) -> Result<Vec<u8>, Failure> {
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
                Over::Refuse => Err(Failure::for_good(format!("it has more than {limit} bytes"))),
                Over::Cut => Ok(bytes),
            };
        }
        let elapsed = elapsed();
        if elapsed > DRIP_AFTER && (bytes.len() as u64) < LEAST_RATE.saturating_mul(elapsed.as_secs()) {
            return Err(Failure::for_good(format!("it comes slower than {LEAST_RATE} bytes a second")));
        }
    }
}

fn failure(error: ureq::Error) -> Failure {
    match error {
        ureq::Error::Other(why) if why.to_string() == REFUSED => {
            Failure::for_good(format!("{REFUSED} (allow it with --allow-private)"))
        }
        ureq::Error::Timeout(_) => Failure::for_now("the server did not answer in time"),
        ureq::Error::HostNotFound => Failure::for_good("there is no such host"),
        // Trouble of a handshake comes wrapped.
        ureq::Error::Io(error) if error.get_ref().is_some_and(|inner| inner.is::<rustls::Error>()) => {
            Failure::for_good(format!("the connection is not secure: {error}"))
        }
        ureq::Error::Io(error) => match error.kind() {
            std::io::ErrorKind::UnexpectedEof => {
                Failure::for_now("the answer ended before its announced length")
            }
            _ => Failure::for_now(error.to_string()),
        },
        ureq::Error::Rustls(error) => Failure::for_good(format!("the connection is not secure: {error}")),
        ureq::Error::Tls(why) => Failure::for_good(format!("the connection is not secure: {why}")),
        other @ (ureq::Error::ConnectionFailed | ureq::Error::Protocol(_)) => {
            Failure::for_now(other.to_string())
        }
        other => Failure::for_good(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::io::Read;
    use std::time::Duration;

    use super::{Over, read};

    /// A byte at a time.
    struct Drip<'a>(&'a Cell<u64>);

    impl Read for Drip<'_> {
        fn read(&mut self, piece: &mut [u8]) -> std::io::Result<usize> {
            self.0.set(self.0.get() + 1);
            piece[0] = b'x';
            Ok(1)
        }
    }

    #[test]
    fn a_page_that_drips_is_left() {
        let seconds = Cell::new(0);
        let slow = read(Drip(&seconds), 1000, Over::Refuse, &|| Duration::from_secs(seconds.get()));
        assert!(slow.is_err_and(|failure| failure.why.contains("slower") && failure.retry.is_none()));
        assert!(seconds.get() < 10, "{seconds:?}");
        let fast = read(Drip(&seconds), 1000, Over::Cut, &|| Duration::ZERO);
        assert_eq!(fast.map(|bytes| bytes.len()).map_err(|failure| failure.why), Ok(1000));
    }
}

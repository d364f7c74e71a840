//! Which addresses belong to a crawl, and the normal form of an address.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use griot::model::{Error, Result};
use url::Url;

/// Bytes; longer addresses are typical of generated link loops.
const MAX_LENGTH: usize = 2000;
/// Repetitions of one path segment, as in `/a/b/a/b/a/b/a`: a sign of wrong relative links.
const MAX_REPEATS: usize = 3;
/// Query parameters that track visitors and do not change the page.
const TRACKING: [&str; 8] = ["fbclid", "gclid", "msclkid", "mc_cid", "mc_eid", "igshid", "yclid", "_ga"];

/// Normal form, so that a page has one address: no fragment, credentials, tracking parameters, default port
/// or empty query. `None` if it cannot be a page.
pub(crate) fn normal(mut url: Url) -> Option<Url> {
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() || url.as_str().len() > MAX_LENGTH {
        return None;
    }
    url.set_fragment(None);
    url.set_username("").ok()?;
    url.set_password(None).ok()?;
    if url.query().is_some() {
        let is_tracking = |part: &str| {
            let name = part.split('=').next().unwrap_or_default().to_ascii_lowercase();
            name.starts_with("utm_") || TRACKING.contains(&name.as_str())
        };
        let query = url.query().unwrap_or_default();
        let kept: Vec<&str> =
            query.split('&').filter(|part| !part.is_empty() && !is_tracking(part)).collect();
        let kept = kept.join("&");
        url.set_query((!kept.is_empty()).then_some(kept.as_str()));
    }
    let mut segments: Vec<&str> = url.path_segments()?.filter(|segment| !segment.is_empty()).collect();
    segments.sort_unstable();
    let repeats = segments.chunk_by(|a, b| a == b).map(<[&str]>::len).max().unwrap_or(0);
    (repeats <= MAX_REPEATS).then_some(url)
}

pub(crate) fn parse(text: &str) -> Result<Url> {
    let cannot = |why: String| {
        Error::invalid(format!("crawl `{text}`"), why).hint("griot crawl https://example.org/docs/")
    };
    let url = Url::parse(text.trim()).map_err(|error| cannot(error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(cannot(format!("`{}` is not http or https", url.scheme())));
    }
    normal(url).ok_or_else(|| cannot("not the address of a page".into()))
}

/// Scheme, host and port.
pub(crate) fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// What a crawl follows: its own origin, or what the allow globs match, without what the block globs match.
#[derive(Debug)]
pub(crate) struct Scope {
    origins: Vec<String>,
    allow: Option<GlobSet>,
    block: GlobSet,
}

impl Scope {
    pub(crate) fn new(start: &Url, allow: &[String], block: &[String]) -> Result<Self> {
        let allow = if allow.is_empty() { None } else { Some(globs(allow)?) };
        Ok(Self { origins: vec![origin(start)], allow, block: globs(block)? })
    }

    /// Adds the origin that the start address redirected to.
    pub(crate) fn add_origin(&mut self, url: &Url) {
        let origin = origin(url);
        if !self.origins.contains(&origin) {
            self.origins.push(origin);
        }
    }

    pub(crate) fn is_own(&self, url: &Url) -> bool {
        self.origins.contains(&origin(url))
    }

    /// Globs match the whole address or the path. Allow globs over addresses may include other sites; allow
    /// globs over paths apply to the crawl's own site.
    pub(crate) fn contains(&self, url: &Url) -> bool {
        let path = url.path();
        if self.block.is_match(url.as_str()) || self.block.is_match(path) {
            return false;
        }
        match &self.allow {
            None => self.is_own(url),
            Some(allow) => allow.is_match(url.as_str()) || (self.is_own(url) && allow.is_match(path)),
        }
    }
}

fn globs(patterns: &[String]) -> Result<GlobSet> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let cannot = |error: globset::Error| {
            Error::invalid(format!("read the pattern `{pattern}`"), error.kind().to_string())
                .hint("example: `*/docs/*`")
        };
        set.add(GlobBuilder::new(pattern).literal_separator(false).build().map_err(cannot)?);
    }
    set.build().map_err(|error| Error::invalid("read the patterns", error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).expect("an address")
    }

    #[test]
    fn one_page_has_one_address() {
        for (written, one) in [
            ("HTTP://Example.ORG:80/a/../b?utm_source=x&q=1#top", Some("http://example.org/b?q=1")),
            ("https://u:p@example.org/?fbclid=3", Some("https://example.org/")),
            ("https://example.org/a/b/a/b/a/b/a/b/", None),
            ("ftp://example.org/", None),
        ] {
            assert_eq!(normal(url(written)).map(String::from), one.map(str::to_string), "{written}");
        }
        assert_eq!(normal(url(&format!("http://example.org/{}", "x".repeat(3000)))), None);
        assert!(parse("file:///etc/passwd").is_err() && parse("example.org").is_err());
    }

    #[test]
    fn a_crawl_stays_on_its_site_unless_globs_allow_others() {
        let globs = |list: &[&str]| list.iter().map(|glob| (*glob).to_string()).collect::<Vec<_>>();
        let scope = |allow: &[&str], block: &[&str]| {
            Scope::new(&url("https://example.org/docs/"), &globs(allow), &globs(block)).expect("globs")
        };
        assert!(scope(&[], &[]).contains(&url("https://example.org/x")));
        assert!(!scope(&[], &[]).contains(&url("http://example.org/x")));
        assert!(!scope(&[], &[]).contains(&url("https://example.org.evil.net/x")));
        assert!(!scope(&["/docs/**"], &[]).contains(&url("https://other.org/docs/x")));
        assert!(scope(&["/docs/**"], &[]).contains(&url("https://example.org/docs/x")));
        assert!(scope(&["https://other.org/**"], &[]).contains(&url("https://other.org/docs/x")));
        assert!(!scope(&[], &["*/docs/old*"]).contains(&url("https://example.org/docs/old/x")));
        assert!(Scope::new(&url("https://example.org/"), &globs(&["["]), &[]).is_err());
    }
}

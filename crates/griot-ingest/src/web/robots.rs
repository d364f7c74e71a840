//! robots.txt (RFC 9309): Allow, Disallow, Crawl-delay, Sitemap.
//!
//! Own code, because the crates for it are unmaintained. Parsing takes time linear in the length of the
//! file, and no pattern can make matching slow.

use std::time::Duration;

use percent_encoding::percent_decode_str;

/// Bytes that are read; RFC 9309 requires at least 500 KiB.
pub(crate) const LIMIT: u64 = 500 * 1024;
/// Seconds. A longer Crawl-delay would stall the crawl, so it is capped.
const MAX_DELAY: f64 = 60.0;
/// Wildcards per pattern; the pattern is cut there, because each may cost a pass over the path.
const MAX_WILDCARDS: usize = 20;

#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Robots {
    /// Whether the rule allows, and its pattern.
    rules: Vec<(bool, String)>,
    pub(crate) delay: Option<Duration>,
    /// As written in the file, possibly relative.
    pub(crate) sitemaps: Vec<String>,
}

impl Robots {
    /// `user_agent`: the part before the first `/` is the product name that a group may address.
    pub(crate) fn parse(text: &str, user_agent: &str) -> Self {
        let product = user_agent.split('/').next().unwrap_or_default().trim().to_ascii_lowercase();
        let (mut own, mut general) = (None, Self::default());
        let mut sitemaps = Vec::new();
        let (mut for_us, mut for_all) = (false, false);
        let mut naming = false;
        for line in text.trim_start_matches('\u{FEFF}').split(['\n', '\r']) {
            let line = line.split('#').next().unwrap_or_default();
            let Some((key, value)) = line.split_once(':') else { continue };
            let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
            if key == "user-agent" {
                if !naming {
                    (for_us, for_all) = (false, false);
                }
                naming = true;
                let name = value.split('/').next().unwrap_or_default().trim().to_ascii_lowercase();
                for_us |= name == product;
                for_all |= name == "*";
                if for_us {
                    own.get_or_insert_with(Self::default);
                }
                continue;
            }
            if key == "sitemap" {
                sitemaps.push(value.to_string());
                continue;
            }
            naming = false;
            let ours = own.as_mut().filter(|_| for_us);
            for group in ours.into_iter().chain(for_all.then_some(&mut general)) {
                match key.as_str() {
                    "allow" | "disallow" if !value.is_empty() => {
                        group.rules.push((key == "allow", pattern(value)))
                    }
                    "crawl-delay" => group.delay = delay(value).or(group.delay),
                    _ => {}
                }
            }
        }
        Self { sitemaps, ..own.unwrap_or(general) }
    }

    /// Disallows everything: the file could not be read.
    pub(crate) fn closed() -> Self {
        Self { rules: vec![(false, "/".into())], ..Self::default() }
    }

    /// Keeps the sitemaps only, for owners who crawl their own site.
    pub(crate) fn without_rules(self) -> Self {
        Self { sitemaps: self.sitemaps, ..Self::default() }
    }

    /// The longest matching pattern decides; of equally long ones, an Allow.
    pub(crate) fn allows(&self, path: &str) -> bool {
        if path == "/robots.txt" {
            return true;
        }
        let path = decoded(path);
        let matching = self.rules.iter().filter(|(_, pattern)| matches(pattern, &path));
        matching
            .max_by_key(|(allowed, pattern)| (pattern.len(), *allowed))
            .is_none_or(|(allowed, _)| *allowed)
    }
}

fn delay(value: &str) -> Option<Duration> {
    let seconds = value.parse::<f64>().ok().filter(|seconds| seconds.is_finite() && *seconds >= 0.0)?;
    Some(Duration::from_secs_f64(seconds.min(MAX_DELAY)))
}

fn pattern(value: &str) -> String {
    let mut stars = 0;
    let kept: String = value
        .chars()
        .take_while(|&c| {
            stars += usize::from(c == '*');
            stars <= MAX_WILDCARDS
        })
        .collect();
    decoded(&kept)
}

/// Decodes `%7E` to `~` and the like; `/`, `*`, `$` and `%` stay encoded, because they have a meaning.
fn decoded(text: &str) -> String {
    let encoded_twice = |text: String, code: &str| text.replace(&format!("%{code}"), &format!("%25{code}"));
    let text = ["25", "2F", "2f", "2A", "2a", "24"].into_iter().fold(text.to_string(), encoded_twice);
    percent_decode_str(&text).decode_utf8_lossy().into_owned()
}

fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, to_end) = match pattern.strip_suffix('$') {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let mut pieces = pattern.split('*');
    let Some(mut rest) = path.strip_prefix(pieces.next().unwrap_or_default()) else { return false };
    let pieces: Vec<&str> = pieces.collect();
    for (position, piece) in pieces.iter().enumerate() {
        if to_end && position + 1 == pieces.len() {
            return rest.ends_with(piece);
        }
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    !to_end || rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_rule_decides() {
        let robots = Robots::parse(
            "User-agent: *\nDisallow: /private\nAllow: /private/open\nDisallow: /*.pdf$\n\
             Disallow: /a%7Eb\nCrawl-delay: 1.5\nSitemap: https://example.org/map.xml\nDisallow:\n",
            "griot/1",
        );
        for (path, allowed) in [
            ("/", true),
            ("/private", false),
            ("/private/x", false),
            ("/private/open/x", true),
            ("/x/a.pdf", false),
            ("/x/a.pdf?page=1", true),
            ("/a~b", false),
            ("/robots.txt", true),
        ] {
            assert_eq!(robots.allows(path), allowed, "{path}");
        }
        assert_eq!(robots.delay, Some(Duration::from_millis(1500)));
        assert_eq!(robots.sitemaps, ["https://example.org/map.xml"]);
    }

    #[test]
    fn our_own_group_replaces_the_general_one() {
        let robots = Robots::parse(
            "User-agent: *\nDisallow: /\n\nUser-agent: other\nUser-agent: Griot/1.0\nDisallow: /no\n",
            "griot/1",
        );
        assert!(robots.allows("/yes") && !robots.allows("/no"));
        let empty = Robots::parse("User-agent: griot\nUser-agent: *\nDisallow: /x", "griot/1");
        assert!(!empty.allows("/x"));
        assert!(
            Robots::parse("User-agent: *\nDisallow: /\nUser-agent: griot\nDisallow:", "griot/1").allows("/x")
        );
        assert!(!Robots::closed().allows("/x"));
    }

    #[test]
    fn malformed_files_allow_everything() {
        assert!(Robots::parse("\u{0}\u{FEFF}::::\nDisallow: /\n%%%", "griot/1").allows("/x"));
        let stars = format!("User-agent: *\nDisallow: /{}x$", "*a".repeat(10_000));
        assert!(Robots::parse(&stars, "griot/1").allows("/b")); // the truncated pattern still needs an `a`
        assert!(Robots::parse("User-agent: *\nCrawl-delay: NaN\nCrawl-delay: -3", "griot/1").delay.is_none());
    }
}

//! Rate limit per site.
//!
//! Each request takes a turn, whichever thread makes it; a longer delay that a site asks for takes
//! precedence. The caller passes the time in.

use std::collections::HashMap;
use std::time::{Duration, Instant};

#[derive(Debug)]
pub(crate) struct Pace {
    pause: Duration,
    next: HashMap<String, Instant>,
}

impl Pace {
    /// `rate`: requests per second and site; 0 is unlimited.
    pub(crate) fn new(rate: f64) -> Self {
        let pause =
            if rate > 0.0 { Duration::from_secs_f64((1.0 / rate).min(3600.0)) } else { Duration::ZERO };
        Self { pause, next: HashMap::new() }
    }

    /// Takes the site's turn if it has come. `asked`: the delay that the site asks for.
    pub(crate) fn take(&mut self, site: &str, asked: Option<Duration>, now: Instant) -> bool {
        if self.next.get(site).is_some_and(|next| *next > now) {
            return false;
        }
        let pause = self.pause.max(asked.unwrap_or_default());
        if pause > Duration::ZERO {
            self.next.insert(site.to_string(), now + pause);
        }
        true
    }

    /// Makes no request to the site before `until`.
    pub(crate) fn hold(&mut self, site: &str, until: Instant) {
        let next = self.next.entry(site.to_string()).or_insert(until);
        *next = (*next).max(until);
    }

    /// When the next turn of any site comes.
    pub(crate) fn next(&self, now: Instant) -> Option<Instant> {
        self.next.values().copied().filter(|at| *at > now).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_site_has_its_own_rate() {
        let (start, half) = (Instant::now(), Duration::from_millis(500));
        let mut pace = Pace::new(2.0);
        assert!(pace.take("a", None, start));
        assert!(!pace.take("a", None, start + half / 2));
        assert!(pace.take("b", None, start + half / 2));
        assert!(pace.take("a", Some(4 * half), start + half));
        assert!(!pace.take("a", Some(4 * half), start + 2 * half));
        assert_eq!(pace.next(start + 2 * half), Some(start + 5 * half));
        pace.hold("a", start + 9 * half);
        assert!(!pace.take("a", None, start + 8 * half) && pace.take("a", None, start + 9 * half));
        let mut free = Pace::new(0.0);
        assert!((0..100).all(|_| free.take("a", None, start)));
        assert_eq!(free.next(start), None);
    }
}

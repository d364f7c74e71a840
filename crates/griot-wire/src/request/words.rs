//! Converts the words of requests to the engine's values: times, intents, kinds, bounds. Errors list the
//! known words or suggest the nearest.

use std::path::{Component, Path};

use griot::engine::{Engine, GraphsToBuild, WhyDirection};
use griot::model::{
    CATALOGUE, EdgeKind, EntityType, Error, Family, Interval, Layer, OriginKind, Predicate, Provenance,
    Result, Source, SourceId, Tier, Timestamp,
};
use griot::recall::Effort;
use griot::rollout::{Mode, Strategy};
use griot::text::{Intent, parse_time, time_expressions};
use griot_ingest::{CrawlMode, ReadOptions};

use crate::settings::nearest;

/// RFC 3339, a date, or words such as `yesterday`, relative to `now`.
pub fn read_time(text: &str, now: Timestamp) -> Result<Timestamp> {
    means_one_day(text)?;
    parse_time(text, now).ok_or_else(|| {
        Error::invalid(format!("read the time `{text}`"), "it is neither a date nor an expression of time")
            .hint("write 2024-05-03, 2024-05-03T09:30:00Z, \"yesterday\" or \"two weeks ago\"")
    })
}

/// Refuses `11/12/2026`, which is in November for some and in December for others.
fn means_one_day(text: &str) -> Result<()> {
    let date = text.split([' ', ',']).find(|part| part.contains('/')).unwrap_or_default();
    let parts: Vec<u16> = date.split('/').map_while(|part| part.parse().ok()).collect();
    match *parts.as_slice() {
        [a @ 1..=12, b @ 1..=12, year @ 1000..=9999] if a != b => {
            let [one, other] = [(a, b), (b, a)].map(|(month, day)| format!("{year}-{month:02}-{day:02}"));
            Err(Error::invalid(format!("read the time `{text}`"), format!("it may be {one} or {other}"))
                .hint(format!("write {one} or {other}")))
        }
        _ => Ok(()),
    }
}

/// When something ends: a time as [`read_time`] reads it, or how long from `now`: `90m`, `8h`, `30d`, `2w`.
pub fn read_end(text: &str, now: Timestamp) -> Result<Timestamp> {
    means_one_day(text)?;
    let at = match length(text.trim()) {
        Some(milliseconds) => Timestamp(now.0.saturating_add(milliseconds)),
        None => parse_time(text, now).ok_or_else(|| {
            Error::invalid(format!("read the end `{text}`"), "it is neither a time nor a length of time")
                .hint("write 8h, 30d, 2026-12-31 or 2026-12-31T18:00:00Z")
        })?,
    };
    if at > now {
        Ok(at)
    } else {
        Err(Error::invalid(format!("let it end at `{text}`"), "that is over already"))
    }
}

/// A whole number and a unit, in milliseconds.
fn length(text: &str) -> Option<i64> {
    let unit = text.chars().next_back()?;
    let milliseconds = match unit {
        's' => Timestamp::SECOND,
        'm' => 60 * Timestamp::SECOND,
        'h' => Timestamp::HOUR,
        'd' => Timestamp::DAY,
        'w' => 7 * Timestamp::DAY,
        _ => return None,
    };
    let number: u32 = text[..text.len() - unit.len_utf8()].trim_end().parse().ok()?;
    i64::from(number).checked_mul(milliseconds)
}

/// The span that an expression of time denotes: a day for a date, a month for `2024-05`.
pub fn span(text: &str, now: Timestamp) -> Result<Interval> {
    means_one_day(text)?;
    let expressions = time_expressions(text, now);
    if let [expression] = expressions.as_slice()
        && expression.bytes.len() == text.trim().len()
    {
        return Ok(expression.interval);
    }
    let at = read_time(text, now)?;
    Ok(Interval::new(at, Timestamp(at.0 + 1)))
}

/// `since` and `until` as one span; both ends belong to it.
pub fn between(since: Option<&str>, until: Option<&str>, now: Timestamp) -> Result<Option<Interval>> {
    if since.is_none() && until.is_none() {
        return Ok(None);
    }
    let start = since.map(|text| span(text, now)).transpose()?.map_or(Timestamp::EARLIEST, |span| span.start);
    let end = until.map(|text| span(text, now)).transpose()?.map_or(Timestamp::LATEST, |span| span.end);
    if end <= start {
        return Err(Error::invalid("use these times", "the period ends before it begins"));
    }
    Ok(Some(Interval::new(start, end)))
}

fn named<T>(found: Option<T>, noun: &str, name: &str, missing: &str, hint: impl Into<String>) -> Result<T> {
    found.ok_or_else(|| {
        Error::invalid(format!("use the {noun} `{name}`"), format!("there is no such {missing}")).hint(hint)
    })
}

/// The nearest known name, or all of them.
fn nearest_of<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    match nearest(name, known.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => one_of(known),
    }
}

/// A hint with all known names.
pub(crate) fn one_of<'a>(known: impl Iterator<Item = &'a str>) -> String {
    format!("use one of {}", known.collect::<Vec<_>>().join(", "))
}

pub fn intent(name: &str) -> Result<Intent> {
    let found = Intent::parse(&name.to_lowercase());
    named(found, "intent", name, "intent", "use why, when, entity or general")
}

/// The directions of `why`, with their meanings.
pub(crate) const DIRECTIONS: [(&str, &str, WhyDirection); 3] = [
    ("causes", "Its causes", WhyDirection::Causes),
    ("consequences", "Its consequences", WhyDirection::Consequences),
    ("both", "", WhyDirection::Both),
];

pub fn direction(name: &str) -> Result<WhyDirection> {
    let found = DIRECTIONS.iter().find(|(known, ..)| *known == name).map(|(.., direction)| *direction);
    named(found, "direction", name, "direction", "use causes, consequences or both")
}

/// Crawl modes, with their meanings.
pub(crate) const CRAWL_MODES: [(&str, &str, CrawlMode); 3] = [
    ("single", "Only the given page", CrawlMode::Single),
    ("sitemap", "Pages listed in the site's sitemaps, feeds or llms.txt", CrawlMode::Sitemap),
    ("recursive", "Pages reached by following links", CrawlMode::Recursive),
];

pub fn crawl_mode(name: &str) -> Result<CrawlMode> {
    let found = CRAWL_MODES.iter().find(|(known, ..)| *known == name).map(|(.., mode)| *mode);
    found.ok_or_else(|| {
        Error::invalid(format!("crawl in the mode `{name}`"), "there is no such mode")
            .hint("use single, sitemap or recursive")
    })
}

pub fn effort(name: &str) -> Result<Effort> {
    named(Effort::parse(name), "effort", name, "effort", "use low, normal or high")
}

pub fn layer(name: &str) -> Result<Layer> {
    let hint = "use code, execution, knowledge or project";
    named(Layer::parse(name), "layer", name, "layer of the graph", hint)
}

pub fn layers(names: &[String]) -> Result<Vec<Layer>> {
    names.iter().map(|name| layer(name)).collect()
}

pub fn family(name: &str) -> Result<Family> {
    let found = Family::ALL.into_iter().find(|family| family.name() == name);
    named(found, "family", name, "family of edges", "use temporal, entity, causal or semantic")
}

pub fn edge_kind(name: &str) -> Result<EdgeKind> {
    let hint = nearest_of(name, CATALOGUE.iter().map(|row| row.name));
    named(EdgeKind::parse(name), "kind of edge", name, "kind", hint)
}

pub fn provenance(name: &str) -> Result<Provenance> {
    let hint = one_of(Provenance::ALL.iter().map(|known| known.name()));
    named(Provenance::parse(name), "provenance", name, "provenance", hint)
}

pub fn entity_type(name: &str) -> Result<EntityType> {
    let hint = one_of(EntityType::ALL.iter().map(|known| known.name()));
    named(EntityType::meant(name), "entity type", name, "type", hint)
}

pub fn tier(name: &str) -> Result<Tier> {
    named(Tier::parse(name), "tier", name, "tier of memories", "use long_term, rule or working")
}

pub fn strategy(name: &str) -> Result<Strategy> {
    named(Strategy::parse(name), "strategy", name, "strategy", "use baseline or hybrid_graph")
}

pub fn mode(name: &str) -> Result<Mode> {
    named(Mode::parse(name), "mode", name, "mode", "use off, shadow, canary or on")
}

pub fn predicate(name: &str) -> Result<Predicate> {
    let hint = nearest_of(name, Predicate::ALL.iter().map(|predicate| predicate.name()));
    named(Predicate::parse(name), "predicate", name, "predicate", hint)
}

/// Which graphs to build: `semantic`, `temporal`, or `all`.
pub fn graphs(names: &[String], threshold: f32) -> Result<GraphsToBuild> {
    let mut ask = GraphsToBuild { semantic: None, temporal: false };
    for name in names {
        match name.as_str() {
            "semantic" => ask.semantic = Some(threshold),
            "temporal" => ask.temporal = true,
            "all" => ask = GraphsToBuild { semantic: Some(threshold), temporal: true },
            _ => {
                let error =
                    Error::invalid(format!("build the graph `{name}`"), "there is no such graph to build");
                return Err(error.hint("use semantic, temporal or all"));
            }
        }
    }
    Ok(ask)
}

/// A source by its id or its origin, or by the name that it was given: an upload's, or the address of a page
/// read for one user; by the end of its path, if no other ends in it.
pub fn source(engine: &Engine, name: &str) -> Result<SourceId> {
    if let Some(id) = SourceId::parse(name) {
        return Ok(id);
    }
    let sources = engine.sources()?;
    let sources: Vec<&Source> = sources.iter().map(|view| &view.source).collect();
    let what = || format!("find the source `{name}`");
    if let Some(found) = called(&sources, name) {
        return Ok(found.id);
    }
    let end = Path::new(name);
    let is_path = end.components().any(|part| matches!(part, Component::Normal(_)));
    let end = end.strip_prefix(".").unwrap_or(end);
    let below: Vec<&&Source> =
        sources.iter().filter(|one| is_path && Path::new(one.given_name()).ends_with(end)).collect();
    match below.as_slice() {
        [one] => Ok(one.id),
        [] => {
            let error = Error::not_found(what(), "no source has this id or origin");
            Err(match alike(&sources, name) {
                Some(near) => error.hint(format!("did you mean `{near}`?")),
                None => error.hint("griot sources"),
            })
        }
        [one, other, ..] => {
            let why =
                format!("{} sources end in it, such as {} and {}", below.len(), one.origin, other.origin);
            Err(Error::invalid(what(), why).hint("griot sources"))
        }
    }
}

/// The source of this origin, or of this given name.
fn called<'a>(sources: &[&'a Source], name: &str) -> Option<&'a Source> {
    let exact = sources.iter().find(|one| one.origin == name);
    exact.or_else(|| sources.iter().find(|one| one.given_name() == name)).copied()
}

/// The origin that is spelled nearly like this, or whose file is.
fn alike<'a>(sources: &[&'a Source], name: &str) -> Option<&'a str> {
    let file = |path: &'a str| Path::new(path).file_name()?.to_str();
    let whole = nearest(name, sources.iter().map(|one| one.origin.as_str()));
    whole.or_else(|| {
        let typed = Path::new(name).file_name()?.to_str()?;
        let near = nearest(typed, sources.iter().filter_map(|one| file(&one.origin)))?;
        sources.iter().map(|one| one.origin.as_str()).find(|origin| file(origin) == Some(near))
    })
}

/// A source as a person at this machine names it: a path counts from the working folder, unless a source is
/// called so.
pub fn source_here(engine: &Engine, name: &str) -> Result<String> {
    if SourceId::parse(name).is_some() || OriginKind::parse(name).is_some() || name.contains("://") {
        return Ok(name.to_string());
    }
    let sources = engine.sources()?;
    let sources: Vec<&Source> = sources.iter().map(|view| &view.source).collect();
    let path = griot_ingest::origin(Path::new(name), &ReadOptions::new(&engine.settings().ingest));
    let is_path = called(&sources, name).is_none() && called(&sources, &path).is_some();
    Ok(if is_path { path } else { name.to_string() })
}

/// The sources that a name means: one, or all of a kind of origin.
pub fn sources(engine: &Engine, name: &str) -> Result<Vec<SourceId>> {
    let Some(kind) = OriginKind::parse(name) else { return Ok(vec![source(engine, name)?]) };
    let found = engine.sources()?.into_iter().map(|view| view.source);
    Ok(found.filter(|source| source.origin_kind() == kind).map(|source| source.id).collect())
}

/// A kind of origin.
pub fn origin_kind(name: &str) -> Result<OriginKind> {
    named(OriginKind::parse(name), "source", name, "kind of origin", "use memory, manual or crawl")
}

/// A number in 0..=1.
pub fn share(name: &str, value: f32) -> Result<f32> {
    if (0.0..=1.0).contains(&value) {
        Ok(value)
    } else {
        Err(Error::invalid(format!("use {name} {value}"), "it lies outside 0..1"))
    }
}

/// A whole number within bounds.
pub fn within(name: &str, value: usize, least: usize, most: usize) -> Result<usize> {
    if (least..=most).contains(&value) {
        Ok(value)
    } else {
        Err(Error::invalid(format!("use {name} {value}"), format!("it lies outside {least}..{most}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_is_a_time_or_a_length_that_is_not_over() {
        let now = Timestamp::from_day(2026, 3, 5).expect("it is a day");
        let read = |text: &str| read_end(text, now).map(|at| at.to_string()).map_err(|error| error.why);
        assert_eq!(read("8h").as_deref(), Ok("2026-03-05T08:00:00Z"));
        assert_eq!(read(" 2 w").as_deref(), Ok("2026-03-19T00:00:00Z"));
        assert_eq!(read("2026-12-31T18:00:00Z").as_deref(), Ok("2026-12-31T18:00:00Z"));
        assert_eq!(read("2026-03-04"), Err("that is over already".to_string()));
        assert_eq!(read("0h"), Err("that is over already".to_string()));
        for text in ["h", "-3h", "8 elephants", "", "99999999999h"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_date_that_may_be_two_days_is_refused() {
        let now = Timestamp::from_day(2026, 3, 5).expect("it is a day");
        let why = "it may be 2026-11-12 or 2026-12-11".to_string();
        assert_eq!(read_time("11/12/2026 9:00", now).map_err(|error| error.why), Err(why.clone()));
        assert_eq!(span("11/12/2026", now).map_err(|error| error.why), Err(why));
        for text in ["13/12/2026", "12/12/2026", "12.11.2026", "2026-11-12"] {
            assert!(read_time(text, now).is_ok(), "{text}");
        }
    }
}

//! The words of requests to the engine's values: times, intents, kinds, bounds. What is wrong is met with
//! what is known.

use griot::engine::{Engine, GraphsToBuild};
use griot::model::{
    CATALOGUE, EdgeKind, Error, Family, Interval, Layer, Predicate, Provenance, Result, SourceId, Timestamp,
};
use griot::recall::Effort;
use griot::rollout::{Mode, Strategy};
use griot::text::{Intent, parse_time, time_expressions};

use crate::draft::read_time;
use crate::settings::nearest;

/// The span that a word of time stands for: a day for a date, a month for `2024-05`.
pub fn span(text: &str, now: Timestamp) -> Result<Interval> {
    let expressions = time_expressions(text, now);
    if let [expression] = expressions.as_slice()
        && expression.bytes.len() == text.trim().len()
    {
        return Ok(expression.interval);
    }
    let at = parse_time(text, now).map_or_else(|| read_time(text, now), Ok)?;
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
        return Err(Error::invalid("use these times", "`until` lies before `since`"));
    }
    Ok(Some(Interval::new(start, end)))
}

pub fn intent(name: &str) -> Result<Intent> {
    Intent::parse(&name.to_lowercase()).ok_or_else(|| {
        Error::invalid(format!("use the intent `{name}`"), "there is no such intent")
            .hint("use why, when, entity or general")
    })
}

pub fn effort(name: &str) -> Result<Effort> {
    Effort::parse(name).ok_or_else(|| {
        Error::invalid(format!("use the effort `{name}`"), "there is no such effort")
            .hint("use low, normal or high")
    })
}

pub fn layer(name: &str) -> Result<Layer> {
    Layer::parse(name).ok_or_else(|| {
        Error::invalid(format!("use the layer `{name}`"), "there is no such layer of the graph")
            .hint("use code, execution, knowledge or project")
    })
}

pub fn layers(names: &[String]) -> Result<Vec<Layer>> {
    names.iter().map(|name| layer(name)).collect()
}

pub fn family(name: &str) -> Result<Family> {
    Family::ALL.into_iter().find(|family| family.name() == name).ok_or_else(|| {
        Error::invalid(format!("use the family `{name}`"), "there is no such family of edges")
            .hint("use temporal, entity, causal or semantic")
    })
}

pub fn edge_kind(name: &str) -> Result<EdgeKind> {
    EdgeKind::parse(name).ok_or_else(|| {
        let error = Error::invalid(format!("use the kind of edge `{name}`"), "there is no such kind");
        let known = || CATALOGUE.iter().map(|row| row.name);
        match nearest(name, known()) {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error.hint(format!("use one of {}", known().collect::<Vec<_>>().join(", "))),
        }
    })
}

pub fn provenance(name: &str) -> Result<Provenance> {
    Provenance::parse(name).ok_or_else(|| {
        let known: Vec<&str> = Provenance::ALL.iter().map(|known| known.name()).collect();
        Error::invalid(format!("use the provenance `{name}`"), "there is no such provenance")
            .hint(format!("use one of {}", known.join(", ")))
    })
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
                return Err(Error::invalid(
                    format!("build the graph `{name}`"),
                    "there is no such graph to build",
                )
                .hint("use semantic, temporal or all"));
            }
        }
    }
    Ok(ask)
}

pub fn strategy(name: &str) -> Result<Strategy> {
    Strategy::parse(name).ok_or_else(|| {
        Error::invalid(format!("use the strategy `{name}`"), "there is no such strategy")
            .hint("use baseline or hybrid_graph")
    })
}

pub fn mode(name: &str) -> Result<Mode> {
    Mode::parse(name).ok_or_else(|| {
        Error::invalid(format!("use the mode `{name}`"), "there is no such mode")
            .hint("use off, shadow, canary or on")
    })
}

pub fn predicate(name: &str) -> Result<Predicate> {
    Predicate::parse(name).ok_or_else(|| {
        let known = || Predicate::ALL.iter().map(|predicate| predicate.name());
        let error = Error::invalid(format!("use the predicate `{name}`"), "there is no such predicate");
        match nearest(name, known()) {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error.hint(format!("use one of {}", known().collect::<Vec<_>>().join(", "))),
        }
    })
}

/// A source by its id or its origin, or by the name that it was given: an upload's, or the address of a page
/// read for one user.
pub fn source(engine: &Engine, name: &str) -> Result<SourceId> {
    if let Some(id) = SourceId::parse(name) {
        return Ok(id);
    }
    let sources = engine.sources()?;
    let exact = sources.iter().find(|view| view.source.origin == name);
    let found = exact.or_else(|| sources.iter().find(|view| view.source.given_name() == name));
    found.map(|view| view.source.id).ok_or_else(|| {
        let error = Error::not_found(format!("find the source `{name}`"), "no source has this id or origin");
        match nearest(name, sources.iter().map(|view| view.source.origin.as_str())) {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error.hint("griot sources"),
        }
    })
}

/// A number that must lie in 0..=1.
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

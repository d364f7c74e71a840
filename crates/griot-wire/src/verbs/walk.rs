//! Walks over the graph: `related`, `similar`, `path`, and `traverse` from a question.

use griot::model::Result;
use griot::recall::Query;

use super::MOST;
use crate::call::Call;
use crate::failure::Outcome;
use crate::request::{family, intent, layers, usual, within};
use crate::{Path as Found, Related as Reached};

requests! {
    /// Walk the graph from a question.
    Traverse above min_confidence as_of now {
        /// The question or keywords to start from.
        #[schemars(schema_with = "crate::request::forms::question")]
        query: String,
        /// Maximum number of nodes to expand at each step.
        #[schemars(range(min = 1, max = 1000))]
        #[arg(long, default_value_t = 10)]
        width [default = "usual::<10>"]: usize,
        /// Maximum number of nodes to visit in total.
        #[schemars(range(min = 1, max = 10000))]
        #[arg(long, default_value_t = 500)]
        budget [default = "usual::<500>"]: usize,
        /// Maximum number of steps, 1 to 10.
        #[schemars(range(min = 1, max = 10))]
        #[arg(long, default_value_t = 4, help = "Maximum number of steps")]
        depth [default = "usual::<4>"]: usize,
        /// Only nodes of these layers: `code`, `execution`, `knowledge`, `project`. Paths may pass through
        /// other layers.
        #[schemars(schema_with = "crate::request::forms::node_layers")]
        #[arg(long = "layer", value_name = "LAYER", value_delimiter = ',', help = "Only nodes of this layer: \
            code, execution, knowledge, project; may be given more than once")]
        layers [default]: Vec<String>,
        /// `why`, `when`, `entity` or `general`; detected from the question by default.
        #[schemars(schema_with = "crate::request::forms::intent")]
        #[arg(long, help = "why, when, entity or general [default: detected from the question]")]
        intent [default]: Option<String>,
    }

    /// Find nodes connected to a memory or an entity.
    Related above min_confidence as_of now {
        /// The memory or entity to start from.
        name: String,
        /// Maximum number of steps, 1 to 10.
        #[schemars(range(min = 1, max = 10))]
        #[arg(long, default_value_t = 2)]
        depth [default = "usual::<2>"]: usize,
        /// Only over edges of these families: `temporal`, `entity`, `causal`, `semantic`.
        #[schemars(schema_with = "crate::request::forms::families")]
        #[arg(long = "family", visible_alias = "edge", value_name = "FAMILY", value_delimiter = ',',
            help = "Only over edges of this family: temporal, entity, causal, semantic; may be given more \
                than once")]
        families [default]: Vec<String>,
        /// Only nodes of these layers: `code`, `execution`, `knowledge`, `project`. Paths may pass through
        /// other layers.
        #[schemars(schema_with = "crate::request::forms::node_layers")]
        #[arg(long = "layer", value_name = "LAYER", value_delimiter = ',', help = "Only nodes of this layer: \
            code, execution, knowledge, project; may be given more than once")]
        layers [default]: Vec<String>,
        /// Maximum number of results.
        #[schemars(range(min = 1, max = 1000))]
        #[arg(long, short = 'n', value_name = "COUNT", default_value_t = 20)]
        limit [default = "usual::<20>"]: usize,
    }

    /// Find similar memories.
    Similar {
        /// Handle or id of a memory.
        #[arg(value_name = "MEMORY", help = "Handle (`a1b2c3`) or id of a memory")]
        name: String,
        /// Maximum number of results.
        #[schemars(range(min = 1, max = 1000))]
        #[arg(long, short = 'n', value_name = "COUNT", default_value_t = 10)]
        limit [default = "usual::<10>"]: usize,
    }

    /// Find the shortest path between two memories or entities.
    Path above min_confidence as_of now {
        /// Start: a memory or an entity.
        #[arg(value_name = "FROM")]
        source: String,
        /// End: a memory or an entity.
        #[arg(value_name = "TO")]
        target: String,
        /// Maximum number of steps, 1 to 32.
        #[schemars(range(min = 1, max = 32))]
        #[arg(long, default_value_t = 6, help = "Maximum number of steps")]
        max_hops [default = "usual::<6>"]: usize,
        /// Only over relations: both ends are entities, and no memory is in between.
        #[arg(long, help = "Only over relations between entities, without memories in between")]
        relations_only [default]: bool,
    }
}

pub fn traverse(call: &Call, q: Traverse) -> Outcome<Vec<Reached>> {
    call.bounded("the width", q.width, 1, MOST)?;
    call.bounded("the budget", q.budget, 1, 10_000)?;
    let engine = call.asking(q.min_confidence, q.now.as_deref())?;
    let query = Query {
        scope: call.scope.clone(),
        intent: q.intent.as_deref().map(intent).transpose()?,
        ..Query::new(q.query, engine.now())
    };
    let layers = layers(&q.layers)?;
    let found = engine.traverse(&query, q.width, q.budget, q.depth)?;
    let wanted = found.iter().filter(|one| layers.is_empty() || layers.contains(&one.node.layer()));
    Ok(wanted.map(Reached::from).collect())
}

pub fn related(call: &Call, q: Related) -> Outcome<Vec<Reached>> {
    within("the depth", q.depth, 1, 10)?;
    call.bounded("the limit", q.limit, 1, MOST)?;
    let families = q.families.iter().map(|name| family(name)).collect::<Result<Vec<_>>>()?;
    let layers = layers(&q.layers)?;
    let engine = call.asking(q.min_confidence, q.now.as_deref())?;
    let found = engine.related(&q.name, q.depth, &families, &layers, q.limit)?;
    Ok(found.iter().map(Reached::from).collect())
}

pub fn similar(call: &Call, q: Similar) -> Outcome<Vec<Reached>> {
    call.bounded("the limit", q.limit, 1, MOST)?;
    Ok(call.engine.similar(&q.name, q.limit)?.iter().map(Reached::from).collect())
}

pub fn path(call: &Call, q: Path) -> Outcome<Found> {
    within("max_hops", q.max_hops, 1, 32)?;
    let engine = call.asking(q.min_confidence, q.now.as_deref())?;
    let hops = if q.relations_only {
        engine.relation_path(&q.source, &q.target, q.max_hops)?
    } else {
        engine.path(&q.source, &q.target, q.max_hops)?
    };
    Ok(Found::from(hops.as_deref()))
}

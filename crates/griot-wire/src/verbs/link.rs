//! `link` and `unlink`: edges added and removed by a person or an agent.

use griot::engine::LinkRequest;
use griot::model::{EdgeKind, Error, Provenance};

use crate::call::Call;
use crate::failure::Outcome;
use crate::request::{edge_kind, provenance, read_end, share};
use crate::{Edge, Linked, Unlinked};

requests! {
    /// Connect two memories or entities. Repeating an edge adds evidence to it.
    #[schemars(transform = crate::request::forms::link)]
    #[command(after_help = "\
Examples:
  griot link a1b2c3 d4e5f6 --kind causal --sub-type causes --reason \"the outage led to the rewrite\"
  griot link \"Auth Service\" Redis --kind relation --label uses
  griot link d4e5f6 a1b2c3 --kind supersedes

Both ends may be handles, ids, canonical ids (`tool:redis`) or names of entities. A link has one direction, \
from the
first to the second, unless its kind is symmetric.")]
    Link {
        /// Start: id, handle, canonical id (`tool:redis`) or name.
        #[arg(value_name = "FROM", help = "Start: a memory or an entity")]
        source: String,
        /// End: id, handle, canonical id or name.
        #[arg(value_name = "TO", help = "End: a memory or an entity")]
        target: String,
        /// Kind of the edge: `semantic` (default), `causal`, `relation`, `supporting`, `contradicts`,
        /// `supersedes`, `explains`, …
        #[schemars(schema_with = "crate::request::forms::edge_kind")]
        #[arg(long, visible_alias = "type", default_value = "semantic",
            help = "Kind of the edge: causal, relation, semantic, supporting, contradicts, supersedes, \
                explains, …")]
        kind [default, alias = "type"]: Option<String>,
        /// Label of a relation (`uses`), or sub-type of a causal edge (`causes`, `enables`, `prevents`).
        #[arg(long, value_name = "WORD", help = "Label of a relation, such as uses or depends_on")]
        label [default]: Option<String>,
        /// Weight, 0 to 1; default 1.
        #[schemars(range(min = 0, max = 1))]
        #[arg(long, value_name = "0-1", allow_negative_numbers = true, help = "Weight, 0 to 1 [default: 1]")]
        weight [default]: Option<f32>,
        /// The reason.
        #[arg(long)]
        reason [default]: Option<String>,
        /// Origin of the edge: `user` (default), `static`, `import`, `llm`, `embedding` or `rule`.
        #[schemars(schema_with = "crate::request::forms::provenance")]
        #[arg(long, default_value = "user", help = "Origin: user, static, import, llm, embedding or \
            rule")]
        provenance [default]: Option<String>,
        /// Confidence, 0 to 1. The default depends on the origin: 1 for `user`, `static` and `import`, 0.8
        /// for `embedding` (between two memories, their cosine), 0.7 for `rule`, 0.6 for `llm`.
        #[schemars(range(min = 0, max = 1))]
        #[arg(long, value_name = "0-1", allow_negative_numbers = true, help = "Confidence, 0 to 1 [default: \
            user, static, import 1, embedding 0.8 or the cosine, rule 0.7, llm 0.6]")]
        confidence [default]: Option<f32>,
        /// When the edge expires: a future time, or a duration such as `30d`, `12h` or `2w`.
        #[schemars(schema_with = "crate::request::forms::end")]
        #[arg(long = "expires", value_name = "WHEN", allow_hyphen_values = true,
            help = "When the edge expires: a future time, or a duration such as 12h, 30d or 2w")]
        expires_at [default]: Option<String>,
    }

    /// Remove the edges from one node to another.
    Unlink {
        /// Start: a memory or an entity.
        #[arg(value_name = "FROM")]
        source: String,
        /// End: a memory or an entity.
        #[arg(value_name = "TO")]
        target: String,
        /// Only edges of this kind.
        #[schemars(schema_with = "crate::request::forms::edge_kind")]
        #[arg(long)]
        kind [default]: Option<String>,
        /// Only edges with this label or sub-type.
        #[arg(long, visible_alias = "sub-type")]
        label [default]: Option<String>,
    }
}

/// What other memory servers call the type of an edge between things that share an entity.
const SHARED: &str = "entity";

pub fn link(call: &Call, q: Link) -> Outcome<Linked> {
    if q.kind.as_deref() == Some(SHARED) { share_entity(call, q) } else { of_kind(call, q) }
}

/// Connects by an entity: two entities by a relation, a memory with an entity as one that mentions it, and
/// two memories by both mentioning the entity in `label`.
fn share_entity(call: &Call, q: Link) -> Outcome<Linked> {
    let mentions = |source: &str, target: &str, label: Option<String>| Link {
        source: source.to_string(),
        target: target.to_string(),
        kind: Some(EdgeKind::Mentions.name().to_string()),
        label,
        ..q.clone()
    };
    match (call.engine.is_entity(&q.source)?, call.engine.is_entity(&q.target)?) {
        (true, true) => {
            let label = q.label.clone().or_else(|| Some("related_to".to_string()));
            of_kind(call, Link { kind: Some(EdgeKind::Relation.name().to_string()), label, ..q })
        }
        (false, true) => of_kind(call, mentions(&q.source, &q.target, q.label.clone())),
        (true, false) => of_kind(call, mentions(&q.target, &q.source, q.label.clone())),
        (false, false) => {
            let what = format!("link `{}` and `{}`", q.source.trim(), q.target.trim());
            let Some(entity) = &q.label else {
                let error = Error::invalid(what, "two memories are connected by an entity that both mention");
                return Err(error.hint("name the entity as the `label`").into());
            };
            if !call.engine.is_entity(entity)? {
                let error = Error::not_found(what, format!("there is no entity `{entity}`"));
                return Err(error
                    .hint("name one that a memory mentions: remember it with `entities`")
                    .into());
            }
            let one = of_kind(call, mentions(&q.source, entity, None))?;
            let other = of_kind(call, mentions(&q.target, entity, None))?;
            Ok(if other.created { other } else { one })
        }
    }
}

fn of_kind(call: &Call, q: Link) -> Outcome<Linked> {
    let request = LinkRequest {
        kind: q.kind.as_deref().map_or(Ok(EdgeKind::Semantic), edge_kind)?,
        weight: q.weight.map(|weight| share("weight", weight)).transpose()?,
        provenance: q.provenance.as_deref().map_or(Ok(Provenance::User), provenance)?,
        confidence: q.confidence.map(|confidence| share("confidence", confidence)).transpose()?,
        expires_at: q.expires_at.as_deref().map(|end| read_end(end, call.engine.now())).transpose()?,
        source: q.source,
        target: q.target,
        label: q.label,
        reason: q.reason,
    };
    if request.kind == EdgeKind::Supersedes {
        call.own_memory("replace a memory", &request.target)?;
    }
    if request.kind == EdgeKind::Contradicts {
        let what = "contradict a memory";
        call.own_memory(what, &request.source).or_else(|_| call.own_memory(what, &request.target))?;
    }
    Ok(Linked::from(&call.engine.link(&request)?))
}

pub fn unlink(call: &Call, q: Unlink) -> Outcome<Unlinked> {
    let kind = q.kind.as_deref().map(edge_kind).transpose()?;
    if call.bound.is_some() {
        call.own_edges(&call.engine.linked(&q.source, &q.target, kind, q.label.as_deref())?)?;
    }
    let removed = call.engine.unlink(&q.source, &q.target, kind, q.label.as_deref())?;
    Ok(Unlinked { removed: removed.iter().map(Edge::from).collect() })
}

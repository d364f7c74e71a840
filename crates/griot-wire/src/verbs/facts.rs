//! Facts and when they were valid.

use std::collections::BTreeMap;

use griot::engine::{FactDraft, FactView};
use griot::model::Error;

use crate::call::Call;
use crate::failure::{Failure, Kind, Outcome};
use crate::request::{predicate, read_time, share};
use crate::{Fact, FactConflict};

requests! {
    /// List facts and when they were valid.
    Facts {
        /// Only facts about this entity.
        #[arg(value_name = "ENTITY", help = "Only facts about this entity, or the one with this id (`f3`)")]
        entity [default]: Option<String>,
        /// Facts valid at this time, as known today.
        #[schemars(schema_with = "crate::request::forms::time")]
        #[arg(long, value_name = "TIME")]
        as_of [default]: Option<String>,
        /// Facts as known at this time.
        #[schemars(schema_with = "crate::request::forms::time")]
        #[arg(long, value_name = "TIME")]
        known_at [default]: Option<String>,
    }

    /// List facts that contradict each other.
    Conflicts {
        /// Only facts about this entity.
        #[arg(value_name = "ENTITY")]
        entity [default]: Option<String>,
    }

    /// Add a fact and close the fact that it replaces.
    AddFact {
        /// The subject: an entity.
        #[schemars(schema_with = "crate::request::forms::question")]
        subject: String,
        /// `adopted`, `migrated_to`, `deployed_to`, `runs_on`, `replaced`, `depends_on`, `integrates_with`,
        /// `uses`, `prefers`, `avoids`, `caused_by`, `resolved_by` or `owned_by`.
        #[schemars(schema_with = "crate::request::forms::predicate")]
        #[arg(help = "adopted, migrated_to, deployed_to, runs_on, replaced, depends_on, integrates_with, \
            uses, prefers, avoids, caused_by, resolved_by or owned_by")]
        predicate: String,
        /// The object: an entity, or free text after `prefers` and `avoids`.
        #[schemars(schema_with = "crate::request::forms::question")]
        #[arg(help = "The object: an entity, or free text after prefers and avoids")]
        object: String,
        /// When it became true.
        #[schemars(schema_with = "crate::request::forms::time")]
        #[arg(long = "from", value_name = "TIME")]
        valid_from [default]: Option<String>,
        /// When it stopped being true.
        #[schemars(schema_with = "crate::request::forms::time")]
        #[arg(long = "to", value_name = "TIME")]
        valid_to [default]: Option<String>,
        /// Confidence, 0 to 1; default 1.
        #[schemars(range(min = 0, max = 1))]
        #[arg(long, value_name = "0-1", help = "Confidence, 0 to 1 [default: 1]")]
        confidence [default]: Option<f32>,
        /// The memory that states it.
        #[arg(long)]
        memory [default]: Option<String>,
        /// The reason.
        #[arg(long)]
        reason [default]: Option<String>,
    }

    /// Set the end of a fact, or open it again. A language model never reopens it.
    #[schemars(transform = crate::request::forms::end_fact)]
    #[command(after_help = "\
Examples:
  griot facts end f3
  griot facts end f3 --at 2026-03-09
  griot facts end f3 --undo")]
    EndFact {
        /// Id of a fact, such as `f12`.
        #[schemars(regex(pattern = r"^f[1-9][0-9]{0,8}$"))]
        #[arg(value_name = "FACT", help = "Id of a fact, such as f12")]
        name: String,
        /// When it stopped being true; default now.
        #[schemars(schema_with = "crate::request::forms::time")]
        #[arg(long = "at", value_name = "TIME", conflicts_with = "undo",
            help = "When it stopped being true [default: now]")]
        valid_to [default]: Option<String>,
        /// Open it again.
        #[arg(long)]
        undo [default]: bool,
    }
}

pub fn facts(call: &Call, q: Facts) -> Outcome<Vec<Fact>> {
    let now = call.engine.now();
    let at = |text: &Option<String>| text.as_deref().map(|text| read_time(text, now)).transpose();
    let facts = call.engine.facts(q.entity.as_deref(), at(&q.as_of)?, at(&q.known_at)?)?;
    Ok(facts.iter().map(Fact::from).collect())
}

/// Pairs of facts that cannot both hold, in the order in which they were stored.
pub fn conflicts(call: &Call, q: Conflicts) -> Outcome<Vec<FactConflict>> {
    let views = call.engine.facts(q.entity.as_deref(), None, None)?;
    let by_number: BTreeMap<u32, &FactView> = views.iter().map(|view| (view.fact.number, view)).collect();
    let mut pairs = Vec::new();
    for (number, first) in &by_number {
        let later = first.contradicts.iter().filter(|other| *other > number);
        for second in later.filter_map(|other| by_number.get(other)) {
            pairs.push(FactConflict { first: Fact::from(*first), second: Fact::from(*second) });
        }
    }
    Ok(pairs)
}

pub fn add(call: &Call, q: AddFact) -> Outcome<Fact> {
    let now = call.engine.now();
    let at = |text: &Option<String>| text.as_deref().map(|text| read_time(text, now)).transpose();
    let draft = FactDraft {
        predicate: predicate(&q.predicate)?,
        valid_from: at(&q.valid_from)?,
        valid_to: at(&q.valid_to)?,
        confidence: q.confidence.map(|confidence| share("confidence", confidence)).transpose()?,
        subject: q.subject,
        object: q.object,
        memory: q.memory,
        reason: q.reason,
        scope: call.scope.clone(),
    };
    Ok(Fact::from(&call.engine.add_fact(&draft)?))
}

pub fn end(call: &Call, q: EndFact) -> Outcome<Fact> {
    let now = call.engine.now();
    let valid_to = match (q.valid_to.as_deref(), q.undo) {
        (Some(_), true) => {
            let what = format!("reopen the fact `{}`", q.name.trim());
            return Err(Error::invalid(what, "`undo` and `valid_to` exclude each other").into());
        }
        (Some(text), false) => Some(read_time(text, now)?),
        (None, undo) => (!undo).then_some(now),
    };
    if let Some(user) = &call.bound {
        let own = |view: &FactView| view.fact.scope.user.as_ref() == Some(user);
        // One that it does not see is not found.
        if let Some(view) = call.engine.facts(Some(&q.name), None, None)?.first()
            && !own(view)
        {
            let why = format!("`{}` is shared, and the key is bound to the user `{user}`", q.name.trim());
            return Err(Failure::new(Kind::Forbidden, "set the end of a fact", why));
        }
    }
    Ok(Fact::from(&call.engine.end_fact(&q.name, valid_to)?))
}

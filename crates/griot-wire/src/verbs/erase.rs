//! `erase`: permanent removal from every file, and its receipts.

use griot::model::{ErasedKind, Error};

use crate::Erasure;
use crate::call::{Call, Role};
use crate::failure::Outcome;

requests! {
    /// Permanently remove something by name.
    Erase {
        /// A memory by its id or handle, a source by its id or origin, an entity by its id or name, or the
        /// name of a user.
        name: String,
        /// Only report what would be removed.
        #[arg(long)]
        dry_run [default]: bool,
    }

    /// Permanently remove something by name and type.
    EraseThing by new {
        /// `memory`, `source`, `entity` or `user`.
        #[schemars(regex(pattern = r"^(memory|source|entity|user)$"))]
        kind: String,
        /// A memory by its id or handle, a source by its id or origin, an entity by its id or name, or the
        /// name of a user.
        name: String,
        /// Only report what would be removed.
        #[arg(long)]
        dry_run [default]: bool,
    }

    /// List receipts of erasures.
    Erasures {
        /// Compare each receipt with the store.
        #[arg(long,
            help = "Compare each receipt with the workspace; exit 1 if something is there that it says is \
                gone")]
        verify [default]: bool,
    }
}

pub fn memory(call: &Call, q: Erase) -> Outcome<Erasure> {
    erased(call, ErasedKind::Memory, &q.name, q.dry_run)
}

pub fn source(call: &Call, q: Erase) -> Outcome<Erasure> {
    erased(call, ErasedKind::Source, &q.name, q.dry_run)
}

pub fn entity(call: &Call, q: Erase) -> Outcome<Erasure> {
    erased(call, ErasedKind::Entity, &q.name, q.dry_run)
}

pub fn user(call: &Call, q: Erase) -> Outcome<Erasure> {
    erased(call, ErasedKind::User, &q.name, q.dry_run)
}

/// The tool for agents, if enabled.
pub fn thing(call: &Call, q: EraseThing) -> Outcome<Erasure> {
    call.needs(Role::Admin, "erase")?;
    let kind = ErasedKind::parse(&q.kind)
        .ok_or_else(|| Error::invalid("erase", "the kind is `memory`, `source`, `entity` or `user`"))?;
    erased(call, kind, &q.name, q.dry_run)
}

fn erased(call: &Call, kind: ErasedKind, name: &str, dry_run: bool) -> Outcome<Erasure> {
    let engine = call.of_all("erase")?;
    Ok(Erasure::from(&griot_ingest::erase(engine, &call.lies, kind, name, &call.speaker(), dry_run)?))
}

pub fn erasures(call: &Call, q: Erasures) -> Outcome<Vec<Erasure>> {
    let engine = call.of_all("list erasures")?;
    if q.verify {
        return Ok(engine.verify_erasures()?.iter().map(Erasure::from).collect());
    }
    Ok(engine.erasures()?.iter().map(Erasure::from).collect())
}

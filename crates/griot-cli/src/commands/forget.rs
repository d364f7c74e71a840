//! `griot forget` and `griot restore`.

use griot::model::Result;
use griot_wire::Forgotten;
use griot_wire::call::Call;
use griot_wire::failure::Outcome;
use griot_wire::request::{Named, Place, source_here};
use griot_wire::verbs::memory;

use crate::args::Names;
use crate::failure::Exit;
use crate::render;
use crate::session::{Session, Use};

const KINDS: [&str; 3] = ["memory", "source", "entity"];

pub fn forget(session: &Session, args: &Names) -> Result<Exit> {
    each(session, args, memory::forget, "forgotten")
}

pub fn restore(session: &Session, args: &Names) -> Result<Exit> {
    each(session, args, memory::restore, "restored")
}

/// Each name is a change of its own. If one fails, those before it are done and reported.
fn each(
    session: &Session,
    args: &Names,
    act: fn(&Call, Named) -> Outcome<Forgotten>,
    done: &str,
) -> Result<Exit> {
    let call = session.call(Use::Write, &Place::default())?;
    let mut all = Forgotten::default();
    let mut failed = None;
    // As `erase` takes it: the kind of thing, then its name.
    let (kind, names) = match args.names.split_first() {
        Some((kind, names)) if KINDS.contains(&kind.as_str()) && !names.is_empty() => (kind.as_str(), names),
        _ => ("", args.names.as_slice()),
    };
    for name in names {
        let name = if kind == "source" { source_here(&call.engine, name)? } else { name.clone() };
        match act(&call, Named::new(name)) {
            Ok(one) => {
                all.memories.extend(one.memories);
                all.handles.extend(one.handles);
                all.entities.extend(one.entities);
                all.sources.extend(one.sources);
                all.offers.extend(one.offers);
                all.suggestions.extend(one.suggestions);
                all.edges_hidden += one.edges_hidden;
            }
            Err(failure) => {
                failed = Some(failure);
                break;
            }
        }
    }
    let nothing = all == Forgotten::default();
    if !(nothing && failed.is_some()) {
        session.out.answer(&all, |page, all| render::forgotten(page, all, done))?;
    }
    failed.map_or(Ok(Exit::Fine), |failure| Err(failure.into()))
}

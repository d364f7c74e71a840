//! `griot link` and `griot unlink`: edges that a person or an agent draws.

use griot::engine::LinkRequest;
use griot::model::{CATALOGUE, EdgeKind, Error, Provenance, Result};
use griot_wire::{Edge, Linked, Unlinked};

use super::session::{Session, Use, share};
use crate::args;
use crate::failure::Exit;
use crate::render;

pub fn link(session: &Session, args: args::Link) -> Result<Exit> {
    let request = LinkRequest {
        kind: edge_kind(&args.kind)?,
        weight: args.weight.map(|weight| share("the weight", weight)).transpose()?,
        provenance: provenance(&args.provenance)?,
        source: args.source,
        target: args.target,
        label: args.sub_type.or(args.label),
        reason: args.reason,
    };
    let engine = session.open(Use::Write)?;
    let linked = Linked::from(&engine.link(&request)?);
    engine.close()?;
    session.out.answer(&linked, render::linked)?;
    Ok(Exit::Fine)
}

pub fn unlink(session: &Session, args: &args::Unlink) -> Result<Exit> {
    let kind = args.kind.as_deref().map(edge_kind).transpose()?;
    let engine = session.open(Use::Write)?;
    let removed = engine.unlink(&args.source, &args.target, kind, args.label.as_deref())?;
    engine.close()?;
    let unlinked = Unlinked { removed: removed.iter().map(Edge::from).collect() };
    session.out.answer(&unlinked, render::unlinked)?;
    Ok(if unlinked.removed.is_empty() { Exit::Problem } else { Exit::Fine })
}

fn edge_kind(name: &str) -> Result<EdgeKind> {
    EdgeKind::parse(name).ok_or_else(|| {
        let error = Error::invalid(format!("use the kind of edge `{name}`"), "there is no such kind");
        let known = || CATALOGUE.iter().map(|row| row.name);
        match griot_wire::settings::nearest(name, known()) {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error.hint(format!("use one of {}", known().collect::<Vec<_>>().join(", "))),
        }
    })
}

fn provenance(name: &str) -> Result<Provenance> {
    Provenance::parse(name).ok_or_else(|| {
        let known: Vec<&str> = Provenance::ALL.iter().map(|known| known.name()).collect();
        Error::invalid(format!("use the provenance `{name}`"), "there is no such provenance")
            .hint(format!("use one of {}", known.join(", ")))
    })
}

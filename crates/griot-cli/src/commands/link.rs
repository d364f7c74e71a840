//! `griot link` and `griot unlink`: edges that a person or an agent draws.

use griot::model::Result;
use griot_wire::request as ask;
use griot_wire::{Edge, Linked, Unlinked};

use super::session::{Session, Use};
use crate::args;
use crate::failure::Exit;
use crate::render;

pub fn link(session: &Session, args: args::Link) -> Result<Exit> {
    let request = ask::Link {
        source: args.source,
        target: args.target,
        kind: Some(args.kind),
        label: args.sub_type.or(args.label),
        weight: args.weight,
        reason: args.reason,
        provenance: Some(args.provenance),
        confidence: args.confidence,
        expires_at: args.expires,
        user: None,
        project: None,
        scope: None,
    };
    let engine = session.open(Use::Write)?;
    let request = request.to_engine(engine.now())?;
    let linked = Linked::from(&engine.link(&request)?);
    engine.close()?;
    session.out.answer(&linked, render::linked)?;
    Ok(Exit::Fine)
}

pub fn unlink(session: &Session, args: &args::Unlink) -> Result<Exit> {
    let kind = args.kind.as_deref().map(ask::edge_kind).transpose()?;
    let engine = session.open(Use::Write)?;
    let removed = engine.unlink(&args.source, &args.target, kind, args.label.as_deref())?;
    engine.close()?;
    let unlinked = Unlinked { removed: removed.iter().map(Edge::from).collect() };
    session.out.answer(&unlinked, render::unlinked)?;
    Ok(if unlinked.removed.is_empty() { Exit::Problem } else { Exit::Fine })
}

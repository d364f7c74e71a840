//! `griot entity` and `griot hubs`.

use griot::model::Result;
use griot_wire::request::{layers, within};
use griot_wire::{EntityView, Hub};

use super::session::{Session, Use};
use crate::args;
use crate::failure::Exit;
use crate::render;

/// How many names are offered in place of an unknown one.
const OFFERED: usize = 3;

pub fn entity(session: &Session, args: &args::Entity) -> Result<Exit> {
    let hops = within("--hops", args.hops, 1, 3)?;
    let engine = session.open(Use::Read)?;
    let view = engine.entity(&args.name, hops, args.limit).map_err(|error| {
        let near = engine.entities_named(&args.name, None, OFFERED).unwrap_or_default();
        if error.kind != griot::model::ErrorKind::NotFound || near.is_empty() || error.hint.is_some() {
            return error;
        }
        let names: Vec<String> = near.iter().map(|entity| format!("`{}`", entity.name)).collect();
        error.hint(format!("there is {}", names.join(", ")))
    })?;
    let view = EntityView::from(&view);
    engine.close()?;
    session.out.answer(&view, render::entity)?;
    Ok(Exit::Fine)
}

pub fn hubs(session: &Session, args: &args::Hubs) -> Result<Exit> {
    let kind = args.kind.as_deref().map(griot_wire::draft::parse_entity_type).transpose()?;
    let engine = session.open(Use::Read)?;
    let hubs: Vec<Hub> =
        engine.hubs_in(kind, &layers(&args.layer)?, args.limit)?.iter().map(Hub::from).collect();
    engine.close()?;
    session.out.answer(&hubs, |page, hubs| render::hubs(page, hubs))?;
    Ok(Exit::Fine)
}

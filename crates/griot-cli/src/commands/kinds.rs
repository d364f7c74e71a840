//! Is the kind of what a command stores meant as it was typed?

use griot::model::Result;
use griot_ingest::FileOptions;
use griot_wire::request::{Bare, Request, kind};

use crate::session::{Session, Use};

/// The options with their kind as it is stored; one that looks like a mistyped one is refused.
pub fn with_kind(session: &Session, options: FileOptions, is_new: bool) -> Result<FileOptions> {
    if options.kind.is_none() {
        return Ok(options);
    }
    let call = session.call(Use::Read, &Bare::NOTHING.place()?)?;
    let kind = kind(&call.engine, options.kind.as_ref(), is_new)?;
    Ok(FileOptions { kind, ..options })
}

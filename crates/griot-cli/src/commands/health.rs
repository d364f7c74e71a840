//! `griot status`, `verify`, `gc`, `doctor`, `reindex` and `build-graphs`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use griot::backend::RemovedRow;
use griot::model::{Error, Result, Timestamp};
use griot::private;
use griot_wire::call::{self, Call};
use griot_wire::failure::Outcome;
use griot_wire::quarantine;
use griot_wire::request::{Bare, Place, Request};
use griot_wire::verbs::enrich::Enrich;
use griot_wire::verbs::health::{self as verbs, Acknowledge, BuildGraphs, Reindex, Warnings};

use super::{ALL, MEMORIES, fine};
use crate::args;
use crate::failure::Exit;
use crate::output::Progress;
use crate::render;
use crate::session::{Session, Use};

pub fn status(session: &Session) -> Result<Exit> {
    let target = session.target()?;
    let call = session.call(Use::Read, &Place::default())?;
    let mut status = verbs::status(&call, Bare::NOTHING)?;
    if !target.database.exists() {
        (status.path, status.bytes) = (Some(target.database.display().to_string()), 0);
    }
    fine(
        session.out.answer(&status, |page, status| render::status(page, status, target.workspace.as_deref())),
    )
}

pub fn verify(session: &Session, args: args::VerifyArgs) -> Result<Exit> {
    if let Some(id) = args.acknowledge {
        let q = Acknowledge::new(id, args.note, args.undo);
        return fine(session.ask(Use::Write, q, verbs::acknowledge, render::acknowledged));
    }
    let verb = if args.list { verbs::warnings } else { verbs::verify };
    let mut verified = verb(&session.call(Use::Read, &Place::default())?, Warnings::new(args.all))?;
    let exit = Exit::fine_if(!verified.is_open());
    let limit = args::Limit { limit: args.limit };
    verified.warnings = limit.cut(verified.warnings, "warning", "warnings");
    session.out.answer(&verified, render::verified)?;
    Ok(exit)
}

pub fn gc(session: &Session, args: args::GcArgs) -> Result<Exit> {
    if args.keep.is_empty() {
        let q = args.request;
        let call = session.call(Use::Read, &q.place()?)?;
        let found = verbs::gc(&call, q.clone())?;
        session.out.answer(&found, |page, list| render::gc(page, list, q.threshold))?;
        let (limit, every) = (q.limit, verbs::Gc { limit: ALL, ..q });
        let all = || Ok(verbs::gc(&call, every)?.len());
        return fine(args::Limit::of(limit, found.len(), MEMORIES, all));
    }
    let call = session.call(Use::Write, &Place::default())?;
    let kept = verbs::keep(&call, &args.keep)?;
    fine(session.out.answer(&kept, |page, kept| render::kept(page, kept)))
}

pub fn doctor(session: &Session, args: &args::Doctor) -> Result<Exit> {
    let call = session.call(if args.repair { Use::Write } else { Use::Read }, &Place::default())?;
    let mut health = if args.repair {
        let (file, at) =
            (private::beside(&session.target()?.database, quarantine::SUFFIX), call.engine.now());
        verbs::repair(&call, &file, &mut |rows| keep(&file, rows, at))?
    } else {
        verbs::doctor(&call, Bare::NOTHING)?
    };
    // Closes the workspace, so that all of its files are there.
    drop(call);
    health.problems.extend(open_to_others(session)?);
    health.sound = health.problems.is_empty();
    session.out.answer(&health, render::health)?;
    Ok(Exit::fine_if(health.sound))
}

/// Files that other users of the machine may read, with the command that changes this.
fn open_to_others(session: &Session) -> Result<Vec<String>> {
    let target = session.target()?;
    let beside = |end: &str| private::beside(&target.database, end);
    let mut paths = vec![target.database.clone()];
    paths.extend(
        [
            "-wal",
            "-shm",
            ".index",
            ".jobs",
            ".jobs-wal",
            ".jobs-shm",
            ".models",
            ".recalls",
            quarantine::SUFFIX,
        ]
        .map(beside),
    );
    if target.workspace.is_some() {
        let home = session.home()?;
        paths.extend(target.database.parent().map(Path::to_path_buf));
        paths.extend([home.keys_file(), home.root().join("trash")]);
    }
    paths.retain(|path| private::is_open_to_others(path));
    let problem = |path: PathBuf| {
        let path = path.display().to_string();
        format!("others on this machine may read `{path}`: run `chmod -R go= '{path}'`")
    };
    Ok(paths.into_iter().map(problem).collect())
}

/// Appends rows to the file, which only this user may read, and waits for the disk.
fn keep(file: &Path, rows: &[RemovedRow], at: Timestamp) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let write = || {
        let mut out = private::options().create(true).append(true).open(file)?;
        let lines: String = rows.iter().map(|row| quarantine::line(row, at)).collect();
        out.write_all(lines.as_bytes())?;
        out.sync_all()
    };
    write().map_err(|error: std::io::Error| {
        Error::unavailable(format!("write `{}`", file.display()), error.to_string())
            .hint("nothing was repaired; make room beside the database and try again")
    })
}

pub fn enrich(session: &Session, q: Enrich) -> Result<Exit> {
    let enriched = counted(session, "memories", q, griot_wire::verbs::enrich::enrich)?;
    session.out.answer(&enriched, render::enriched)?;
    Ok(Exit::fine_if(enriched.failure.is_none()))
}

pub fn reindex(session: &Session, q: Reindex) -> Result<Exit> {
    let made = counted(session, "memories", q, verbs::reindex)?;
    fine(session.out.answer(&made, render::reindexed))
}

pub fn build_graphs(session: &Session, q: BuildGraphs) -> Result<Exit> {
    fine(session.out.answer(&counted(session, "memories", q, verbs::build_graphs)?, render::built))
}

/// Runs a verb with a bar that counts `unit`.
pub fn counted<Q, A>(session: &Session, unit: &str, q: Q, verb: fn(&Call, Q) -> Outcome<A>) -> Result<A> {
    let mut call = session.call(Use::Write, &Place::default())?;
    let bar = Arc::new(Progress::new(unit));
    let drawn = Arc::clone(&bar);
    call.progress = call::Progress::new(move |done, all| drawn.at(done, all));
    let answer = verb(&call, q)?;
    bar.finish();
    Ok(answer)
}

//! `griot workspace`: list, make, choose, remove.

use griot::model::Result;
use griot_wire::WorkspaceView;

use crate::args::{Workspace, WorkspaceAction};
use crate::failure::Exit;
use crate::home::{DEFAULT_WORKSPACE, Home};
use crate::render;
use crate::session::{Session, clock, open};

pub fn run(session: &Session, args: Workspace) -> Result<Exit> {
    let home = session.home()?;
    match args.action.unwrap_or(WorkspaceAction::List(args.limit)) {
        WorkspaceAction::List(limit) => {
            let active = home.active()?;
            let mut names = home.workspaces()?;
            if !names.iter().any(|name| name == DEFAULT_WORKSPACE) {
                names.insert(0, DEFAULT_WORKSPACE.to_string());
            }
            let names = limit.cut(names, "workspace", "workspaces");
            let views = names.iter().map(|name| view(&home, name, &active)).collect::<Result<Vec<_>>>()?;
            session.out.answer(&views, |page, views| render::workspaces(page, views))?;
        }
        WorkspaceAction::Create { name, r#use } => {
            let target = home.create(&name)?;
            let settings = session.settings(&target)?.into_settings();
            open(&target.database, settings)?.close()?;
            if r#use {
                home.activate(&name)?;
            }
            let view = view(&home, &name, &home.active()?)?;
            session.out.answer(&view, |page, view| render::workspaces(page, std::slice::from_ref(view)))?;
        }
        WorkspaceAction::Use { name } => {
            if name == DEFAULT_WORKSPACE && !home.workspaces()?.contains(&name) {
                home.create(&name)?;
            }
            home.activate(&name)?;
            let view = view(&home, &name, &name)?;
            session.out.answer(&view, |page, view| render::workspaces(page, std::slice::from_ref(view)))?;
        }
        WorkspaceAction::Remove { name } => {
            let trash = home.remove(&name, clock())?;
            let answer = serde_json::json!({ "name": name, "trash": trash.display().to_string() });
            session.out.answer(&answer, |_, _| format!("moved to {}", trash.display()))?;
        }
        WorkspaceAction::EmptyTrash { name } => {
            let removed = home.empty_trash(name.as_deref())?;
            let answer = serde_json::json!({ "removed": removed });
            session.out.answer(&answer, |_, _| render::trash_emptied(removed))?;
        }
        WorkspaceAction::Path { name } => {
            let target = match name {
                Some(name) => home.workspace(&name)?,
                None => session.target()?,
            };
            let path = target.database.display().to_string();
            session.out.answer(&path, |_, path| path.clone())?;
        }
    }
    Ok(Exit::Fine)
}

fn view(home: &Home, name: &str, active: &str) -> Result<WorkspaceView> {
    let database = home.workspace(name)?.database;
    let file = std::fs::metadata(&database).ok();
    Ok(WorkspaceView {
        name: name.to_string(),
        path: database.display().to_string(),
        active: name == active,
        exists: file.is_some(),
        bytes: file.map_or(0, |file| file.len()),
    })
}

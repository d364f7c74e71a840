//! `griot config`: settings with the origin of each value.

use std::path::{Path, PathBuf};

use griot::model::{Error, Result};
use griot::private;
use griot_wire::settings::{Layers, Origin, find, from_text, retired, set_in_file, unset_in_file};
use serde_json::{Map, Value, json};

use crate::args::{Config, ConfigAction};
use crate::failure::Exit;
use crate::files;
use crate::render;
use crate::session::Session;

pub fn run(session: &Session, args: Config) -> Result<Exit> {
    let agent = args.agent.as_deref();
    match args.action {
        None => print(session, agent)?,
        Some(ConfigAction::Get { key }) => get(session, agent, &key)?,
        Some(ConfigAction::Set { key, value, global }) => set(session, agent, &key, &value, global)?,
        Some(ConfigAction::Unset { key, global }) => unset(session, agent, &key, global)?,
        Some(ConfigAction::Path) => {
            for path in session.target()?.settings {
                session.out.text(&path.display().to_string())?;
            }
        }
    }
    Ok(Exit::Fine)
}

/// The settings of an agent, or those for all agents.
fn layers(session: &Session, agent: Option<&str>) -> Result<Layers> {
    let layers = session.settings(&session.target()?)?;
    agent.map_or(Ok(layers.clone()), |agent| layers.of_agent(agent))
}

fn print(session: &Session, agent: Option<&str>) -> Result<()> {
    let layers = layers(session, agent)?;
    let entries: Vec<(&str, String, Origin)> =
        layers.entries().map(|(key, value, origin)| (key.name, value, origin)).collect();
    let mut object = Map::new();
    for (name, value, origin) in &entries {
        object.insert((*name).to_string(), json!({ "value": as_json(value), "origin": origin.to_string() }));
    }
    session.out.answer(&Value::Object(object), |page, _| render::settings(page, &entries))
}

/// A TOML value as JSON; settings hold no tables.
fn as_json(value: &str) -> Value {
    let parsed = serde_json::from_str(value).or_else(|_| serde_json::to_value(from_text(value)));
    parsed.unwrap_or_else(|_| Value::String(value.to_string()))
}

fn get(session: &Session, agent: Option<&str>, name: &str) -> Result<()> {
    let key = find(name)?;
    let layers = layers(session, agent)?;
    let value = key.read(layers.settings());
    session.out.answer(&as_json(&value), |_, _| value.clone())
}

fn set(session: &Session, agent: Option<&str>, name: &str, text: &str, global: bool) -> Result<()> {
    if let Some(why) = retired(name) {
        session.warn(&why);
        return Ok(());
    }
    let key = find(name)?;
    let path = file(session, global)?;
    let before = files::read(&path)?.unwrap_or_default();
    let after = set_in_file(&before, agent, key, &from_text(text).to_string());
    // Write nothing that cannot be read back.
    Layers::default().file(&path, &after)?;
    write(&path, &after)?;
    said(session, &format!("{} in {}", key.name, path.display()))
}

fn unset(session: &Session, agent: Option<&str>, name: &str, global: bool) -> Result<()> {
    let key = find(name)?;
    let path = file(session, global)?;
    let before = files::read(&path)?.unwrap_or_default();
    let Some(after) = unset_in_file(&before, agent, key) else {
        let why = format!("it is not set in `{}`", path.display());
        let hint = "griot config prints every value with its origin";
        return Err(Error::not_found(format!("unset `{}`", key.name), why).hint(hint));
    };
    write(&path, &after)?;
    said(session, &format!("{} no longer in {}", key.name, path.display()))
}

/// The settings file of the workspace, or the one for all workspaces.
fn file(session: &Session, global: bool) -> Result<PathBuf> {
    let mut files = session.target()?.settings;
    if global {
        files.truncate(1);
    }
    files.pop().ok_or_else(|| Error::unavailable("write a setting", "there is no place for settings"))
}

fn write(path: &Path, text: &str) -> Result<()> {
    let unwritable =
        |error: std::io::Error| Error::unavailable(format!("write `{}`", path.display()), error.to_string());
    if let Some(folder) = path.parent() {
        private::folder(folder).map_err(unwritable)?;
    }
    private::write(path, text.as_bytes()).map_err(unwritable)
}

fn said(session: &Session, done: &str) -> Result<()> {
    if session.out.is_json() { Ok(()) } else { session.out.text(done) }
}

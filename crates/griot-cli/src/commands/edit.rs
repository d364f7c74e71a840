//! `griot edit`: a new version of a memory, from the command line, a file, standard input or an editor.

use std::io::IsTerminal;
use std::process::Command;

use griot::model::{Error, Result};
use griot_wire::request::{Named, Place};
use griot_wire::verbs::edit::{Edit, edit};
use griot_wire::verbs::memory;

use super::{fine, remember::stdin};
use crate::args::{EditArgs, joined};
use crate::failure::Exit;
use crate::files;
use crate::render;
use crate::session::{Session, Use};

pub fn run(session: &Session, args: EditArgs) -> Result<Exit> {
    let call = session.call(Use::Write, &Place::default())?;
    let old = memory::show(&call, Named::new(&args.name))?;
    let what = || format!("edit `{}`", old.handle);
    let text = match (&args.file, joined(&args.text).as_str()) {
        (Some(path), _) => files::read(path)?
            .ok_or_else(|| Error::not_found(what(), format!("there is no file `{}`", path.display())))?,
        (None, "-") => stdin("the text")?,
        (None, "") if std::io::stdin().is_terminal() => in_editor(&what(), &old.text)?,
        (None, "") => {
            return Err(Error::invalid(what(), "there is no new text")
                .hint(format!("griot edit {} \"the new text\"", old.handle.trim_start_matches('#'))));
        }
        (None, text) => text.to_string(),
    };
    let text = if text.trim_end() == old.text.trim_end() { old.text.clone() } else { text };
    let new = edit(&call, Edit::new(old.id, text))?;
    fine(session.out.answer(&new, |page, new| render::edited(page, new, &old.handle)))
}

/// The text as the user leaves it in `$VISUAL` or `$EDITOR`.
fn in_editor(what: &str, text: &str) -> Result<String> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    let editor = variable("VISUAL").or_else(|| variable("EDITOR")).ok_or_else(|| {
        Error::invalid(what.to_string(), "there is no new text, and $EDITOR is not set")
            .hint("griot edit MEMORY \"the new text\"")
    })?;
    let failed = |why: String| Error::unavailable(what.to_string(), why);
    let file = tempfile::Builder::new()
        .prefix("griot-")
        .suffix(".md")
        .tempfile()
        .map_err(|error| failed(error.to_string()))?;
    std::fs::write(file.path(), text).map_err(|error| failed(error.to_string()))?;
    // An editor may be given with arguments: `code --wait`.
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or_default();
    let status = Command::new(program)
        .args(words)
        .arg(file.path())
        .status()
        .map_err(|error| failed(format!("`{program}` cannot be started: {error}")))?;
    if !status.success() {
        return Err(failed(format!("`{program}` failed; nothing was changed")));
    }
    let text = std::fs::read_to_string(file.path()).map_err(|error| failed(error.to_string()))?;
    // Editors end the last line.
    Ok(text.trim_end().to_string())
}

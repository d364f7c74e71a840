//! Exit codes, and printing of errors.

use std::io::Write;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use griot::model::{Error, ErrorKind};
use griot_wire::ErrorBody;

use crate::commands::overview;

/// The result of a command without an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    Fine,
    /// A check failed, or a part of the work could not be done. It was reported already.
    Problem,
}

impl Exit {
    pub fn fine_if(is_fine: bool) -> Self {
        if is_fine { Self::Fine } else { Self::Problem }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Fine => Self::SUCCESS,
            Exit::Problem => Self::from(1),
        }
    }
}

/// Exit codes: 1 for what was not found, 2 for every other error. Programs read the code in the JSON, which
/// is more precise.
const fn exit_code(kind: ErrorKind) -> u8 {
    match kind {
        ErrorKind::NotFound => 1,
        ErrorKind::InvalidInput
        | ErrorKind::Conflict
        | ErrorKind::Unavailable
        | ErrorKind::Corrupt
        | ErrorKind::Bug => 2,
    }
}

/// The hint for errors that have none of their own.
const fn usual_hint(kind: ErrorKind) -> Option<&'static str> {
    match kind {
        ErrorKind::Corrupt => Some("griot doctor"),
        ErrorKind::Conflict => Some("another process is writing: try again, or raise store.busy_timeout_ms"),
        ErrorKind::InvalidInput | ErrorKind::NotFound | ErrorKind::Unavailable | ErrorKind::Bug => None,
    }
}

/// Prints the error and returns the exit code.
pub fn report(error: &Error, json: bool) -> ExitCode {
    complain(error, json);
    ExitCode::from(exit_code(error.kind))
}

/// Prints the error of a command that answered nevertheless.
pub fn complain(error: &Error, json: bool) {
    print(&body(error), json);
}

fn body(error: &Error) -> ErrorBody {
    let mut body = ErrorBody::from(error);
    body.hint = body.hint.or_else(|| usual_hint(error.kind).map(str::to_string));
    body
}

/// Prints help and version as answers, and everything else that clap reports as invalid input.
pub fn of_arguments(mut error: clap::Error) -> ExitCode {
    if !error.use_stderr() {
        return match error.print() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Err(_) => ExitCode::from(2),
        };
    }
    let mut meant = None;
    if error.kind() == clap::error::ErrorKind::InvalidSubcommand
        && let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand)
    {
        meant = overview::meant(typed);
        error.remove(ContextKind::SuggestedSubcommand);
        if let Some(meant) = &meant {
            error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(vec![meant.clone()]));
        }
    }
    if std::env::args_os().any(|argument| argument == "--json") {
        let text = error.render().to_string();
        let mut paragraphs = text.trim_start_matches("error: ").split("\n\n");
        let message = paragraphs.next().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
        let code = ErrorKind::InvalidInput.code().to_string();
        let hint = meant.map_or("griot --help".into(), |meant| format!("did you mean `griot {meant}`?"));
        print(&ErrorBody { code, message, hint: Some(hint), candidates: Vec::new() }, true);
    } else {
        // Nothing can be done if standard error is closed.
        let _ = error.print();
    }
    ExitCode::from(exit_code(ErrorKind::InvalidInput))
}

fn print(body: &ErrorBody, json: bool) {
    let text = if json {
        serde_json::to_string(body).unwrap_or_else(|error| error.to_string())
    } else {
        let colour = crate::output::wants_colour(&std::io::stderr());
        crate::render::error(body, colour)
    };
    // Nothing can be done if standard error is closed.
    let _ = writeln!(std::io::stderr(), "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_error_has_an_exit_code() {
        let codes: Vec<String> =
            ErrorKind::ALL.into_iter().map(|kind| format!("{} {}", kind.code(), exit_code(kind))).collect();
        assert_eq!(
            codes,
            ["invalid_input 2", "not_found 1", "conflict 2", "unavailable 2", "corrupt 2", "bug 2"]
        );
    }

    #[test]
    fn hints_follow_what_is_known() {
        assert_eq!(body(&Error::not_found("show `x`", "no")).hint, None);
        assert_eq!(body(&Error::new(ErrorKind::Corrupt, "a", "b")).hint.as_deref(), Some("griot doctor"));
    }
}

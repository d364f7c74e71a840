//! Translates SQLite's codes for the caller: a kind, a plain reason, and a hint.

use std::path::Path;

use rusqlite::ErrorCode;

use crate::model::{Error, ErrorKind};

/// Converts an SQLite error. `what` completes "cannot …" and is followed by the path of the database.
pub(super) fn from_sqlite(what: &str, path: &Path, error: &rusqlite::Error) -> Error {
    let what = format!("{what} {}", path.display());
    let rusqlite::Error::SqliteFailure(code, message) = error else {
        // A column holds a value that this program does not write there.
        return Error::corrupt(what, format!("a row does not read as it was written ({error})"));
    };
    match code.code {
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
            Error::new(ErrorKind::Conflict, what, "another process is writing and did not finish in time")
                .hint("try again; a longer wait is set with busy_timeout_ms")
        }
        ErrorCode::DiskFull => {
            Error::unavailable(what, "the disk is full").hint("free some space and try again")
        }
        ErrorCode::ReadOnly => Error::unavailable(what, "the database or its directory is read-only")
            .hint("give this user permission to write to the file and its directory"),
        ErrorCode::PermissionDenied | ErrorCode::AuthorizationForStatementDenied => {
            Error::unavailable(what, "permission denied")
                .hint("give this user permission to read and write the file")
        }
        ErrorCode::CannotOpen => Error::unavailable(what, "the file cannot be opened or created")
            .hint("check that its directory exists and that this user may read and write there"),
        ErrorCode::SystemIoFailure => {
            let detail = message.as_deref().unwrap_or("the disk reported an error");
            Error::unavailable(what, format!("reading or writing failed: {detail}"))
                .hint("check the disk, then run `griot doctor`")
        }
        ErrorCode::NotADatabase => Error::new(ErrorKind::Corrupt, what, "the file is not a Griot database")
            .hint("name another file, or restore this one from a backup"),
        ErrorCode::DatabaseCorrupt => Error::corrupt(what, "the database is damaged").hint("griot doctor"),
        ErrorCode::OutOfMemory => Error::unavailable(what, "there is not enough memory"),
        ErrorCode::TooBig => Error::invalid(what, "the text is larger than the database can hold in one row"),
        ErrorCode::ConstraintViolation => {
            let detail = message.as_deref().unwrap_or("a constraint of the database");
            Error::invalid(what, format!("the change contradicts what is stored ({detail})"))
        }
        ErrorCode::FileLockingProtocolFailed => {
            Error::new(ErrorKind::Conflict, what, "too many processes wanted the file at once")
                .hint("try again")
        }
        _ => Error::new(ErrorKind::Bug, what, error.to_string()),
    }
}

/// Errors that an immediate retry may resolve; they occur if several processes create a file at the same
/// time.
pub(super) fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed)
    )
}

//! The answers of `griot connect`.

objects! {
    /// The answer to `connect HOST`.
    Connected {
        /// `claude-code`, `cursor`, …
        host: String,
        /// `connected`, `removed`; `planned` with `--dry-run`; `nothing` if no change is needed.
        action: String,
        /// Each file that was checked.
        files: Vec<HostFile>,
    }

    /// A file of a host.
    HostFile {
        /// Its path.
        path: String,
        /// `created`, `changed`, `deleted` or `nothing`.
        change: String,
        /// The change as a unified diff; empty for none.
        diff: String,
    }

    /// A host that Griot can be connected to (`connect --list`).
    HostView {
        /// `claude-code`, `cursor`, …
        host: String,
        /// Its display name.
        title: String,
        /// Whether it seems to be installed: a file, a folder or its program was found.
        found: bool,
        /// Whether its configuration starts `griot mcp`.
        connected: bool,
        /// Whether its hooks call Griot; `null` for a host without hooks.
        hooks: Option<bool>,
        /// The files that `connect` writes.
        files: Vec<String>,
        /// Why a file could not be read.
        problem: Option<String>,
    }
}

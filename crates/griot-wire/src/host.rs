//! What `griot connect` answers.

objects! {
    /// The answer to `connect HOST`.
    Connected {
        /// `claude-code`, `cursor`, …
        host: String,
        /// `connected`, `removed`; `planned` with `--dry-run`; `nothing` if all is as it should be.
        action: String,
        /// Each file that was looked at.
        files: Vec<HostFile>,
    }

    /// A file of a host.
    HostFile {
        /// Where it lies.
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
        /// As its makers write it.
        title: String,
        /// It seems to be installed: a file, a folder or its program was found.
        found: bool,
        /// Its configuration starts `griot mcp`.
        connected: bool,
        /// Its hooks call Griot; null for a host without hooks.
        hooks: Option<bool>,
        /// The files that `connect` writes.
        files: Vec<String>,
        /// Why a file could not be read.
        problem: Option<String>,
    }
}

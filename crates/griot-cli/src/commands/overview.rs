//! What can Griot do? The page of `griot` alone, the list of `griot --help`, and the command that a mistyped
//! one meant.

use std::fmt::Write;

use clap::{Command, CommandFactory};

use super::Cli;

/// Commands that belong together. The first ones are on the page of `griot` alone.
struct Group {
    title: &'static str,
    first: &'static [&'static str],
    further: &'static [&'static str],
}

const GROUPS: [Group; 5] = [
    Group {
        title: "Daily use",
        first: &["remember", "recall", "list", "edit", "forget", "ingest"],
        further: &["restore", "watch", "crawl", "crawl-status"],
    },
    Group {
        title: "Look",
        first: &["show", "why", "entity", "timeline", "path", "status"],
        further: &["notes", "related", "similar", "traverse", "facts", "conflicts", "hubs", "sources"],
    },
    Group {
        title: "Connect",
        first: &["connect", "link"],
        further: &["unlink", "offers", "merge", "merges", "build-graphs", "feedback", "hook"],
    },
    Group {
        title: "Care",
        first: &["workspace", "config", "backup", "doctor"],
        further: &[
            "restore-backup",
            "export",
            "import",
            "erase",
            "erasures",
            "verify",
            "gc",
            "reindex",
            "enrich",
            "rollout",
            "recalls",
            "usage",
            "jobs",
        ],
    },
    Group { title: "Serve", first: &["serve", "mcp"], further: &["key", "demo", "completions", "man"] },
];

/// What people type who know another program, and what it is called here. Those that mean exactly the same
/// are aliases of the commands.
const MEANT: [(&str, &str); 10] = [
    ("graph", "related"),
    ("history", "timeline"),
    ("load", "import"),
    ("mv", "merge"),
    ("new", "remember"),
    ("save", "remember"),
    ("settings", "config"),
    ("ui", "serve"),
    ("undo", "restore"),
    ("update", "edit"),
];

/// The command line with its commands in groups, on `--help`.
pub fn grouped(command: Command) -> Command {
    let heading = command.get_styles().get_header().to_owned();
    let mut list = String::new();
    for group in &GROUPS {
        let names = group.first.iter().chain(group.further);
        section(&mut list, &command, &format!("{heading}{}:{heading:#}", group.title), names);
    }
    // They are listed in their groups, and not once more.
    command.mut_subcommands(|one| one.hide(true)).help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}{{all-args}}{{after-help}}"
    ))
}

/// The page of `griot` alone.
pub fn short() -> String {
    let command = Cli::command();
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let mut page = format!("{about}\n\n");
    for group in &GROUPS {
        section(&mut page, &command, group.title, group.first.iter());
    }
    page.push_str("griot COMMAND --help explains a command; griot --help lists all of them.");
    page
}

fn section<'a>(
    page: &mut String,
    command: &Command,
    title: &str,
    names: impl Iterator<Item = &'a &'static str>,
) {
    // Writing to a String cannot fail.
    let _ = writeln!(page, "{title}");
    for name in names {
        let about = command.find_subcommand(name).and_then(Command::get_about);
        let _ = writeln!(page, "  {name:<15} {}", about.map(ToString::to_string).unwrap_or_default());
    }
    page.push('\n');
}

/// The command that a mistyped one most likely meant.
pub fn meant(typed: &str) -> Option<String> {
    if typed == "version" {
        return Some("--version".to_string());
    }
    let known = MEANT.iter().find(|(other, _)| *other == typed).map(|(_, own)| (*own).to_string());
    known.or_else(|| {
        let command = Cli::command();
        let names = command.get_subcommands().filter(|one| !one.is_hide_set());
        let names: Vec<&str> =
            names.flat_map(|one| std::iter::once(one.get_name()).chain(one.get_all_aliases())).collect();
        griot_wire::settings::nearest(typed, names.into_iter()).map(str::to_string)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let listed: Vec<&str> =
            GROUPS.iter().flat_map(|group| group.first.iter().chain(group.further).copied()).collect();
        let unique: BTreeSet<&str> = listed.iter().copied().collect();
        let command = Cli::command();
        let commands: BTreeSet<&str> =
            command.get_subcommands().filter(|one| !one.is_hide_set()).map(Command::get_name).collect();
        assert_eq!(unique, commands);
        assert_eq!(listed.len(), unique.len());
    }

    #[test]
    fn words_of_other_programs_lead_to_commands() {
        let command = Cli::command();
        for (typed, own) in MEANT {
            assert!(command.find_subcommand(own).is_some(), "{own}");
            assert!(command.find_subcommand(typed).is_none(), "{typed}");
        }
        assert_eq!(meant("recal").as_deref(), Some("recall"));
        assert_eq!(meant("serach").as_deref(), Some("search"));
        assert_eq!(meant("version").as_deref(), Some("--version"));
        assert_eq!(meant("xyzzy"), None);
    }
}

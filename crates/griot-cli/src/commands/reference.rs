//! `griot reference`: the pages of `docs/reference`, for `cargo xtask codegen`.

use std::fmt::Write;

use clap::CommandFactory;
use griot::model::Result;

use super::{Cli, fine};
use crate::args::{Page, Reference};
use crate::failure::Exit;
use crate::session::Session;

pub fn run(session: &Session, args: &Reference) -> Result<Exit> {
    fine(session.out.text(&match args.page {
        Page::Cli => cli_page(),
        Page::Settings => griot_wire::reference::settings_page(),
        Page::Formats => griot_ingest::formats_page(),
        Page::Json => griot_wire::reference::json_page(),
        Page::Schema | Page::Http | Page::Openapi => super::server::reference(args.page),
    }))
}

/// Every command with its options, from the definitions that `--help` prints.
fn cli_page() -> String {
    let mut page =
        String::from("<!-- Made by `cargo xtask codegen`; changes here are lost. -->\n\n# Command line\n\n");
    let mut griot = Cli::command();
    griot.build();
    page.push_str(
        "Exit codes: 0 fine (an empty answer is fine), 1 not found or a check failed, 2 failure.\n\n",
    );
    page.push_str("Options of every command:\n\n");
    options(&mut page, griot.get_arguments().filter(|argument| argument.is_global_set()));
    for command in griot.get_subcommands() {
        section(&mut page, command, "griot", 2);
    }
    page
}

fn section(page: &mut String, command: &clap::Command, parent: &str, level: usize) {
    if command.is_hide_set() || command.get_name() == "help" {
        return;
    }
    let name = format!("{parent} {}", command.get_name());
    let about = command.get_about().map(|about| about.to_string()).unwrap_or_default();
    push(page, format_args!("\n{} {name}\n\n{about}.\n", "#".repeat(level)));
    let others: Vec<String> = command.get_all_aliases().map(|name| format!("`{name}`")).collect();
    if !others.is_empty() {
        push(page, format_args!("Other names of it: {}.\n", others.join(", ")));
    }
    let usage = command.clone().render_usage().to_string();
    push(page, format_args!("```text\n{}\n```\n", usage.trim_start_matches("Usage: ").trim()));
    options(
        page,
        command.get_arguments().filter(|argument| !argument.is_global_set() && !argument.is_hide_set()),
    );
    if let Some(after) = command.get_after_help() {
        push(page, format_args!("\n```text\n{after}\n```"));
    }
    for inner in command.get_subcommands() {
        section(page, inner, &name, level + 1);
    }
}

fn options<'a>(page: &mut String, arguments: impl Iterator<Item = &'a clap::Arg>) {
    let rows: Vec<(String, String)> = arguments
        .filter(|argument| argument.get_id() != "help" && argument.get_id() != "version")
        .map(row)
        .collect();
    if rows.is_empty() {
        return;
    }
    page.push_str("| option | meaning |\n|---|---|\n");
    for (name, meaning) in rows {
        push(page, format_args!("| `{name}` | {meaning} |"));
    }
}

fn row(argument: &clap::Arg) -> (String, String) {
    let value = argument.get_value_names().unwrap_or_default().first().map(|name| format!("<{name}>"));
    let takes = argument.get_action().takes_values();
    let name = match (argument.get_long(), argument.get_short()) {
        (Some(long), short) => {
            let short = short.map(|short| format!("-{short}, ")).unwrap_or_default();
            let value = value.filter(|_| takes).map(|value| format!(" {value}")).unwrap_or_default();
            format!("{short}--{long}{value}")
        }
        _ => value.unwrap_or_else(|| argument.get_id().to_string()),
    };
    let mut meaning = argument.get_help().map(|help| help.to_string()).unwrap_or_default();
    let choices: Vec<String> = argument
        .get_possible_values()
        .iter()
        .filter(|_| takes)
        .map(|choice| format!("`{}`", choice.get_name()))
        .collect();
    if !choices.is_empty() && choices != ["`true`", "`false`"] {
        let _ = write!(meaning, " ({})", choices.join(", "));
    }
    let defaults: Vec<String> =
        argument.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
    if takes && !defaults.is_empty() {
        let _ = write!(meaning, " [default: {}]", defaults.join(" "));
    }
    (name, meaning.replace('|', "\\|"))
}

fn push(page: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = writeln!(page, "{line}");
}

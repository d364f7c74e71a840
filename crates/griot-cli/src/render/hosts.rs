//! Output of `griot connect`: planned changes, made changes, the list of hosts.

use griot_wire::{Connected, HostView};

use super::table::table;
use super::{ALARM, NAME, Page, text};

/// The output of a run that writes nothing.
pub fn connected(page: Page, answer: &Connected, title: &str, remove: bool) -> String {
    if answer.action == "nothing" {
        let state = if remove { "is not connected" } else { "is already connected" };
        let files: Vec<String> = answer.files.iter().map(|file| text::visible(&file.path)).collect();
        return format!("nothing to do: {title} {state}  {}", page.quiet(&files.join(", ")));
    }
    format!("{}\n{}", differences(page, answer), page.quiet("nothing was written"))
}

/// The diffs, one after the other.
pub fn differences(page: Page, answer: &Connected) -> String {
    let lines = answer.files.iter().flat_map(|file| file.diff.lines()).map(|line| {
        let shown = text::visible(line);
        match line.chars().next() {
            Some('+') => page.paint(NAME, &shown),
            Some('-') => page.paint(ALARM, &shown),
            Some('@' | '\\') => page.quiet(&shown),
            _ => shown,
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// What a run that wrote prints after the diffs.
pub fn connection(page: Page, answer: &Connected, title: &str) -> String {
    let mut lines = vec![String::new()];
    if answer.action == "removed" {
        lines.push(format!("{} is disconnected", page.strong(title)));
    } else {
        lines.push(format!("{} is connected; restart it to load Griot", page.strong(title)));
    }
    lines.join("\n")
}

pub fn hosts(page: Page, hosts: &[HostView]) -> String {
    let word = |yes: bool| if yes { "yes" } else { "-" }.to_string();
    table(page, ["host", "found", "connected", "file"], &[], hosts, |host| {
        let connected = match (host.connected, host.hooks) {
            (true, Some(false)) => "without hooks".to_string(),
            (false, Some(true)) => "hooks only".to_string(),
            (connected, _) => word(connected),
        };
        let files = host.problem.clone().unwrap_or_else(|| host.files.join(", "));
        [host.host.clone(), word(host.found), connected, files]
    })
}

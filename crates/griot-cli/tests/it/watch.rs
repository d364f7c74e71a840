//! `griot watch`: the workspace follows the files on disk.

use std::io::{BufRead, BufReader};
use std::process::{ChildStdout, Stdio};

use serde_json::Value;

use crate::{Home, Parts, Running, parsed};

/// A running watch, whose answers are read as they are printed.
struct Watching {
    _process: Running,
    answers: std::io::Lines<BufReader<ChildStdout>>,
}

impl Watching {
    fn start(home: &Home, arguments: &[&str]) -> Self {
        let mut process = home
            .process()
            .args(["--json", "watch"])
            .args(arguments)
            .current_dir(home.path().join("files"))
            .stdout(Stdio::piped())
            .spawn()
            .expect("griot starts");
        let answers = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        Self { _process: Running(process), answers }
    }

    /// The next answer that satisfies `done`; a burst may be seen in several parts.
    fn next_with(&mut self, done: impl Fn(&Value) -> bool) -> Value {
        loop {
            let line = self.answers.next().expect("it goes on").expect("output is UTF-8");
            let answer = parsed(&line);
            if done(&answer) {
                return answer;
            }
        }
    }
}

fn added(answer: &Value) -> bool {
    answer["added"] != 0
}

fn pruned(answer: &Value) -> bool {
    !answer["pruned"].list().is_empty()
}

#[test]
fn what_agents_keep_in_files_is_followed_without_settings() {
    let home = Home::new();
    let memory = home.file("MEMORY.md", "# Memory\n\nWe chose Postgres.\n");
    home.file("memory/tea.md", "Ada likes green tea.\n");
    home.file("memory/drums.md", "# Drums\n\nEve plays the drums.\n");
    home.file("other.md", "This is not watched.\n");
    let mut watching = Watching::start(&home, &[]);
    assert_eq!(watching.next_with(added)["sources"], 3);

    // An editor that saves by renaming.
    std::fs::rename(home.file("MEMORY.md.tmp", "# Memory\n\nWe chose MySQL.\n"), memory).expect("renamed");
    watching.next_with(added);
    let content = home.content();
    assert!(content.contains("We chose MySQL.") && !content.contains("This is not watched"), "{content}");

    // Events name only the folder that was moved here.
    home.file("made/deep/kite.md", "Bob flies kites.\n");
    let rename = |from: &str, to: &str| {
        let files = home.path().join("files");
        std::fs::rename(files.join(from), files.join(to)).expect("renamed");
    };
    rename("made", "memory/moved");
    assert_eq!(watching.next_with(added)["sources"], 1);

    rename("memory/tea.md", "memory/drinks.md");
    assert!(watching.next_with(pruned)["pruned"][0].text().ends_with("memory/tea.md"));

    // A file with a title of its own keeps its memories under the new name.
    rename("memory/drums.md", "memory/music.md");
    let renamed = watching.next_with(|answer| !answer["renamed"].list().is_empty());
    assert!(renamed["renamed"][0]["from"].text().ends_with("drums.md"), "{renamed}");
    assert_eq!((&renamed["added"], &renamed["removed"]), (&0.into(), &0.into()), "{renamed}");

    std::fs::remove_dir_all(home.path().join("files/memory/moved")).expect("removed");
    watching.next_with(pruned);
    let left = home.json(&["recall", "who flies kites", "--no-floor"]);
    assert!(!left.to_string().contains("Bob flies kites"), "{left}");
    assert!(home.ok(&["recall", "what does Ada like"]).contains("green tea"));
}

#[test]
fn a_file_that_cannot_be_read_does_not_end_it() {
    let home = Home::new();
    home.file("notes/good.md", "Fine.\n");
    let mut watching = Watching::start(&home, &["notes"]);
    watching.next_with(added);
    home.file("notes/bad.json", "{\"text\": ");
    let bad = watching.next_with(|answer| !answer["failed"].list().is_empty());
    assert!(bad["failed"][0]["path"].text().ends_with("bad.json"), "{bad}");
    home.file("notes/more.md", "Finer.\n");
    watching.next_with(added);
}

#[test]
fn without_anything_to_watch_it_says_so() {
    let home = Home::new();
    home.refused(&["watch"], 2, "neither a MEMORY.md nor a folder memory");
    home.refused(&["watch", "missing"], 2, "missing");
}

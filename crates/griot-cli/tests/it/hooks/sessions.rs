//! What is stored of a session: forks, messages that were taken back, prompts in between, secrets.

use serde_json::json;

use super::{Agent, SESSION, Transcript};

impl Transcript {
    /// A line with an id that follows another line.
    fn follows(&mut self, id: &str, parent: &str, speaker: &str, text: &str) -> &mut Self {
        let content = json!([{ "type": "text", "text": text }]);
        let message = json!({ "id": id, "role": speaker, "content": content });
        self.line(json!({ "type": speaker, "uuid": id, "parentUuid": parent, "message": message }))
    }

    fn queued(&mut self, prompt: &str, mode: &str) -> &mut Self {
        let note = json!({ "type": "queued_command", "prompt": prompt, "commandMode": mode });
        self.line(json!({ "type": "attachment", "attachment": note }))
    }
}

impl Agent {
    /// Stores a transcript of another session.
    fn end_other(&self, session: &str, transcript: &str) {
        let path = self.home.file(&format!("{session}.jsonl"), transcript);
        let event = json!({ "session_id": session, "transcript_path": path, "cwd": self.folder });
        let run = self.run(&["hook", "session-end"], event.to_string().as_bytes());
        run.is_silent("session-end");
    }
}

#[test]
fn a_fork_of_a_session_adds_only_what_is_new() {
    const FORK: &str = "fork-of-it";
    let agent = Agent::new();
    let mut transcript = Transcript::default();
    transcript.user("Where do the sessions live?").says("m1", "They live in Postgres since May.");
    agent.end(&transcript);
    let content = agent.texts();
    let copied = transcript.text();
    // Other ids of the messages would do no harm.
    let mut fork = Transcript { lines: copied.replace(SESSION, FORK).lines().map(str::to_string).collect() };
    fork.user("And who owns the importer?");
    let fork = fork.text().replace(SESSION, FORK);
    agent.end_other(FORK, &fork);
    assert_eq!(agent.texts(), [content.clone(), vec!["And who owns the importer?".to_string()]].concat());
    let ids = || -> Vec<String> { agent.memories().iter().map(|line| line["id"].to_string()).collect() };
    let before = ids();
    agent.end(&transcript);
    agent.end_other(FORK, &fork);
    assert_eq!(ids(), before, "neither takes anything from the other");
    // The same words at another time are another message.
    let later = transcript.text().replace(SESSION, "later").replace("2026-11-01", "2026-11-02");
    agent.end_other("later", &later);
    assert_eq!(agent.texts().len(), 5);
}

#[test]
fn what_the_user_took_back_is_not_stored() {
    let agent = Agent::new();
    let mut transcript = Transcript::default();
    transcript
        .follows("a", "-", "user", "Where do the sessions live?")
        .follows("b", "a", "assistant", "They live in Postgres since May.")
        .follows("c", "b", "user", "Move them to Redis then, and drop the table.")
        .follows("d", "c", "assistant", "I moved the sessions to Redis.");
    agent.end(&transcript);
    assert_eq!(agent.texts().len(), 4, "nothing was taken back yet");
    transcript
        .follows("e", "b", "user", "Leave the sessions in Postgres, and write that into the manual.")
        .follows("f", "e", "assistant", "It is written down in the manual.");
    agent.end(&transcript);
    assert_eq!(
        agent.texts(),
        [
            "Where do the sessions live?",
            "They live in Postgres since May.",
            "Leave the sessions in Postgres, and write that into the manual.",
            "It is written down in the manual."
        ]
    );
}

#[test]
fn prompts_that_were_typed_meanwhile_are_stored_once() {
    let agent = Agent::new();
    let mut transcript = Transcript::default();
    transcript
        .user("Rename the invoices table, please.")
        .queued("also use the new logo", "prompt")
        .queued("HIDDEN notification", "task-notification")
        .queued("and write release notes for it", "prompt")
        .says("m1", "The table is renamed, and the logo is the new one.")
        .user("and write release notes for it");
    agent.end(&transcript);
    assert_eq!(
        agent.texts(),
        [
            "Rename the invoices table, please.",
            "also use the new logo",
            "The table is renamed, and the logo is the new one.",
            "and write release notes for it"
        ]
    );
    let speakers: Vec<String> =
        agent.memories().iter().map(|line| line["speaker"].to_string().replace('"', "")).collect();
    assert_eq!(speakers.iter().filter(|speaker| *speaker == "user").count(), 3, "{speakers:?}");
}

#[test]
fn a_refused_secret_does_not_end_the_recording() {
    let agent = Agent::new();
    agent.home.ok(&["config", "set", "remember.secrets", "refuse"]);
    let key = format!("AKIA{}", "Q7".repeat(8));
    let mut transcript = Transcript::default();
    transcript
        .user(&format!("The deploy key is {key}, use it for staging."))
        .says("m1", "The staging deploy runs on the new cluster now.")
        .user("Who owns the importer?");
    let run = agent.end_with(transcript.text());
    assert_eq!(
        (run.code, run.stderr.as_str()),
        (0, "griot hook: 1 message with a secret left out (remember.secrets = \"refuse\")\n")
    );
    assert_eq!(agent.texts(), ["The staging deploy runs on the new cluster now.", "Who owns the importer?"]);
    assert!(!agent.home.ok(&["export"]).contains(&key), "nor is it in a title");
}

#[test]
fn secrets_are_masked_in_what_is_recorded_and_shown() {
    let agent = Agent::new();
    let key = format!("AKIA{}", "Q7".repeat(8));
    let mut transcript = Transcript::default();
    transcript.user(&format!("The deploy key is {key}, use it.")).says("m1", "The deploy runs with it.");
    agent.end(&transcript);
    assert_eq!(agent.texts()[0], "The deploy key is [AWS key removed], use it.");
    assert!(!agent.home.ok(&["export"]).contains(&key), "nor is it in a title");
    // What a person had stored with it is given to a model without it.
    agent.home.remember(&format!("The importer key is {key}."), &["--tier", "rule"]);
    let prompt = agent.prompt("which key does the importer have?");
    let start = agent.run(&["hook", "session-start"], &agent.event("", "s")).stdout;
    for block in [prompt, start] {
        assert!(block.contains("[AWS key removed]") && !block.contains(&key), "{block}");
    }
    agent.home.ok(&["doctor"]);
}

//! Files and folders as durable jobs: done files stay done, and sources of deleted files are forgotten on
//! request only.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

use griot::engine::Settings;
use griot::model::{Error, ErrorKind};
use griot_ingest::{
    FileEvent, FileOptions, Intake, Job, JobDraft, JobKind, JobState, WorkedBy, start_ingest,
};

use crate::workspace::Workspace;

/// The folder `notes` of the workspace.
fn notes(workspace: &Workspace) -> FileOptions {
    FileOptions { paths: vec![workspace.path().join("notes")], ..FileOptions::default() }
}

fn read_notes(workspace: &Workspace) -> Job {
    workspace.ingest(&notes(workspace))
}

fn allowing(types: &[&str]) -> Workspace {
    let mut settings = Settings::default();
    settings.ingest.allowed_types = types.iter().map(ToString::to_string).collect();
    Workspace::with(settings)
}

#[test]
fn a_job_that_ends_half_way_goes_on_where_it_was() {
    let workspace = Workspace::new();
    for number in 0..5 {
        let text = format!("Pier {number} was painted blue by Ada.");
        workspace.file(&format!("notes/{number}.md"), text);
    }
    let id = workspace.start_files(&notes(&workspace));
    let (stop, go_on) = (AtomicBool::new(false), AtomicBool::new(false));
    let mut taken = 0;
    let job = workspace.read_files_until(id, &stop, &mut |event| {
        taken += usize::from(matches!(event, FileEvent::Taken { .. }));
        stop.store(taken == 2, Ordering::Relaxed);
        Ok(())
    });
    let job = job.unwrap();
    assert_eq!((job.state, job.counts.stored, job.counts.discovered), (JobState::Paused, 2, 5));

    // An error of the store pauses the job; what is done stays done.
    let trouble = || Error::new(ErrorKind::Conflict, "store", "it is busy");
    let mut files = 0;
    let broken = workspace.read_files_until(id, &go_on, &mut |event| {
        files += usize::from(matches!(event, FileEvent::Next { .. }));
        if files > 1 { Err(trouble()) } else { Ok(()) }
    });
    assert_eq!(broken.unwrap_err().to_string(), trouble().to_string());
    assert_eq!(workspace.jobs.job(id).unwrap().state, JobState::Paused);

    let mut rest = Vec::new();
    let job = workspace.read_files_until(id, &go_on, &mut |event| {
        if let FileEvent::Taken { path, tally } = event {
            rest.push((path.file_name().unwrap().to_owned(), tally.is_some()));
        }
        Ok(())
    });
    let job = job.unwrap();
    assert_eq!(rest, [("3.md".into(), true), ("4.md".into(), true)]);
    assert_eq!((job.state, job.counts.stored, job.counts.memories), (JobState::Done, 5, 5));
    let again = read_notes(&workspace);
    assert_eq!((again.counts.unchanged, again.counts.stored, again.counts.processed), (5, 0, 5));
}

#[test]
fn a_file_at_which_the_process_ended_twice_is_given_up_and_the_others_are_read() {
    let workspace = Workspace::new();
    for name in ["a.md", "b.md", "c.md"] {
        workspace.file(&format!("notes/{name}"), format!("The pier of {name} was painted blue by Ada."));
    }
    let id = start_ingest(&workspace.jobs, &notes(&workspace), WorkedBy::Anyone, 0).unwrap();
    let run = |failed: &mut Vec<String>| {
        catch_unwind(AssertUnwindSafe(|| {
            workspace.read_files_until(id, &AtomicBool::new(false), &mut |event| {
                match event {
                    FileEvent::Begun { path } if path.ends_with("b.md") => resume_unwind(Box::new("killed")),
                    FileEvent::Failed { error, .. } => failed.push(error.why.clone()),
                    _ => {}
                }
                Ok(())
            })
        }))
    };
    let mut failed = Vec::new();
    assert!(run(&mut failed).is_err() && run(&mut failed).is_err());
    let job = run(&mut failed).expect("it is given up").unwrap();
    let why = "given up: the process that read it crashed twice";
    assert_eq!(failed, [why]);
    assert_eq!((job.state, job.counts.stored, job.counts.failed), (JobState::Done, 2, 1));
    assert!(job.errors[0].url.ends_with("b.md") && job.errors[0].why.contains(why), "{:?}", job.errors);
}

#[test]
fn what_fails_is_told_and_can_be_tried_again() {
    let workspace = Workspace::new();
    workspace.file("notes/good.md", "The lamp was lit at dusk.");
    workspace.file("notes/bad.json", "{\"text\": ");
    let job = read_notes(&workspace);
    assert_eq!((job.state, job.counts.stored, job.counts.failed), (JobState::Done, 1, 1));
    assert_eq!(job.errors.len(), 1);
    assert!(job.errors[0].url.ends_with("bad.json"), "{:?}", job.errors);
    workspace.file("notes/bad.json", "{\"text\": \"The lamp went out at dawn.\"}");
    workspace.jobs.retry(job.id, 0).unwrap();
    let job = workspace.read_files(job.id);
    let counts = (job.counts.stored, job.counts.unchanged, job.counts.failed);
    assert_eq!((job.state, counts), (JobState::Done, (1, 1, 0)));
    let over = workspace.read_files_until(job.id, &AtomicBool::new(false), &mut |_| Ok(()));
    assert_eq!(over.unwrap_err().to_string(), format!("cannot resume the job `{}`: it is done", job.id));
}

#[test]
fn a_named_file_that_is_gone_is_forgotten_and_no_failure() {
    let workspace = Workspace::new();
    let path = workspace.file("notes/MEMORY.md", "Ada prefers tea.");
    let options = FileOptions { paths: vec![path.clone()], prune: true, ..FileOptions::default() };
    workspace.ingest(&options);
    std::fs::remove_file(&path).unwrap();
    let read = || {
        let (mut pruned, mut failed) = (0, Vec::new());
        let intake = Intake::new(&workspace.engine, &options, &|| false).unwrap();
        let outcome = intake.run(&|_| true, &mut |event| {
            match event {
                FileEvent::Pruned { memories, .. } => pruned += memories,
                FileEvent::Failed { error, .. } => failed.push(error.to_string()),
                _ => {}
            }
            Ok(())
        });
        outcome.unwrap();
        (pruned, failed)
    };
    assert_eq!(read(), (1, Vec::new()));
    assert_eq!(read(), (0, Vec::new()), "the second burst of a watch has nothing to report");
    let never = FileOptions { paths: vec![path.with_file_name("never.md")], ..options.clone() };
    let job = workspace.ingest(&never);
    assert!(job.errors[0].why.contains("never.md"), "{:?}", job.errors);
}

#[test]
fn a_forgotten_source_stays_away_and_files_that_are_gone_are_named() {
    let workspace = Workspace::new();
    let (tea, oil) =
        (workspace.file("notes/tea.md", "Ada drinks tea."), workspace.file("notes/oil.md", "Oil is low."));
    let read = |prune: bool| {
        let options = FileOptions { prune, ..notes(&workspace) };
        let intake = Intake::new(&workspace.engine, &options, &|| false).unwrap();
        let mut heard = Vec::new();
        let outcome = intake.run(&|_| true, &mut |event| {
            let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_string();
            match event {
                FileEvent::Taken { tally: Some(tally), path } => {
                    heard.push(format!("{} +{}", name(&path.to_string_lossy()), tally.added));
                }
                FileEvent::Forgotten { source, .. } => heard.push(format!("left {source}")),
                FileEvent::Pruned { origin, .. } => heard.push(format!("pruned {}", name(origin))),
                FileEvent::Missing { origin } => heard.push(format!("missing {}", name(origin))),
                _ => {}
            }
            Ok(())
        });
        outcome.unwrap();
        heard
    };
    assert_eq!(read(false), ["oil.md +1", "tea.md +1"]);
    let source = |path: &std::path::Path| {
        let sources = workspace.engine.sources().unwrap();
        let own = sources.into_iter().find(|view| view.source.origin == path.to_string_lossy());
        own.unwrap().source
    };
    let forgotten = source(&tea).id.to_string();
    workspace.engine.forget(&forgotten).unwrap();
    assert_eq!(read(false), [format!("left {forgotten}")]);
    workspace.file("notes/tea.md", "Ada drinks green tea.");
    assert_eq!(read(true), [format!("left {forgotten}")], "whatever its content");
    workspace.engine.restore(&forgotten).unwrap();
    assert_eq!(read(false), ["tea.md +1"]);
    // What is gone is named, and forgotten on request; it comes back with its file.
    std::fs::remove_file(&oil).unwrap();
    assert_eq!(read(false), ["missing oil.md"]);
    assert!(source(&oil).deleted_at.is_none());
    assert_eq!(read(true), ["pruned oil.md"]);
    assert_eq!(read(false), Vec::<String>::new());
    workspace.file("notes/oil.md", "Oil is low.");
    assert_eq!(read(false), ["oil.md +1"]);
}

#[test]
fn a_file_with_another_name_is_the_same_as_far_as_it_says_the_same() {
    let workspace = Workspace::new();
    let options = FileOptions { prune: true, ..notes(&workspace) };
    // The first memory of each live source, by the name of its file.
    let known = || -> BTreeMap<String, String> {
        let sources = workspace.engine.sources().unwrap();
        let live = sources.iter().map(|view| &view.source).filter(|source| source.deleted_at.is_none());
        let memory = |id| workspace.engine.source(id).unwrap().1.remove(0).handle.to_string();
        let name = |origin: &str| origin.rsplit('/').next().unwrap_or_default().to_string();
        live.map(|source| (name(&source.origin), memory(source.id))).collect()
    };
    for (name, text) in [
        ("bare.md", "A text without a title of its own."),
        ("titled.md", "# Lighthouses\n\nThey stand at the sea."),
        ("2024-02-01.md", "# Diary\n\nIt rained."),
        ("twin.md", "# Twin\n\nThere are two of these."),
        ("moved.md", "Moved to another folder."),
        ("ending.md", "# Ending\n\nRead in another way."),
    ] {
        workspace.file(&format!("notes/{name}"), text);
    }
    workspace.ingest(&options);
    let before = known();
    let folder = &options.paths[0];
    std::fs::create_dir(folder.join("deep")).unwrap();
    let renames = [
        ("bare.md", "named.md", false),
        ("titled.md", "towers.md", true),
        ("2024-02-01.md", "2024-03-01.md", false),
        ("moved.md", "deep/moved.md", true),
        ("ending.md", "ending.txt", false),
    ];
    for (from, to, _) in renames {
        std::fs::rename(folder.join(from), folder.join(to)).unwrap();
    }
    std::fs::copy(folder.join("twin.md"), folder.join("copy.md")).unwrap();
    assert_eq!(workspace.ingest(&options).state, JobState::Done);
    let after = known();
    for (from, to, is_kept) in renames {
        let name = to.rsplit('/').next().unwrap();
        assert_eq!(before[from] == after[name], is_kept, "{from} became {to}");
    }
    assert_eq!(before["twin.md"], after["twin.md"]);
    assert_ne!(before["twin.md"], after["copy.md"], "a copy is a file of its own");
    assert_eq!(after.len(), 7, "{after:?}");
    let again = workspace.ingest(&options);
    assert_eq!((again.counts.unchanged, again.counts.stored), (7, 0));
}

#[test]
fn only_allowed_kinds_come_in() {
    let workspace = allowing(&["text/markdown", "csv"]);
    workspace.file("notes/a.md", "Markdown is allowed.");
    workspace.file("notes/b.csv", "name,drink\nAda,tea\n");
    workspace.file("notes/c.yaml", "name: Ada");
    let job = read_notes(&workspace);
    assert_eq!((job.counts.stored, job.counts.failed), (2, 1));
    let why = &job.errors[0].why;
    assert!(why.ends_with("c.yaml`: `yaml` is not among ingest.allowed_types"), "{why}");
    let workspace = allowing(&["text/*"]);
    workspace.file("notes/a.txt", "Any text.");
    workspace.file("notes/b.json", "{\"text\": \"No text.\"}");
    assert_eq!(read_notes(&workspace).counts.failed, 1);
    let workspace = allowing(&["markdwn"]);
    workspace.file("notes/a.md", "Never read.");
    assert!(read_notes(&workspace).errors[0].why.contains("it is no format"));
}

#[test]
fn work_that_is_left_is_found_and_schedules_go_over_to_the_next_job() {
    let jobs = &Workspace::new().jobs;
    let draft = JobDraft {
        kind: JobKind::Crawl,
        target: "http://localhost/".into(),
        options: "{}".into(),
        user: None,
        by: WorkedBy::Anyone,
        every: Some(1000),
    };
    let id = jobs.create(&draft, 0).unwrap();
    assert_eq!(jobs.unclaimed().unwrap(), [id]);
    let own = jobs.create(&JobDraft { by: WorkedBy::Creator, every: None, ..draft }, 0).unwrap();
    jobs.set_state(id, JobState::Done, None, 0).unwrap();
    jobs.repeat(999).unwrap();
    assert_eq!(jobs.unclaimed().unwrap(), [], "it is not due yet, and only its creator works on the other");
    jobs.repeat(1000).unwrap();
    jobs.repeat(5000).unwrap();
    let left = jobs.unclaimed().unwrap();
    assert_eq!(left.len(), 1, "one job is made of it, however often one looks");
    let next = jobs.job(left[0]).unwrap();
    assert_eq!((next.kind, next.every, next.created_at), (JobKind::Refresh, Some(1000), 1000));
    assert_eq!(jobs.job(id).unwrap().every, None);
    jobs.queue_for_anyone(own, 0).unwrap();
    assert_eq!(jobs.unclaimed().unwrap(), [own, left[0]]);
    // Its process crashed.
    jobs.set_state(own, JobState::Running, None, 0).unwrap();
    assert_eq!((jobs.unclaimed().unwrap()[0], jobs.job(own).unwrap().state), (own, JobState::Queued));
    let lock = jobs.lock(own).unwrap().unwrap();
    assert_eq!(jobs.unclaimed().unwrap(), [left[0]], "a process works on it");
    assert_eq!(jobs.job(own).unwrap().state, JobState::Running);
    drop(lock);
}

#[test]
fn a_large_file_arrives_in_parts_and_only_its_difference_the_next_time() {
    let workspace = Workspace::new();
    // Files above 8 MB are read in parts.
    let pad = "the tide at the pier was measured by hand ".repeat(100);
    let text = |changed: Option<usize>| -> String {
        let word = |number| if changed == Some(number) { "at dusk" } else { "at noon" };
        (0..2500).map(|number| format!("{{\"text\": \"{number} {} {pad}\"}}\n", word(number))).collect()
    };
    let write = |text: &str| workspace.file("notes/tides.jsonl", text);
    // Interrupted half-way: parts that arrived stay.
    let whole = text(None);
    assert!(whole.len() > 8 << 20);
    write(&format!("{}\n", &whole[..whole.len() / 2]));
    let half = read_notes(&workspace);
    assert!(half.counts.memories > 1000 && half.errors.len() == 1, "{half:?}");
    for (text, memories, removed) in [
        (whole, 2500 - half.counts.memories, 0),
        (text(Some(1700)), 1, 1),
        (text(Some(1700)), 0, 0),
        ("{\"text\": \"The pier is gone.\"}\n".to_string(), 1, 2500),
    ] {
        write(&text);
        let counts = read_notes(&workspace).counts;
        assert_eq!((counts.memories, counts.removed), (memories, removed));
        assert_eq!(counts.unchanged, u64::from(memories == 0));
    }
}

//! Files and folders as durable jobs: done files stay done, and sources of deleted files are forgotten on
//! request only.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use griot::engine::{Access, Engine, Settings};
use griot::model::{Error, ErrorKind};
use griot_ingest::{
    FileEvent, FileOptions, Intake, Job, JobDraft, JobKind, JobState, Jobs, WorkedBy, run_ingest,
    start_ingest,
};

struct Place {
    folder: tempfile::TempDir,
    engine: Engine,
    jobs: Jobs,
}

impl Place {
    fn new() -> Self {
        Self::with(Settings::default())
    }

    fn with(settings: Settings) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("griot.db");
        std::fs::create_dir(folder.path().join("notes")).unwrap();
        let engine = Engine::open(&database, Access { create: true, read_only: false }, settings).unwrap();
        let jobs = Jobs::for_database(&database).unwrap();
        Self { folder, engine, jobs }
    }

    fn note(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join("notes").join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    fn options(&self) -> FileOptions {
        FileOptions { paths: vec![self.folder.path().join("notes")], ..FileOptions::default() }
    }

    fn ingest(&self, options: &FileOptions) -> Job {
        let id = start_ingest(&self.jobs, options, WorkedBy::Creator, 0).unwrap();
        run_ingest(&self.jobs, id, &self.engine, &AtomicBool::new(false), &mut |_| Ok(())).unwrap()
    }
}

#[test]
fn a_job_that_ends_half_way_goes_on_where_it_was() {
    let place = Place::new();
    for number in 0..5 {
        place.note(&format!("{number}.md"), &format!("Pier {number} was painted blue by Ada."));
    }
    let id = start_ingest(&place.jobs, &place.options(), WorkedBy::Creator, 0).unwrap();
    let stop = AtomicBool::new(false);
    let mut taken = 0;
    let job = run_ingest(&place.jobs, id, &place.engine, &stop, &mut |event| {
        taken += usize::from(matches!(event, FileEvent::Taken { .. }));
        stop.store(taken == 2, Ordering::Relaxed);
        Ok(())
    })
    .unwrap();
    assert_eq!((job.state, job.counts.stored, job.counts.discovered), (JobState::Paused, 2, 5));

    // An error of the store pauses the job; what is done stays done.
    let trouble = || Error::new(ErrorKind::Conflict, "store", "it is busy");
    let mut told = 0;
    let broken =
        run_ingest(&place.jobs, id, &place.engine, &AtomicBool::new(false), &mut |event| match event {
            FileEvent::Next { .. } => {
                told += 1;
                if told > 1 { Err(trouble()) } else { Ok(()) }
            }
            _ => Ok(()),
        });
    assert_eq!(broken.unwrap_err().to_string(), trouble().to_string());
    assert_eq!(place.jobs.job(id).unwrap().state, JobState::Paused);

    let mut rest = Vec::new();
    let job = run_ingest(&place.jobs, id, &place.engine, &AtomicBool::new(false), &mut |event| {
        if let FileEvent::Taken { path, tally } = event {
            rest.push((path.file_name().unwrap().to_owned(), tally.is_some()));
        }
        Ok(())
    })
    .unwrap();
    assert_eq!(rest, [("3.md".into(), true), ("4.md".into(), true)]);
    assert_eq!((job.state, job.counts.stored, job.counts.memories), (JobState::Done, 5, 5));
    let again = place.ingest(&place.options());
    assert_eq!((again.counts.unchanged, again.counts.stored, again.counts.processed), (5, 0, 5));
}

#[test]
fn a_file_at_which_the_process_ended_twice_is_given_up_and_the_others_are_read() {
    let place = Place::new();
    for name in ["a.md", "b.md", "c.md"] {
        place.note(name, &format!("The pier of {name} was painted blue by Ada."));
    }
    let id = start_ingest(&place.jobs, &place.options(), WorkedBy::Anyone, 0).unwrap();
    let run = |failed: &mut Vec<String>| {
        catch_unwind(AssertUnwindSafe(|| {
            run_ingest(&place.jobs, id, &place.engine, &AtomicBool::new(false), &mut |event| {
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
    let place = Place::new();
    place.note("good.md", "The lamp was lit at dusk.");
    let bad = place.note("bad.json", "{\"text\": ");
    let job = place.ingest(&place.options());
    assert_eq!((job.state, job.counts.stored, job.counts.failed), (JobState::Done, 1, 1));
    assert_eq!(job.errors.len(), 1);
    assert!(job.errors[0].url.ends_with("bad.json"), "{:?}", job.errors);
    std::fs::write(&bad, "{\"text\": \"The lamp went out at dawn.\"}").unwrap();
    place.jobs.retry(job.id, 0).unwrap();
    let job =
        run_ingest(&place.jobs, job.id, &place.engine, &AtomicBool::new(false), &mut |_| Ok(())).unwrap();
    assert_eq!(
        (job.state, job.counts.stored, job.counts.unchanged, job.counts.failed),
        (JobState::Done, 1, 1, 0)
    );
    let over = run_ingest(&place.jobs, job.id, &place.engine, &AtomicBool::new(false), &mut |_| Ok(()));
    assert_eq!(over.unwrap_err().to_string(), format!("cannot resume the job `{}`: it is done", job.id));
}

#[test]
fn a_named_file_that_is_gone_is_forgotten_and_no_failure() {
    let place = Place::new();
    let path = place.note("MEMORY.md", "Ada prefers tea.");
    let options = FileOptions { paths: vec![path.clone()], prune: true, ..FileOptions::default() };
    place.ingest(&options);
    std::fs::remove_file(&path).unwrap();
    let read = || {
        let (mut pruned, mut failed) = (0, Vec::new());
        let intake = Intake::new(&place.engine, &options, &|| false).unwrap();
        intake
            .run(&|_| true, &mut |event| {
                match event {
                    FileEvent::Pruned { memories, .. } => pruned += memories,
                    FileEvent::Failed { error, .. } => failed.push(error.to_string()),
                    _ => {}
                }
                Ok(())
            })
            .unwrap();
        (pruned, failed)
    };
    assert_eq!(read(), (1, Vec::new()));
    assert_eq!(read(), (0, Vec::new()), "the second burst of a watch has nothing to tell");
    let never = FileOptions { paths: vec![path.with_file_name("never.md")], ..options.clone() };
    let job = place.ingest(&never);
    assert!(job.errors[0].why.contains("never.md"), "{:?}", job.errors);
}

#[test]
fn a_file_with_another_name_is_the_same_as_far_as_it_says_the_same() {
    let place = Place::new();
    let options = FileOptions { prune: true, ..place.options() };
    let known = |place: &Place| -> Vec<(String, String)> {
        let sources = place.engine.sources().unwrap();
        let live = sources.iter().filter(|view| view.source.deleted_at.is_none());
        let of = |id| place.engine.source(id).unwrap().1.remove(0).handle.to_string();
        let name = |origin: &str| origin.rsplit('/').next().unwrap_or_default().to_string();
        let mut all: Vec<_> = live.map(|view| (name(&view.source.origin), of(view.source.id))).collect();
        all.sort();
        all
    };
    let texts = [
        ("bare.md", "A text without a title of its own."),
        ("titled.md", "# Lighthouses\n\nThey stand at the sea."),
        ("2024-02-01.md", "# Diary\n\nIt rained."),
        ("twin.md", "# Twin\n\nThere are two of these."),
        ("moved.md", "Moved to another folder."),
        ("ending.md", "# Ending\n\nRead in another way."),
    ];
    for (name, text) in texts {
        place.note(name, text);
    }
    place.ingest(&options);
    let before: std::collections::BTreeMap<String, String> = known(&place).into_iter().collect();
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
    let job = place.ingest(&options);
    assert_eq!(job.state, JobState::Done);
    let after: std::collections::BTreeMap<String, String> = known(&place).into_iter().collect();
    for (from, to, is_kept) in renames {
        let name = to.rsplit('/').next().unwrap();
        assert_eq!(before[from] == after[name], is_kept, "{from} became {to}");
    }
    assert_eq!(before["twin.md"], after["twin.md"]);
    assert_ne!(before["twin.md"], after["copy.md"], "a copy is a file of its own");
    assert_eq!(after.len(), 7, "{after:?}");
    let again = place.ingest(&options);
    assert_eq!((again.counts.unchanged, again.counts.stored), (7, 0));
}

#[test]
fn only_allowed_kinds_come_in() {
    let mut settings = Settings::default();
    settings.ingest.allowed_types = vec!["text/markdown".into(), "csv".into()];
    let place = Place::with(settings.clone());
    place.note("a.md", "Markdown is allowed.");
    place.note("b.csv", "name,drink\nAda,tea\n");
    place.note("c.yaml", "name: Ada");
    let job = place.ingest(&place.options());
    assert_eq!((job.counts.stored, job.counts.failed), (2, 1));
    assert!(
        job.errors[0].why.ends_with("c.yaml`: `yaml` is not among ingest.allowed_types"),
        "{:?}",
        job.errors
    );
    settings.ingest.allowed_types = vec!["text/*".into()];
    let place = Place::with(settings.clone());
    place.note("a.txt", "Any text.");
    place.note("b.json", "{\"text\": \"No text.\"}");
    assert_eq!(place.ingest(&place.options()).counts.failed, 1);
    settings.ingest.allowed_types = vec!["markdwn".into()];
    let place = Place::with(settings);
    place.note("a.md", "Never read.");
    assert!(place.ingest(&place.options()).errors[0].why.contains("it is no format"));
}

#[test]
fn work_that_is_left_is_found_and_schedules_go_over_to_the_next_job() {
    let place = Place::new();
    let draft = JobDraft {
        kind: JobKind::Crawl,
        target: "http://localhost/".into(),
        options: "{}".into(),
        user: None,
        by: WorkedBy::Anyone,
        every: Some(1000),
    };
    let id = place.jobs.create(&draft, 0).unwrap();
    assert_eq!(place.jobs.unclaimed().unwrap(), [id]);
    let own = place.jobs.create(&JobDraft { by: WorkedBy::Creator, every: None, ..draft }, 0).unwrap();
    place.jobs.set_state(id, JobState::Done, None, 0).unwrap();
    place.jobs.repeat(999).unwrap();
    assert_eq!(place.jobs.unclaimed().unwrap(), [], "it is not due yet, and nobody else's");
    place.jobs.repeat(1000).unwrap();
    place.jobs.repeat(5000).unwrap();
    let left = place.jobs.unclaimed().unwrap();
    assert_eq!(left.len(), 1, "one job is made of it, however often one looks");
    let next = place.jobs.job(left[0]).unwrap();
    assert_eq!((next.kind, next.every, next.created_at), (JobKind::Refresh, Some(1000), 1000));
    assert_eq!(place.jobs.job(id).unwrap().every, None);
    place.jobs.queue_for_anyone(own, 0).unwrap();
    assert_eq!(place.jobs.unclaimed().unwrap(), [own, left[0]]);
    // Its process crashed.
    place.jobs.set_state(own, JobState::Running, None, 0).unwrap();
    assert_eq!(
        (place.jobs.unclaimed().unwrap()[0], place.jobs.job(own).unwrap().state),
        (own, JobState::Queued)
    );
    let lock = place.jobs.lock(own).unwrap().unwrap();
    assert_eq!(place.jobs.unclaimed().unwrap(), [left[0]], "somebody works on it");
    assert_eq!(place.jobs.job(own).unwrap().state, JobState::Running);
    drop(lock);
}

#[test]
fn a_large_file_arrives_in_parts_and_only_its_difference_the_next_time() {
    let place = Place::new();
    // Files above 8 MB are read in parts.
    let pad = "the tide at the pier was measured by hand ".repeat(100);
    let text = |changed: Option<usize>| -> String {
        (0..2500)
            .map(|number| {
                let word = if changed == Some(number) { "at dusk" } else { "at noon" };
                format!("{{\"text\": \"{number} {word} {pad}\"}}\n")
            })
            .collect()
    };
    let path = place.note("tides.jsonl", &text(None));
    assert!(std::fs::metadata(&path).unwrap().len() > 8 << 20);
    // Interrupted half-way: parts that arrived stay.
    let id = start_ingest(&place.jobs, &place.options(), WorkedBy::Creator, 0).unwrap();
    let mut broken = text(None);
    broken.truncate(broken.len() / 2);
    std::fs::write(&path, format!("{broken}\n")).unwrap();
    let half = run_ingest(&place.jobs, id, &place.engine, &AtomicBool::new(false), &mut |_| Ok(())).unwrap();
    assert!(half.counts.memories > 1000 && half.errors.len() == 1, "{half:?}");
    std::fs::write(&path, text(None)).unwrap();
    let whole = place.ingest(&place.options());
    assert_eq!(whole.counts.memories + half.counts.memories, 2500);
    assert_eq!(whole.counts.removed, 0);
    std::fs::write(&path, text(Some(1700))).unwrap();
    let changed = place.ingest(&place.options());
    assert_eq!((changed.counts.memories, changed.counts.removed), (1, 1));
    assert_eq!(place.ingest(&place.options()).counts.unchanged, 1);
    std::fs::write(&path, "{\"text\": \"The pier is gone.\"}\n").unwrap();
    let short = place.ingest(&place.options());
    assert_eq!((short.counts.memories, short.counts.removed), (1, 2500));
}

//! Questions and workspaces that no rule was made for: recall answers, within its promises, and says what it
//! left out.

use griot::engine::Engine;
use griot::model::SourceType;
use griot::recall::{Effort, PathNode, Query, Recall};
use griot::remember::{Draft, SourceDraft};

use crate::support::{Workspace, opened, quick, remember};

fn ask(engine: &Engine, question: &str) -> Recall {
    let query = Query { floor: false, ..Query::new(question, engine.now()) };
    engine.recall(&query).unwrap_or_else(|error| panic!("{question:.40}: {error}"))
}

const QUESTIONS: [&str; 8] = [
    "Miksi siirsimme istunnot Postgresiin?",
    "なぜRedisをやめたのですか",
    "redis",
    "the of and why",
    "🦊🦊 🚀",
    "?!… ---",
    "\u{202e}redis\u{200b}",
    "why why why when who",
];

/// What holds of every answer: scores fall (but for the causes of a why), lie in 0..=1, and are the sum of
/// their shares.
fn check(answer: &Recall) {
    for result in &answer.results {
        let sum: f32 = result.signals.iter().map(|signal| signal.share).sum();
        assert!((sum - result.score).abs() < 1e-3, "{sum} is not {}", result.score);
        assert!((-1e-3..=1.001).contains(&result.score), "{}", result.score);
    }
    if answer.chains.is_empty() {
        assert!(answer.results.is_sorted_by(|a, b| a.score >= b.score));
    }
}

#[test]
fn odd_questions_are_answered() {
    let (_workspace, engine) = opened();
    for text in [
        "We moved sessions to Postgres because Redis lost them every night",
        "Redis is restarted at night",
        "Lunch is at noon",
        "🚀 release went out",
    ] {
        remember(&engine, text);
    }
    let long = "why did we move the sessions from redis to postgres and who said so ".repeat(150);
    for question in QUESTIONS.into_iter().chain([long.as_str()]) {
        for effort in Effort::ALL {
            let query = Query { effort: Some(effort), floor: false, ..Query::new(question, engine.now()) };
            check(&engine.recall(&query).unwrap());
        }
    }
    assert!(ask(&engine, "redis").results[0].memory.text.contains("Redis"));
    assert!(
        ask(&engine, "Miksi siirsimme istunnot Postgresiin? redis").results[0].memory.text.contains("Redis")
    );
    assert!(!ask(&engine, &long).results.is_empty());
}

#[test]
fn odd_workspaces_are_asked() {
    let (_one, engine) = opened();
    remember(&engine, "ok");
    for question in QUESTIONS {
        check(&ask(&engine, question));
    }
    assert_eq!(ask(&engine, "ok").results.len(), 1);

    // A chat may say the same a thousand times, and nothing in it is a name.
    let (_same, engine) = opened();
    let source = SourceDraft::new(SourceType::Chat, "echo");
    engine.remember_all(&source, (0..1000).map(|_| Draft::new("yes, let us do that")).collect()).unwrap();
    for question in QUESTIONS.into_iter().chain(["shall we do that?"]) {
        check(&ask(&engine, question));
    }
    let answer = ask(&engine, "shall we do that?");
    assert_eq!(answer.results.len(), 1, "repetitions are not shown");
    assert_eq!(answer.results[0].memory.text, "yes, let us do that");
}

#[test]
fn a_broken_ranker_file_is_named_and_the_built_in_ranking_answers() {
    let workspace = Workspace::new();
    remember(&workspace.open(), "Redis is restarted at night");
    let expected = ask(&workspace.open(), "when is redis restarted?");
    let file = workspace.path().with_file_name("trees.txt");
    for (content, why) in [
        (Some("griot forest 2\n0.5\n"), "is not `griot ranking 1`"),
        (Some("griot ranking 1\ntree\nwords < 0.5\n0.2\n"), "ends in the middle"),
        (Some("griot ranking 1\ntree\nguesswork < 0.5\n0.2\n0.3\n"), "there is no signal `guesswork`"),
        (None, "read the ranking in"),
    ] {
        match content {
            Some(content) => std::fs::write(&file, content).unwrap(),
            None => std::fs::remove_file(&file).unwrap(),
        }
        let mut settings = quick();
        settings.recall.ranker = file.display().to_string();
        let engine = workspace.open_with(settings);
        let answer = ask(&engine, "when is redis restarted?");
        assert!(
            answer.missing.iter().any(|missing| missing.to_string().contains(why)),
            "{:?}",
            answer.missing
        );
        assert_eq!(answer.results, expected.results);
    }
    std::fs::write(&file, "griot ranking 1\nfirst words 1\ntree\nwords < 0.5\n0.2\n0.3\n").unwrap();
    let mut settings = quick();
    settings.recall.ranker = file.display().to_string();
    let engine = workspace.open_with(settings);
    let answer = ask(&engine, "when is redis restarted?");
    assert!(answer.missing.is_empty(), "{:?}", answer.missing);
    check(&answer);
}

#[test]
fn a_misspelled_name_is_where_the_walk_starts_nevertheless() {
    let (_workspace, engine) = opened();
    for text in ["Kubernetes runs in Dublin.", "Ada restarts Kubernetes at night.", "Lunch is at noon."] {
        remember(&engine, text);
    }
    let first_hop = |question: &str| -> Vec<PathNode> {
        let answer = ask(&engine, question);
        answer.results.iter().filter_map(|result| Some(result.path.first()?.from.clone())).collect()
    };
    let is_kubernetes = |node: &PathNode| node.name() == "Kubernetes";
    assert!(first_hop("what about the Kubernets cluster?").iter().any(is_kubernetes));
    assert!(!first_hop("what about the weather?").iter().any(is_kubernetes));
}

//! Language models and embedding models over real sockets: each vendor's format, its failures, the ledger and
//! its budgets.

mod embed;
mod rerank;
mod vendor;

use std::cell::RefCell;
use std::path::PathBuf;
use std::time::Duration;

use griot::engine::{ModelProvider, ModelSettings};
use griot::model::{ErasedKind, Erasure, ErasureCounts, Mark, MemoryId, Revision, Timestamp, mark_of_memory};
use griot_models::{
    Failure, FailureKind, LanguageModel, Ledger, Question, Reply, Run, Timing, Tokens, Usage,
};
use serde_json::{Value, json};
use vendor::{Act, INPUT, OUTPUT, PROVIDERS, Vendor, refusal, reply};

const KEY: &str = "sk-test-4242424242424242";
const GOOD: &str = r#"{"words":["one","two"]}"#;
const NOW: Timestamp = Timestamp(1_700_000_000_000);

thread_local! {
    /// Waits that were asked for.
    static WAITS: RefCell<Vec<Duration>> = const { RefCell::new(Vec::new()) };
}

const QUICK: Timing =
    Timing { sleep: |wait| WAITS.with_borrow_mut(|waits| waits.push(wait)), jitter: || 1.0 };

/// A folder with a ledger and a key, and settings for a vendor.
struct Folder {
    folder: tempfile::TempDir,
    settings: ModelSettings,
    memories: Vec<Mark>,
}

impl Folder {
    fn new(provider: &str, vendor: &Vendor) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("key"), format!("{KEY}\n")).expect("a key");
        let settings = ModelSettings {
            provider: ModelProvider::parse(provider).expect("a provider"),
            name: "test-model".into(),
            url: vendor.address.clone(),
            key_file: folder.path().join("key"),
            timeout_ms: 20_000,
            ..ModelSettings::default()
        };
        Self { folder, settings, memories: Vec::new() }
    }

    fn database(&self) -> PathBuf {
        self.folder.path().join("griot.db")
    }

    fn ledger(&self) -> Ledger {
        Ledger::for_database(&self.database()).expect("a ledger")
    }

    fn ask(&self) -> Result<Reply<usize>, Failure> {
        self.ask_in(&Run::new(NOW))
    }

    fn ask_in(&self, run: &Run) -> Result<Reply<usize>, Failure> {
        self.ask_about("why?", run, &|| true)
    }

    fn ask_about(&self, content: &str, run: &Run, still: &dyn Fn() -> bool) -> Result<Reply<usize>, Failure> {
        let model = LanguageModel::with_timing(&self.settings, QUICK)?;
        let question = Question {
            purpose: "test",
            version: 1,
            task: "List words.",
            content,
            form: "answer",
            schema: Some(&schema()),
            can_wait: true,
            memories: &self.memories,
        };
        let read = |reply: &Value| {
            let words = reply.get("words").and_then(Value::as_array);
            words.map(Vec::len).ok_or_else(|| "it has no `words`".to_string())
        };
        model.ask(&self.ledger(), run, &question, read, still)
    }

    fn usage(&self) -> Vec<Usage> {
        self.ledger().usage(Timestamp(0)).expect("the usage")
    }
}

fn schema() -> Value {
    json!({
        "type": "object", "additionalProperties": false, "required": ["words"],
        "properties": {"words": {"type": "array", "items": {"type": "string"}}},
    })
}

/// The failure of a vendor that does this.
fn failure(provider: &str, acts: Vec<Act>) -> (Failure, Folder, Vendor) {
    let vendor = Vendor::start(acts);
    let place = Folder::new(provider, &vendor);
    let failure = place.ask().expect_err("it fails");
    assert!(!format!("{failure:?}{}", failure.sentence()).contains(KEY), "{failure:?}");
    (failure, place, vendor)
}

#[test]
fn what_can_wait_is_asked_at_the_prices_of_batches() {
    let answered = |tier: &str| {
        let mut reply = vendor::reply("openai", GOOD, false);
        reply["service_tier"] = json!(tier);
        Act::json(200, &reply)
    };
    let vendor = Vendor::start(vec![answered("flex"), answered("default"), answered("default")]);
    let mut place = Folder::new("openai", &vendor);
    place.settings.cache = false;
    (place.settings.input_price, place.settings.output_price) = (1.0, 10.0);
    place.settings.flex = true;
    let full = (vendor::INPUT as f64 + 10.0 * vendor::OUTPUT as f64) / 1e6;
    place.ask().expect("a reply");
    assert_eq!(place.usage()[0].cost, Some(full / 2.0));
    // The tier that answered is paid.
    place.ask().expect("a reply");
    assert_eq!(place.usage()[0].cost, Some(full * 1.5));
    place.settings.flex = false;
    place.ask().expect("a reply");
    let tiers: Vec<Value> = vendor.seen().iter().map(|seen| seen.body["service_tier"].clone()).collect();
    assert_eq!(tiers, [json!("flex"), json!("flex"), Value::Null]);

    let mut other = Folder::new("anthropic", &vendor);
    other.settings.flex = true;
    let failure = other.ask().expect_err("there is no such tier");
    assert_eq!(failure.kind, FailureKind::Misconfigured);
    assert!(failure.sentence().contains("flex"), "{}", failure.sentence());
}

#[test]
fn a_question_without_a_form_asks_for_plain_text() {
    for provider in PROVIDERS {
        let of = |cut| {
            let reply = Act::json(200, &vendor::reply(provider, "<think>hm</think>\nred, blue", cut));
            Vendor::start(vec![reply])
        };
        for (vendor, cut) in [(of(false), false), (of(true), true)] {
            let place = Folder::new(provider, &vendor);
            let model = LanguageModel::with_timing(&place.settings, QUICK).expect("a model");
            let question = Question {
                purpose: "test",
                version: 1,
                task: "List words.",
                content: "which colours?",
                form: "answer",
                schema: None,
                can_wait: false,
                memories: &[],
            };
            let read =
                |reply: &Value| reply.as_str().map(str::to_string).ok_or_else(|| "no text".to_string());
            let reply =
                model.ask(&place.ledger(), &Run::new(NOW), &question, read, &|| true).expect("a reply");
            assert_eq!((reply.value.as_str(), reply.truncated), ("red, blue", cut), "{provider}");
            let body = vendor.seen()[0].body.clone();
            for key in ["response_format", "tools", "format"] {
                assert!(body.get(key).is_none(), "{provider}: {body}");
            }
            assert!(body.pointer("/generationConfig/responseSchema").is_none(), "{body}");
        }
    }
}

#[test]
fn threads_share_the_budget_of_a_run() {
    fn slow(_: &vendor::Seen) -> Act {
        Act::After(std::time::Duration::from_millis(50), Box::new(Act::reply("openai", GOOD)))
    }
    let vendor = Vendor::start(vec![Act::By(slow)]);
    let mut place = Folder::new("openai", &vendor);
    (place.settings.run_calls, place.settings.cache) = (3, false);
    let run = Run::new(NOW);
    let asked: Vec<bool> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| place.ask_in(&run).is_ok())).collect();
        threads.into_iter().map(|thread| thread.join().expect("it ends")).collect()
    });
    assert_eq!((asked.iter().filter(|done| **done).count(), vendor.seen().len()), (3, 3));
    assert_eq!((run.spent().calls, place.usage()[0].calls), (3, 3));
}

#[test]
fn each_vendor_is_asked_in_its_format_and_understood() {
    for provider in PROVIDERS {
        let vendor = Vendor::start(vec![Act::reply(provider, GOOD)]);
        let place = Folder::new(provider, &vendor);
        let run = Run::new(NOW);
        let found = place.ask_in(&run).expect("a reply");
        assert_eq!((found.value, found.truncated, found.kept), (2, false, false), "{provider}");
        assert_eq!(
            (run.spent().calls, run.spent().input, run.spent().output),
            (1, INPUT, OUTPUT),
            "{provider}"
        );
        let seen = vendor.seen().remove(0);
        let (path, key, form) = match provider {
            "anthropic" => ("/v1/messages", "x-api-key: ", "/tools/0/input_schema"),
            "gemini" => (
                "/v1beta/models/test-model:generateContent",
                "x-goog-api-key: ",
                "/generationConfig/responseSchema",
            ),
            "ollama" => ("/api/chat", "authorization: bearer ", "/format"),
            "azure" => ("/openai/v1/chat/completions", "api-key: ", "/response_format/json_schema/schema"),
            _ => ("/v1/chat/completions", "authorization: bearer ", "/response_format/json_schema/schema"),
        };
        assert_eq!(seen.path, path);
        assert!(seen.head.contains(&format!("{key}{KEY}")), "{provider}: {}", seen.head);
        assert_eq!(seen.body.pointer(form).and_then(|form| form.get("required")), Some(&json!(["words"])));
        let body = seen.body.to_string();
        assert!(body.contains("List words.") && body.contains("why?") && !body.contains(KEY), "{body}");
        assert!(!body.contains("json_object"));
        // The task and the texts are apart.
        match provider {
            "anthropic" => assert_eq!(seen.body["tool_choice"]["name"], "answer"),
            "gemini" => assert!(!body.contains("additionalProperties"), "Google refuses it"),
            "ollama" => assert_eq!(seen.body["options"]["num_ctx"], 8192),
            "azure" => assert_eq!(seen.body["max_completion_tokens"], 1500),
            _ => assert_eq!(seen.body["max_tokens"], 1500),
        }
        let usage = place.usage();
        assert_eq!((usage.len(), usage[0].calls, usage[0].failed, usage[0].unfinished), (1, 1, 0, 0));
        assert_eq!((usage[0].input_tokens, usage[0].output_tokens, usage[0].cost), (INPUT, OUTPUT, None));
    }
}

#[test]
fn a_busy_or_failing_server_is_asked_again() {
    for provider in PROVIDERS {
        let acts = vec![Act::busy(3), Act::failure(500, "oops"), Act::Hang, Act::reply(provider, GOOD)];
        let vendor = Vendor::start(acts);
        let place = Folder::new(provider, &vendor);
        WAITS.take();
        let run = Run::new(NOW);
        assert_eq!(place.ask_in(&run).expect("a reply").value, 2, "{provider}");
        let waits = WAITS.take();
        // What the server asks for, and a share of a wait that doubles.
        assert_eq!(waits, [3500, 1000, 2000].map(Duration::from_millis), "{provider}");
        let usage = place.usage();
        assert_eq!((usage[0].calls, usage[0].failed), (4, 3), "{provider}");
        // Errors are free; a request that was cut off may not be.
        assert!(usage[0].input_tokens > INPUT && usage[0].output_tokens == OUTPUT + 1500);
        assert_eq!((run.spent().calls, run.spent().output), (4, OUTPUT + 1500));
    }
}

#[test]
fn a_server_that_asks_for_too_long_a_wait_is_not_waited_for() {
    let (failure, _, vendor) = failure("openai", vec![Act::busy(3600)]);
    assert_eq!(failure.kind, FailureKind::Overloaded);
    assert!(failure.why.contains("3600 s"), "{}", failure.why);
    assert_eq!(vendor.seen().len(), 1);
}

#[test]
fn it_gives_up_after_four_requests() {
    for (act, kind) in
        [(Act::busy(0), FailureKind::Overloaded), (Act::failure(503, "x"), FailureKind::Unreachable)]
    {
        let (failure, _, vendor) = failure("openai", vec![act]);
        assert_eq!((failure.kind, vendor.seen().len()), (kind, 4));
    }
}

#[test]
fn refusals_are_final() {
    for provider in ["openai", "azure", "anthropic", "gemini"] {
        let (failure, place, vendor) = failure(provider, vec![Act::json(200, &refusal(provider))]);
        assert_eq!((failure.kind, vendor.seen().len()), (FailureKind::Refused, 1), "{provider}");
        let usage = place.usage();
        assert_eq!((usage[0].failed, usage[0].input_tokens), (1, INPUT), "a refusal is paid");
    }
}

#[test]
fn a_connection_that_is_cut_is_tried_again() {
    for provider in PROVIDERS {
        let whole = reply(provider, GOOD, false).to_string();
        let vendor = Vendor::start(vec![Act::Cut(whole), Act::reply(provider, GOOD)]);
        assert_eq!(Folder::new(provider, &vendor).ask().expect("the second time").value, 2);
        let (failure, _, _) = failure(provider, vec![Act::Cut(reply(provider, GOOD, false).to_string())]);
        assert_eq!(failure.kind, FailureKind::Unreachable);
        assert!(failure.why.contains("was cut"), "{}", failure.why);
    }
}

#[test]
fn a_reply_that_trickles_ends_at_the_time_limit() {
    let vendor = Vendor::start(vec![Act::Drip]);
    let mut place = Folder::new("openai", &vendor);
    place.settings.timeout_ms = 300;
    let failure = place.ask().expect_err("it is too slow");
    assert_eq!((failure.kind, vendor.seen().len()), (FailureKind::TimedOut, 1));
    assert!(failure.sentence().contains("model.timeout_ms"), "{}", failure.sentence());
    // The server may have counted it.
    let usage = place.usage();
    assert_eq!((usage[0].failed, usage[0].output_tokens), (1, 1500));
}

#[test]
fn replies_that_are_surrounded_or_cut_are_read() {
    for provider in PROVIDERS {
        for (text, cut, expected) in [
            ("```json\n{\"words\":[\"a\",\"b\",\"c\"]}\n```", false, (3, false)),
            ("Sure:\n{\"words\":[]} Anything else?", false, (0, false)),
            ("{\"words\":[\"a\"], \"more\":[[\"x\"], [\"y", true, (1, true)),
        ] {
            let vendor = Vendor::start(vec![Act::json(200, &reply(provider, text, cut))]);
            let found = Folder::new(provider, &vendor).ask().expect("a reply");
            assert_eq!((found.value, found.truncated), expected, "{provider} {text}");
        }
    }
}

#[test]
fn replies_that_cannot_be_used_say_why() {
    for provider in PROVIDERS {
        for (text, cut, kind, why) in [
            ("I do not know.", false, FailureKind::Unreadable, "no JSON object"),
            ("", false, FailureKind::Unreadable, "empty"),
            (r#"{"names":[]}"#, false, FailureKind::Unreadable, "no `words`"),
            ("{\"words\":[\"a", true, FailureKind::Truncated, "cut"),
            ("", true, FailureKind::Truncated, "cut"),
        ] {
            let (failure, place, vendor) =
                failure(provider, vec![Act::json(200, &reply(provider, text, cut))]);
            assert_eq!(failure.kind, kind, "{provider} {text}");
            assert!(failure.why.contains(why), "{provider}: {}", failure.why);
            assert_eq!((vendor.seen().len(), place.usage()[0].input_tokens), (1, INPUT), "final and paid");
        }
        let (failure, ..) =
            failure(provider, vec![Act::Say(200, vec![], "application/json", "{nonsense".into())]);
        assert_eq!(failure.kind, FailureKind::Unreadable, "{provider}");
        let (failure, ..) = self::failure(provider, vec![Act::json(200, &json!({"hello": "world"}))]);
        assert_eq!(failure.kind, FailureKind::Unreadable, "{provider}");
    }
}

#[test]
fn a_reply_of_a_megabyte_is_not_read_to_its_end() {
    let text = format!("{{\"words\":[\"{}\"]}}", "x".repeat(1 << 20));
    let (failure, _, vendor) = failure("openai", vec![Act::reply("openai", &text)]);
    assert_eq!((failure.kind, vendor.seen().len()), (FailureKind::TooLarge, 1));
}

#[test]
fn what_is_set_wrongly_is_one_clear_error() {
    for provider in PROVIDERS {
        for (act, kind, hint) in [
            (Act::failure(401, &format!("wrong key {KEY}")), FailureKind::WrongKey, "model.key_file"),
            (Act::failure(403, &format!("wrong key {KEY}")), FailureKind::WrongKey, "model.key_file"),
            (Act::page(200), FailureKind::NotAnInterface, "model.url"),
            (Act::page(404), FailureKind::NotAnInterface, "model.url"),
            (Act::failure(404, "no such route"), FailureKind::NotAnInterface, "model.url"),
            (Act::failure(404, "model `test-model` not found"), FailureKind::UnknownModel, "model.name"),
            (
                Act::failure(400, "maximum context length is 10"),
                FailureKind::Rejected,
                "model.context_tokens",
            ),
            (Act::failure(400, "json_schema is not supported"), FailureKind::Rejected, "structured output"),
            (
                Act::json(429, &json!({"error": {"message": "pay", "code": "insufficient_quota"}})),
                FailureKind::Overloaded,
                "billing",
            ),
        ] {
            let (failure, place, vendor) = failure(provider, vec![act.clone()]);
            assert_eq!((failure.kind, vendor.seen().len()), (kind, 1), "{provider} {act:?}");
            assert!(failure.sentence().contains(hint), "{provider}: {}", failure.sentence());
            let usage = place.usage();
            assert_eq!((usage[0].failed, usage[0].input_tokens), (1, 0), "errors are free");
        }
    }
}

#[test]
fn a_redirect_gets_no_key() {
    let other = Vendor::start(vec![Act::reply("openai", GOOD)]);
    let to = vec![("Location", other.address.clone())];
    let (failure, ..) = failure("openai", vec![Act::Say(307, to, "application/json", "{}".into())]);
    assert_eq!(failure.kind, FailureKind::NotAnInterface);
    assert!(other.seen().is_empty());
}

#[test]
fn an_address_that_no_one_listens_at_is_named() {
    let vendor = Vendor::start(vec![Act::Hang]);
    let mut place = Folder::new("ollama", &vendor);
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    place.settings.url = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    let failure = place.ask().expect_err("nothing listens");
    assert_eq!(failure.kind, FailureKind::Unreachable);
    assert!(failure.sentence().contains(&place.settings.url), "{}", failure.sentence());
}

/// An address that no resolver finds, and that none is asked about: a label has at most 63 characters.
pub fn nowhere() -> String {
    format!("http://{}.invalid/v1", "n".repeat(64))
}

#[test]
fn a_host_that_does_not_exist_is_named_and_costs_nothing() {
    let vendor = Vendor::start(vec![Act::Hang]);
    let mut place = Folder::new("openai", &vendor);
    place.settings.url = nowhere();
    (place.settings.input_price, place.settings.output_price) = (1.0, 10.0);
    place.settings.day_calls = 2;
    let failure = place.ask().expect_err("there is no such host");
    assert_eq!(failure.kind, FailureKind::Unreachable);
    assert!(failure.why.contains("the host `nnn") && failure.why.contains("does not exist"), "{failure:?}");
    assert_eq!(failure.hint.as_deref(), Some("griot config set model.url ADDRESS"));
    let usage = place.usage();
    assert_eq!((usage[0].calls, usage[0].failed), (1, 1));
    assert_eq!((usage[0].input_tokens, usage[0].output_tokens, usage[0].cost), (0, 0, Some(0.0)));
}

#[test]
fn settings_that_contradict_each_other_are_refused_with_a_hint() {
    let vendor = Vendor::start(vec![Act::reply("openai", GOOD)]);
    let place = Folder::new("openai", &vendor);
    let wrong = |change: &dyn Fn(&mut ModelSettings)| {
        let mut settings = place.settings.clone();
        change(&mut settings);
        let failure = LanguageModel::new(&settings).expect_err("it is refused");
        assert!(failure.hint.is_some() || failure.why.contains("`"), "{failure:?}");
        assert!(matches!(failure.kind, FailureKind::Misconfigured | FailureKind::Off), "{failure:?}");
        failure.sentence()
    };
    assert!(wrong(&|all| all.provider = ModelProvider::Off).contains("model.provider"));
    assert!(wrong(&|all| all.name = " ".into()).contains("model.name"));
    assert!(wrong(&|all| all.key_env = "GRIOT_TEST_KEY".into()).contains("model.key_file"));
    assert!(wrong(&|all| all.url = "localhost:8080".into()).contains("model.url"));
    assert!(wrong(&|all| all.url = "https://me:word@example.com/v1".into()).contains("model.key_env"));
    assert!(wrong(&|all| all.day_cost = 1.0).contains("model.input_price"));
    assert!(
        wrong(&|all| (all.provider, all.url) = (ModelProvider::Azure, String::new())).contains("azure.com")
    );
    assert!(
        wrong(&|all| (all.provider, all.context_tokens) = (ModelProvider::Ollama, 50_000))
            .contains("model.num_ctx")
    );
    // The usual variable is read for the provider's own address only.
    let unset = |all: &mut ModelSettings| {
        (all.key_file, all.key_env) = (PathBuf::new(), "GRIOT_TEST_KEY_THAT_IS_NOT_SET".into());
    };
    assert!(wrong(&unset).contains("is not set"));
    // A key instead of a name is not repeated.
    let key_as_name = "AKIAIOSFODNN7EXAMPLE";
    let as_name = |all: &mut ModelSettings| {
        (all.key_file, all.key_env) = (PathBuf::new(), key_as_name.into());
    };
    assert!(!wrong(&as_name).contains(key_as_name));
    for (content, why) in [("", "empty"), ("two words", "more than a key"), ("ключ", "more than a key")] {
        let path = place.folder.path().join("bad");
        std::fs::write(&path, content).expect("a file");
        assert!(wrong(&|all| all.key_file.clone_from(&path)).contains(why));
    }
    assert!(wrong(&|all| all.key_file = "/no/such/file".into()).contains("model.key_file"));
    let model = LanguageModel::new(&place.settings).expect("the settings fit");
    assert!(!format!("{model:?}").contains(KEY));
}

#[test]
fn a_budget_that_does_not_suffice_prevents_the_request() {
    let vendor = Vendor::start(vec![Act::reply("openai", GOOD)]);
    let base = Folder::new("openai", &vendor);
    let budget = |change: &dyn Fn(&mut ModelSettings)| {
        let mut place = Folder::new("openai", &vendor);
        place.settings.cache = false;
        change(&mut place.settings);
        place
    };
    drop(base);
    let over = |place: &Folder, run: &Run, name: &str| {
        let before = vendor.seen().len();
        let failure = place.ask_in(run).expect_err("the budget is used up");
        assert_eq!((failure.kind, vendor.seen().len()), (FailureKind::OverBudget, before));
        assert!(failure.sentence().contains(name), "{}", failure.sentence());
    };
    let place = budget(&|all| all.run_calls = 1);
    let run = Run::new(NOW);
    place.ask_in(&run).expect("the first one");
    over(&place, &run, "model.run_calls");
    place.ask().expect("another run");

    let place = budget(&|all| all.day_calls = 2);
    place.ask().expect("the first one");
    place.ask().expect("the second one");
    over(&place, &Run::new(NOW), "model.day_calls");
    place.ask_in(&Run::new(Timestamp(NOW.0 + Timestamp::DAY))).expect("another day");

    let place = budget(&|all| all.day_tokens = 1000);
    over(&place, &Run::new(NOW), "model.day_tokens");
    let place = budget(&|all| (all.day_tokens, all.max_output_tokens) = (500, 100));
    place.ask().expect("it takes 150 of 500");
    let run = Run::new(NOW);
    while place.ask_in(&run).is_ok() {}
    over(&place, &run, "model.day_tokens");

    let priced = |all: &mut ModelSettings| (all.input_price, all.output_price) = (1.0, 10.0);
    let place = budget(&|all| {
        priced(all);
        all.day_cost = 0.02;
    });
    place.ask().expect("it costs at most 0.0152");
    let usage = place.usage();
    // 120 × 1 + 30 × 10 millionths.
    assert_eq!(usage[0].cost, Some(0.00042));
    let place = budget(&|all| {
        priced(all);
        all.run_cost = 0.01;
    });
    over(&place, &Run::new(NOW), "model.run_cost");
}

#[test]
fn requests_at_the_same_time_cannot_exceed_a_budget_together() {
    let slow = Act::After(Duration::from_millis(20), Box::new(Act::reply("openai", GOOD)));
    let vendor = Vendor::start(vec![slow]);
    let mut place = Folder::new("openai", &vendor);
    (place.settings.cache, place.settings.day_calls) = (false, 5);
    let answered = std::thread::scope(|scope| {
        let all: Vec<_> = (0..16).map(|_| scope.spawn(|| place.ask().is_ok())).collect();
        all.into_iter().filter(|_| true).map(|one| one.join().expect("it ends")).filter(|ok| *ok).count()
    });
    assert_eq!((answered, vendor.seen().len()), (5, 5));
    assert!(vendor.most_at_once() <= 4, "{}", vendor.most_at_once());
}

fn receipt(marks: Vec<Mark>) -> Erasure {
    Erasure {
        number: 1,
        kind: ErasedKind::Memory,
        at: NOW,
        by: "test".into(),
        before: Revision(1),
        after: Revision(2),
        finished_at: None,
        counts: ErasureCounts::default(),
        marks,
        beside: Vec::new(),
    }
}

#[test]
fn nothing_is_paid_twice_and_replies_are_erased_with_their_memories() {
    let vendor = Vendor::start(vec![Act::reply("openai", r#"{"words":["heronsecret"]}"#)]);
    let mut place = Folder::new("openai", &vendor);
    let memory = |text| mark_of_memory(MemoryId::parse(text).expect("an id"));
    let (one, other) =
        (memory("018f0000-0000-7000-8000-000000000001"), memory("018f0000-0000-7000-8000-000000000002"));
    place.memories = vec![one];
    place.ask().expect("a reply");
    let run = Run::new(NOW);
    assert!(place.ask_in(&run).expect("a kept reply").kept);
    assert_eq!((vendor.seen().len(), run.spent().calls, place.usage()[0].kept), (1, 0, 1));
    // Another question, or another model, is another reply.
    place.ask_about("when?", &run, &|| true).expect("a reply");
    place.settings.name = "other-model".into();
    place.ask().expect("a reply");
    assert_eq!(vendor.seen().len(), 3);
    assert_eq!(place.ledger().erase(&receipt(vec![other])).expect("nothing to erase"), 0);
    assert_eq!(place.ledger().erase(&receipt(vec![one])).expect("it is erased"), 3);
    for file in std::fs::read_dir(place.folder.path()).expect("the folder").flatten() {
        let bytes = std::fs::read(file.path()).expect("a file");
        assert!(!bytes.windows(11).any(|window| window == b"heronsecret"), "{:?}", file.path());
    }
    place.ask().expect("asked again");
    assert_eq!(vendor.seen().len(), 4);
    assert_eq!(place.usage().iter().map(|row| row.calls).sum::<u64>(), 4, "the ledger stays");
    // A memory that is gone when its reply arrives.
    place.ask_about("where?", &run, &|| false).expect("a reply");
    place.ask_about("where?", &run, &|| false).expect("a reply");
    assert_eq!(vendor.seen().len(), 6);
}

#[test]
fn the_ledger_holds_no_key_and_no_question() {
    let vendor = Vendor::start(vec![Act::failure(400, KEY), Act::reply("openai", GOOD)]);
    let place = Folder::new("openai", &vendor);
    let _ = place.ask_about("the secret question", &Run::new(NOW), &|| true);
    let _ = place.ask_about("the secret question", &Run::new(NOW), &|| true);
    let bytes = std::fs::read(place.folder.path().join("griot.db.models")).expect("the ledger");
    for secret in [KEY.as_bytes(), b"secret question"] {
        assert!(!bytes.windows(secret.len()).any(|window| window == secret));
    }
}

#[test]
fn what_a_server_counts_may_be_any_number() {
    let mut body = reply("openai", GOOD, false);
    body["usage"] = json!({"prompt_tokens": u64::MAX, "completion_tokens": u64::MAX});
    let vendor = Vendor::start(vec![Act::json(200, &body)]);
    let mut place = Folder::new("openai", &vendor);
    (place.settings.cache, place.settings.input_price, place.settings.day_cost) = (false, 1.0, 0.1);
    for _ in 0..3 {
        place.ask().expect("a reply");
    }
    // Such a number is no count: the estimate is.
    let used = &place.usage()[0];
    assert!(used.input_tokens < 10_000 && used.cost.is_some_and(|cost| cost < 0.1), "{used:?}");
    assert_eq!(Tokens::default().input, 0);
}

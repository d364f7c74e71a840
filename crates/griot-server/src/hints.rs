//! Hints for callers without a shell: commands become tools of MCP or routes of HTTP, others are for a
//! person.

use griot_wire::verbs;

use crate::failure::Failure;

/// Commands that have another name as a verb; with one word of their arguments, if that matters.
const VERBS: &[(&str, &str)] = &[
    ("list", "memories"),
    ("edit", "editMemory"),
    ("build-graphs", "buildGraphs"),
    ("facts add", "addFact"),
    ("facts end", "endFact"),
    ("jobs pause", "pauseJob"),
    ("jobs resume", "resumeJob"),
    ("jobs cancel", "cancelJob"),
    ("jobs retry", "retryJob"),
    ("merge --undo", "unmerge"),
];

/// Commands whose answer `inspect` gives a model.
const INSPECTED: [&str; 2] = ["show", "entity"];

/// Commands that only a person can run.
const OF_PERSON: [&str; 21] = [
    "backup",
    "config",
    "connect",
    "crawl",
    "doctor",
    "enrich",
    "export",
    "import",
    "jobs",
    "key",
    "merge",
    "merges",
    "reindex",
    "related",
    "restore",
    "restore-backup",
    "serve",
    "sources",
    "usage",
    "workspace",
    "list",
];

/// Options of commands, as a caller without a shell gives them.
const OPTIONS: [(&str, &str); 2] =
    [("--allow-private", "the setting `crawl.allow_private`"), ("--new-kind", "`new_kind`: true")];

/// For a model that has these tools.
pub fn for_tools(failure: Failure, tools: &[&str]) -> Failure {
    translated(failure, &|command, _| {
        let name = if INSPECTED.contains(&command) { "inspect" } else { command };
        tools.contains(&name).then(|| format!("the tool `{name}`"))
    })
}

/// For a client of the routes.
pub fn for_routes(failure: Failure) -> Failure {
    let table = verbs::table();
    translated(failure, &|command, first| {
        let whole = format!("{command} {first}");
        let other = VERBS.iter().find(|(name, _)| *name == whole || *name == command);
        let name = other.map_or(command, |(_, verb)| verb);
        let (method, path) = table.iter().find(|verb| verb.name == name)?.route?;
        Some(format!("`{method} {path}`"))
    })
}

/// What a command is called, by its name and the first word after it.
type Door<'a> = &'a dyn Fn(&str, &str) -> Option<String>;

fn translated(mut failure: Failure, door: Door<'_>) -> Failure {
    failure.hint = failure.hint.map(|hint| translate(&hint, door));
    failure.why = with_options(&failure.why);
    failure
}

/// Options that have another name.
fn with_options(text: &str) -> String {
    OPTIONS.iter().fold(text.to_string(), |text, (option, said)| text.replace(option, said))
}

/// Options of a hint; any other one is a field of the same name.
fn with_fields(hint: &str) -> String {
    let hint = with_options(hint);
    let mut said = String::with_capacity(hint.len());
    let mut rest = hint.as_str();
    while let Some(at) = rest.find("--") {
        let (before, option) = rest.split_at(at);
        let name =
            option[2..].split(|c: char| !c.is_ascii_lowercase() && c != '-').next().unwrap_or_default();
        said.push_str(before);
        let is_option = said.is_empty() || said.ends_with(' ');
        match is_option && name.starts_with(|c: char| c.is_ascii_lowercase()) {
            true => said.push_str(&format!("`{}`", name.replace('-', "_"))),
            false => said.push_str(&option[..2 + name.len()]),
        }
        rest = &option[2 + name.len()..];
    }
    said + rest
}

fn translate(hint: &str, door: Door<'_>) -> String {
    let Some((before, command, after)) = first_command(hint, door) else { return with_fields(hint) };
    let (name, arguments) = command.split_once(' ').unwrap_or((command, ""));
    let first = arguments.split(' ').next().unwrap_or_default();
    let before = if before.trim() == "run" { "" } else { before };
    let goes_on = after.trim_start().starts_with(char::is_alphabetic);
    let is_pair = VERBS.iter().any(|(pair, _)| *pair == format!("{name} {first}"));
    let arguments = if is_pair { arguments[first.len()..].trim_start() } else { arguments };
    let said = match door(name, first) {
        Some(name) => {
            let with = match arguments {
                "" => String::new(),
                arguments => match arguments.split(" --").next().unwrap_or_default() {
                    options if options.starts_with('-') => String::new(),
                    arguments => format!(" with {arguments}"),
                },
            };
            if goes_on || !before.is_empty() { format!("{name}{with}") } else { format!("use {name}{with}") }
        }
        None if before.trim_end().ends_with("with") => format!("`griot {command}`"),
        None if goes_on => format!("a person can run `griot {command}`, which"),
        None => format!("a person can run `griot {command}`"),
    };
    format!("{before}{said}{}", translate(after, door))
}

/// The first command in a text, with what is before and after it.
fn first_command<'a>(hint: &'a str, door: Door<'_>) -> Option<(&'a str, &'a str, &'a str)> {
    for (at, _) in hint.match_indices("griot ") {
        let (before, command) = (&hint[..at], &hint[at + "griot ".len()..]);
        if before.ends_with(|c: char| c.is_alphanumeric() || c == '/') {
            continue;
        }
        let name: &str = command.split(|c: char| !c.is_alphanumeric() && c != '-').next().unwrap_or_default();
        let words: &str = command[name.len()..].trim_start().split(' ').next().unwrap_or_default();
        if name.is_empty() || !OF_PERSON.contains(&name) && door(name, words).is_none() && !is_verb(name) {
            continue;
        }
        return Some(match before.strip_suffix('`').zip(command.split_once('`')) {
            Some((before, (command, after))) => (before, command.trim(), after),
            None => {
                let (command, after) = command.split_at(end(command, name.len()));
                (before, command, after)
            }
        });
    }
    None
}

fn is_verb(name: &str) -> bool {
    VERBS.iter().any(|(command, _)| *command == name) || verbs::table().iter().any(|verb| verb.name == name)
}

/// Where a command without quotes around it ends, and prose goes on.
fn end(command: &str, name: usize) -> usize {
    const PARTS: [&str; 10] =
        ["set", "get", "create", "revoke", "list", "add", "end", "pause", "resume", "retry"];
    let mut end = name;
    let mut is_value = false;
    while let Some(rest) = command[end..].strip_prefix(' ') {
        let length = match rest.strip_prefix('"') {
            Some(quoted) => quoted.find('"').map_or(rest.len(), |at| at + 2),
            // Punctuation at the end of a word belongs to the prose; inside it, to an address.
            None => rest.split(' ').next().unwrap_or_default().trim_end_matches([',', ';', ':']).len(),
        };
        let word = &rest[..length];
        let is_name = word.chars().any(char::is_uppercase) && !word.chars().any(char::is_lowercase);
        let is_part = word.starts_with(['"', '-', '#'])
            || is_name
            || is_value
            || PARTS.contains(&word)
            || word.contains(|c: char| c.is_ascii_digit() || c == '.' || c == '_' || c == '/');
        if word.is_empty() || !is_part {
            break;
        }
        // A value follows an option, and the name of a setting.
        is_value = word.starts_with("--") && word != "--help" || word.contains('.') && !word.contains('/');
        end += 1 + length;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::Kind;

    fn hint(hint: &str, change: impl Fn(Failure) -> Failure) -> String {
        let failure = Failure::new(Kind::NoRoute, "find it", "it is not there").hint(hint);
        change(failure).hint.unwrap_or_default()
    }

    #[test]
    fn hints_name_tools() {
        let tool = |text: &str| hint(text, |failure| for_tools(failure, &["recall", "inspect", "link"]));
        assert_eq!(tool("griot recall \"nope\""), "use the tool `recall` with \"nope\"");
        assert_eq!(tool("griot recall"), "use the tool `recall`");
        assert_eq!(tool("run `griot reindex --embed`"), "a person can run `griot reindex --embed`");
        assert_eq!(tool("did you mean `limit`?"), "did you mean `limit`?");
        assert_eq!(
            tool("griot related NAME lists the edges of a memory or an entity"),
            "a person can run `griot related NAME`, which lists the edges of a memory or an entity"
        );
        assert_eq!(
            tool("griot usage; griot config set model.cost NUMBER; 0 means no limit"),
            "a person can run `griot usage`; a person can run `griot config set model.cost NUMBER`; 0 means \
             no limit"
        );
        assert_eq!(
            tool("restore a backup; `griot export` writes what can still be read"),
            "restore a backup; a person can run `griot export`, which writes what can still be read"
        );
        assert_eq!(
            tool("griot config set model.provider ollama, and model.name NAME"),
            "a person can run `griot config set model.provider ollama`, and model.name NAME"
        );
        assert_eq!(
            tool("griot crawl https://example.org/docs/"),
            "a person can run `griot crawl https://example.org/docs/`"
        );
        assert_eq!(tool("create a key with `griot key create`"), "create a key with `griot key create`");
        assert_eq!(tool("griot link --help lists the kinds"), "the tool `link` lists the kinds");
        assert_eq!(tool("--label uses, depends_on, …"), "`label` uses, depends_on, …");
        assert_eq!(tool("say a -- b, or x--y, or --- c"), "say a -- b, or x--y, or --- c");
        for text in ["use the griot that wrote it", "install a newer griot"] {
            assert_eq!(tool(text), text);
        }
        assert_eq!(
            tool("did you mean `decision`? --new-kind keeps it"),
            "did you mean `decision`? `new_kind`: true keeps it"
        );
    }

    #[test]
    fn hints_name_routes() {
        let route = |text: &str| hint(text, for_routes);
        assert_eq!(route("griot sources"), "use `GET /v1/sources`");
        assert_eq!(route("griot show \"x\""), "use `GET /v1/memories/{name}` with \"x\"");
        assert_eq!(route("griot jobs retry 4"), "use `POST /v1/jobs/{name}/retry` with 4");
        assert_eq!(route("griot link joins two memories"), "`POST /v1/link` joins two memories");
        assert_eq!(route("griot feedback HANDLE --good"), "use `POST /v1/feedback` with HANDLE");
        assert_eq!(route("griot reindex"), "a person can run `griot reindex`");
    }
}

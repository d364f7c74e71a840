//! `griot connect`, each host with a home of its own: changes are shown, written once, and undone byte for
//! byte.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::{Home, Parts, Run, has, parsed};

/// Host, its file below the home folder, and a typical file.
const HOSTS: [(&str, &str, &str); 15] = [
    ("claude-code", ".claude.json", CLAUDE),
    (
        "claude-desktop",
        ".config/Claude/claude_desktop_config.json",
        r#"{"globalShortcut":"","mcpServers":{"x":{"command":"y"}}}"#,
    ),
    (
        "cursor",
        ".cursor/mcp.json",
        "{\n\t\"mcpServers\": {\n\t\t\"x\": { \"url\": \"https://example.org/mcp\" }\n\t}\n}\n",
    ),
    ("codex", ".codex/config.toml", CODEX),
    ("vscode", ".config/Code/User/mcp.json", VSCODE),
    ("windsurf", ".codeium/windsurf/mcp_config.json", "{ \"mcpServers\": {} }\r\n"),
    ("gemini-cli", ".gemini/settings.json", "{\r\n  \"theme\": \"GitHub\" // nice\r\n}\r\n"),
    (
        "opencode",
        ".config/opencode/opencode.json",
        "\u{FEFF}{\n    \"$schema\": \"https://opencode.ai/config.json\",\n    \"mcp\": {},\n}\n",
    ),
    ("openclaw", ".openclaw/openclaw.json", OPENCLAW),
    (
        "zed",
        ".config/zed/settings.json",
        "// Zed settings\n{\n  \"theme\": \"One Dark\", // dark\n  \"context_servers\": {\n    \
         \"x\": {},\n  },\n}\n",
    ),
    (
        "cline",
        ".config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
        "{\n  \"mcpServers\": {\n    \"x\": { \"command\": \"y\", \"disabled\": true }\n  }\n}",
    ),
    (
        "roo-code",
        ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
        "{\"mcpServers\":{}}",
    ),
    ("continue", ".continue/mcpServers/griot.json", "{ \"mcpServers\": {} }\n"),
    ("goose", ".config/goose/config.yaml", GOOSE),
    ("copilot-cli", ".copilot/mcp-config.json", "{\n  \"mcpServers\": {}\n}\n"),
];
const CLAUDE: &str = include_str!("../hosts/claude.json");
const CODEX: &str = include_str!("../hosts/codex.toml");
const VSCODE: &str = include_str!("../hosts/vscode.jsonc");
const GOOSE: &str = include_str!("../hosts/goose.yaml");
const OPENCLAW: &str = include_str!("../hosts/openclaw.json5");

struct User {
    home: Home,
}

impl User {
    fn new() -> Self {
        let user = Self { home: Home::new() };
        fs::create_dir_all(user.folder()).expect("the folder can be made");
        user
    }

    fn folder(&self) -> PathBuf {
        self.home.path().join("user")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("it has a folder")).expect("the folder can be made");
        fs::write(&path, text).expect("the file can be written");
        path
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("the file can be read")
    }

    fn command(&self) -> assert_cmd::Command {
        let mut command = self.home.command();
        let of_hosts = [
            "CLAUDE_CONFIG_DIR",
            "CODEX_HOME",
            "GEMINI_CLI_HOME",
            "OPENCLAW_CONFIG_PATH",
            "OPENCLAW_STATE_DIR",
            "COPILOT_HOME",
        ];
        for name in of_hosts.into_iter().chain(["XDG_CONFIG_HOME", "XDG_DATA_HOME"]) {
            command.env_remove(name);
        }
        command.env("HOME", self.folder()).env("PATH", self.home.path().join("bin"));
        command.current_dir(self.folder());
        command
    }

    fn run(&self, arguments: &[&str]) -> Run {
        Run::of(self.command().args(arguments).output().expect("griot starts"))
    }

    /// The output of a successful run, with paths of this machine removed.
    fn ok(&self, arguments: &[&str]) -> String {
        let run = self.run(arguments);
        assert_eq!(run.code, 0, "griot {arguments:?}: {}{}", run.stdout, run.stderr);
        run.stdout
            .replace(env!("CARGO_BIN_EXE_griot"), "GRIOT")
            .replace(&self.folder().display().to_string(), "~")
            .replace(&self.griot_home(), "GRIOT_HOME")
    }

    /// As it is set for the program.
    fn griot_home(&self) -> String {
        self.home.path().join("home").display().to_string()
    }

    fn json(&self, name: &str) -> Value {
        parsed(&self.read(name))
    }

    /// All files and folders of the user, with their contents.
    fn all(&self) -> Vec<(PathBuf, Option<Vec<u8>>)> {
        fn walk(folder: &Path, found: &mut Vec<(PathBuf, Option<Vec<u8>>)>) {
            for entry in fs::read_dir(folder).expect("the folder can be read") {
                let path = entry.expect("it can be read").path();
                found.push((path.clone(), fs::read(&path).ok()));
                if path.is_dir() {
                    walk(&path, found);
                }
            }
        }
        let mut found = Vec::new();
        walk(&self.folder(), &mut found);
        found.sort();
        found
    }
}

#[test]
fn every_host_is_connected_once_and_leaves_nothing_behind() {
    let user = User::new();
    let before = user.all();
    for (host, file, _) in HOSTS {
        let shown = user.ok(&["connect", host, "--yes"]);
        assert!(shown.starts_with("--- /dev/null\n+++ ~/"), "{shown}");
        assert!(user.path(file).is_file(), "{host} writes {file}");
        let written = user.all();
        let again = user.ok(&["connect", host, "--yes"]);
        assert!(again.starts_with("nothing to do: ") && again.contains(" is already connected"), "{again}");
        assert_eq!(user.all(), written, "{host}");
    }
    for view in parsed(&user.ok(&["--json", "connect", "--list"])).list() {
        assert_eq!((&view["found"], &view["connected"]), (&true.into(), &true.into()), "{view}");
    }
    // In reverse order, because hosts share folders.
    for (host, ..) in HOSTS.iter().rev() {
        user.ok(&["connect", host, "--remove", "--yes"]);
    }
    assert_eq!(user.all(), before);
    let again = user.ok(&["connect", "cursor", "--remove", "--yes"]);
    assert!(again.starts_with("nothing to do: Cursor is not connected"), "{again}");
}

#[test]
fn files_that_are_there_keep_all_that_is_theirs_and_come_back_to_the_byte() {
    for (host, file, text) in HOSTS {
        let user = User::new();
        user.write(file, text);
        user.ok(&["connect", host, "--yes"]);
        let after = user.read(file);
        assert_ne!(after, text, "{host}");
        // Only white space and commas were removed.
        let pieces: Vec<&str> =
            text.split([' ', '\t', '\r', '\n', ',', '{', '}']).filter(|p| !p.is_empty()).collect();
        let mut rest = after.as_str();
        for piece in pieces {
            let found = rest.split_once(piece);
            rest = found.unwrap_or_else(|| panic!("{host}: `{piece}` is not where it was in\n{after}")).1;
        }
        assert_eq!(after.contains('\r'), text.contains('\r'), "{host}");
        assert_eq!(after.matches("\r\n").count(), after.matches('\r').count(), "{host}");
        assert!(user.ok(&["connect", host, "--yes"]).starts_with("nothing to do"), "{host}");
        assert_eq!(user.read(file), after, "{host}");
        user.ok(&["connect", host, "--remove", "--yes"]);
        assert_eq!(user.read(file), text, "{host}");
    }
}

#[test]
fn what_others_write_in_between_stays() {
    for (host, file, text) in HOSTS {
        let user = User::new();
        user.write(file, text);
        user.ok(&["connect", host, "--yes"]);
        let changed = match host {
            "codex" => format!("{}\n[later]\nx = 1\n", user.read(file)),
            "goose" => format!("{}later: 1\n", user.read(file)),
            "openclaw" => user.read(file).replace("~/w", "~/other"),
            _ => user.read(file).replacen('{', "{\n  \"later\": 1,", 1),
        };
        user.write(file, &changed);
        user.ok(&["connect", host, "--remove", "--yes"]);
        let after = user.read(file);
        assert!(!after.contains("griot"), "{host}: {after}");
        assert!(after.contains("later") || after.contains("other"), "{host}: {after}");
        assert_eq!(after.matches('#').count(), text.matches('#').count(), "{host}");
        assert_eq!(after.contains("\"x\""), text.contains("\"x\""), "{host}");
        assert!(user.ok(&["connect", host, "--remove", "--yes"]).starts_with("nothing to do"), "{host}");
    }
}

#[test]
fn a_file_that_was_made_and_then_used_by_others_stays_without_our_entry() {
    let user = User::new();
    user.ok(&["connect", "cursor", "--yes"]);
    let text =
        user.read(".cursor/mcp.json").replace("\"mcpServers\": {", "\"mcpServers\": {\n    \"x\": {},");
    user.write(".cursor/mcp.json", &text);
    user.ok(&["connect", "cursor", "--remove", "--yes"]);
    assert_eq!(user.read(".cursor/mcp.json"), "{\n  \"mcpServers\": {\n    \"x\": {}\n  }\n}\n");

    // Reformatted by its host, as Claude Code does, with the same content.
    user.ok(&["connect", "claude-code", "--no-hooks", "--no-skill", "--yes"]);
    let text = user.read(".claude.json").replace("  ", "\t");
    user.write(".claude.json", &text);
    user.ok(&["connect", "claude-code", "--remove", "--yes"]);
    assert!(!user.path(".claude.json").exists());
}

#[test]
fn the_change_is_shown_as_a_diff() {
    let user = User::new();
    user.write(".cursor/mcp.json", "{\n  \"mcpServers\": {\n    \"x\": {}\n  }\n}\n");
    let expected = "\
--- ~/.cursor/mcp.json
+++ ~/.cursor/mcp.json
@@ -1,5 +1,12 @@
 {
   \"mcpServers\": {
-    \"x\": {}
+    \"x\": {},
+    \"griot\": {
+      \"command\": \"GRIOT\",
+      \"args\": [\"mcp\"],
+      \"env\": {
+        \"GRIOT_HOME\": \"GRIOT_HOME\"
+      }
+    }
   }
 }
nothing was written
";
    assert_eq!(user.ok(&["connect", "cursor", "--dry-run", "--no-skill"]), expected);
    assert_eq!(user.read(".cursor/mcp.json"), "{\n  \"mcpServers\": {\n    \"x\": {}\n  }\n}\n");
    let answer = parsed(&user.ok(&["--json", "connect", "cursor", "--yes", "--no-skill"]));
    let file = &answer["files"][0];
    assert_eq!((answer["action"].text(), file["change"].text()), ("connected", "changed"));
    assert_eq!(format!("{}nothing was written\n", file["diff"].text()), expected);
}

#[test]
fn claude_code_gets_its_hooks_beside_those_of_others() {
    let user = User::new();
    let own = r#"{
  "hooks": {
    "SessionEnd": [
      {
        "hooks": [
          { "type": "command", "command": "bye" }
        ]
      }
    ]
  }
}
"#;
    user.write(".claude/settings.json", own);
    user.ok(&["connect", "claude-code", "--yes"]);
    let settings = user.json(".claude/settings.json");
    let griot = env!("CARGO_BIN_EXE_griot");
    let home = user.griot_home();
    let command = |verb: &str| format!("GRIOT_HOME={home} {griot} hook {verb}");
    for (event, verb) in [("Stop", "stop"), ("PreCompact", "pre-compact")] {
        assert_eq!(settings["hooks"][event][0]["hooks"][0]["command"], command(verb));
    }
    let prompt = &settings["hooks"]["UserPromptSubmit"][0]["hooks"][0];
    assert_eq!(prompt["command"], command("prompt"));
    let start = &settings["hooks"]["SessionStart"][0]["hooks"][0];
    assert_eq!(start["command"], command("session-start"));
    let ends = settings["hooks"]["SessionEnd"].list();
    assert_eq!(ends[0]["hooks"][0]["command"], "bye");
    assert_eq!(ends[1]["hooks"][0]["command"], command("session-end"));
    let expected = json!({ "type": "stdio", "command": griot, "args": ["mcp"],
        "env": { "GRIOT_HOME": home } });
    assert_eq!(user.json(".claude.json")["mcpServers"]["griot"], expected);

    // Another program adds a hook to our array, then Griot is disconnected.
    let joined = user.read(".claude/settings.json").replace(
        "session-end\",\n            \"timeout\": 10\n          }",
        "session-end\",\n            \"timeout\": 10\n          },\n          \
         { \"type\": \"command\", \"command\": \"mine\" }",
    );
    user.write(".claude/settings.json", &joined);
    user.ok(&["connect", "claude-code", "--remove", "--yes"]);
    let after = user.json(".claude/settings.json");
    let commands = after["hooks"]["SessionEnd"].to_string();
    assert!(commands.contains("bye") && commands.contains("mine") && !commands.contains("griot"), "{after}");
    assert!(after["hooks"].get("UserPromptSubmit").is_none(), "{after}");

    let user = User::new();
    user.ok(&["connect", "claude-code", "--no-hooks", "--no-skill", "--yes"]);
    assert!(!user.path(".claude").exists());
    let listed = user.ok(&["connect", "--list"]);
    let is_claude = |line: &str| line.starts_with("claude-code") && line.contains("without hooks");
    assert!(listed.lines().any(is_claude), "{listed}");
}

#[test]
fn the_named_workspace_is_in_the_entry_and_a_new_one_replaces_it() {
    let user = User::new();
    user.ok(&["workspace", "create", "shop"]);
    user.ok(&["connect", "opencode", "--yes"]);
    let first = user.read(".config/opencode/opencode.json");
    user.ok(&["-w", "shop", "connect", "opencode", "--yes"]);
    let text = user.read(".config/opencode/opencode.json");
    let expected = json!([env!("CARGO_BIN_EXE_griot"), "mcp", "--workspace", "shop"]);
    assert_eq!(parsed(&text)["mcp"]["griot"]["command"], expected);
    assert_ne!(first, text);
    user.ok(&["connect", "opencode", "--remove", "--yes"]);
    assert!(!user.path(".config").exists());

    user.ok(&["-w", "shop", "connect", "claude-code", "--yes"]);
    has(&user.read(".claude/settings.json"), " --workspace shop hook prompt\"");
    let run = user.run(&["-w", "shopp", "connect", "cursor", "--yes"]);
    run.refused(1, "error: cannot connect the workspace `shopp`: it does not exist");
}

#[test]
fn a_program_on_the_path_is_called_by_its_name_where_a_shell_does() {
    let user = User::new();
    let bin = user.home.path().join("bin");
    fs::create_dir_all(&bin).expect("the folder can be made");
    #[cfg(unix)]
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_griot"), bin.join("griot")).expect("a link can be made");
    #[cfg(not(unix))]
    return;
    user.ok(&["connect", "codex", "--yes"]);
    let expected = format!(
        "[mcp_servers.griot]\ncommand = \"griot\"\nargs = [\"mcp\"]\nenv = {{ GRIOT_HOME = \"{}\" }}\n",
        user.griot_home()
    );
    assert_eq!(user.read(".codex/config.toml"), expected);
    user.ok(&["connect", "cursor", "--yes"]);
    assert!(user.read(".cursor/mcp.json").contains(&bin.join("griot").display().to_string()));
}

#[test]
fn details_that_were_added_to_our_entry_stay() {
    let user = User::new();
    let text = "[mcp_servers.griot]\ncommand = \"/old/griot\" # mine\nargs = [\"mcp\"]\n\
                startup_timeout_sec = 3\n\n[mcp_servers.griot.env]\nGRIOT_HOME = \"/x\"\n";
    user.write(".codex/config.toml", text);
    user.ok(&["connect", "codex", "--yes"]);
    let home = format!("GRIOT_HOME = \"{}\"", user.griot_home());
    let wanted =
        text.replace("/old/griot", env!("CARGO_BIN_EXE_griot")).replace("GRIOT_HOME = \"/x\"", &home);
    assert_eq!(user.read(".codex/config.toml"), wanted);
    user.ok(&["connect", "codex", "--remove", "--yes"]);
    assert_eq!(user.read(".codex/config.toml"), text);
}

#[test]
fn opencode_two_has_its_servers_in_their_own_object() {
    let user = User::new();
    let file = ".config/opencode/opencode.jsonc";
    user.write(file, "{\n  \"mcp\": {\n    \"servers\": {} // none yet\n  }\n}\n");
    user.ok(&["connect", "opencode", "--yes"]);
    let text = user.read(file);
    assert!(text.contains("\"servers\": {\n      \"griot\": {") && text.contains("// none yet"), "{text}");
}

#[test]
fn broken_and_foreign_files_are_left_as_they_are() {
    const CLAUDE: (&str, &str) = ("claude-code", ".claude.json");
    const SETTINGS: (&str, &str) = ("claude-code", ".claude/settings.json");
    const CURSOR: (&str, &str) = ("cursor", ".cursor/mcp.json");
    const CODEX: (&str, &str) = ("codex", ".codex/config.toml");
    const GOOSE: (&str, &str) = ("goose", ".config/goose/config.yaml");
    for ((host, file), text, why) in [
        (CLAUDE, r#"{"a": 1,}"#, "invalid JSON: trailing commas are not allowed on line 1 column 8"),
        (CLAUDE, "{\"a\": 1 // no\n}", "invalid JSON: "),
        (SETTINGS, "{", "invalid JSON: unterminated object"),
        (CURSOR, r#"{"mcpServers": {"x": }"#, "invalid JSON with comments: "),
        (CURSOR, "[1, 2]", "its top level is not an object"),
        (CURSOR, r#"{"mcpServers": []}"#, "`mcpServers` is not an object"),
        (CURSOR, r#"{"mcpServers": {}, "mcpServers": {}}"#, "`mcpServers` occurs twice"),
        (
            CURSOR,
            r#"{"mcpServers": {"griot": {"command": "npx"}}}"#,
            "`mcpServers.griot` starts another program",
        ),
        (CODEX, "[a\nb = 1\n", "invalid TOML: "),
        (CODEX, "mcp_servers = 3\n", "`mcp_servers` is not a table"),
        (SETTINGS, r#"{"hooks": {"SessionEnd": {}}}"#, "`hooks.SessionEnd` is not an array"),
        (GOOSE, "extensions: [1\n", "invalid YAML: "),
        (GOOSE, "extensions: [1]\n", "`extensions` is not a mapping"),
        (GOOSE, "extensions:\n  griot:\n    cmd: npx\n", "`extensions.griot` starts another program"),
    ] {
        let user = User::new();
        let path = user.write(file, text);
        let before = user.all();
        let why = match why.split_once(": ") {
            Some((what, why)) => format!("{what}; the file was left unchanged: {why}"),
            None => format!("{why}; the file was left unchanged"),
        };
        let run = user.run(&["connect", host, "--yes"]);
        run.refused(2, &format!("error: cannot edit `{}`: {why}", path.display()));
        assert_eq!(user.all(), before, "{text}");
    }
    let user = User::new();
    let path = user.path(".cursor/mcp.json");
    fs::create_dir_all(path.parent().expect("it has a folder")).expect("the folder can be made");
    fs::write(&path, b"{\"a\": \"\xff\"}").expect("the file can be written");
    let run = user.run(&["connect", "cursor", "--yes"]);
    run.refused(2, "byte 8 is not UTF-8; the file was left unchanged");
    // One broken file does not hide the others.
    user.ok(&["connect", "--list"]);
}

#[test]
fn without_a_terminal_nothing_is_written() {
    let user = User::new();
    let before = user.all();
    let run = user.run(&["connect", "vscode"]);
    run.refused(2, ": there is no terminal");
    run.refused(2, "hint: griot connect vscode --yes");
    has(&run.stdout, "+    \"griot\": {");
    assert_eq!(user.all(), before);
    for wrong in [vec!["connect"], vec!["connect", "emacs"], vec!["connect", "cursor", "--list"]] {
        assert_eq!(user.run(&wrong).code, 2, "{wrong:?}");
    }
    let run = user.run(&["connect", "windsurf", "--project", "--yes"]);
    let why = "error: cannot connect windsurf for one project: Windsurf has no configuration per project";
    assert_eq!(run.error(), why);
}

#[test]
fn a_project_has_its_own_file() {
    let user = User::new();
    for (host, file) in [
        ("claude-code", ".mcp.json"),
        ("cursor", ".cursor/mcp.json"),
        ("vscode", ".vscode/mcp.json"),
        ("gemini-cli", ".gemini/settings.json"),
        ("opencode", "opencode.json"),
        ("codex", ".codex/config.toml"),
        ("zed", ".zed/settings.json"),
        ("roo-code", ".roo/mcp.json"),
        ("continue", ".continue/mcpServers/griot.json"),
        ("copilot-cli", ".github/mcp.json"),
    ] {
        let project = user.path("code/shop");
        fs::create_dir_all(&project).expect("the folder can be made");
        let run = |arguments: &[&str]| {
            user.command().current_dir(&project).args(arguments).output().expect("griot starts")
        };
        assert!(run(&["connect", host, "--project", "--yes"]).status.success(), "{host}");
        assert!(project.join(file).is_file(), "{host}");
        assert!(run(&["connect", host, "--project", "--remove", "--yes"]).status.success(), "{host}");
        assert_eq!(fs::read_dir(&project).expect("it is there").count(), 0, "{host}");
    }
    assert_eq!(user.all().len(), 2, "nothing was written for the user");
}

#[cfg(unix)]
#[test]
fn links_permissions_and_read_only_files_are_respected() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let user = User::new();
    let real = user.write("dotfiles/cursor.json", "{}\n");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).expect("the mode can be set");
    fs::create_dir_all(user.path(".cursor")).expect("the folder can be made");
    symlink("../dotfiles/cursor.json", user.path(".cursor/mcp.json")).expect("a link can be made");
    user.ok(&["connect", "cursor", "--yes"]);
    assert!(user.path(".cursor/mcp.json").is_symlink());
    assert!(user.read("dotfiles/cursor.json").contains("griot"));
    assert_eq!(fs::metadata(&real).expect("it is there").permissions().mode() & 0o777, 0o640);
    user.ok(&["connect", "cursor", "--remove", "--yes"]);
    assert!(user.path(".cursor/mcp.json").is_symlink());
    assert_eq!(user.read("dotfiles/cursor.json"), "{}\n");

    fs::set_permissions(&real, fs::Permissions::from_mode(0o444)).expect("the mode can be set");
    let before = user.all();
    user.run(&["connect", "cursor", "--yes"]).refused(2, ".cursor/mcp.json`: it is read-only\n");
    assert_eq!(user.all(), before);

    symlink("loop-b", user.path("loop-a")).expect("a link can be made");
    symlink("loop-a", user.path("loop-b")).expect("a link can be made");
    fs::create_dir_all(user.path(".gemini")).expect("the folder can be made");
    symlink("../loop-a", user.path(".gemini/settings.json")).expect("a link can be made");
    assert_eq!(user.run(&["connect", "gemini-cli", "--yes"]).code, 2);
}

#[test]
fn without_its_notes_griot_takes_out_its_entries_and_nothing_else() {
    let user = User::new();
    user.write(".claude/settings.json", "{\n  \"model\": \"opus\"\n}\n");
    user.ok(&["connect", "claude-code", "--yes"]);
    fs::remove_file(user.home.path().join("home/connections.json")).expect("it is there");
    user.ok(&["connect", "claude-code", "--remove", "--yes"]);
    let settings = user.json(".claude/settings.json");
    assert_eq!(settings["model"], "opus");
    assert!(!settings.to_string().contains("griot"));
    assert!(!user.read(".claude.json").contains("griot"));
}

#[test]
fn a_foreign_entry_is_replaced_by_force_and_comes_back() {
    for (host, file, text) in [
        ("cursor", ".cursor/mcp.json", r#"{"mcpServers": {"griot": {"command": "npx"}}}"#),
        ("codex", ".codex/config.toml", "[mcp_servers.griot]\ncommand = \"npx\"\n"),
        ("goose", ".config/goose/config.yaml", "extensions:\n  griot:\n    cmd: npx\n  x: {}\n"),
        ("copilot-cli", ".copilot/skills/griot/SKILL.md", "---\nname: griot\n---\nMy own words.\n"),
    ] {
        let user = User::new();
        user.write(file, text);
        let run = user.run(&["connect", host, "--yes"]);
        assert_eq!(run.code, 2, "{host}");
        assert!(run.stderr.contains("--force"), "{}", run.stderr);
        assert_eq!(user.read(file), text, "{host}");
        user.ok(&["connect", host, "--yes", "--force"]);
        assert!(!user.read(file).contains("npx") && !user.read(file).contains("My own words"), "{host}");
        user.ok(&["connect", host, "--remove", "--yes"]);
        assert_eq!(user.read(file), text, "{host}");
    }
}

#[test]
fn hosts_with_skills_get_the_guide() {
    for (host, file) in [
        ("claude-code", ".claude/skills/griot/SKILL.md"),
        ("cursor", ".cursor/skills/griot/SKILL.md"),
        ("gemini-cli", ".gemini/skills/griot/SKILL.md"),
        ("opencode", ".config/opencode/skills/griot/SKILL.md"),
        ("copilot-cli", ".copilot/skills/griot/SKILL.md"),
    ] {
        let user = User::new();
        user.ok(&["connect", host, "--yes"]);
        let text = user.read(file);
        assert!(text.starts_with("---\nname: griot\ndescription: "), "{text}");
        for verb in ["recall", "remember", "link", "forget", "why", "inspect", "ingest", "status"] {
            assert!(text.contains(&format!("`{verb}`")), "{verb}");
        }
        // About four characters each.
        assert!(text.len() < 4 * 600, "{}", text.len());
        // An older version is replaced.
        user.write(file, &text.replace("trust the files", "ask"));
        user.ok(&["connect", host, "--yes"]);
        assert_eq!(user.read(file), text);
        fs::remove_file(user.home.path().join("home/connections.json")).expect("it is there");
        user.ok(&["connect", host, "--remove", "--yes"]);
        assert!(!user.path(file).exists(), "{host}");
    }
}

#[test]
fn without_a_home_of_its_own_the_entry_names_none() {
    let user = User::new();
    let mut command = user.command();
    command.env_remove("GRIOT_HOME").env("XDG_DATA_HOME", user.home.path().join("data"));
    let run = Run::of(command.args(["connect", "zed", "--yes"]).output().expect("griot starts"));
    assert_eq!(run.code, 0, "{}", run.stderr);
    let entry = &user.json(".config/zed/settings.json")["context_servers"]["griot"];
    assert_eq!(entry, &json!({ "command": env!("CARGO_BIN_EXE_griot"), "args": ["mcp"] }));
}

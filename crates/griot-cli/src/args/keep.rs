//! Arguments of `remember`, `ingest`, `watch`, `forget`, `gc` and `doctor`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use griot_ingest::FileOptions;
use griot_wire::request::{Named, Request};
use griot_wire::verbs;

/// The user and the project of a new memory.
#[derive(Args, Debug, Clone, Default)]
pub struct OwnerArgs {
    /// The user it belongs to [default: shared by all users]
    #[arg(long, value_name = "USER")]
    pub user: Option<String>,
    /// The project it is about [default: none in particular]
    #[arg(long, value_name = "PROJECT")]
    pub project: Option<String>,
}

/// A request that stores something.
#[derive(Args, Debug)]
pub struct Owned<Q: Args> {
    #[command(flatten)]
    request: Q,
    #[command(flatten)]
    owner: OwnerArgs,
}

impl<Q: Args + Request> Owned<Q> {
    pub fn request(mut self) -> Q {
        self.request.narrow(self.owner.user, self.owner.project);
        self.request
    }
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  griot remember \"Ada prefers tabs\" --kind preference --entity Ada:person
  griot remember \"We use pnpm here, not npm\" --tier rule --project shop
  griot remember \"The build is broken on main\" --tier working --expires 8h
  git log -1 --format=%B | griot remember - --kind event --project shop
  griot remember --json-input < memories.json

JSON input is one object with a `text`, or an array of them. The same text in the same scope is not
stored twice, unless another memory replaced it since.")]
pub struct RememberArgs {
    /// The text, with or without quotes; `-` reads standard input
    #[arg(value_name = "TEXT", conflicts_with = "json_input", required_unless_present = "json_input")]
    pub text: Vec<String>,
    /// Read a JSON object, or an array of them, from standard input
    #[arg(long, conflicts_with_all = [
        "kind", "tag", "importance", "user", "project", "agent", "session", "speaker", "at", "entity",
        "supersedes", "tier", "expires",
    ])]
    pub json_input: bool,
    #[command(flatten)]
    pub owned: Owned<verbs::remember::Remember>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  griot ingest README.md docs/
  griot ingest chat.jsonl --format chat --project shop
  griot ingest docs/ --prune
  griot ingest https://example.org/post --tag reading
  griot ingest --text \"The standby takes over within 30 seconds\" --name runbook

Files that .gitignore excludes are left out. Unchanged files are skipped; of changed files, only
the difference is stored. Of an address, one page is read; `griot crawl` reads a site.")]
pub struct Ingest {
    /// Files, folders and addresses of pages; `-` reads standard input
    #[arg(value_name = "PATH", required_unless_present = "text")]
    pub paths: Vec<PathBuf>,
    /// Read this text
    #[arg(long, value_name = "TEXT")]
    pub text: Option<String>,
    #[command(flatten)]
    pub stored: Stored,
    /// Forget the memories of files under PATH that are gone
    #[arg(long)]
    pub prune: bool,
    /// Such as markdown, csv, pdf or chat; a wrong name lists them all [default: by name and content]
    #[arg(long)]
    pub format: Option<String>,
    /// Name of the source of a text or of standard input [default: from the text]
    #[arg(long, value_name = "ORIGIN")]
    pub name: Option<String>,
    /// Allow addresses of this machine and its networks
    #[arg(long)]
    pub allow_private: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  griot watch                     # MEMORY.md and memory/ of this folder
  griot watch notes/ docs/ --project shop

Reads existing files first, like `griot ingest --prune`. Then stores additions, changes, renames and
deletions within two seconds, until Ctrl-C. With --json, each of them prints an object on a line.")]
pub struct Watch {
    /// Files and folders [default: MEMORY.md and memory/, if they exist]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub stored: Stored,
}

/// What memories of files get.
#[derive(Args, Debug)]
pub struct Stored {
    /// A tag for the stored memories; may be given more than once
    #[arg(long, visible_alias = "tags", value_name = "TAG", value_delimiter = ',')]
    pub tag: Vec<String>,
    #[command(flatten)]
    pub owner: OwnerArgs,
    /// Kind of the memories [default: passage, or turn for chats]
    #[arg(long)]
    pub kind: Option<String>,
    /// Keep a kind that looks like a mistyped one
    #[arg(long, requires = "kind")]
    pub new_kind: bool,
    /// The agent that the memories belong to; settings specific to this agent apply
    #[arg(long)]
    pub agent: Option<String>,
    #[command(flatten)]
    pub noted: Noted,
}

/// What is noted of sources.
#[derive(Args, Debug)]
pub struct Noted {
    /// What to note of the source, shown with it and never searched; may be given more than once
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    metadata: Vec<(String, String)>,
}

impl Noted {
    pub fn metadata(self) -> BTreeMap<String, String> {
        self.metadata.into_iter().collect()
    }
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("it has no `=`; write NAME=VALUE")?;
    Ok((name.to_string(), value.to_string()))
}

impl Stored {
    pub fn options(self, paths: Vec<PathBuf>) -> FileOptions {
        let OwnerArgs { user, project } = self.owner;
        FileOptions {
            paths,
            tags: self.tag,
            user,
            project,
            kind: self.kind,
            agent: self.agent,
            metadata: self.noted.metadata(),
            ..FileOptions::default()
        }
    }
}

/// Names on the command line.
#[derive(Args, Debug)]
pub struct Names {
    /// Handles (`a1b2c3`), ids, entities (`tool:redis` or a name), sources (`s4`) or offers (`o12`)
    #[arg(value_name = "NAME", required = true)]
    pub names: Vec<String>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  griot offers
  griot offers a1b2c3 --all
  griot offers --refuse o12 o13

`griot link` takes an offer: `supersedes` a replacement, any causal kind a cause.
`griot unlink` reopens it.")]
pub struct OffersArgs {
    #[command(flatten)]
    pub request: verbs::offers::Offers,
    /// Take these offers (`o12`): add the edge that each proposes
    #[arg(long, value_name = "ID", num_args = 1.., conflicts_with_all = ["memory", "all", "limit"])]
    pub take: Vec<String>,
    /// Refuse these offers; what they say is not offered again
    #[arg(long, value_name = "ID", num_args = 1.., conflicts_with_all = ["memory", "all", "limit", "take"])]
    pub refuse: Vec<String>,
    /// Reopen these offers
    #[arg(long, value_name = "ID", num_args = 1..)]
    #[arg(conflicts_with_all = ["memory", "all", "limit", "take", "refuse"])]
    pub restore: Vec<String>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
A language model notes what a memory is about, and notes it anew when a later memory changes that.
`griot config set enrich.notes true` makes it do so.

Examples:
  griot notes a1b2c3
  griot notes a1b2c3 --undo")]
pub struct NotesArgs {
    #[command(flatten)]
    pub request: Named,
    /// Undo the note that counts; the one before it counts again
    #[arg(long)]
    pub undo: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Lists memories of low importance: rated low, rarely accessed, with few edges, or old.
`griot forget` hides a memory; `griot gc --keep` removes it from the list.")]
pub struct GcArgs {
    #[command(flatten)]
    pub request: verbs::health::Gc,
    /// Keep these memories: counts as three accesses
    #[arg(long, value_name = "MEMORY", num_args = 1..)]
    pub keep: Vec<String>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
A repair rebuilds derived rows, and corrects or removes rows that cannot be read. It first copies
each row that it changes into a file beside the database (.quarantine.jsonl). A damaged database file
cannot be repaired: restore a backup.")]
pub struct Doctor {
    /// Repair what can be repaired without losing text
    #[arg(long)]
    pub repair: bool,
}

//! API keys: 256 random bits, shown once, stored as BLAKE3 hashes in one small file.
//!
//! ```text
//! <home>/keys.json              {"version": 1, "keys": [{"id": "k1", "hash": "…", "role": "read", …}]}
//! <home>/workspaces/.keyed      marker: a key exists or existed
//! ```
//!
//! A server that ever had a key requires one, even if the file is missing or empty, and after a restart.
//! The marker records this; only [`Keys::open`] removes it.
//!
//! The file is replaced atomically under a lock, so several processes may change it. Before each request a
//! server checks the file's modification time, size and inode, so a revoked key is refused at once. Hashes
//! are compared in constant time. A key may be bound to one user of its workspace, and has a budget of
//! requests per minute.

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime};

use griot::model::{Error, Result};
use griot::private;
use serde::{Deserialize, Serialize};

use crate::failure::{Failure, Kind, Outcome};

pub use griot_wire::call::{Caller, Role};

/// A stored key, without the secret.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct KeyRecord {
    pub id: String,
    /// BLAKE3 of the key, hexadecimal.
    pub hash: String,
    #[serde(flatten)]
    pub access: KeyAccess,
    pub created_at: String,
    pub revoked_at: Option<String>,
}

/// What a key allows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct KeyAccess {
    pub workspace: String,
    pub role: Role,
    pub user: Option<String>,
    pub name: Option<String>,
    /// Requests per minute; `None` uses the server's setting.
    pub rate: Option<u32>,
}

#[derive(Serialize, Deserialize)]
struct KeyFile {
    version: u32,
    keys: Vec<KeyRecord>,
}

const VERSION: u32 = 1;
const PREFIX: &str = "griot_";

/// The keys of a home.
#[derive(Debug)]
pub struct Keys {
    path: PathBuf,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    /// Version of the file that was read.
    stamp: Option<Stamp>,
    keys: Vec<(blake3::Hash, KeyRecord)>,
    /// This process has seen a key, even if the marker could not be written.
    had_keys: bool,
    budgets: HashMap<String, Budget>,
}

type Stamp = (SystemTime, u64, u64);

/// Token bucket of a key: each request takes a token; tokens refill evenly.
#[derive(Debug)]
struct Budget {
    tokens: f64,
    at: Instant,
}

impl Keys {
    pub fn at(path: PathBuf) -> Self {
        Self { path, known: Mutex::default() }
    }

    /// Creates a key. Returns the secret, which is not stored, and its record.
    pub fn create(&self, access: KeyAccess) -> Result<(String, KeyRecord)> {
        let mut secret = [0; 32];
        getrandom::fill(&mut secret).map_err(|error| Error::unavailable("make a key", error.to_string()))?;
        let key = format!("{PREFIX}{}", blake3::Hash::from_bytes(secret).to_hex());
        let record = self.change(|keys| {
            let number = keys.iter().filter_map(|key| key.id.strip_prefix('k')?.parse::<u64>().ok()).max();
            let record = KeyRecord {
                id: format!("k{}", number.unwrap_or(0) + 1),
                hash: blake3::hash(key.as_bytes()).to_hex().to_string(),
                access,
                created_at: now(),
                revoked_at: None,
            };
            keys.push(record.clone());
            // Written before the key, so that deleting the key file never opens the server.
            mark(&self.mark())?;
            Ok(record)
        })?;
        Ok((key, record))
    }

    /// All keys in order of creation, including revoked ones.
    pub fn list(&self) -> Result<Vec<KeyRecord>> {
        read(&self.path)
    }

    /// Revokes a key, named by its id, or by its name if that is unique.
    pub fn revoke(&self, name: &str) -> Result<KeyRecord> {
        let what = format!("revoke the key `{name}`");
        self.change(|keys| {
            let fits = |key: &&mut KeyRecord| key.id == name || key.access.name.as_deref() == Some(name);
            let mut found = keys.iter_mut().filter(fits);
            match (found.next(), found.next()) {
                (Some(key), None) => {
                    key.revoked_at.get_or_insert_with(now);
                    Ok(key.clone())
                }
                (None, _) => Err(Error::not_found(what, "there is no such key").hint("griot key list")),
                _ => Err(Error::invalid(what, "several keys have this name").hint("griot key list")),
            }
        })
    }

    /// Whether any key is not revoked.
    pub fn any(&self) -> Result<bool> {
        Ok(self.list()?.iter().any(|key| key.revoked_at.is_none()))
    }

    /// Whether no key was ever created, so that users of this machine need none. Revoking the last key or
    /// deleting the file does not change this.
    pub fn is_empty(&self) -> Result<bool> {
        let mut known = lock(&self.known);
        known.refresh(&self.path)?;
        if !known.keys.is_empty() && !known.had_keys {
            known.had_keys = true;
            // Keys of a version without markers. If this fails, `had_keys` still protects this process.
            if let Err(error) = mark(&self.mark()) {
                tracing::warn!(%error, "cannot write the marker that keys exist");
            }
        }
        Ok(known.keys.is_empty() && !known.had_keys && !self.mark().exists())
    }

    /// Whether there was a key, but no file holds one.
    pub fn is_locked_without_keys(&self) -> Result<bool> {
        Ok(self.list()?.is_empty() && self.mark().exists())
    }

    /// Allows users of this machine to connect without a key, as before the first one. Fails while a key is
    /// active.
    pub fn open(&self) -> Result<()> {
        let what = "open the server without keys";
        if let Some(key) = self.list()?.into_iter().find(|key| key.revoked_at.is_none()) {
            return Err(Error::invalid(what, format!("the key `{}` is live", key.id))
                .hint(format!("griot key revoke {}", key.id)));
        }
        for file in [&self.path, &self.mark()] {
            match fs::remove_file(file) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(Error::unavailable(what, error.to_string()));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// In the data folder, so that an unmounted volume takes key file and marker alike.
    fn mark(&self) -> PathBuf {
        self.folder().join("workspaces").join(".keyed")
    }

    fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("."))
    }

    /// For long requests: whether the key with this id is still not revoked.
    pub fn is_live(&self, id: &str) -> bool {
        let mut known = lock(&self.known);
        known.refresh(&self.path).is_ok()
            && known.keys.iter().any(|(_, key)| key.id == id && key.revoked_at.is_none())
    }

    /// The caller with this key, after taking one request from its budget. `rate` applies if the key has no
    /// limit of its own; 0 is unlimited.
    pub fn caller(&self, presented: &str, rate: u32) -> Outcome<Caller> {
        let hash = blake3::hash(presented.as_bytes());
        let mut known = lock(&self.known);
        known.refresh(&self.path)?;
        // Compares all hashes, each in constant time.
        let mut found = None;
        for (stored, record) in &known.keys {
            if *stored == hash {
                found = Some(record.clone());
            }
        }
        let record = match found {
            Some(record) if record.revoked_at.is_none() => record,
            Some(_) => return Err(refused("this key was revoked")),
            None => return Err(refused("there is no such key")),
        };
        let KeyAccess { workspace, role, user, rate: own, .. } = record.access;
        take(&mut known.budgets, &record.id, own.unwrap_or(rate), Instant::now())?;
        Ok(Caller { workspace: Some(workspace), role, user, key: Some(record.id), agent: None })
    }

    fn change<T>(&self, act: impl FnOnce(&mut Vec<KeyRecord>) -> Result<T>) -> Result<T> {
        let failed = unwritable(&self.path);
        private::folder(self.folder()).map_err(&failed)?;
        let lock = private::file(&self.path.with_extension("lock")).map_err(&failed)?;
        lock.lock().map_err(&failed)?;
        let mut keys = read(&self.path)?;
        let changed = act(&mut keys)?;
        let text = serde_json::to_vec_pretty(&KeyFile { version: VERSION, keys })
            .map_err(|error| Error::unavailable("write the keys", error.to_string()))?;
        // Temporary files are readable by their owner only; renaming keeps that.
        let mut part = tempfile::NamedTempFile::new_in(self.folder()).map_err(&failed)?;
        part.write_all(&text).map_err(&failed)?;
        part.as_file().sync_all().map_err(&failed)?;
        part.persist(&self.path).map_err(|error| failed(error.error))?;
        Ok(changed)
    }
}

impl Known {
    fn refresh(&mut self, path: &Path) -> Result<()> {
        let stamp = stamp(path);
        if self.stamp == stamp {
            return Ok(());
        }
        let keys = read(path)?.into_iter();
        self.keys = keys.filter_map(|key| Some((blake3::Hash::from_hex(&key.hash).ok()?, key))).collect();
        self.stamp = stamp;
        Ok(())
    }
}

fn mark(path: &Path) -> Result<()> {
    let failed = unwritable(path);
    private::folder(path.parent().unwrap_or(Path::new("."))).map_err(&failed)?;
    private::file(path).map_err(failed).map(drop)
}

fn unwritable(path: &Path) -> impl Fn(std::io::Error) -> Error {
    move |error| {
        Error::unavailable(format!("write `{}`", path.display()), error.to_string())
            .hint("set GRIOT_HOME to a writable folder")
    }
}

fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read(path: &Path) -> Result<Vec<KeyRecord>> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => {
            return Err(Error::unavailable(format!("read `{}`", path.display()), error.to_string()));
        }
    };
    let file: KeyFile = serde_json::from_slice(&text).map_err(|error| {
        Error::unavailable(format!("read the keys in `{}`", path.display()), error.to_string())
    })?;
    if file.version > VERSION {
        let why = format!("the file has version {}, and this griot supports up to {VERSION}", file.version);
        return Err(Error::unavailable(format!("read the keys in `{}`", path.display()), why)
            .hint("install a newer griot"));
    }
    Ok(file.keys)
}

/// Modification time, size and inode: a file that was replaced has another inode.
fn stamp(path: &Path) -> Option<Stamp> {
    let data = fs::metadata(path).ok()?;
    #[cfg(unix)]
    let number = std::os::unix::fs::MetadataExt::ino(&data);
    #[cfg(not(unix))]
    let number = 0;
    Some((data.modified().ok()?, data.len(), number))
}

fn refused(why: &str) -> Failure {
    Failure::new(Kind::Unauthenticated, "accept the key", why)
        .hint("griot key create --workspace NAME --role read")
}

fn take(budgets: &mut HashMap<String, Budget>, key: &str, rate: u32, now: Instant) -> Outcome<()> {
    if rate == 0 {
        return Ok(());
    }
    let most = f64::from(rate);
    let budget = budgets.entry(key.to_string()).or_insert(Budget { tokens: most, at: now });
    let per_second = most / 60.0;
    budget.tokens = (budget.tokens + now.duration_since(budget.at).as_secs_f64() * per_second).min(most);
    budget.at = now;
    if budget.tokens >= 1.0 {
        budget.tokens -= 1.0;
        return Ok(());
    }
    let wait = ((1.0 - budget.tokens) / per_second).ceil() as u64;
    let why = format!("the key `{key}` allows {rate} requests per minute");
    let mut failure = Failure::new(Kind::RateLimited, "answer", why).hint(format!("try again in {wait} s"));
    failure.retry_after = Some(wait);
    Err(failure)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn access(role: Role) -> KeyAccess {
        KeyAccess { workspace: "acme".into(), role, user: None, name: Some("ci".into()), rate: Some(60) }
    }

    #[test]
    fn a_key_is_shown_once_stored_hashed_and_refused_once_revoked() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let keys = Keys::at(folder.path().join("keys.json"));
        let (key, record) = keys.create(access(Role::Write)).expect("it can be made");
        assert!(key.starts_with("griot_") && key.len() == PREFIX.len() + 64);
        let file = fs::read_to_string(folder.path().join("keys.json")).expect("it is there");
        assert!(!file.contains(&key[PREFIX.len()..]) && file.contains(&record.hash));
        let caller = keys.caller(&key, 0).expect("it is known");
        assert_eq!((caller.workspace.as_deref(), caller.role), (Some("acme"), Role::Write));
        assert_eq!(keys.caller("griot_00", 0).map_err(|f| f.kind), Err(Kind::Unauthenticated));
        // Another process revokes it.
        Keys::at(folder.path().join("keys.json")).revoke("ci").expect("it is there");
        assert_eq!(keys.caller(&key, 0).map_err(|f| f.why), Err("this key was revoked".to_string()));
        assert_eq!(keys.any(), Ok(false));
    }

    #[test]
    fn a_server_that_had_a_key_stays_closed_until_it_is_opened() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let file = folder.path().join("keys.json");
        let keys = Keys::at(file.clone());
        assert_eq!(keys.is_empty(), Ok(true));
        keys.create(access(Role::Read)).expect("it can be made");
        let full = fs::read(&file).expect("it is there");
        for left in [None, Some(r#"{"version":1,"keys":[]}"#)] {
            match left {
                None => fs::remove_file(&file).expect("it is there"),
                Some(text) => fs::write(&file, text).expect("it can be written"),
            }
            assert_eq!(keys.is_empty(), Ok(false), "in the running process");
            assert_eq!(Keys::at(file.clone()).is_empty(), Ok(false), "after a restart");
        }
        fs::write(&file, full).expect("it can be written");
        assert!(keys.open().is_err(), "a key is live");
        keys.revoke("k1").expect("it is there");
        keys.open().expect("none is live");
        assert_eq!(Keys::at(file).is_empty(), Ok(true));
    }

    #[test]
    fn a_budget_is_spent_and_refills() {
        let mut budgets = HashMap::new();
        let start = Instant::now();
        for _ in 0..60 {
            take(&mut budgets, "k1", 60, start).expect("it is within the budget");
        }
        let refused = take(&mut budgets, "k1", 60, start).expect_err("it is spent");
        assert_eq!((refused.kind, refused.retry_after), (Kind::RateLimited, Some(1)));
        take(&mut budgets, "k1", 60, start + Duration::from_secs(1)).expect("one came back");
        take(&mut budgets, "k1", 0, start).expect("0 is no limit");
    }
}

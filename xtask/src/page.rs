//! Does the page work? Its types, its unit tests, whether `web/dist` and `web/dist-app` are what `web`
//! builds, and its specs in Chromium against the real server.
//!
//! The built files are in the repository, so that building Griot needs no Node. Chromium is that of the
//! system; in CI on Debian it is installed.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::Outcome;
use crate::program::{self, griot, npm, read, run, target, version};

/// Names of Chromium; the variable `CHROMIUM` holds its path for the specs.
const CHROMIUM: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

pub fn test(root: &Path) -> Outcome {
    let folder = root.join("web");
    if let Err(why) = version("node", (20, 19)) {
        return Ok(vec![format!("the page: {why}")]);
    }
    program::node_modules(root, "web", &folder)?;
    run(npm(&folder).args(["run", "--silent", "check"]))?;
    run(npm(&folder).args(["run", "--silent", "test"]))?;
    for (script, kept) in [("build", "dist"), ("build:app", "dist-app")] {
        let built = target(root).join("web").join(kept);
        let into = format!("--outDir={}", built.display());
        run(npm(&folder).args(["run", "--silent", script, "--", "--logLevel=warn", "--emptyOutDir", &into]))?;
        same(&built, &folder.join(kept), script)?;
    }
    let Some(chromium) = chromium() else {
        return Ok(vec!["the page in a browser: Chromium is not installed".to_string()]);
    };
    let server = Server::start(&griot(root)?, &target(root).join("web/home"))?;
    let mut specs = npm(&folder);
    specs.args(["run", "--silent", "e2e"]).env("GRIOT_URL", &server.url).env("CHROMIUM", chromium);
    run(&mut specs).map(|()| Vec::new())
}

/// The first difference between what was built and what the repository holds.
fn same(built: &Path, kept: &Path, script: &str) -> Result<(), String> {
    let folder = kept.file_name().unwrap_or_default().display();
    let (built, kept) = (files(built)?, files(kept)?);
    let names = built.keys().chain(kept.keys());
    match names.into_iter().find(|name| built.get(*name) != kept.get(*name)) {
        None => Ok(()),
        Some(name) => {
            let file = name.display();
            Err(format!("web/{folder} is not what web builds: {file}\nhint: npm run {script}, in web"))
        }
    }
}

/// The files of a folder, by their path inside it.
fn files(folder: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>, String> {
    let failed = |error: std::io::Error| format!("cannot read {}: {error}", folder.display());
    let (mut found, mut open) = (BTreeMap::new(), vec![folder.to_path_buf()]);
    while let Some(inner) = open.pop() {
        for entry in fs::read_dir(&inner).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap_or(&path).to_path_buf();
                found.insert(name, read(&path)?);
            }
        }
    }
    Ok(found)
}

/// The path of Chromium, which is installed if that is possible in CI.
fn chromium() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("CHROMIUM") {
        return Some(PathBuf::from(path));
    }
    let find = || {
        let folders = std::env::var_os("PATH")?;
        let folders: Vec<PathBuf> = std::env::split_paths(&folders).collect();
        CHROMIUM
            .iter()
            .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
            .find(|p| p.is_file())
    };
    let found = find();
    if found.is_some() || std::env::var_os("CI").is_none() {
        return found;
    }
    let install = |arguments: &[&str]| {
        run(Command::new("apt-get").args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))
    };
    let quiet = ["install", "--quiet", "--quiet", "--yes", "--no-install-recommends", "chromium"];
    install(&["update", "--quiet", "--quiet"]).and_then(|()| install(&quiet)).ok()?;
    find()
}

/// `griot serve` with an empty home; ended when the test ends, however it does.
struct Server {
    process: Child,
    url: String,
}

impl Server {
    fn start(griot: &Path, home: &Path) -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("cannot start the server: {error}");
        if home.is_dir() {
            fs::remove_dir_all(home).map_err(failed)?;
        }
        fs::create_dir_all(home).map_err(failed)?;
        let mut command = Command::new(griot);
        command.args(["serve", "--listen", "127.0.0.1:0"]).current_dir(home);
        command.env("GRIOT_HOME", home).env("GRIOT_LOG_RECALLS", "true");
        // A spec serves the site that it has read.
        command.env("GRIOT_CRAWL_ALLOW_PRIVATE", "true");
        let process = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(failed)?;
        let mut server = Self { process, url: String::new() };
        let output = server.process.stdout.take().ok_or("the server has no output")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line).map_err(failed)?;
        let url = line.split_whitespace().find(|word| word.starts_with("http://"));
        server.url = url.ok_or_else(|| format!("the server printed {line:?}"))?.to_string();
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Fails if it has ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

//! Does the container work? Its root file system, made as the Dockerfile makes it (`tools/image/rootfs.sh`),
//! and used with `chroot`, so that no daemon is needed.
//!
//! User, environment, commands and the check of health are read from the Dockerfile.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use crate::Outcome;
use crate::program::{self, run, target};

/// Bytes that the root file system may have at most.
const MOST: u64 = 120 * 1024 * 1024;
/// A file of package sources to use instead of the default of mmdebstrap.
const SOURCES: &str = "GRIOT_IMAGE_SOURCES";

pub fn test(root: &Path, profile: &str) -> Outcome {
    if let Some(why) = missing() {
        return Ok(vec![format!("the root file system of the container: {why}")]);
    }
    let built = program::griot_in(root, profile)?;
    let folder = target(root).join("image");
    if folder.is_dir() {
        fs::remove_dir_all(&folder).map_err(|error| format!("cannot empty {}: {error}", folder.display()))?;
    }
    let mut make = Command::new(root.join("tools/image/rootfs.sh"));
    make.arg(built).arg(&folder).args(std::env::var_os(SOURCES));
    run(&mut make)?;

    let bytes = size(&folder)?;
    eprintln!("{}: {:.1} MB", folder.display(), bytes as f64 / 1e6);
    // The development profile keeps what a release strips.
    if profile == "release" && bytes > MOST {
        return Err(format!("the root file system has {bytes} bytes, more than {MOST}"));
    }
    // A container gets its devices when it is started.
    let null = folder.join("dev/null");
    run(Command::new("mknod").args(["-m", "666"]).arg(&null).args(["c", "1", "3"]))?;
    let dockerfile = fs::read_to_string(root.join("Dockerfile"))
        .map_err(|error| format!("cannot read the Dockerfile: {error}"))?;
    Container::new(folder, &dockerfile)?.test()?;
    Ok(Vec::new())
}

fn missing() -> Option<&'static str> {
    let works = |program: &str, argument: &str| {
        let output = Command::new(program).arg(argument).stdin(Stdio::null()).output();
        output.is_ok_and(|output| output.status.success())
    };
    let is_root = Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|output| String::from_utf8_lossy(&output.stdout).trim() == "0");
    if !cfg!(target_os = "linux") {
        Some("it is made on Linux only")
    } else if !works("mmdebstrap", "--version") {
        Some("mmdebstrap is not installed (a package of Debian)")
    } else if !is_root {
        Some("only root may use chroot")
    } else {
        None
    }
}

/// Bytes of the files, as they are listed.
fn size(folder: &Path) -> Result<u64, String> {
    let output = Command::new("du")
        .args(["--summarize", "--bytes"])
        .arg(folder)
        .output()
        .map_err(|error| format!("du cannot be run: {error}"))?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let bytes = printed.split_whitespace().next().and_then(|bytes| bytes.parse().ok());
    bytes.ok_or_else(|| format!("du printed {printed:?}"))
}

/// A root file system with what the Dockerfile says of it.
struct Container {
    folder: PathBuf,
    /// `id:id`, as `chroot` takes it.
    user: String,
    environment: Vec<(String, String)>,
    entry: Vec<String>,
    command: Vec<String>,
    health: Vec<String>,
    port: u16,
}

impl Container {
    fn new(folder: PathBuf, dockerfile: &str) -> Result<Self, String> {
        let joined = dockerfile.replace("\\\n", " ");
        let line = |name: &str| {
            let found = joined.lines().filter_map(|line| line.strip_prefix(name)).next_back();
            found.map(str::trim).ok_or_else(|| format!("the Dockerfile has no {name}"))
        };
        let words = |text: &str| {
            serde_json::from_str::<Vec<String>>(text)
                .map_err(|error| format!("the Dockerfile: {text}: {error}"))
        };
        let health = line("HEALTHCHECK ")?;
        let health = health.split_once("CMD ").map(|(_, command)| command);
        let passwd = fs::read_to_string(folder.join("etc/passwd"))
            .map_err(|error| format!("cannot read the users: {error}"))?;
        let name = line("USER ")?;
        let user =
            passwd.lines().map(|line| line.split(':').collect::<Vec<_>>()).find(|user| user[0] == name);
        let user = user.ok_or_else(|| format!("there is no user {name}"))?;
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let port = free.map_err(|error| format!("there is no free port: {error}"))?.port();
        // Another server of this machine may have the usual port.
        let usual = line("EXPOSE ")?;
        let set = |pair: &str| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (name.to_string(), value.replace(&format!(":{usual}"), &format!(":{port}")))
        };
        Ok(Self {
            user: format!("{}:{}", user[2], user[3]),
            environment: line("ENV ")?.split_whitespace().map(set).collect(),
            entry: words(line("ENTRYPOINT ")?)?,
            command: words(line("CMD ")?)?,
            health: words(health.unwrap_or_default())?,
            folder,
            port,
        })
    }

    fn test(&self) -> Result<(), String> {
        self.says(&["--version"], 0, "griot ")?;
        self.says(&["serve"], 2, "there is no key")?;
        self.says(&["remember", "We moved sessions to Postgres because customers were logged out"], 0, "")?;
        self.says(&["recall", "why did we move sessions?"], 0, "customers were logged out")?;
        self.health(1)?;
        let key = self.says(&["key", "create", "--role", "read"], 0, "griot_")?;
        let key = key.split_whitespace().next().unwrap_or_default().to_string();

        let command: Vec<&str> = self.command.iter().map(String::as_str).collect();
        let mut server = Server(self.run(&command).stdout(Stdio::piped()).spawn().map_err(shown)?);
        let mut line = String::new();
        let output = server.0.stdout.take().ok_or("the server has no output")?;
        BufReader::new(output).read_line(&mut line).map_err(shown)?;
        expect(&line, "griot listens on http://0.0.0.0:")?;
        self.health(0)?;
        expect(&self.get("")?, "HTTP/1.1 401")?;
        expect(&self.get(&format!("Authorization: Bearer {key}\r\n"))?, "\"memories\":1")?;
        run(Command::new("kill").arg(server.0.id().to_string()))?;
        let ended = server.0.wait().map_err(shown)?;
        if !ended.success() {
            return Err(format!("the server ended with {ended}"));
        }
        self.health(1)
    }

    /// The entry point of the container with these arguments.
    fn run(&self, arguments: &[&str]) -> Command {
        // By its path, because the search path is the container's.
        let mut command = Command::new("/usr/sbin/chroot");
        command.arg(format!("--userspec={}", self.user)).arg("--groups=").arg(&self.folder);
        command.args(&self.entry).args(arguments).stdin(Stdio::null()).current_dir("/");
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    fn says(&self, arguments: &[&str], code: i32, expected: &str) -> Result<String, String> {
        finished(&mut self.run(arguments), code, expected)
    }

    fn health(&self, code: i32) -> Result<(), String> {
        let (_, arguments) = self.health.split_first().ok_or("the check of health is empty")?;
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        self.says(&arguments, code, "").map(drop)
    }

    fn get(&self, header: &str) -> Result<String, String> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).map_err(shown)?;
        let request =
            format!("GET /v1/status HTTP/1.1\r\nHost: localhost\r\n{header}Connection: close\r\n\r\n");
        let mut reply = String::new();
        stream.write_all(request.as_bytes()).map_err(shown)?;
        stream.read_to_string(&mut reply).map_err(shown)?;
        Ok(reply)
    }
}

/// Ended when the test ends, however it does.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        // Fails if it has ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn finished(command: &mut Command, code: i32, expected: &str) -> Result<String, String> {
    let Output { status, stdout, stderr } = command.output().map_err(shown)?;
    let (printed, errors) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    if status.code() != Some(code) {
        return Err(format!("{command:?} ended with {status}, not {code}: {printed}{errors}"));
    }
    expect(&format!("{printed}{errors}"), expected)?;
    Ok(printed.into_owned())
}

fn expect(text: &str, expected: &str) -> Result<(), String> {
    if text.contains(expected) { Ok(()) } else { Err(format!("{text:?} does not contain {expected:?}")) }
}

fn shown(error: std::io::Error) -> String {
    format!("cannot test the container: {error}")
}

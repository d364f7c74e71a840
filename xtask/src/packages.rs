//! Do the packages work that users install? A wheel and npm packages, built from this clone, installed into
//! clean environments and tested there. They stay in `target/packages`.
//!
//! - The wheel has the engine as a module of Python and the program `griot` (`sdk/python/build_wheel.py`).
//!   Tests run it with the hosts that it has classes for, at pinned versions.
//! - npm gets two packages: the one for this platform has the program, the other one has the client of
//!   `sdk/typescript` and a launcher, and names the packages of all platforms as optional dependencies.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Map, Value, json};

use crate::Outcome;
use crate::program::{self, PYTHON, run, target, version};

/// What the release workflow builds, as Node names it.
const PLATFORMS: [(&str, &str); 5] =
    [("linux", "x64"), ("linux", "arm64"), ("darwin", "x64"), ("darwin", "arm64"), ("win32", "x64")];

/// What the first lines of the guide promise, in an environment with nothing but the wheel.
const FIRST_LINES: &str = "
from griot import Memory
with Memory('clean.db') as memory:
    memory.remember('We moved sessions to Postgres because customers were logged out')
    assert 'Postgres' in memory.recall('why did we move sessions?')['results'][0]['text']
";

/// `dev` is quick to build, `release` is what users get.
pub fn test(root: &Path, profile: &str) -> Outcome {
    let folder = target(root).join("packages");
    let (mut untested, mut failed) = (Vec::new(), Vec::new());
    let wheel = || version(PYTHON, (3, 11)).map(|()| wheel(root, profile, &folder.join("python")));
    let npm = || version("node", (20, 3)).map(|()| npm(root, profile, &folder.join("npm")));
    for (name, tested) in [("the wheel", wheel()), ("the npm packages", npm())] {
        match tested {
            Err(why) => untested.push(format!("{name}: {why}")),
            Ok(Err(why)) => failed.push(format!("{name}: {why}")),
            Ok(Ok(())) => {}
        }
    }
    if failed.is_empty() { Ok(untested) } else { Err([failed, untested].concat().join("\n")) }
}

fn wheel(root: &Path, profile: &str, folder: &Path) -> Result<(), String> {
    let package = root.join("sdk/python");
    let python = program::python(root, "packages", &package.join("requirements-engine.txt"))?;
    empty(folder)?;
    let settings = format!("--config-settings=profile={profile}");
    // Which C library a wheel needs matters for other machines only.
    let compatibility = if profile == "dev" { "off" } else { "pypi" };
    let arguments = format!("--config-settings=build-args=--compatibility {compatibility}");
    let build = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"];
    // pip looks for maturin on the search path.
    let path = search_path(&python)?;
    let mut pip = Command::new(&python);
    let program = format!("--config-settings=program={}", program::griot_in(root, profile)?.display());
    pip.args(build).args([&settings, &arguments, &program]).arg("--wheel-dir").arg(folder).arg(&package);
    run(pip.env("PATH", &path))?;
    let wheel = only(folder, "whl")?;

    let clean = target(root).join("venv/clean");
    run(Command::new(PYTHON).args(["-m", "venv", "--clear"]).arg(&clean))?;
    let clean = program::in_environment(&clean);
    let install = ["-m", "pip", "install", "--quiet", "--no-index", "--force-reinstall"];
    run(Command::new(&clean).args(install).arg(&wheel))?;
    run(Command::new(&clean).args(["-c", FIRST_LINES]).current_dir(folder).env("GRIOT_HOME", folder))?;

    run(Command::new(&python).args(install).arg("--no-deps").arg(&wheel))?;
    let binary = python.with_file_name(format!("griot{}", std::env::consts::EXE_SUFFIX));
    let module = |arguments: &[&str]| {
        let mut command = Command::new(&python);
        command.arg("-m").args(arguments).current_dir(&package).env("GRIOT_BIN", &binary);
        run(&mut command)
    };
    module(&["mypy"])?;
    module(&["pytest", "--quiet", "-p", "no:cacheprovider", "tests/engine", "tests/test_readme.py"])
}

fn npm(root: &Path, profile: &str, folder: &Path) -> Result<(), String> {
    empty(folder)?;
    let client = root.join("sdk/typescript");
    program::node_modules(root, "sdk", &client)?;
    run(program::npm(&client).args(["run", "--silent", "build"]))?;
    let program = program::griot_in(root, profile)?;

    let (os, cpu) = platform()?;
    let name = format!("griot-{os}-{cpu}");
    let file = format!("griot{}", std::env::consts::EXE_SUFFIX);
    let manifest = read(&client.join("package.json"))?;
    let own = Staged::new(folder, &name)?;
    own.copy(&program, &file)?;
    own.copy(&root.join("LICENSE"), "LICENSE")?;
    own.write("package.json", &of_platform(&manifest, os, cpu, &file).to_string())?;
    own.write("README.md", &format!("The program `griot` for {os}-{cpu}. Install the package `griot`.\n"))?;
    own.pack(folder)?;

    let main = Staged::new(folder, "griot")?;
    for part in ["bin", "dist"] {
        for file in files(&client.join(part))? {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            main.copy(&file, &format!("{part}/{name}"))?;
        }
    }
    main.copy(&client.join("README.md"), "README.md")?;
    main.copy(&root.join("LICENSE"), "LICENSE")?;
    main.write("package.json", &of_all(manifest).to_string())?;
    main.pack(folder)?;

    let test = ["--test", "--test-reporter=spec", "test/packages.mjs"];
    run(Command::new("node").args(test).current_dir(&client).env("GRIOT_PACKAGES", folder))
}

/// This platform, as Node names it.
fn platform() -> Result<(&'static str, &'static str), String> {
    let os = match std::env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        os => os,
    };
    let cpu = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        cpu => cpu,
    };
    let found = PLATFORMS.into_iter().find(|known| *known == (os, cpu));
    found.ok_or_else(|| format!("there is no package for {os}-{cpu}"))
}

/// The manifest of the package with the program.
fn of_platform(client: &Value, os: &str, cpu: &str, file: &str) -> Value {
    let name = format!("griot-{os}-{cpu}");
    let mut manifest = json!({
        "name": name,
        "version": client["version"],
        "description": format!("The program griot for {os}-{cpu}."),
        "license": client["license"],
        "private": true,
        "preferUnplugged": true,
        "os": [os],
        "cpu": [cpu],
        "files": [file],
        // Not `griot`, which the launcher of the main package is.
        "bin": { name.as_str(): file },
    });
    if os == "linux" {
        manifest["libc"] = json!(["glibc"]);
    }
    manifest
}

/// The manifest of the main package: that of the client, without what only its own tests need.
fn of_all(client: Value) -> Value {
    let version = client["version"].clone();
    let optional: Map<String, Value> =
        PLATFORMS.iter().map(|(os, cpu)| (format!("griot-{os}-{cpu}"), version.clone())).collect();
    let mut manifest = client;
    if let Some(manifest) = manifest.as_object_mut() {
        manifest.retain(|key, _| !matches!(key.as_str(), "scripts" | "devDependencies"));
        manifest.insert("optionalDependencies".to_string(), optional.into());
    }
    manifest
}

/// The folder of an npm package before it is packed.
struct Staged(PathBuf);

impl Staged {
    fn new(folder: &Path, name: &str) -> Result<Self, String> {
        let staged = folder.join("staged").join(name);
        empty(&staged)?;
        Ok(Self(staged))
    }

    fn write(&self, name: &str, text: &str) -> Result<(), String> {
        let path = self.0.join(name);
        fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
    }

    fn copy(&self, from: &Path, name: &str) -> Result<(), String> {
        let to = self.0.join(name);
        let copy = || {
            fs::create_dir_all(to.parent().unwrap_or(&self.0))?;
            fs::copy(from, &to).map(drop)
        };
        copy().map_err(|error| format!("cannot copy {} to {}: {error}", from.display(), to.display()))
    }

    fn pack(&self, folder: &Path) -> Result<(), String> {
        run(program::npm(&self.0).args(["pack", "--silent", "--pack-destination"]).arg(folder))
    }
}

fn empty(folder: &Path) -> Result<(), String> {
    let make = || {
        if folder.is_dir() {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir_all(folder)
    };
    make().map_err(|error: std::io::Error| format!("cannot empty {}: {error}", folder.display()))
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let cannot = |error| format!("cannot list {}: {error}", folder.display());
    let entries = fs::read_dir(folder).map_err(cannot)?;
    let mut files = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>();
    if let Ok(files) = &mut files {
        files.sort();
    }
    files.map_err(cannot)
}

/// The one file with this extension.
fn only(folder: &Path, extension: &str) -> Result<PathBuf, String> {
    let mut found = files(folder)?;
    found.retain(|path| path.extension().is_some_and(|found| found == extension));
    match found.len() {
        1 => Ok(found.remove(0)),
        count => Err(format!("{} has {count} files .{extension}, not one", folder.display())),
    }
}

fn read(path: &Path) -> Result<Value, String> {
    let text =
        fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// The search path with the programs of the environment first.
fn search_path(python: &Path) -> Result<OsString, String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let own = python.parent().map(Path::to_path_buf);
    std::env::join_paths(own.into_iter().chain(std::env::split_paths(&path)))
        .map_err(|error| format!("cannot extend the search path: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_main_package_names_every_platform_at_its_own_version() {
        let client = json!({"version": "1.2.3", "license": "L", "scripts": {}, "files": ["dist"],
                            "devDependencies": {"typescript": "7.0.2"}});
        let main = of_all(client.clone());
        assert_eq!(main["optionalDependencies"]["griot-darwin-arm64"], "1.2.3");
        assert_eq!(main["optionalDependencies"].as_object().map(Map::len), Some(PLATFORMS.len()));
        assert!(main["scripts"].is_null() && main["devDependencies"].is_null() && main["files"][0] == "dist");

        let windows = of_platform(&client, "win32", "x64", "griot.exe");
        assert_eq!((&windows["os"][0], &windows["cpu"][0]), (&json!("win32"), &json!("x64")));
        assert_eq!(windows["bin"]["griot-win32-x64"], "griot.exe");
        assert!(windows["libc"].is_null());
        assert_eq!(of_platform(&client, "linux", "x64", "griot")["libc"][0], "glibc");
    }
}

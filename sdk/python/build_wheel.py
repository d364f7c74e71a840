"""Builds the wheel: the package, the engine as a compiled module, and the program `griot` as a script.

maturin builds one of the last two; this backend builds the program first and lets maturin pack both.

Settings (`pip install . --config-settings KEY=VALUE`):

- `pure=1`: a wheel for any platform, without the engine and the program: the clients of a server alone
- `profile=dev`: Cargo's profile; default `release`
- `program=PATH`: the program `griot`, if it is built already
- `build-args=…`: further arguments of `maturin`, such as `--compatibility pypi`
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

OWN = Path(__file__).parent
ROOT = OWN.parent.parent
DATA = OWN / "griot.data"

Settings = Mapping[str, str] | None


def get_requires_for_build_wheel(settings: Settings = None) -> list[str]:
    return ["flit_core >=3.12,<5"] if _is_pure(settings) else ["maturin >=1.16,<2"]


def build_wheel(folder: str, settings: Settings = None, metadata: str | None = None) -> str:
    if _is_pure(settings):
        from flit_core import buildapi

        return str(buildapi.build_wheel(folder))

    import maturin

    settings = settings or {}
    profile = f"--profile={settings.get('profile', 'release')}"
    shutil.rmtree(DATA, ignore_errors=True)
    try:
        scripts = DATA / "scripts"
        scripts.mkdir(parents=True)
        shutil.copy(settings.get("program") or _program(profile), scripts)
        arguments = f"{profile} {settings.get('build-args', '')}".strip()
        return str(maturin.build_wheel(folder, {"build-args": arguments}))
    finally:
        shutil.rmtree(DATA, ignore_errors=True)


def _program(profile: str) -> Path:
    """Builds `griot`; Cargo says where it is."""
    command = ["cargo", "build", "--package=griot-cli", "--bin=griot", profile]
    command += ["--message-format=json-render-diagnostics"]
    printed = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    messages = [json.loads(line) for line in printed.splitlines()]
    return Path(next(message["executable"] for message in messages if message.get("executable")))


def _is_pure(settings: Settings) -> bool:
    return (settings or {}).get("pure", "") not in ("", "0")

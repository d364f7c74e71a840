"""The examples of the README and of the guide run, and print what they say."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import LONG, Server

ROOT = Path(__file__).parents[3]
PAGES = ("README.md", "docs/guides/install.md", "sdk/python/README.md")
NEEDS = {"Memory(": "griot._engine", "langchain": "langchain_core", "llama_index": "llama_index.core"}


def examples() -> list[tuple[str, str | None]]:
    """Each example with what is written below it, if anything is."""
    found = []
    for page in PAGES:
        blocks = re.findall(r"```(\w+)\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
        for (language, text), (next_language, printed) in zip(blocks, [*blocks[1:], ("", "")]):
            if language == "python":
                found.append((text, printed if next_language == "text" else None))
    return found


def is_installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


@pytest.mark.parametrize(("example", "expected"), examples())
def test_an_example_prints_what_is_said(
    example: str, expected: str | None, server: Server, tmp_path: Path
) -> None:
    for sign, module in NEEDS.items():
        if sign in example and not is_installed(module):
            pytest.skip(f"{module} is not installed")
    home = tmp_path / "home"
    done = subprocess.run(
        [sys.executable, "-"],
        input=example,
        env={**os.environ, "GRIOT_URL": server.url, "GRIOT_HOME": str(home)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=LONG,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert expected is None or done.stdout == expected
    assert done.stdout != ""


def test_there_are_examples_of_both_kinds() -> None:
    assert len([example for example, _ in examples() if "Memory(" in example]) == 5
    assert len([example for example, printed in examples() if "Memory(" not in example and printed]) == 2

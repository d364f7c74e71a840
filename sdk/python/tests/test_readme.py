"""The example of the README runs, and prints what it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from conftest import LONG, Server

README = Path(__file__).parents[1] / "README.md"


def test_the_example_prints_what_the_readme_says(server: Server, tmp_path: Path) -> None:
    blocks = re.findall(r"```(\w+)\n(.*?)```", README.read_text(), re.DOTALL)
    examples = [text for language, text in blocks if language == "python"]
    printed = [text for language, text in blocks if language == "text"]
    assert len(examples) == len(printed) == 2
    for example, expected in zip(examples, printed):
        done = subprocess.run(
            [sys.executable, "-"],
            input=example,
            env={**os.environ, "GRIOT_URL": server.url},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=LONG,
        )
        assert done.stderr == ""
        assert done.stdout == expected

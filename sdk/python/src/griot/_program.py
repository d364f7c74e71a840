"""Finds the program `griot` that this package installed."""

from __future__ import annotations

import os
from functools import cache
from importlib import metadata
from pathlib import Path

NAME = "griot.exe" if os.name == "nt" else "griot"


@cache
def program() -> Path | None:
    """`None` in packages without it. The folder of scripts differs between ways to install, so the list of
    installed files is asked.
    """
    try:
        files = metadata.files("griot") or []
    except metadata.PackageNotFoundError:
        return None
    for file in files:
        if file.name == NAME and file.parent.name in ("bin", "Scripts"):
            path = Path(str(file.locate())).resolve()
            if path.is_file():
                return path
    return None

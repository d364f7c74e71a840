"""`python -m griot`: the command line, also where the folder of scripts is not on the search path."""

from __future__ import annotations

import os
import subprocess
import sys

from ._program import program


def main() -> int:
    path = program()
    if path is None:
        print("error: cannot run griot: this package was installed without the program", file=sys.stderr)
        print("hint: install the wheel for your platform (docs/guides/install.md)", file=sys.stderr)
        return 2
    arguments = [str(path), *sys.argv[1:]]
    if os.name == "nt":
        return subprocess.call(arguments)
    os.execv(path, arguments)


if __name__ == "__main__":
    sys.exit(main())

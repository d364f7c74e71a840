"""Griot, a graph memory for AI agents.

`Memory` opens a workspace in this process. `Griot` asks a server, `AsyncGriot` does so asynchronously. All
have one method per verb, with the same parameters. Answers are plain dicts, typed in `griot.types`. Failures
raise the exceptions in `griot.errors`.
"""

from . import errors, types
from ._async import AsyncGriot
from ._blocking import Griot
from ._memory import Memory
from .errors import GriotError

__all__ = ["AsyncGriot", "Griot", "GriotError", "Memory", "errors", "types"]
__version__ = "0.1.0"

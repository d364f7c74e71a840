"""Client of Griot, a graph memory for AI agents.

`Griot` is blocking, `AsyncGriot` asynchronous; both have one method per verb of the server, with the same
parameters.
Answers are plain dicts, typed in `griot.types`. Failures raise the exceptions in `griot.errors`.
"""

from . import errors, types
from ._async import AsyncGriot
from ._blocking import Griot
from .errors import GriotError

__all__ = ["AsyncGriot", "Griot", "GriotError", "errors", "types"]
__version__ = "0.1.0"

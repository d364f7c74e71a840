"""The engine in this process: the verbs of the clients, without a server.

The compiled module takes and answers JSON; names, types and exceptions are made here, and are those of the
clients.
"""

from __future__ import annotations

import json
import os
import weakref
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from . import errors
from ._plan import body, given, refusal
from ._program import program
from ._verb import Verb
from ._verbs import Verbs


class Memory(Verbs):
    """A workspace, open in this process. Safe to share between threads, which run while a call works.

    `close` it, or use it in `with`; else it is closed when it is collected, or with the interpreter. Other
    processes may use the same workspace at the same time. Crawls run in the background while it is open.

    db: a database file, as `griot --db`; made if it does not exist
    workspace: a workspace, as `griot --workspace`; default the one that the command line uses here
    user, project: default scope of calls
    """

    def __init__(
        self,
        db: str | os.PathLike[str] | None = None,
        *,
        workspace: str | None = None,
        user: str | None = None,
        project: str | None = None,
    ) -> None:
        if db is not None and workspace is not None:
            raise errors.InvalidInput("open a memory", "give either a file or a workspace")
        try:
            from . import _engine
        except ImportError as error:
            raise errors.Unavailable(
                "open a memory in this process",
                f"this package was installed without the engine ({error})",
                "install the wheel for your platform, or ask a server: `griot.Griot()`",
            ) from error
        self._refused = _engine.Refused
        try:
            self._engine = _engine.Engine(None if db is None else os.fspath(db), workspace, program())
        except self._refused as error:
            raise refusal(json.loads(error.args[0])) from None
        self._close = weakref.finalize(self, self._engine.close)
        self._scope = {"user": user, "project": project}
        self._process = os.getpid()

    def __enter__(self) -> Memory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends background work, waits for its current step, and closes the files. Later calls fail."""
        if self._process == os.getpid():
            self._close()

    def _ask(self, verb: Verb, arguments: Mapping[str, Any], timeout: float | None) -> Any:
        if timeout is not None:
            why = "a call in this process has no time limit"
            raise errors.InvalidInput(f"ask for `{verb.name}`", why, "leave `timeout` out")
        if self._process != os.getpid():
            # Locks and connections of the parent are copies here, and threads are missing.
            why = "this process was forked after the memory was opened"
            raise errors.InvalidInput(f"ask for `{verb.name}`", why, "open it in each process")
        request = given(arguments, self._scope)
        workspace = request.pop("workspace", None)
        if workspace is not None:
            request["scope"] = {"tenantId": workspace}
        try:
            return json.loads(self._engine.ask(_operation(verb), body(request)))
        except self._refused as error:
            raise refusal(json.loads(error.args[0])) from None


def _operation(verb: Verb) -> str:
    """`rememberMany` for `remember_many`."""
    first, *rest = verb.name.split("_")
    return first + "".join(word.capitalize() for word in rest)

"""What do the bytes of a stream say? Server-sent events and JSON Lines, both as lines of UTF-8."""

from __future__ import annotations

import random
import time
from typing import Any

from . import errors
from ._plan import Request, item

QUIET = 45.0
"""Seconds of silence after which a stream is taken for dead; the server says something every 15."""


class Lines:
    """Whole lines out of pieces."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, piece: bytes) -> list[str]:
        *lines, self._rest = (self._rest + piece).split(b"\n")
        return [line.removesuffix(b"\r").decode("utf-8", "replace") for line in lines]


class Events:
    """Events out of pieces."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._lines = Lines()
        self._data: list[str] = []
        self._id: str | None = None

    def feed(self, piece: bytes) -> list[tuple[str | None, Any]]:
        """Ids with what was told; an id alone only says where to go on."""
        found: list[tuple[str | None, Any]] = []
        for line in self._lines.feed(piece):
            if not line:
                if self._data:
                    found.append((self._id, item(self._request, "\n".join(self._data))))
                elif self._id is not None:
                    found.append((self._id, None))
                self._data, self._id = [], None
                continue
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "data":
                self._data.append(value)
            elif name == "id":
                self._id = value
        return found


class Patience:
    """How long a stream of events may be away before its reader is told."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._away_since: float | None = None
        self._tries = 0

    def connected(self) -> None:
        """The server is there; one that ends each stream at once is still asked less and less often."""
        self._away_since = None

    def received(self) -> None:
        self._tries = 0

    def pause(self, failure: errors.GriotError) -> float:
        """Seconds to the next try; raises the failure where no try makes sense."""
        passing = (errors.Unavailable, errors.Conflict, errors.RateLimited, errors.TimedOut, errors.Interrupted)
        now = time.monotonic()
        if self._away_since is None:
            self._away_since = now
        pause = failure.retry_after or min(0.05 * 2**self._tries, 5.0) * random.uniform(0.5, 1.5)
        self._tries += 1
        if not isinstance(failure, passing) or now + pause - self._away_since > self._seconds:
            raise failure
        return pause

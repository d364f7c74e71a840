"""Parses streams: server-sent events and JSON Lines."""

from __future__ import annotations

import random
import time
from typing import Any

from . import errors
from ._plan import Request, item

QUIET = 45.0
"""Seconds of silence after which a stream counts as dead; the server sends a comment every 15."""


class Lines:
    """Splits chunks of bytes into lines."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, chunk: bytes) -> list[str]:
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        return [line.removesuffix(b"\r").decode("utf-8", "replace") for line in lines]


class Events:
    """Parses chunks of bytes into events."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._lines = Lines()
        self._data: list[str] = []
        self._id: str | None = None

    def feed(self, chunk: bytes) -> list[tuple[str | None, Any]]:
        """Pairs of id and data; an id without data only says where to resume."""
        found: list[tuple[str | None, Any]] = []
        for line in self._lines.feed(chunk):
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


class Reconnect:
    """Decides how long to keep reconnecting an event stream."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._down_since: float | None = None
        self._tries = 0

    def connected(self) -> None:
        """Connected. Does not reset the backoff, for servers that end each stream at once."""
        self._down_since = None

    def received(self) -> None:
        self._tries = 0

    def pause(self, failure: errors.GriotError) -> float:
        """Seconds to wait before reconnecting; raises the failure if that is pointless."""
        transient = (errors.Unavailable, errors.Conflict, errors.RateLimited, errors.TimedOut, errors.Interrupted)
        now = time.monotonic()
        if self._down_since is None:
            self._down_since = now
        pause = failure.retry_after or min(0.05 * 2**self._tries, 5.0) * random.uniform(0.5, 1.5)
        self._tries += 1
        if not isinstance(failure, transient) or now + pause - self._down_since > self._seconds:
            raise failure
        return pause

"""The client that blocks: sockets, a few of which are kept open."""

from __future__ import annotations

import select
import socket
import ssl
import time
from collections import deque
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any

from . import errors, types
from ._events import QUIET, Events, Lines, Patience
from ._http import Answer
from ._plan import Deadline, Plan, Request, item
from ._verb import Verb
from ._verbs import EVENTS, EXPORT, Verbs

_PIECE = 64 * 1024
_IDLE = 8
"""Connections that are kept for the next calls."""


class _Connection:
    """One socket, whose every wait ends at a deadline."""

    def __init__(self, plan: Plan, tls: ssl.SSLContext | None, deadline: Deadline) -> None:
        address = plan.address
        self.socket: socket.socket = socket.create_connection((address.host, address.port), _left(deadline))
        try:
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if tls is not None:
                self.socket = tls.wrap_socket(self.socket, server_hostname=address.host)
        except BaseException:
            self.socket.close()
            raise

    def send(self, data: bytes, deadline: Deadline) -> None:
        self.socket.settimeout(_left(deadline))
        self.socket.sendall(data)

    def receive(self, deadline: Deadline) -> bytes:
        self.socket.settimeout(_left(deadline))
        return self.socket.recv(_PIECE)

    @property
    def is_alive(self) -> bool:
        """Nothing arrived that nobody asked for: neither an end nor bytes."""
        try:
            if hasattr(select, "poll"):
                poll = select.poll()
                poll.register(self.socket, select.POLLIN)
                return not poll.poll(0)
            return not select.select([self.socket], [], [], 0)[0]
        except (OSError, ValueError):
            return False

    def close(self) -> None:
        self.socket.close()


def _left(deadline: Deadline) -> float:
    left = deadline.left
    if left <= 0:
        raise TimeoutError("it took too long")
    return left


class Griot(Verbs):
    """A client that blocks. May be shared by threads; `close` it, or use it in `with`.

    url: where the server is; default GRIOT_URL, else http://127.0.0.1:4747
    api_key: a key of `griot key create`; default GRIOT_API_KEY. Not needed on the server's machine while it has none.
    workspace, user, project: the scope of calls that name none
    timeout: seconds for a whole call, other tries included
    retries: further tries where it is safe: what only reads, and what was refused as `conflict`, `unavailable` or
        `rate_limited`, or never arrived
    tls: for https, what to trust; default what Python trusts
    """

    def __init__(
        self,
        url: str | None = None,
        api_key: str | None = None,
        *,
        workspace: str | None = None,
        user: str | None = None,
        project: str | None = None,
        timeout: float = 30.0,
        retries: int = 2,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._plan = Plan(url, api_key, workspace, user, project, timeout, retries)
        self._tls = (tls or ssl.create_default_context()) if self._plan.address.is_tls else None
        self._idle: deque[_Connection] = deque()
        self._is_closed = False

    def __enter__(self) -> Griot:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes what is kept open. Calls after that work, but keep nothing."""
        self._is_closed = True
        while self._idle:
            self._idle.pop().close()

    def events(
        self,
        *,
        after: int | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        patience: float = 60.0,
    ) -> Iterator[types.Changed]:
        """Changes as they are committed, without end.

        A connection that breaks is made again and goes on after the last change that was handed on.

        after: the revision after which to begin; default what comes from the first step of the iteration on
        patience: seconds that the server may be away before the iteration raises
        """
        scope = {"user": user, "project": project, "workspace": workspace}
        last = None if after is None else str(after)
        waiting = Patience(patience)
        while True:
            request = self._plan.request(EVENTS, scope, last)
            try:
                events = Events(request)
                for piece in self._stream(request, "text/event-stream"):
                    waiting.connected()
                    for event_id, change in events.feed(piece):
                        last = event_id or last
                        if change is not None:
                            waiting.received()
                            yield change
                pause = waiting.pause(self._plan.interrupted(request, EOFError("the server ended it")))
            except errors.GriotError as failure:
                pause = waiting.pause(failure)
            time.sleep(pause)

    def export(self, *, workspace: str | None = None, timeout: float | None = None) -> Iterator[dict[str, Any]]:
        """The workspace, one record after the other. Raises `Interrupted` if it breaks off.

        timeout: seconds until it begins
        """
        request = self._plan.request(EXPORT, {"workspace": workspace, "user": None, "project": None})
        lines, last = Lines(), None
        for piece in self._stream(request, "application/x-ndjson", timeout):
            for line in lines.feed(piece):
                if line:
                    last = item(request, line)
                    yield last
        self._plan.check_end(request, last)

    def _ask(self, verb: Verb, arguments: Mapping[str, Any], timeout: float | None) -> Any:
        deadline = Deadline.after(self._plan.timeout if timeout is None else timeout)
        request = self._plan.request(verb, arguments)
        attempt = 0
        while True:
            try:
                answer, body = self._exchange(request, deadline)
                return self._plan.meaning(request, answer.status, answer.headers, body)
            except errors.GriotError as failure:
                pause = self._plan.pause(verb, failure, attempt, deadline)
                if pause is None:
                    raise
            time.sleep(pause)
            attempt += 1

    def _exchange(self, request: Request, deadline: Deadline) -> tuple[Answer, bytes]:
        answer, body = Answer(), bytearray()
        connection, begun = self._begin(request, answer, deadline)
        body += begun
        try:
            while not answer.is_done:
                body += answer.feed(connection.receive(deadline))
        except (OSError, EOFError, ValueError) as cause:
            connection.close()
            raise self._plan.broken(request, cause, True, deadline) from cause
        except BaseException:
            connection.close()
            raise
        if answer.keeps_alive and not self._is_closed and len(self._idle) < _IDLE:
            self._idle.append(connection)
        else:
            connection.close()
        return answer, bytes(body)

    def _begin(self, request: Request, answer: Answer, deadline: Deadline) -> tuple[_Connection, bytes]:
        """Sends, and reads up to the end of the head; what of the body came with it is given back."""
        connection, is_sent = None, False
        try:
            connection = self._connection(deadline)
            is_sent = True
            connection.send(request.head_and_body, deadline)
            body = b""
            while not answer.has_head:
                body += answer.feed(connection.receive(deadline))
            return connection, body
        except (OSError, EOFError, ValueError) as cause:
            if connection is not None:
                connection.close()
            raise self._plan.broken(request, cause, is_sent, deadline) from cause
        except BaseException:
            if connection is not None:
                connection.close()
            raise

    def _connection(self, deadline: Deadline) -> _Connection:
        while self._idle:
            try:
                connection = self._idle.pop()
            except IndexError:
                break
            if connection.is_alive:
                return connection
            connection.close()
        return _Connection(self._plan, self._tls, deadline)

    def _stream(self, request: Request, kind: str, timeout: float | None = None) -> Iterator[bytes]:
        deadline = Deadline.after(self._plan.timeout if timeout is None else timeout)
        answer = Answer()
        connection, piece = self._begin(request, answer, deadline)
        try:
            while answer.status != 200 and not answer.is_done:
                piece += answer.feed(connection.receive(deadline))
            self._plan.check_stream(request, answer.status, answer.headers, piece, kind)
            yield piece
            while not answer.is_done:
                yield answer.feed(connection.receive(Deadline.after(QUIET)))
        except (OSError, EOFError, ValueError) as cause:
            raise self._plan.interrupted(request, cause) from cause
        finally:
            connection.close()

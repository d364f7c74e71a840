"""The blocking client, with a few idle connections."""

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
from ._events import QUIET, Events, Lines, Reconnect
from ._http import Answer
from ._plan import Deadline, Plan, Request, item
from ._verb import Verb
from ._verbs import EVENTS, EXPORT, ServerVerbs

_CHUNK = 64 * 1024
_IDLE = 8
"""Idle connections to keep for further calls."""


class _Connection:
    """A socket on which every operation has a deadline."""

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
        return self.socket.recv(_CHUNK)

    @property
    def is_alive(self) -> bool:
        """Whether it is open and idle: neither closed by the server nor holding unread bytes."""
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


class Griot(ServerVerbs):
    """A blocking client, safe to share between threads. `close` it, or use it in `with`.

    url: address of the server; default GRIOT_URL, else http://127.0.0.1:4747
    api_key: a key from `griot key create`; default GRIOT_API_KEY. Not needed on the server's machine while it
    has no keys.
    workspace, user, project: default scope of calls
    timeout: seconds for a whole call, retries included
    retries: retries where that is safe: of reads, and of writes that were refused as `conflict`,
    `unavailable` or
        `rate_limited` or never arrived
    tls: certificates to trust; default those that Python trusts
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
        """Closes idle connections. Later calls still work, each on a connection of its own."""
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
        """Yields changes as they are committed, without end.

        Reconnects after a broken connection and resumes after the last change that it yielded.

        after: yield changes after this revision; by default those after the iteration starts
        patience: seconds that the server may be unreachable before the iteration raises
        """
        scope = {"user": user, "project": project, "workspace": workspace}
        last = None if after is None else str(after)
        reconnect = Reconnect(patience)
        while True:
            request = self._plan.request(EVENTS, scope, last)
            try:
                events = Events(request)
                for chunk in self._stream(request, "text/event-stream"):
                    reconnect.connected()
                    for event_id, change in events.feed(chunk):
                        last = event_id or last
                        if change is not None:
                            reconnect.received()
                            yield change
                pause = reconnect.pause(self._plan.interrupted(request, EOFError("the server ended it")))
            except errors.GriotError as failure:
                pause = reconnect.pause(failure)
            time.sleep(pause)

    def export(self, *, workspace: str | None = None, timeout: float | None = None) -> Iterator[dict[str, Any]]:
        """Yields the records of the workspace. Raises `Interrupted` if the connection breaks.

        timeout: seconds until the first record
        """
        request = self._plan.request(EXPORT, {"workspace": workspace, "user": None, "project": None})
        lines, last = Lines(), None
        for chunk in self._stream(request, "application/x-ndjson", timeout):
            for line in lines.feed(chunk):
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
        """Sends the request and reads the response head; returns the part of the body that came with it."""
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
        connection, chunk = self._begin(request, answer, deadline)
        try:
            while answer.status != 200 and not answer.is_done:
                chunk += answer.feed(connection.receive(deadline))
            self._plan.check_stream(request, answer.status, answer.headers, chunk, kind)
            yield chunk
            while not answer.is_done:
                yield answer.feed(connection.receive(Deadline.after(QUIET)))
        except (OSError, EOFError, ValueError) as cause:
            raise self._plan.interrupted(request, cause) from cause
        finally:
            connection.close()

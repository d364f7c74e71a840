"""The asynchronous client, with a few idle connections.

Built on asyncio streams instead of a thread per call: cancelling a call ends it, and an event stream costs no
thread.
"""

from __future__ import annotations

import asyncio
import ssl
from collections import deque
from collections.abc import AsyncGenerator, Coroutine, Mapping
from contextlib import aclosing
from types import TracebackType
from typing import Any, TypeVar

from . import errors, types
from ._events import QUIET, Events, Lines, Reconnect
from ._http import Answer
from ._plan import Deadline, Plan, Request, item
from ._verb import Verb
from ._verbs import EVENTS, EXPORT, AsyncServerVerbs

T = TypeVar("T")

_CHUNK = 64 * 1024
_IDLE = 8
"""Idle connections to keep for further calls."""


class _Connection:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._loop = asyncio.get_running_loop()

    @classmethod
    async def open(cls, plan: Plan, tls: ssl.SSLContext | None, deadline: Deadline) -> _Connection:
        address = plan.address
        opening = asyncio.open_connection(address.host, address.port, ssl=tls)
        return cls(*await _within(deadline, opening))

    async def send(self, data: bytes, deadline: Deadline) -> None:
        self._writer.write(data)
        await _within(deadline, self._writer.drain())

    async def receive(self, deadline: Deadline) -> bytes:
        return await _within(deadline, self._reader.read(_CHUNK))

    @property
    def is_alive(self) -> bool:
        """Whether it belongs to this event loop and is still open."""
        is_own = self._loop is asyncio.get_running_loop()
        return is_own and not self._reader.at_eof() and not self._writer.is_closing()

    def close(self) -> None:
        # Abort, because a graceful close would have to be awaited. A closed loop has closed its transports
        # already.
        if not self._loop.is_closed():
            self._writer.transport.abort()


async def _within(deadline: Deadline, work: Coroutine[Any, Any, T]) -> T:
    """Awaits with a deadline. Before Python 3.12, `wait_for` loses a cancellation that arrives as the work ends."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait({task}, timeout=max(deadline.left, 0))
        if not task.done():
            raise TimeoutError("it took too long")
        return task.result()
    finally:
        task.cancel()


class AsyncGriot(AsyncServerVerbs):
    """An asynchronous client. `await close()` it, or use it in `async with`.

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

    async def __aenter__(self) -> AsyncGriot:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes idle connections. Later calls still work, each on a connection of its own."""
        self._is_closed = True
        while self._idle:
            self._idle.pop().close()
        # Transports close in the next iteration of the loop.
        await asyncio.sleep(0)

    async def events(
        self,
        *,
        after: int | None = None,
        user: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        patience: float = 60.0,
    ) -> AsyncGenerator[types.Changed, None]:
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
                async with aclosing(self._stream(request, "text/event-stream")) as chunks:
                    async for chunk in chunks:
                        reconnect.connected()
                        for event_id, change in events.feed(chunk):
                            last = event_id or last
                            if change is not None:
                                reconnect.received()
                                yield change
                pause = reconnect.pause(self._plan.interrupted(request, EOFError("the server ended it")))
            except errors.GriotError as failure:
                pause = reconnect.pause(failure)
            await asyncio.sleep(pause)

    async def export(
        self, *, workspace: str | None = None, timeout: float | None = None
    ) -> AsyncGenerator[dict[str, Any], None]:
        """Yields the records of the workspace. Raises `Interrupted` if the connection breaks.

        timeout: seconds until the first record
        """
        request = self._plan.request(EXPORT, {"workspace": workspace, "user": None, "project": None})
        lines, last = Lines(), None
        async with aclosing(self._stream(request, "application/x-ndjson", timeout)) as chunks:
            async for chunk in chunks:
                for line in lines.feed(chunk):
                    if line:
                        last = item(request, line)
                        yield last
        self._plan.check_end(request, last)

    async def _ask(self, verb: Verb, arguments: Mapping[str, Any], timeout: float | None) -> Any:
        deadline = Deadline.after(self._plan.timeout if timeout is None else timeout)
        request = self._plan.request(verb, arguments)
        attempt = 0
        while True:
            try:
                answer, body = await self._exchange(request, deadline)
                return self._plan.meaning(request, answer.status, answer.headers, body)
            except errors.GriotError as failure:
                pause = self._plan.pause(verb, failure, attempt, deadline)
                if pause is None:
                    raise
            await asyncio.sleep(pause)
            attempt += 1

    async def _exchange(self, request: Request, deadline: Deadline) -> tuple[Answer, bytes]:
        answer, body = Answer(), bytearray()
        connection, begun = await self._begin(request, answer, deadline)
        body += begun
        try:
            while not answer.is_done:
                body += answer.feed(await connection.receive(deadline))
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

    async def _begin(self, request: Request, answer: Answer, deadline: Deadline) -> tuple[_Connection, bytes]:
        """Sends the request and reads the response head; returns the part of the body that came with it."""
        connection, is_sent = None, False
        try:
            connection = await self._connection(deadline)
            is_sent = True
            await connection.send(request.head_and_body, deadline)
            body = b""
            while not answer.has_head:
                body += answer.feed(await connection.receive(deadline))
            return connection, body
        except (OSError, EOFError, ValueError) as cause:
            if connection is not None:
                connection.close()
            raise self._plan.broken(request, cause, is_sent, deadline) from cause
        except BaseException:
            if connection is not None:
                connection.close()
            raise

    async def _connection(self, deadline: Deadline) -> _Connection:
        while self._idle:
            connection = self._idle.pop()
            if connection.is_alive:
                return connection
            connection.close()
        return await _Connection.open(self._plan, self._tls, deadline)

    async def _stream(self, request: Request, kind: str, timeout: float | None = None) -> AsyncGenerator[bytes, None]:
        deadline = Deadline.after(self._plan.timeout if timeout is None else timeout)
        answer = Answer()
        connection, chunk = await self._begin(request, answer, deadline)
        try:
            while answer.status != 200 and not answer.is_done:
                chunk += answer.feed(await connection.receive(deadline))
            self._plan.check_stream(request, answer.status, answer.headers, chunk, kind)
            yield chunk
            while not answer.is_done:
                yield answer.feed(await connection.receive(Deadline.after(QUIET)))
        except (OSError, EOFError, ValueError) as cause:
            raise self._plan.interrupted(request, cause) from cause
        finally:
            connection.close()

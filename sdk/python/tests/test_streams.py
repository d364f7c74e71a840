"""Event streams and exports: reconnecting, resuming, ending."""

from __future__ import annotations

import json
import socket
import threading
from typing import Callable

import pytest
from conftest import LONG, Act, Reader, Script, Server, hangs_up, refuses, says

from griot import Griot, errors
from griot._verbs import EVENTS

Read = Callable[..., Reader]
Scripted = Callable[..., Script]


def sends_events(*revisions: int, hello: int | None = None) -> Act:
    """An event stream that breaks off after these revisions."""

    def act(connection: socket.socket) -> None:
        text = "" if hello is None else f": hello\nid: {hello}\n\n"
        for revision in revisions:
            text += f'id: {revision}\nevent: change\ndata: {{"revision": {revision}}}\n\n'
        # The last event is truncated, so it must be ignored.
        text += 'id: 99\ndata: {"revis'
        data = text.encode()
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        connection.sendall(head + f"{len(data):x}\r\n".encode() + data + b"\r\n")

    return act


def last_ids(script: Script) -> list[str | None]:
    found = []
    for request in script.requests:
        lines = [line for line in request.split("\r\n") if line.startswith("Last-Event-ID: ")]
        found.append(lines[0].partition(": ")[2] if lines else None)
    return found


def test_events_follow_what_is_committed(server: Server, read: Read) -> None:
    with Griot(server.url) as griot:
        first = griot.remember("one")
        changes = read(server.url, "events", after=0)
        change = changes.next()
        assert change["memories"] == [first["id"]]
        second = griot.remember("two")
        later = changes.next()
        assert later["memories"] == [second["id"]] and later["revision"] > change["revision"]


def test_no_change_is_missed_or_repeated_when_the_server_is_killed(server: Server, read: Read) -> None:
    with Griot(server.url) as griot:
        changes = read(server.url, "events", after=0)
        raised = []
        for round_ in range(3):
            before = [griot.remember(f"before {round_}, {number}")["id"] for number in range(2)]
            raised += [changes.next()["memories"] for _ in before]
            server.stop()
            server.start(server.listen)
        after = griot.remember("after")["id"]
        assert changes.next()["memories"] == [after]
        assert len(raised) == 6


def test_a_broken_stream_resumes_after_the_last_event(script: Scripted, read: Read) -> None:
    server = script(sends_events(4, 5), hangs_up, refuses("unavailable", "503 x"), sends_events(6), sends_events(7))
    changes = read(server.url, "events")
    assert [changes.next()["revision"] for _ in range(4)] == [4, 5, 6, 7]
    assert last_ids(server)[:5] == [None, "5", "5", "5", "6"]


def test_a_stream_that_breaks_before_the_first_event_misses_none(script: Scripted, read: Read) -> None:
    server = script(sends_events(hello=3), sends_events(4))
    changes = read(server.url, "events")
    assert changes.next()["revision"] == 4
    assert last_ids(server)[:2] == [None, "3"]


def test_the_server_says_where_a_stream_starts(server: Server) -> None:
    with Griot(server.url) as griot:
        griot.remember("one")
        revision = griot.status()["revision"]
        request = griot._plan.request(EVENTS, {})
        pieces = griot._stream(request, "text/event-stream")
        hello = next(pieces) or next(pieces)
        pieces.close()  # type: ignore[attr-defined]
        assert f"id: {revision}\n".encode() in hello


def test_a_silent_stream_counts_as_dead(
    script: Scripted, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("griot._blocking.QUIET", 0.2)
    monkeypatch.setattr("griot._async.QUIET", 0.2)
    over = threading.Event()

    def falls_silent(connection: socket.socket) -> None:
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
        connection.sendall(head + b'id: 1\ndata: {"revision": 1}\n\n')
        over.wait(LONG)

    server = script(falls_silent, sends_events(2))
    changes = read(server.url, "events")
    assert [changes.next()["revision"] for _ in range(2)] == [1, 2]
    over.set()
    assert last_ids(server)[:2] == [None, "1"]


def test_patience_ends(script: Scripted, read: Read) -> None:
    gone = script(refuses("unavailable", "503 x"))
    with pytest.raises(errors.Unavailable):
        read(gone.url, "events", patience=0.3).next()
    assert len(gone.requests) > 1


@pytest.mark.parametrize(
    ("act", "kind"),
    [
        (refuses("unauthenticated", "401 x"), errors.Unauthenticated),
        (refuses("invalid_input", "400 x"), errors.InvalidInput),
        (says("200 OK", "data: {no json\n\n", kind="text/event-stream"), errors.BadAnswer),
        (says("200 OK", "{}"), errors.BadAnswer),
    ],
)
def test_permanent_failures_are_raised_at_once(
    script: Scripted, read: Read, act: Act, kind: type[errors.GriotError]
) -> None:
    server = script(act)
    with pytest.raises(kind):
        read(server.url, "events").next()
    assert len(server.requests) == 1


def test_a_revoked_key_ends_a_stream(server: Server, read: Read) -> None:
    raised = server.run("key", "create", "--workspace", "default", "--role", "write")
    key = next(word for word in raised.split() if word.startswith("griot_"))
    changes = read(server.url, "events", settings={"api_key": key}, after=0)
    with Griot(server.url, key) as griot:
        griot.remember("one")
    assert changes.next()["revision"] == 1
    listed = server.run("key", "list", "--json")
    server.run("key", "revoke", json.loads(listed)[0]["id"])
    with pytest.raises(errors.Unauthenticated):
        changes.next()


def test_an_export_is_everything(server: Server, read: Read) -> None:
    with Griot(server.url) as griot:
        griot.remember_many([{"text": f"Memory number {number} is here"} for number in range(300)])
    records = read(server.url, "export").rest()
    texts = [record for record in records if "Memory number" in str(record)]
    assert len(texts) == 300


def test_a_truncated_export_is_an_error(script: Scripted, read: Read) -> None:
    def act(connection: socket.socket) -> None:
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n"
        connection.sendall(head + b'A\r\n{"a": 1}\n{\r\n')

    ends_early = says("200 OK", '{"a": 1}\n', kind="application/x-ndjson")
    for one in (act, ends_early):
        records = read(script(one).url, "export")
        assert records.next() == {"a": 1}
        with pytest.raises(errors.Interrupted):
            records.next()

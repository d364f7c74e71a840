"""Failures, each with the blocking and the asynchronous client."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from typing import Any, Callable

import pytest
from conftest import Ask, Script, Server, hangs_up, refuses, says

from griot import AsyncGriot, Griot, errors

Scripted = Callable[..., Script]
MEMORY = says("200 OK", '{"id": "x"}')


def test_no_server_listens(ask: Ask) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(errors.Unreachable) as raised:
        ask(url, "remember", "x")
    failure = raised.value
    assert isinstance(failure, errors.Unavailable) and not failure.may_have_arrived
    assert str(failure).startswith(f"cannot ask the server to remember: {url} does not answer: ")
    assert failure.hint == "start a server with griot serve, or set GRIOT_URL to its address"


def test_a_server_that_comes_up_in_time_is_reached(server: Server, ask: Ask) -> None:
    server.stop()
    starting = threading.Timer(0.3, server.start, [server.listen])
    starting.start()
    try:
        # 12 retries take longer than a start.
        assert ask(server.url, "remember", "x", settings={"retries": 12, "timeout": 60})["action"] == "added"
    finally:
        starting.join()


def test_a_key_is_required_and_needs_the_right_role(server: Server, ask: Ask) -> None:
    read_only = server.run("key", "create", "--workspace", "default", "--role", "read")
    key = next(word for word in read_only.split() if word.startswith("griot_"))
    for wrong in [{}, {"api_key": "griot_wrong"}]:
        with pytest.raises(errors.Unauthenticated) as raised:
            ask(server.url, "status", settings=wrong)
        assert raised.value.status == 401 and raised.value.request_id
        assert "griot_wrong" not in str(raised.value)
    assert ask(server.url, "status", settings={"api_key": key})["revision"] == 0
    with pytest.raises(errors.Forbidden):
        ask(server.url, "remember", "x", settings={"api_key": key})
    with pytest.raises(errors.Forbidden):
        ask(server.url, "status", workspace="other", settings={"api_key": key})


def test_url_and_key_come_from_the_environment(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    raised = server.run("key", "create", "--workspace", "default", "--role", "read")
    monkeypatch.setenv("GRIOT_API_KEY", next(word for word in raised.split() if word.startswith("griot_")))
    monkeypatch.setenv("GRIOT_URL", server.url)
    with Griot() as griot:
        assert griot.status()["revision"] == 0


def test_a_wrong_request_says_what_is_wrong(server: Server, ask: Ask) -> None:
    with pytest.raises(errors.InvalidInput) as raised:
        ask(server.url, "recall", "x", intent="whey")
    assert raised.value.hint == "use why, when, entity or general"
    assert (raised.value.kind, raised.value.status) == ("invalid_input", 400)
    with pytest.raises(errors.NotFound) as missing:
        ask(server.url, "show", "ffffff")
    assert missing.value.status == 404
    assert missing.value.candidates == ()
    with pytest.raises(errors.InvalidInput):
        ask(server.url, "recall", "x", limit="many")


def test_an_ambiguous_name_comes_with_candidates(server: Server, ask: Ask) -> None:
    for kind, text in [("tool", "Mercury keeps the queues."), ("person", "Mercury joined the team in May.")]:
        ask(server.url, "remember", text, entities=[f"Mercury:{kind}"])
    with pytest.raises(errors.InvalidInput) as raised:
        ask(server.url, "entity", "Mercury")
    assert sorted(one["id"] for one in raised.value.candidates) == ["person:mercury", "tool:mercury"]


def test_the_id_of_a_refusal_is_the_one_that_was_sent(script: Scripted, server: Server, ask: Ask) -> None:
    silent = script("silence")
    with pytest.raises(errors.TimedOut) as raised:
        ask(silent.url, "status", timeout=0.2)
    assert f"X-Request-Id: {raised.value.request_id}" in silent.requests[0]


@pytest.mark.parametrize(
    ("method", "arguments"),
    [
        ("remember", {"text": float("nan")}),
        ("remember", {"text": {1, 2}}),
        ("remember", {"text": "\ud800"}),
        ("show", {"name": ".."}),
        ("show", {"name": ""}),
        ("show", {"name": "\ud800"}),
        ("entities", {"search": "\ud800"}),
    ],
)
def test_invalid_arguments_are_not_sent(script: Scripted, ask: Ask, method: str, arguments: dict[str, Any]) -> None:
    nobody = script(MEMORY)
    with pytest.raises(errors.InvalidInput):
        ask(nobody.url, method, **arguments)
    assert nobody.requests == []


@pytest.mark.parametrize(
    "url", ["localhost:4747", "ftp://x", "http://", "http://a b", "http://x?y=1", "http://x:99999"]
)
def test_an_invalid_address_is_refused_at_once(url: str) -> None:
    for client in (Griot, AsyncGriot):
        with pytest.raises(errors.InvalidInput):
            client(url)


def test_a_key_cannot_smuggle_in_a_header() -> None:
    with pytest.raises(errors.InvalidInput) as raised:
        Griot(api_key="griot_secret\r\nX-Role: admin")
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("act", ["silence", "drip"])
def test_a_slow_server_costs_no_more_than_the_timeout(script: Scripted, ask: Ask, act: str) -> None:
    slow = script(act)
    start = time.monotonic()
    with pytest.raises(errors.TimedOut) as raised:
        ask(slow.url, "remember", "x", timeout=0.4)
    assert time.monotonic() - start < 5
    assert raised.value.why == "there was no answer within 0.4 s"
    assert "may have succeeded" in str(raised.value)
    assert len(slow.requests) == 1, "a write that may have arrived is not sent again"


def test_a_call_that_is_cancelled_ends(script: Scripted) -> None:
    slow = script("silence")

    async def run() -> None:
        async with AsyncGriot(slow.url) as griot:
            call = asyncio.create_task(griot.recall("x"))
            while not slow.requests:
                await asyncio.sleep(0)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call

    asyncio.run(run())


def test_reads_are_retried(script: Scripted, ask: Ask) -> None:
    shaky = script(hangs_up, refuses("unavailable", "503 x"), says("200 OK", '{"results": []}'))
    assert ask(shaky.url, "recall", "x") == {"results": []}
    assert len(shaky.requests) == 3
    ids = {line for request in shaky.requests for line in request.split("\r\n") if line.startswith("X-Request-Id")}
    assert len(ids) == 1, "tries of one call are one request in the log"


def test_a_write_is_retried_only_if_it_was_not_done(script: Scripted, ask: Ask) -> None:
    for kind, status in [("unavailable", "503 x"), ("conflict", "409 x"), ("rate_limited", "429 x")]:
        busy = script(refuses(kind, status), MEMORY)
        assert ask(busy.url, "remember", "x") == {"id": "x"}
    for act in [hangs_up, refuses("timed_out", "504 x"), says("502 x", "<html>", kind="text/html")]:
        broken = script(act, MEMORY)
        with pytest.raises(errors.GriotError) as raised:
            ask(broken.url, "remember", "x")
        assert len(broken.requests) == 1
        if isinstance(raised.value, errors.Unreachable):
            assert raised.value.may_have_arrived


def test_retries_are_limited(script: Scripted, ask: Ask) -> None:
    busy = script(refuses("conflict", "409 x"))
    with pytest.raises(errors.Conflict) as raised:
        ask(busy.url, "remember", "x", settings={"retries": 3})
    assert len(busy.requests) == 4
    assert (raised.value.what, raised.value.why, raised.value.hint, raised.value.request_id) == ("do it", "so", "help", "r1")


def test_a_retry_that_would_exceed_the_timeout_is_not_started(script: Scripted, ask: Ask) -> None:
    busy = script(refuses("rate_limited", "429 x", "Retry-After: 40"), MEMORY)
    start = time.monotonic()
    with pytest.raises(errors.RateLimited) as raised:
        ask(busy.url, "status")
    assert raised.value.retry_after == 40
    assert time.monotonic() - start < 5


@pytest.mark.parametrize(
    "act",
    [
        says("200 OK", "<html>"),
        says("404 Not Found", "<html>", kind="text/html"),
        says("500 x", '{"error": "no"}'),
        says("301 x", "", "Location: http://127.0.0.1:1/"),
        lambda connection: connection.sendall(b"SSH-2.0-OpenSSH_9.6\r\n\r\n"),
    ],
)
def test_another_server_is_recognised(script: Scripted, ask: Ask, act: Any) -> None:
    with pytest.raises(errors.BadAnswer):
        ask(script(act).url, "status")


def test_an_unknown_kind_is_a_griot_error(script: Scripted, ask: Ask) -> None:
    with pytest.raises(errors.GriotError) as raised:
        ask(script(refuses("too_late", "418 x")).url, "status")
    assert (raised.value.kind, raised.value.status) == ("too_late", 418)


def test_connections_are_kept_and_a_dead_one_is_not_used(server: Server) -> None:
    with Griot(server.url) as griot:
        griot.health()
        assert len(griot._idle) == 1
        server.stop()
        server.start(server.listen)
        # A write: it would not be retried if it had been sent over the dead connection.
        assert griot.remember("x")["action"] == "added"
    assert len(griot._idle) == 0


def test_a_client_outlives_its_loop(server: Server) -> None:
    griot = AsyncGriot(server.url)
    assert asyncio.run(griot.health()) == "ok\n"
    assert asyncio.run(griot.health()) == "ok\n"
    asyncio.run(griot.close())


def test_threads_share_a_client(server: Server) -> None:
    failures: list[Exception] = []

    def work(griot: Griot, number: int) -> None:
        try:
            for round_ in range(5):
                stored = griot.remember(f"Thread {number} was here, round {round_}")
                assert griot.show(stored["id"])["text"] == f"Thread {number} was here, round {round_}"
        except Exception as failure:
            failures.append(failure)

    with Griot(server.url) as griot:
        threads = [threading.Thread(target=work, args=(griot, number)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
        assert griot.status()["counts"]["memories"] == 30


def test_tasks_share_a_client(server: Server) -> None:
    async def run() -> int:
        async with AsyncGriot(server.url) as griot:
            await asyncio.gather(*(griot.remember(f"Task {number} was here") for number in range(20)))
            return (await griot.status())["counts"]["memories"]

    assert asyncio.run(run()) == 20

"""`griot.Memory`: every verb, the same answers as the program, errors, threads, processes."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from conftest import LONG, Run
from test_verbs import Asked, on_a_workspace

from griot import Memory, errors
from griot._memory import _operation
from griot._program import program
from griot._verbs import VERBS


def test_every_verb_works_and_answers_what_its_type_says(memory: Memory) -> None:
    asked = Asked(memory)
    asyncio.run(on_a_workspace(asked))
    assert asked.names == {verb.name for verb in VERBS if verb.role is not None} - {"export", "events", "graph"}


def test_answers_are_those_of_the_program(memory: Memory, griot: Run) -> None:
    memory.remember("Customers were logged out because the nightly Redis restart wiped their sessions")
    text = "We moved sessions to Postgres because customers were logged out"
    moved = memory.remember(text, kind="decision")
    griot("remember", "Ada owns the sessions")
    now = "2030-01-01T00:00:00Z"
    asked: Any = memory.recall("why did we move sessions to Postgres?", now=now)
    told = griot("recall", "why did we move sessions to Postgres?", "--now", now)
    assert asked == told and len(asked["results"]) == 3
    assert memory.why(moved["id"]) == griot("why", moved["id"])
    assert memory.entity("Redis") == griot("entity", "Redis")
    assert memory.timeline() == griot("timeline")
    assert memory.status()["counts"] == griot("status")["counts"]


def test_an_error_says_what_why_and_what_helps(memory: Memory) -> None:
    with pytest.raises(errors.NotFound) as none:
        memory.forget("nothing of this name")
    assert none.value.what == "find `nothing of this name`" and none.value.hint is not None
    with pytest.raises(errors.InvalidInput):
        memory.recall("  ")
    surrogate = "\ud800"
    with pytest.raises(errors.InvalidInput, match="cannot be written as JSON"):
        memory.remember(surrogate)
    with pytest.raises(errors.InvalidInput, match="no time limit"):
        memory.status(timeout=1)
    with pytest.raises(errors.NotFound, match="one database only"):
        memory.status(workspace="acme")


def test_a_missing_workspace_is_an_error_with_a_hint(database: Path) -> None:
    with pytest.raises(errors.NotFound) as none:
        Memory(workspace="acme")
    assert none.value.hint == "griot workspace create acme"
    with pytest.raises(errors.InvalidInput):
        Memory(database, workspace="acme")


def test_without_a_name_it_is_the_workspace_of_the_program(database: Path) -> None:
    binary = program()
    assert binary is not None
    subprocess.run([binary, "remember", "Ada likes tea"], check=True, timeout=LONG, capture_output=True)
    with Memory() as memory, Memory(workspace="default") as same:
        assert memory.status()["counts"] == same.status()["counts"]
        assert memory.status()["counts"]["memories"] == 1


def test_a_scope_is_that_of_the_memory_unless_the_call_names_one(database: Path) -> None:
    with Memory(database, user="ada", project="shop") as memory:
        mine = memory.show(memory.remember("Ada likes tea")["id"])
        assert (mine["user"], mine["project"]) == ("ada", "shop")
        assert memory.recall("tea", user="ben", no_floor=True)["results"] == []


def test_other_threads_run_while_it_works(memory: Memory) -> None:
    """A call that held the interpreter's lock would let the other thread run before and after it only."""
    lines = [
        json.dumps({"speaker": "Ada", "session": "s1", "text": text})
        for number in range(2000)
        for text in [f"Depot {number} of Nordlift opened because customers of depot {number + 1} waited"]
    ]
    ticks = 0
    has_begun, is_done = threading.Event(), threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not is_done.wait(0.001):
            ticks += 1
            has_begun.set()

    thread = threading.Thread(target=tick)
    thread.start()
    has_begun.wait(LONG)
    before = ticks
    memory.ingest(text="\n".join(lines), name="depots.chat.jsonl")
    during = ticks - before
    is_done.set()
    thread.join()
    assert during > 20


def test_threads_share_it(memory: Memory) -> None:
    with ThreadPoolExecutor(8) as pool:
        stored = list(pool.map(lambda number: memory.remember(f"Depot {number} opened"), range(40)))
        found = list(pool.map(lambda one: memory.show(one["id"])["text"], stored))
    assert found == [f"Depot {number} opened" for number in range(40)]
    assert memory.status()["counts"]["memories"] == 40


def test_a_closed_one_refuses(database: Path) -> None:
    with Memory(database) as memory:
        memory.remember("Ada likes tea")
    memory.close()
    with pytest.raises(errors.InvalidInput, match="the memory is closed"):
        memory.status()
    with Memory(database) as again:
        assert again.status()["counts"]["memories"] == 1


def test_an_interpreter_that_closes_nothing_ends_and_loses_nothing(database: Path, memory: Memory) -> None:
    code = f"import griot; memory = griot.Memory({str(database)!r}); memory.remember('Ada likes tea')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LONG)
    assert (done.returncode, done.stderr) == (0, "")
    assert memory.status()["counts"]["memories"] == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_is_told_to_open_its_own(memory: Memory) -> None:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            memory.status()
            why = "it was answered"
        except errors.InvalidInput as error:
            why = error.hint or ""
        os.write(writing, why.encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reading, 1000).decode() == "open it in each process"


def test_files_are_read_by_the_program_beside_it(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The engine accepts the program of the wheel, which says that both have one version."""
    page = "<html><body><h1>Depots</h1><p>Depot one opened in May, and Ada leads it.</p></body></html>"
    assert memory.ingest(text=page, name="depots.html")["added"] > 0
    monkeypatch.setenv("GRIOT_READER", "/nowhere/griot")
    code = "import griot; griot.Memory('other.db').ingest(text='<p>Ada leads it</p>', name='a.html')"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LONG, cwd=tmp_path)
    assert "cannot read files with the program `/nowhere/griot`" in done.stderr


def test_python_runs_the_program() -> None:
    command = [sys.executable, "-m", "griot", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LONG)
    assert done.stdout.startswith("griot ") and done.returncode == 0
    refused = subprocess.run([*command[:3], "nonsense"], capture_output=True, timeout=LONG)
    assert refused.returncode == 2


def test_operations_have_the_names_of_the_table() -> None:
    names = {_operation(verb) for verb in VERBS}
    assert {"recall", "rememberMany", "addFact", "acknowledgeWarning"} <= names

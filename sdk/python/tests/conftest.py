"""The real server, a scripted one, both clients behind one interface, and the engine in this process."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from griot import AsyncGriot, Griot, Memory
from griot._program import program

ROOT = Path(__file__).parents[3]
BINARY = Path(os.environ.get("GRIOT_BIN", ROOT / "target/debug/griot"))
LONG = 60.0
"""Seconds after which a test fails; generous, for busy machines."""


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("GRIOT_")]:
        monkeypatch.delenv(name)


class Server:
    """`griot serve` with a temporary home."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._process: subprocess.Popen[str] | None = None
        self.url = ""

    def _environment(self) -> dict[str, str]:
        return {**os.environ, "GRIOT_HOME": str(self._home), "NO_COLOR": "1"}

    def run(self, *arguments: str) -> str:
        done = subprocess.run(
            [BINARY, *arguments], env=self._environment(), capture_output=True, text=True, timeout=LONG
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start(self, listen: str = "127.0.0.1:0") -> None:
        with open(self._home / "server.log", "a") as log:
            self._process = subprocess.Popen(
                [BINARY, "serve", "--listen", listen],
                env=self._environment(),
                cwd=self._home,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if "http://" in line:
                self.url = line[line.index("http://") :].split()[0]
                return
        raise AssertionError((self._home / "server.log").read_text())

    def stop(self) -> None:
        if self._process is not None and self._process.stdout is not None:
            self._process.kill()
            self._process.wait()
            self._process.stdout.close()
            self._process = None

    @property
    def listen(self) -> str:
        return self.url.removeprefix("http://")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path)
    server.start()
    yield server
    server.stop()


Act = Callable[[socket.socket], None]


class Script:
    """A server that handles its first connection with the first act, and so on; the last act handles all further ones."""

    def __init__(self, *acts: Act) -> None:
        self.requests: list[str] = []
        """Received requests, head and body."""
        self._acts = acts
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._is_done = threading.Event()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        count = 0
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            act = self._acts[min(count, len(self._acts) - 1)]
            count += 1
            threading.Thread(target=self._treat, args=(connection, act), daemon=True).start()

    def _treat(self, connection: socket.socket, act: Act) -> None:
        with connection:
            data = b""
            while b"\r\n\r\n" not in data:
                piece = connection.recv(65536)
                if not piece:
                    return
                data += piece
            head, _, body = data.partition(b"\r\n\r\n")
            length = [line for line in head.decode().split("\r\n") if line.lower().startswith("content-length:")]
            while length and len(body) < int(length[0].split(":")[1]):
                body += connection.recv(65536)
            self.requests.append(f"{head.decode()}\r\n\r\n{body.decode()}")
            try:
                act(connection)
            except OSError:
                pass

    def silence(self, _: socket.socket) -> None:
        """Keeps the connection open without an answer until the test ends."""
        self._is_done.wait(LONG)

    def drip(self, connection: socket.socket) -> None:
        """Sends a byte now and then, without end."""
        connection.sendall(b"HTTP/1.1 200 OK\r\nX-Drip: ")
        while not self._is_done.wait(0.02):
            connection.sendall(b"x")

    def close(self) -> None:
        self._is_done.set()
        self._listener.close()


def says(status: str, body: str, *headers: str, kind: str = "application/json") -> Act:
    data = body.encode()
    head = "\r\n".join([f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(data)}", *headers])

    def act(connection: socket.socket) -> None:
        connection.sendall(head.encode() + b"\r\nConnection: close\r\n\r\n" + data)

    return act


def refuses(kind: str, status: str, *headers: str) -> Act:
    return says(
        status,
        f'{{"error": {{"kind": "{kind}", "what": "do it", "why": "so", "hint": "help", "request_id": "r1"}}}}',
        *headers,
    )


def hangs_up(connection: socket.socket) -> None:
    connection.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def script() -> Iterator[Callable[..., Script]]:
    made: list[Script] = []

    def make(*acts: Act | str) -> Script:
        found = Script.__new__(Script)
        named = [getattr(found, act) if isinstance(act, str) else act for act in acts]
        found.__init__(*named)  # type: ignore[misc]
        made.append(found)
        return found

    yield make
    for one in made:
        one.close()


Ask = Callable[..., Any]


@pytest.fixture(params=["blocking", "awaited"])
def ask(request: pytest.FixtureRequest) -> Ask:
    """`ask(url, method, *arguments, settings={}, **named)` with either client."""

    def blocking(url: str, method: str, *arguments: object, settings: Any = (), **named: object) -> Any:
        with Griot(url, **dict(settings)) as griot:
            return getattr(griot, method)(*arguments, **named)

    def awaited(url: str, method: str, *arguments: object, settings: Any = (), **named: object) -> Any:
        async def run() -> Any:
            async with AsyncGriot(url, **dict(settings)) as griot:
                return await getattr(griot, method)(*arguments, **named)

        return asyncio.run(run())

    return blocking if request.param == "blocking" else awaited


class Reader:
    """The items of a stream, read with either client."""

    def __init__(
        self, is_blocking: bool, url: str, method: str, named: dict[str, Any], settings: dict[str, Any]
    ) -> None:
        self._loop = None if is_blocking else asyncio.new_event_loop()
        if self._loop is None:
            self._griot: Any = Griot(url, **settings)
            self._items = getattr(self._griot, method)(**named)
        else:
            self._griot = AsyncGriot(url, **settings)
            self._items = getattr(self._griot, method)(**named)

    def next(self) -> Any:
        if self._loop is None:
            return next(self._items)
        return self._loop.run_until_complete(asyncio.wait_for(anext(self._items), LONG))

    def rest(self) -> list[Any]:
        items = []
        while True:
            try:
                items.append(self.next())
            except (StopIteration, StopAsyncIteration):
                return items

    def close(self) -> None:
        if self._loop is None:
            self._items.close()
            self._griot.close()
        else:
            self._loop.run_until_complete(self._items.aclose())
            self._loop.run_until_complete(self._griot.close())
            self._loop.close()


@pytest.fixture(params=["blocking", "awaited"])
def read(request: pytest.FixtureRequest) -> Iterator[Callable[..., Reader]]:
    """`read(url, method, settings={}, **named)`."""
    made: list[Reader] = []

    def make(url: str, method: str, settings: Any = (), **named: Any) -> Reader:
        made.append(Reader(request.param == "blocking", url, method, named, dict(settings)))
        return made[-1]

    yield make
    for one in made:
        one.close()


Run = Callable[..., Any]


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GRIOT_HOME", str(tmp_path))
    return tmp_path / "memory.db"


@pytest.fixture
def memory(database: Path) -> Iterator[Memory]:
    with Memory(database) as memory:
        yield memory


@pytest.fixture
def griot(database: Path) -> Run:
    """`griot(*arguments)`: what the installed program prints with `--json`."""

    def run(*arguments: str) -> Any:
        binary = program()
        assert binary is not None, "the wheel has no program"
        command = [str(binary), "--db", str(database), "--json", *arguments]
        done = subprocess.run(command, env=os.environ, capture_output=True, text=True, timeout=LONG)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run

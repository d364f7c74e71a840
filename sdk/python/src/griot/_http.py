"""A parser of HTTP/1.1 responses that does no I/O.

Both clients share it, so that they cannot disagree, and so that a timeout covers the whole call: Python's
`http.client` restarts its timeout with each read, and is not asynchronous.
"""

from __future__ import annotations

from collections.abc import Callable

MAX_HEAD = 64 * 1024
"""Maximum bytes of a head or of a chunk header."""


class MalformedResponse(ValueError):
    """Not an HTTP/1.1 response."""


class Answer:
    """One response, parsed incrementally; `feed` returns further bytes of the body."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.has_head = False
        self.is_done = False
        self.keeps_alive = True
        """Whether the connection can be reused after this response."""
        self._bytes = bytearray()
        self._left: int | None = 0
        """Remaining bytes of the body or of its chunk; `None` if the body ends with the connection."""
        self._step: Callable[[bytearray], bool] = self._head

    def feed(self, data: bytes) -> bytes:
        """Parses the next bytes; empty bytes mean that the connection was closed."""
        body = bytearray()
        if data:
            self._bytes += data
            while not self.is_done and self._step(body):
                pass
        elif self.has_head and self._left is None:
            self.is_done = True
        else:
            raise EOFError("the connection closed in the middle of a response" if self._bytes else "the connection closed")
        return bytes(body)

    def _line(self, end: bytes = b"\r\n") -> bytes | None:
        at = self._bytes.find(end)
        if at < 0:
            if len(self._bytes) > MAX_HEAD:
                raise MalformedResponse("the head is too long")
            return None
        line = bytes(self._bytes[:at])
        del self._bytes[: at + len(end)]
        return line

    def _head(self, _body: bytearray) -> bool:
        head = self._line(b"\r\n\r\n")
        if head is None:
            return False
        first, *lines = head.decode("latin-1").split("\r\n")
        version, _, rest = first.partition(" ")
        status = rest[:3]
        if not version.startswith("HTTP/1.") or not (status.isascii() and status.isdigit()):
            raise MalformedResponse("not HTTP/1.1")
        if status.startswith("1"):
            # An informational response; the final one follows.
            return True
        self.status = int(status)
        for header in lines:
            name, colon, value = header.partition(":")
            if not colon:
                raise MalformedResponse("a header has no name")
            self.headers[name.strip().lower()] = value.strip()
        self.has_head = True
        self.keeps_alive = version == "HTTP/1.1" and self.headers.get("connection", "").lower() != "close"
        self._frame()
        return True

    def _frame(self) -> None:
        """Decides how the end of the body is found."""
        length = self.headers.get("content-length")
        if self.status in (204, 304):
            self.is_done = True
        elif self.headers.get("transfer-encoding", "").lower().endswith("chunked"):
            self._step = self._size
        elif length is not None:
            if not (length.isascii() and length.isdigit()):
                raise MalformedResponse("Content-Length is not a number")
            self._left = int(length)
            self.is_done = self._left == 0
            self._step = self._plain
        else:
            self._left, self.keeps_alive = None, False
            self._step = self._plain

    def _take(self, body: bytearray) -> None:
        count = len(self._bytes) if self._left is None else min(self._left, len(self._bytes))
        body += self._bytes[:count]
        del self._bytes[:count]
        if self._left is not None:
            self._left -= count

    def _plain(self, body: bytearray) -> bool:
        self._take(body)
        self.is_done = self._left == 0
        return False

    def _size(self, _body: bytearray) -> bool:
        line = self._line()
        if line is None:
            return False
        try:
            self._left = int(line.partition(b";")[0].strip(), 16)
        except ValueError:
            raise MalformedResponse("a chunk size is not a number") from None
        if self._left < 0:
            raise MalformedResponse("a chunk size is negative")
        self._step = self._chunk if self._left else self._trailer
        return True

    def _chunk(self, body: bytearray) -> bool:
        self._take(body)
        if self._left:
            return False
        line = self._line()
        if line is None:
            return False
        if line:
            raise MalformedResponse("a chunk is longer than its size")
        self._step = self._size
        return True

    def _trailer(self, _body: bytearray) -> bool:
        line = self._line()
        if line is None:
            return False
        self.is_done = not line
        return True

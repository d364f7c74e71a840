"""What do the bytes of an HTTP/1.1 answer mean? No socket is known here, only bytes.

Both clients read with this, so that a blocking and an asynchronous call cannot understand an answer differently, and
so that the time allowed for a call is the time of the whole call (the `http.client` of Python counts it anew with each
piece that arrives, and has no asynchronous sibling).
"""

from __future__ import annotations

from collections.abc import Callable

MOST_HEAD = 64 * 1024
"""Bytes that a head or a line of the framing may have."""


class Garbled(ValueError):
    """It is no answer of HTTP/1.1."""


class Answer:
    """One answer, fed with what arrives; `feed` gives back what of the body became known."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.has_head = False
        self.is_done = False
        self.keeps_alive = True
        """The connection may carry another request once this answer is done."""
        self._bytes = bytearray()
        self._left: int | None = 0
        """Bytes of the body, or of its chunk, that are to come; `None`: until the connection ends."""
        self._step: Callable[[bytearray], bool] = self._head

    def feed(self, data: bytes) -> bytes:
        """Takes the next bytes; none at all stand for the end of the connection."""
        body = bytearray()
        if data:
            self._bytes += data
            while not self.is_done and self._step(body):
                pass
        elif self.has_head and self._left is None:
            self.is_done = True
        else:
            raise EOFError("the connection ended within an answer" if self._bytes else "the connection ended")
        return bytes(body)

    def _line(self, end: bytes = b"\r\n") -> bytes | None:
        at = self._bytes.find(end)
        if at < 0:
            if len(self._bytes) > MOST_HEAD:
                raise Garbled("its head has no end")
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
            raise Garbled("it is no HTTP/1.1")
        if status.startswith("1"):
            # Something said on the way; the answer follows.
            return True
        self.status = int(status)
        for header in lines:
            name, colon, value = header.partition(":")
            if not colon:
                raise Garbled("a header has no name")
            self.headers[name.strip().lower()] = value.strip()
        self.has_head = True
        self.keeps_alive = version == "HTTP/1.1" and self.headers.get("connection", "").lower() != "close"
        self._frame()
        return True

    def _frame(self) -> None:
        """Where the body ends."""
        length = self.headers.get("content-length")
        if self.status in (204, 304):
            self.is_done = True
        elif self.headers.get("transfer-encoding", "").lower().endswith("chunked"):
            self._step = self._size
        elif length is not None:
            if not (length.isascii() and length.isdigit()):
                raise Garbled("its length is no number")
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
            raise Garbled("the size of a chunk is no number") from None
        if self._left < 0:
            raise Garbled("the size of a chunk is below 0")
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
            raise Garbled("a chunk is longer than it says")
        self._step = self._size
        return True

    def _trailer(self, _body: bytearray) -> bool:
        line = self._line()
        if line is None:
            return False
        self.is_done = not line
        return True

"""The HTTP parser, fed in chunks of any size."""

from __future__ import annotations

import pytest

from griot._http import MAX_HEAD, Answer, MalformedResponse

CHUNKED = (
    b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"4;note=x\r\nWiki\r\n6\r\npedia \r\nE\r\nin \r\n\r\nchunks.\r\n0\r\nExpires: never\r\n\r\n"
)


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_chunk_boundaries_do_not_change_the_response(size: int) -> None:
    answer, body = Answer(), b""
    for at in range(0, len(CHUNKED), size):
        assert not answer.is_done
        body += answer.feed(CHUNKED[at : at + size])
    assert (answer.status, body) == (200, b"Wikipedia in \r\n\r\nchunks.")
    assert answer.is_done and answer.keeps_alive


def test_a_body_ends_by_its_length_or_with_the_connection() -> None:
    answer = Answer()
    assert answer.feed(b"HTTP/1.1 404 Not Found\r\nCONTENT-LENGTH: 3\r\n\r\nab") == b"ab"
    assert not answer.is_done
    assert answer.feed(b"c") == b"c"
    assert answer.is_done and answer.keeps_alive

    answer = Answer()
    assert answer.feed(b"HTTP/1.0 200 OK\r\n\r\nab") == b"ab"
    assert answer.feed(b"") == b""
    assert answer.is_done and not answer.keeps_alive

    answer = Answer()
    answer.feed(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
    assert answer.is_done and not answer.keeps_alive


@pytest.mark.parametrize("data", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc", CHUNKED[:-2]])
def test_a_truncated_response_is_an_error(data: bytes) -> None:
    answer = Answer()
    if data:
        answer.feed(data)
    with pytest.raises(EOFError):
        answer.feed(b"")


@pytest.mark.parametrize(
    "data",
    [
        b"SSH-2.0-OpenSSH_9.6\r\n\r\n",
        b"HTTP/1.1 abc OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n",
        b"x" * (MAX_HEAD + 1),
    ],
)
def test_anything_but_http_is_rejected(data: bytes) -> None:
    with pytest.raises(MalformedResponse):
        Answer().feed(data)

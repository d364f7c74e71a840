"""What bytes mean, however they are cut."""

from __future__ import annotations

import pytest

from griot._http import MOST_HEAD, Answer, Garbled

CHUNKED = (
    b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"4;note=x\r\nWiki\r\n6\r\npedia \r\nE\r\nin \r\n\r\nchunks.\r\n0\r\nExpires: never\r\n\r\n"
)


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_an_answer_is_the_same_however_it_is_cut(size: int) -> None:
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
def test_an_answer_that_breaks_off_is_not_taken_for_whole(data: bytes) -> None:
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
        b"x" * (MOST_HEAD + 1),
    ],
)
def test_what_is_no_http_is_said_to_be_none(data: bytes) -> None:
    with pytest.raises(Garbled):
        Answer().feed(data)

"""What is sent, what an answer means, and when to ask again. Decided here for both clients; they only carry bytes."""

from __future__ import annotations

import json
import os
import random
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

from . import errors
from ._http import Garbled
from ._verb import Verb

DEFAULT_URL = "http://127.0.0.1:4747"
NOT_KNOWN = "what was to be written may have been written: ask before you try again"


@dataclass(frozen=True)
class Address:
    """Where the server is."""

    url: str
    host: str
    port: int
    is_tls: bool
    authority: str
    prefix: str

    @classmethod
    def parse(cls, url: str) -> Address:
        def wrong(why: str) -> errors.InvalidInput:
            return errors.InvalidInput(f"use the address `{url}`", why, f"write it as {DEFAULT_URL}")

        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError as error:
            raise wrong(str(error)) from None
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise wrong("it is no address of HTTP")
        if parts.query or parts.fragment or parts.username is not None:
            raise wrong("it holds more than a place")
        if any(not "!" <= letter <= "~" for letter in url):
            raise wrong("it holds a character that has no place in an address")
        is_tls = parts.scheme == "https"
        return cls(
            url=url,
            host=parts.hostname,
            port=port or (443 if is_tls else 80),
            is_tls=is_tls,
            authority=parts.netloc,
            prefix=parts.path.rstrip("/"),
        )


@dataclass(frozen=True)
class Request:
    verb: Verb
    id: str
    head_and_body: bytes


@dataclass(frozen=True)
class Deadline:
    """When a call has to be over."""

    seconds: float
    at: float

    @classmethod
    def after(cls, seconds: float) -> Deadline:
        return cls(seconds, time.monotonic() + seconds)

    @property
    def left(self) -> float:
        return self.at - time.monotonic()


class Plan:
    def __init__(
        self,
        url: str | None,
        api_key: str | None,
        workspace: str | None,
        user: str | None,
        project: str | None,
        timeout: float,
        retries: int,
    ) -> None:
        self.address = Address.parse(url or os.environ.get("GRIOT_URL") or DEFAULT_URL)
        api_key = api_key or os.environ.get("GRIOT_API_KEY") or None
        # Never told in the message: it is a secret.
        if api_key is not None and not all("!" <= letter <= "~" for letter in api_key):
            raise errors.InvalidInput(
                "use the key", "it holds a space or a character beyond ASCII", "griot key create makes one"
            )
        self._api_key = api_key
        self._scope = {"workspace": workspace, "user": user, "project": project}
        self.timeout = timeout
        self._retries = retries

    def request(self, verb: Verb, arguments: Mapping[str, object], last: str | None = None) -> Request:
        given = {name: value for name, value in arguments.items() if value is not None}
        for name, value in self._scope.items():
            if name in arguments and value is not None:
                given.setdefault(name, value)
        path = verb.path
        for name in [name for name in given if f"{{{name}}}" in path]:
            path = path.replace(f"{{{name}}}", _segment(name, given.pop(name)))
        body = b""
        headers = {"Host": self.address.authority, "User-Agent": "griot-python"}
        workspace = given.pop("workspace", None)
        if verb.method in ("GET", "DELETE"):
            if workspace is not None:
                given["tenantId"] = workspace
            if given:
                path += "?" + "&".join(f"{name}={_in_address(value)}" for name, value in given.items())
            headers["Accept"] = "application/json, */*"
        else:
            if workspace is not None:
                given["scope"] = {"tenantId": workspace}
            body = self._body(verb, given)
            headers["Content-Type"] = "application/json"
            headers["Content-Length"] = str(len(body))
        request_id = uuid.uuid4().hex
        headers["X-Request-Id"] = request_id
        if self._api_key is not None:
            headers["Authorization"] = f"Bearer {self._api_key}"
        if last is not None:
            headers["Last-Event-ID"] = last
        head = f"{verb.method} {self.address.prefix}{path} HTTP/1.1\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        return Request(verb, request_id, head.encode("ascii") + b"\r\n" + body)

    def _body(self, verb: Verb, given: Mapping[str, object]) -> bytes:
        try:
            return json.dumps(given, ensure_ascii=False, allow_nan=False, default=_plain).encode()
        except (TypeError, ValueError) as error:
            raise errors.InvalidInput(_what(verb), f"an argument is no JSON: {error}") from None

    def meaning(self, request: Request, status: int, headers: Mapping[str, str], body: bytes) -> Any:
        """The answer, or what is raised in place of it."""
        if status != 200:
            raise self.refusal(request, status, headers, body)
        if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return body.decode("utf-8", "replace")
        try:
            return json.loads(body)
        except ValueError as error:
            raise errors.BadAnswer(_what(request.verb), f"the answer is no JSON: {error}", None, request.id) from None

    def refusal(self, request: Request, status: int, headers: Mapping[str, str], body: bytes) -> errors.GriotError:
        try:
            told = json.loads(body)["error"]
            kind, what, why = str(told["kind"]), str(told["what"]), str(told["why"])
            hint, request_id = told.get("hint"), told.get("request_id")
            # Servers before these were told have none.
            candidates = [{key: str(one[key]) for key in ("id", "name")} for one in told.get("candidates") or ()]
        except (ValueError, TypeError, KeyError, AttributeError):
            return self._not_griot(request, status)
        wait = headers.get("retry-after", "")
        return errors.BY_KIND.get(kind, errors.GriotError)(
            what,
            why,
            hint,
            request_id,
            status=status,
            retry_after=float(wait) if wait.isascii() and wait.isdigit() else None,
            kind=kind,
            candidates=candidates,
        )

    def check_stream(
        self, request: Request, status: int, headers: Mapping[str, str], body: bytes, kind: str
    ) -> None:
        """What has to hold before a stream is read."""
        if status != 200:
            raise self.refusal(request, status, headers, body)
        if headers.get("content-type", "").partition(";")[0].strip() != kind:
            why = f"{self.address.url} answered something else than `{kind}`"
            raise errors.BadAnswer(_what(request.verb), why, "check the address", request.id, status=status)

    def _not_griot(self, request: Request, status: int) -> errors.GriotError:
        """Something between answered, or another server."""
        if status in (502, 503, 504):
            failure = errors.Unreachable(
                _what(request.verb), f"what stands before the server answered {status}", None, request.id, status=status
            )
            failure.may_have_arrived = True
            return failure
        why = f"{self.address.url} answered {status} in words that are not Griot's"
        return errors.BadAnswer(_what(request.verb), why, "check the address", request.id, status=status)

    def broken(self, request: Request, cause: Exception, is_sent: bool, deadline: Deadline) -> errors.GriotError:
        """What a failing connection means."""
        what = _what(request.verb)
        hint = None if request.verb.is_safe or not is_sent else NOT_KNOWN
        if isinstance(cause, TimeoutError):
            return errors.TimedOut(what, f"there was no answer within {deadline.seconds:g} s", hint, request.id)
        if isinstance(cause, Garbled):
            why = f"{self.address.url} is no HTTP server: {cause}"
            return errors.BadAnswer(what, why, "check the address", request.id)
        if not is_sent:
            hint = "griot serve starts a server; GRIOT_URL says where it is"
        failure = errors.Unreachable(what, f"{self.address.url} does not answer: {cause}", hint, request.id)
        failure.may_have_arrived = is_sent
        return failure

    def interrupted(self, request: Request, cause: Exception) -> errors.GriotError:
        """A stream that had begun."""
        if isinstance(cause, TimeoutError):
            why = "nothing came any more"
        else:
            why = f"the connection broke: {cause}"
        return errors.Interrupted(f"read the stream of `{request.verb.name}` to its end", why, None, request.id)

    def check_end(self, request: Request, last: Any) -> None:
        """An export says where its end is, so that one that was cut is not taken for whole."""
        if not (isinstance(last, dict) and last.get("type") == "end"):
            raise self.interrupted(request, EOFError("the last record is not its end"))

    def pause(self, verb: Verb, failure: errors.GriotError, attempt: int, deadline: Deadline) -> float | None:
        """Seconds to wait before the same is asked again; `None` if it must not be, or makes no sense.

        A write is asked again only if it was not done: it never arrived, or the server said so.
        """
        if attempt >= self._retries:
            return None
        if isinstance(failure, errors.Unreachable):
            may = verb.is_safe or not failure.may_have_arrived
        else:
            may = isinstance(failure, (errors.Conflict, errors.Unavailable, errors.RateLimited))
        pause = failure.retry_after or 0.05 * 2**attempt * random.uniform(0.5, 1.5)
        return pause if may and pause < deadline.left else None


def item(request: Request, text: str) -> Any:
    """One object of a stream."""
    try:
        return json.loads(text)
    except ValueError as error:
        raise errors.BadAnswer(_what(request.verb), f"an item is no JSON: {error}", None, request.id) from None


def _what(verb: Verb) -> str:
    return f"ask the server to {verb.name.replace('_', ' ')}" if verb.method != "GET" else f"get `{verb.name}`"


def _plain(value: object) -> object:
    """Dates are written as the server reads them."""
    if hasattr(value, "isoformat"):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} {value!r}")


def _segment(name: str, value: object) -> str:
    # An address cannot hold `.` and `..` as a whole name: whoever reads it takes them for steps.
    text = str(value)
    if text in ("", ".", ".."):
        raise errors.InvalidInput(f"use `{text}` as `{name}`", "it is no name")
    return _escaped(text)


def _in_address(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(_escaped(str(one)) for one in value)
    return _escaped(str(_plain(value)) if hasattr(value, "isoformat") else str(value))


def _escaped(text: str) -> str:
    try:
        return quote(text, safe="")
    except UnicodeEncodeError:
        raise errors.InvalidInput("write the address", "a name holds half a character") from None

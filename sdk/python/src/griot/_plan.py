"""Builds requests, interprets responses and decides on retries for both clients, which only do the I/O."""

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
from ._http import MalformedResponse
from ._verb import Verb

DEFAULT_URL = "http://127.0.0.1:4747"
MAY_BE_WRITTEN = "the write may have succeeded; check before retrying"


@dataclass(frozen=True)
class Address:
    """Address of the server."""

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
            raise wrong("not an HTTP address")
        if parts.query or parts.fragment or parts.username is not None:
            raise wrong("it has a query, a fragment or credentials")
        if any(not "!" <= letter <= "~" for letter in url):
            raise wrong("it contains a character that is not allowed in an address")
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
    """When a call must end."""

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
        # The key is a secret, so the message does not contain it.
        if api_key is not None and not all("!" <= letter <= "~" for letter in api_key):
            raise errors.InvalidInput(
                "use the key", "it contains a space or a character beyond ASCII", "create a key with griot key create"
            )
        self._api_key = api_key
        self._scope = {"workspace": workspace, "user": user, "project": project}
        self.timeout = timeout
        self._retries = retries

    def request(self, verb: Verb, arguments: Mapping[str, object], last: str | None = None) -> Request:
        asked = given(arguments, self._scope)
        path = verb.path
        for name in [name for name in asked if f"{{{name}}}" in path]:
            path = path.replace(f"{{{name}}}", _segment(name, asked.pop(name)))
        content = b""
        headers = {"Host": self.address.authority, "User-Agent": "griot-python"}
        workspace = asked.pop("workspace", None)
        if verb.method in ("GET", "DELETE"):
            if workspace is not None:
                asked["tenantId"] = workspace
            if asked:
                path += "?" + "&".join(f"{name}={_in_address(value)}" for name, value in asked.items())
            headers["Accept"] = "application/json, */*"
        else:
            if workspace is not None:
                asked["scope"] = {"tenantId": workspace}
            content = body(asked)
            headers["Content-Type"] = "application/json"
            headers["Content-Length"] = str(len(content))
        request_id = uuid.uuid4().hex
        headers["X-Request-Id"] = request_id
        if self._api_key is not None:
            headers["Authorization"] = f"Bearer {self._api_key}"
        if last is not None:
            headers["Last-Event-ID"] = last
        head = f"{verb.method} {self.address.prefix}{path} HTTP/1.1\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        return Request(verb, request_id, head.encode("ascii") + b"\r\n" + content)

    def meaning(self, request: Request, status: int, headers: Mapping[str, str], body: bytes) -> Any:
        """The answer; raises if the server refused."""
        if status != 200:
            raise self.refusal(request, status, headers, body)
        if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return body.decode("utf-8", "replace")
        try:
            return json.loads(body)
        except ValueError as error:
            raise errors.BadAnswer(_what(request.verb), f"the answer is not JSON: {error}", None, request.id) from None

    def refusal(self, request: Request, status: int, headers: Mapping[str, str], body: bytes) -> errors.GriotError:
        try:
            failure = refusal(json.loads(body)["error"])
        except (ValueError, TypeError, KeyError, AttributeError):
            return self._not_griot(request, status)
        wait = headers.get("retry-after", "")
        failure.status = status
        failure.retry_after = float(wait) if wait.isascii() and wait.isdigit() else None
        return failure

    def check_stream(
        self, request: Request, status: int, headers: Mapping[str, str], body: bytes, kind: str
    ) -> None:
        """Checks the head of a stream."""
        if status != 200:
            raise self.refusal(request, status, headers, body)
        if headers.get("content-type", "").partition(";")[0].strip() != kind:
            why = f"{self.address.url} did not answer with `{kind}`"
            raise errors.BadAnswer(_what(request.verb), why, "check the address", request.id, status=status)

    def _not_griot(self, request: Request, status: int) -> errors.GriotError:
        """The response came from a proxy, or from another server."""
        if status in (502, 503, 504):
            failure = errors.Unreachable(
                _what(request.verb), f"a proxy answered {status}", None, request.id, status=status
            )
            failure.may_have_arrived = True
            return failure
        why = f"{self.address.url} answered {status} with a body that is not Griot's"
        return errors.BadAnswer(_what(request.verb), why, "check the address", request.id, status=status)

    def broken(self, request: Request, cause: Exception, is_sent: bool, deadline: Deadline) -> errors.GriotError:
        """The error for a failed connection."""
        what = _what(request.verb)
        hint = None if request.verb.is_safe or not is_sent else MAY_BE_WRITTEN
        if isinstance(cause, TimeoutError):
            return errors.TimedOut(what, f"there was no answer within {deadline.seconds:g} s", hint, request.id)
        if isinstance(cause, MalformedResponse):
            why = f"{self.address.url} is not an HTTP server: {cause}"
            return errors.BadAnswer(what, why, "check the address", request.id)
        if not is_sent:
            hint = "start a server with griot serve, or set GRIOT_URL to its address"
        failure = errors.Unreachable(what, f"{self.address.url} does not answer: {cause}", hint, request.id)
        failure.may_have_arrived = is_sent
        return failure

    def interrupted(self, request: Request, cause: Exception) -> errors.GriotError:
        """The error for a stream that broke after it had started."""
        if isinstance(cause, TimeoutError):
            why = "no more data arrived"
        else:
            why = f"the connection broke: {cause}"
        return errors.Interrupted(f"read the stream of `{request.verb.name}` to its end", why, None, request.id)

    def check_end(self, request: Request, last: Any) -> None:
        """The last record of an export marks its end, so that a truncated one is noticed."""
        if not (isinstance(last, dict) and last.get("type") == "end"):
            raise self.interrupted(request, EOFError("the last record does not mark the end"))

    def pause(self, verb: Verb, failure: errors.GriotError, attempt: int, deadline: Deadline) -> float | None:
        """Seconds to wait before a retry; `None` if a retry is unsafe or pointless.

        A write is retried only if it was not done: it never arrived, or the server refused it.
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
    """Parses one object of a stream."""
    try:
        return json.loads(text)
    except ValueError as error:
        raise errors.BadAnswer(_what(request.verb), f"an item is not JSON: {error}", None, request.id) from None


def given(arguments: Mapping[str, object], scope: Mapping[str, object]) -> dict[str, object]:
    """The arguments that were given, with the default scope."""
    asked = {name: value for name, value in arguments.items() if value is not None}
    for name, value in scope.items():
        if name in arguments and value is not None:
            asked.setdefault(name, value)
    return asked


def body(asked: Mapping[str, object]) -> bytes:
    """The request as JSON."""
    try:
        return json.dumps(asked, ensure_ascii=False, allow_nan=False, default=_plain).encode()
    except (TypeError, ValueError) as error:
        raise errors.InvalidInput("write the request", f"an argument cannot be written as JSON: {error}") from None


def refusal(error: Mapping[str, Any]) -> errors.GriotError:
    """The exception for the object under `error`."""
    kind = str(error["kind"])
    # Older servers send no candidates.
    candidates = [{key: str(one[key]) for key in ("id", "name")} for one in error.get("candidates") or ()]
    return errors.BY_KIND.get(kind, errors.GriotError)(
        str(error["what"]),
        str(error["why"]),
        error.get("hint"),
        error.get("request_id") or None,
        kind=kind,
        candidates=candidates,
    )


def _what(verb: Verb) -> str:
    return f"ask the server to {verb.name.replace('_', ' ')}" if verb.method != "GET" else f"get `{verb.name}`"


def _plain(value: object) -> object:
    """Writes dates in ISO format."""
    if hasattr(value, "isoformat"):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} {value!r}")


def _segment(name: str, value: object) -> str:
    # URL parsers resolve the segments `.` and `..`, so they cannot be names.
    text = str(value)
    if text in ("", ".", ".."):
        raise errors.InvalidInput(f"use `{text}` as `{name}`", "not a valid name")
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
        raise errors.InvalidInput("write the address", "a name contains an unpaired surrogate") from None

"""Exceptions: one for each kind of error of the server, and three of the client.

The kind decides what to do next, so each has its own class. An exception says what failed, why, and what may
help.
`request_id` identifies the request in the server's log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


class GriotError(Exception):
    """A failed request."""

    kind: str = "unknown"

    def __init__(
        self,
        what: str,
        why: str,
        hint: str | None = None,
        request_id: str | None = None,
        *,
        status: int | None = None,
        retry_after: float | None = None,
        kind: str | None = None,
        candidates: Sequence[Mapping[str, str]] = (),
    ) -> None:
        super().__init__(what, why)
        if kind is not None:
            self.kind = kind
        self.what = what
        """What could not be done."""
        self.why = why
        self.hint = hint
        """What may help, if known."""
        self.request_id = request_id
        self.status = status
        """HTTP status; `None` if the server did not answer."""
        self.retry_after = retry_after
        """Seconds to wait before a retry, if the server said so."""
        self.candidates = tuple(candidates)
        """The meanings of an ambiguous name: `id` to use instead, `name` for display."""

    def __str__(self) -> str:
        hint = f" (hint: {self.hint})" if self.hint else ""
        return f"cannot {self.what}: {self.why}{hint}"


class InvalidInput(GriotError):
    """The request is invalid. A retry will fail, too."""

    kind = "invalid_input"


class NotFound(GriotError):
    """The named thing does not exist."""

    kind = "not_found"


class Conflict(GriotError):
    """Another write came first. A retry may succeed; the client made `retries` of them."""

    kind = "conflict"


class Unavailable(GriotError):
    """Wait, or change the configuration. A retry may succeed; the client made `retries` of them."""

    kind = "unavailable"


class Corrupt(GriotError):
    """The workspace is damaged."""

    kind = "corrupt"


class Bug(GriotError):
    """The server has a bug."""

    kind = "bug"


class Unauthenticated(GriotError):
    """The key is missing, wrong or revoked."""

    kind = "unauthenticated"


class Forbidden(GriotError):
    """The key does not allow this."""

    kind = "forbidden"


class RateLimited(GriotError):
    """Too many requests; `retry_after` says how long to wait."""

    kind = "rate_limited"


class TooLarge(GriotError):
    """The body is larger than the server accepts."""

    kind = "too_large"


class TimedOut(GriotError):
    """No answer in time. A write may have succeeded."""

    kind = "timed_out"


class MethodNotAllowed(GriotError):
    """The route has no such method: client and server are incompatible."""

    kind = "method_not_allowed"


class UnsupportedMediaType(GriotError):
    """The body is not JSON."""

    kind = "unsupported_media_type"


class Unreachable(Unavailable):
    """No answer: no server is listening, or the connection broke."""

    kind = "unreachable"
    may_have_arrived: bool = False
    """The request was sent, so a write may have succeeded."""


class Interrupted(GriotError):
    """A stream broke off."""

    kind = "interrupted"


class BadAnswer(GriotError):
    """The response did not come from a Griot server."""

    kind = "bad_answer"


BY_KIND: dict[str, type[GriotError]] = {
    known.kind: known
    for known in (
        InvalidInput,
        NotFound,
        Conflict,
        Unavailable,
        Corrupt,
        Bug,
        Unauthenticated,
        Forbidden,
        RateLimited,
        TooLarge,
        TimedOut,
        MethodNotAllowed,
        UnsupportedMediaType,
    )
}
"""Exceptions by the kinds that a server sends."""

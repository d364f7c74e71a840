"""What can go wrong: one exception for each kind of refusal, and three that only a client knows.

What to do next follows from the kind, so that `except` can tell kinds apart. Each says what could not be done, why, and
what helps where that is known. `request_id` finds the request in the server's log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


class GriotError(Exception):
    """A request that was not answered."""

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
        """What helps, where that is known."""
        self.request_id = request_id
        self.status = status
        """The status of HTTP; `None` if the server did not answer."""
        self.retry_after = retry_after
        """Seconds after which another try makes sense, if the server said so."""
        self.candidates = tuple(candidates)
        """What a name may mean that means more than one thing: `id` is what to say instead, `name` tells them apart."""

    def __str__(self) -> str:
        hint = f" (hint: {self.hint})" if self.hint else ""
        return f"cannot {self.what}: {self.why}{hint}"


class InvalidInput(GriotError):
    """The request is wrong. Another try will fail alike."""

    kind = "invalid_input"


class NotFound(GriotError):
    """The named thing does not exist."""

    kind = "not_found"


class Conflict(GriotError):
    """Somebody else was first. Another try may succeed; the client made `retries` of them."""

    kind = "conflict"


class Unavailable(GriotError):
    """Wait or configure. Another try may succeed; the client made `retries` of them."""

    kind = "unavailable"


class Corrupt(GriotError):
    """The workspace is damaged."""

    kind = "corrupt"


class Bug(GriotError):
    """The server failed in an unforeseen way."""

    kind = "bug"


class Unauthenticated(GriotError):
    """The key is missing, wrong or revoked."""

    kind = "unauthenticated"


class Forbidden(GriotError):
    """The key does not reach this far."""

    kind = "forbidden"


class RateLimited(GriotError):
    """Too many requests; `retry_after` says how long to wait."""

    kind = "rate_limited"


class TooLarge(GriotError):
    """The body is larger than the server takes."""

    kind = "too_large"


class TimedOut(GriotError):
    """There was no answer in time. What was to be written may have been written."""

    kind = "timed_out"


class MethodNotAllowed(GriotError):
    """The route does not know this method: client and server do not fit together."""

    kind = "method_not_allowed"


class UnsupportedMediaType(GriotError):
    """The body is no JSON."""

    kind = "unsupported_media_type"


class Unreachable(Unavailable):
    """There was no answer of the server: nobody listens, or the connection broke."""

    kind = "unreachable"
    may_have_arrived: bool = False
    """The request was on its way, so that what was to be written may have been written."""


class Interrupted(GriotError):
    """A stream ended before its end."""

    kind = "interrupted"


class BadAnswer(GriotError):
    """What answered does not speak Griot's HTTP."""

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
"""The kinds that a server tells."""

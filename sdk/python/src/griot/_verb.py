"""One route of the server."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Verb:
    name: str
    method: str
    path: str
    role: str | None
    """The role that a key needs: `read`, `write` or `admin`; `None` for public routes."""

    @property
    def is_safe(self) -> bool:
        """Whether a retry has no further effect."""
        return self.role in (None, "read") or self.method == "GET"

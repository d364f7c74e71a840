"""One route of the server."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Verb:
    name: str
    method: str
    path: str
    role: str | None
    """What a key needs: `read`, `write` or `admin`; `None` for what everybody may ask."""

    @property
    def is_safe(self) -> bool:
        """Asked twice, it does no more than asked once."""
        return self.role in (None, "read") or self.method == "GET"

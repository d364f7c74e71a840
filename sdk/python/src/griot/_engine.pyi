"""The engine, compiled; wheels without it lack this module."""

from os import PathLike

VERSION: str

class Refused(Exception): ...

class Engine:
    def __init__(
        self, db: str | PathLike[str] | None, workspace: str | None, reader: str | PathLike[str] | None
    ) -> None: ...
    def ask(self, verb: str, request: bytes) -> str: ...
    def close(self) -> None: ...

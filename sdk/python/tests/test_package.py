"""What the package without the engine says to those who want it."""

from __future__ import annotations

import importlib.util

import pytest

from griot import Griot, Memory, errors


@pytest.mark.skipif(importlib.util.find_spec("griot._engine") is not None, reason="the engine is installed")
def test_without_the_engine_the_clients_work_and_a_memory_says_what_helps() -> None:
    assert Griot("http://127.0.0.1:1")
    with pytest.raises(errors.Unavailable, match="this package was installed without the engine") as none:
        Memory()
    assert none.value.hint is not None and "griot.Griot()" in none.value.hint

"""All tests run in the folder of the repository, as the binary does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from commands import ROOT


@pytest.fixture(autouse=True)
def in_the_repository(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(ROOT)
    yield

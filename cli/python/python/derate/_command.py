"""Commands of derate as calls: words, progress, the answer."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TypeVar

from derate import _derate
from derate._progress import choose_progress
from derate._record import Result

R = TypeVar("R", bound=Result)

Path = str | os.PathLike[str]
Paths = Path | Sequence[Path]
Value = str | int | float


def run(of: type[R], *words: Iterable[str]) -> R:
    """Runs a command and gives its result: the same code and the same bytes as the binary's."""
    flat = [word for some in words for word in some]
    return of(_derate.answer([*flat, "--format", "json"], choose_progress()))


def name_paths(paths: Paths) -> list[str]:
    """One path or several, as words."""
    several = [paths] if isinstance(paths, (str, os.PathLike)) else paths
    return [os.fspath(path) for path in several]


def give(flag: str, value: Value | os.PathLike[str] | bool | None) -> list[str]:
    """An option with its value; nothing for `None`, the option alone for `True`."""
    if value is None or value is False:
        return []
    if value is True:
        return [f"--{flag}"]
    return [f"--{flag}", os.fspath(value) if isinstance(value, os.PathLike) else str(value)]


def give_each(flag: str, values: Paths | Sequence[str] | None) -> list[str]:
    """An option once for each value."""
    if values is None:
        return []
    return [word for value in name_paths(values) for word in give(flag, value)]


def give_axes(axes: dict[str, Sequence[Value]] | Sequence[str] | None, flag: str = "sweep") -> list[str]:
    """`--sweep KEY=V1,V2` for each axis, of a dictionary or as text."""
    if axes is None:
        return []
    if isinstance(axes, dict):
        axes = [f"{key}={','.join(map(str, values))}" for key, values in axes.items()]
    return give_each(flag, axes)


def preprocess(include: Paths | None, define: Sequence[str] | None) -> list[str]:
    """How sources are preprocessed, as words."""
    return give_each("include", include) + give_each("define", define)

"""Lists of objects as Arrow tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from derate import _derate
from derate._record import Record, Result, _annotations, _key

if TYPE_CHECKING:
    from derate._derate import Table

_SCALARS = {"str": "text", "bool": "flag", "int": "whole", "float": "number"}


def make_table(result: Result, path: str) -> Table:
    """The objects of the list at `path` as a table."""
    steps = path.split(".")
    kinds: list[type[Record]] = []
    of: type[Record] = type(result)
    for step in steps:
        kind = of._kinds().get(step)
        if kind is None:
            lists = ", ".join(key for key, own in of._kinds().items() if own is not None)
            raise _derate.UsageError(f"{of.__name__} has no list `{step}`: there are {lists}")
        kinds.append(kind)
        of = kind
    axes = [str(axis.get("key") or axis.get("name")) for axis in result._data.get("axes", ())]
    columns: list[tuple[str, str, list[Any]]] = []
    readers: list[tuple[int, tuple[str, ...]]] = []
    for depth, kind in enumerate(kinds):
        prefix = "" if depth == len(kinds) - 1 else f"{steps[depth]}."
        for keys, scalar in _columns(kind):
            columns.append((prefix + ".".join(keys), scalar, []))
            readers.append((depth, keys))
    spread = [key for key in ("at", "values") if axes and key in kinds[-1]._kinds()]
    chosen: list[tuple[str, str, list[Any]]] = [(axis, "text", []) for axis in axes] if spread else []
    for row in _rows(result._data, steps):
        for (depth, keys), (_, scalar, values) in zip(readers, columns):
            values.append(_read(row[depth], keys, scalar))
        if spread:
            for (_, _, values), value in zip(chosen, _axis_values(result, row[-1], spread[0])):
                values.append(value)
    return _derate.make_table(chosen + columns)


def _axis_values(result: Result, row: Mapping[str, Any], key: str) -> Iterator[str | None]:
    """The value of each axis, by its place or as it is written."""
    own: Sequence[Any] = row[key]
    for at, axis in enumerate(result._data["axes"]):
        if at >= len(own):
            yield None
        elif key == "at":
            yield str(axis["values"][own[at]])
        else:
            yield str(own[at])


def _columns(of: type[Record]) -> Iterator[tuple[tuple[str, ...], str]]:
    """The keys of each column of a class, and what its values are."""
    kinds = of._kinds()
    for name, text in _annotations(of).items():
        key = _key(name)
        words = [word for word in re.findall(r"\w+", text) if word != "None"]
        if "tuple" in words or "Mapping" in words:
            continue
        nested = kinds.get(key)
        if nested is not None:
            if len(words) == 1:
                yield from (((key, *keys), scalar) for keys, scalar in _columns(nested))
        elif all(word in _SCALARS for word in words):
            scalars = {_SCALARS[word] for word in words}
            yield (key,), scalars.pop() if len(scalars) == 1 else "text"


def _read(row: Any, keys: tuple[str, ...], scalar: str) -> Any:
    for key in keys:
        row = row.get(key) if isinstance(row, dict) else None
    if row is None:
        return None
    return str(row) if scalar == "text" else row


def _rows(data: Mapping[str, Any], steps: Sequence[str]) -> Iterator[tuple[Mapping[str, Any], ...]]:
    inner = data.get(steps[0]) or ()
    for one in [inner] if isinstance(inner, dict) else inner:
        if len(steps) == 1:
            yield (one,)
        else:
            yield from ((one, *rest) for rest in _rows(one, steps[1:]))

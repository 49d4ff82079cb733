"""Many evaluations in one call."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import TYPE_CHECKING

from derate import _derate
from derate._command import Path, give

if TYPE_CHECKING:
    from derate._derate import Table


def decoder_batch(
    model: Path,
    platform: Path,
    *,
    batch: Iterable[int],
    prompt: Iterable[int],
    generate: Iterable[int],
    precision: str | None = None,
    threads: int | None = None,
) -> Table:
    """The run of a decoder for each row of three columns of the same length, as an Arrow table.

    The columns may be lists, or arrays with whole numbers of 64 bits. The figures are those of `predict("llm", sweep=...)`,
    for any rows instead of every combination.
    """
    words = ["predict", "llm", *give("model", model), *give("platform", platform), *give("precision", precision)]
    return _derate.decoder_batch(words, _pack(batch), _pack(prompt), _pack(generate), threads)


def _pack(values: Iterable[int]) -> bytes:
    """The numbers as 64 bits each, the lowest byte first."""
    if isinstance(values, array) and values.typecode == "q":
        return values.tobytes()
    cast = getattr(values, "astype", None)
    if cast is not None:
        packed: bytes = cast("<i8").tobytes()
        return packed
    return array("q", values).tobytes()

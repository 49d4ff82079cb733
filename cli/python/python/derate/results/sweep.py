"""An inference under many assumptions: `derate.sweep/1`. The fields are those of the book's page on JSON."""

from __future__ import annotations

from typing import ClassVar

from derate._record import Record, Result


class SweepPoint(Record):
    at: tuple[int, ...]
    flops: float | None
    elementwise_ops: float | None
    bytes: float | None
    weight_bytes: float | None
    oi: float | None
    throughput_seconds: float | None
    latency_seconds: float | None
    note: str | None


class SweepAxis(Record):
    key: str
    values: tuple[str, ...]


class Sweep(Result):
    """An inference under many assumptions: `derate.sweep/1`."""

    _rows: ClassVar[str] = "points"

    schema: str
    command: str
    scenario: str
    axes: tuple[SweepAxis, ...]
    points: tuple[SweepPoint, ...]

"""A modelled kernel: `derate.kernel/1`. The fields are those of the book's page on JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from derate._record import Record, Result


class KernelUnknown(Record):
    file: str
    line: int
    reason: str


class KernelAdvice(Record):
    subject: str
    file: str
    line: int
    change: str
    sentence: str
    before: float
    after: float


class KernelWork(Record):
    multiply_adds: float | None
    per_cycle: float | None
    per_cycle_and_dsp: float | None


class KernelBurst(Record):
    direction: str
    file: str
    line: int
    beats: float | None
    reason: str | None


class KernelPort(Record):
    name: str
    kind: str
    bundle: str | None
    bits: int | None
    elements: float | None
    bytes: float | None
    bursts: tuple[KernelBurst, ...] | None


class KernelIiHeldBy(Record):
    kind: str
    array: str | None
    accesses: float | None
    ports: float | None


class KernelLoop(Record):
    label: str
    function: str
    file: str
    line: int
    nest: int
    ii: float | None
    ii_held_by: KernelIiHeldBy | None
    depth: float
    trip: float | None
    trip_min: float | None
    trip_max: float | None
    cycles: float | None


class KernelResource(Record):
    value: float
    low: float
    high: float | None
    routed: float
    available: float


class KernelCycles(Record):
    expected: float | None
    reported: float | None
    best: float | None
    worst: float | None
    min: float | None
    max: float | None


class Kernel(Result):
    """A modelled kernel: `derate.kernel/1`."""

    _rows: ClassVar[str] = "loops"

    schema: str
    command: str
    top: str
    part: str
    platform: str | None
    clock_ns: float
    tool: str
    provenance: str
    latency: KernelCycles
    interval: KernelCycles
    resources: Mapping[str, KernelResource]
    loops: tuple[KernelLoop, ...]
    ports: tuple[KernelPort, ...]
    work: KernelWork
    advice: tuple[KernelAdvice, ...]
    unknown: tuple[KernelUnknown, ...]
    notes: tuple[str, ...]
    seconds: float | None

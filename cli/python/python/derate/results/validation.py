"""Measurements and their verdicts: `derate.validation/1`. The fields are those of the book's page on JSON."""

from __future__ import annotations

from typing import ClassVar

from derate._record import Figure, Record, Result


class ValidationGemm(Record):
    m: int
    n: int
    k: int
    type: str


class ValidationCheck(Record):
    passed: bool
    method: str
    worst_error: float | None
    bound: float | None


class ValidationRun(Record):
    size: float | None
    bytes_read: float | None
    bytes_written: float | None
    warm_up: int | None
    launches: int | None
    seconds: tuple[float, ...] | None
    check: ValidationCheck | None
    bytes_from: str | None
    wall_seconds: tuple[float, ...] | None
    gemm: ValidationGemm | None
    stated_bandwidth: float | None


class ValidationVersion(Record):
    derate: str | None
    xrt: str | None
    shell: str | None
    xclbin: str | None
    compiler: str | None


class ValidationPort(Record):
    direction: str
    count: int
    bits: int
    banks: str


class ValidationDevice(Record):
    kind: str
    name: str
    platform: str | None


class ValidationMeasurement(Record):
    schema: str
    kernel: str
    device: ValidationDevice
    provenance: str
    source: str
    command: str | None
    compute_units: int | None
    ports: tuple[ValidationPort, ...] | None
    kernel_clock: float | None
    memory_clock: float | None
    versions: ValidationVersion
    runs: tuple[ValidationRun, ...]
    timed_by: str | None


class ValidationGap(Record):
    code: str
    sentence: str


class ValidationReason(Record):
    code: str
    sentence: str


class ValidationTime(Record):
    repetitions: int
    median: float
    fastest: float
    slowest: float
    spread: float


class ValidationFigure(Record):
    name: str
    verdict: str
    bandwidth: Figure
    share: float | None
    times: ValidationTime | None
    peak: Figure | None
    model: Figure | None
    model_least: int | None
    reasons: tuple[ValidationReason, ...]
    gaps: tuple[ValidationGap, ...]
    notes: tuple[str, ...]


class ValidationFile(Record):
    file: str
    kind: str
    device: str
    provenance: str
    verdict: str
    figures: tuple[ValidationFigure, ...]
    measurement: ValidationMeasurement | None
    left_out: tuple[str, ...] | None


class Validation(Result):
    """Measurements and their verdicts: `derate.validation/1`."""

    _rows: ClassVar[str] = "files.figures"

    schema: str
    command: str
    claim: Figure
    beside: tuple[object, ...]
    files: tuple[ValidationFile, ...]

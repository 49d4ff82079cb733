"""Number formats beside each other: `derate.formats/1`. The fields are those of the book's page on JSON."""

from __future__ import annotations

from typing import ClassVar

from derate._record import Figure, Record, Result


class FormatsAchieved(Record):
    name: str
    oi: float
    rate: float
    source: str


class FormatsConditional(Record):
    condition: str
    bound: str
    attainable: float | None


class FormatsBitIntensity(Record):
    definition: str
    weights: str
    weight: float
    value: float
    provenance: str


class FormatsMixture(Record):
    weights: str
    activations: str
    kv: str
    accumulate: str


class FormatsRow(Record):
    name: str
    mixture: FormatsMixture
    arithmetic: str
    bits_per_weight: float
    flops: float | None
    bytes: float | None
    oi: float | None
    peak: Figure | None
    ridge: float | None
    rho: float | None
    bound: str | None
    attainable: float | None
    conditional: FormatsConditional | None
    memory_seconds: float | None
    compute_seconds: float | None
    bit_intensity: tuple[FormatsBitIntensity, ...]
    achieved: tuple[FormatsAchieved, ...]
    unknown: str | None
    note: str | None


class FormatsClaim(Record):
    arithmetic: str
    claimed: float
    claimed_ridge: float
    own: float | None
    own_ridge: float | None


class FormatsSubject(Record):
    kind: str
    batch: int | None
    width: int | None
    layers: int | None
    backward: bool | None
    apart: bool | None
    m: int | None
    n: int | None
    k: int | None


class Formats(Result):
    """Number formats beside each other: `derate.formats/1`."""

    _rows: ClassVar[str] = "rows"

    schema: str
    command: str
    platform: str | None
    bandwidth: Figure | None
    subject: FormatsSubject | None
    rows: tuple[FormatsRow, ...]
    claims: tuple[FormatsClaim, ...]
    notes: tuple[str, ...]

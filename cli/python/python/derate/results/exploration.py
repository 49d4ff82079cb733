"""What a search found: `derate.exploration/1`. The fields are those of the book's page on JSON."""

from __future__ import annotations

from typing import ClassVar

from derate._record import Figure, Record, Result


class Refusal(Record):
    resource: str
    designs: float


class ResourceUsage(Record):
    dsp: float
    bram18: float
    uram: float
    lut: float
    ff: float


class CutPort(Record):
    banks: int


class WidePort(Record):
    bits: int


class ChangedArgument(Record):
    argument: str
    cut: CutPort | None
    wide: WidePort | None


class FoundDesign(Record):
    values: tuple[str, ...]
    objective: float
    time: float | None
    usage: ResourceUsage
    share: float
    changed_arguments: tuple[ChangedArgument, ...]


class NotOpened(Record):
    what: str
    share: float | None
    reason: str
    vary: str | None


class RankedDesign(Record):
    row: int
    design: FoundDesign | None
    refused_by: str | None


class CertificateGap(Record):
    bound: float


class CertificateUnknown(Record):
    designs: int


class ExplorationCertificate(Record):
    gap: CertificateGap | None
    unknown: CertificateUnknown | None


class ExplorationAxis(Record):
    name: str
    values: tuple[str, ...]


class ExplorationTimeLimit(Record):
    cycles: float | None
    seconds: float | None


class ResourceLimits(Record):
    dsp: float | None
    bram18: float | None
    uram: float | None
    lut: float | None
    ff: float | None


class ExplorationObjective(Record):
    kind: str
    of: str | None


class Exploration(Result):
    """What a search found: `derate.exploration/1`."""

    _rows: ClassVar[str] = "front"

    schema: str
    command: str
    subject: str
    part: str
    clock_ns: float
    objective: ExplorationObjective
    limits: ResourceLimits
    time_limit: ExplorationTimeLimit | None
    axes: tuple[ExplorationAxis, ...]
    written: tuple[str | None, ...]
    not_opened: tuple[NotOpened, ...]
    designs: float
    evaluated: int
    certificate: ExplorationCertificate | str
    start: FoundDesign | None
    claimed: Figure | None
    best: FoundDesign | None
    front: tuple[FoundDesign, ...]
    best_of: tuple[FoundDesign, ...]
    refused: tuple[Refusal, ...]
    assumed: tuple[str, ...]
    ranking: tuple[RankedDesign, ...]

"""Everything of a report: `derate.report/1`. The fields are those of the book's page on JSON."""

from __future__ import annotations

from typing import ClassVar

from derate._record import Figure, Record, Result
from derate.results.audit import Audit
from derate.results.estimate import Estimate, EstimateKernelDesign
from derate.results.validation import Validation


class ReportPoint(Record):
    name: str
    oi: float
    rate: float
    source: str


class ReportInputs(Record):
    clock: Figure
    dsp_budget: Figure


class Report(Result):
    """Everything of a report: `derate.report/1`."""

    _rows: ClassVar[str] = "estimate.scenarios"

    schema: str
    inputs: ReportInputs | None
    audit: Audit
    estimate: Estimate
    validation: Validation | None
    kernel_design: EstimateKernelDesign | None
    points: tuple[ReportPoint, ...] | None

"""Findings: `derate.audit/2`. The fields are those of the book's page on JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from derate._record import Record, Result


class NotChecked(Record):
    needs: str
    rules: tuple[str, ...]
    designs: tuple[str, ...]
    reason: str


class NotAudited(Record):
    file: str
    reason: str


class AllowedFinding(Record):
    code: str
    level: str
    file: str
    line: int
    subject: str
    message: str
    reason: str


class RelatedPlace(Record):
    file: str
    line: int
    message: str


class Finding(Record):
    code: str
    level: str
    design: str | None
    file: str
    line: int
    column: int
    subject: str
    message: str
    help: str
    notes: tuple[str, ...]
    related: tuple[RelatedPlace, ...]
    evidence: Mapping[str, object]


class AuditSummary(Record):
    error: int
    warning: int
    note: int
    allowed: int


class Audit(Result):
    """Findings: `derate.audit/2`."""

    _rows: ClassVar[str] = "findings"

    schema: str
    command: str
    summary: AuditSummary
    findings: tuple[Finding, ...]
    allowed: tuple[AllowedFinding, ...]
    not_audited: tuple[NotAudited, ...]
    not_checked: tuple[NotChecked, ...]

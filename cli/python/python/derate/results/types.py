"""What each alias really is: `derate.types/1`. The fields are those of the book's page on JSON."""

from __future__ import annotations

from typing import ClassVar

from derate._record import Record, Result


class TypesMissingInclude(Record):
    path: str
    file: str
    line: int


class TypesAbsentMacro(Record):
    macros: tuple[str, ...]
    file: str
    line: int


class TypesUnparsed(Record):
    reason: str
    file: str
    line: int


class TypesNotAudited(Record):
    file: str
    reason: str


class TypesAnnotation(Record):
    kind: str
    function: str
    name: str
    role: str
    element: str
    underlying: str | None
    bits: int | None
    unknown: str | None
    dims: tuple[float | None, ...]
    instances: tuple[float, ...]
    file: str
    line: int


class TypesArray(Record):
    path: str
    element: str
    precision: str
    bits: int
    unknown: str | None
    dims: tuple[float, ...]
    file: str
    line: int


class TypesConstant(Record):
    name: str
    scope: str
    expression: str
    value: float | None
    alternatives: tuple[TypesAlternative, ...]
    file: str
    line: int


class TypesStructure(Record):
    name: str
    qualified: str
    underlying: str | None
    bits: int | None
    padded_bits: float | None
    unknown: str | None
    file: str
    line: int


class TypesHop(Record):
    name: str
    spelling: str
    file: str
    line: int


class TypesAlternative(Record):
    under: str
    underlying: str
    bits: int
    unknown: str | None
    file: str
    line: int


class TypesAlias(Record):
    name: str
    qualified: str
    kind: str
    underlying: str | None
    bits: int | None
    has_addresses: bool
    lies: bool
    lie_kind: str | None
    claims: str | None
    contradicted_comment: str | None
    condition: str | None
    alternatives: tuple[TypesAlternative, ...]
    unknown: str | None
    hops: tuple[TypesHop, ...]
    file: str
    line: int


class Types(Result):
    """What each alias really is: `derate.types/1`."""

    _rows: ClassVar[str] = "aliases"

    schema: str
    command: str
    aliases: tuple[TypesAlias, ...]
    conditional_aliases: tuple[TypesAlias, ...]
    structures: tuple[TypesStructure, ...]
    constants: tuple[TypesConstant, ...]
    arrays: tuple[TypesArray, ...]
    annotations: tuple[TypesAnnotation, ...]
    not_audited: tuple[TypesNotAudited, ...]
    unparsed: tuple[TypesUnparsed, ...]
    absent_macros: tuple[TypesAbsentMacro, ...]
    untried: int
    missing_includes: tuple[TypesMissingInclude, ...]

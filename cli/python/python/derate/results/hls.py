"""What reports, configurations and kernels say: `derate.hls/1`. The fields are those of the book's page on JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from derate._record import Placed, Record, Result


class HlsModelled(Record):
    function: str | None
    file: str | None
    line: int | None
    trip_min: float | None
    trip_max: float | None
    ii: float | None
    depth: float | None
    cycles: float | None
    error: float
    provenance: str | None
    sources: tuple[str, ...] | None
    reported: float | None
    expected: float | None
    stale: tuple[str, ...] | None
    notes: tuple[str, ...] | None


class HlsDim(Record):
    expression: str
    value: float


class HlsParameter(Record):
    constant: bool
    dims: tuple[HlsDim, ...]
    element: str
    name: str
    pointer: bool
    reference: bool


class HlsUtilisation(Record):
    kernel: str | None
    kind: str
    name: Placed
    resources: Mapping[str, HlsResource]


class HlsPragma(Record):
    function: Placed | None
    kind: Placed | None
    location: Placed | None
    message: Placed | None
    options: Placed | None
    status: Placed | None
    line: int | None
    text: str | None


class HlsViolation(Record):
    cause: Placed | None
    issue: Placed
    location: Placed | None
    loop_name: str | None


class HlsResource(Record):
    available: Placed | None
    share: Placed | None
    used: Placed | None
    resource: str | None
    value: float | None
    modelled: float | None
    error: float | None


class HlsLoop(Record):
    depth: Placed | float | None
    ii_achieved: Placed | None
    ii_target: Placed | None
    iteration_latency: Placed | None
    latency: Placed | None
    loops: tuple[HlsLoop, ...] | None
    name: Placed | None
    pipelined: bool | None
    slack: Placed | None
    trip_count: Placed | None
    label: str | None
    function: str | None
    nest: int | None
    trip: float | None
    ii: float | None
    cycles: float | None
    runs: float | None
    modelled: HlsModelled | None


class HlsFrequency(Record):
    estimated: Placed
    target: Placed


class HlsModule(Record):
    caller: float | None
    caller_loop: str | None
    clock: HlsClock
    compute_unit: Placed | None
    dataflow: bool
    depth: Placed | None
    frequency: HlsFrequency | None
    interval: Placed | None
    latency: Placed | None
    loops: tuple[HlsLoop, ...]
    name: Placed
    pipeline: Placed | None
    resources: Mapping[str, HlsResource]
    slack: Placed | None
    violations: tuple[HlsViolation, ...]


class HlsLatency(Record):
    avg: Placed
    max: Placed
    min: Placed


class HlsInterval(Record):
    avg: Placed
    max: Placed
    min: Placed


class HlsCosim(Record):
    interval: HlsInterval
    language: Placed
    latency: HlsLatency
    status: Placed
    total: Placed | None


class HlsPort(Record):
    bits: Placed
    mode: Placed | None
    name: Placed
    access: Placed | None
    latency: Placed | None
    max_read_burst: Placed | None
    max_widen_bitwidth: Placed | None
    max_write_burst: Placed | None
    read_outstanding: Placed | None
    source_bits: Placed | None
    write_outstanding: Placed | None


class HlsArgument(Record):
    memory: Placed
    name: Placed
    port: Placed


class HlsComputeUnit(Record):
    arguments: tuple[HlsArgument, ...]
    kernel: Placed
    name: Placed
    ports: tuple[HlsPort, ...]


class HlsClock(Record):
    estimated: Placed | None
    target: Placed | None
    uncertainty: Placed | None
    frequency: Placed | None
    kind: Placed | None
    name: Placed | None


class HlsBurst(Record):
    bits: Placed | None
    code: Placed | None
    direction: Placed | None
    interface: Placed
    length: Placed | None
    location: Placed
    loop_name: Placed
    reason: Placed | None
    variable: Placed | None
    verdict: str


class HlsUnread(Record):
    column: int
    line: int
    reason: str


class HlsMemory(Record):
    argument: Placed | None
    banks: Placed | None
    column: int | None
    line: int | None
    unit: Placed | None
    kind: Placed | None
    name: Placed | None
    used: Placed | None


class HlsKernel(Record):
    column: int | None
    count: Placed | None
    kernel: Placed | None
    line: int | None
    names: tuple[object, ...] | None
    top: str | None
    provenance: str | None
    reports: tuple[str, ...] | None
    part: str | None
    tool: str | None
    clock_ns: float | None
    latency: float | None
    interval: float | None
    resources: tuple[HlsResource, ...] | None
    loops: tuple[HlsLoop, ...] | None
    modelled: HlsModelled | None


class HlsValue(Record):
    text: Placed


class HlsEntry(Record):
    key: Placed
    section: str
    value: HlsValue


class HlsStream(Record):
    line: int
    column: int
    from_: Placed
    to: Placed
    depth: Placed | None


class HlsUnparsed(Record):
    line: int
    reason: str


class HlsAnnotation(Record):
    bits: int | None
    dims: tuple[float | None, ...]
    element: str
    file: str
    function: str
    instances: tuple[float, ...]
    kind: str
    line: int
    name: str
    role: str
    underlying: str | None
    unknown: str | None


class HlsContent(Record):
    annotations: tuple[HlsAnnotation, ...] | None
    not_audited: str | None
    unparsed: tuple[HlsUnparsed, ...] | None
    entries: tuple[HlsEntry, ...] | None
    frequencies: tuple[object, ...] | None
    kernels: tuple[HlsKernel, ...] | None
    memory: tuple[HlsMemory, ...] | None
    slr: tuple[object, ...] | None
    streams: tuple[HlsStream, ...] | None
    unread: tuple[HlsUnread, ...] | None
    bursts: tuple[HlsBurst, ...] | None
    clock: HlsClock | None
    clocks: tuple[HlsClock, ...] | None
    compute_units: tuple[HlsComputeUnit, ...] | None
    cosim: tuple[HlsCosim, ...] | None
    flow_target: Placed | None
    kind: str | None
    memories: tuple[HlsMemory, ...] | None
    modules: tuple[HlsModule, ...] | None
    part: Placed | None
    ports: tuple[HlsPort, ...] | None
    pragmas: tuple[HlsPragma, ...] | None
    target_frequency: Placed | None
    tool: Placed | None
    top: Placed | None
    utilisation: tuple[HlsUtilisation, ...] | None
    version: Placed | None
    calls: tuple[str, ...] | None
    line: int | None
    name: str | None
    parameters: tuple[HlsParameter, ...] | None


class HlsFile(Record):
    file: str
    kind: str
    content: HlsContent | tuple[HlsContent, ...]


class Hls(Result):
    """What reports, configurations and kernels say: `derate.hls/1`."""

    _rows: ClassVar[str] = "files"

    schema: str
    command: str
    files: tuple[HlsFile, ...]
    kernels: tuple[HlsKernel, ...] | None

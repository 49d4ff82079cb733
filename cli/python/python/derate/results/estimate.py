"""An inference under each scenario: `derate.estimate/1`. The fields are those of the book's page on JSON."""

from __future__ import annotations

from typing import ClassVar

from derate._record import Figure, Record, Result


class EstimateChange(Record):
    kernel: str | None
    place: str | None
    change: EstimateChange | None
    cycles: tuple[float, ...] | None
    saves: float | None
    kind: str | None
    stages: tuple[str, ...] | None
    lanes: int | None
    multiply_adds: float | None
    port: str | None
    from_: float | None
    to: float | None


class EstimateMeasured(Record):
    section: float | None
    kernel: str | None
    measured: Figure
    extremes: tuple[float, ...] | None
    count: int | None
    timer: str | None
    predicted: Figure
    range: tuple[float, ...] | None
    at_clock: float | None
    error: float
    verdict: str
    roof: float | None
    terms: tuple[EstimateTerms, ...]


class EstimateList(Record):
    what: str
    direction: str
    bytes: Figure
    rate: Figure | None
    time: Figure | None


class EstimateTransfer(Record):
    list: tuple[EstimateList, ...]
    unknown: tuple[str, ...]


class EstimateLargest(Record):
    kernel: str
    resource: str
    used: float
    available: float


class EstimateRegion(Record):
    totals: tuple[EstimateTotal, ...]
    largest: tuple[EstimateLargest, ...]


class EstimateResource(Record):
    resource: str
    used: Figure
    available: float
    unknown: tuple[str, ...]


class EstimateUnserved(Record):
    part: str
    operations: tuple[str, ...]
    partly: tuple[object, ...]
    multiply_adds: float


class EstimateStage(Record):
    name: str
    ii: float
    held_by_port: str | None
    cycles: float
    multiply_adds: float


class EstimateUsed(Record):
    resource: str
    amount: Figure


class EstimateRoof(Record):
    bound: str
    time: Figure
    bytes: float
    memory: float
    distance: float | None


class EstimatePort(Record):
    name: str
    is_read: bool
    is_written: bool
    elements: float | None
    format: str | None


class EstimateFormat(Record):
    ports: tuple[EstimatePort, ...]
    arithmetic: str
    operands: str | None


class EstimateCycle(Record):
    low: float
    value: Figure
    high: float


class EstimateOperation(Record):
    part: str
    operation: str
    share: float
    multiply_adds: float


class EstimateServe(Record):
    operations: tuple[EstimateOperation, ...]
    layer_runs: float


class EstimateKernelDesign(Record):
    kernels: tuple[EstimateKernel, ...]
    totals: EstimateTotal
    transfers: EstimateTransfer
    measured: tuple[EstimateMeasured, ...]
    changes: tuple[EstimateChange, ...]


class EstimatePeak(Record):
    basis: str
    precision: str
    variant: str
    rate: Figure
    ridge_claimed_bandwidth: float | None
    ridge_derated_bandwidth: float | None


class EstimateGrid(Record):
    precision: str
    tokens: float
    bandwidth: float
    peak_basis: str
    ridge: float | None
    command: str
    flops: float
    elementwise_ops: float | None
    bytes: float
    weight_bytes: float
    oi: float
    bound: str | None
    attainable: float | None
    throughput_seconds: float | None
    latency_seconds: float | None


class EstimateSkipped(Record):
    scenario: str
    reason: str


class EstimateMissingPart(Record):
    part: str
    reason: str


class EstimateBandwidth(Record):
    name: str
    bandwidth: Figure | None
    sentence: str


class EstimateSynthesised(Record):
    top: str
    best: Figure
    worst: Figure
    clock: Figure
    seconds: Figure


class EstimateSensitivity(Record):
    name: str
    step: str
    from_: str
    to: str
    before: float | None
    after: float | None
    change: float | None


class EstimateVariant(Record):
    key: str
    title: str
    chosen: bool
    flops: float
    bytes: float
    throughput_seconds: float


class EstimateOperand(Record):
    member: int
    name: str
    role: str
    elements: float
    precision: str
    crossings: float
    bytes: float


class EstimateMatmul(Record):
    batch: int
    m: int
    k: int
    n: int


class EstimateMember(Record):
    name: str
    matmul: EstimateMatmul | None
    elementwise: str | None


class EstimateKernel(Record):
    block: str | None
    name: str
    batch: int | None
    m: int | None
    k: int | None
    n: int | None
    calls: Figure | float
    precision: str
    flops: float | None
    elementwise_ops: float | None
    bytes: float | None
    weight_bytes: float | None
    oi: float | None
    bound: str | None
    attainable: float | None
    throughput_seconds: float | None
    latency_seconds: float | None
    ridge: float | None
    latency: EstimateLatency | None
    unknown: tuple[str, ...] | None
    provenance: str | None
    members: tuple[EstimateMember, ...] | None
    footprint: float | None
    operands: tuple[EstimateOperand, ...] | None
    serves: EstimateServe | None
    units: int | None
    cycles: EstimateCycle | None
    interval: float | None
    clock: Figure | None
    formats: EstimateFormat | None
    multiply_adds: Figure | None
    top: str | None
    region: str | None
    roof: EstimateRoof | None
    used: tuple[EstimateUsed, ...] | None
    stages: tuple[EstimateStage, ...] | None


class EstimateOneLayer(Record):
    flops: float
    elementwise_ops: float
    bytes: float
    weight_bytes: float
    oi: float
    bound: str | None
    attainable: float | None
    throughput_seconds: float | None
    latency_seconds: float | None


class EstimatePart(Record):
    name: str
    layers: int
    runs: bool
    note: str
    stored_weight_bytes: float
    flops: float
    elementwise_ops: float | None
    bytes: float
    weight_bytes: float
    oi: float
    bound: str | None
    attainable: float | None
    throughput_seconds: float | None
    latency_seconds: float | None
    latency: EstimateLatency | None
    one_layer: EstimateOneLayer | None
    kernels: tuple[EstimateKernel, ...]
    provenance: str


class EstimateArray(Record):
    rows: Figure
    columns: Figure
    unroll: Figure
    accumulation_ii: Figure
    fill: Figure
    lanes: object
    memory_latency: Figure
    launch: Figure
    launches: str
    clock: Figure
    precision: str
    dsp: Figure


class EstimateRule(Record):
    term: str
    rule: str
    inputs: str


class EstimateTerms(Record):
    roofline: float | None
    edge_tiles: float | None
    accumulation: float | None
    fill: float | None
    elementwise: float | None
    memory_latency: float | None
    launch: float | None
    term: str | None
    predicted: float | None
    needed: float | None
    factor: float | None
    observed: float | None
    is_shown: bool | None
    doubt: str | None


class EstimateLatency(Record):
    seconds: float | None
    gap: float | None
    terms: EstimateTerms | None
    host_call: float | None
    provenance: str | None
    rules: tuple[EstimateRule, ...] | None
    array: EstimateArray | None
    unknown: tuple[str, ...] | None
    roofline: float | None
    edge_tiles: float | None
    accumulation: float | None
    fill: float | None
    elementwise: float | None
    memory_latency: float | None
    launch: float | None


class EstimateTotal(Record):
    flops: float | None
    elementwise_ops: float | None
    bytes: float | None
    weight_bytes: float | None
    oi: float | None
    bound: str | None
    attainable: float | None
    throughput_seconds: float | None
    latency_seconds: float | None
    latency: Figure | None
    range: tuple[float, ...] | None
    launches: float | None
    transfers: float | None
    served_share: float | None
    unserved: tuple[EstimateUnserved, ...] | None
    resources: tuple[EstimateResource, ...] | None
    regions: EstimateRegion | None
    region: str | None
    resource: str | None
    used: Figure | None
    available: float | None
    kernels: tuple[str, ...] | None


class EstimateCeiling(Record):
    precision: str
    variant: str
    rate: Figure
    ridge: float


class EstimateRefused(Record):
    part: str
    block: str
    kernels: tuple[str, ...]
    footprint: float
    on_chip: float
    exceeds: float


class EstimateScenario(Record):
    name: str
    change: str
    command: str
    schedule: str
    chosen: bool
    precision: str
    tokens: Figure
    bandwidth: Figure
    on_chip: Figure
    peak_basis: str
    unclaimed: tuple[str, ...] | None
    ceilings: tuple[EstimateCeiling, ...]
    totals: EstimateTotal
    latency: EstimateLatency | None
    refused: tuple[EstimateRefused, ...]
    parts: tuple[EstimatePart, ...]


class Estimate(Result):
    """An inference under each scenario: `derate.estimate/1`."""

    _rows: ClassVar[str] = "scenarios"

    schema: str
    command: str
    workload: str
    platform: str
    batch: int
    scenarios: tuple[EstimateScenario, ...]
    variants: tuple[EstimateVariant, ...]
    sensitivity: tuple[EstimateSensitivity, ...]
    synthesised: tuple[EstimateSynthesised, ...]
    bandwidths: tuple[EstimateBandwidth, ...]
    claimed_latency: float | None
    missing_parts: tuple[EstimateMissingPart, ...]
    skipped: tuple[EstimateSkipped, ...]
    by_precision: tuple[EstimateScenario, ...]
    grid: tuple[EstimateGrid, ...]
    peaks: tuple[EstimatePeak, ...]
    kernel_design: EstimateKernelDesign | None
    raw_bits: str | None

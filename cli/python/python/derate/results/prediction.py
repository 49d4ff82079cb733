"""An operator or a language model at the roofline: `derate.prediction/1`. The fields are those of the book's page on JSON."""

from __future__ import annotations

from typing import ClassVar

from derate._record import Figure, Record, Result


class PredictionPoint(Record):
    batch: int
    prompt: int
    generate: int
    context: int
    prefill_seconds: float | None
    prefill_at_least_seconds: float
    prefill_oi: float
    prefill_bound: str | None
    decode_seconds: float | None
    decode_at_least_seconds: float
    decode_oi: float
    decode_bound: str | None
    decode_tokens_per_second: float | None
    decode_tokens_per_second_at_most: float
    seconds: float | None
    at_least_seconds: float
    held: float
    fits: bool | None


class PredictionAxis(Record):
    key: str
    values: tuple[float, ...]


class PredictionSweep(Record):
    axes: tuple[PredictionAxis, ...]
    points: tuple[PredictionPoint, ...]


class PredictionMeasured(Record):
    seconds: float
    tokens_per_second: float
    bandwidth: float
    rate: float
    of_roofline: float | None
    bound: str | None
    floor_seconds: float
    impossible: bool
    sentence: str


class PredictionRun(Record):
    decode_steps: int
    decoding: PredictionTotal | None
    totals: PredictionTotal
    tokens_per_second: float | None
    tokens_per_second_at_most: float


class PredictionMemory(Record):
    weights: float
    cache_of_token: float
    cache: float
    total: float
    capacity: float | None
    driver_keeps: float | None
    usable: float | None
    fits: bool | None


class PredictionParameter(Record):
    matrices: float
    vectors: float
    embedding: float
    head: float


class PredictionBiases(Record):
    qkv: bool
    output: bool
    ffn: bool


class PredictedModel(Record):
    name: str
    title: str
    source: str
    hidden: int
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    ffn: int
    vocabulary: int
    tied: bool
    positions: int | None
    window: int | None
    biases: PredictionBiases
    head_norms: bool
    dtype: str | None
    notes: tuple[str, ...]
    parameters: PredictionParameter
    total_parameters: float


class PredictionLanguage(Record):
    model: PredictedModel
    memory: PredictionMemory
    decode_tokens_per_second: float | None
    decode_tokens_per_second_at_most: float
    run: PredictionRun
    measured: PredictionMeasured | None
    sweep: PredictionSweep | None


class PredictionTiming(Record):
    device: str
    arithmetic: str
    rows: float
    framework: str
    source: str


class PredictionExpectedFrom(Record):
    products: str
    arithmetic: str
    basis: str | None
    timings: PredictionTiming | None
    borrowed_from: tuple[str, ...]
    band: PredictionBand | None
    unknown: str | None


class ConditionalTime(Record):
    """Time and bound where a peak is not known but has a range."""

    condition: str
    bound: str | None
    seconds_from: float
    seconds_to: float
    memory_bound_above: float | None


class PredictionTotal(Record):
    flops: float
    bytes: float
    oi: float
    seconds: float | None
    at_least_seconds: float
    compute_seconds: float | None
    memory_seconds: float
    memory_bound_seconds: float | None
    overlapped_seconds: float | None
    reached_seconds: float | None
    bound: str | None
    unknown: str | None
    conditional: ConditionalTime | None


class PredictionOperand(Record):
    name: str
    role: str
    encoding: str
    rows: float
    columns: float
    bytes: float


class PredictionBand(Record):
    rows: float
    mean: float
    half: float
    nine_tenths: float


class ExpectedTime(Record):
    seconds: float | None
    region: str | None
    band: PredictionBand | None
    products: tuple[str, ...] | None
    unknown: str | None
    known_seconds: float | None
    nine_tenths: float | None
    roofline_seconds: float | None
    without: tuple[str, ...] | None


class PredictionOperation(Record):
    name: str
    runs: float
    arithmetic: str | None
    flops: float
    elementwise_ops: float
    bytes: float
    oi: float
    seconds: float | None
    at_least_seconds: float
    bound: str | None
    unknown: str | None
    conditional: ConditionalTime | None
    expected: ExpectedTime | None
    operands: tuple[PredictionOperand, ...]


class PredictionPhase(Record):
    name: str
    operations: tuple[PredictionOperation, ...]
    totals: PredictionTotal | None
    expected: ExpectedTime | None


class PredictionWorkload(Record):
    kind: str
    m: int | None
    n: int | None
    k: int | None
    batch: int | None
    heads: int | None
    kv_heads: int | None
    head_dim: int | None
    queries: float | None
    keys: float | None
    causal: bool | None
    window: int | None
    scores: str | None
    width: int | None
    layers: int | None
    backward: bool | None
    apart: bool | None
    model: str | None
    prompt: int | None
    generate: int | None
    context: int | None


class PeakRange(Record):
    """What an unknown peak may be, in operations per second."""

    from_: float
    to: float | None
    condition: str


class PredictionPeak(Record):
    arithmetic: str
    computed_as: str | None
    rate: Figure | None
    ridge: float | None
    unknown: str | None
    range: PeakRange | None


class PredictionRoof(Record):
    memory: str
    bandwidth: Figure
    reached_bandwidth: Figure | None
    compute_efficiency: Figure | None
    capacity: Figure | None
    driver_keeps: Figure | None
    peaks: tuple[PredictionPeak, ...]


class PredictionPrecision(Record):
    weights: str
    activations: str
    kv: str
    table: str
    scores: str
    accumulate: str


class PredictionPlatform(Record):
    name: str
    title: str
    kind: str


class MeasuredOperator(Record):
    seconds: float
    rate: float
    bandwidth: float
    of_roofline: float | None
    error: float | None


class CountedKernel(Record):
    """Means of the launches of a kernel."""

    name: str
    launches: int
    seconds: float | None
    bytes: float | None
    sm_share: float | None
    dram_share: float | None


class CountedRun(Record):
    """What a profiler counted, one launch of each kernel together."""

    kernels: tuple[CountedKernel, ...]
    bytes: float | None
    seconds: float | None
    of_modelled: float | None
    oi: float | None


class PowerLog(Record):
    """What a monitor saw, in watts."""

    tool: str
    device: str | None
    samples: int
    mean: float
    least: float
    most: float


class MeasuredEnergy(Record):
    """Mean power times the measured or counted time."""

    power: PowerLog
    seconds: float
    joules: float
    joules_per_operation: float


class MeasuredPoint(Record):
    """A measured point of the roofline; `range` has the slowest and the fastest repetition."""

    name: str
    oi: float
    rate: float
    range: tuple[float, ...] | None
    source: str


class Prediction(Result):
    """An operator or a language model at the roofline: `derate.prediction/1`."""

    _rows: ClassVar[str] = "phases.operations"

    schema: str
    command: str
    platform: PredictionPlatform
    precision: PredictionPrecision
    roofs: PredictionRoof
    workload: PredictionWorkload
    phases: tuple[PredictionPhase, ...]
    expected_from: tuple[PredictionExpectedFrom, ...]
    language: PredictionLanguage | None
    measured: MeasuredOperator | None
    counted: CountedRun | None
    energy: MeasuredEnergy | None
    points: tuple[MeasuredPoint, ...]
    notes: tuple[str, ...]

"""Commands on figures alone: `predict`, `formats`, `validate`, `models`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from derate._command import Path, Paths, Value, give, give_axes, give_each, name_paths, run
from derate.results.formats import Formats
from derate.results.models import LanguageModels
from derate.results.prediction import Prediction
from derate.results.validation import Validation

Axes = dict[str, Sequence[Value]] | Sequence[str]


def predict(
    workload: Literal["gemv", "gemm", "attention", "mlp", "llm"],
    *,
    platform: Path,
    precision: str | None = None,
    bandwidth: str | None = None,
    peak: str | Sequence[str] | None = None,
    clock: str | None = None,
    memory_efficiency: float | None = None,
    compute_efficiency: float | None = None,
    shape: str | None = None,
    m: int | None = None,
    n: int | None = None,
    k: int | None = None,
    batch: int | None = None,
    heads: int | None = None,
    kv_heads: int | None = None,
    head_dim: int | None = None,
    queries: int | None = None,
    keys: int | None = None,
    causal: bool = False,
    window: int | None = None,
    scores: Literal["fused", "written", "apart"] | None = None,
    width: int | None = None,
    layers: int | None = None,
    forward: bool = False,
    eager: bool = False,
    model: Path | None = None,
    prompt: int | None = None,
    generate: int | None = None,
    context: int | None = None,
    measured: str | None = None,
    points: Path | None = None,
    counted: Path | None = None,
    kernel: str | None = None,
    power: Path | None = None,
    sweep: Axes | None = None,
    all_logits: bool = False,
    head_precision: str | None = None,
) -> Prediction:
    """Predicts an operator or a language model on a card or a processor, at the roofline.

    An argument that the workload does not have is refused, as the binary refuses it: `derate predict WORKLOAD --help` lists
    those that it has.
    """
    return run(
        Prediction,
        ["predict", workload],
        give("platform", platform),
        give("model", model),
        give("shape", shape),
        give("m", m),
        give("n", n),
        give("k", k),
        give("batch", batch),
        give("heads", heads),
        give("kv-heads", kv_heads),
        give("head-dim", head_dim),
        give("queries", queries),
        give("keys", keys),
        give("causal", causal),
        give("window", window),
        give("scores", scores),
        give("width", width),
        give("layers", layers),
        give("forward", forward),
        give("eager", eager),
        give("prompt", prompt),
        give("generate", generate),
        give("context", context),
        give("measured", measured),
        give("points", points),
        give("counted", counted),
        give("kernel", kernel),
        give("power", power),
        give_axes(sweep),
        give("all-logits", all_logits),
        give("head-precision", head_precision),
        give("precision", precision),
        give("bandwidth", bandwidth),
        give_each("peak", peak),
        give("clock", clock),
        give("memory-efficiency", memory_efficiency),
        give("compute-efficiency", compute_efficiency),
    )


def models() -> LanguageModels:
    """The language models that are built in."""
    return run(LanguageModels, ["predict", "models"])


def formats(
    *,
    platform: Path | None = None,
    gemm: str | None = None,
    mlp: str | None = None,
    precision: Sequence[str] | str | None = None,
    points: Path | None = None,
    out: Path | None = None,
) -> Formats:
    """Compares number formats: bits, operational intensity, distance to the ridge, bit-level intensity."""
    return run(
        Formats,
        ["formats"],
        give("platform", platform),
        give("gemm", gemm),
        give("mlp", mlp),
        give_each("precision", precision),
        give("points", points),
        give("out", out),
    )


def validate(
    files: Paths = (), *, project: Path | None = None, bandwidth: str | None = None
) -> Validation:
    """Holds measurements against the claimed bandwidth."""
    words = ["validate", *name_paths(files), *give("project", project), *give("bandwidth", bandwidth)]
    return run(Validation, words)

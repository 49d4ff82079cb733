"""Commands on a project or on code: `audit`, `types`, `hls`, `kernel`, `estimate`, `explore`, `report`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

from derate._command import Path, Paths, Value, give, give_axes, give_each, name_paths, preprocess, run
from derate.results.audit import Audit
from derate.results.estimate import Estimate
from derate.results.exploration import Exploration
from derate.results.hls import Hls
from derate.results.kernel import Kernel
from derate.results.report import Report
from derate.results.sweep import Sweep
from derate.results.types import Types

Axes = dict[str, Sequence[Value]] | Sequence[str]


def audit(
    project: Path = ".", *, include: Paths | None = None, define: Sequence[str] | None = None
) -> Audit:
    """Holds the claims of `derate.toml` against the code and the model; a folder without one is audited as it is."""
    return run(Audit, ["audit", *name_paths(project)], preprocess(include, define))


def types(
    files: Paths, *, include: Paths | None = None, define: Sequence[str] | None = None
) -> Types:
    """Says what each alias of C++ headers really is."""
    return run(Types, ["types", *name_paths(files)], preprocess(include, define))


def hls(
    files: Paths,
    *,
    source: Paths | None = None,
    top: str | None = None,
    include: Paths | None = None,
    define: Sequence[str] | None = None,
    directives: Path | None = None,
) -> Hls:
    """Says what reports, v++ configurations, kernels and folders of reports say."""
    return run(
        Hls,
        ["hls", *name_paths(files)],
        give_each("source", source),
        give("top", top),
        preprocess(include, define),
        give("directives", directives),
    )


def _kernel_source(
    files: Paths,
    top: str | None,
    include: Paths | None,
    define: Sequence[str] | None,
    directives: Path | None,
    part: str | None,
    platform: Path | None,
    clock: str | None,
    tool: str | None,
    constants: Path | None,
) -> list[str]:
    return [
        *name_paths(files),
        *give("top", top),
        *preprocess(include, define),
        *give("directives", directives),
        *give("part", part),
        *give("platform", platform),
        *give("clock", clock),
        *give("tool", tool),
        *give("constants", constants),
    ]


def kernel(
    files: Paths = (),
    *,
    top: str | None = None,
    include: Paths | None = None,
    define: Sequence[str] | None = None,
    directives: Path | None = None,
    part: str | None = None,
    platform: Path | None = None,
    clock: str | None = None,
    tool: str | None = None,
    constants: Path | None = None,
) -> Kernel:
    """Models what Vitis HLS would make of a kernel: cycles, intervals and what holds them, resources."""
    words = _kernel_source(
        files, top, include, define, directives, part, platform, clock, tool, constants
    )
    return run(Kernel, ["kernel", *words])


@overload
def estimate(
    project: Path = ".",
    *,
    sweep: Axes,
    scenario: str | None = None,
    precision: str | None = None,
    tokens: int | None = None,
    bandwidth: str | None = None,
    peak: str | None = None,
    schedule: str | None = None,
    include: Paths | None = None,
    define: Sequence[str] | None = None,
) -> Sweep: ...


@overload
def estimate(
    project: Path = ".",
    *,
    sweep: None = None,
    scenario: str | None = None,
    precision: str | None = None,
    tokens: int | None = None,
    bandwidth: str | None = None,
    peak: str | None = None,
    schedule: str | None = None,
    include: Paths | None = None,
    define: Sequence[str] | None = None,
) -> Estimate: ...


def estimate(
    project: Path = ".",
    *,
    sweep: Axes | None = None,
    scenario: str | None = None,
    precision: str | None = None,
    tokens: int | None = None,
    bandwidth: str | None = None,
    peak: str | None = None,
    schedule: str | None = None,
    include: Paths | None = None,
    define: Sequence[str] | None = None,
) -> Estimate | Sweep:
    """Models an inference under each scenario, or under one; with `sweep`, under every combination of its axes."""
    words = [
        "estimate",
        *name_paths(project),
        *preprocess(include, define),
        *give("scenario", scenario),
        *give("precision", precision),
        *give("tokens", tokens),
        *give("bandwidth", bandwidth),
        *give("peak", peak),
        *give("schedule", schedule),
        *give_axes(sweep),
    ]
    return run(Estimate, words) if sweep is None else run(Sweep, words)


def explore(
    files: Paths = ".",
    *,
    vary: Axes | None = None,
    space: Path | None = None,
    limit: dict[str, Value] | Sequence[str] | None = None,
    seconds: float | None = None,
    resume: Path | None = None,
    objective: str | None = None,
    per_slr: bool = False,
    out: Path | None = None,
    write: Path | None = None,
    top: str | None = None,
    include: Paths | None = None,
    define: Sequence[str] | None = None,
    directives: Path | None = None,
    part: str | None = None,
    platform: Path | None = None,
    clock: str | None = None,
    tool: str | None = None,
    constants: Path | None = None,
) -> Exploration:
    """Searches the designs of a kernel, or of a project's folder, for the best that fits."""
    if isinstance(limit, dict):
        limit = [f"{resource}={most}" for resource, most in limit.items()]
    words = _kernel_source(
        files, top, include, define, directives, part, platform, clock, tool, constants
    )
    return run(
        Exploration,
        ["explore", *words],
        give_axes(vary, "vary"),
        give("space", space),
        give_each("limit", limit),
        give("seconds", seconds),
        give("resume", resume),
        give("objective", objective),
        give("per-slr", per_slr),
        give("out", out),
        give("write", write),
    )


def report(
    project: Path = ".",
    *,
    out: Path = "reports/out",
    points: Path | None = None,
    include: Paths | None = None,
    define: Sequence[str] | None = None,
) -> Report:
    """Writes report.json, the page, the workbook, the paper, figures and tables into the folder `out`."""
    words = ["report", *name_paths(project), *preprocess(include, define)]
    answer = run_report([*words, *give("out", out), *give("points", points)])
    return answer


def run_report(words: list[str]) -> Report:
    """The report has a file for each format, so its `--format` is all of them."""
    from derate import _derate
    from derate._progress import choose_progress

    return Report(_derate.answer(words, choose_progress()))

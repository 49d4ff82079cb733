"""Results: fields with types, equality, pickle, HTML, Arrow."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Mapping
from pathlib import Path

import derate
import nanoarrow
import pytest
from derate._record import Record, Result, _annotations, _key
from test_same_answers import CALLS, Call


def _is_of(value: object, kind: str) -> bool:
    """Whether a value of the JSON is of a declared type."""
    if kind in ("Any", "object"):
        return True
    parts = [part.strip() for part in kind.replace("tuple[", "[").split(" | ")]
    if value is None:
        return "None" in parts
    if isinstance(value, bool):
        return "bool" in parts
    if isinstance(value, int):
        return "int" in parts or "float" in parts
    if isinstance(value, float):
        return "float" in parts
    if isinstance(value, str):
        return "str" in parts
    return True


def _check(record: Record, seen: list[str]) -> None:
    kinds = {_key(name): kind for name, kind in _annotations(type(record)).items()}
    for key, value in record._data.items():
        where = f"{type(record).__name__}.{key}"
        assert key in kinds, f"{where} = {value!r:.80} is not declared"
        kind = kinds[key]
        if isinstance(value, list):
            assert "tuple" in kind, f"{where}: {kind}"
        elif isinstance(value, dict):
            read = getattr(record, key)
            assert isinstance(read, Record) or "Mapping" in kind or kind == "Any", f"{where}: {kind}"
        else:
            assert _is_of(value, kind), f"{where}: {value!r:.80} is not {kind}"
        seen.append(where)
        _descend(getattr(record, key), where, kind, seen)


def _descend(value: object, where: str, kind: str, seen: list[str]) -> None:
    if isinstance(value, Record):
        _check(value, seen)
    elif isinstance(value, tuple):
        for one in value:
            assert not isinstance(one, dict), f"{where}: {kind} has objects without a class"
            _descend(one, where, kind, seen)
    elif isinstance(value, Mapping) and kind != "Any" and "Mapping[str, object]" not in kind:
        for one in value.values():
            _descend(one, where, kind, seen)


@pytest.mark.parametrize("call", CALLS, ids=[" ".join(words) for words, _ in CALLS])
def test_every_field_is_declared_with_its_type(call: Call) -> None:
    seen: list[str] = []
    _check(call[1](), seen)
    assert seen


def test_other_results_are_declared_too(tmp_path: Path) -> None:
    points = tmp_path / "points.csv"
    points.write_text("name,oi,rate,source\ngemv,1,500 GFLOP/s,a run\n")
    results: list[Result] = [
        derate.models(),
        derate.formats(platform="h100-sxm", gemm="512x512x512"),
        derate.formats(platform="u280", mlp="2048,4,512"),
        derate.predict("llm", platform="t4", model="mistral-7b", measured="9 s", sweep={"batch": [1, 2]}),
        derate.predict("attention", platform="a100-80", heads=32, head_dim=128, queries=1, keys=8192),
        derate.predict("mlp", platform="h100-sxm", width=2048, layers=4, batch=512),
        derate.predict("gemv", platform="gb10", shape="4096x4096", precision="nvfp4", peak=["fp8=124 TFLOP/s"]),
        derate.predict(
            "gemv",
            platform="a100-40",
            shape="4096x4096",
            counted="fixtures/profiles/ncu-long.csv",
            kernel="gemv2T",
            power="fixtures/profiles/smi-power.csv",
            points=points,
        ),
        derate.estimate("fixtures/smolvla", sweep=["cameras=1,2"]),
        derate.explore("examples/attention-scores/scores.cpp", top="scores", objective="dsp", limit={"latency": "1ms"}),
    ]
    for result in results:
        _check(result, [])


def test_results_are_equal_and_pickle() -> None:
    one, other = derate.audit("fixtures/smolvla"), derate.audit("fixtures/smolvla")
    assert one == other and hash(one) == hash(other) and one is not other
    assert one != derate.audit("fixtures/smolvla-bf16")
    again = pickle.loads(pickle.dumps(one))
    assert again == one and again.findings == one.findings and again.to_json() == one.to_json()
    assert again._repr_html_() == one._repr_html_()
    finding = one.findings[0]
    assert pickle.loads(pickle.dumps(finding)) == finding
    with pytest.raises(AttributeError):
        finding.code = "other"


def test_figures_are_in_si_units() -> None:
    estimate = derate.estimate("fixtures/smolvla")
    claimed = estimate.scenarios[0]
    assert claimed.bandwidth.value == 460e9 and claimed.bandwidth.provenance == "assumed"
    assert claimed.parts[0].kernels[0].flops == 92_160_000
    assert float(claimed.bandwidth) == 460e9


def test_html_is_a_part_of_a_page_in_the_look_of_the_report(tmp_path: Path) -> None:
    for result in (derate.audit("fixtures/smolvla"), derate.estimate("fixtures/smolvla"), derate.predict("gemv", platform="u280", shape="64x64")):
        html = result._repr_html_()
        assert html.startswith('<div class="derate">') and "<table" in html and "<script" not in html
    assert "data:image/svg" in derate.report("fixtures/smolvla", out=tmp_path)._repr_html_()


def test_rows_become_arrow_with_types_that_do_not_depend_on_the_values() -> None:
    audit = derate.audit("fixtures/smolvla")
    table = nanoarrow.c_array_stream(audit.to_arrow())
    rows = nanoarrow.Array(table).to_pylist()
    assert [row["code"] for row in rows] == [finding.code for finding in audit.findings]
    kernels = derate.estimate("fixtures/smolvla").to_arrow("scenarios.parts.kernels")
    columns = nanoarrow.Array(kernels).schema
    types = {field.name: str(field.type) for field in columns.fields}
    assert types["flops"].endswith("DOUBLE") and types["latency_seconds"].endswith("DOUBLE")
    assert types["scenarios.name"].endswith("STRING") and types["parts.layers"].endswith("INT64")
    clean = derate.audit("fixtures/smolvla-bf16").to_arrow()
    assert nanoarrow.Array(clean).schema.fields
    with pytest.raises(derate.UsageError, match="has no list"):
        audit.to_arrow("nothing")


def test_a_sweep_has_a_column_for_each_axis() -> None:
    sweep = derate.estimate("fixtures/smolvla", sweep={"cameras": [1, 2], "precision": ["bf16", "int8"]})
    rows = nanoarrow.Array(sweep.to_arrow()).to_pylist()
    assert [(row["cameras"], row["precision"]) for row in rows] == [("1", "bf16"), ("1", "int8"), ("2", "bf16"), ("2", "int8")]
    assert rows[3]["flops"] == sweep.points[3].flops


def test_a_batch_gives_the_figures_of_the_sweep() -> None:
    sweep = derate.predict("llm", platform="h100-sxm", model="llama-3-8b", sweep={"batch": [1, 8], "prompt": [100, 2000], "generate": [7, 64]})
    assert sweep.language is not None and sweep.language.sweep is not None
    points = sweep.language.sweep.points
    table = derate.decoder_batch(
        "llama-3-8b",
        "h100-sxm",
        batch=[point.batch for point in points],
        prompt=[point.prompt for point in points],
        generate=[point.generate for point in points],
    )
    rows = nanoarrow.Array(table).to_pylist()
    assert len(table) == 8 and rows == [point.to_dict() for point in points]
    with pytest.raises(derate.Error, match="row 1"):
        derate.decoder_batch("llama-3-8b", "h100-sxm", batch=[1, 0], prompt=[1, 1], generate=[1, 1])
    with pytest.raises(derate.Error, match="row 0"):
        derate.decoder_batch("llama-3-8b", "h100-sxm", batch=[-1], prompt=[1], generate=[1])
    with pytest.raises(ValueError, match="different lengths"):
        derate.decoder_batch("llama-3-8b", "h100-sxm", batch=[1, 1], prompt=[1], generate=[1])


def test_every_function_has_types_and_a_sentence() -> None:
    for name in derate.__all__:
        function = getattr(derate, name)
        if inspect.isfunction(function):
            assert function.__doc__ and "return" in function.__annotations__, name

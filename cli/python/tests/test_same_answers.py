"""The module gives what the binary prints, to the byte, over all fixtures."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import derate
import pytest
from commands import ENTRY, ROOT, print_json, run_binary
from derate._record import Result

Call = tuple[list[str], Callable[[], Result]]


def _relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _projects() -> list[str]:
    files = [*ROOT.glob("fixtures/**/derate.toml"), *ROOT.glob("examples/*/derate.toml")]
    has_model = [file for file in files if "shapes" in file.read_text()]
    return sorted(_relative(file.parent) for file in has_model)


def _files(*patterns: str) -> list[str]:
    found = (file for pattern in patterns for file in ROOT.glob(pattern))
    return sorted(_relative(file) for file in found if file.is_file())


def _calls() -> list[Call]:
    calls: list[Call] = []
    for project in _projects():
        calls.append((["audit", project], partial(derate.audit, project)))
        calls.append((["estimate", project], partial(derate.estimate, project)))
    for folder in ["fixtures/kernels", "fixtures/synthesis"]:
        calls.append((["audit", folder], partial(derate.audit, folder)))
    for file in _files("fixtures/**/*.h", "examples/**/*.h", "fixtures/types/**/*.py"):
        calls.append((["types", file], partial(derate.types, file)))
    reports = ["fixtures/reports/**/*.xml", "fixtures/reports/**/*.rpt", "fixtures/**/*.cfg"]
    for file in _files(*reports, "fixtures/kernels/*.cpp"):
        if run_binary(["hls", file]).returncode == 0:
            calls.append((["hls", file], partial(derate.hls, file)))
    for file in _files("fixtures/kernels/*.cpp", "examples/attention-scores/*.cpp"):
        calls.append((["kernel", file], partial(derate.kernel, file)))
    for file in _files("fixtures/measurements/*/measurement.json"):
        calls.append((["validate", file], partial(derate.validate, file)))
    return calls


CALLS = _calls()


@pytest.mark.parametrize("call", CALLS, ids=[" ".join(words) for words, _ in CALLS])
def test_fixtures_give_the_bytes_of_the_binary(call: Call) -> None:
    words, ask = call
    assert ask().to_json() == print_json(words)


def test_figures_give_the_bytes_of_the_binary() -> None:
    gemm = derate.predict("gemm", platform="h100-sxm", m=4096, n=4096, k=4096, precision="fp8")
    words = "predict gemm --platform h100-sxm --m 4096 --n 4096 --k 4096 --precision fp8"
    # The command is a part of the answer, in the order in which it was given.
    assert gemm.phases == derate.predict("gemm", platform="h100-sxm", shape="4096x4096x4096", precision="fp8").phases
    assert gemm.to_json() == print_json(words.split())
    llm = derate.predict("llm", platform="t4", model="mistral-7b", sweep={"batch": [1, 2, 4]})
    words = "predict llm --platform t4 --model mistral-7b --sweep batch=1,2,4"
    assert llm.to_json() == print_json(words.split())
    assert derate.models().to_json() == print_json(["predict", "models"])
    assert derate.formats(platform="u280").to_json() == print_json(["formats", "--platform", "u280"])


def test_sweeps_and_searches_give_the_bytes_of_the_binary() -> None:
    sweep = derate.estimate("fixtures/smolvla", sweep={"cameras": [1, 2, 3], "precision": ["bf16", "int8"]})
    words = ["estimate", "fixtures/smolvla", "--sweep", "cameras=1,2,3", "--sweep", "precision=bf16,int8"]
    assert sweep.to_json() == print_json(words)
    found = derate.explore("examples/attention-scores/scores.cpp", top="scores", seconds=60)
    words = ["explore", "examples/attention-scores/scores.cpp", "--top", "scores", "--seconds", "60"]
    assert found.to_json() == print_json(words)
    assert found.certificate == "optimal"


def test_a_report_has_the_bytes_of_its_file(tmp_path: Path) -> None:
    report = derate.report("fixtures/smolvla", out=tmp_path)
    assert report.to_json() == (tmp_path / "report.json").read_text()
    assert report.audit.findings and report.estimate.scenarios[0].parts
    assert (tmp_path / "report.html").is_file()


def test_the_entry_point_is_the_binary() -> None:
    for words in (["--version"], ["audit", "fixtures/smolvla"], ["rule", "precision/alias-width"], ["audit", "nowhere"], ["bad"]):
        binary, entry = run_binary(words), run_binary(words, ENTRY)
        assert (binary.returncode, binary.stdout, binary.stderr) == (entry.returncode, entry.stdout, entry.stderr)

"""Errors are exceptions with file and line; long work hears Ctrl-C and says how far it is."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import derate
import pytest
from derate import _derate


def test_an_error_names_its_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "derate.toml").write_text("[model]\nshapes = 7\n")
    with pytest.raises(derate.Error) as raised:
        derate.estimate(tmp_path)
    assert raised.value.line == 2 and str(raised.value.file).endswith("derate.toml")
    assert f"{raised.value.file}:2" in str(raised.value)
    (tmp_path / "mine.toml").write_text("name = 5\n")
    with pytest.raises(derate.Error) as raised:
        derate.predict("gemv", platform=str(tmp_path / "mine.toml"), shape="1x1")
    assert raised.value.line == 1 and str(raised.value.file).endswith("mine.toml")
    with pytest.raises(derate.Error) as raised:
        derate.types("nowhere.h")
    assert raised.value.file == "nowhere.h" and raised.value.line is None


def test_a_wrong_argument_is_a_usage_error() -> None:
    with pytest.raises(derate.UsageError, match="--width"):
        derate.predict("gemv", platform="u280", shape="1x1", width=3)
    with pytest.raises(derate.UsageError, match="abc"):
        derate.predict("gemv", platform="u280", shape="1x1", memory_efficiency="abc")  # type: ignore[arg-type]
    with pytest.raises(derate.Error, match="no platform is called"):
        derate.predict("gemv", platform="u999", shape="1x1")
    assert issubclass(derate.UsageError, derate.Error)
    assert derate.Error("one").file is None


LONG = """
import signal
import derate
# A shell's background job ignores the signal.
signal.signal(signal.SIGINT, signal.default_int_handler)
print("begins", flush=True)
derate.explore("fixtures/codesign/wide/kernels/attention.cpp", top="attention", seconds=300)
"""


def test_ctrl_c_ends_a_search() -> None:
    words = [sys.executable, "-c", LONG]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None and run.stdout.readline() == "begins\n"
        time.sleep(2)
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=60)
    assert "KeyboardInterrupt" in said, said
    assert run.returncode != 0


def test_progress_is_shown_and_other_threads_run() -> None:
    said: list[tuple[str, float]] = []
    ticks = 0
    done = threading.Event()

    def count() -> None:
        nonlocal ticks
        while not done.wait(0.01):
            ticks += 1

    other = threading.Thread(target=count)
    other.start()
    words = ["explore", "fixtures/smolvla", "--seconds", "2", "--format", "json"]
    _derate.answer(words, lambda text, share: said.append((text, share)))
    done.set()
    other.join()
    assert any("designs" in text and 0.0 <= share <= 1.0 for text, share in said), said
    assert said[-1] == ("", 1.0)
    assert ticks > 20


def test_the_import_is_light() -> None:
    heavy = "torch numpy pandas pyarrow polars ray IPython dataclasses inspect asyncio".split()
    look = f"import derate, sys; print([name for name in {heavy} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"

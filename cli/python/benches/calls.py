"""How fast the package is: the import, a call beyond its work, decoders in a batch. Each line says what is wanted."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from array import array
from collections.abc import Callable
from typing import TypeVar

import derate
from derate import _derate

T = TypeVar("T")


def median_seconds(work: Callable[[], object], repetitions: int) -> float:
    """The median time of a call."""
    times: list[float] = []
    for _ in range(repetitions):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return statistics.median(times)


def import_seconds() -> float:
    """The import in a process of its own, without the interpreter's start."""
    look = "import time; t = time.perf_counter(); import derate; print(time.perf_counter() - t)"
    run = lambda: float(subprocess.run([sys.executable, "-c", look], capture_output=True, check=True).stdout)  # noqa: E731
    return statistics.median(run() for _ in range(9))


def main() -> None:
    print(f"import: {1e3 * import_seconds():.1f} ms (wanted: < 50)")
    words = ["predict", "gemv", "--platform", "h100-sxm", "--shape", "4096x4096", "--format", "json"]
    inside = statistics.median(_derate.time_answer(words) for _ in range(300))
    call = median_seconds(lambda: derate.predict("gemv", platform="h100-sxm", shape="4096x4096"), 300)
    print(f"a call of predict: {1e6 * call:.0f} us, {1e6 * (call - inside):.0f} us beyond the work (wanted: < 100)")
    rows = 1_000_000
    batch = array("q", (1 + at % 64 for at in range(rows)))
    prompt = array("q", (1 + at % 8192 for at in range(rows)))
    generate = array("q", (1 + at % 512 for at in range(rows)))
    for model in ("smollm2-360m", "llama-3-70b"):
        work = lambda: derate.decoder_batch(model, "h100-sxm", batch=batch, prompt=prompt, generate=generate)  # noqa: E731
        seconds = median_seconds(work, 3)
        print(f"decoder_batch of {model}: {rows / seconds / 1e6:.2f} M runs a second (wanted: 1)")


if __name__ == "__main__":
    main()

"""The search on Ray: same bytes as one process, lost workers, and how well it scales. An extra of `make test-models`.

Run as `python cli/python/tests/ray_parts.py` where the wheel and ray are installed. The work of the scaling tests waits or
counts for a known time, so that what is measured is the overhead of the search.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable

import derate.ray
import ray
from derate import _derate
from derate.ray import run_parts

KERNEL = "fixtures/kernels/product.cpp"


class Wait:
    """A kernel that only waits."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def __call__(self, index: int, known: bytes | None) -> bytes:
        time.sleep(self.seconds)
        return index.to_bytes(4, "little")


class Count:
    """A kernel that computes for about as long."""

    def __init__(self, steps: int) -> None:
        self.steps = steps

    def __call__(self, index: int, known: bytes | None) -> bytes:
        total = index
        for step in range(self.steps):
            total = (total * 31 + step) & 0xFFFFFFFF
        return index.to_bytes(4, "little")


class Die(Wait):
    """A kernel whose worker is killed the first time that it has some part."""

    def __init__(self, folder: str) -> None:
        super().__init__(0.05)
        self.folder = folder

    def __call__(self, index: int, known: bytes | None) -> bytes:
        mark = os.path.join(self.folder, str(index))
        if index % 7 == 3 and not os.path.exists(mark):
            with open(mark, "w") as file:
                file.write("killed")
            os.kill(os.getpid(), 9)
        return super().__call__(index, known)


def join_numbers(known: bytes | None, found: bytes) -> bytes:
    """The numbers of both, each once, in order."""
    both = [content[at : at + 4] for content in (known or b"", found) for at in range(0, len(content), 4)]
    return b"".join(sorted(set(both)))


def numbers(count: int) -> bytes:
    return b"".join(sorted(index.to_bytes(4, "little") for index in range(count)))


def test_ray_finds_what_one_process_finds() -> None:
    with tempfile.TemporaryDirectory() as folder:
        alone = os.path.join(folder, "alone.parquet")
        _derate.answer(["explore", os.path.abspath(KERNEL), "--best", "10", "--parquet", alone])
        with open(alone, "rb") as file:
            wanted = file.read()
        resume = os.path.join(folder, "state.parquet")
        found = derate.ray.explore(KERNEL, parts=16, workers=2, resume=resume)
        rows = found.to_arrow()
        assert len(rows) == len(_derate.read_points(wanted)) > 0
        assert found.to_parquet() == wanted, "the bytes differ from those of one process"
        # What is there is not searched again.
        assert derate.ray.explore(KERNEL, parts=16, workers=2, resume=resume) == found


def test_a_worker_that_is_killed_loses_nothing() -> None:
    with tempfile.TemporaryDirectory() as folder:
        found = run_parts(Die(folder), range(40), join=join_numbers, workers=2, task_seconds=0.5)
        assert found == numbers(40)
        assert len(os.listdir(folder)) == 6


def measure_waiting(workers: int = 32, parts: int = 3840, seconds: float = 0.5) -> tuple[float, float]:
    """The efficiency in a minute: the waiting that was asked for over the time of all workers. And what a part costs this
    process, in seconds of its processor."""
    # Processes start first: each of them has a part that takes long enough for all others to start.
    run_parts(Wait(8.0), range(workers), join=join_numbers, workers=workers, task_seconds=0.01)
    begun, used = time.perf_counter(), time.process_time()
    assert run_parts(Wait(seconds), range(parts), join=join_numbers, workers=workers, task_seconds=2.0) == numbers(parts)
    efficiency = parts * seconds / workers / (time.perf_counter() - begun)
    return efficiency, (time.process_time() - used) / parts


def measure_speedup(pairs: int = 5, parts: int = 180, steps: int = 6_000_000) -> list[float]:
    """One worker's time, about a minute, over that of two, a pair after another."""
    speedups: list[float] = []
    for _ in range(pairs):
        times: list[float] = []
        for workers in (1, 2):
            begun = time.perf_counter()
            run_parts(Count(steps), range(parts), join=join_numbers, workers=workers, task_seconds=2.0)
            times.append(time.perf_counter() - begun)
        speedups.append(times[0] / times[1])
    return speedups


def timed(name: str, work: Callable[[], object]) -> None:
    begun = time.perf_counter()
    work()
    print(f"{name}: ok ({time.perf_counter() - begun:.1f} s)", flush=True)


def main(words: list[str]) -> None:
    cpus = 32 if "wait" in words else 2
    ray.init(num_cpus=cpus, log_to_driver=False, include_dashboard=False)
    if "wait" in words:
        efficiency, each = measure_waiting()
        print(f"efficiency at 32 workers that wait: {efficiency:.3f} (wanted: 0.95); a part costs the driver {1e3 * each:.1f} ms")
    elif "speed" in words:
        speedups = measure_speedup()
        shown = ", ".join(f"{one:.2f}" for one in speedups)
        print(f"speed-up of two workers: {shown}; median {statistics.median(speedups):.2f} (wanted: 1.7)")
    else:
        timed("same bytes as one process", test_ray_finds_what_one_process_finds)
        timed("killed workers lose nothing", test_a_worker_that_is_killed_loses_nothing)


if __name__ == "__main__":
    main(sys.argv[1:])

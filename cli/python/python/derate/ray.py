"""A search over the machines of a Ray cluster.

Needs `pip install derate[ray]`. The space is cut into parts; a task searches parts for a second or more and gives what it
found, reduced to the best designs and the Pareto front. Each task begins with what all tasks before it found, so that a good
design of one worker prunes the search of the others. The result has the bytes of `derate explore --parquet` in one process,
whatever the number of workers, the order of tasks and those that were lost.
"""

from __future__ import annotations

import importlib
import os
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from derate import _derate
from derate._command import Path, Paths, Value, give, give_axes, give_each, name_paths, preprocess
from derate._progress import choose_progress

if TYPE_CHECKING:
    from derate._derate import Table

Work = Callable[[int, bytes | None], bytes | None]
"""Does one part; given what is known so far, and gives what is known then."""
Join = Callable[[bytes | None, bytes], bytes]
"""What two results are together."""


class Found:
    """The designs that a search keeps: the best ones and the front."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def to_parquet(self) -> bytes:
        """The bytes of the file that `derate explore --parquet` would have written."""
        return self._content

    def to_arrow(self) -> Table:
        """The designs as a table: number, value of each axis, objective, share of the card, resources."""
        return _derate.read_points(self._content)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Found) and self._content == other._content

    def __hash__(self) -> int:
        return hash(self._content)


def explore(
    files: Paths,
    *,
    parts: int | None = None,
    workers: int | None = None,
    task_seconds: float = 2.0,
    resume: Path | None = None,
    best: int = 10,
    vary: dict[str, Sequence[Value]] | Sequence[str] | None = None,
    limit: dict[str, Value] | Sequence[str] | None = None,
    objective: str | None = None,
    top: str | None = None,
    include: Paths | None = None,
    define: Sequence[str] | None = None,
    directives: Path | None = None,
    part: str | None = None,
    platform: Path | None = None,
    clock: str | None = None,
    tool: str | None = None,
    constants: Path | None = None,
) -> Found:
    """Searches all designs of a kernel, or of a project's array, on a Ray cluster.

    `top` is the top function of a kernel. `resume` names a file: what is found is written there as the search goes, and a search that
    was stopped goes on from it. `parts` is how many pieces the space is cut into; a task does several of them where they are
    short. The sources are read by each worker under the paths that are given here.
    """
    if isinstance(limit, dict):
        limit = [f"{resource}={most}" for resource, most in limit.items()]
    paths = [os.path.abspath(path) for path in name_paths(files)]
    words = [
        "explore",
        *paths,
        *give("top", top),
        *preprocess(include, define),
        *give("directives", directives),
        *give("part", part),
        *give("platform", platform),
        *give("clock", clock),
        *give("tool", tool),
        *give("constants", constants),
        *give_axes(vary, "vary"),
        *give_each("limit", limit),
        *give("objective", objective),
        *give("best", best),
    ]
    ray = _start()
    count = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
    cut = parts or 32 * count
    known, todo = _read_state(resume, cut)

    def save(found: bytes) -> None:
        if resume is not None:
            _replace(os.fspath(resume), found)

    found = run_parts(
        _Explore(words, cut),
        todo,
        known=known,
        join=join_points,
        save=save,
        workers=count,
        task_seconds=task_seconds,
    )
    if found is None:
        raise _derate.Error("no part was searched: the space has no designs")
    return Found(found)


class _Explore:
    """Searches one part of a space."""

    def __init__(self, words: list[str], parts: int) -> None:
        self.words = words
        self.parts = parts

    def __call__(self, index: int, known: bytes | None) -> bytes:
        with tempfile.TemporaryDirectory(prefix="derate-") as folder:
            out = os.path.join(folder, "part.parquet")
            words = [*self.words, "--shard", f"{index + 1}/{self.parts}", "--parquet", out]
            if known is not None:
                before = os.path.join(folder, "known.parquet")
                _write(before, known)
                words += ["--known", before]
            _derate.answer(words)
            return _read(out)


def join_points(known: bytes | None, found: bytes) -> bytes:
    """What two files of parts have together."""
    if known is None:
        return found
    with tempfile.TemporaryDirectory(prefix="derate-") as folder:
        paths = [os.path.join(folder, name) for name in ("known", "found", "joined")]
        _write(paths[0], known)
        _write(paths[1], found)
        _derate.answer(["merge", paths[2], paths[0], paths[1], "--partial"])
        return _read(paths[2])


def run_parts(
    work: Work,
    parts: Iterable[int],
    *,
    join: Join,
    known: bytes | None = None,
    save: Callable[[bytes], object] | None = None,
    workers: int,
    task_seconds: float = 2.0,
) -> bytes | None:
    """Does all parts on Ray, several in a task where they are short, and joins what they give.

    A part that a lost worker had is done again. `save` is called with what is known, about once in `task_seconds`.
    """
    ray = _start()
    task: Any = ray.remote(max_retries=0)(_do_parts)
    queue = deque(parts)
    total = len(queue)
    running: dict[Any, list[int]] = {}
    # How long a part takes, by the tasks that ended.
    spent, finished = 0.0, 0
    shared = ray.put((work, join))
    known_ref = ray.put(known)
    losses = 0
    saved = time.monotonic()
    show = choose_progress()
    # Where all processors are workers, each has a task that waits behind the one that runs: workers that end together are
    # not idle until this loop has heard of all of them. Elsewhere Ray would run what waits on the other processors.
    has_more = ray.cluster_resources().get("CPU", 1) > workers
    slots = workers if has_more else 2 * workers
    try:
        while queue or running:
            while queue and len(running) < slots:
                each = spent / finished if finished else task_seconds
                fitting = round(min(task_seconds / max(each, 1e-6), 1e9))
                fair = max(1, len(queue) // (2 * slots))
                some = [queue.popleft() for _ in range(max(1, min(fitting, fair, len(queue))))]
                running[task.remote(shared, some, known_ref, task_seconds)] = some
            ready, others = ray.wait(list(running), num_returns=1, timeout=0.5)
            if others:
                # All that have ended, so that what they found is joined and sent once.
                ready += ray.wait(others, num_returns=len(others), timeout=0)[0]
            before = known
            for done in ready:
                some = running.pop(done)
                try:
                    found, left, seconds = ray.get(done)
                except ray.exceptions.RayTaskError:
                    raise
                except ray.exceptions.RayError:
                    # The worker or its machine was lost.
                    losses += 1
                    if losses > 10 * workers:
                        raise
                    queue.extend(some)
                    continue
                queue.extend(left)
                spent, finished = spent + seconds, finished + len(some) - len(left)
                if found is not None:
                    known = join(known, found)
            if known != before:
                known_ref = ray.put(known)
            if save is not None and known is not None and time.monotonic() - saved > task_seconds:
                save(known)
                saved = time.monotonic()
            if show is not None:
                left_over = len(queue) + sum(map(len, running.values()))
                show(f"{total - left_over} of {total} parts", (total - left_over) / max(total, 1))
    finally:
        for one in running:
            ray.cancel(one)
        if save is not None and known is not None:
            save(known)
        if show is not None:
            show("", 1.0)
    return known


def _do_parts(
    shared: tuple[Work, Join], parts: list[int], known: bytes | None, seconds: float
) -> tuple[bytes | None, list[int], float]:
    """Does parts until the time is over; gives what is known then, and the parts that are left."""
    work, join = shared
    begun = time.monotonic()
    for at, index in enumerate(parts):
        if at > 0 and time.monotonic() - begun > 2.0 * seconds:
            return known, parts[at:], time.monotonic() - begun
        found = work(index, known)
        if found is not None:
            known = join(known, found)
    return known, [], time.monotonic() - begun


def _start() -> Any:
    """Ray, connected to a cluster or started on this machine."""
    try:
        ray: Any = importlib.import_module("ray")
    except ImportError as error:
        raise _derate.Error("Ray is not installed: pip install derate[ray]") from error
    if not ray.is_initialized():
        ray.init(log_to_driver=False)
    return ray


def _read_state(resume: Path | None, parts: int) -> tuple[bytes | None, list[int]]:
    """What an earlier run found, and the parts that it left."""
    if resume is None or not os.path.exists(resume):
        return None, list(range(parts))
    known = _read(os.fspath(resume))
    points, ranges = _derate.read_ranges(known)
    return known, [part for part in range(parts) if not _has(points, ranges, part, parts)]


def _has(points: int, ranges: Sequence[tuple[int, int]], part: int, parts: int) -> bool:
    start, end = points * part // parts, points * (part + 1) // parts
    return start == end or any(first <= start and end <= last for first, last in ranges)


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _write(path: str, content: bytes) -> None:
    with open(path, "wb") as file:
        file.write(content)


def _replace(path: str, content: bytes) -> None:
    """A reader finds the old bytes or the new ones."""
    _write(f"{path}.new", content)
    os.replace(f"{path}.new", path)

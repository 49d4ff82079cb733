"""Threads that work are kept for the next call, in any thread and in a process that was forked."""

from __future__ import annotations

import multiprocessing
import os
import sys
from concurrent.futures import ThreadPoolExecutor

import derate
import pytest

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted by /proc")
def test_a_call_starts_no_thread_where_one_waits() -> None:
    derate.formats()
    before = len(os.listdir("/proc/self/task"))
    for _ in range(50):
        derate.formats()
    assert len(os.listdir("/proc/self/task")) <= before


def test_calls_of_several_threads_give_what_one_gives() -> None:
    wanted = derate.formats(platform="u280")
    with ThreadPoolExecutor(12) as pool:
        found = list(pool.map(lambda _: derate.formats(platform="u280"), range(60)))
    assert all(one == wanted for one in found)


def _call(_: int) -> str:
    return derate.formats().to_json()


@needs_fork
def test_a_fork_starts_threads_of_its_own() -> None:
    wanted = derate.formats().to_json()
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(_call, range(4)).get(timeout=60) == [wanted] * 4

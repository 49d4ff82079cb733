"""The binary beside the module: where the fixtures are, and what the binary prints."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BINARY = os.environ["DERATE_BINARY"]
ENTRY = os.environ["DERATE_ENTRY"]


def run_binary(words: list[str], program: str = BINARY) -> subprocess.CompletedProcess[str]:
    """Runs derate in the folder of the repository."""
    # Both programs see the same interpreter.
    own = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    return subprocess.run(
        [program, *words], cwd=ROOT, env=own, capture_output=True, text=True, check=False
    )


def print_json(words: list[str]) -> str:
    """What `--format json` prints."""
    ran = run_binary([*words, "--format", "json"])
    assert ran.returncode in (0, 1), ran.stderr
    return ran.stdout

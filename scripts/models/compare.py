"""Holds derate's count of traced models against PyTorch's, model by model: operations to the last digit, and bytes.

    DERATE=target/debug/derate python scripts/models/compare.py [NAME ...] [--export] [--onnx]

Bytes are those of what PyTorch dispatches. The model is recorded on tensors without data; a model that needs its data runs on
real ones for PyTorch's count, and there PyTorch may make copies, or split a product from its bias, as strides ask for it. Such a
difference is shown and is no failure; one in the operations is.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).resolve().parent))
warnings.simplefilter("ignore")

import torch  # noqa: E402

import reference  # noqa: E402
from architectures import architectures  # noqa: E402
from derate.trace import trace  # noqa: E402

DERATE = os.environ.get("DERATE", str(ROOT / "target/release/derate"))


def counted(path: Path) -> dict[str, Any]:
    """What the binary says of a workload."""
    done = subprocess.run([DERATE, "shapes", str(path), "--format", "json"], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip())
    return json.loads(done.stdout)["operations"]


def compare(one: Any, method: str, folder: Path, with_onnx: bool) -> dict[str, Any]:
    """A row of the table."""
    row: dict[str, Any] = {"name": one.name, "family": one.family}
    try:
        with torch.device("meta"):
            model, inputs = one.build(), one.inputs()
    except (NotImplementedError, RuntimeError):
        # Some look at their own numbers as they are built.
        model, inputs = one.build(), one.inputs()
    path = trace(model, inputs, method=method).save(folder / "workload.json")
    own = counted(path)
    row |= {"flops": own["flops"], "bytes": own["bytes"], "unknown": own["unknown"]}
    flops, moved, on = reference.count(one.build, one.inputs)
    row |= {"torch_flops": flops, "torch_bytes": moved, "on": on}
    if with_onnx:
        file = folder / "model.onnx"
        built, given = one.build().eval(), one.inputs()
        arguments: dict[str, Any] = {"kwargs": given} if isinstance(given, dict) else {"args": given}
        torch.onnx.export(built, f=str(file), dynamo=True, verbose=False, external_data=False, **arguments)
        row["onnx_flops"] = counted(file)["flops"]
    return row


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="parts of names; all models without")
    parser.add_argument("--export", action="store_true", help="record with torch.export, not by dispatch")
    parser.add_argument("--onnx", action="store_true", help="export each model to ONNX too and hold its operations against the trace's")
    options = parser.parse_args()
    bad = equal = 0
    print(f"{'model':44} {'family':22} {'operations':>17} {'=':2} {'bytes':>15} {'=':2} notes")
    for one in architectures():
        if options.names and not any(name in one.name for name in options.names):
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                row = compare(one, "export" if options.export else "dispatch", Path(folder), options.onnx)
            except Exception as error:  # noqa: BLE001 - one model's failure is a row
                bad += 1
                print(f"{one.name:44} {one.family:22} failed: {str(error).splitlines()[0][:160]}", flush=True)
                continue
        same, moved = row["flops"] == row["torch_flops"], row["bytes"] == row["torch_bytes"]
        notes = [] if same else [f"torch counts {row['torch_flops']}"]
        notes += [] if moved else [f"torch moves {row['torch_bytes']} B"]
        notes += [f"unknown: {', '.join(row['unknown'])}"] if row["unknown"] else []
        if "onnx_flops" in row:
            notes += ["ONNX the same" if row["onnx_flops"] == row["flops"] else f"ONNX counts {row['onnx_flops']}"]
        equal += same
        bad += not same
        print(f"{row['name']:44} {row['family']:22} {row['flops']:17} {'=' if same else '!':2} {row['bytes']:15} {'=' if moved else '!':2} {'; '.join(notes)}", flush=True)
    print(f"{equal} of {equal + bad} models have the operations that PyTorch counts, to the last digit")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

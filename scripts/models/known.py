"""Holds the structure of smolVLA against its known operations, and ONNX files against the traces of the same models."""

from __future__ import annotations

import sys
import tempfile
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
warnings.simplefilter("ignore")

import compare  # noqa: E402 - it sets the paths
import smolvla  # noqa: E402
from architectures import architectures  # noqa: E402

SMOLVLA = {3: 839_590_541_312, 2: 598_432_217_088, 1: 357_777_209_344}
"""Operations by cameras: of a whole inference run with FlopCounterMode."""

EXPORTED = ["resnet18", "squeezenet1_1", "mobilenet_v2", "fcn_resnet50", "vit_tiny_patch16_224", "transformers/bert"]


def main() -> int:
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for cameras, flops in SMOLVLA.items():
            own = compare.counted(smolvla.record(cameras).save(Path(folder) / "workload.json"))["flops"]
            bad += own != flops
            print(f"smolVLA, {cameras} cameras: {own:,} operations, {'as known' if own == flops else f'not {flops:,}'}")
        for one in architectures():
            if any(one.name.endswith(name) for name in EXPORTED):
                row = compare.compare(one, "export", Path(folder), with_onnx=True)
                same = row["onnx_flops"] == row["flops"] == row["torch_flops"]
                bad += not same
                print(f"{one.name}: {row['flops']:,} by the trace, {row['onnx_flops']:,} by ONNX, {row['torch_flops']:,} by PyTorch")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

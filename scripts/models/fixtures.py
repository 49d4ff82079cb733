"""Records the workloads in fixtures/workloads anew: what `make test` reads in the place of PyTorch."""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).resolve().parent))
warnings.simplefilter("ignore")

import torch  # noqa: E402
from torch import Tensor, nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402

import finn  # noqa: E402
from architectures import architectures  # noqa: E402
from derate.trace import trace  # noqa: E402

MODELS = {"timm/vit_tiny_patch16_224": "vit-tiny", "torchvision/resnet18": "resnet18", "transformers/llama": "llama"}


class EveryKind(nn.Module):
    """An operator of each kind that a workload has."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(100, 16)
        self.conv1d = nn.Conv1d(16, 24, 3, padding=1)
        self.conv3d = nn.Conv3d(1, 4, 3, stride=(1, 2, 2), padding=1)
        self.grouped = nn.Conv2d(8, 16, 3, groups=4, padding=1)
        self.depthwise = nn.Conv2d(16, 16, 5, groups=16, padding=4, dilation=2)
        self.transposed = nn.ConvTranspose2d(16, 8, 4, stride=2, padding=1, output_padding=1)
        self.batch_norm, self.group_norm, self.norm = nn.BatchNorm2d(16), nn.GroupNorm(2, 8), nn.LayerNorm(24)
        self.pool, self.mean = nn.MaxPool2d(3, 2, 1), nn.AvgPool2d(8)
        self.qkv, self.head = nn.Linear(24, 72), nn.Linear(24 + 4 * 8, 10)

    def forward(self, words: Tensor, image: Tensor) -> Tensor:
        x = F.relu(self.conv1d(self.embed(words).transpose(1, 2))).transpose(1, 2)
        q, k, v = self.qkv(self.norm(x)).unflatten(2, (3, 2, 12)).permute(2, 0, 3, 1, 4).unbind(0)
        x = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2)
        weights = torch.softmax(x @ x.transpose(1, 2), -1)
        words = (weights @ x).mean(1)
        y = self.conv3d(image.unsqueeze(1)).flatten(1, 2)[:, :8]
        y = F.silu(self.batch_norm(self.grouped(y)))
        y = self.group_norm(F.gelu(self.transposed(self.depthwise(self.pool(y)))))
        return self.head(torch.cat([words, self.mean(y).flatten(1)], 1))


def main() -> None:
    folder = ROOT / "fixtures/workloads"
    model = EveryKind().eval()
    inputs = (torch.zeros(1, 7, dtype=torch.int64), torch.zeros(1, 3, 32, 32))
    out = folder / "every-kind"
    out.mkdir(parents=True, exist_ok=True)
    trace(model, inputs).save(out / "workload.json")
    torch.onnx.export(model, inputs, str(out / "model.onnx"), dynamo=False, input_names=["words", "image"])
    finn.write(folder / "finn")
    for one in architectures():
        name = MODELS.get(one.name)
        if name:
            with torch.device("meta"):
                built, given = one.build(), one.inputs()
            (folder / name).mkdir(exist_ok=True)
            trace(built, given).save(folder / name / "workload.json")


if __name__ == "__main__":
    main()

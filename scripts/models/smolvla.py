"""The structure of smolVLA (lerobot/smolvla_base) in as few lines as say it: sizes and order, no weights.

`python scripts/models/smolvla.py workload.json` records an inference: images one by one, the prefix once, ten steps of the
action expert. With three cameras it has 839,590,541,312 operations of matrix products.
"""

from __future__ import annotations

import sys

import torch
from derate.trace import Trace, trace
from torch import Tensor, nn
from torch.nn import functional as F

HEAD, HEADS, KEY_HEADS, LAYERS = 64, 15, 5, 16
TEXT, EXPERT, CHUNK, LANGUAGE = 960, 720, 50, 48


def attend(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Attention over keys and values whose heads serve several of the queries'; scores are written, as lerobot does it."""
    key, value = (x.repeat_interleave(query.shape[1] // x.shape[1], 1) for x in (key, value))
    shares = torch.softmax(query @ key.transpose(2, 3) / HEAD**0.5, -1)
    return (shares @ value).transpose(1, 2).flatten(2)


def split(x: Tensor, heads: int) -> Tensor:
    """Rows of all heads as heads of rows."""
    return x.unflatten(2, (heads, -1)).transpose(1, 2)


class VisionLayer(nn.Module):
    """A layer of SigLIP."""

    def __init__(self, width: int = 768) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.q, self.k, self.v, self.out = (nn.Linear(width, width) for _ in range(4))
        self.fc1, self.fc2 = nn.Linear(width, 3072), nn.Linear(3072, width)

    def forward(self, x: Tensor) -> Tensor:
        y = self.norm1(x)
        x = x + self.out(attend(*(split(part(y), 12) for part in (self.q, self.k, self.v))))
        return x + self.fc2(F.gelu(self.fc1(self.norm2(x)), approximate="tanh"))


class Vision(nn.Module):
    """One image of 512 x 512 as 64 tokens."""

    def __init__(self) -> None:
        super().__init__()
        self.patch_embedding = nn.Conv2d(3, 768, 16, 16)
        self.positions = nn.Parameter(torch.empty(1024, 768))
        self.layers = nn.ModuleList(VisionLayer() for _ in range(12))
        self.norm = nn.LayerNorm(768)
        self.connector = nn.Linear(12288, TEXT, bias=False)

    def forward(self, image: Tensor) -> Tensor:
        x = self.patch_embedding(image).flatten(2).transpose(1, 2) + self.positions
        for layer in self.layers:
            x = layer(x)
        x = self.norm(x).view(1, 8, 4, 8, 4, 768).transpose(2, 3).reshape(1, 64, 12288)
        return self.connector(x)


class Layer(nn.Module):
    """A layer of the text model or of the expert: keys and values come from rows of `source` elements."""

    def __init__(self, width: int, inner: int, source: int) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.RMSNorm(width), nn.RMSNorm(width)
        self.q, self.o = nn.Linear(width, HEADS * HEAD, bias=False), nn.Linear(HEADS * HEAD, width, bias=False)
        self.k, self.v = (nn.Linear(source, KEY_HEADS * HEAD, bias=False) for _ in range(2))
        self.gate, self.up = (nn.Linear(width, inner, bias=False) for _ in range(2))
        self.down = nn.Linear(inner, width, bias=False)

    def rest(self, x: Tensor, attended: Tensor) -> Tensor:
        x = x + self.o(attended)
        y = self.norm2(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class Prefix(nn.Module):
    """Images, language and state through the text model: its keys and values, layer by layer."""

    def __init__(self) -> None:
        super().__init__()
        self.embed_tokens = nn.Embedding(49280, TEXT)
        self.state_proj = nn.Linear(32, TEXT)
        self.layers = nn.ModuleList(Layer(TEXT, 2560, TEXT) for _ in range(LAYERS))

    def forward(self, images: Tensor, language: Tensor, state: Tensor) -> tuple[Tensor, ...]:
        x = torch.cat([images, self.embed_tokens(language), self.state_proj(state)], 1)
        kept: list[Tensor] = []
        for layer in self.layers:
            y = layer.norm1(x)
            key, value = split(layer.k(y), KEY_HEADS), split(layer.v(y), KEY_HEADS)
            kept += [key, value]
            # What the last layer makes beside keys and values is computed too, and read by nobody.
            x = layer.rest(x, attend(split(layer.q(y), HEADS), key, value))
        return (*kept, x)


class Step(nn.Module):
    """One denoising step of the action expert: its layers attend to themselves and to the prefix in turn."""

    def __init__(self) -> None:
        super().__init__()
        self.action_in_proj = nn.Linear(32, EXPERT)
        self.time_in, self.time_out = nn.Linear(2 * EXPERT, EXPERT), nn.Linear(EXPERT, EXPERT)
        self.layers = nn.ModuleList(Layer(EXPERT, 2048, KEY_HEADS * HEAD if at % 2 else EXPERT) for at in range(LAYERS))
        self.norm = nn.RMSNorm(EXPERT)
        self.action_out_proj = nn.Linear(EXPERT, 32)

    def forward(self, actions: Tensor, time: Tensor, *kept: Tensor) -> Tensor:
        x = self.action_in_proj(actions)
        x = self.time_out(F.silu(self.time_in(torch.cat([x, time.expand_as(x)], 2))))
        for at, layer in enumerate(self.layers):
            key, value = kept[2 * at : 2 * at + 2]
            y = layer.norm1(x)
            if at % 2:
                # The keys and values of the prefix are projected again in every step.
                rows = (one.transpose(1, 2).flatten(2) for one in (key, value))
                key, value = (split(part(one), KEY_HEADS) for part, one in zip((layer.k, layer.v), rows))
            else:
                own = (split(part(y), KEY_HEADS) for part in (layer.k, layer.v))
                key, value = (torch.cat([one, new], 2) for one, new in zip((key, value), own))
            x = layer.rest(x, attend(split(layer.q(y), HEADS), key, value))
        return actions - self.action_out_proj(self.norm(x)) / 10


def record(cameras: int = 3, steps: int = 10) -> Trace:
    """An inference as one workload, with its loops."""
    with torch.device("meta"):
        tokens = 64 * cameras + LANGUAGE + 1
        kept = [torch.empty(1, KEY_HEADS, tokens, HEAD) for _ in range(2 * LAYERS)]
        image = torch.empty(1, 3, 512, 512)
        prefix = (torch.empty(1, 64 * cameras, TEXT), torch.zeros(1, LANGUAGE, dtype=torch.int64), torch.empty(1, 1, 32))
        step = (torch.empty(1, CHUNK, 32), torch.empty(1, 1, EXPERT), *kept)
        parts = [
            trace(Vision(), (image,)).under("vision").repeated("cameras", cameras),
            trace(Prefix(), prefix).under("text"),
            trace(Step(), step).under("expert").repeated("denoise_steps", steps),
        ]
    return parts[0].then(parts[1]).then(parts[2]).named("smolvla")


class Whole(nn.Module):
    """The same in one module, every loop run."""

    def __init__(self) -> None:
        super().__init__()
        self.vision, self.text, self.expert = Vision(), Prefix(), Step()

    def forward(self, images: Tensor, language: Tensor, state: Tensor, actions: Tensor, time: Tensor) -> Tensor:
        tokens = torch.cat([self.vision(image) for image in images.split(1)], 1)
        *kept, _ = self.text(tokens, language, state)
        for _ in range(10):
            actions = self.expert(actions, time, *kept)
        return actions


if __name__ == "__main__":
    out = record(int(sys.argv[2]) if len(sys.argv) > 2 else 3).save(sys.argv[1])
    print(f"wrote {out}")

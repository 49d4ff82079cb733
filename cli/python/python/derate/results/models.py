"""The language models that are built in: `derate.language-models/1`. The fields are those of the book's page on JSON."""

from __future__ import annotations

from typing import ClassVar

from derate._record import Record, Result


class LanguageModelsParameter(Record):
    matrices: float
    vectors: float
    embedding: float
    head: float


class LanguageModelsBiases(Record):
    qkv: bool
    output: bool
    ffn: bool


class LanguageModel(Record):
    name: str
    title: str
    source: str
    hidden: int
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    ffn: int
    vocabulary: int
    tied: bool
    positions: int | None
    window: int | None
    biases: LanguageModelsBiases
    head_norms: bool
    dtype: str | None
    notes: tuple[str, ...]
    parameters: LanguageModelsParameter
    total_parameters: float


class LanguageModels(Result):
    """The language models that are built in: `derate.language-models/1`."""

    _rows: ClassVar[str] = "models"

    schema: str
    command: str
    models: tuple[LanguageModel, ...]

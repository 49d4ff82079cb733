"""Records what a PyTorch module computes, without its weights and without a GPU.

`trace(model, inputs)` runs an unmodified module on tensors that have a shape and no data, and notes every operation with
its shapes, dtypes, module path and the operations that feed it. The result is a workload file that the binary reads:

    from derate.trace import trace
    trace(model, (image,)).save("workload.json")

PyTorch is imported when `trace` is called, not before.
"""

# pyright: reportMissingImports=false
from __future__ import annotations

import json
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

__all__ = ["SCHEMA", "Trace", "TraceError", "trace"]

SCHEMA = "derate.workload/1"


class TraceError(RuntimeError):
    """A module that cannot be recorded, with the reason and what to do."""


class Trace:
    """A recorded workload: values, and the operations on them in the order of execution."""

    def __init__(self, name: str, producer: str) -> None:
        self.name = name
        self.producer = producer
        #: Tensors: `shape`, `dtype`, and where it has one, `parameter`, `input` or `view` (the value whose memory it shows).
        self.values: list[dict[str, Any]] = []
        #: Operations: `kind`, `function`, `module`, `inputs`, `outputs`, and the attributes of their kind.
        self.operations: list[dict[str, Any]] = []
        #: Loops around operations: `name` and `count`.
        self.loops: list[dict[str, Any]] = []
        #: Values that the model returns.
        self.outputs: list[int] = []

    def __repr__(self) -> str:
        unknown = len(self.unknown())
        more = f", {unknown} of them unknown" if unknown else ""
        return f"Trace({self.name!r}: {len(self.operations)} operations{more})"

    def unknown(self) -> list[str]:
        """The operators that the schema does not express, each once."""
        names = (op["function"] for op in self.operations if op["kind"] == "unknown")
        return sorted(set(names))

    def repeated(self, loop: str, count: int) -> Trace:
        """The same operations, run `count` times: `trace(step, x).repeated("denoise_steps", 10)`."""
        if count < 1:
            raise TraceError(f"the loop `{loop}` runs {count} times: write a whole number from 1")
        out = self._copy()
        if any("loop" in op for op in out.operations):
            raise TraceError(f"`{self.name}` is in a loop already: one loop around an operation is what the schema has")
        out.loops = [{"name": loop, "count": count}]
        for op in out.operations:
            op["loop"] = 0
        return out

    def then(self, other: Trace) -> Trace:
        """One workload that runs `self` and then `other`. Parameters of the same name are one."""
        out = self._copy()
        names = {v["parameter"]: at for at, v in enumerate(out.values) if "parameter" in v}
        place: list[int] = []
        for value in other.values:
            at = names.get(value.get("parameter", ""))
            if at is not None and out.values[at]["shape"] == value["shape"]:
                place.append(at)
                continue
            if at is not None:
                raise TraceError(f"the parameter `{value['parameter']}` has two shapes: give the modules different names")
            value = dict(value)
            if "view" in value:
                value["view"] = place[value["view"]]
            place.append(len(out.values))
            out.values.append(value)
        first_loop = len(out.loops)
        out.loops += [dict(loop) for loop in other.loops]
        for op in other.operations:
            op = dict(op)
            op["inputs"] = [place[i] for i in op["inputs"]]
            op["outputs"] = [place[i] for i in op["outputs"]]
            if "loop" in op:
                op["loop"] += first_loop
            out.operations.append(op)
        out.outputs = out.outputs + [place[i] for i in other.outputs]
        return out

    def named(self, name: str) -> Trace:
        """The same under another name, which no module path holds."""
        out = self._copy()
        out.name = name
        return out

    def under(self, path: str) -> Trace:
        """The same with `path.` before every module and parameter, as if the module were a child of a larger one."""
        out = self._copy()
        for op in out.operations:
            op["module"] = f"{path}.{op['module']}" if op["module"] else path
        for value in out.values:
            if "parameter" in value:
                value["parameter"] = f"{path}.{value['parameter']}"
        return out

    def _copy(self) -> Trace:
        out = Trace(self.name, self.producer)
        out.values = [dict(v) for v in self.values]
        out.operations = [dict(op) for op in self.operations]
        out.loops = [dict(loop) for loop in self.loops]
        out.outputs = list(self.outputs)
        return out

    def to_json(self) -> str:
        """The file: one value and one operation a line."""

        def rows(items: Sequence[Mapping[str, Any]]) -> str:
            lines = ",\n".join(json.dumps(item, separators=(",", ":"), ensure_ascii=False) for item in items)
            return f"[\n{lines}\n]" if items else "[]"

        def text(value: Any) -> str:
            return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

        return (
            f'{{"schema":"{SCHEMA}","name":{text(self.name)},"producer":{text(self.producer)},\n'
            f'"loops":{text(self.loops)},\n"values":{rows(self.values)},\n'
            f'"operations":{rows(self.operations)},\n"outputs":{text(self.outputs)}}}\n'
        )

    def save(self, path: str | Path) -> Path:
        """Writes the file and gives its path back."""
        path = Path(path)
        path.write_text(self.to_json(), encoding="utf-8")
        return path

    def save_project(self, folder: str | Path, platform: str = "u280") -> Path:
        """Writes `workload.json`, and a `derate.toml` that names it where the folder has none; gives the folder back.

        `derate.estimate(trace(model, inputs).save_project("vit"))` goes from a module to its estimate.
        """
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        self.save(folder / "workload.json")
        project = folder / "derate.toml"
        if not project.exists():
            lines = ["[model]", 'workload = "workload.json"', "", "[platform]", f'name = "{platform}"', ""]
            project.write_text("\n".join(lines), encoding="utf-8")
        return folder


def trace(
    model: torch.nn.Module | Callable[..., Any],
    inputs: Sequence[Any] | Mapping[str, Any] | torch.Tensor = (),
    *,
    name: str | None = None,
    method: str = "auto",
) -> Trace:
    """Records one call of `model`.

    `inputs` are the arguments: a tensor, a sequence of positional ones or a mapping of named ones. Of tensors only shape and
    dtype count, so they and the model may be on the `meta` device. `method` is `export` (torch.export, whose graph has no
    writes in place), `dispatch` (the operations as they are dispatched), or `auto`: export, and dispatch where that fails.
    """
    from derate.trace_record import record

    return record(model, inputs, name=name, method=method)


class _Module(types.ModuleType):
    """This module, which is called as its one function: `derate.trace(model, inputs)`."""

    def __call__(self, *args: Any, **kwargs: Any) -> Trace:
        return trace(*args, **kwargs)


sys.modules[__name__].__class__ = _Module

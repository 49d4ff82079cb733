"""What PyTorch itself counts: operations by its FlopCounterMode, and bytes by a mode that records every operator's operands."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from torch.utils.flop_counter import FlopCounterMode

from derate.trace_kinds import COPIES, FILLS, NOTHING

FIRST_ALONE = ("native_layer_norm", "native_group_norm", "batch_norm", "scaled_dot_product", "max_pool", "rms_norm")
"""Operators whose further results (means, places of maxima) nobody reads in an inference."""


def _elements(tensor: torch.Tensor) -> int:
    """Elements of memory that a tensor shows: a dimension of stride 0 shows one."""
    own = math.prod(size for size, step in zip(tensor.shape, tensor.stride()) if step != 0)
    stored = tensor.untyped_storage().nbytes() // tensor.element_size()
    return min(int(own), int(stored))


class Moved(TorchDispatchMode):
    """Bytes of the operands of every operator, each read or written once."""

    def __init__(self) -> None:
        super().__init__()
        self.bytes = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func.namespace == "prim":
            return func(*args, **kwargs)
        if torch._C._dispatch_has_kernel_for_dispatch_key(func.name(), "CompositeImplicitAutograd"):
            with self:
                made = func.decompose(*args, **kwargs)
            if made is not NotImplemented:
                return made
        read = [t for t in tree_leaves((args, kwargs)) if isinstance(t, torch.Tensor)]
        shown = {(t.untyped_storage()._cdata, t.storage_offset(), t.shape, t.stride(), t.dtype): t for t in read}
        sizes = [(_elements(t), t.element_size()) for t in shown.values() if t.numel()]
        places = {key[0] for key in shown}
        made = func(*args, **kwargs)
        name = func._schema.name.split("::")[-1]
        plain = name if name.startswith("_") else name.rstrip("_")
        results = [t for t in tree_leaves(made) if isinstance(t, torch.Tensor) and t.numel()]
        writes = any(a.alias_info is not None and a.alias_info.is_write for a in func._schema.arguments)
        is_view = not writes and results and all(t.untyped_storage()._cdata in places for t in results)
        if is_view or not results or name in NOTHING or plain in NOTHING or name == "as_strided_":
            return made
        if any(part in name for part in FIRST_ALONE):
            results = results[:1]
        written = sum(_elements(t) for t in results)
        if name in FILLS or plain in FILLS:
            sizes = []
        elif name == "copy_":
            sizes = sizes[1:]
        elif name == "embedding":
            sizes = [(written, args[0].element_size())] + sizes[1:]
        if name in COPIES or plain in COPIES:
            sizes = [(min(elements, written), size) for elements, size in sizes]
        self.bytes += sum(elements * size for elements, size in sizes)
        self.bytes += sum(_elements(t) * t.element_size() for t in results)
        return made


def count(build: Any, inputs: Any) -> tuple[int, int, str]:
    """Operations and bytes of one call, and on what it ran: tensors without data where the model can, else real ones."""

    def run() -> tuple[int, int]:
        # FlopCounterMode follows gradients where a parameter is given to a module, and there are none.
        model, given = build().eval().requires_grad_(False), inputs()
        torch.backends.mha.set_fastpath_enabled(False)
        with torch.no_grad(), FlopCounterMode(display=False) as flops, Moved() as moved:
            model(**given) if isinstance(given, dict) else model(*given)
        return flops.get_total_flops(), moved.bytes

    try:
        with FakeTensorMode(allow_non_fake_inputs=True):
            return (*run(), "fake")
    except Exception:  # noqa: BLE001 - a model that looks at its data needs some
        return (*run(), "real")

"""Runs a module on tensors without data and writes down its operations."""

# pyright: reportMissingImports=false
from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_map_only

from derate.trace import Trace, TraceError
from derate.trace_kinds import classify


LAYOUTS = frozenset("as_strided_ unsqueeze_ squeeze_ transpose_ t_ swapaxes_ swapdims_ resize_as_".split())
"""Operators that change how a tensor shows its memory, in place."""


class Recorder(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Notes each operation that is dispatched."""

    def __init__(self, out: Trace) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.out = out
        self.path = ""
        self._values: dict[Any, int] = {}
        self._memory: dict[int, int] = {}
        # A storage that is freed gives its address to another one.
        self._alive: list[torch.Tensor] = []

    @staticmethod
    def _place(tensor: torch.Tensor) -> int:
        return int(tensor.untyped_storage()._cdata)

    @classmethod
    def _key(cls, tensor: torch.Tensor) -> Any:
        shape = tuple(int(size) for size in tensor.shape)
        stride = tuple(int(step) for step in tensor.stride())
        return cls._place(tensor), int(tensor.storage_offset()), shape, stride, tensor.dtype

    def _describe(self, tensor: torch.Tensor, **more: Any) -> dict[str, Any]:
        shape = [int(size) for size in tensor.shape]
        return {"shape": shape, "dtype": str(tensor.dtype).removeprefix("torch."), **more}

    def add_value(self, tensor: torch.Tensor, **more: Any) -> int:
        """A tensor with memory of its own."""
        at = len(self.out.values)
        self.out.values.append(self._describe(tensor, **more))
        self._values[self._key(tensor)] = at
        self._memory[self._place(tensor)] = at
        self._alive.append(tensor)
        return at

    def value_of(self, tensor: torch.Tensor) -> int:
        """The value that a tensor shows, a new one for another view of known memory."""
        known = self._values.get(self._key(tensor))
        if known is not None:
            return known
        base = self._memory.get(self._place(tensor))
        if base is None:
            return self.add_value(tensor, constant=True)
        # What a dimension of stride 0 repeats is shown once, and then repeated.
        once = [1 if step == 0 else int(size) for size, step in zip(tensor.shape, tensor.stride())]
        if once != [int(size) for size in tensor.shape]:
            self.out.values.append({**self._describe(tensor, view=base), "shape": once})
            base = len(self.out.values) - 1
        at = len(self.out.values)
        self.out.values.append(self._describe(tensor, view=base))
        self._values[self._key(tensor)] = at
        self._alive.append(tensor)
        return at

    def _write(self, tensor: torch.Tensor) -> int:
        """The value after a write in place."""
        place = self._place(tensor)
        base = self._memory.get(place)
        at = len(self.out.values)
        is_part = base is not None and tensor.numel() < _count(self.out.values[base]["shape"])
        self.out.values.append(self._describe(tensor, **({"view": base} if is_part else {})))
        if not is_part:
            self._values = {key: value for key, value in self._values.items() if key[0] != place}
            self._memory[place] = at
        self._values[self._key(tensor)] = at
        self._alive.append(tensor)
        return at

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func.namespace == "prim":
            return func(*args, **kwargs)
        if _is_composite(func):
            with self:
                made = func.decompose(*args, **kwargs)
            if made is not NotImplemented:
                return made
        tensors = [t for t in tree_flatten((args, kwargs))[0] if isinstance(t, torch.Tensor)]
        # Values are those before a write in place.
        before = {id(tensor): self.value_of(tensor) for tensor in tensors if _has_memory(tensor)}
        places = {self._place(tensor) for tensor in tensors if _has_memory(tensor)}
        made = func(*args, **kwargs)
        self._note(func, args, kwargs, made, tensors, before, places)
        return made

    def _note(
        self, func: Any, args: Any, kwargs: Any, made: Any, tensors: Any, before: dict[int, int], places: set[int]
    ) -> None:
        results = [t for t in tree_flatten(made)[0] if isinstance(t, torch.Tensor) and _has_memory(t)]
        results = [t for t in results if t.numel() > 0]
        written = _written(func, args, kwargs)
        is_layout = func._schema.name.split("::")[-1] in LAYOUTS
        if (is_layout or not written) and results and all(self._place(t) in places for t in results):
            return
        kind = classify(func, args, kwargs, results[0] if results else None, tensors)
        if kind is None:
            for tensor in results:
                if self._place(tensor) not in self._memory:
                    self.add_value(tensor)
            return
        if kind.first_output_alone:
            results = results[:1]
        inputs = [before[id(t)] for t in kind.inputs if id(t) in before and t.numel() > 0]
        if func._schema.name.split("::")[-1] in ("copy_", "fill_", "zero_"):
            inputs = inputs[1:]
        outputs: list[int] = []
        for tensor in results:
            if any(tensor is one for one in written) or self._place(tensor) in places:
                outputs.append(self._write(tensor))
            else:
                outputs.append(self.add_value(tensor))
        if not outputs:
            outputs = [self._write(tensor) for tensor in written]
        operation: dict[str, Any] = {"kind": kind.kind, "function": kind.function, "module": self.path}
        operation |= {"inputs": inputs, "outputs": outputs, **kind.attributes}
        self.out.operations.append(operation)


def _is_composite(func: Any) -> bool:
    """Whether an operator is only others, so that it needs no words of its own."""
    return torch._C._dispatch_has_kernel_for_dispatch_key(func.name(), "CompositeImplicitAutograd")


def _count(shape: Sequence[int]) -> int:
    product = 1
    for size in shape:
        product *= size
    return product


def _has_memory(tensor: torch.Tensor) -> bool:
    return tensor.layout == torch.strided


def _written(func: Any, args: Any, kwargs: Any) -> list[torch.Tensor]:
    """The arguments that an operator writes in place."""
    out = []
    for at, argument in enumerate(func._schema.arguments):
        if argument.alias_info is not None and argument.alias_info.is_write:
            value = args[at] if at < len(args) else kwargs.get(argument.name)
            out += [t for t in tree_flatten(value)[0] if isinstance(t, torch.Tensor)]
    return out


@contextmanager
def _paths(model: torch.nn.Module, recorder: Recorder) -> Any:
    """Keeps the recorder's module path."""
    names = {module: name for name, module in model.named_modules()}
    stack: list[str] = []

    def enter(module: torch.nn.Module, _inputs: Any) -> None:
        stack.append(recorder.path)
        recorder.path = names.get(module, recorder.path)

    def leave(_module: torch.nn.Module, _inputs: Any, _made: Any) -> None:
        if stack:
            recorder.path = stack.pop()

    hooks = [
        torch.nn.modules.module.register_module_forward_pre_hook(enter),
        torch.nn.modules.module.register_module_forward_hook(leave, always_call=True),
    ]
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


def _fake(mode: FakeTensorMode, tensor: torch.Tensor) -> torch.Tensor:
    """A tensor of the same shape, strides and dtype, without data, on the processor."""
    with mode, torch.no_grad():
        if tensor.layout != torch.strided:
            return torch.empty(tensor.shape, dtype=tensor.dtype, device="cpu")
        return torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype, device="cpu")


def _arguments(inputs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    if isinstance(inputs, torch.Tensor):
        return (inputs,), {}
    if isinstance(inputs, Mapping):
        return (), dict(inputs)
    return tuple(inputs), {}


class _Call(torch.nn.Module):
    """A plain function as a module."""

    def __init__(self, function: Any) -> None:
        super().__init__()
        self.function = function

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)


def _module_path(node: torch.fx.Node) -> str:
    stack = node.meta.get("nn_module_stack") or {}
    path = ""
    for held in stack.values():
        path = held[0] if isinstance(held, tuple) else str(held)
    for start in ("L['self'].", "L['self']"):
        path = path.removeprefix(start)
    return path


class _Replay(torch.fx.Interpreter):
    """Runs an exported graph, with the module path of each node."""

    recorder: Recorder

    def run_node(self, n: torch.fx.Node) -> Any:
        if n.op == "call_function":
            self.recorder.path = _module_path(n)
        return super().run_node(n)


def _without_data(model: torch.nn.Module, mode: FakeTensorMode) -> torch.nn.Module:
    """A copy of the module with tensors without data: the module that is given keeps its own, and whatever it caches."""
    held = [*model.named_parameters(remove_duplicate=False), *model.named_buffers(remove_duplicate=False)]
    memo: dict[int, Any] = {}
    for _, tensor in held:
        if id(tensor) not in memo:
            fake = _fake(mode, tensor)
            is_parameter = isinstance(tensor, torch.nn.Parameter)
            memo[id(tensor)] = torch.nn.Parameter(fake, requires_grad=False) if is_parameter else fake
    return copy.deepcopy(model, memo)


def _name_parameters(recorder: Recorder, named: Mapping[str, torch.Tensor]) -> None:
    seen: set[int] = set()
    for name, tensor in named.items():
        if id(tensor) not in seen:
            seen.add(id(tensor))
            recorder.add_value(tensor, parameter=name)


def _name_inputs(recorder: Recorder, args: Any, kwargs: Any) -> None:
    for at, value in enumerate(args):
        for tensor in tree_flatten(value)[0]:
            if isinstance(tensor, torch.Tensor):
                recorder.add_value(tensor, input=f"input{at}")
    for name, value in kwargs.items():
        for tensor in tree_flatten(value)[0]:
            if isinstance(tensor, torch.Tensor):
                recorder.add_value(tensor, input=name)


def _note_outputs(recorder: Recorder, made: Any) -> None:
    outputs = [t for t in tree_flatten(made)[0] if isinstance(t, torch.Tensor)]
    recorder.out.outputs = [recorder.value_of(tensor) for tensor in outputs]


def _dispatch(out: Trace, model: torch.nn.Module, args: Any, kwargs: Any) -> None:
    mode = FakeTensorMode(allow_non_fake_inputs=True)
    recorder = Recorder(out)
    model = _without_data(model, mode)
    named = dict(model.named_parameters()) | dict(model.named_buffers())
    fake = lambda value: tree_map_only(torch.Tensor, lambda t: _fake(mode, t), value)  # noqa: E731
    args, kwargs = fake(args), fake(kwargs)  # type: ignore[no-untyped-call]
    _name_parameters(recorder, named)
    _name_inputs(recorder, args, kwargs)
    with ExitStack() as stack:
        # The fast path of nn.MultiheadAttention is one operator without shapes inside.
        stack.callback(torch.backends.mha.set_fastpath_enabled, torch.backends.mha.get_fastpath_enabled())
        torch.backends.mha.set_fastpath_enabled(False)
        stack.enter_context(_paths(model, recorder))
        stack.enter_context(torch.no_grad())
        stack.enter_context(mode)
        stack.enter_context(recorder)
        made = model(*args, **kwargs)
    _note_outputs(recorder, made)


def _export(out: Trace, model: torch.nn.Module, args: Any, kwargs: Any) -> None:
    from torch.export.graph_signature import InputKind

    mode = FakeTensorMode(allow_non_fake_inputs=True)
    model = _without_data(model, mode)
    fake = lambda value: tree_map_only(torch.Tensor, lambda t: _fake(mode, t), value)  # noqa: E731
    with torch.no_grad():
        program = torch.export.export(model, fake(args), fake(kwargs), strict=False)  # type: ignore[no-untyped-call]
    recorder = Recorder(out)
    graph = program.graph_module
    specs = {spec.arg.name: spec for spec in program.graph_signature.input_specs}
    arguments = []
    for node in graph.graph.find_nodes(op="placeholder"):
        value = node.meta.get("val")
        spec = specs.get(node.name)
        if isinstance(value, torch.Tensor):
            value = _fake(mode, value)
            stored = spec is not None and spec.kind in (InputKind.PARAMETER, InputKind.BUFFER)
            more: dict[str, Any] = {"parameter": spec.target} if spec is not None and stored else {"input": node.name}
            if spec is not None and spec.kind == InputKind.CONSTANT_TENSOR:
                more = {"constant": True}
            recorder.add_value(value, **more)
        elif spec is not None and hasattr(spec.arg, "value"):
            value = spec.arg.value
        arguments.append(value)
    replay = _Replay(graph)
    replay.recorder = recorder
    with torch.no_grad(), mode, recorder:
        made = replay.run(*arguments, enable_io_processing=False)
    _note_outputs(recorder, made)


def record(model: Any, inputs: Any, *, name: str | None, method: str) -> Trace:
    """What `derate.trace` does."""
    if method not in ("auto", "export", "dispatch"):
        raise TraceError(f"there is no method `{method}`: write auto, export or dispatch")
    module = model if isinstance(model, torch.nn.Module) else _Call(model)
    called = name or getattr(model, "__name__", None) or type(model).__name__
    args, kwargs = _arguments(inputs)
    version = torch.__version__.split("+")[0]
    was_training = [m for m in module.modules() if m.training]
    module.eval()
    try:
        if method in ("auto", "export"):
            out = Trace(called, f"torch {version}, torch.export")
            try:
                _export(out, module, args, kwargs)
                return _prune(out)
            except Exception as error:  # noqa: BLE001 - whatever export cannot do, dispatch may
                if method == "export":
                    raise TraceError(f"torch.export cannot record {called}: {_first_line(error)}; try method=\"dispatch\"") from error
        out = Trace(called, f"torch {version}, dispatch")
        try:
            _dispatch(out, module, args, kwargs)
        except Exception as error:
            raise TraceError(
                f"{called} cannot run on tensors without data: {_first_line(error)}; record the parts that can be, and join them with Trace.then"
            ) from error
        return _prune(out)
    finally:
        for one in was_training:
            one.training = True


def _first_line(error: Exception) -> str:
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0] if text else 'no message'}"


def _prune(out: Trace) -> Trace:
    """Leaves out values that nothing reads or writes; parameters stay, since the model stores them."""
    used = {at for op in out.operations for at in op["inputs"] + op["outputs"]} | set(out.outputs)
    for at in range(len(out.values) - 1, -1, -1):
        value = out.values[at]
        if at in used and "view" in value:
            used.add(value["view"])
    keep = [at for at, value in enumerate(out.values) if at in used or "parameter" in value or "input" in value]
    place = {at: new for new, at in enumerate(keep)}
    out.values = [out.values[at] for at in keep]
    for value in out.values:
        if "view" in value:
            value["view"] = place[value["view"]]
    for op in out.operations:
        op["inputs"] = [place[at] for at in op["inputs"]]
        op["outputs"] = [place[at] for at in op["outputs"]]
    out.outputs = [place[at] for at in out.outputs]
    return out

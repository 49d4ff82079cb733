"""What an operator of PyTorch is in the words of `derate.workload/1`."""

# pyright: reportMissingImports=false
from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

PRODUCTS = {"mm": (0, 1, None), "bmm": (0, 1, None), "addmm": (1, 2, 0), "baddbmm": (1, 2, 0), "mv": (0, 1, None),
            "addmv": (1, 2, 0), "dot": (0, 1, None), "vdot": (0, 1, None)}
"""Operators that multiply matrices: the places of the left and the right operand and of what is added."""

NORMS = {
    "native_layer_norm": "layer_norm",
    "native_group_norm": "group_norm",
    "native_batch_norm": "batch_norm",
    "_native_batch_norm_legit": "batch_norm",
    "_native_batch_norm_legit_no_training": "batch_norm",
    "_batch_norm_with_update": "batch_norm",
    "_batch_norm_no_update": "batch_norm",
    "cudnn_batch_norm": "batch_norm",
    "_fused_rms_norm": "rms_norm",
    "rms_norm": "rms_norm",
}

SOFTMAX = {"_softmax": "softmax", "_log_softmax": "log_softmax", "_safe_softmax": "softmax"}

POOLS = {
    "max_pool2d_with_indices": "max_pool2d",
    "max_pool3d_with_indices": "max_pool3d",
    "max_pool2d": "max_pool2d",
    "max_pool1d": "max_pool1d",
    "avg_pool1d": "avg_pool1d",
    "avg_pool2d": "avg_pool2d",
    "avg_pool3d": "avg_pool3d",
    "_adaptive_avg_pool2d": "adaptive_avg_pool2d",
    "_adaptive_avg_pool3d": "adaptive_avg_pool3d",
    "adaptive_max_pool2d": "adaptive_max_pool2d",
    "adaptive_max_pool3d": "adaptive_max_pool3d",
}

COPIES = frozenset(
    """cat stack clone copy copy_ _to_copy constant_pad_nd reflection_pad1d reflection_pad2d replication_pad2d
    reflection_pad3d replication_pad1d replication_pad3d index index_select gather take take_along_dim scatter scatter_
    scatter_add scatter_add_ slice_scatter select_scatter index_put index_put_ index_add index_add_ index_copy index_copy_
    _index_put_impl_ _unsafe_index _unsafe_index_put masked_select masked_scatter roll flip repeat repeat_interleave tril triu tril_ triu_
    pixel_shuffle pixel_unshuffle channel_shuffle im2col unfold_copy split_with_sizes_copy upsample_nearest1d
    upsample_nearest2d upsample_nearest3d _upsample_nearest_exact2d rot90 permute_copy view_copy expand_copy
    as_strided_copy slice_copy native_channel_shuffle resize_ as_strided_scatter diagonal_scatter block_diag
    nonzero""".split()
)

FILLS = frozenset(
    """zeros ones full arange scalar_tensor new_zeros new_ones new_full zeros_like ones_like full_like fill_ fill zero_
    zero rand randn rand_like randn_like randint randperm normal normal_ uniform_ bernoulli_ bernoulli eye linspace
    logspace tril_indices triu_indices random_ exponential_ lift_fresh_copy""".split()
)

NOTHING = frozenset(
    """empty empty_like new_empty empty_strided new_empty_strided empty_permuted sym_size sym_stride sym_numel
    sym_storage_offset _local_scalar_dense item _assert_async _assert_tensor_metadata set_ _functional_assert_async is_same_size equal
    _assert_scalar lift_fresh resolve_conj resolve_neg""".split()
)
"""Operators that neither compute nor move."""

REDUCTIONS = frozenset(
    """sum mean amax amin max min argmax argmin prod any all var std var_mean std_mean norm linalg_vector_norm logsumexp
    cumsum cumprod logcumsumexp median aminmax count_nonzero nansum cummax cummin bincount""".split()
)

POINTWISE = frozenset(
    """upsample_bilinear2d _upsample_bilinear2d_aa upsample_bicubic2d _upsample_bicubic2d_aa upsample_linear1d
    upsample_trilinear3d native_dropout grid_sampler_2d glu log_sigmoid_forward _prelu_kernel prelu rrelu_with_noise
    bucketize where isin one_hot cdist_forward polar complex view_as_complex view_as_real hardtanh hardswish hardsigmoid relu relu6 leaky_relu elu selu celu gelu silu mish softplus softshrink hardshrink threshold searchsorted floor_divide""".split()
)


class Kind:
    """What an operation is, and which of its tensors are its operands."""

    def __init__(
        self,
        kind: str,
        function: str,
        inputs: Sequence[Any],
        attributes: Mapping[str, Any] | None = None,
        first_output_alone: bool = False,
    ) -> None:
        self.kind = kind
        self.function = function
        self.inputs = inputs
        self.attributes = dict(attributes or {})
        self.first_output_alone = first_output_alone


def _bound(func: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments by their names in the operator's schema, defaults included."""
    named: dict[str, Any] = {}
    for at, argument in enumerate(func._schema.arguments):
        if at < len(args):
            named[argument.name] = args[at]
        elif argument.name in kwargs:
            named[argument.name] = kwargs[argument.name]
        elif argument.has_default_value():
            named[argument.name] = argument.default_value
    return named


def _ints(value: Any) -> list[int]:
    items = value if isinstance(value, (list, tuple)) else [value]
    return [int(item) for item in items]


def _window(named: Mapping[str, Any], source: Any, made: Any) -> int:
    """Elements of a window of a pool."""
    kernel = named.get("kernel_size")
    if kernel is not None:
        sizes = _ints(kernel)
        spatial = len(made.shape) - 2
        return math.prod(sizes) if len(sizes) > 1 else sizes[0] ** max(spatial, 1)
    pairs = zip(source.shape[2:], made.shape[2:])
    return math.prod(-(-int(before) // max(int(after), 1)) for before, after in pairs)


def classify(func: Any, args: Sequence[Any], kwargs: Mapping[str, Any], made: Any, tensors: Sequence[Any]) -> Kind | None:
    """The kind of an operation; `None` for one that neither computes nor moves.

    `made` is its first result and `tensors` are all tensors among its arguments.
    """
    import torch

    name = func._schema.name.split("::")[-1]
    plain = name.rstrip("_") if not name.startswith("_") else name
    if name in NOTHING or plain in NOTHING or made is None:
        return None
    if not func._schema.name.startswith("aten::"):
        return Kind("unknown", func._schema.name.replace("::", "."), tensors)
    named = _bound(func, args, kwargs)
    if plain in PRODUCTS:
        left, right, added = PRODUCTS[plain]
        inputs = [args[left], args[right]] + ([args[added]] if added is not None else [])
        return Kind("product", plain, inputs)
    if name in ("convolution", "_convolution", "convolution_overrideable"):
        inputs = [t for t in (named["input"], named["weight"], named.get("bias")) if t is not None]
        attributes = {
            "stride": _ints(named["stride"]),
            "padding": _ints(named["padding"]),
            "dilation": _ints(named["dilation"]),
            "groups": int(named["groups"]),
        }
        if named["transposed"]:
            attributes["transposed"] = True
            attributes["output_padding"] = _ints(named["output_padding"])
        return Kind("convolution", "convolution", inputs, attributes)
    if "scaled_dot_product" in name:
        mask = named.get("attn_mask") if named.get("attn_mask") is not None else named.get("attn_bias")
        inputs = [named["query"], named["key"], named["value"]] + ([mask] if mask is not None else [])
        return Kind("attention", "scaled_dot_product_attention", inputs, {"causal": bool(named.get("is_causal"))}, True)
    if name in NORMS:
        return Kind("norm", NORMS[name], tensors, None, True)
    if name in SOFTMAX:
        return Kind("softmax", SOFTMAX[name], tensors)
    if plain in POOLS or name in POOLS:
        source = tensors[0]
        function = POOLS.get(name) or POOLS[plain]
        return Kind("pool", function, tensors, {"window": _window(named, source, made)}, True)
    if name == "embedding":
        return Kind("embedding", "embedding", [named["weight"], named["indices"]])
    if name in COPIES or plain in COPIES:
        return Kind("copy", plain.lstrip("_"), tensors)
    if name in FILLS or plain in FILLS:
        return Kind("fill", plain, [])
    if name in REDUCTIONS or plain in REDUCTIONS or torch.Tag.reduction in func.tags:
        binary = plain in ("max", "min") and len(tensors) > 1
        return Kind("elementwise" if binary else "reduction", plain, tensors)
    if torch.Tag.pointwise in func.tags or name in POINTWISE or plain in POINTWISE:
        return Kind("elementwise", plain.lstrip("_"), tensors)
    return Kind("unknown", f"aten.{name}", tensors)

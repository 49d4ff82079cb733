"""Writes fixtures/workloads/finn/model.onnx: a dataflow graph of our own, in the manner of FINN's build steps."""

from __future__ import annotations

from pathlib import Path

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

HLS, RTL = "finn.custom_op.fpgadataflow.hls", "finn.custom_op.fpgadataflow.rtl"


class Dataflow:
    """A chain of layers; each tensor holds floats and is annotated with its own number format."""

    def __init__(self, shape: list[int], dtype: str) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.stored: list[onnx.TensorProto] = []
        self.annotations: list[onnx.TensorAnnotation] = []
        self.values = [helper.make_tensor_value_info("global_in", TensorProto.FLOAT, shape)]
        self.last = "global_in"
        self.annotate("global_in", dtype)

    def annotate(self, name: str, dtype: str) -> None:
        one = onnx.TensorAnnotation(tensor_name=name)
        one.quant_parameter_tensor_names.add(key="finn_datatype", value=dtype)
        self.annotations.append(one)

    def add(self, operator: str, domain: str, shape: list[int], dtype: str, *stored: tuple[list[int], str], **attributes: object) -> None:
        at = sum(node.op_type == operator for node in self.nodes)
        name = f"{operator}_{at}"
        inputs = [self.last]
        for index, (extent, own) in enumerate(stored):
            inputs.append(f"{name}_param{index}")
            self.stored.append(numpy_helper.from_array(numpy.ones(extent, numpy.float32), inputs[-1]))
            self.annotate(inputs[-1], own)
        self.last = f"{name}_out0"
        self.nodes.append(helper.make_node(operator, inputs, [self.last], name, domain=domain, **attributes))
        self.values.append(helper.make_tensor_value_info(self.last, TensorProto.FLOAT, shape))
        self.annotate(self.last, dtype)


def build() -> onnx.ModelProto:
    flow = Dataflow([1, 8, 8, 4], "UINT4")
    flow.add("FMPadding_rtl", RTL, [1, 10, 10, 4], "UINT4", NumChannels=4, SIMD=2, ImgDim=[8, 8], Padding=[1, 1, 1, 1])
    flow.add("ConvolutionInputGenerator_rtl", RTL, [1, 8, 8, 36], "UINT4", IFMChannels=4, SIMD=2, ConvKernelDim=[3, 3], cycles_estimate=1166)
    flow.add("MVAU_hls", HLS, [1, 8, 8, 8], "UINT4", ([36, 8], "INT4"), ([8, 15], "INT10"), MW=36, MH=8, PE=4, SIMD=9, numInputVectors=[1, 8, 8])
    flow.add("StreamingFIFO_rtl", RTL, [1, 8, 8, 8], "UINT4", depth=32)
    flow.add("FMPadding_rtl", RTL, [1, 10, 10, 8], "UINT4", NumChannels=8, SIMD=8, ImgDim=[8, 8], Padding=[1, 1, 1, 1])
    flow.add("ConvolutionInputGenerator_rtl", RTL, [1, 8, 8, 72], "UINT4", IFMChannels=8, SIMD=2, ConvKernelDim=[3, 3], depthwise=1)
    flow.add("VVAU_rtl", RTL, [1, 8, 8, 8], "INT12", ([8, 1, 3, 3], "INT4"), Channels=8, Kernel=[3, 3], Dim=[8, 8], PE=2, SIMD=3, noActivation=1)
    flow.add("StreamingMaxPool_hls", HLS, [1, 4, 4, 8], "INT12", NumChannels=8, ImgDim=[8, 8], PoolDim=[2, 2], PE=1)
    flow.add("Thresholding_rtl", RTL, [1, 4, 4, 8], "BIPOLAR", ([8, 1], "INT12"), NumChannels=8, PE=4, numInputVectors=[1, 4, 4])
    flow.add("Flatten", "", [1, 128], "BIPOLAR", axis=1)
    # An estimate from before the folding was changed.
    flow.add("MVAU_rtl", RTL, [1, 10], "INT9", ([128, 10], "INT2"), MW=128, MH=10, PE=5, SIMD=16, noActivation=1, cycles_estimate=32)
    flow.add("LabelSelect_hls", HLS, [1, 1], "UINT4", Labels=10, PE=1, K=1)
    graph = helper.make_graph(flow.nodes, "folded", flow.values[:1], flow.values[-1:], flow.stored, value_info=flow.values[1:-1])
    graph.quantization_annotation.extend(flow.annotations)
    opsets = [helper.make_opsetid(domain, 1) for domain in (HLS, RTL)]
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), *opsets])


def write(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(build().SerializeToString(deterministic=True))


if __name__ == "__main__":
    write(Path(__file__).resolve().parents[2] / "fixtures/workloads/finn")

//! The operators of FINN's dataflow graphs: layers with their processing elements (`PE`) and the elements that each takes in
//! a cycle (`SIMD`).
//!
//! Cycles are those of FINN's own estimate, `get_exp_cycles` of `finn.custom_op.fpgadataflow` (v0.10): a matrix of `MH` rows
//! and `MW` columns takes (MH / PE) x (MW / SIMD) cycles a vector.

use super::meaning::Meaning;
use super::proto::NodeProto;
use crate::graph::{Folding, OperationKind};

/// A node of a dataflow graph.
pub(super) struct Layer<'a> {
    node: &'a NodeProto,
    /// The operator in the words of FINN's newest release, without its back end.
    operator: &'a str,
    shapes: &'a [Option<&'a [u64]>],
    /// Elements of the first result.
    written: u64,
}

/// Operators of earlier releases, and their names today.
const RENAMED: [(&str, &str); 6] = [
    ("StreamingFCLayer", "MVAU"),
    ("MatrixVectorActivation", "MVAU"),
    ("Vector_Vector_Activate", "VVAU"),
    ("VectorVectorActivation", "VVAU"),
    ("FIFO", "StreamingFIFO"),
    ("ConvolutionInputGenerator1D", "ConvolutionInputGenerator"),
];

fn multiply(sizes: &[u64]) -> Option<u64> {
    sizes.iter().try_fold(1_u64, |product, &size| product.checked_mul(size))
}

/// `all / by` where it is whole.
fn divide(all: u64, by: u64) -> Option<u64> {
    (by > 0 && all.is_multiple_of(by)).then(|| all / by)
}

impl<'a> Layer<'a> {
    /// The layer of a node; `None` where its domain is not FINN's.
    pub(super) fn of(
        node: &'a NodeProto,
        shapes: &'a [Option<&'a [u64]>],
        written: u64,
    ) -> Option<Self> {
        let is_own =
            node.domain == "finn" || node.domain.starts_with("finn.custom_op.fpgadataflow");
        let mut operator = node.op_type.as_str();
        for ending in ["_hls", "_rtl", "_Batch"] {
            operator = operator.strip_suffix(ending).unwrap_or(operator);
        }
        let newer = RENAMED.iter().find(|(old, _)| *old == operator);
        operator = newer.map_or(operator, |(_, new)| new);
        is_own.then_some(Self { node, operator, shapes, written })
    }

    fn count(&self, attribute: &str) -> Option<u64> {
        let value = u64::try_from(self.node.attribute(attribute)?.i).ok()?;
        (value > 0).then_some(value)
    }

    /// The elements of an input.
    fn elements(&self, at: usize) -> Option<u64> {
        multiply(self.shapes.get(at).copied().flatten()?)
    }

    /// Rows and columns of the matrix, and how many vectors it multiplies; `None` where the operands are of other sizes.
    fn measure_matrix(&self) -> Option<(u64, u64, u64)> {
        let (rows, columns) = (self.count("MH")?, self.count("MW")?);
        let vectors = divide(self.elements(0)?, columns)?;
        let fits = self.elements(1)? == rows.checked_mul(columns)?
            && self.written == vectors.checked_mul(rows)?;
        fits.then_some((rows, columns, vectors))
    }

    /// Channels, elements of a window and positions of a layer that multiplies each channel alone.
    fn measure_channels(&self) -> Option<(u64, u64, u64)> {
        let (channels, window) = (self.count("Channels")?, self.measure_window("Kernel")?);
        let positions = divide(self.written, channels)?;
        let weights = channels.checked_mul(window)?;
        let fits =
            self.elements(1)? == weights && self.elements(0)? == weights.checked_mul(positions)?;
        fits.then_some((channels, window, positions))
    }

    /// What the node is in the words of `derate.workload/1`; `None` for an operator that is not known here.
    pub(super) fn classify(&self) -> Option<Meaning> {
        let all = |kind| Some(Meaning::Operation(kind, Vec::new()));
        match self.operator {
            "MVAU" => {
                let (rows, columns, vectors) = self.measure_matrix()?;
                Some(Meaning::Shaped(vec![vectors, columns], vec![columns, rows]))
            }
            "VVAU" => {
                let (channels, window, positions) = self.measure_channels()?;
                let left = vec![channels, positions, window];
                Some(Meaning::Shaped(left, vec![channels, window, 1]))
            }
            // Comparisons with each level; like `MultiThreshold` they are in no figure.
            "Thresholding" => all(OperationKind::Unknown),
            "AddStreams" | "ChannelwiseOp" => all(OperationKind::Elementwise),
            "FMPadding"
            | "FMPadding_Pixel"
            | "ConvolutionInputGenerator"
            | "DownSampler"
            | "UpsampleNearestNeighbour"
            | "DuplicateStreams"
            | "StreamingConcat"
            | "StreamingSplit" => all(OperationKind::Copy),
            "LabelSelect" => all(OperationKind::Reduction),
            "StreamingMaxPool" => self.pool("PoolDim"),
            "Pool" => self.pool("KernelSize"),
            "StreamingFIFO" | "StreamingDataWidthConverter" | "TLastMarker" => Some(Meaning::View),
            _ => None,
        }
    }

    /// The elements of a window; earlier releases give one size for both dimensions.
    fn measure_window(&self, attribute: &str) -> Option<u64> {
        let sizes = self.node.counts(attribute);
        let elements = if sizes.is_empty() {
            self.count(attribute).and_then(|size| size.checked_mul(size))
        } else {
            multiply(&sizes)
        };
        elements.filter(|&elements| elements > 0)
    }

    fn pool(&self, attribute: &str) -> Option<Meaning> {
        let window = self.measure_window(attribute)?;
        Some(Meaning::Operation(OperationKind::Pool { window }, vec![0]))
    }

    /// What the operation is called; `None` for an operator that is not known here.
    pub(super) fn name_function(&self) -> Option<&'static str> {
        Some(match self.operator {
            "MVAU" | "VVAU" => "matmul",
            "AddStreams" => "add",
            "ChannelwiseOp" => "channelwise",
            "FMPadding" | "FMPadding_Pixel" => "pad",
            "ConvolutionInputGenerator" => "sliding_window",
            "DownSampler" => "downsample",
            "UpsampleNearestNeighbour" => "upsample_nearest2d",
            "DuplicateStreams" => "duplicate",
            "StreamingConcat" => "concat",
            "StreamingSplit" => "split",
            "LabelSelect" => "top_k",
            "StreamingMaxPool" => "max_pool",
            "Pool" => "pool",
            _ => return None,
        })
    }

    fn count_cycles(&self) -> Option<u64> {
        let (pe, simd) = (self.count("PE"), self.count("SIMD"));
        // Channels are the last dimension and are folded evenly.
        let channels = || self.count("NumChannels").or_else(|| self.count("Channels"));
        let fold = |by: u64| {
            divide(channels()?, by)?;
            divide(self.written, by)
        };
        match self.operator {
            "MVAU" => {
                let (rows, columns, vectors) = self.measure_matrix()?;
                divide(rows, pe?)?.checked_mul(divide(columns, simd?)?)?.checked_mul(vectors)
            }
            "VVAU" => {
                let (channels, window, positions) = self.measure_channels()?;
                // Earlier releases take one element a cycle.
                let folds =
                    divide(channels, pe?)?.checked_mul(divide(window, simd.unwrap_or(1))?)?;
                folds.checked_mul(positions)
            }
            "Thresholding" | "AddStreams" | "ChannelwiseOp" | "DuplicateStreams" => fold(pe?),
            "FMPadding" | "FMPadding_Pixel" => fold(simd?),
            "Pool" => fold(pe?)?.checked_mul(self.measure_window("KernelSize")?),
            "LabelSelect" => divide(self.count("Labels")?, pe?),
            _ => None,
        }
    }

    /// The folding that the node states; `None` where it states none.
    pub(super) fn read_folding(&self) -> Option<Folding> {
        let folding = Folding {
            pe: self.count("PE"),
            simd: self.count("SIMD"),
            cycles: self.count_cycles(),
            stated_cycles: self.count("cycles_estimate"),
            ..Folding::default()
        };
        (folding != Folding::default()).then_some(folding)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::onnx::proto::AttributeProto;

    fn node(domain: &str, operator: &str, attributes: &[(&str, i64)]) -> NodeProto {
        let attribute = attributes.iter().map(|(name, value)| AttributeProto {
            name: (*name).to_owned(),
            i: *value,
            ..AttributeProto::default()
        });
        NodeProto {
            op_type: operator.to_owned(),
            domain: domain.to_owned(),
            attribute: attribute.collect(),
            ..NodeProto::default()
        }
    }

    fn matrix(pe: i64, simd: i64) -> NodeProto {
        let attributes = [("MW", 832), ("MH", 1024), ("PE", pe), ("SIMD", simd)];
        node("finn", "StreamingFCLayer_Batch", &attributes)
    }

    #[test]
    fn a_matrix_takes_its_folds_in_each_release_and_layout() {
        // Both operands in the order of the circuit, as the first releases wrote them: each weight memory has 416 rows.
        let (folded, plain): ([&[u64]; 2], [&[u64]; 2]) =
            ([&[1, 13, 64], &[64, 32, 416]], [&[1, 832], &[832, 1024]]);
        for shapes in [folded, plain] {
            let (own, shapes) = (matrix(32, 64), shapes.map(Some));
            let layer = Layer::of(&own, &shapes, 1024).unwrap();
            assert_eq!(layer.read_folding().unwrap().cycles, Some(32 * 13));
            assert!(matches!(layer.classify(), Some(Meaning::Shaped(..))));
        }
    }

    #[test]
    fn what_does_not_fit_is_unknown() {
        let shapes: [Option<&[u64]>; 2] = [Some(&[1, 832]), Some(&[832, 1024])];
        let own = matrix(3, 64);
        assert_eq!(Layer::of(&own, &shapes, 1024).unwrap().read_folding().unwrap().cycles, None);
        let own = matrix(32, 64);
        assert!(Layer::of(&own, &shapes, 1000).unwrap().classify().is_none());
        assert!(Layer::of(&own, &[], 1024).unwrap().classify().is_none());
        assert!(Layer::of(&node("", "MVAU", &[]), &shapes, 1024).is_none());
    }

    #[test]
    fn a_window_is_a_list_or_one_size() {
        let own = node(
            "finn.custom_op.fpgadataflow",
            "Pool_Batch",
            &[("Channels", 8), ("PE", 4), ("KernelSize", 3)],
        );
        let layer = Layer::of(&own, &[Some(&[1, 2, 2, 72])], 32).unwrap();
        assert_eq!(layer.read_folding().unwrap().cycles, Some(32 / 4 * 9));
    }
}

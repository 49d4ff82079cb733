//! An operator at its extents: what is predicted, run, measured, kept and studied.

use serde::{Deserialize, Serialize};

use super::{Attention, ExtentError, Mlp, Operation, OperatorFormats, gemm, gemv, parse_extents};
use crate::workload::Role;
use derate_units::{Bytes, Ops};

/// Which operator.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd)]
pub enum OperatorKind {
    /// A matrix times a vector.
    Gemv,
    /// A matrix times a matrix.
    Gemm,
    /// `softmax(Q K^T) V`.
    Attention,
    /// Layers of one width.
    Mlp,
}

impl OperatorKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Gemv, Self::Gemm, Self::Attention, Self::Mlp];

    /// As a command line has it: `gemv`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gemv => "gemv",
            Self::Gemm => "gemm",
            Self::Attention => "attention",
            Self::Mlp => "mlp",
        }
    }

    /// The one of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// How its extents are written.
    pub fn form(self) -> &'static str {
        match self {
            Self::Gemv => "NxK",
            Self::Gemm => "MxNxK",
            Self::Attention => "BATCHxHEADSxKV_HEADSxHEAD_DIMxQUERIESxKEYS",
            Self::Mlp => "BATCHxWIDTHxLAYERS",
        }
    }
}

/// An operator at its extents; in JSON its `kind` is beside them.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Shape {
    /// `y[n] = W[n, k] x[k]`.
    Gemv {
        /// Rows of the matrix.
        n: u64,
        /// Columns of the matrix.
        k: u64,
    },
    /// `C[m, n] = A[m, k] B[k, n]`.
    Gemm {
        /// Rows.
        m: u64,
        /// Columns.
        n: u64,
        /// Terms of each element.
        k: u64,
    },
    /// Attention.
    Attention(Attention),
    /// Layers of one width.
    Mlp(Mlp),
}

impl Shape {
    /// Reads the extents of that operator, such as `512x512x512` of a GEMM: attention neither causal nor with a window, its
    /// scores fused, and an MLP forward.
    pub fn parse(kind: OperatorKind, text: &str) -> Result<Self, ExtentError> {
        let form = kind.form();
        Ok(match kind {
            OperatorKind::Gemv => {
                let [n, k] = parse_extents(text, form)?;
                Self::Gemv { n, k }
            }
            OperatorKind::Gemm => {
                let [m, n, k] = parse_extents(text, form)?;
                Self::Gemm { m, n, k }
            }
            OperatorKind::Attention => {
                let own = Attention::fused(parse_extents(text, form)?);
                own.check_heads().map_err(|error| {
                    let text = text.to_owned();
                    ExtentError::Attention { text, error }
                })?;
                Self::Attention(own)
            }
            OperatorKind::Mlp => {
                let [batch, width, layers] = parse_extents(text, form)?;
                Self::Mlp(Mlp { batch, width, layers, backward: false, apart: false })
            }
        })
    }

    /// Which operator it is.
    pub fn kind(&self) -> OperatorKind {
        match self {
            Self::Gemv { .. } => OperatorKind::Gemv,
            Self::Gemm { .. } => OperatorKind::Gemm,
            Self::Attention(_) => OperatorKind::Attention,
            Self::Mlp(_) => OperatorKind::Mlp,
        }
    }

    /// Its operations, each with how often it runs.
    pub fn operations(&self) -> Vec<(Operation, u64)> {
        match *self {
            Self::Gemv { n, k } => vec![(gemv(n, k), 1)],
            Self::Gemm { m, n, k } => vec![(gemm(m, n, k), 1)],
            Self::Attention(attention) => {
                let mut all = Vec::with_capacity(2);
                attention.operations(|operation| all.push((operation, 1)));
                all
            }
            Self::Mlp(mlp) => {
                mlp.operations().into_iter().map(|operation| (operation, mlp.layers)).collect()
            }
        }
    }

    /// Operations of its matrix products.
    pub fn flops(&self) -> Ops {
        self.operations().iter().map(|(operation, runs)| operation.flops * *runs as f64).sum()
    }

    /// Bytes that it reads and bytes that it writes: each operand once in each operation.
    pub fn bytes(&self, formats: &OperatorFormats) -> (Bytes, Bytes) {
        let (mut read, mut written) = (Bytes(0.0), Bytes(0.0));
        for (operation, runs) in self.operations() {
            for matrix in operation.matrices() {
                let bytes = formats.bytes(matrix) * runs as f64;
                let sum = if matrix.role == Role::Output { &mut written } else { &mut read };
                *sum = *sum + bytes;
            }
        }
        (read, written)
    }

    /// Its extents for people, `512 x 512 x 512`.
    pub fn title(&self) -> String {
        match self {
            Self::Gemv { n, k } => format!("{n} x {k}"),
            Self::Gemm { m, n, k } => format!("{m} x {n} x {k}"),
            Self::Attention(of) => {
                let mask = if of.causal { ", causal" } else { "" };
                let window = of.window.map_or_else(String::new, |keys| format!(", window {keys}"));
                format!(
                    "{} x {} heads ({} of keys) of {}, {} queries, {} keys{mask}{window}",
                    of.batch, of.heads, of.kv_heads, of.head_dim, of.queries, of.keys
                )
            }
            Self::Mlp(of) => {
                let pass = if of.backward { "forward and backward" } else { "forward" };
                let layers = if of.layers == 1 { "layer" } else { "layers" };
                let rows = if of.batch == 1 { "row" } else { "rows" };
                format!("{} {layers} of {}, {} {rows}, {pass}", of.layers, of.width, of.batch)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use derate_units::{Mixture, Precision};

    #[test]
    fn extents_are_read_by_kind() {
        assert_eq!(Shape::parse(OperatorKind::Gemv, "8x3"), Ok(Shape::Gemv { n: 8, k: 3 }));
        let mlp = Shape::parse(OperatorKind::Mlp, "4x16x2").unwrap();
        assert_eq!(mlp.flops(), Ops(2.0 * 2.0 * 4.0 * 16.0 * 16.0));
        let error = Shape::parse(OperatorKind::Attention, "1x6x4x8x2x2").unwrap_err().to_string();
        assert!(error.contains("4 heads of keys do not divide 6"), "{error}");
        let error = Shape::parse(OperatorKind::Gemm, "8x3").unwrap_err().to_string();
        assert!(error.contains("write 3 of them, MxNxK"), "{error}");
    }

    #[test]
    fn every_kind_is_written_with_its_name_and_read_again() {
        for kind in OperatorKind::ALL {
            assert_eq!(OperatorKind::named(kind.name()), Some(kind));
            for shape in kind.sweep_shapes() {
                let json = serde_json::to_value(shape).unwrap();
                assert_eq!(json["kind"], kind.name());
                assert_eq!(serde_json::from_value::<Shape>(json).unwrap(), shape);
            }
        }
        // Which passes an MLP runs is never guessed.
        let bare = r#"{"kind": "mlp", "batch": 4, "width": 8, "layers": 1}"#;
        assert!(serde_json::from_str::<Shape>(bare).is_err());
    }

    #[test]
    fn operands_cross_memory_once_at_their_own_size() {
        let gemm = Shape::Gemm { m: 2, n: 3, k: 5 };
        let bf16 = OperatorFormats::new(Mixture::of(Precision::BF16.into()));
        assert_eq!(gemm.bytes(&bf16), (Bytes(2.0 * 25.0), Bytes(2.0 * 6.0)));
        let gemv = Shape::Gemv { n: 3, k: 5 };
        let int8 = OperatorFormats::new(Mixture::of(Precision::INT8.into()));
        assert_eq!(gemv.bytes(&int8), (Bytes(20.0), Bytes(3.0)));
    }
}

use serde::{Deserialize, Serialize};

use crate::operator::Mlp;

/// Extents and type of layers of one width.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct MlpRun {
    /// Rows.
    pub batch: u64,
    /// Inputs and outputs of each layer.
    pub width: u64,
    /// Layers, each with weights of its own.
    pub layers: u64,
    /// Whether gradients were computed too.
    #[serde(default)]
    pub backward: bool,
    /// The type of weights and activations.
    #[serde(rename = "type")]
    pub precision: String,
}

impl MlpRun {
    /// Of layers whose activations are fused.
    pub fn of(mlp: &Mlp, precision: String) -> Self {
        let Mlp { batch, width, layers, backward, .. } = *mlp;
        Self { batch, width, layers, backward, precision }
    }

    /// The operator.
    pub fn shape(&self) -> Mlp {
        let Self { batch, width, layers, backward, .. } = *self;
        Mlp { batch, width, layers, backward, apart: false }
    }
}

use serde::{Deserialize, Serialize};

use derate_workload::operator::Mlp;

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
    /// Whether each activation was an operation of its own, which read and wrote memory.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub apart: bool,
    /// The type of weights and activations.
    #[serde(rename = "type")]
    pub precision: String,
}

impl MlpRun {
    /// Of layers of one width.
    pub fn of(mlp: &Mlp, precision: String) -> Self {
        let Mlp { batch, width, layers, backward, apart } = *mlp;
        Self { batch, width, layers, backward, apart, precision }
    }

    /// The operator.
    pub fn shape(&self) -> Mlp {
        let Self { batch, width, layers, backward, apart, .. } = *self;
        Mlp { batch, width, layers, backward, apart }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn activations_are_fused_where_the_file_says_nothing() {
        let mlp = Mlp { batch: 4, width: 8, layers: 2, backward: false, apart: true };
        let run = MlpRun::of(&mlp, "bf16".to_owned());
        assert_eq!(run.shape(), mlp);
        let text = r#"{"batch":4,"width":8,"layers":2,"backward":false,"type":"bf16"}"#;
        let read: MlpRun = serde_json::from_str(text).unwrap();
        assert_eq!(read.shape(), Mlp { apart: false, ..mlp });
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
    }
}

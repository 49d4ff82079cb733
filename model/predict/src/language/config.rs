//! A decoder from the `config.json` of a model on Hugging Face.

mod family;
mod field;

use derate_source::Reason;
use serde_json::{Map, Value};

use super::{Biases, Decoder};
use derate_units::{Precision, json};
use family::ModelFamily;
use field::{MOST_FFN, MOST_HEADS, MOST_HIDDEN, MOST_LAYERS, MOST_POSITIONS, MOST_VOCABULARY};

/// Why a file is not a decoder that is understood: one sentence with the file, and the key where one is at fault.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{origin}: {reason}")]
pub struct ConfigError {
    /// The file.
    pub origin: String,
    /// What is wrong, and what would be right.
    pub reason: String,
}

/// Keys of models whose tokens pass through some of many feed-forward layers.
const EXPERTS: [&str; 5] = [
    "num_local_experts",
    "num_experts",
    "n_routed_experts",
    "moe_intermediate_size",
    "num_experts_per_tok",
];

impl Decoder {
    /// Reads a `config.json`. What is not understood is refused, never guessed.
    pub fn parse(origin: &str, text: &str) -> Result<Self, ConfigError> {
        let fail = |reason: String| ConfigError { origin: origin.to_owned(), reason };
        let json =
            json::parse_json(text.trim_start_matches('\u{feff}').as_bytes()).map_err(|error| {
                let what = if error.is_data() { "" } else { "this is not JSON: " };
                fail(format!("{what}{error}"))
            })?;
        let Value::Object(fields) = json else {
            return Err(fail(
                "this is not a JSON object: give the config.json of a model".to_owned(),
            ));
        };
        read_config(origin, &fields).map_err(|reason| fail(reason.into()))
    }
}

fn read_config(origin: &str, fields: &Map<String, Value>) -> Result<Decoder, Reason> {
    let family = ModelFamily::of(fields)?;
    if let Some(key) = EXPERTS.iter().find(|key| fields.get(**key).is_some_and(|v| !v.is_null())) {
        return Err(format!(
            "`{key}` says that this is a mixture of experts: which of them a token reads is not modelled, so no figure is given"
        ).into());
    }
    let needed = |key: &str, most: u64| {
        field::read_whole(fields, key, most)?.ok_or_else(|| missing_key(key))
    };
    let hidden = needed("hidden_size", MOST_HIDDEN)?;
    let heads = needed("num_attention_heads", MOST_HEADS)?;
    let mut notes = Vec::new();
    let kv_heads = family.read_kv_heads(fields, heads, &mut notes)?;
    if heads % kv_heads != 0 {
        return Err(format!(
            "`num_key_value_heads` is {kv_heads}, which does not divide the {heads} of `num_attention_heads`"
        ).into());
    }
    let head_dim = field::read_whole(fields, "head_dim", MOST_HEADS)?;
    let head_dim = match head_dim.or_else(|| family.head_dim(&mut notes)) {
        Some(head_dim) => head_dim,
        None if hidden % heads == 0 => hidden / heads,
        None => {
            return Err(format!(
                "`hidden_size` {hidden} is not a whole number of `num_attention_heads` {heads}, and there is no `head_dim`"
            ).into());
        }
    };
    let layers = needed("num_hidden_layers", MOST_LAYERS)?;
    let window = family.read_window(fields, layers, &mut notes)?;
    if let Some(quantised) = fields.get("quantization_config").filter(|value| !value.is_null()) {
        let method = quantised.get("quant_method").and_then(Value::as_str).unwrap_or("unnamed");
        notes.push(format!(
            "The file says that its weights are quantised ({method:?}); derate reads no such format here: they are counted as --precision says, such as w=int4-g128,a=fp16, else at `torch_dtype`."
        ));
    }
    let attention_bias = field::read_flag(fields, "attention_bias")?.unwrap_or(false);
    Ok(Decoder {
        name: origin.to_owned(),
        title: field::read_text(fields, "_name_or_path")?
            .filter(|name| !name.is_empty())
            .map_or_else(|| format!("{} of {origin}", family.name()), str::to_owned),
        source: format!("{origin}, model_type {}", family.name()),
        hidden,
        layers,
        heads,
        kv_heads,
        head_dim,
        ffn: needed("intermediate_size", MOST_FFN)?,
        vocabulary: needed("vocab_size", MOST_VOCABULARY)?,
        tied: field::read_flag(fields, "tie_word_embeddings")?.unwrap_or(family.ties_head()),
        positions: field::read_whole(fields, "max_position_embeddings", MOST_POSITIONS)?,
        window,
        biases: Biases {
            qkv: attention_bias || family.has_qkv_bias(),
            output: attention_bias && family.output_follows_attention_bias(),
            ffn: field::read_flag(fields, "mlp_bias")?.unwrap_or(false),
        },
        head_norms: family.has_head_norms(),
        dtype: read_dtype(fields)?,
        notes,
    })
}

fn missing_key(key: &str) -> Reason {
    format!("there is no `{key}`: give the config.json of a model, whole").into()
}

/// `torch_dtype`, which newer files call `dtype`.
fn read_dtype(fields: &Map<String, Value>) -> Result<Option<Precision>, Reason> {
    for key in ["torch_dtype", "dtype"] {
        if let Some(name) = field::read_text(fields, key)? {
            let known = Precision::parse(name);
            return known.map(Some).ok_or_else(|| {
                format!("`{key}` is {name:?}, which is not a known precision: write bfloat16, float16 or float32").into()
            });
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests;

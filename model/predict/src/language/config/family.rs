//! What a `model_type` means beyond the keys of its file.

use derate_source::Reason;
use serde_json::{Map, Value};

use super::field::{self, MOST_HEADS, MOST_POSITIONS};

/// A kind of decoder. Defaults are those of the library's class for that `model_type` (`configuration_gemma.py` and the like of
/// huggingface/transformers).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum ModelFamily {
    Llama,
    Mistral,
    Qwen2,
    Qwen3,
    Gemma,
}

const FAMILIES: [ModelFamily; 5] = [
    ModelFamily::Llama,
    ModelFamily::Mistral,
    ModelFamily::Qwen2,
    ModelFamily::Qwen3,
    ModelFamily::Gemma,
];

impl ModelFamily {
    pub(super) fn of(fields: &Map<String, Value>) -> Result<Self, Reason> {
        let known = || FAMILIES.map(Self::name).join(", ");
        let Some(name) = field::read_text(fields, "model_type")? else {
            return Err(format!(
                "there is no `model_type`, so what the model is made of is not known: there are {}",
                known()
            )
            .into());
        };
        let family = FAMILIES.into_iter().find(|family| family.name() == name);
        family.ok_or_else(|| {
            let inner = if fields.contains_key("text_config") {
                "; if its `text_config` is one of these, give that object as a file of its own"
            } else {
                ""
            };
            format!(
                "`model_type` {name:?} is not a decoder that is understood: there are {}{inner}",
                known()
            )
            .into()
        })
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Llama => "llama",
            Self::Mistral => "mistral",
            Self::Qwen2 => "qwen2",
            Self::Qwen3 => "qwen3",
            Self::Gemma => "gemma",
        }
    }

    /// The width of a head where it does not follow from the others.
    pub(super) fn head_dim(self, notes: &mut Vec<String>) -> Option<u64> {
        let usual = match self {
            Self::Qwen3 => 128,
            Self::Gemma => 256,
            Self::Llama | Self::Mistral | Self::Qwen2 => return None,
        };
        Some(self.default_of("head_dim", usual, notes))
    }

    /// Whether the head is the embedding table where the file does not say.
    pub(super) fn ties_head(self) -> bool {
        self == Self::Gemma
    }

    pub(super) fn has_qkv_bias(self) -> bool {
        self == Self::Qwen2
    }

    /// Whether `attention_bias` is about the output projection too.
    pub(super) fn output_follows_attention_bias(self) -> bool {
        matches!(self, Self::Llama | Self::Qwen3 | Self::Gemma)
    }

    pub(super) fn has_head_norms(self) -> bool {
        self == Self::Qwen3
    }

    /// Heads of keys and of values. Where the key is not there, the library's class has a number of its own; where it is
    /// `null`, or the class has none, they are as many as of queries.
    pub(super) fn read_kv_heads(
        self,
        fields: &Map<String, Value>,
        heads: u64,
        notes: &mut Vec<String>,
    ) -> Result<u64, Reason> {
        const KEY: &str = "num_key_value_heads";
        if let Some(given) = field::read_whole(fields, KEY, MOST_HEADS)? {
            return Ok(given);
        }
        let usual = match self {
            Self::Llama => None,
            Self::Mistral => Some(8),
            Self::Qwen2 | Self::Qwen3 => Some(32),
            Self::Gemma => Some(16),
        };
        let usual = usual.filter(|_| !fields.contains_key(KEY));
        Ok(usual.map_or(heads, |usual| self.default_of(KEY, usual, notes)))
    }

    /// The library's value for a key that is not there, with a note that says so.
    fn default_of(self, key: &str, value: u64, notes: &mut Vec<String>) -> u64 {
        let name = self.name();
        notes.push(format!(
            "There is no `{key}`: the default of model_type {name}, {value}, is taken."
        ));
        value
    }

    /// The sliding window of all layers. Layers of two kinds are refused.
    pub(super) fn read_window(
        self,
        fields: &Map<String, Value>,
        layers: u64,
        notes: &mut Vec<String>,
    ) -> Result<Option<u64>, Reason> {
        const KEY: &str = "sliding_window";
        const WHOLE: &str = "max_window_layers";
        let given = field::read_whole(fields, KEY, MOST_POSITIONS)?;
        let used = match self {
            Self::Llama | Self::Gemma => false,
            Self::Mistral => true,
            Self::Qwen2 | Self::Qwen3 => {
                field::read_flag(fields, "use_sliding_window")?.unwrap_or(false)
            }
        };
        let kinds = field::read_layer_types(fields)?;
        let all = |kind| kinds.as_ref().is_some_and(|kinds| kinds.iter().all(|one| *one == kind));
        let slide = all("sliding_attention");
        if kinds.is_some() && !slide && !all("full_attention") {
            return Err(
                "`layer_types` lists layers of several kinds, which are not modelled: all must be full_attention or all sliding_attention".into());
        }
        if !used || kinds.is_some() && !slide {
            return Ok(None);
        }
        let window = match given {
            None if !fields.contains_key(KEY) => Some(self.default_of(KEY, 4096, notes)),
            given => given,
        };
        if self == Self::Mistral || slide || window.is_none() {
            return Ok(window);
        }
        // Layers below `max_window_layers` see everything.
        let whole = match field::read_layers(fields, WHOLE)? {
            Some(whole) => whole,
            None => self.default_of(WHOLE, 28, notes),
        };
        if whole > 0 && whole < layers {
            return Err(format!(
                "`{WHOLE}` is {whole} of {layers} layers: layers of two kinds are not modelled"
            )
            .into());
        }
        Ok(window.filter(|_| whole < layers))
    }
}

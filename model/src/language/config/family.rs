//! What a `model_type` means beyond the keys of its file.

use serde_json::{Map, Value};

use super::field::{self, MOST_POSITIONS};

/// A kind of decoder. Defaults are those of the library's configuration classes for that `model_type`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Family {
    Llama,
    Mistral,
    Qwen2,
    Qwen3,
    Gemma,
}

const FAMILIES: [Family; 5] =
    [Family::Llama, Family::Mistral, Family::Qwen2, Family::Qwen3, Family::Gemma];

impl Family {
    pub(super) fn of(fields: &Map<String, Value>) -> Result<Self, String> {
        let known = || FAMILIES.map(Self::name).join(", ");
        let Some(name) = field::text(fields, "model_type")? else {
            return Err(format!(
                "there is no `model_type`, so what the model is made of is not known: there are {}",
                known()
            ));
        };
        let family = FAMILIES.into_iter().find(|family| family.name() == name);
        family.ok_or_else(|| {
            let inner = if fields.contains_key("text_config") {
                "; if its `text_config` is one of these, give that object as a file of its own"
            } else {
                ""
            };
            format!(
                "`model_type` {name:?} is no decoder that is understood: there are {}{inner}",
                known()
            )
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
    pub(super) fn head_dim(self) -> Option<u64> {
        match self {
            Self::Qwen3 => Some(128),
            Self::Gemma => Some(256),
            Self::Llama | Self::Mistral | Self::Qwen2 => None,
        }
    }

    /// Whether the head is the embedding table where the file does not say.
    pub(super) fn ties(self) -> bool {
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

    /// The sliding window of all layers. Layers of two kinds are refused.
    pub(super) fn window(
        self,
        fields: &Map<String, Value>,
        layers: u64,
        notes: &mut Vec<String>,
    ) -> Result<Option<u64>, String> {
        let window = field::whole(fields, "sliding_window", MOST_POSITIONS)?;
        let slides = match self {
            Self::Llama | Self::Gemma => false,
            Self::Mistral => {
                if !fields.contains_key("sliding_window") {
                    const DEFAULT: u64 = 4096;
                    notes.push(format!(
                        "There is no `sliding_window`: the default of model_type mistral, {DEFAULT}, is taken."
                    ));
                    return Ok(Some(DEFAULT));
                }
                true
            }
            Self::Qwen2 | Self::Qwen3 => {
                let used = field::flag(fields, "use_sliding_window")?.unwrap_or(false);
                // Layers below `max_window_layers` see everything.
                let whole = field::layers(fields, "max_window_layers")?.unwrap_or(0);
                if used && window.is_some() && whole > 0 && whole < layers {
                    return Err(format!(
                        "`max_window_layers` is {whole} of {layers} layers: layers of two kinds are not modelled"
                    ));
                }
                used && whole < layers
            }
        };
        match field::layer_types(fields)? {
            Some(kinds) if kinds.iter().all(|kind| *kind == "full_attention") => Ok(None),
            Some(kinds) if kinds.iter().all(|kind| *kind == "sliding_attention") => Ok(window),
            Some(_) => Err(
                "`layer_types` lists layers of several kinds, which are not modelled: all must be full_attention or all sliding_attention".to_owned(),
            ),
            None => Ok(window.filter(|_| slides)),
        }
    }
}

//! The models that are built in.

use serde::Deserialize;

use super::{Biases, Decoder};
use derate_units::Precision;

const EMBEDDED: &str = include_str!("../../language/catalogue.toml");

/// Why there is no such model: one sentence.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// The name is not in the catalogue.
    #[error("there is no language model `{name}`: there are {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// The names that there are.
        known: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CatalogueFile {
    model: Vec<CatalogueEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CatalogueEntry {
    name: String,
    title: String,
    source: String,
    hidden: u64,
    layers: u64,
    heads: u64,
    kv_heads: u64,
    head_dim: u64,
    ffn: u64,
    vocabulary: u64,
    tied: bool,
    positions: u64,
    window: Option<u64>,
    dtype: String,
}

fn read_entries() -> Vec<CatalogueEntry> {
    // A file of the crate: a test reads it.
    toml::from_str::<CatalogueFile>(EMBEDDED).map(|file| file.model).unwrap_or_default()
}

impl CatalogueEntry {
    fn into_decoder(self) -> Decoder {
        Decoder {
            name: self.name,
            title: self.title,
            source: self.source,
            hidden: self.hidden,
            layers: self.layers,
            heads: self.heads,
            kv_heads: self.kv_heads,
            head_dim: self.head_dim,
            ffn: self.ffn,
            vocabulary: self.vocabulary,
            tied: self.tied,
            positions: Some(self.positions),
            window: self.window,
            biases: Biases::default(),
            head_norms: false,
            dtype: Precision::parse(&self.dtype),
            notes: Vec::new(),
        }
    }
}

impl Decoder {
    /// The models that are built in.
    pub fn catalogue() -> Vec<Self> {
        read_entries().into_iter().map(CatalogueEntry::into_decoder).collect()
    }

    /// The model of that name, whatever its case.
    pub fn named(name: &str) -> Result<Self, ModelError> {
        let wanted = name.trim().to_ascii_lowercase();
        let all = Self::catalogue();
        let known = || all.iter().map(|model| model.name.as_str()).collect::<Vec<_>>().join(", ");
        all.iter()
            .find(|model| model.name == wanted)
            .cloned()
            .ok_or_else(|| ModelError::Unknown { name: name.to_owned(), known: known() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Totals that are in model cards and in the indexes of the weights.
    #[test]
    fn the_extents_add_up_to_the_published_parameters() {
        let published = [
            ("mistral-7b", 7_241_732_096),
            ("llama-2-7b", 6_738_415_616),
            ("llama-2-13b", 13_015_864_320),
            ("llama-2-70b", 68_976_648_192),
            ("llama-3-8b", 8_030_261_248),
            ("llama-3-70b", 70_553_706_496),
            ("smollm2-135m", 134_515_008),
            ("smollm2-360m", 361_821_120),
            ("smollm2-1.7b", 1_711_376_384),
        ];
        let models = Decoder::catalogue();
        let totals = models.iter().map(|m| (m.name.as_str(), m.parameters().total()));
        assert_eq!(totals.collect::<Vec<_>>(), published);
        assert!(models.iter().all(|model| model.dtype.is_some()));
        assert_eq!(Decoder::named("Llama-2-7B").unwrap().name, "llama-2-7b");
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let error = Decoder::named("gpt-5").unwrap_err().to_string();
        assert!(error.contains("llama-2-7b, llama-2-13b"), "{error}");
    }
}

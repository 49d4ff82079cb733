//! The names of the dump forms.

use std::fmt;
use std::str::FromStr;

/// A word that names no dump form.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("there is no dump form `{word}`: use one of {}", DumpFormat::list_words())]
pub struct UnknownFormat {
    /// What was asked for.
    pub word: String,
}

/// A textual form in which people write down a model's parameters.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub enum DumpFormat {
    /// Box-drawing tree with `in:` and `children:` lines.
    Tree,
    /// `name: torch.Size([720, 32]) [torch.float32]`.
    Flat,
    /// `name torch.Size([720, 32]) torch.float32`.
    Spaces,
    /// The same with a tab before the shape.
    Tabs,
    /// `name (720, 32)`.
    Tuple,
    /// `name [720,32]`.
    List,
    /// `name | shape: 720x32 | type: F32`.
    Pipe,
    /// A Markdown table.
    Markdown,
    /// The header of a safetensors file, or other JSON with a shape for each tensor.
    Json,
    /// llama.cpp's loader log, or what `gguf-dump` prints.
    Gguf,
    /// ONNX's printable graph.
    Onnx,
    /// The table of torchinfo or torchsummary.
    Summary,
    /// What `print(model)` shows.
    Modules,
}

impl DumpFormat {
    /// Every form, in the order in which help texts list them.
    pub const ALL: [Self; 13] = [
        Self::Tree,
        Self::Flat,
        Self::Spaces,
        Self::Tabs,
        Self::Tuple,
        Self::List,
        Self::Pipe,
        Self::Markdown,
        Self::Json,
        Self::Gguf,
        Self::Onnx,
        Self::Summary,
        Self::Modules,
    ];

    /// The word that `--as` takes.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Tree => "tree",
            Self::Flat => "flat",
            Self::Spaces => "spaces",
            Self::Tabs => "tabs",
            Self::Tuple => "tuple",
            Self::List => "list",
            Self::Pipe => "pipe",
            Self::Markdown => "markdown",
            Self::Json => "json",
            Self::Gguf => "gguf",
            Self::Onnx => "onnx",
            Self::Summary => "torchinfo",
            Self::Modules => "modules",
        }
    }

    /// All words that `--as` takes, for help and error texts.
    pub fn list_words() -> String {
        Self::ALL.map(Self::as_str).join(", ")
    }
}

impl fmt::Display for DumpFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for DumpFormat {
    type Err = UnknownFormat;

    fn from_str(word: &str) -> Result<Self, UnknownFormat> {
        if word.eq_ignore_ascii_case("safetensors") {
            return Ok(Self::Json);
        }
        Self::ALL
            .into_iter()
            .find(|format| format.as_str().eq_ignore_ascii_case(word))
            .ok_or_else(|| UnknownFormat { word: word.to_owned() })
    }
}

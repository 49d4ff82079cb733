//! The names of the dump forms.

use std::fmt;
use std::str::FromStr;

use super::UnknownFormat;

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
}

impl DumpFormat {
    /// Every form, in the order in which help texts list them.
    pub const ALL: [Self; 6] =
        [Self::Tree, Self::Flat, Self::Spaces, Self::Tabs, Self::Tuple, Self::List];

    /// The word that `--as` takes.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Tree => "tree",
            Self::Flat => "flat",
            Self::Spaces => "spaces",
            Self::Tabs => "tabs",
            Self::Tuple => "tuple",
            Self::List => "list",
        }
    }

    /// All words that `--as` takes, for help and error texts.
    pub fn words() -> String {
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
        Self::ALL
            .into_iter()
            .find(|format| format.as_str().eq_ignore_ascii_case(word))
            .ok_or_else(|| UnknownFormat { word: word.to_owned() })
    }
}

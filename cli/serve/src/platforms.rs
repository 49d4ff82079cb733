//! The platforms that a request may name: those of the catalogue and those that were given at the start.

use derate_model::Target;

use crate::unknown_name::UnknownName;

/// A platform, and the word of a command line that finds it: its name, or the path of its file.
pub struct NamedPlatform {
    /// The card or processor.
    pub target: Target,
    /// Its name in the catalogue, or the path of its file.
    pub word: String,
}

/// A second platform with the name of another one.
#[derive(Debug, thiserror::Error)]
#[error("{word}: another platform is called `{name}`: give this one a name of its own")]
pub struct PlatformNameTaken {
    word: String,
    name: String,
}

/// All of them.
pub(crate) struct Platforms {
    pub(crate) all: Vec<NamedPlatform>,
    /// The name that the page opens with.
    pub(crate) chosen: String,
}

/// The page opens with this one if none is given.
const USUAL: &str = "h100-sxm";

impl Platforms {
    /// The catalogue and the platforms given at the start.
    pub(crate) fn new(given: Vec<NamedPlatform>) -> Result<Self, PlatformNameTaken> {
        let catalogue = Target::catalogue().into_iter();
        let mut all: Vec<NamedPlatform> = catalogue
            .map(|target| NamedPlatform { word: target.name().to_owned(), target })
            .collect();
        let mut chosen = None;
        for platform in given {
            let name = platform.target.name().to_owned();
            chosen.get_or_insert_with(|| name.clone());
            match all.iter().find(|known| known.target.name() == name) {
                None => all.push(platform),
                Some(known) if known.target == platform.target => {}
                Some(_) => return Err(PlatformNameTaken { word: platform.word, name }),
            }
        }
        Ok(Self { all, chosen: chosen.unwrap_or_else(|| USUAL.to_owned()) })
    }

    /// The platform of a name, in any case of letters.
    pub(crate) fn find_platform(&self, name: &str) -> Result<&NamedPlatform, UnknownName> {
        let own = |known: &&NamedPlatform| known.target.name().eq_ignore_ascii_case(name.trim());
        self.all.iter().find(own).ok_or_else(|| UnknownName::Listed {
            noun: "platform",
            name: name.to_owned(),
            known: self.all.iter().map(|known| known.target.name().to_owned()).collect(),
        })
    }
}

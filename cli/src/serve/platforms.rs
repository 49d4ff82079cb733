//! The platforms that a request may name: those of the catalogue and those that were given at the start.

use std::path::Path;

use anyhow::{Error, bail};
use derate_model::Target;

use crate::commands::platform::target;

/// A platform, and the word of a command line that finds it.
pub(crate) struct Known {
    pub(crate) target: Target,
    pub(crate) word: String,
}

/// All of them.
pub(crate) struct Platforms {
    pub(crate) all: Vec<Known>,
    /// The name that the page opens with.
    pub(crate) chosen: String,
}

/// What the page opens with where nothing is given.
const USUAL: &str = "h100-sxm";

impl Platforms {
    /// The catalogue, and what the command line names.
    pub(crate) fn new(given: &[String]) -> Result<Self, Error> {
        let known = |target: Target| Known { word: target.name().to_owned(), target };
        let mut all: Vec<Known> = Target::catalogue().into_iter().map(known).collect();
        let mut chosen = None;
        for word in given {
            let target = target(word)?;
            let name = target.name().to_owned();
            match all.iter().find(|known| known.target.name() == name) {
                None => all.push(Known { target, word: word.clone() }),
                Some(known) if known.target == target => {}
                Some(_) => bail!(
                    "{}: another platform is called `{name}`: give this one a name of its own",
                    Path::new(word).display()
                ),
            }
            chosen.get_or_insert(name);
        }
        Ok(Self { all, chosen: chosen.unwrap_or_else(|| USUAL.to_owned()) })
    }

    /// The one of a name. The error is one sentence.
    pub(crate) fn named(&self, name: &str) -> Result<&Known, String> {
        let own = |known: &&Known| known.target.name().eq_ignore_ascii_case(name.trim());
        self.all.iter().find(own).ok_or_else(|| {
            let names: Vec<&str> = self.all.iter().map(|known| known.target.name()).collect();
            format!("`{name}` is no platform: there are {}", names.join(", "))
        })
    }
}

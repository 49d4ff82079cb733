//! Files of the catalogue that the binary holds.

use crate::platform::PlatformError;

/// Names and texts, sorted by name.
pub(crate) struct Embedded(pub(crate) &'static [(&'static str, &'static str)]);

impl Embedded {
    /// The names, sorted.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|(name, _)| *name)
    }

    /// The name as the catalogue has it, and the text; else that there is none, or, with `elsewhere`, that it is among the
    /// `others`. That gets the name that was asked for and those that there are.
    pub(crate) fn find(
        &self,
        name: &str,
        mut others: impl Iterator<Item = &'static str>,
        elsewhere: impl FnOnce(String, String) -> PlatformError,
    ) -> Result<(&'static str, &'static str), PlatformError> {
        let found = self.0.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.copied().ok_or_else(|| {
            let known = self.names().collect::<Vec<_>>().join(", ");
            let name = name.to_owned();
            if others.any(|other| other.eq_ignore_ascii_case(&name)) {
                elsewhere(name, known)
            } else {
                PlatformError::Unknown { name, known }
            }
        })
    }
}

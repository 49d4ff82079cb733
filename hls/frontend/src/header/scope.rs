use std::fmt;
use std::sync::Arc;

/// The path of namespaces, structs and functions around a declaration.
#[derive(Clone, Default, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct Scope(Arc<[String]>);

impl Scope {
    /// The path's parts, outermost first.
    pub fn parts(&self) -> &[String] {
        &self.0
    }

    /// Whether this is the global scope.
    pub fn is_global(&self) -> bool {
        self.0.is_empty()
    }

    /// The scope one step further in.
    #[must_use]
    pub fn inner(&self, part: &str) -> Self {
        self.0.iter().cloned().chain([part.to_owned()]).collect()
    }

    /// The scope one step further out; the global scope has none.
    pub fn outer(&self) -> Option<Self> {
        let (_, outer) = self.0.split_last()?;
        Some(Self(outer.into()))
    }

    /// A name of this scope, with its path.
    pub fn qualify(&self, name: &str) -> String {
        if self.is_global() { name.to_owned() } else { format!("{self}::{name}") }
    }
}

impl FromIterator<String> for Scope {
    fn from_iter<I: IntoIterator<Item = String>>(parts: I) -> Self {
        Self(parts.into_iter().collect())
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("::"))
    }
}

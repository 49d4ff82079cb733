//! Children by the name of their field. Numbers of names are looked up once: tree-sitter compares
//! a name with all that it knows.

use rustc_hash::FxHashMap as HashMap;
use std::sync::LazyLock;
use tree_sitter::{Language, Node};

static NUMBERS: LazyLock<HashMap<String, u16>> = LazyLock::new(|| {
    let language: Language = tree_sitter_cpp::LANGUAGE.into();
    let count = u16::try_from(language.field_count()).unwrap_or(0);
    let name = |number| Some((language.field_name_for_id(number)?.to_owned(), number));
    (1..=count).filter_map(name).collect()
});

pub(crate) trait ByField<'t> {
    /// The first child of that field.
    fn field(&self, name: &str) -> Option<Node<'t>>;
}

impl<'t> ByField<'t> for Node<'t> {
    fn field(&self, name: &str) -> Option<Node<'t>> {
        NUMBERS.get(name).and_then(|&number| self.child_by_field_id(number))
    }
}

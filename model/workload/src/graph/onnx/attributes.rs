//! Attributes of a node.

use super::proto::{AttributeProto, NodeProto};

impl NodeProto {
    pub(super) fn attribute(&self, name: &str) -> Option<&AttributeProto> {
        self.attribute.iter().find(|one| one.name == name)
    }

    pub(super) fn int(&self, name: &str, default: i64) -> i64 {
        self.attribute(name).map_or(default, |one| one.i)
    }

    /// A list of whole numbers, all at least 0; empty where there is none.
    pub(super) fn counts(&self, name: &str) -> Vec<u64> {
        let list = self.attribute(name).map_or(&[][..], |one| &one.ints);
        list.iter().map(|&number| u64::try_from(number).unwrap_or(0)).collect()
    }

    pub(super) fn ints(&self, name: &str) -> Option<Vec<i64>> {
        self.attribute(name).map(|one| one.ints.clone())
    }

    pub(super) fn text(&self, name: &str) -> String {
        let text = self.attribute(name).map(|one| String::from_utf8_lossy(&one.s).into_owned());
        text.unwrap_or_default()
    }
}

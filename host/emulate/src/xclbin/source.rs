//! The sources that a design was made of, which a profile reads.

use std::fmt::Write as _;

use quick_xml::escape::escape;
use serde::{Deserialize, Serialize};

use super::tree::XmlElement;
use crate::sha256::{sha256, to_hex};

/// A source of kernels, and how it is read.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct DesignSource {
    /// As it was named: a relative path is one from the folder that the design was made in, so that the same files in another
    /// place make the same design.
    pub path: String,
    /// What it and the headers that it takes from disk said, as [`digest_texts`] gives it.
    pub digest: String,
    /// The folders of `-I`, as they were named.
    pub include: Vec<String>,
    /// The macros of `-D`.
    pub define: Vec<String>,
}

/// One digest for texts in their order: SHA-256 of the digests of each.
pub fn digest_texts<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let each: Vec<u8> = texts.flat_map(|text| sha256(text.as_bytes())).collect();
    to_hex(&sha256(&each))
}

/// An element for each, on lines of their own.
pub(super) fn write_sources(xml: &mut String, sources: &[DesignSource]) {
    for one in sources {
        let _ = write!(
            xml,
            "<source path=\"{}\" digest=\"{}\">",
            escape(&one.path),
            escape(&one.digest)
        );
        for folder in &one.include {
            let _ = write!(xml, "<include path=\"{}\"/>", escape(folder));
        }
        for text in &one.define {
            let _ = write!(xml, "<define text=\"{}\"/>", escape(text));
        }
        xml.push_str("</source>\n");
    }
}

/// Reads such an element.
pub(super) fn read_source(element: &XmlElement) -> Option<DesignSource> {
    let word = |element: &XmlElement, name| element.attribute(name).map(str::to_owned);
    let all =
        |child, name| element.children_named(child).filter_map(|one| word(one, name)).collect();
    Some(DesignSource {
        path: word(element, "path")?,
        digest: word(element, "digest")?,
        include: all("include", "path"),
        define: all("define", "text"),
    })
}

#[cfg(test)]
mod tests {
    use super::super::metadata::read_metadata;
    use super::*;

    #[test]
    fn sources_are_read_as_they_were_written() {
        let source = DesignSource {
            path: "/a & b/\"vadd\".cpp".to_owned(),
            digest: digest_texts(["a", "b"].into_iter()),
            include: vec!["/x".to_owned(), "/<y>".to_owned()],
            define: vec!["N=4".to_owned(), "TEXT=\"a b\"".to_owned()],
        };
        let mut xml = "<project><platform><device>".to_owned();
        write_sources(&mut xml, std::slice::from_ref(&source));
        xml.push_str("</device></platform></project>");
        assert_eq!(read_metadata(xml.as_bytes()).sources, [source]);
    }

    #[test]
    fn a_digest_tells_where_one_text_ends() {
        let digest = |texts: &[&str]| digest_texts(texts.iter().copied());
        assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]));
        assert_ne!(digest(&["a", "b"]), digest(&["b", "a"]));
        assert_eq!(digest(&["a", "b"]), digest(&["a", "b"]));
    }
}

//! XML to a tree of elements with their attributes. Text between tags is not kept: the metadata have none that counts.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::bytes::without_controls;

/// Metadata nest six deep.
const DEPTH: usize = 64;
/// A design of a thousand units has some ten thousand.
const ELEMENTS: usize = 500_000;

/// One element.
#[derive(Debug, Default)]
pub(super) struct XmlElement {
    pub(super) name: String,
    attributes: Vec<(String, String)>,
    children: Vec<XmlElement>,
}

impl XmlElement {
    /// An attribute, which may be empty.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// A number, in decimal or behind `0x`.
    pub(super) fn number(&self, name: &str) -> Option<u64> {
        let word = self.attribute(name)?.trim();
        match word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => word.parse().ok(),
        }
    }

    /// The children of a name.
    pub(super) fn children_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// Every element at the end of a path of names.
    pub(super) fn elements_at<'a>(&'a self, path: &[&str]) -> Vec<&'a Self> {
        let mut level = vec![self];
        for name in path {
            level = level
                .into_iter()
                .flat_map(|one| one.children.iter().filter(|child| child.name == *name))
                .collect();
        }
        level
    }
}

/// The root, and what is wrong with the text, if anything is: what comes before the fault is kept.
pub(super) fn read_tree(text: &str) -> (Option<XmlElement>, Option<String>) {
    let mut reader = Reader::from_str(text);
    reader.config_mut().allow_dangling_amp = true;
    let mut open: Vec<XmlElement> = Vec::new();
    let mut root = None;
    let mut count = 0;
    let mut problem = None;
    loop {
        let at = reader.buffer_position();
        match reader.read_event() {
            Ok(event @ (Event::Start(_) | Event::Empty(_))) => {
                count += 1;
                if open.len() >= DEPTH || count > ELEMENTS {
                    problem = Some(format!(
                        "the XML has more than {DEPTH} levels or {ELEMENTS} elements at byte {at}"
                    ));
                    break;
                }
                match event {
                    Event::Start(tag) => open.push(read_element(&tag)),
                    Event::Empty(tag) => close_element(read_element(&tag), &mut open, &mut root),
                    _ => {}
                }
            }
            Ok(Event::End(_)) => {
                if let Some(done) = open.pop() {
                    close_element(done, &mut open, &mut root);
                }
            }
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(error) => {
                problem = Some(format!(
                    "the XML cannot be read from byte {} on: {}",
                    reader.error_position(),
                    without_controls(&error.to_string())
                ));
                break;
            }
        }
    }
    if let (Some(innermost), None) = (open.last(), &problem) {
        problem = Some(format!("the XML ends inside <{}>", innermost.name));
    }
    while let Some(done) = open.pop() {
        close_element(done, &mut open, &mut root);
    }
    (root, problem)
}

fn close_element(done: XmlElement, open: &mut [XmlElement], root: &mut Option<XmlElement>) {
    match open.last_mut() {
        Some(above) => above.children.push(done),
        None => {
            root.get_or_insert(done);
        }
    }
}

fn read_element(tag: &BytesStart<'_>) -> XmlElement {
    let mut found = tag.attributes();
    let attributes = found.with_checks(false).flatten().map(|attribute| {
        let raw = attribute.value.as_ref();
        let value: String =
            quick_xml::escape::unescape(raw).map_or_else(|_| raw.to_owned(), Into::into);
        // XML reads a line break in a value as a space, too.
        (attribute.key.as_ref().to_owned(), without_controls(&value))
    });
    XmlElement {
        name: without_controls(tag.name().as_ref()),
        attributes: attributes.collect(),
        children: Vec::new(),
    }
}

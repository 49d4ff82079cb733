//! XML to a tree of elements with their places. Entities of a document type are never expanded.

use super::error::ReportError;
use super::figure::{Figure, Located};
use crate::{FileId, Sources, Span, Unparsed};
use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};

/// Loops nest, but not like this.
const DEPTH: usize = 96;
/// The largest real report has some hundred thousand elements.
const ELEMENTS: usize = 2_000_000;

/// One element.
#[derive(Debug)]
pub(crate) struct Element {
    pub(crate) name: Located<String>,
    pub(crate) attributes: Vec<(String, Located<String>)>,
    pub(crate) children: Vec<Element>,
    /// The text directly inside, without the blanks around it.
    pub(crate) text: Located<String>,
}

impl Element {
    /// The first child of a name.
    pub(crate) fn find_child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.name.value == name)
    }

    /// The element at the end of a path of names.
    pub(crate) fn element_at(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |element, name| element.find_child(name))
    }

    /// The text of a child, if there is some.
    pub(crate) fn word_of(&self, name: &str) -> Option<Located<String>> {
        let text = &self.find_child(name)?.text;
        (!text.value.is_empty()).then(|| text.clone())
    }

    /// An attribute that is not empty.
    pub(crate) fn find_attribute(&self, name: &str) -> Option<Located<String>> {
        let (_, value) = self.attributes.iter().find(|(key, _)| key == name)?;
        (!value.value.is_empty()).then(|| value.clone())
    }

    /// The figure of a child: a number, a word, `a ~ b`, or a `<range>`.
    pub(crate) fn figure_of(&self, name: &str) -> Option<Located<Figure>> {
        let child = self.find_child(name)?;
        if let Some(range) = child.find_child("range") {
            let (low, high) = (range.word_of("min")?, range.word_of("max")?);
            return Some(merge_figures(
                &low.map(|w| Figure::parse(&w)),
                &high.map(|w| Figure::parse(&w)),
            ));
        }
        (!child.text.value.is_empty())
            .then(|| child.text.clone().map(|read_word| Figure::parse(&read_word)))
    }
}

/// One figure from two places.
pub(crate) fn merge_figures(low: &Located<Figure>, high: &Located<Figure>) -> Located<Figure> {
    let span = Span {
        file: low.span.file,
        start: low.span.start.min(high.span.start),
        end: low.span.end.max(high.span.end),
    };
    let value = Figure::from_cases(&low.value, &high.value);
    // One number needs one place.
    let span = if value.known().is_some() { low.span } else { span };
    Located::new(value, span)
}

/// The root, and what was wrong with the text after it. A text that breaks off gives what is
/// before the break.
pub(crate) fn read_xml(
    sources: &Sources,
    file: FileId,
) -> Result<(Option<Element>, Vec<Unparsed>), ReportError> {
    let text = sources.text(file);
    let mut reader = Reader::from_str(text);
    reader.config_mut().allow_dangling_amp = true;
    let mut builder =
        Builder { sources, file, text, open: Vec::new(), root: None, unread: Vec::new(), count: 0 };
    loop {
        let from = byte_offset(reader.buffer_position());
        let event = reader.read_event();
        let to = byte_offset(reader.buffer_position());
        match event {
            Ok(Event::Start(tag)) => builder.start_element(&tag, from, to)?,
            Ok(Event::Empty(tag)) => {
                builder.start_element(&tag, from, to)?;
                builder.end_element();
            }
            Ok(Event::End(_)) => builder.end_element(),
            Ok(Event::Text(_) | Event::GeneralRef(_)) => builder.text(from, to),
            Ok(Event::CData(data)) => builder.append_text(&data, from, to),
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(error) => {
                let at = byte_offset(reader.error_position());
                let reason = format!("the XML cannot be read from here on: {error}");
                builder.note_unread(at, reason);
                break;
            }
        }
    }
    if let (Some(innermost), true) = (builder.open.last(), builder.unread.is_empty()) {
        let reason = format!("the text ends inside <{}>", innermost.name.value);
        builder.note_unread(text.len(), reason);
    }
    while !builder.open.is_empty() {
        builder.end_element();
    }
    Ok((builder.root, builder.unread))
}

fn byte_offset(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}

struct Builder<'a> {
    sources: &'a Sources,
    file: FileId,
    text: &'a str,
    open: Vec<Element>,
    root: Option<Element>,
    unread: Vec<Unparsed>,
    count: usize,
}

impl Builder<'_> {
    fn span_of(&self, start: usize, end: usize) -> Span {
        Span { file: self.file, start, end }
    }

    fn note_unread(&mut self, at: usize, reason: String) {
        let at = derate_source::boundary(self.text, at);
        let span = self.span_of(at, at);
        self.unread.push(Unparsed { span, reason });
    }

    fn start_element(
        &mut self,
        tag: &BytesStart<'_>,
        from: usize,
        to: usize,
    ) -> Result<(), ReportError> {
        self.count += 1;
        let excess = if self.open.len() >= DEPTH {
            Some(format!("nests more than {DEPTH} elements"))
        } else if self.count > ELEMENTS {
            Some(format!("has more than {ELEMENTS} elements"))
        } else {
            None
        };
        if let Some(what) = excess {
            let line = self.sources.position(self.span_of(from, from)).line;
            let name = self.sources.name(self.file).to_owned();
            return Err(ReportError::Limit { name, what, line });
        }
        let name = tag.name().as_ref().to_owned();
        let named = self.span_of(from + 1, from + 1 + name.len());
        let attributes = self.read_attributes(tag, from, to);
        let text = Located::new(String::new(), self.span_of(to, to));
        let name = Located::new(name, named);
        self.open.push(Element { name, attributes, children: Vec::new(), text });
        Ok(())
    }

    fn read_attributes(
        &self,
        tag: &BytesStart<'_>,
        from: usize,
        to: usize,
    ) -> Vec<(String, Located<String>)> {
        let raw = self.text.get(from..to).unwrap_or("");
        let mut after = tag.name().as_ref().len();
        let mut all = Vec::new();
        for attribute in tag.attributes().with_checks(false).flatten() {
            let key: &str = attribute.key.as_ref();
            let written: &str = attribute.value.as_ref();
            // Attributes come in the order of the text.
            let Some(rest) = raw.get(after..) else { break };
            let Some(at) = rest.find(key) else { continue };
            let value_from = after + at + key.len();
            let Some(inside) = raw.get(value_from..).and_then(|rest| rest.find(written)) else {
                continue;
            };
            let inside = if written.is_empty() { inside + 2 } else { inside };
            let start = (from + value_from + inside).min(to);
            after = (start - from) + written.len();
            let value = unescape(written).map_or_else(|_| written.to_owned(), Into::into);
            let span = self.span_of(start, (start + written.len()).min(to));
            all.push((key.to_owned(), Located::new(value, span)));
        }
        all
    }

    fn text(&mut self, from: usize, to: usize) {
        let raw = self.text.get(from..to).unwrap_or("");
        let value = unescape(raw).map_or_else(|_| raw.to_owned(), Into::into);
        self.append_text(&value, from, to);
    }

    fn append_text(&mut self, value: &str, from: usize, to: usize) {
        let Some(element) = self.open.last_mut() else { return };
        let text = &mut element.text;
        if text.value.is_empty() {
            if value.trim().is_empty() {
                return;
            }
            let raw = self.text.get(from..to).unwrap_or("");
            text.span.start = from + (raw.len() - raw.trim_start().len());
        } else if text.span.end != from {
            // An element or a comment is between: `5<b/>6` is not 56.
            if value.trim().is_empty() {
                return;
            }
            text.value.push(' ');
        }
        text.value.push_str(value);
        text.span.end = to;
    }

    fn end_element(&mut self) {
        let Some(mut element) = self.open.pop() else { return };
        let text = &mut element.text;
        let raw = self.text.get(text.span.start..text.span.end).unwrap_or("");
        text.span.end = text.span.start + raw.trim_end().len();
        let trimmed = text.value.trim();
        if trimmed.len() != text.value.len() {
            text.value = trimmed.to_owned();
        }
        match self.open.last_mut() {
            Some(parent) => parent.children.push(element),
            None => {
                self.root.get_or_insert(element);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Result<(Option<Element>, usize), ReportError> {
        let mut sources = Sources::default();
        let file = sources.add("a.xml", text);
        read_xml(&sources, file).map(|(root, unread)| (root, unread.len()))
    }

    #[test]
    fn text_and_attributes_have_their_places() {
        let text = "<profile>\n <a k=\"\" b='x &lt; y'> 5 &amp; 6 </a></profile>";
        let mut sources = Sources::default();
        let file = sources.add("a.xml", text);
        let (root, unread) = read_xml(&sources, file).unwrap();
        assert!(unread.is_empty());
        let root = root.unwrap();
        let a = root.find_child("a").unwrap();
        assert_eq!(a.text.value, "5 & 6");
        assert_eq!(sources.slice(a.text.span), "5 &amp; 6");
        let b = a.find_attribute("b").unwrap();
        assert_eq!((b.value.as_str(), sources.slice(b.span)), ("x < y", "x &lt; y"));
        assert_eq!(sources.slice(a.name.span), "a");
    }

    #[test]
    fn a_break_gives_what_stands_before_it() {
        let (root, unread) = tree("<profile><a>5</a><b>6").unwrap();
        assert_eq!((root.unwrap().find_child("a").unwrap().text.value.as_str(), unread), ("5", 1));
        let (root, unread) = tree("<profile><a>5</a></b></profile>").unwrap();
        assert!(root.is_some() && unread == 1);
    }

    #[test]
    fn entities_are_not_expanded() {
        let bomb =
            "<!DOCTYPE p [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]><profile>&b;</profile>";
        let (root, _) = tree(bomb).unwrap();
        assert_eq!(root.unwrap().text.value, "&b;");
    }

    #[test]
    fn text_round_elements_is_not_glued() {
        let text = |text: &str| tree(text).unwrap().0.unwrap().text.value;
        assert_eq!(text("<profile>5<b/>6</profile>"), "5 6");
        assert_eq!(text("<profile>5\n<b/>\n</profile>"), "5");
        assert_eq!(text("<profile>a&amp; &lt;b</profile>"), "a& <b");
    }

    #[test]
    fn depth_has_a_limit() {
        let error = tree(&"<a>".repeat(500)).unwrap_err();
        assert!(error.to_string().contains("nests more than 96"), "{error}");
    }
}

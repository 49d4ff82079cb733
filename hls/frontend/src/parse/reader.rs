//! A text that is read, and what its nodes are made of.

use super::commentary::{comment_of, heading_of};
use super::grammar::Grammar;
use crate::header::{Comment, Header, Scope, TemplateParameter};
use crate::preprocess::{Pragma, Prepared};
use crate::{Span, Unparsed, split_words};
use tree_sitter::Node;

/// Words that align what they are at.
const ALIGNING: [&str; 4] = ["alignas", "_Alignas", "__align__", "__builtin_align__"];

/// What surrounds a declaration.
#[derive(Clone, Default)]
pub(super) struct Around {
    pub(super) scope: Scope,
    pub(super) template: Vec<TemplateParameter>,
    /// The `template` clause, where the declaration starts with one.
    pub(super) start: Option<usize>,
    pub(super) depth: usize,
    /// Inside a function's body.
    pub(super) local: bool,
}

impl Around {
    pub(super) fn inner(&self, part: &str) -> Self {
        Self {
            scope: self.scope.inner(part),
            template: Vec::new(),
            start: None,
            depth: self.depth + 1,
            local: self.local,
        }
    }
}

pub(super) struct Reader<'a> {
    text: &'a str,
    prepared: &'a Prepared,
    grammar: &'a Grammar,
    pub(super) header: Header,
    /// The places of `#pragma pack`, and whether it sets an alignment there.
    packs: Vec<(usize, bool)>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        text: &'a str,
        prepared: &'a Prepared,
        grammar: &'a Grammar,
        header: Header,
    ) -> Self {
        let pack = |one: &Pragma| {
            let sets = one.text.strip_prefix("pack")?.chars().any(|c| c.is_ascii_digit());
            Some((one.span.start, sets))
        };
        let packs = header.pragmas.iter().filter_map(pack).collect();
        Self { text, prepared, grammar, header, packs }
    }

    pub(super) fn finish(mut self) -> Header {
        self.header.unparsed.sort_by_key(|one| (one.span.start, one.span.end));
        // All that is wrong in an expansion is at its call.
        self.header.unparsed.dedup();
        self.header
    }

    pub(super) fn span_of(&self, node: Node<'_>) -> Span {
        // The grammar counts bytes of a text whose blanked parts need not be characters.
        let range = self.grammar.source_of(&node.byte_range());
        let start = derate_source::boundary(self.text, range.start);
        let end = derate_source::boundary(self.text, range.end).max(start);
        Span { file: self.prepared.file, start, end }
    }

    /// The span of a declaration, the `template` clause before it included.
    pub(super) fn whole_span(&self, node: Node<'_>, around: &Around) -> Span {
        let span = self.span_of(node);
        Span { start: around.start.unwrap_or(span.start).min(span.start), ..span }
    }

    /// The text of a node on one line, without comments.
    pub(super) fn words_of(&self, node: Node<'_>) -> String {
        self.grammar.words_of(self.text, node.byte_range())
    }

    pub(super) fn note_unread(&mut self, span: Span, reason: &str) {
        self.header.unparsed.push(Unparsed { span, reason: reason.to_owned() });
    }

    pub(super) fn comment_on(&self, span: Span) -> Option<Comment> {
        let Prepared { masked, comments, file, .. } = self.prepared;
        comment_of(self.text, masked, comments, *file, span.start..span.end)
    }

    pub(super) fn heading_of(&self, span: Span) -> Option<Comment> {
        let Prepared { masked, comments, file, .. } = self.prepared;
        heading_of(self.text, masked, comments, *file, span.start)
    }

    pub(super) fn condition_at(&self, span: Span) -> Option<String> {
        self.header.outlook.condition_at(span.start)
    }

    pub(super) fn pragmas_within(&self, span: Span) -> Vec<Pragma> {
        let pragmas = &self.header.pragmas;
        let from = pragmas.partition_point(|pragma| pragma.span.start < span.start);
        pragmas[from..].iter().take_while(|one| one.span.end <= span.end).cloned().collect()
    }

    /// An `__attribute__` inside a range, as it is spelt.
    pub(super) fn attribute_within(&self, span: Span) -> Option<&'a str> {
        let attributes = &self.prepared.attributes;
        let at = attributes.partition_point(|range| range.start < span.start);
        let range = attributes.get(at).filter(|range| range.end <= span.end)?;
        self.text.get(range.clone())
    }

    /// Whether packing or alignment is set by hand within a range.
    pub(super) fn is_adjusted(&self, span: Span) -> bool {
        let attributes = &self.prepared.attributes;
        let from = attributes.partition_point(|range| range.start < span.start);
        let mut inside = attributes[from..].iter().take_while(|range| range.end <= span.end);
        let sets = |text: &str| text.contains("packed") || text.contains("aligned");
        inside.any(|range| self.text.get(range.clone()).is_some_and(sets))
            || split_words(&self.masked_of(span)).any(|word| ALIGNING.contains(&word))
            || self.is_packed(span.start)
    }

    /// The text of a span without comments and directives.
    fn masked_of(&self, span: Span) -> String {
        let masked = self.prepared.masked.get(span.start..span.end).unwrap_or_default();
        String::from_utf8_lossy(masked).into_owned()
    }

    /// Whether `#pragma pack` holds at a place.
    fn is_packed(&self, at: usize) -> bool {
        let before = self.packs.partition_point(|(place, _)| *place < at);
        self.packs[..before].last().is_some_and(|(_, sets)| *sets)
    }
}

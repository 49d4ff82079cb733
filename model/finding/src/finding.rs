//! What a rule found.

use derate_hls::Span;
use serde::Serialize;
use serde_json::Value;

use crate::edit::Fix;
use derate_project::Level;

/// A place and what it says there.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What to see there.
    pub text: String,
}

impl Label {
    /// A label at `span`.
    pub fn new(span: Span, text: impl Into<String>) -> Self {
        Self { span, text: text.into() }
    }
}

/// Which findings of one rule are shown together.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Group {
    /// This one is shown alone.
    Alone,
    /// Those in the same file.
    File,
    /// Those that have the same name here: that of a function, or of a kind of problem.
    Name(String),
}

/// What makes one finding of several that have one cause, such as one typedef or one template. Comments allow each of them by itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// The same for all of them; no other finding of the rule has it.
    pub cause: String,
    /// Where this one is, in words.
    pub place: String,
    /// Of those of one level the heaviest is kept, of equals the first.
    pub weight: f64,
}

/// A disagreement between a claim and what it is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The rule's code.
    pub code: &'static str,
    /// How grave it is.
    pub level: Level,
    /// What it is about: an alias, a tensor, a loop, a claim's key.
    pub subject: String,
    /// Which findings of its rule it is shown with.
    pub group: Group,
    /// What is wrong, in a sentence.
    pub message: String,
    /// The offender first, then what it contradicts.
    pub labels: Vec<Label>,
    /// Figures and reasons.
    pub notes: Vec<String>,
    /// What to do.
    pub help: String,
    /// The rule's evidence, as data.
    pub evidence: Value,
    /// Edits that fix it, if there are any.
    pub fixes: Vec<Fix>,
    /// The design that it is found in, where a folder has several.
    pub design: Option<String>,
    /// The cause that it shares with others of its rule.
    pub joint: Option<Joint>,
}

impl Finding {
    /// A finding about `subject`, without words, places and fixes.
    pub fn new(code: &'static str, level: Level, subject: impl Into<String>) -> Self {
        Self {
            code,
            level,
            subject: subject.into(),
            group: Group::Alone,
            message: String::new(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: String::new(),
            evidence: Value::Null,
            fixes: Vec::new(),
            design: None,
            joint: None,
        }
    }

    /// Shows it with the rule's other findings in the same file.
    #[must_use]
    pub fn by_file(self) -> Self {
        Self { group: Group::File, ..self }
    }

    /// Shows it with the rule's other findings in a function, or of a kind.
    #[must_use]
    pub fn in_group(self, name: impl Into<String>) -> Self {
        Self { group: Group::Name(name.into()), ..self }
    }

    /// Says what is wrong, in a sentence.
    #[must_use]
    pub fn with_message(self, message: impl Into<String>) -> Self {
        Self { message: message.into(), ..self }
    }

    /// Adds a place; the first one is the finding's own.
    #[must_use]
    pub fn with_label(self, span: Span, text: impl Into<String>) -> Self {
        self.with_labels([Label::new(span, text)])
    }

    /// Adds places.
    #[must_use]
    pub fn with_labels(mut self, labels: impl IntoIterator<Item = Label>) -> Self {
        self.labels.extend(labels);
        self
    }

    /// Adds a figure or a reason.
    #[must_use]
    pub fn with_note(self, note: impl Into<String>) -> Self {
        self.with_notes([note])
    }

    /// Adds figures and reasons.
    #[must_use]
    pub fn with_notes(mut self, notes: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.notes.extend(notes.into_iter().map(Into::into));
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: help.into(), ..self }
    }

    /// Gives the evidence as data; null where JSON cannot hold it.
    #[must_use]
    pub fn with_evidence(self, evidence: impl Serialize) -> Self {
        Self { evidence: serde_json::to_value(evidence).unwrap_or_default(), ..self }
    }

    /// Makes it one with those of its rule that have the same cause; `place` says where this one is.
    #[must_use]
    pub fn with_cause(
        self,
        cause: impl Into<String>,
        place: impl Into<String>,
        weight: f64,
    ) -> Self {
        Self { joint: Some(Joint { cause: cause.into(), place: place.into(), weight }), ..self }
    }

    /// Adds a way to fix it.
    #[must_use]
    pub fn with_fix(mut self, fix: Fix) -> Self {
        self.fixes.push(fix);
        self
    }

    /// Adds ways to fix it.
    #[must_use]
    pub fn with_fixes(mut self, fixes: impl IntoIterator<Item = Fix>) -> Self {
        self.fixes.extend(fixes);
        self
    }

    /// The first label's place.
    pub fn place(&self) -> Option<Span> {
        self.labels.first().map(|label| label.span)
    }
}

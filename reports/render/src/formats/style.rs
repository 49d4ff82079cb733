//! Colours of terminal text: eight colours that every terminal has, and none unless asked for.

use crate::Level;

/// How a piece of text looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Plain,
    Bold,
    Dim,
    Title,
    Level(Level),
}

impl Style {
    /// The select-graphic-rendition code.
    fn escape_code(self) -> Option<&'static str> {
        match self {
            Self::Plain => None,
            Self::Bold => Some("1"),
            Self::Dim => Some("2"),
            Self::Title => Some("1;36"),
            Self::Level(Level::Error) => Some("31"),
            Self::Level(Level::Warning) => Some("33"),
            Self::Level(Level::Note) => Some("34"),
            Self::Level(Level::Help) => Some("36"),
            Self::Level(Level::Ok) => Some("32"),
        }
    }

    /// The text in this style where `color` is asked for, else as it is.
    pub(crate) fn paint(self, text: &str, color: bool) -> String {
        match self.escape_code() {
            Some(code) if color && !text.is_empty() => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
            _ => text.to_owned(),
        }
    }
}

/// A traffic light that reads without colours too.
pub(crate) fn status_sign(level: Level) -> &'static str {
    match level {
        Level::Error => "✗",
        Level::Warning => "!",
        Level::Note | Level::Help => "·",
        Level::Ok => "✓",
    }
}

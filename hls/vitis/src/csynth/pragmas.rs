use super::figure::Located;
use serde::Serialize;

/// A pragma or directive, and what the tool made of it.
#[derive(Clone, Eq, PartialEq, Debug, Serialize)]
pub struct ReportedPragma {
    /// `valid`, `warning`, `invalid`, as the XML has it; the text report's headings are put into
    /// the same words, and any other heading stays as printed.
    pub status: Located<String>,
    /// `pipeline`, `interface`; in small letters.
    pub kind: Located<String>,
    /// What followed: `variable=A complete dim=1`.
    pub options: Located<String>,
    /// `file.cpp:16`.
    pub location: Option<Located<String>>,
    /// The function around it, as the report spells it (in small letters, often).
    pub function: Option<Located<String>>,
    /// Why it was not taken unchanged.
    pub message: Option<Located<String>>,
}

//! `[audit.levels]`: how grave the user takes a rule's findings to be.

use std::collections::BTreeMap;

use derate_hls::{Reason, Span};

use super::{Checker, Claim, Level, ProjectError};

/// The level that the project gives to all findings of a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleLevel {
    /// Where the rule is named.
    pub rule: Span,
    /// The level; `None` switches the rule off.
    pub level: Claim<Option<Level>>,
}

impl Checker<'_> {
    /// A table from the codes of rules to levels.
    pub(super) fn levels(
        &self,
        raw: BTreeMap<toml::Spanned<String>, toml::Spanned<String>>,
    ) -> Result<BTreeMap<String, RuleLevel>, ProjectError> {
        raw.into_iter()
            .map(|(key, value)| {
                let rule = self.span(key.span());
                let level = self.claim(value, |text| read_level(&text))?;
                Ok((key.into_inner(), RuleLevel { rule, level }))
            })
            .collect()
    }
}

fn read_level(text: &str) -> Result<Option<Level>, Reason> {
    if text == "off" {
        return Ok(None);
    }
    [Level::Error, Level::Warning, Level::Note]
        .into_iter()
        .find(|level| level.as_str() == text)
        .map(Some)
        .ok_or_else(|| {
            Reason::from(format!(
                "`{}` is not a level: write error, warning, note or off",
                text.escape_debug()
            ))
        })
}

#[cfg(test)]
mod tests {
    use derate_hls::Sources;

    use super::*;
    use crate::Project;

    fn levels(table: &str) -> Result<Vec<(String, Option<Level>)>, String> {
        let mut sources = Sources::default();
        let head = "[model]\nshapes = \"m.txt\"\n[platform]\nname = \"u280\"\n[audit.levels]\n";
        let file = sources.add("derate.toml", format!("{head}{table}\n"));
        let project = Project::parse(&sources, file).map_err(|error| error.to_string())?;
        Ok(project.levels.into_iter().map(|(code, level)| (code, level.level.value)).collect())
    }

    #[test]
    fn each_level_has_its_word() {
        let read = levels(
            "\"shape/mismatch\" = \"off\"\n\"peak/underivable\" = \"note\"\n\"source/unread\" = \"error\"",
        );
        let expected = [
            ("peak/underivable", Some(Level::Note)),
            ("shape/mismatch", None),
            ("source/unread", Some(Level::Error)),
        ];
        assert_eq!(read.unwrap(), expected.map(|(code, level)| (code.to_owned(), level)));
    }

    #[test]
    fn a_word_that_is_no_level_is_refused() {
        let error = levels("\"shape/mismatch\" = \"deny\"").unwrap_err();
        assert!(error.starts_with("derate.toml:6: `deny` is not a level: write error"), "{error}");
    }
}

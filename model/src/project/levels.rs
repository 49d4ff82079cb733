//! `[audit.levels]`: how grave the user takes a rule's findings to be.

use std::collections::BTreeMap;

use super::{Checker, Claim, ProjectError};
use crate::audit::{Level, nearest_rule, rule, rules};

impl Checker<'_> {
    /// A table from the codes of rules to levels.
    pub(super) fn levels(
        &self,
        raw: BTreeMap<toml::Spanned<String>, toml::Spanned<String>>,
    ) -> Result<BTreeMap<String, Claim<Option<Level>>>, ProjectError> {
        raw.into_iter()
            .map(|(key, value)| {
                let place = self.span(key.span());
                let code = key.into_inner();
                if rule(&code).is_none() {
                    return Err(ProjectError::at(self.sources, place, unknown(&code)));
                }
                let level = self.claim(value, |text| level(&text))?;
                Ok((code, level))
            })
            .collect()
    }
}

fn unknown(code: &str) -> String {
    let known: Vec<&str> = rules().iter().map(|rule| rule.code).collect();
    let near = nearest_rule(code);
    let code = code.escape_debug();
    if let Some(near) = near {
        return format!(
            "`{code}` is no rule of the audit: is `{near}` meant? `derate rules` lists them all"
        );
    }
    format!("`{code}` is no rule of the audit: write one of {}", known.join(", "))
}

fn level(text: &str) -> Result<Option<Level>, String> {
    if text == "off" {
        return Ok(None);
    }
    [Level::Error, Level::Warning, Level::Note]
        .into_iter()
        .find(|level| level.as_str() == text)
        .map(Some)
        .ok_or_else(|| {
            format!("`{}` is no level: write error, warning, note or off", text.escape_debug())
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
        Ok(project.levels.into_iter().map(|(code, level)| (code, level.value)).collect())
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
    fn a_code_that_no_rule_has_is_refused_with_the_known_ones() {
        let error = levels("\"shape/mismatch\" = \"off\"\n\"other/thing\" = \"off\"").unwrap_err();
        assert!(error.starts_with("derate.toml:7: `other/thing` is no rule"), "{error}");
        assert!(error.contains("shape/mismatch, ") && !error.contains('\n'), "{error}");
        let error = levels("\"shape/missmatch\" = \"off\"").unwrap_err();
        assert!(error.contains("is `shape/mismatch` meant?"), "{error}");
    }

    #[test]
    fn a_word_that_is_no_level_is_refused() {
        let error = levels("\"shape/mismatch\" = \"deny\"").unwrap_err();
        assert!(error.starts_with("derate.toml:6: `deny` is no level: write error"), "{error}");
    }
}

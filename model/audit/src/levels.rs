//! The rules that `[audit.levels]` names must exist.

use derate_hls::Sources;

use super::catalogue::{all_rules, find_rule, nearest_rule};
use derate_project::{Project, ProjectError};

/// Checks that each code under `[audit.levels]` is the code of a rule.
///
/// # Errors
///
/// The first code that no rule has, with its line and the nearest rule.
pub fn check_rule_codes(sources: &Sources, project: &Project) -> Result<(), ProjectError> {
    let unknown_code = project.levels.iter().find(|(code, _)| find_rule(code).is_none());
    unknown_code.map_or(Ok(()), |(code, level)| {
        Err(ProjectError::at(sources, level.rule, refuse_code(code)))
    })
}

fn refuse_code(code: &str) -> String {
    let known: Vec<&str> = all_rules().iter().map(|rule| rule.code).collect();
    let near = nearest_rule(code);
    let code = code.escape_debug();
    if let Some(near) = near {
        return format!(
            "`{code}` is not a rule of the audit: is `{near}` meant? `derate rules` lists them all"
        );
    }
    format!("`{code}` is not a rule of the audit: write one of {}", known.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(table: &str) -> Result<(), String> {
        let mut sources = Sources::default();
        let head = "[model]\nshapes = \"m.txt\"\n[platform]\nname = \"u280\"\n[audit.levels]\n";
        let file = sources.add("derate.toml", format!("{head}{table}\n"));
        let project = Project::parse(&sources, file).unwrap();
        check_rule_codes(&sources, &project).map_err(|error| error.to_string())
    }

    #[test]
    fn a_code_that_no_rule_has_is_refused_with_the_known_ones() {
        let error = check("\"shape/mismatch\" = \"off\"\n\"other/thing\" = \"off\"").unwrap_err();
        assert!(error.starts_with("derate.toml:7: `other/thing` is not a rule"), "{error}");
        assert!(error.contains("shape/mismatch, ") && !error.contains('\n'), "{error}");
        let error = check("\"shape/missmatch\" = \"off\"").unwrap_err();
        assert!(error.contains("is `shape/mismatch` meant?"), "{error}");
    }
}

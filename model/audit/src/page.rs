//! All manual pages as one, for `docs/book/src/rules.md`.

use std::fmt::Write;

use super::catalogue::all_rules;
use super::{Needs, Rule};

/// The text before the table of contents.
const HEAD: &str = "# The rules of the audit\n\n\
    This page is made from the doc comments of `model/audit/src/rules/`; `make golden` writes it again, and\n\
    `derate rule CODE` prints one of its sections. A level is that of the rule's gravest findings, where `[audit.levels]`\n\
    in `derate.toml` does not say otherwise. A rule runs where what it needs is there;\n\
    `derate audit` names what it did not check.\n\n";

/// Every rule's manual page under one heading, with a table of contents in front.
pub fn rules_page() -> String {
    let mut page = HEAD.to_owned();
    for rule in all_rules() {
        let (code, level) = (rule.code, rule.level.as_str());
        let needs = match rule.needs() {
            Needs::Files => String::new(),
            other => format!(", needs {}", other.words()),
        };
        let anchor = heading_anchor(code);
        let _ = writeln!(page, "- [`{code}`](#{anchor}) ({level}{needs}): {}", rule.summary());
    }
    for rule in all_rules() {
        page.push('\n');
        page.push_str(&rule_section(rule));
    }
    page
}

/// The name that Markdown viewers give to a heading.
fn heading_anchor(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || *c == '-' || *c == '_';
    heading.to_lowercase().chars().filter(kept).collect()
}

/// The manual with each heading one level down; a `#` in an example is none.
fn rule_section(rule: &Rule) -> String {
    let mut section = String::new();
    let mut fenced = false;
    for line in rule.manual().lines() {
        fenced ^= line.starts_with("```");
        if line.starts_with('#') && !fenced {
            section.push('#');
        }
        section.push_str(line);
        section.push('\n');
    }
    section
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_rule_is_listed_once_and_has_its_own_anchor() {
        let page = rules_page();
        let anchors: BTreeSet<String> =
            all_rules().iter().map(|rule| heading_anchor(rule.code)).collect();
        assert_eq!(anchors.len(), all_rules().len());
        for rule in all_rules() {
            assert_eq!(page.matches(&format!("\n## {}\n", rule.code)).count(), 1, "{}", rule.code);
            assert_eq!(
                page.matches(&format!("\n- [`{}`](", rule.code)).count(),
                1,
                "{}",
                rule.code
            );
        }
    }

    #[test]
    fn contents_come_first_and_examples_keep_their_marks() {
        let page = rules_page();
        assert!(page.find("- [`").unwrap() < page.find("\n## ").unwrap());
        assert!(page.contains("\n### What it does\n") && !page.contains("\n####"));
        assert!(page.lines().filter(|line| line.starts_with("# ")).count() == 1);
    }
}

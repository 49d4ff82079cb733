//! What an audit could not check, and what has to be added for it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::catalogue::all_rules;
use super::{AuditInput, Needs};
use derate_units::figures::count;

/// So many designs are named in a sentence.
const NAMED: usize = 3;

/// Rules that say nothing because something is not known.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct NotChecked {
    /// What is missing.
    pub needs: Needs,
    /// The codes of the rules.
    pub rules: Vec<&'static str>,
    /// The designs that it is missing in; empty for all.
    pub designs: Vec<String>,
    /// Why, and what to add.
    pub reason: String,
}

impl NotChecked {
    /// As a line of a summary.
    pub fn line(&self) -> String {
        let rules = match self.rules.as_slice() {
            few if few.len() <= NAMED => few.join(", "),
            many => format!("{} ({}, ...)", count(many.len(), "rule"), many[..NAMED].join(", ")),
        };
        let designs = match self.designs.as_slice() {
            [] => String::new(),
            few if few.len() <= NAMED => format!(" in {}", few.join(", ")),
            many => {
                format!(" in {} ({}, ...)", count(many.len(), "design"), many[..NAMED].join(", "))
            }
        };
        format!("not checked{designs}: {rules}: {}", self.reason)
    }
}

/// The codes of the rules that have what they need in one of these designs.
pub fn list_checked(designs: &[AuditInput<'_>]) -> Vec<&'static str> {
    let has = |needs: Needs| designs.iter().any(|one| needs.are_about(one) && needs.are_met(one));
    all_rules().iter().filter(|rule| has(rule.needs())).map(|rule| rule.code).collect()
}

/// What is not checked in these designs, by what it needs.
pub fn list_not_checked(designs: &[AuditInput<'_>]) -> Vec<NotChecked> {
    let mut found = Vec::new();
    for needs in [Needs::Part, Needs::Platform, Needs::Claims, Needs::Model] {
        let is_of = |input: &&AuditInput<'_>| needs.are_about(input);
        let about: Vec<&AuditInput<'_>> = designs.iter().filter(is_of).collect();
        let mut reasons: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for input in about.iter().filter(|input| !needs.are_met(input)) {
            let name = input.design_name().unwrap_or(".").to_owned();
            reasons.entry(needs.explain(input)).or_default().push(name);
        }
        let of_it = all_rules().iter().filter(|rule| rule.needs() == needs);
        let rules: Vec<&'static str> = of_it.map(|rule| rule.code).collect();
        for (reason, mut lacking) in reasons {
            if lacking.len() == about.len() {
                lacking.clear();
            }
            found.push(NotChecked { needs, rules: rules.clone(), designs: lacking, reason });
        }
    }
    found
}

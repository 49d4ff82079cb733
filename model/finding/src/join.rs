//! Findings of one cause are one, with the number of them.

use std::collections::BTreeMap;

use derate_units::figures::list_few;

use crate::Finding;

/// Places that are named.
const NAMED: usize = 4;

/// One finding for all of a rule that have one cause and one level in a design. It has the place of the first, and shows
/// those of some others.
pub fn join_causes(findings: Vec<Finding>) -> Vec<Finding> {
    let mut kept: Vec<(Finding, Vec<Finding>)> = Vec::new();
    let mut known = BTreeMap::new();
    for finding in findings {
        let Some(joint) = &finding.joint else {
            kept.push((finding, Vec::new()));
            continue;
        };
        let key = (finding.code, finding.level, finding.design.clone(), joint.cause.clone());
        if let Some((_, others)) = known.get(&key).and_then(|at: &usize| kept.get_mut(*at)) {
            others.push(finding);
        } else {
            known.insert(key, kept.len());
            kept.push((finding, Vec::new()));
        }
    }
    kept.into_iter().map(|(first, others)| join_one(first, others)).collect()
}

fn join_one(first: Finding, others: Vec<Finding>) -> Finding {
    if others.is_empty() {
        return first;
    }
    let weight = |one: &Finding| one.joint.as_ref().map_or(0.0, |joint| joint.weight);
    let (mut all, mut heaviest) = (vec![first], 0);
    for one in others {
        if weight(&one) > weight(&all[heaviest]) {
            heaviest = all.len();
        }
        all.push(one);
    }
    let mut kept = all.remove(heaviest);
    kept.message = format!("{}; and {} more like it", kept.message, all.len());
    kept.labels.extend(all.iter().filter_map(|one| one.labels.first()).take(NAMED).cloned());
    let mut places: Vec<String> = Vec::new();
    let own = kept.joint.as_ref().map(|joint| joint.place.clone());
    for place in all.into_iter().filter_map(|one| Some(one.joint?.place)) {
        if Some(&place) != own.as_ref() && !places.contains(&place) {
            places.push(place);
        }
    }
    if !places.is_empty() {
        kept.notes.push(format!("so it is in {}", list_few(&places, NAMED)));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use derate_project::Level;

    fn one(cause: Option<&str>, level: Level, place: &str, weight: f64) -> Finding {
        let finding = Finding::new("precision/alias-format", level, place).with_message(place);
        match cause {
            Some(cause) => finding.with_cause(cause, format!("`{place}`"), weight),
            None => finding,
        }
    }

    #[test]
    fn the_heaviest_of_a_cause_is_kept_with_the_others_places() {
        let all = join_causes(vec![
            one(Some("x"), Level::Error, "a", 1.0),
            one(Some("y"), Level::Error, "b", 9.0),
            one(Some("x"), Level::Error, "c", 2.0),
            one(None, Level::Error, "d", 0.0),
            one(Some("x"), Level::Error, "e", 2.0),
            // Of another level.
            one(Some("x"), Level::Note, "f", 7.0),
        ]);
        let shown: Vec<&str> = all.iter().map(|one| one.message.as_str()).collect();
        assert_eq!(shown, ["c; and 2 more like it", "b", "d", "f"]);
        assert_eq!(all[0].notes, ["so it is in `a`, `e`"]);
    }

    #[test]
    fn another_design_has_findings_of_its_own() {
        let mut other = one(Some("x"), Level::Error, "b", 1.0);
        other.design = Some("other".to_owned());
        assert_eq!(join_causes(vec![one(Some("x"), Level::Error, "a", 1.0), other]).len(), 2);
    }
}

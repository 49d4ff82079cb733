//! Figures by name, in the order of the report.

use std::collections::{BTreeMap, BTreeSet};

use super::Reading;

/// What a figure is of.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct FigureKey {
    pub(super) scenario: String,
    /// Empty of what no schedule changes, and of `unfused`.
    pub(super) schedule: String,
    pub(super) part: String,
    pub(super) figure: String,
}

impl FigureKey {
    /// Of a scenario, or of another group of figures, as a whole.
    pub(super) fn of(scenario: &str) -> Self {
        let scenario = scenario.to_owned();
        Self { scenario, schedule: String::new(), part: String::new(), figure: String::new() }
    }

    pub(super) fn part(&self, part: &str) -> Self {
        Self { part: part.to_owned(), ..self.clone() }
    }
}

/// The figures of one report.
#[derive(Default)]
pub(super) struct Figures {
    order: Vec<FigureKey>,
    scenarios: BTreeSet<String>,
    values: BTreeMap<FigureKey, (Reading, String)>,
}

impl Figures {
    /// Adds a figure that the report has; of several with one name the first counts.
    pub(super) fn put(&mut self, of: &FigureKey, figure: &str, value: Reading, unit: &str) {
        let key = FigureKey { figure: figure.to_owned(), ..of.clone() };
        if value != Reading::Absent && !self.values.contains_key(&key) {
            if !self.scenarios.contains(&key.scenario) {
                self.scenarios.insert(key.scenario.clone());
            }
            self.order.push(key.clone());
            self.values.insert(key, (value, unit.to_owned()));
        }
    }

    /// A figure's value and unit.
    pub(super) fn get(&self, key: &FigureKey) -> Option<&(Reading, String)> {
        self.values.get(key)
    }

    /// Whether any figure is of this scenario, or group.
    pub(super) fn has(&self, scenario: &str) -> bool {
        self.scenarios.contains(scenario)
    }

    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = (&FigureKey, &(Reading, String))> {
        self.order.iter().filter_map(|key| Some((key, self.values.get(key)?)))
    }
}

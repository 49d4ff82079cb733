//! Figures by name, in the order of the report.

use std::collections::BTreeMap;

use super::Reading;

/// Scenario, part and figure.
pub(super) type Key = (String, String, String);

/// The figures of one report.
#[derive(Default)]
pub(super) struct Figures {
    order: Vec<Key>,
    values: BTreeMap<Key, (Reading, String)>,
}

impl Figures {
    /// Adds a figure; of several with one name the first counts.
    pub(super) fn put(
        &mut self,
        scenario: &str,
        part: &str,
        figure: &str,
        value: Reading,
        unit: &str,
    ) {
        let key = (scenario.to_owned(), part.to_owned(), figure.to_owned());
        if !self.values.contains_key(&key) {
            self.order.push(key.clone());
            self.values.insert(key, (value, unit.to_owned()));
        }
    }

    /// A figure's value and unit.
    pub(super) fn get(&self, key: &Key) -> Option<&(Reading, String)> {
        self.values.get(key)
    }

    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = (&Key, &(Reading, String))> {
        self.order.iter().filter_map(|key| Some((key, self.values.get(key)?)))
    }
}

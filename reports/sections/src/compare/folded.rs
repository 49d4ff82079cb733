//! One row for what reads the same in several scenarios, schedules or parts.

use std::collections::BTreeMap;

use derate_compare::FigureChange;
use derate_project::Schedule;

/// A row's words: part, figure, before and after.
pub(super) type Words = [String; 4];

/// A change, and everything that changed alike.
pub(super) struct Folded<'a> {
    /// The first of them.
    pub(super) change: &'a FigureChange,
    /// How many figures the row combines.
    pub(super) count: usize,
    /// Scenarios with their schedules, in their order.
    places: Vec<(&'a str, Vec<&'a str>)>,
}

impl<'a> Folded<'a> {
    fn add_change(&mut self, change: &'a FigureChange) {
        self.count += 1;
        let schedule = change.schedule.as_str();
        match self.places.iter_mut().find(|(scenario, _)| *scenario == change.scenario) {
            Some((_, schedules)) => schedules.push(schedule),
            None => self.places.push((&change.scenario, vec![schedule])),
        }
    }

    /// Whether every scenario and schedule of `other` is one of these.
    fn is_covered(&self, other: &Self) -> bool {
        other.places.iter().all(|(scenario, schedules)| {
            let own = self.places.iter().find(|(own, _)| own == scenario);
            own.is_some_and(|(_, own)| schedules.iter().all(|one| own.contains(one)))
        })
    }

    /// `claimed, derated (schedules unfused, block); design`
    pub(super) fn write_heading(&self) -> String {
        let mut alike: Vec<(String, Vec<&str>)> = Vec::new();
        for (scenario, schedules) in &self.places {
            let said = spell_schedules(schedules);
            match alike.iter_mut().find(|(own, _)| *own == said) {
                Some((_, names)) => names.push(scenario),
                None => alike.push((said, vec![scenario])),
            }
        }
        let said =
            alike.iter().map(|(schedules, names)| format!("{}{schedules}", names.join(", ")));
        said.collect::<Vec<_>>().join("; ")
    }
}

/// ` (schedules unfused, block)`; nothing where no schedule changes the figure, or it is the unfused one's alone.
fn spell_schedules(schedules: &[&str]) -> String {
    let name = |one: &&str| if one.is_empty() { "unfused" } else { *one }.to_owned();
    let names: Vec<String> = schedules.iter().map(name).collect();
    match schedules {
        [""] => String::new(),
        [_] => format!(" (schedule {})", names.concat()),
        _ if Schedule::ALL.iter().all(|one| names.iter().any(|name| name == one.name())) => {
            " (every schedule)".to_owned()
        }
        _ => format!(" (schedules {})", names.join(", ")),
    }
}

/// Rows in the order of their first change. A part that reads as the whole inference does has none of its own.
pub(super) fn fold_changes<'a>(
    changes: &'a [FigureChange],
    words: impl Fn(&FigureChange) -> Words,
) -> Vec<Folded<'a>> {
    let mut rows: Vec<Folded<'a>> = Vec::new();
    let mut places: BTreeMap<Words, usize> = BTreeMap::new();
    for change in changes {
        let at = *places.entry(words(change)).or_insert(rows.len());
        if at == rows.len() {
            rows.push(Folded { change, count: 0, places: Vec::new() });
        }
        if let Some(row) = rows.get_mut(at) {
            row.add_change(change);
        }
    }
    let whole = |row: &Folded<'_>| {
        let [part, figure, before, after] = words(row.change);
        let at = (!part.is_empty()).then(|| places.get(&[String::new(), figure, before, after]));
        at.flatten().copied().filter(|&at| rows.get(at).is_some_and(|whole| whole.is_covered(row)))
    };
    let homes: Vec<Option<usize>> = rows.iter().map(whole).collect();
    let moved: Vec<(usize, usize)> =
        rows.iter().zip(&homes).filter_map(|(row, home)| Some(((*home)?, row.count))).collect();
    for (home, count) in moved {
        if let Some(row) = rows.get_mut(home) {
            row.count += count;
        }
    }
    rows.into_iter().zip(homes).filter_map(|(row, home)| home.is_none().then_some(row)).collect()
}

//! What takes most of a resource in a module.

use std::collections::BTreeMap;

use crate::csynth::{Module, PartSort, Report};

/// All instances of a module in another one, a memory, or the rest of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BiggestPart {
    /// The module, the memory or the kind.
    pub name: String,
    /// What it is.
    pub sort: PartSort,
    /// How many instances there are.
    pub count: usize,
    /// What they take together.
    pub used: u64,
}

impl BiggestPart {
    /// What it is, in words.
    #[must_use]
    pub fn describe(&self) -> String {
        match (self.sort, self.count) {
            (PartSort::Instance, 1) => format!("`{}`", self.name),
            (PartSort::Instance, count) => format!("`{}` in {count} instances", self.name),
            (PartSort::Memory, _) => format!("the memory `{}`", self.name.trim_end_matches("_U")),
            (PartSort::Rest, _) => match self.name.as_str() {
                "FIFO" => "all FIFOs".to_owned(),
                other => format!("what the report calls `{other}`"),
            },
        }
    }
}

/// The share in percent from which a part is worth naming.
const SHARE: u64 = 10;
/// Parts that are named.
const NAMED: usize = 3;

/// Of a hundred of a resource so many are in one instance alone: what it has in it is named in its place.
const NEARLY_ALL: u64 = 80;
/// Instances in one another are not followed further.
const DEPTH: usize = 16;

/// The parts of a module that take most of a resource, the largest first: those that a report in this folder lists which has the
/// same total, else those of a tree. Where one instance has nearly all, its parts are named.
#[must_use]
pub fn list_biggest_parts(
    reports: &[Report],
    folder: &str,
    [module, resource]: [&str; 2],
    total: u64,
) -> Vec<BiggestPart> {
    let mut parts = list_of_module(reports, folder, [module, resource], total);
    for _ in 0..DEPTH {
        let Some(first) = parts.first() else { break };
        let is_most = first.used.saturating_mul(100) >= total.saturating_mul(NEARLY_ALL);
        if first.sort != PartSort::Instance || first.count > 1 || !is_most {
            break;
        }
        let inner = list_of_module(reports, folder, [&first.name, resource], first.used);
        if inner.is_empty() {
            break;
        }
        parts = inner;
    }
    parts
}

fn list_of_module(
    reports: &[Report],
    folder: &str,
    [module, resource]: [&str; 2],
    total: u64,
) -> Vec<BiggestPart> {
    let beside =
        reports.iter().filter(|one| one.place.as_ref().is_some_and(|it| it.folder() == folder));
    let lists = beside.map(|report| list_parts(report, [module, resource], total));
    let mut parts = lists.max_by_key(Vec::len).unwrap_or_default();
    parts.retain(|one| one.used.saturating_mul(100) >= total.saturating_mul(SHARE));
    parts.sort_by(|a, b| b.used.cmp(&a.used).then(a.name.cmp(&b.name)));
    parts.truncate(NAMED);
    parts
}

fn list_parts(report: &Report, [module, resource]: [&str; 2], total: u64) -> Vec<BiggestPart> {
    let used = |one: &Module| one.resources.get(resource)?.used.value.known();
    let is_it = |(_, one): &(usize, &Module)| one.name.value == module && used(one) == Some(total);
    let Some((at, own)) = report.modules.iter().enumerate().find(is_it) else { return Vec::new() };
    let listed = own.parts.iter().filter_map(|part| {
        let (_, used) = part.used.iter().find(|(name, _)| name == resource)?;
        Some((part.name.as_str(), part.sort, *used))
    });
    let inner = report.modules.iter().filter(|one| one.caller == Some(at));
    let inner =
        inner.filter_map(|one| Some((one.name.value.as_str(), PartSort::Instance, used(one)?)));
    let mut parts: BTreeMap<(&str, bool), BiggestPart> = BTreeMap::new();
    for (name, sort, used) in listed.chain(inner) {
        let key = (name, sort == PartSort::Instance);
        let part = parts.entry(key).or_insert_with(|| BiggestPart {
            name: name.to_owned(),
            sort,
            count: 0,
            used: 0,
        });
        part.count += 1;
        part.used = part.used.saturating_add(used);
    }
    parts.into_values().collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

    use super::*;
    use crate::{Sources, read_report};

    const TEXT: &str = "\
== Vivado HLS Report for 'dft'
== Utilization Estimates
================================================================
* Summary: 
+-----------------+---------+-------+
|       Name      | BRAM_18K| DSP48E|
+-----------------+---------+-------+
|FIFO             |        -|      -|
|Instance         |       32|    183|
|Memory           |        8|      -|
+-----------------+---------+-------+
|Total            |       40|    183|
+-----------------+---------+-------+
|Available        |      280|    220|
+-----------------+---------+-------+

+ Detail: 
    * Instance: 
    +-----------+---------+---------+-------+
    |  Instance |  Module | BRAM_18K| DSP48E|
    +-----------+---------+---------+-------+
    |dft_mul_U4 |dft_mul  |        0|     11|
    |sine_fu_1  |sine     |       16|     86|
    |sine_fu_2  |sine     |       16|     86|
    +-----------+---------+---------+-------+
    |Total      |         |       32|    183|
    +-----------+---------+---------+-------+

    * Memory: 
    +--------+--------+---------+------+-----+
    | Memory | Module | BRAM_18K| Words| Bits|
    +--------+--------+---------+------+-----+
    |lut_U   |dft_lut |        8|  4096|   32|
    +--------+--------+---------+------+-----+
    |Total   |        |        8|  4096|   32|
    +--------+--------+---------+------+-----+
";

    fn list(resource: &str, total: u64) -> Vec<String> {
        let mut sources = Sources::default();
        let file = sources.add("r/dft_csynth.rpt", TEXT);
        let reports = [read_report(&sources, file).unwrap()];
        let parts = list_biggest_parts(&reports, "r", ["dft", resource], total);
        parts.iter().map(|one| format!("{}: {}", one.describe(), one.used)).collect()
    }

    #[test]
    fn what_is_in_the_only_large_instance_is_named() {
        let top = TEXT.replace("'dft'", "'top'").replace(
            "|dft_mul_U4 |dft_mul  |        0|     11|",
            "|dft_U0     |dft      |        0|    183|",
        );
        let top = top.replace("|     86|", "|      0|");
        let mut sources = Sources::default();
        let files = [sources.add("r/top_csynth.rpt", top), sources.add("r/dft_csynth.rpt", TEXT)];
        let reports: Vec<Report> =
            files.iter().map(|file| read_report(&sources, *file).unwrap()).collect();
        let parts = list_biggest_parts(&reports, "r", ["top", "DSP"], 183);
        assert_eq!(parts[0].describe(), "`sine` in 2 instances");
    }

    #[test]
    fn instances_of_one_module_count_together() {
        assert_eq!(list("DSP", 183), ["`sine` in 2 instances: 172"]);
        assert_eq!(list("BRAM_18K", 40), ["`sine` in 2 instances: 32", "the memory `lut`: 8"]);
        assert!(list("DSP", 184).is_empty(), "of another run");
    }
}

//! Arguments that are used at the same time, and what it costs that they share a port.

use std::collections::BTreeMap;

use derate_hls::{Arm, Span};

use super::{Arms, ConcurrentUses, FEW, Uses};

/// One part in so many of the kernel's work is a small one.
const SMALL: u64 = 50;

/// Arguments that are used at the same time.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Meeting<'a> {
    /// The arguments.
    pub names: Vec<&'a str>,
    /// The accesses in a run of the kernel that at least two of them make; the largest number where they are not known.
    times: u64,
    /// The loops, or the bodies of pipelined functions, that they meet in.
    pub places: Vec<Span>,
}

impl Meeting<'_> {
    /// The accesses that at least two of them make in a run of the kernel.
    pub fn times(&self) -> u64 {
        self.times
    }

    /// How often a run of the kernel has them meet, at most, where that is so seldom that it costs nothing.
    pub fn seldom(&self) -> Option<u64> {
        (self.times <= FEW).then_some(self.times)
    }
}

/// What meetings cost beside the rest of the kernel.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SmallShare {
    /// The accesses that meet those of another argument, without those of the busiest one, at most.
    pub accesses: u64,
    /// What the kernel does at least: accesses to one argument, or iterations of one loop.
    pub work: u64,
    /// The loop; `None` where it is accesses to one argument.
    pub at: Option<Span>,
}

impl ConcurrentUses {
    /// Which arguments of `names` are used at the same time, in one direction: each of a group with each other one of it. Those
    /// that make few accesses are left out of a group where others make more. The groups that cost most are first.
    pub fn list_meeting<'a>(&self, names: &[&'a str]) -> Vec<Meeting<'a>> {
        let mut groups: Vec<Meeting<'a>> = Vec::new();
        for (key, all) in &self.together {
            join_groups(&mut groups, names, &key.place, all);
        }
        keep_whole(&groups, names)
    }

    /// Which arguments of `names` are used at the same time, whatever their directions: the group that costs most.
    pub fn find_meeting<'a>(&self, names: &[&'a str]) -> Option<Meeting<'a>> {
        let mut places: BTreeMap<&[Span], BTreeMap<String, Uses>> = BTreeMap::new();
        for (key, all) in &self.together {
            let place = places.entry(&key.place).or_default();
            for (name, uses) in all {
                place.entry(name.clone()).or_default().join(uses);
            }
        }
        let mut groups = Vec::new();
        for (place, all) in places {
            join_groups(&mut groups, names, place, &all);
        }
        keep_whole(&groups, names).into_iter().next()
    }

    /// What it costs that `names` share a port, where a loop of the kernel or the accesses to one argument take fifty times as long.
    /// All places count, also those of few accesses.
    pub fn find_small_share(&self, names: &[&str]) -> Option<SmallShare> {
        let each = self.together.values().map(|all| count_beside(names, all));
        let accesses = each.fold(0_u64, u64::saturating_add);
        let known = self.least.values().copied().filter(|total| *total < u64::MAX);
        let busiest = known.max().unwrap_or_default();
        let (work, at) = match self.longest_at {
            Some(at) if self.longest > busiest => (self.longest, Some(at)),
            _ => (busiest, None),
        };
        (accesses < work / SMALL).then_some(SmallShare { accesses, work, at })
    }
}

/// Adds the groups of arguments that meet in one place, each of which has those that meet one of them.
fn join_groups<'a>(
    groups: &mut Vec<Meeting<'a>>,
    names: &[&'a str],
    place: &[Span],
    all: &BTreeMap<String, Uses>,
) {
    let own: Vec<(&'a str, &Uses)> =
        names.iter().filter_map(|&name| Some((name, all.get(name)?))).collect();
    for first in 0..own.len() {
        let mut group = vec![own[first]];
        for &other in &own {
            let is_new = group.iter().all(|(name, _)| *name != other.0);
            if is_new && group.iter().all(|(_, uses)| may_meet(&uses.arms, &other.1.arms)) {
                group.push(other);
            }
        }
        let many = group.iter().filter(|(_, uses)| uses.times > FEW).count();
        if many > 1 {
            group.retain(|(_, uses)| uses.times > FEW);
        }
        let mut all: Vec<u64> = group.iter().map(|(_, uses)| uses.times).collect();
        all.sort_unstable();
        let Some(times) = all.len().checked_sub(2).and_then(|at| all.get(at).copied()) else {
            continue;
        };
        let mut group: Vec<&str> = group.into_iter().map(|(name, _)| name).collect();
        group.sort_by_key(|name| names.iter().position(|one| one == name));
        let places: Vec<Span> = place.last().copied().into_iter().collect();
        match groups.iter_mut().find(|one| one.names == group) {
            Some(known) => {
                known.times = known.times.max(times);
                known.places.extend(places);
            }
            None => groups.push(Meeting { names: group, times, places }),
        }
    }
}

/// The accesses in one place of those of `names` that meet another one, without the busiest: the most that sharing a port adds there.
fn count_beside(names: &[&str], all: &BTreeMap<String, Uses>) -> u64 {
    let own: Vec<&Uses> = names.iter().filter_map(|name| all.get(*name)).collect();
    let meets = |at: usize| {
        let mut others = own.iter().enumerate().filter(|(other, _)| *other != at);
        others.any(|(_, other)| own.get(at).is_some_and(|one| may_meet(&one.arms, &other.arms)))
    };
    let meeting = own.iter().enumerate().filter(|(at, _)| meets(*at));
    let mut all: Vec<u64> = meeting.map(|(_, uses)| uses.whole).collect();
    all.sort_unstable();
    all.iter().rev().skip(1).fold(0, |sum, times| sum.saturating_add(*times))
}

/// The groups that are no part of a larger one which costs as much, those that cost most first.
fn keep_whole<'a>(groups: &[Meeting<'a>], names: &[&str]) -> Vec<Meeting<'a>> {
    let is_part = |group: &Meeting<'_>| {
        let holds = |other: &Meeting<'_>| {
            group.names.iter().all(|name| other.names.contains(name)) && other.times >= group.times
        };
        groups.iter().any(|other| other.names.len() > group.names.len() && holds(other))
    };
    let mut whole: Vec<Meeting<'_>> = groups.iter().filter(|one| !is_part(one)).cloned().collect();
    let place = |one: &Meeting<'_>| names.iter().position(|name| one.names.first() == Some(name));
    whole.sort_by_key(|one| (std::cmp::Reverse(one.times), place(one)));
    if whole.iter().any(|one| one.times > FEW) {
        whole.retain(|one| one.times > FEW);
    }
    whole
}

/// Whether two arguments are used at once: in arms of which one does not exclude the other, and not in one process.
fn may_meet(own: &Arms, other: &Arms) -> bool {
    let excludes = |a: Option<Arm>, b: Option<Arm>| a.zip(b).is_some_and(|(a, b)| a.excludes(&b));
    let is_one = |a: Option<Span>, b: Option<Span>| a.is_some() && a == b;
    let meet = |a: &(Option<Arm>, Option<Span>), b: &(Option<Arm>, Option<Span>)| {
        !excludes(a.0, b.0) && !is_one(a.1, b.1)
    };
    own.iter().any(|a| other.iter().any(|b| meet(a, b)))
}

//! The floors of the house: arrows between crates and between modules point down, and none goes in a circle.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use derate_house::{Member, count_code, find_circles, read_members, root};

/// From the lowest floor to the highest; families on one floor do not know each other.
const FLOORS: [&[&str]; 4] =
    [&["hls"], &["model"], &["reports", "host"], &["cli", "scripts", "examples"]];

fn floor(family: &str) -> usize {
    FLOORS.iter().position(|families| families.contains(&family)).unwrap()
}

#[test]
fn no_crate_depends_on_a_higher_floor() {
    let members = read_members().unwrap();
    for member in &members {
        for dependency in &member.dependencies {
            let below = members.iter().find(|other| other.name == *dependency).unwrap();
            let is_below = floor(&below.family) < floor(&member.family);
            assert!(
                is_below || below.family == member.family,
                "{} depends on {}, which is not below it",
                member.name,
                below.name
            );
        }
    }
}

#[test]
fn the_front_of_a_family_depends_on_its_rooms_and_not_the_other_way_round() {
    let members = read_members().unwrap();
    let is_front = |member: &Member| !member.folder.contains('/');
    for member in members.iter().filter(|member| !is_front(member)) {
        let front = members.iter().find(|one| is_front(one) && one.family == member.family);
        let Some(front) = front else { continue };
        assert!(!member.dependencies.contains(&front.name), "{} uses its front", member.name);
    }
}

#[test]
fn no_modules_depend_on_each_other_in_a_circle() {
    let mut circles = Vec::new();
    for member in read_members().unwrap() {
        for circle in find_circles(&root().join(&member.folder).join("src")).unwrap() {
            circles.push(format!("{} {circle}", member.name));
        }
    }
    assert!(circles.is_empty(), "{} circles:\n{}", circles.len(), circles.join("\n"));
}

/// Lines without tests that a reader still keeps an overview of.
const LARGEST: usize = 14_000;

#[test]
fn no_room_is_too_large() {
    for member in read_members().unwrap() {
        let lines = count_code(&member.source()).unwrap().code;
        assert!(lines < LARGEST, "{} has {lines} lines", member.name);
    }
}

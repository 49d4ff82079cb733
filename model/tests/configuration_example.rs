//! The project file that the book shows in full is one that works.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod fixture;

use derate_model::scenario;
use fixture::Fixture;

const PAGE: &str = include_str!("../../docs/book/src/configuration.md");

#[test]
fn the_project_file_of_the_book_has_a_design_that_fits() {
    let blocks = PAGE.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let whole: Vec<&str> = blocks.filter(|block| block.contains("[design]")).collect();
    let [toml] = whole.as_slice() else { panic!("{} blocks have a design", whole.len()) };
    let analysis = Fixture::new("smolvla").only("derate.toml", toml).analysis();
    let (ladder, skipped) = scenario::ladder_steps(&analysis);
    assert!(skipped.is_empty(), "{skipped:?}");
    assert_eq!(ladder.last().unwrap().kind, scenario::ScenarioKind::Design);
}

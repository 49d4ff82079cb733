//! The report for formats that are read and not recalculated.

use derate_render::{Block, Document, Section};

use crate::notes::OWN_VALUES;
use crate::report::{GROUPS, KERNELS};
use crate::{chart, kernels, live, scenarios, still};

/// The report for formats that are read and not recalculated: without what formulas alone read, and what is about changes.
pub fn in_short(report: &Document) -> Document {
    let shown = report.sections.iter().filter(|section| section.name != GROUPS);
    let sections = shown.map(|section| {
        let blocks = section.blocks.iter().filter_map(in_short_block).collect();
        let section = Section { blocks, ..section.clone() };
        if section.name == KERNELS { kernels::ends_of_the_ladder(section) } else { section }
    });
    Document { controls: Vec::new(), sections: sections.collect(), ..report.clone() }
}

/// What a block says where nothing can be changed.
fn in_short_block(block: &Block) -> Option<Block> {
    match block {
        Block::Table(table) if live::is_of_edits(&table.name) => None,
        Block::Table(table) => Some(Block::Table(still::still(table))),
        Block::KeyFigures(figures) => {
            let said = figures.iter().filter(|figure| figure.label != scenarios::FOLLOWS);
            Some(Block::KeyFigures(said.cloned().collect()))
        }
        Block::Prose(text) if text == OWN_VALUES => None,
        Block::Chart(chart) => {
            let mut chart = chart.clone();
            chart::in_short(&mut chart);
            Some(Block::Chart(chart))
        }
        block => Some(block.clone()),
    }
}

//! What the resources of a module are spent on: instances, memories, and the rest by its kind.

use super::module::{Module, resource_name};
use super::table::{Cell, Grid, read_figure, read_word};

/// A row of the resources of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportedPart {
    /// The module of an instance, the name of a memory, or `FIFO`, `Multiplexer` and the like.
    pub name: String,
    /// What the row is.
    pub sort: PartSort,
    /// What it takes, resource by resource.
    pub used: Vec<(String, u64)>,
    /// The words of a memory.
    pub words: Option<u64>,
}

/// What a row of the resources is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartSort {
    /// An instance of a module.
    Instance,
    /// A memory.
    Memory,
    /// All of a kind.
    Rest,
}

/// The kinds that have no rows of modules or memories.
const REST: [&str; 4] = ["Expression", "FIFO", "Multiplexer", "Register"];

/// Adds the rows of a table of resources.
pub(super) fn add_parts(module: &mut Module, grid: &Grid) {
    let (column, sort) = if grid.column_named("Instance").is_some() {
        (grid.column_named("Module"), PartSort::Instance)
    } else if grid.column_named("Memory").is_some() {
        (grid.column_named("Memory"), PartSort::Memory)
    } else {
        (Some(0), PartSort::Rest)
    };
    for row in &grid.rows {
        let Some(name) = read_word(row, column).map(|word| word.value) else { continue };
        let is_part = match sort {
            PartSort::Rest => REST.contains(&name.as_str()),
            _ => !name.is_empty() && name != "Total",
        };
        if is_part {
            let words = grid.column_named("Words").and_then(|at| read_number(row, at));
            module.parts.push(ReportedPart { name, sort, used: read_used(row, grid), words });
        }
    }
}

fn read_used(row: &[Cell], grid: &Grid) -> Vec<(String, u64)> {
    let used = grid.headings.iter().enumerate().filter_map(|(at, heading)| {
        let resource = resource_name(heading);
        let is_resource = ["BRAM_18K", "DSP", "FF", "LUT", "URAM"].contains(&resource);
        Some((resource.to_owned(), read_number(row, at).filter(|_| is_resource)?))
    });
    used.collect()
}

fn read_number(row: &[Cell], column: usize) -> Option<u64> {
    read_figure(row, Some(column))?.value.known()
}

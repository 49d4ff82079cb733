//! What `derate explore` found: the best design, how sure that is, and the front.

mod answer;
mod best;
mod cells;
mod chart;
mod designs;
mod interface;
mod not_opened;

pub use answer::describe_no_change;
pub use designs::exploration_table;
pub use interface::describe_interface;

use derate_explore::Exploration;
use derate_render::{Block, Document, Section, Table};
use derate_units::figures::significant;

use answer::{describe_refusals, write_answer};
use best::{tabulate_best, tabulate_best_of, tabulate_usage};
use cells::SHOWN;
use chart::plot_designs;
use designs::tabulate_choices;
use not_opened::describe_not_opened;

/// What was found, for people.
pub fn exploration(found: &Exploration) -> Document {
    let table = tabulate_choices(found);
    let left = table.rows.len().saturating_sub(SHOWN);
    let rows = table.rows.into_iter().take(SHOWN).collect();
    let mut blocks = vec![Block::Table(Table { rows, ..table })];
    if left > 0 {
        blocks.push(Block::Prose(format!("{left} more rows: see --format csv.")));
    }
    write_document(found, blocks)
}

/// The same for a page and a workbook: with the chart, and with all rows.
pub fn exploration_report(found: &Exploration) -> Document {
    let mut blocks: Vec<Block> = plot_designs(found).map(Block::Chart).into_iter().collect();
    blocks.push(Block::Table(exploration_table(found)));
    write_document(found, blocks)
}

fn write_document(found: &Exploration, designs: Vec<Block>) -> Document {
    let mut first = vec![Block::Prose(write_answer(found))];
    first.extend(found.best.as_ref().and_then(|best| {
        let words = describe_interface(&best.changed_arguments)?;
        Some(Block::Prose(format!("It changes the interface of the kernel: {words}.")))
    }));
    let best = found.best.as_ref().map(|best| tabulate_best(found, best));
    first.extend(best.filter(|table| !table.rows.is_empty()).map(Block::Table));
    first.extend(found.best.as_ref().map(|best| Block::Table(tabulate_usage(found, best))));
    first.extend(describe_refusals(found).map(Block::Prose));
    first.extend(describe_not_opened(found).map(Block::Prose));
    if found.best_of.len() > 1 {
        first.push(Block::Table(tabulate_best_of(found)));
    }
    let mut sections = vec![Section::new("Best", "The best design", first)];
    if found.front.len() > 1 || !found.ranking.is_empty() {
        sections.push(Section::new("Designs", "Designs to choose from", designs));
    }
    if !found.assumed.is_empty() {
        let lines = found.assumed.iter().map(|one| format!("{one}."));
        let blocks = lines.map(Block::Prose).collect();
        sections.push(Section::new("Assumed", "What is assumed", blocks));
    }
    Document {
        title: format!("Designs of {}", found.subject),
        subtitle: format!(
            "{} at {} ns; modelled, not synthesised",
            found.part,
            significant(found.clock_ns, 4)
        ),
        controls: Vec::new(),
        sections,
    }
}

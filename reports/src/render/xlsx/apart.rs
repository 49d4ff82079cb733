//! Long tables on sheets of their own: only so do their headings stay in sight, on the screen and on every page.

use crate::{Block, Section};

/// A table with as many rows goes on over the screen.
const LONG: usize = 24;

/// The sections that are shown for one: itself, or where it has several tables a sheet for each that is long. The order of
/// tables stays.
pub(super) fn apart(section: &Section) -> Vec<Section> {
    let tables = |blocks: &[Block]| {
        blocks
            .iter()
            .filter(|block| matches!(block, Block::Table(_) | Block::KeyFigures(_)))
            .count()
    };
    if tables(&section.blocks) < 2 {
        return vec![section.clone()];
    }
    let mut sheets: Vec<Section> = Vec::new();
    let mut waiting: Vec<Block> = Vec::new();
    let named = |name: String, blocks: Vec<Block>| Section { name, blocks, ..section.clone() };
    for block in &section.blocks {
        let long = match block {
            Block::Table(table) if table.rows.len() >= LONG => Some(&table.name),
            _ => None,
        };
        if let Some(name) = long {
            // Prose before a table belongs to it.
            if waiting.iter().any(|block| !matches!(block, Block::Prose(_))) {
                sheets.push(named(section.name.clone(), std::mem::take(&mut waiting)));
            }
            waiting.push(block.clone());
            sheets.push(named(tab(name), std::mem::take(&mut waiting)));
        } else {
            waiting.push(block.clone());
        }
    }
    let prose = waiting.iter().all(|block| matches!(block, Block::Prose(_)));
    match sheets.last_mut() {
        Some(last) if prose => last.blocks.append(&mut waiting),
        _ => sheets.push(named(section.name.clone(), waiting)),
    }
    sheets
}

/// A table's name as a tab: `kernels-as-built` as `Kernels as-built`.
fn tab(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect::<String>().replacen('-', " ", 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, Column, Table};

    fn table(name: &str, rows: usize) -> Block {
        Block::Table(Table {
            name: name.to_owned(),
            caption: String::new(),
            columns: vec![Column::text("text", "Text")],
            rows: vec![vec![Cell::text("row")]; rows],
        })
    }

    fn names(blocks: Vec<Block>) -> Vec<(String, usize)> {
        let section =
            Section { name: "Kernels".to_owned(), title: String::new(), blocks, appendix: false };
        apart(&section).into_iter().map(|sheet| (sheet.name, sheet.blocks.len())).collect()
    }

    #[test]
    fn a_long_table_among_others_has_a_sheet_and_its_prose_with_it() {
        let prose = || Block::Prose("Text.".to_owned());
        let name = |name: &str, blocks| (name.to_owned(), blocks);
        assert_eq!(names(vec![prose(), table("kernels", 99)]), [name("Kernels", 2)], "alone");
        assert_eq!(
            names(vec![
                prose(),
                table("kernels-claimed", 24),
                table("kernels-as-built", 99),
                prose()
            ]),
            [name("Kernels claimed", 2), name("Kernels as-built", 2)]
        );
        assert_eq!(
            names(vec![table("parts", 3), table("kernels-all", 24), table("more", 23)]),
            [name("Kernels", 1), name("Kernels all", 1), name("Kernels", 1)]
        );
        assert_eq!(names(Vec::new()), [name("Kernels", 0)]);
    }
}

//! Long tables get sheets of their own, so that their headings stay in view on the screen and on every page.

use crate::{Block, Section};

/// A table with this many rows is longer than a screen.
const LONG: usize = 24;

/// Splits a section with several tables into one for each long table. Their names start with that of the section, because
/// texts refer to it. The order of tables stays.
pub(super) fn split_section(section: &Section) -> Vec<Section> {
    let tables = |blocks: &[Block]| {
        blocks
            .iter()
            .filter(|block| matches!(block, Block::Table(_) | Block::KeyFigures(_)))
            .count()
    };
    if tables(&section.blocks) < 2 {
        return vec![section.clone()];
    }
    let mut sheets: Vec<Vec<Block>> = Vec::new();
    let mut waiting: Vec<Block> = Vec::new();
    for block in &section.blocks {
        if matches!(block, Block::Table(table) if table.rows.len() >= LONG) {
            // Prose before a table belongs to it.
            if waiting.iter().any(|block| !matches!(block, Block::Prose(_))) {
                sheets.push(std::mem::take(&mut waiting));
            }
            waiting.push(block.clone());
            sheets.push(std::mem::take(&mut waiting));
        } else {
            waiting.push(block.clone());
        }
    }
    let prose = waiting.iter().all(|block| matches!(block, Block::Prose(_)));
    match sheets.last_mut() {
        Some(last) if prose => last.append(&mut waiting),
        _ => sheets.push(waiting),
    }
    if sheets.len() == 1 {
        return vec![section.clone()];
    }
    let named = |blocks: Vec<Block>| Section {
        name: tab_name(&section.name, &blocks),
        blocks,
        ..section.clone()
    };
    sheets.into_iter().map(named).collect()
}

/// The tab of a section's blocks, by the first of their tables: `kernels-as-built` as `Kernels as-built`, `inputs` of the
/// assumptions as `Assumptions inputs`.
fn tab_name(section: &str, blocks: &[Block]) -> String {
    let first = blocks.iter().find_map(|block| match block {
        Block::Table(table) => Some(table.name.as_str()),
        _ => None,
    });
    let Some(table) = first else { return section.to_owned() };
    let known = table.get(..section.len()).is_some_and(|own| own.eq_ignore_ascii_case(section));
    let own = if known { table.get(section.len()..).unwrap_or_default() } else { table };
    match own.trim_start_matches('-') {
        "" => section.to_owned(),
        own => format!("{section} {own}"),
    }
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
        split_section(&section).into_iter().map(|sheet| (sheet.name, sheet.blocks.len())).collect()
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
            [name("Kernels parts", 1), name("Kernels all", 1), name("Kernels more", 1)]
        );
        assert_eq!(
            names(vec![table("inputs", 30), table("kernels", 2)]),
            [name("Kernels inputs", 1), name("Kernels", 1)],
            "a text may say that inputs are under Kernels"
        );
        assert_eq!(names(vec![table("inputs", 2), table("kernels", 2)]), [name("Kernels", 2)]);
        assert_eq!(names(Vec::new()), [name("Kernels", 0)]);
    }
}

//! The matrix products of a design as formulas: what its array takes for each.

use std::ops::Range;

use derate_render::formula::{column, name, up};
use derate_render::{Cell, Column, NumberFormat, Table};

use super::moved::write_count;
use super::name as names;
use super::symbols::Symbols;
use derate_estimate::scenario::ScenarioKind;
use derate_estimate::{ArrayNumbers, product_cycles};

const WHOLE: NumberFormat = NumberFormat::Integer;

/// The matrix products of the design, whatever is fused.
pub(super) struct Products {
    pub(super) table: Table,
    /// Part, block and kernel of each row.
    rows: Vec<[usize; 3]>,
}

impl Products {
    /// Of the parts that run.
    pub(super) fn of(
        scenario: ScenarioKind,
        symbols: &Symbols,
        machine: &ArrayNumbers,
    ) -> Option<Self> {
        let (mut rows, mut cells) = (Vec::new(), Vec::new());
        let parts = symbols.parts.iter().enumerate();
        for (part, own) in parts.filter(|(_, part)| part.never_runs.is_none()) {
            for (block, repeated) in own.blocks.iter().enumerate() {
                let kernels = repeated.block.kernels.iter().enumerate();
                for (at, kernel) in kernels {
                    let Some(&matmul) = kernel.op.product() else { continue };
                    let grown = &symbols.find_block(part, block)?.block.kernels.get(at)?.op;
                    let Some(grown) = grown.product() else { continue };
                    let sizes = [
                        (matmul.batch, &grown.batch),
                        (matmul.m, &grown.m),
                        (matmul.k, &grown.k),
                        (matmul.n, &grown.n),
                    ];
                    let mut row = vec![
                        Cell::text(own.name.as_ref()),
                        Cell::Text(if repeated.block.name == kernel.name {
                            kernel.name.to_string()
                        } else {
                            format!("{}: {}", repeated.block.name, kernel.name)
                        }),
                    ];
                    row.extend(sizes.map(|(value, size)| write_count(value as f64, size)));
                    let [_, edges, ..] = product_cycles(matmul, machine);
                    let depth = (matmul.k as f64 / machine.unroll).ceil();
                    let parts = |of: &str, by: &str| up(column(of) / name(by));
                    let tiles = column("batch")
                        * parts("m", names::ARRAY_ROWS)
                        * parts("n", names::ARRAY_COLUMNS);
                    row.push(Cell::formula(edges / depth, tiles, WHOLE));
                    let edged = column("tiles") * parts("k", names::ARRAY_UNROLL);
                    row.push(Cell::formula(edges, edged, WHOLE));
                    rows.push([part, block, at]);
                    cells.push(row);
                }
            }
        }
        let table = Table {
            name: format!("products-{scenario}"),
            caption: "The matrix products of the design: tiles = batch x ceil(M / rows) x ceil(N / columns), cycles = tiles x ceil(K / unroll)".to_owned(),
            columns: vec![
                Column::text("part", "Part"),
                Column::text("kernel", "Product"),
                Column::number("batch", "Products", ""),
                Column::number("m", "M", ""),
                Column::number("k", "K", ""),
                Column::number("n", "N", ""),
                Column::number("tiles", "Tiles", ""),
                Column::number("edges", "With edge tiles", "cycles"),
            ],
            rows: cells,
        };
        Some(Self { table, rows })
    }

    /// The rows of some kernels of a block.
    pub(super) fn row_range(
        &self,
        part: usize,
        block: usize,
        kernels: &Range<usize>,
    ) -> Range<usize> {
        let is = |row: &[usize; 3]| row[..2] == [part, block] && kernels.contains(&row[2]);
        let first = self.rows.iter().position(is).unwrap_or(0);
        first..first + self.rows.iter().filter(|row| is(row)).count()
    }

    pub(super) fn sum_value(&self, rows: &Range<usize>, key: &str) -> f64 {
        let column = self.table.column_index(key).unwrap_or_default();
        rows.clone().filter_map(|row| self.table.cell(row, column).as_number()).sum()
    }
}

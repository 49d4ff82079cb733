//! What the latency of the design is made of, group by group, as formulas over its array.

use std::ops::Range;

use derate_render::formula::{at, column, max, name, number, range, sum, sum_product};
use derate_render::{Cell, Column, Formula, NumberFormat, Table};

use super::cell::or_unknown;
use super::name as names;
use super::partition::Partition;
use super::products::Products;
use super::sheet::Sheet;
use super::symbols::Symbols;
use derate_estimate::{ArrayNumbers, Latency, ScenarioEstimate, Terms};
use derate_project::Launches;
use derate_units::Seconds;
use derate_workload::{Block, Count};

const WHOLE: NumberFormat = NumberFormat::Integer;
const FOUR: NumberFormat = NumberFormat::Significant(4);

/// The columns of the terms, in the order of [`Terms::named`].
pub(super) const TERMS: [&str; 7] = [
    "roofline",
    "edge_tiles",
    "accumulation_time",
    "fill_time",
    "elementwise_time",
    "memory_latency",
    "launch",
];

/// The terms of each group, and the sums of parts.
pub(crate) struct Cycles {
    pub(super) table: Table,
    /// The rows of each part.
    parts: Vec<Range<usize>>,
    /// Milliseconds of the calls that start each part.
    starts: Vec<Option<Formula>>,
    /// Milliseconds of the call that starts all.
    host_call: Option<Formula>,
}

fn list_columns() -> Vec<Column> {
    let cycles = |key: &str, head: &str| Column::number(key, head, "cycles");
    let time = |key: &str, head: &str| Column::number(key, head, "µs");
    vec![
        Column::text("part", "Part"),
        Column::text("kernel", "Group"),
        Column::number("calls", "Calls", ""),
        cycles("ideal", "Ideal"),
        Column::number("tiles", "Tiles", ""),
        cycles("edges", "With edge tiles"),
        cycles("accumulation", "With accumulation"),
        cycles("fill", "With fill"),
        cycles("elementwise", "Elementwise"),
        time("roofline", "Roofline"),
        time("edge_tiles", "Edge tiles"),
        time("accumulation_time", "Accumulation"),
        time("fill_time", "Fill"),
        time("elementwise_time", "Elementwise"),
        time("memory_latency", "Memory latency"),
        Column::number("launches", "Calls by the host", ""),
        time("launch", "Launch"),
        time("latency", "Latency"),
    ]
}

/// A term where all before it take `before` and `now` is what it takes with it, both under the roofline.
fn write_term(now: Formula, before: Formula) -> Formula {
    max(now, column("roofline")) - max(before, column("roofline"))
}

/// Elements of the results of the kernels that are not a matrix product.
fn sum_results<C: Count>(block: &Block<C>, kernels: Range<usize>) -> C {
    let others = block.kernels[kernels].iter().filter(|k| k.op.product().is_none());
    let results = others.filter_map(|kernel| block.operands_of(kernel).last());
    results.fold(C::from(0), |sum, operand| sum.plus(&operand.elements))
}

impl Cycles {
    /// Of a scenario under one schedule; `sheet` holds its groups.
    pub(super) fn of(
        scenario: &ScenarioEstimate,
        sheet: &Sheet,
        partition: &Partition<'_>,
        symbols: &Symbols,
        products: &Products,
    ) -> Option<Self> {
        let latency = scenario.latency.as_ref()?;
        let machine = ArrayNumbers::from(&latency.array);
        let (mut rows, mut parts, mut starts) = (Vec::new(), Vec::new(), Vec::new());
        let shown = partition.shown_parts(scenario).zip(&scenario.parts).zip(&sheet.parts);
        for ((at_part, part), place) in shown {
            let first = rows.len();
            for ((fused, kernel), row) in
                partition.of_part(at_part).zip(&part.kernels).zip(place.kernels.clone())
            {
                if !part.runs {
                    continue;
                }
                let own = Group {
                    table: &sheet.table.name,
                    row,
                    products,
                    rows: products.row_range(at_part, fused.block, &fused.group.kernels),
                    machine: &machine,
                    latency,
                };
                let grown = &symbols.find_block(at_part, fused.block)?.block;
                let kernels = fused.group.kernels.clone();
                let made = sum_results(&fused.class.block, kernels.clone());
                let size = sum_results(grown, kernels);
                let mut cells = vec![Cell::text(&part.name), Cell::text(kernel.name.as_ref())];
                cells.extend(own.make_cells(
                    kernel.calls as f64,
                    kernel.totals.flops.0,
                    (made as f64, size.formula()),
                    fused.first,
                    &kernel.latency?,
                ));
                rows.push(cells);
            }
            parts.push(first..rows.len());
            let launches = latency.array.launches == Launches::Part && part.runs;
            starts.push(if launches {
                Some(name(names::LAUNCH) * symbols.count_starts(at_part)?)
            } else {
                None
            });
        }
        let host_call = (latency.host_call > Seconds(0.0)
            || latency.array.launches == Launches::Inference)
            .then(|| name(names::LAUNCH));
        Some(Self {
            table: Table {
                name: format!("cycles-{}-{}", scenario.kind, scenario.schedule.name()),
                caption: format!(
                    "What one call of each group takes on the array, schedule {}: each step of cycles adds one effect, and its term is the time by which that exceeds the steps before and memory",
                    scenario.schedule.name()
                ),
                columns: list_columns(),
                rows,
            },
            parts,
            starts,
            host_call,
        })
    }

    /// Milliseconds of a column over all calls of a part.
    fn sum_part(&self, part: usize, key: &str) -> Option<Formula> {
        let rows = self.parts.get(part)?.clone();
        let table = &self.table.name;
        let ranges = vec![range(table, "calls", rows.clone()), range(table, key, rows)];
        Some(sum_product(ranges) / 1e3)
    }

    /// Latency of a part in ms, by its place in the estimate.
    pub(super) fn of_part(&self, part: usize) -> Option<Formula> {
        let groups = self.sum_part(part, "latency")?;
        Some(match self.starts.get(part).cloned().flatten() {
            Some(starts) => groups + starts,
            None => groups,
        })
    }

    /// A term of the whole in ms.
    pub(super) fn sum_term(&self, at: usize) -> Option<Formula> {
        let key = TERMS.get(at)?;
        let (table, rows) = (&self.table.name, 0..self.table.rows.len());
        let ranges = vec![range(table, "calls", rows.clone()), range(table, *key, rows)];
        let groups = sum_product(ranges) / 1e3;
        if *key != "launch" {
            return Some(groups);
        }
        Some(
            self.starts.iter().flatten().chain(&self.host_call).cloned().fold(groups, |a, b| a + b),
        )
    }

    /// A term of one part in ms, by its place in the estimate.
    pub(super) fn term_of(&self, part: usize, term: usize) -> Option<Formula> {
        let key = TERMS.get(term)?;
        let groups = self.sum_part(part, key)?;
        Some(match self.starts.get(part).cloned().flatten().filter(|_| *key == "launch") {
            Some(starts) => groups + starts,
            None => groups,
        })
    }

    /// The call that starts all, in ms.
    pub(super) fn host_call(&self) -> Option<Formula> {
        self.host_call.clone()
    }

    /// The whole latency in ms.
    pub(super) fn sum_all(&self) -> Formula {
        let (table, rows) = (&self.table.name, 0..self.table.rows.len());
        let ranges = vec![range(table, "calls", rows.clone()), range(table, "latency", rows)];
        let groups = sum_product(ranges) / 1e3;
        self.starts.iter().flatten().chain(&self.host_call).cloned().fold(groups, |a, b| a + b)
    }
}

/// One group and where its figures are.
struct Group<'a> {
    /// The table of groups, and the row there.
    table: &'a str,
    row: usize,
    products: &'a Products,
    /// Its rows among the products.
    rows: Range<usize>,
    machine: &'a ArrayNumbers,
    latency: &'a Latency,
}

impl Group<'_> {
    /// The sum over its products.
    fn sum_products(&self, key: &str) -> Cell {
        if self.rows.is_empty() {
            return Cell::number(0.0, WHOLE);
        }
        let value = self.products.sum_value(&self.rows, key);
        Cell::formula(
            value,
            sum(vec![range(&self.products.table.name, key, self.rows.clone())]),
            WHOLE,
        )
    }

    /// From the calls to the latency.
    fn make_cells(
        &self,
        calls: f64,
        flops: f64,
        (made, size): (f64, Formula),
        first: bool,
        terms: &Terms,
    ) -> Vec<Cell> {
        let machine = self.machine;
        let group = |key: &str| at(self.table, key, self.row);
        let macs = machine.macs();
        let (tiles, edges) = (
            self.products.sum_value(&self.rows, "tiles"),
            self.products.sum_value(&self.rows, "edges"),
        );
        let accumulation = edges * machine.accumulation_ii;
        let fill = accumulation + tiles * machine.fill;
        let elementwise = if machine.lanes.is_finite() && made > 0.0 {
            Cell::formula(made / machine.lanes, size / name(names::ARRAY_LANES), WHOLE)
        } else {
            Cell::number(made / machine.lanes, WHOLE)
        };
        let launches = self.latency.array.launches;
        let is_call = launches == Launches::Kernel || launches == Launches::Block && first;
        let clock = || name(names::ARRAY_CLOCK);
        let roofline = max(column("ideal") / clock(), group("memory"));
        let busy = max(column("fill"), column("elementwise"));
        let formulas = [
            or_unknown(roofline),
            max(column("edges") / clock(), column("roofline")) - column("roofline"),
            write_term(column("accumulation") / clock(), column("edges") / clock()),
            write_term(column("fill") / clock(), column("accumulation") / clock()),
            write_term(busy / clock(), column("fill") / clock()),
            name(names::MEMORY_LATENCY) * 2.0 / clock(),
        ];
        let mut times = terms.named().into_iter().map(|(_, term)| term.0 * 1e6);
        let mut cells = vec![
            Cell::formula(calls, group("calls"), WHOLE),
            Cell::formula(
                flops / 2.0 / macs,
                group("flops") / 2.0 / name(names::ARRAY_MACS),
                WHOLE,
            ),
            self.sum_products("tiles"),
            self.sum_products("edges"),
            Cell::formula(accumulation, column("edges") * name(names::ARRAY_INTERVAL), WHOLE),
            Cell::formula(
                fill,
                column("accumulation") + column("tiles") * name(names::ARRAY_FILL),
                WHOLE,
            ),
            elementwise,
        ];
        cells.extend(
            formulas
                .into_iter()
                .zip(times.by_ref())
                .map(|(formula, time)| Cell::formula(time, formula, FOUR)),
        );
        cells.push(Cell::number(f64::from(u8::from(is_call)), WHOLE));
        let launch = column("launches") * name(names::LAUNCH) * 1e3;
        cells.push(Cell::formula(times.next().unwrap_or(0.0), launch, FOUR));
        let all = TERMS.iter().map(|key| column(*key)).reduce(|a, b| a + b);
        cells.push(Cell::formula(terms.total().0 * 1e6, all.unwrap_or_else(|| number(0.0)), FOUR));
        cells
    }
}

//! The groups of one scenario and schedule as formulas: what crosses memory for each, its times, and the sums of parts.

use derate_render::formula::{Function, choose, column, max, number, text};
use derate_render::{Cell, Column, Formula, NumberFormat, Table};

use super::cell::{UNKNOWN, digits, follows, or_unknown};
use super::kernels::{HOLD, SUM_BITS, Sheet};
use super::partition::{FusedGroup, Partition};
use super::precisions::TERA;
use super::roofs::Roofs;
use super::samples::{Growth, Size};
use super::sizes::{BlockSizes, Sizes};
use super::stuck::Stuck;
use super::sums::{Place, totals};
use crate::kernels::{labels, live_caption};
use derate_estimate::{KernelEstimate, OperandTraffic, PartEstimate, ScenarioEstimate, Totals};
use derate_units::Precision;
use derate_workload::work::{count_work, kernel_arithmetic};
use derate_workload::{Op, Role};

const MEGABYTE: f64 = 8e6;
const WHOLE: NumberFormat = NumberFormat::Integer;
const FOUR: NumberFormat = NumberFormat::Significant(4);

/// What the columns say; the order is that of the cells.
fn columns(partition: &Partition<'_>) -> Vec<Column> {
    let mut columns = vec![
        Column::text("part", "Part"),
        Column::text("kernel", "Group"),
        Column::number("calls", "Calls", ""),
        Column::number("flops", "Work", "OP"),
        Column::number("elements", "Elements that cross", ""),
        Column::number("bits", "Element", "bit"),
        Column::number("bytes", "Traffic", "B"),
        Column::number("oi", "OI", "OP/B"),
        Column::number("weight_mb", "Weights", "MB"),
        Column::number("compute", "Compute", "µs"),
        Column::number("memory", "Memory", "µs"),
        Column::text("bound", "Bound"),
        Column::number("attainable", "Attainable", "GOP/s"),
        Column::number("time", "Roofline time", "µs"),
    ];
    if partition.is_alone() {
        columns.push(Column::number(HOLD, "On-chip memory needed", "MB"));
    }
    columns
}

/// Makes the rows of one scenario and schedule.
struct Maker<'a> {
    roofs: &'a Roofs<'a>,
    sizes: &'a Sizes<'a>,
    stuck: Stuck,
    rereads: Option<String>,
}

/// `None` where the estimate has other groups than the partition.
pub(super) fn sheet(
    name: &str,
    roofs: &Roofs<'_>,
    sizes: &Sizes<'_>,
    scenario: &ScenarioEstimate,
    partition: &Partition<'_>,
) -> Option<Sheet> {
    let mut maker = Maker { roofs, sizes, stuck: Stuck::default(), rereads: None };
    let (mut rows, mut places) = (Vec::new(), Vec::new());
    let shown = partition.parts().filter(|(_, part)| {
        part.never_runs.is_none() || scenario.parts.iter().any(|own| !own.runs)
    });
    let mut estimates = scenario.parts.iter();
    for (at, _) in shown {
        places.push(maker.part(estimates.next()?, partition, at, &mut rows)?);
    }
    if estimates.next().is_some() {
        return None;
    }
    Some(Sheet {
        table: Table {
            name: name.to_owned(),
            caption: live_caption(scenario),
            columns: columns(partition),
            rows,
        },
        parts: places,
        stuck: maker.stuck.0,
        rereads: maker.rereads,
    })
}

/// What crosses memory for one group, in elements and in bits of the tensors' own formats.
struct Moved {
    /// What is read or written a whole number of times.
    streamed: Option<Growth>,
    /// What is read once for all runs.
    held: Option<Growth>,
}

/// Which of its operands stay on the chip from run to run.
fn is_held(fused: &FusedGroup<'_>, operand: &OperandTraffic) -> bool {
    fused.class.held && operand.role.is_stored()
}

impl Maker<'_> {
    fn part(
        &mut self,
        part: &PartEstimate,
        partition: &Partition<'_>,
        at: usize,
        rows: &mut Vec<Vec<Cell>>,
    ) -> Option<Place> {
        let first = rows.len();
        let mut names = labels(part);
        let mut kernels = part.kernels.iter();
        for fused in partition.of_part(at) {
            let kernel = kernels.next()?;
            let mut row = self.row(part, names.next()?, kernel, &fused)?;
            if partition.is_alone() {
                row.push(self.hold(kernel, &fused));
            }
            rows.push(row);
        }
        if kernels.next().is_some() {
            return None;
        }
        let own = first..rows.len();
        let mut total = first;
        let sum = |name: String, of: &Totals, layers: f64| {
            let [flops, bytes, oi, weights, bound, attainable, time] = totals(of, &own, layers);
            let mut row = vec![Cell::Empty, Cell::Text(name), Cell::Empty, flops];
            row.extend([Cell::Empty, Cell::Empty, bytes, oi, weights, Cell::Empty, Cell::Empty]);
            row.extend([bound, attainable, time]);
            row
        };
        if let Some(layer) = &part.one_layer {
            rows.push(sum(names.next()?, layer, part.layers as f64));
        }
        let summed = part.is_summed();
        if summed {
            total = rows.len();
            rows.push(sum(names.next()?, &part.totals, 1.0));
        }
        Some(Place { kernels: own, total, summed })
    }

    fn row(
        &mut self,
        part: &PartEstimate,
        name: String,
        kernel: &KernelEstimate,
        fused: &FusedGroup<'_>,
    ) -> Option<Vec<Cell>> {
        let block = self.sizes.block(fused.class.part, fused.block)?;
        let sized = |growth: Option<Growth>| growth.map(|growth| self.sizes.samples.sized(growth));
        let layers = fused.class.layers.len() as u64;
        let calls = sized(block.runs.as_ref().and_then(|runs| runs.scaled(layers)));
        let runs = sized(block.runs.clone());
        let flops = sized(block.flops(fused.group.kernels.clone()));
        let all = moved_by(block, kernel, fused, |_| 1);
        let bits = moved_by(block, kernel, fused, |o| u64::from(o.precision.bits()));
        let is_weight = |o: &OperandTraffic| u64::from(o.role == Role::Weight);
        let weights = moved_by(block, kernel, fused, is_weight);
        let weight_bits =
            moved_by(block, kernel, fused, |o| is_weight(o) * u64::from(o.precision.bits()));
        let figures = &kernel.totals;
        let moved: f64 = kernel.operands.iter().map(|o| o.elements as f64 * o.crossings).sum();
        let formula = |moved: &Moved| self.formula(moved, runs.as_ref());
        let elements = match formula(&all) {
            Some((formula, false)) => Cell::formula(moved, formula, WHOLE),
            Some((_, true)) | None => Cell::number(moved, WHOLE),
        };
        let known = formula(&all).is_some();
        let first = kernel.operands.first().map_or(0.0, |o| f64::from(o.precision.bits()));
        let alike = |of: &dyn Fn(&OperandTraffic) -> bool| {
            let mut own = kernel.operands.iter().filter(|o| o.crossings > 0.0 && of(o));
            let first = own.next()?.precision.bits();
            own.all(|o| o.precision.bits() == first).then_some(f64::from(first))
        };
        let own_bits = match (alike(&|_| true), formula(&bits)) {
            (Some(bits), _) => number(bits),
            (None, Some((bits, _))) => bits / column("elements"),
            (None, None) => number(if moved > 0.0 { figures.bytes.0 * 8.0 / moved } else { first }),
        };
        let mean = if moved > 0.0 { figures.bytes.0 * 8.0 / moved } else { first };
        let weight_value = figures.weight_bytes.0 / 1e6;
        let two = NumberFormat::Fixed(2);
        let weight_mb = match (formula(&weights), formula(&weight_bits)) {
            _ if figures.weight_bytes.0 <= 0.0 => Cell::number(0.0, two),
            (Some((elements, _)), Some((bits, _))) => {
                let own = match alike(&|o| o.role == Role::Weight) {
                    Some(bits) => elements.clone() * bits,
                    None => bits,
                };
                let uniform = elements * self.roofs.bits();
                Cell::formula(weight_value, self.roofs.by_choice(own, uniform) / MEGABYTE, two)
            }
            _ => Cell::number(weight_value, two),
        };
        if !known {
            self.stuck.at(kernel);
        }
        let mut row = vec![
            Cell::text(&part.name),
            Cell::Text(name),
            self.stuck.cell(kernel, kernel.calls as f64, calls.as_ref()),
            self.stuck.cell(kernel, figures.flops.0, flops.as_ref()),
            elements,
            Cell::formula(mean, self.roofs.by_choice(own_bits, self.roofs.bits()), digits(mean)),
            Cell::formula(figures.bytes.0, column("elements") * column("bits") / 8.0, WHOLE),
            Cell::formula(
                figures.oi.0,
                super::roofs::intensity(column("flops"), column("bytes")),
                two,
            ),
            weight_mb,
        ];
        row.extend(self.times(figures, self.work(block, fused), self.seconds(fused)));
        Some(row)
    }

    /// What a kernel of its own must hold so that no operand is read again: the least of both operands and the partial sums.
    fn hold(&mut self, kernel: &KernelEstimate, fused: &FusedGroup<'_>) -> Cell {
        let at = fused.group.kernels.start;
        let is_product = matches!(fused.class.block.kernels[at].op, Op::Matmul(_));
        if !is_product {
            return Cell::Empty;
        }
        let [left, right] = [kernel.operands.first(), kernel.operands.get(1)];
        let once = kernel.operands.iter().all(|operand| operand.crossings <= 1.0);
        let block = self.sizes.block(fused.class.part, fused.block);
        let own = block.and_then(|block| block.kernels.get(at)?.dims.as_ref());
        let known = own.filter(|_| once).and_then(|[_, m, k, n]| {
            let all = [m.as_ref()?, k.as_ref()?, n.as_ref()?];
            Some((all.map(Size::formula), left?.precision.bits(), right?.precision.bits()))
        });
        let (Some(([m, k, n], left, right)), Some(matmul)) = (known, kernel.matmul) else {
            self.rereads.get_or_insert_with(|| kernel.name.to_string());
            return Cell::Empty;
        };
        let [left, right] = [left, right].map(f64::from);
        let bits = |own: f64| self.roofs.by_choice(number(own), self.roofs.bits());
        let operands =
            [m.clone() * k.clone() * bits(left), k * n.clone() * bits(right), m * n * SUM_BITS];
        let [m, k, n] = [matmul.m, matmul.k, matmul.n].map(|extent| extent as f64);
        let value = (m * k * left).min(k * n * right).min(m * n * SUM_BITS);
        let least = Formula::Call(Function::Min, operands.into());
        Cell::formula(value / MEGABYTE, least / MEGABYTE, NumberFormat::Significant(3))
    }

    /// What its products take at the peaks as derate has them.
    fn seconds(&self, fused: &FusedGroup<'_>) -> Option<f64> {
        let class = fused.class;
        let mut peak = |p| self.roofs.peak_value(p).map_or(0.0, |tera| tera * TERA);
        let work = count_work(&class.block, fused.group.kernels.clone(), &class.formats, &mut peak);
        work.seconds.is_finite().then_some(work.seconds)
    }

    /// Its formula, and whether that is a constant; `None` where the size is no polynomial.
    fn formula(&self, moved: &Moved, runs: Option<&Size>) -> Option<(Formula, bool)> {
        let sized = |growth: &Option<Growth>| Some(self.sizes.samples.sized(growth.clone()?));
        let (streamed, held) = (sized(&moved.streamed)?, sized(&moved.held)?);
        if held.constant() == Some(0.0) {
            return Some((streamed.formula(), streamed.constant().is_some()));
        }
        Some((streamed.formula() + held.formula() / runs?.formula(), false))
    }

    /// Microseconds at the peak of each arithmetic of a group; `None` where it multiplies nothing.
    fn work(&self, block: &BlockSizes, fused: &FusedGroup<'_>) -> Option<Formula> {
        let class = fused.class;
        let mut own: Vec<(Precision, Vec<usize>)> = Vec::new();
        for at in fused.group.kernels.clone() {
            if matches!(class.block.kernels[at].op, Op::Matmul(_)) {
                let of = kernel_arithmetic(&class.block, at, &class.formats);
                match own.iter_mut().find(|(known, _)| known.key() == of.key()) {
                    Some((_, kernels)) => kernels.push(at),
                    None => own.push((of, vec![at])),
                }
            }
        }
        let all = |peak: Formula| column("flops") / peak / 1e6;
        match &own[..] {
            [] => None,
            [(only, _)] => Some(all(self.roofs.peak(*only))),
            [(first, _), ..] => {
                let terms = own.iter().map(|(of, kernels)| {
                    let growth = block.flops(kernels.iter().copied())?;
                    let flops = self.sizes.samples.sized(growth).formula();
                    Some(flops / self.roofs.peak_of(text(of.key())) / 1e6)
                });
                let each = terms.collect::<Option<Vec<_>>>()?;
                let each = each.into_iter().reduce(|a, b| a + b)?;
                Some(self.roofs.by_choice(each, all(self.roofs.peak(*first))))
            }
        }
    }

    /// From the time at the peak to the roofline time.
    fn times(&self, figures: &Totals, work: Option<Formula>, seconds: Option<f64>) -> [Cell; 5] {
        let memory = figures.bytes.0 / (self.roofs.step.bandwidth.value.0 / 1e6);
        let time = figures.throughput_seconds.map(|time| time.0 * 1e6);
        let bytes = column("bytes") / self.roofs.bandwidth() / 1e3;
        let memory_cell = Cell::formula(memory, bytes, FOUR);
        let Some(work) = work else {
            return [
                Cell::number(0.0, FOUR),
                memory_cell,
                Cell::text("memory"),
                Cell::number(0.0, FOUR),
                follows(time, column("memory"), FOUR),
            ];
        };
        let value = seconds.filter(|_| time.is_some()).map(|seconds| seconds * 1e6);
        // A text is no time, and to a spreadsheet more than any number.
        let compute = || column("compute") * 1.0;
        let bound = choose(compute().at_least(column("memory")), text("compute"), text("memory"));
        let bound_value = figures.bound.map_or(UNKNOWN, |bound| bound.as_str());
        [
            follows(value, or_unknown(work), FOUR),
            memory_cell,
            Cell::formula(bound_value, or_unknown(bound), WHOLE),
            follows(
                figures.attainable.map(|rate| rate.0 / 1e9),
                or_unknown(column("flops") / column("time") / 1e3),
                FOUR,
            ),
            follows(time, or_unknown(max(compute(), column("memory"))), FOUR),
        ]
    }
}

/// What crosses for a group, with `weight` for each element.
fn moved_by(
    block: &BlockSizes,
    kernel: &KernelEstimate,
    fused: &FusedGroup<'_>,
    weight: impl Fn(&OperandTraffic) -> u64,
) -> Moved {
    let first = fused.group.kernels.start;
    let operands = |held: bool| {
        let mut last = (usize::MAX, 0);
        let all = kernel.operands.iter().map(move |o| {
            // Operands of a member are in consecutive rows.
            last = if last.0 == o.member { (o.member, last.1 + 1) } else { (o.member, 0) };
            (first + o.member, last.1, o)
        });
        let own = all.filter(|(.., o)| is_held(fused, o) == held);
        block.elements(own.map(|(kernel, at, o)| {
            let times = if held { 1 } else { super::whole(o.crossings) };
            (kernel, at, times * weight(o))
        }))
    };
    Moved { streamed: operands(false), held: operands(true) }
}

//! The kernels of one scenario as formulas: sizes over the inputs, times over the roofs, sums over the rows above.

use derate_render::formula::{column, min};
use derate_render::{Cell, Column, NumberFormat, Table};

use super::cell::{digits, follows};
use super::own_bits::OwnBits;
use super::product::Product;
use super::roofs::{Roofs, Times, attainable, intensity};
use super::samples::{Samples, Size};
use super::site::Site;
use super::stuck::Stuck;
use super::sums::{Place, sum};
use crate::kernels::{labels, live_caption};
use derate_estimate::{KernelEstimate, PartEstimate, ScenarioEstimate};
use derate_workload::classes::{LayerClass, classify_layers};
use derate_workload::{Matmul, Part, Role};

/// Partial sums are kept at 32 bits.
pub(super) const SUM_BITS: f64 = 32.0;
/// The key of what must be on the chip so that no operand is read again.
pub(super) const HOLD: &str = "hold";
/// Bits in an MB.
const MEGABYTE: f64 = 8e6;

/// The table of one scenario, and where its parts are in it.
pub(crate) struct Sheet {
    pub(crate) table: Table,
    /// By their place in the estimate.
    pub(super) parts: Vec<Place>,
    /// The first kernel of which a size is no polynomial of the parameters.
    pub(super) stuck: Option<String>,
    /// The first kernel that reads an operand more than once.
    pub(super) rereads: Option<String>,
}

/// What the columns say; the order is that of the cells.
fn columns() -> Vec<Column> {
    vec![
        Column::text("kernel", "Kernel"),
        Column::number("calls", "Calls", ""),
        Column::number("m", "M", ""),
        Column::number("k", "K", ""),
        Column::number("n", "N", ""),
        Column::number("flops", "Work", "OP"),
        Column::number("elements", "Elements moved", ""),
        Column::number("bits", "Element", "bit"),
        Column::number("bytes", "Traffic", "B"),
        Column::number("oi", "OI", "OP/B"),
        Column::number("weight_mb", "Weights", "MB"),
        Column::number("peak", "Peak", "TOP/s"),
        Column::text("bound", "Bound"),
        Column::number("attainable", "Attainable", "GOP/s"),
        Column::number("time", "Roofline time", "µs"),
        Column::number(HOLD, "On-chip memory needed", "MB"),
    ]
}

/// Makes the rows of one scenario.
struct Maker<'a> {
    roofs: &'a Roofs<'a>,
    samples: &'a Samples,
    stuck: Stuck,
    rereads: Option<String>,
}

/// `None` where the estimate has other kernels than the workload.
pub(super) fn sheet(
    roofs: &Roofs<'_>,
    samples: &Samples,
    scenario: &ScenarioEstimate,
) -> Option<Sheet> {
    let parts = &samples.base()?.parts;
    let formats = roofs.formats();
    let classes = classify_layers(parts, &formats, &|_| false).ok()?;
    let mut maker = Maker { roofs, samples, stuck: Stuck::default(), rereads: None };
    let (mut rows, mut places) = (Vec::new(), Vec::new());
    for (index, part) in scenario.parts.iter().enumerate() {
        let own: Vec<&LayerClass> = classes.iter().filter(|class| class.part == index).collect();
        let place = maker.part(parts, &own, part, &mut rows)?;
        places.push(place);
    }
    Some(Sheet {
        table: Table {
            name: format!("kernels-{}", scenario.kind),
            caption: live_caption(scenario),
            columns: columns(),
            rows,
        },
        parts: places,
        stuck: maker.stuck.0,
        rereads: maker.rereads,
    })
}

impl Maker<'_> {
    fn part(
        &mut self,
        parts: &[Part],
        classes: &[&LayerClass],
        part: &PartEstimate,
        rows: &mut Vec<Vec<Cell>>,
    ) -> Option<Place> {
        let first = rows.len();
        let mut names = labels(part);
        let mut kernels = part.kernels.iter();
        for class in classes {
            for site in Site::of(parts, class) {
                let kernel = kernels.next()?;
                rows.push(self.row(names.next()?, kernel, class, &site));
            }
        }
        let own = first..rows.len();
        let mut total = first;
        if let Some(layer) = &part.one_layer {
            rows.push(sum(names.next()?, layer, &own, part.layers as f64));
        }
        let summed = part.is_summed();
        if summed {
            total = rows.len();
            rows.push(sum(names.next()?, &part.totals, &own, 1.0));
        }
        kernels.next().is_none().then_some(Place { kernels: own, total, summed })
    }

    fn row(
        &mut self,
        name: String,
        kernel: &KernelEstimate,
        class: &LayerClass,
        site: &Site<'_>,
    ) -> Vec<Cell> {
        let (samples, totals) = (self.samples, &kernel.totals);
        let layers = class.layers.len() as u64;
        let calls = samples.size(|parts| site.calls(parts, layers));
        let mut row =
            vec![Cell::Text(name), self.stuck.cell(kernel, kernel.calls as f64, calls.as_ref())];
        let crossings: Vec<u64> =
            kernel.operands.iter().map(|o| super::whole(o.crossings)).collect();
        let once = crossings.iter().all(|&crossings| crossings <= 1);
        if !once {
            self.rereads.get_or_insert_with(|| kernel.name.to_string());
        }
        let times = |at: usize| crossings.get(at).copied().unwrap_or(1);
        let bits = |at: usize| kernel.operands.get(at).map_or(0, |o| u64::from(o.precision.bits()));
        let elements = samples.size(|parts| site.elements(parts, |at, _| times(at)));
        let moved: f64 = kernel.operands.iter().map(|o| o.elements as f64 * o.crossings).sum();
        let weights = samples.size(|parts| {
            site.elements(parts, |at, o| if o.role == Role::Weight { times(at) } else { 0 })
        });
        let own = OwnBits::of(kernel, samples, |parts| {
            site.elements(parts, |at, _| times(at) * bits(at))
        });
        let products = kernel.matmul.map(|matmul| Product::of(matmul, site, samples, &times));
        if let (Some(product), Some(Matmul { m, k, n, .. })) = (&products, kernel.matmul) {
            let sizes = [(m, &product.m), (k, &product.k), (n, &product.n)];
            row.extend(
                sizes.map(|(value, size)| self.stuck.cell(kernel, value as f64, size.as_ref())),
            );
            row.push(match product.flops() {
                Some(formula) => Cell::formula(totals.flops.0, formula, NumberFormat::Integer),
                None => Cell::number(totals.flops.0, NumberFormat::Integer),
            });
        } else {
            row.extend([Cell::Empty, Cell::Empty, Cell::Empty]);
            row.push(Cell::number(0.0, NumberFormat::Integer));
        }
        row.push(match products.as_ref().and_then(Product::elements) {
            Some(formula) => Cell::formula(moved, formula, NumberFormat::Integer),
            None => self.stuck.cell(kernel, moved, elements.as_ref()),
        });
        row.push(self.bits(kernel, &own, moved));
        row.extend(self.figures(kernel, weights.as_ref(), &own));
        row.push(match kernel.matmul.filter(|_| once) {
            Some(matmul) => self.hold(kernel, matmul, &own),
            None => Cell::Empty,
        });
        row
    }

    /// Bits of an element: the mean of the operands where each tensor has its own.
    fn bits(&self, kernel: &KernelEstimate, own: &OwnBits, moved: f64) -> Cell {
        let value = if moved > 0.0 { kernel.totals.bytes.0 * 8.0 / moved } else { own.first };
        Cell::formula(
            value,
            self.roofs.by_choice(own.formula.clone(), self.roofs.bits()),
            digits(value),
        )
    }

    /// From the traffic to the time.
    fn figures(
        &mut self,
        kernel: &KernelEstimate,
        weights: Option<&Size>,
        own: &OwnBits,
    ) -> Vec<Cell> {
        let totals = &kernel.totals;
        let (flops, bytes) = (column("flops"), column("bytes"));
        let mega = totals.weight_bytes.0 / 1e6;
        let weight_mb = match weights {
            Some(size) if size.constant() == Some(0.0) => Cell::number(0.0, NumberFormat::Fixed(2)),
            Some(size) => {
                let of_weights = own.of_operand(self.roofs, own.weights);
                Cell::formula(mega, size.formula() * of_weights / MEGABYTE, NumberFormat::Fixed(2))
            }
            None => Cell::number(mega, NumberFormat::Fixed(2)),
        };
        let traffic = Cell::formula(
            totals.bytes.0,
            column("elements") * column("bits") / 8.0,
            NumberFormat::Integer,
        );
        let bandwidth = self.roofs.bandwidth();
        let four = NumberFormat::Significant(4);
        if kernel.matmul.is_none() {
            let time = totals.throughput_seconds.map(|time| time.0 * 1e6);
            return vec![
                traffic,
                Cell::number(0.0, NumberFormat::Fixed(2)),
                weight_mb,
                Cell::Empty,
                Cell::text("memory"),
                Cell::number(0.0, four),
                follows(time, bytes / bandwidth / 1e3, four),
            ];
        }
        let times = || Times::new(flops.clone(), bytes.clone(), column("peak"), bandwidth.clone());
        let bound = totals.bound.map_or(super::cell::UNKNOWN, |bound| bound.as_str());
        vec![
            traffic,
            Cell::formula(
                totals.oi.0,
                intensity(flops.clone(), bytes.clone()),
                NumberFormat::Fixed(2),
            ),
            weight_mb,
            follows(
                self.roofs.peak_value(kernel.precision),
                self.roofs.peak(kernel.precision),
                four,
            ),
            Cell::formula(bound, times().bound(), NumberFormat::Integer),
            follows(
                totals.attainable.map(|rate| rate.0 / 1e9),
                attainable(column("oi"), column("peak"), bandwidth.clone()),
                four,
            ),
            follows(totals.throughput_seconds.map(|time| time.0 * 1e6), times().time(), four),
        ]
    }

    /// What must be on the chip so that no operand is read again: the least of both operands and the partial sums.
    fn hold(&self, kernel: &KernelEstimate, matmul: Matmul, own: &OwnBits) -> Cell {
        let bits =
            |at: usize| kernel.operands.get(at).map_or(0.0, |o| f64::from(o.precision.bits()));
        let Matmul { m, k, n, .. } = matmul;
        let (m, k, n) = (m as f64, k as f64, n as f64);
        let value = (m * k * bits(0)).min(k * n * bits(1)).min(m * n * SUM_BITS);
        let size = |a: &str, b: &str| column(a) * column(b);
        let (left, right) =
            (own.of_operand(self.roofs, bits(0)), own.of_operand(self.roofs, bits(1)));
        let sums = size("m", "n") * SUM_BITS;
        let operands = if left == right {
            min(size("m", "k"), size("k", "n")) * left
        } else {
            min(size("m", "k") * left, size("k", "n") * right)
        };
        Cell::formula(
            value / MEGABYTE,
            min(operands, sums) / MEGABYTE,
            NumberFormat::Significant(3),
        )
    }
}

//! What the design's array is made of, among the inputs.

use derate_render::formula::{choose, max, min, name, text, up};
use derate_render::{Cell, NumberFormat};

use super::cell::{choose_digits, count_cell, follow_cell, input_cell};
use super::input_rows::Rows;
use super::name as names;
use super::precisions::Precisions;
use derate_estimate::scenario::Assumptions;
use derate_estimate::{Array, port_bandwidth};
use derate_project::Storage;
use derate_units::{Figure, Provenance};

const MEGA: f64 = 1e6;
const GIGA: f64 = 1e9;
const TERA: f64 = 1e12;
/// The most that derate.toml may give of anything that is counted.
const MOST: f64 = 1e6;
const SCENARIO: &str = "--scenario design";

/// The rows of the design, where there is an array.
pub(super) fn add_array(rows: &mut Rows<'_>, steps: &[Assumptions], precisions: &Precisions) {
    let design = steps.iter().find_map(|step| Some((step, step.array()?)));
    let Some((step, array)) = design else { return };
    if port_bandwidth(rows.analysis).is_some() {
        let gbs = step.bandwidth.value.0 / GIGA;
        let cell = input_cell(names::DESIGN_BANDWIDTH, gbs, 1e-3, 1e6);
        rows.add_figure("bandwidth, the design's ports", cell, "GB/s", &step.bandwidth, SCENARIO);
    }
    add_size(rows, array);
    add_costs(rows, step, array, precisions);
    add_rates(rows, array);
}

/// Rows, columns and what each element does.
fn add_size(rows: &mut Rows<'_>, array: &Array) {
    let mut counted = |figure: &str, name: &str, of: &Figure<f64>, least: f64, unit: &str| {
        rows.add_figure(figure, count_cell(name, of.value, least, MOST), unit, of, SCENARIO);
    };
    counted("array: rows", names::ARRAY_ROWS, &array.rows, 1.0, "");
    counted("array: columns", names::ARRAY_COLUMNS, &array.columns, 1.0, "");
    let each = "array: multiply-adds per element and cycle";
    counted(each, names::ARRAY_UNROLL, &array.unroll, 1.0, "");
    let interval = &array.accumulation_ii;
    counted("array: accumulation interval", names::ARRAY_INTERVAL, interval, 1.0, "cycles");
    let waits = &array.memory_latency;
    counted("array: memory latency", names::MEMORY_LATENCY, waits, 0.0, "cycles");
    if let Some(lanes) = &array.lanes {
        counted("array: elementwise lanes", names::ARRAY_LANES, lanes, 1.0, "");
    }
    let fill = &array.fill;
    let cell = if rows.analysis.project.design.fill.is_some() {
        count_cell(names::ARRAY_FILL, fill.value, 0.0, MOST)
    } else {
        let side = max(name(names::ARRAY_ROWS), name(names::ARRAY_COLUMNS));
        Cell::formula(fill.value, side + 12.0, choose_digits(fill.value)).called(names::ARRAY_FILL)
    };
    rows.add_figure("array: fill per tile", cell, "cycles", fill, SCENARIO);
}

/// What it takes of the chip.
fn add_costs(rows: &mut Rows<'_>, step: &Assumptions, array: &Array, precisions: &Precisions) {
    let macs = name(names::ARRAY_ROWS) * name(names::ARRAY_COLUMNS) * name(names::ARRAY_UNROLL);
    let known = Provenance::of_inputs([
        array.rows.provenance,
        array.columns.provenance,
        array.unroll.provenance,
    ]);
    let source = "rows x columns x multiply-adds per element and cycle";
    let figure = Figure::new(array.macs(), known, source);
    let cell = Cell::formula(array.macs(), macs, NumberFormat::Integer).called(names::ARRAY_MACS);
    rows.add_figure("array: multiply-adds per cycle", cell, "", &figure, SCENARIO);
    let chosen = || match step.storage {
        Storage::Each { .. } => choose(
            name(names::DESIGN_PRECISION).equals(text(step.storage.name())),
            text(array.precision.key()),
            name(names::DESIGN_PRECISION),
        ),
        Storage::Uniform(_) => name(names::DESIGN_PRECISION),
    };
    let macs = || name(names::ARRAY_MACS);
    let per_dsp = || precisions.look_up(chosen(), "macs_per_dsp") * 1.0;
    let per_mac = || precisions.look_up(chosen(), "dsp_per_mac") * 1.0;
    // An empty cell is zero.
    let slices = choose(
        per_dsp().exceeds(0.0),
        macs() / per_dsp(),
        choose(per_mac().exceeds(0.0), macs() * per_mac(), text(super::UNKNOWN) * 1.0),
    );
    let slices = super::cell::or_unknown(up(slices));
    let known = array.dsp.as_ref().map(|dsp| dsp.value);
    let cell = follow_cell(known, slices, NumberFormat::Integer).called(names::ARRAY_DSP);
    let figure = array.dsp.clone().unwrap_or_else(|| array.rows.clone());
    rows.add_figure("array: DSP slices", cell, "", &figure, SCENARIO);
}

/// Clocks, peak and launches.
fn add_rates(rows: &mut Rows<'_>, array: &Array) {
    let target = name(names::KERNEL_CLOCK);
    let clock = match rows.analysis.reached_clock() {
        Some(reached) => {
            let fastest = rows.analysis.platform.clock_bound().value.0 / MEGA;
            let cell = input_cell(names::DESIGN_CLOCK, reached.value.0 / MEGA, 1.0, fastest);
            rows.add_figure("clock that was reached", cell, "MHz", &reached, SCENARIO);
            min(name(names::DESIGN_CLOCK), target)
        }
        None => target,
    };
    let mhz = array.clock.value.0 / MEGA;
    let cell = Cell::formula(mhz, clock, choose_digits(mhz)).called(names::ARRAY_CLOCK);
    rows.add_figure("array: clock that it runs at", cell, "MHz", &array.clock, SCENARIO);
    let peak = array.peak();
    let rate = name(names::ARRAY_MACS) * 2.0 * name(names::ARRAY_CLOCK) / 1e6;
    let cell = Cell::formula(peak.value.0 / TERA, rate, NumberFormat::Significant(4));
    rows.add_figure("array: peak", cell.called(names::ARRAY_PEAK), "TOP/s", &peak, SCENARIO);
    let launch = array.launch.value.0 * 1e3;
    let what = format!("array: launch per {}", array.launches.name());
    rows.add_figure(
        &what,
        input_cell(names::LAUNCH, launch, 0.0, MOST),
        "ms",
        &array.launch,
        SCENARIO,
    );
}

//! How many cycles a matrix kernel takes, by the pipeline rules.

use derate_model::bandwidth::{Channels, Direction, Port, single_stream};
use derate_model::pipeline::{
    Implementation, LibraryOperator, operator_latency, outlined_pipelined_loop, pipelined_loop,
};
use derate_model::units::{Cycles, Hertz};
use derate_model::{Figure, Platform, Provenance};

use super::tile::{Tile, WORD, row_words};
use crate::error::BenchError;
use crate::oracle::Element;

/// Stages of a pipelined loop that reads or writes external memory: 70 to 76 in published reports.
const MEMORY_DEPTH: u64 = 73;

/// Cycles of a product, its parts one after another as the source has them: clear, load A, load B, multiply, and store.
/// Words come no faster than the memory gives them. Assumed of the source, and written into it: every tile is a run of
/// consecutive words, moved by one loop, so that the memory's latency is paid once a tile, not once a row; nested loops vary
/// in their outermost bound alone, so that HLS flattens them; a word of B or C takes a cycle for each group of lanes that it
/// holds. Not synthesised: HLS may load A and B at once, and may pipeline worse.
pub(super) fn product_cycles(
    platform: &Platform,
    clock: Hertz,
    element: Element,
    [m, n, k]: [u64; 3],
) -> Result<Figure<Cycles>, BenchError> {
    let tile = Tile::OURS;
    let channels = Channels::of(&platform.memory);
    let per_word = |direction| {
        let port = Port::sequential(8.0 * WORD as f64, clock, 0, &platform.kernel);
        let rate = single_stream(&Port { direction, ..port }, &channels)
            .map_err(|reason| BenchError::Setup(reason.into()))?;
        Ok::<_, BenchError>((WORD as f64 * clock.0 / rate.value.0).max(1.0))
    };
    let (read, write) = (per_word(Direction::Read)?, per_word(Direction::Write)?);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a positive count of cycles; the cast saturates"
    )]
    let part = |trips: u64, each: f64, depth: u64| {
        let trips = (trips as f64 * each).ceil() as u64;
        outlined_pipelined_loop(pipelined_loop(trips, 1, depth).0 as u64).0
    };
    let latency = |operator| {
        let part = platform.part.as_ref().map(|part| part.value.as_str());
        operator_latency(operator, Implementation::Dsp, clock, part)
            .map(|figure| figure.value.0)
            .map_err(|error| BenchError::Setup(error.to_string()))
    };
    let (add, multiply) = match element {
        Element::Int8 => (1.0, 3.0),
        _ => (latency(LibraryOperator::FAdd)?, latency(LibraryOperator::FMul)?),
    };
    // The sums of a step follow each other, between reading the chip's memory and writing it.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a small count of cycles"
    )]
    let stages = (add * tile.depth as f64 + multiply + 4.0) as u64;
    let steps = tile.m * tile.n / tile.lanes;
    // Groups of lanes in a word, each of which takes a cycle on chip.
    let groups = |bytes: u64| (WORD / bytes / tile.lanes) as f64;
    let (groups_in, groups_out) = (groups(element.bytes()), groups(element.result_bytes()));
    let mut cycles = 0.0;
    let extents = |total: u64, step: u64| {
        (0..total.div_ceil(step)).map(move |at| step.min(total - at * step))
    };
    for high in extents(m, tile.m) {
        for wide in extents(n, tile.n) {
            cycles += part(steps, 1.0, 2);
            for deep in extents(k, tile.k) {
                cycles += part(high * row_words(deep, element.bytes()), read, MEMORY_DEPTH);
                cycles += part(tile.n / tile.lanes, 1.0, 2);
                let b = deep * row_words(wide, element.bytes());
                cycles += part(b, read.max(groups_in), MEMORY_DEPTH);
                cycles += part(deep.div_ceil(tile.depth) * steps, 1.0, stages);
            }
            let c = high * row_words(wide, element.result_bytes());
            cycles += part(c, write.max(groups_out), MEMORY_DEPTH);
        }
    }
    let source = format!(
        "pipeline rules on the loops of hls/kernels/gemm.h, {} x {} multiply-adds a cycle, a burst a tile, parts one after another; not synthesised",
        tile.lanes, tile.depth
    );
    Ok(Figure::new(Cycles(cycles), Provenance::Derived, source))
}

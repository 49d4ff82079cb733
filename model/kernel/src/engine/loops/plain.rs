//! Loops whose iterations run one after another.

use crate::answer::{HeldBy, LoopAnswer, Span};
use crate::engine::invariant::{MovedOperations, Unchanged};
use crate::engine::loops::{COPIES, Tests};
use crate::engine::options::LoopOptions;
use crate::engine::trip::Trip;
use crate::engine::{Activation, Engine, Flow, Piece};
use crate::graph::{NodeId, Value};
use derate_program::Loop;

impl<'a> Engine<'a> {
    /// One iteration after another.
    pub(super) fn plain_loop(
        &mut self,
        item: &'a Loop,
        bounds: (Value, Option<Value>, Trip),
        options: &LoopOptions,
        run: &mut Activation<'a>,
        flow: &mut Flow,
    ) {
        let trip = bounds.2;
        self.note_open(item, trip);
        let factor = options.copies(trip);
        let counted = trip.counted();
        let joins = self.joins_inner(item, options, run, 0);
        let answer = self.loops.len();
        // Its directive goes with the loop.
        let is_copied = self.is_copied_for_refused(item, counted);
        self.loops.push(LoopAnswer {
            label: item.label.clone(),
            function: run.function.name.clone(),
            place: item.place,
            trip: None,
            trip_rests_on_type: trip.rests_on_type,
            trip_is_given: trip.is_given,
            ii: None,
            asked: (options.pipeline == Some(true) && !is_copied).then(|| options.ii.unwrap_or(1)),
            is_copied,
            held_by: None::<HeldBy>,
            port_ii: None,
            depth: 0.0,
            is_depth_known: true,
            cycles: Span::exactly(0.0),
            nest: self.nest,
        });
        self.nest += 1;
        let storages = self.storages.len();
        let assigned = self.assigned(&item.body, run);
        self.forget(&assigned);
        let block = self.begin_block();
        let mut inner = Flow::new(block, false);
        let step = item.step * i128::from(factor);
        let number = self.add_counter(item, bounds, step, run, &inner);
        let trip = trip.divided(factor);
        self.counters[number as usize].trip = trip;
        self.carrying.push((assigned.clone(), Vec::new()));
        // Copies run one after another where the trips do not divide by their number.
        let is_tested = factor > 1 && counted.is_none_or(|count| count % factor != 0);
        let refused = usize::from(options.pipeline == Some(true));
        self.refused += refused;
        let tests = if is_tested { Tests::Each } else { Tests::None };
        self.run_body(item, (number, factor, tests), run, &mut inner);
        self.refused -= refused;
        self.exit_nodes.clear();
        let (_, reads) = self.carrying.pop().unwrap_or_default();
        self.keep_carried(&reads);
        self.keep_left(item, run);
        self.around.pop();
        let (mut moved, mut operations) = ((Vec::new(), Vec::new()), MovedOperations::default());
        if let [Piece::Block(only)] = inner.pieces.as_slice() {
            let mut carried = Vec::new();
            let unchanged = Unchanged { storages, assigned: &assigned };
            moved = self.promote(*only, &[number], &mut carried);
            operations = self.take_out_invariants((*only, 1), &moved.0, unchanged, &carried);
        }
        let (loads_out, stores_out) = moved;
        let iteration = self.compose(&inner.pieces);
        let joined = if joins { self.joined(&inner.pieces) } else { None };
        let iteration = joined.unwrap_or(iteration);
        self.nest -= 1;
        self.keep_bounds(bounds.1);
        let states = loop_states(trip, iteration);
        if let Some(answer) = self.loops.get_mut(answer) {
            answer.trip = (!trip.is_open).then_some((trip.least, trip.most, trip.mean));
            answer.depth = iteration.worst.max(iteration.reported);
            answer.is_depth_known = iteration.is_known();
            answer.cycles = states;
        }
        if joined.is_some() {
            self.join_answers(answer);
        }
        let values = self.move_out(&loads_out, &[], true, flow);
        self.do_before(&operations, values, flow);
        let traffic = self.pieces_traffic(&inner.pieces);
        let traffic =
            traffic.into_iter().map(|one| one.repeated(trip.mean, iteration.expected)).collect();
        flow.pieces.push(Piece::Loop(states, traffic));
        flow.block = self.begin_block();
        flow.pieces.push(Piece::Block(flow.block));
        self.move_out(&[], &stores_out, false, flow);
        let changed: Vec<(usize, u64)> = self.env.within(&assigned).map(|one| one.0).collect();
        for key in changed {
            let ty = self.storages[key.0].ty;
            let value = self.input(ty, flow, item.place);
            self.set_scalar(key, value);
        }
        self.leave_counter(item, bounds.1, run, flow);
    }

    /// Whether the tool unrolls a loop, for a pipeline around it, that holds one without a fixed number of iterations. Its copies
    /// follow one another as its iterations do; which operators they share is not known.
    fn is_copied_for_refused(&mut self, item: &Loop, counted: Option<u64>) -> bool {
        let copies = counted.filter(|count| self.refused > 0 && (2..=COPIES).contains(count));
        if let Some(count) = copies {
            self.note_unknown(
                item.place,
                format!(
                    "the tool unrolls `{}` for the pipeline around it, and the loop in it has no fixed number of iterations: \
                     what its {count} copies share is not known",
                    item.label
                ),
            );
        }
        copies.is_some()
    }

    /// The next iteration reads the last values of these: what computes them is not left out.
    fn keep_carried(&mut self, reads: &[((usize, u64), NodeId)]) {
        let last = reads.iter().filter_map(|(key, _)| self.env.get(key)?.node());
        self.kept.extend(last);
    }
}

/// `trips * iteration`, with the trips that the loops around give.
pub(super) fn loop_states(trip: Trip, iteration: Span) -> Span {
    // The mean of two ways is a fraction, and all iterations together are whole cycles.
    let cycles = |trips: f64, iteration: f64| {
        let product = trips * iteration;
        let whole = product.round();
        if (product - whole).abs() < 1e-9 * whole { whole } else { product }
    };
    Span {
        best: cycles(trip.least, iteration.best),
        worst: cycles(trip.most, iteration.worst),
        expected: cycles(trip.mean, iteration.expected),
        reported: cycles(trip.printed, iteration.reported),
        is_open: trip.is_open || iteration.is_open,
        rests_on_type: trip.rests_on_type || iteration.rests_on_type,
    }
}

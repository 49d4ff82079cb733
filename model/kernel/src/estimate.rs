//! The whole way: a program under directives to the answer.

use crate::answer::{KernelAnswer, PortAnswer, Resources};
use crate::engine::{Activation, Bound, Directives, Engine, ScheduleCache, StorageDim};
use crate::graph::{Implementation, LocalArray, Value};
use crate::resources::{list_arrays, resources};
use crate::uncertainty::list_doubts;
use derate_hls::{DirectiveKind, TclDirective};
use derate_operators::Settings;
use derate_program::{Directive, Number, ObjectKind, Program, Scalar, Stmt, any_in};
use std::collections::BTreeSet;
use std::sync::Mutex;

/// Schedules a kernel.
#[must_use]
pub fn estimate_kernel(
    program: &Program,
    directives: &Directives,
    settings: &Settings,
) -> KernelAnswer {
    estimate_with(&|| Engine::new(program, settings, directives))
}

/// Schedules another design of a kernel: what it shares with those before, under the same program and settings, is in the cache.
#[must_use]
pub fn estimate_design(
    program: &Program,
    directives: &Directives,
    settings: &Settings,
    cache: &Mutex<ScheduleCache>,
) -> KernelAnswer {
    estimate_with(&|| {
        let mut engine = Engine::new(program, settings, directives);
        // A run whose numbers are known has other schedules of the same functions.
        engine.cache = Some(cache).filter(|_| settings.arguments.is_empty());
        engine
    })
}

/// Schedules a kernel whose ports have the wide words that these reshapes name.
#[must_use]
pub fn estimate_wide(
    program: &Program,
    directives: &Directives,
    settings: &Settings,
    wide: &[TclDirective],
) -> KernelAnswer {
    estimate_with(&|| Engine { wide, ..Engine::new(program, settings, directives) })
}

/// Cycles are those of a run with the arguments of the settings; the hardware is there for all runs.
fn estimate_with<'p>(start: &dyn Fn() -> Engine<'p>) -> KernelAnswer {
    let engine = start();
    let (program, given) = (engine.program, &engine.settings.arguments);
    if given.is_empty() {
        return run_engines(start, given);
    }
    let built = run_engines(start, &[]);
    KernelAnswer {
        resources: built.resources,
        arrays: built.arrays,
        work: program.count_work(given),
        ..run_engines(start, given)
    }
}

/// What the tool cuts for one loop may slow another one down: the design is scheduled again with what the first run found. One that
/// is not scheduled the first time is not scheduled the second time.
fn run_engines<'p>(start: &dyn Fn() -> Engine<'p>, given: &[(String, u64)]) -> KernelAnswer {
    let (answer, found) = run_engine(start(), given);
    if found == Found::default() || !answer.is_scheduled {
        return answer;
    }
    let mut engine = start();
    (engine.completed, engine.scalars) = (found.completed, found.scalars);
    run_engine(engine, given).0
}

/// What one run of a design finds that another one needs.
#[derive(Default, PartialEq)]
struct Found {
    completed: BTreeSet<StorageDim>,
    scalars: BTreeSet<LocalArray>,
}

/// What registers of the top function's numbers hold is given by their names; of fractions it is not asked.
fn run_engine(mut engine: Engine<'_>, given: &[(String, u64)]) -> (KernelAnswer, Found) {
    let (program, settings) = (engine.program, engine.settings);
    let top = &program.functions[0];
    let mut run = Activation { function: top, bound: vec![None; top.objects.len()] };
    for (parameter, by_value) in top.parameters.iter().zip(&top.by_value) {
        let object = &top.objects[*parameter];
        let storage = engine.add_storage(object, !by_value);
        engine.apply_storage_directives(storage, top, *parameter, 0);
        engine.apply_passed_directives(storage, top, *parameter);
        engine.take_for_number(storage, *parameter);
        run.bound[*parameter] = Some(Bound { storage, prefix: Vec::new() });
        let known = given.iter().find(|(name, _)| *by_value && *name == object.name);
        if let (Some((_, register)), Scalar::Int { bits, signed }) = (known, object.ty) {
            let value = Number::Int(read_register(*register, bits, signed));
            engine.set_scalar((storage, 0), Value::Constant(value));
        }
    }
    let top_storages: Vec<usize> = run.bound.iter().flatten().map(|bound| bound.storage).collect();
    engine.link_buses(&top_storages);
    engine.stack.push(0);
    let first = engine.graph.next_id();
    let (mut latency, mut interval) = engine.function_latency(&mut run);
    engine.count_crossing(first);
    if engine.full {
        engine.note_unknown(top.place, "the design has too many operations to schedule them all");
        latency.is_open = true;
        interval.is_open = true;
    }
    let is_open = engine.opened || top.is_incomplete;
    (latency.is_open, interval.is_open) = (latency.is_open || is_open, interval.is_open || is_open);
    let ports = ports(&engine, &run);
    let is_nothing = is_open && engine.loops.is_empty();
    let is_scheduled = !(engine.full || is_nothing);
    let resources = if is_scheduled { resources(&engine) } else { Resources::default() };
    let is_read = !is_open && !program.has_guesses;
    let arrays = list_arrays(&engine);
    let found = Found { completed: engine.list_slowed(), scalars: engine.list_scalars() };
    let is_directed = is_directed(program, engine.directives);
    let mut unknown = program.unknown.clone();
    unknown.extend(engine.unknown);
    let mut answer = KernelAnswer {
        top: top.name.clone(),
        latency,
        interval,
        loops: engine.loops,
        resources,
        is_scheduled,
        is_read,
        operations: engine.graph.nodes.len() + engine.skipped,
        ports,
        regions: engine.regions,
        arrays,
        work: program.work,
        unknown,
        open_functions: program.open_functions.clone(),
        doubts: Vec::new(),
        files: program.files.clone(),
    };
    answer.doubts = list_doubts(&answer, settings, is_directed);
    (answer, found)
}

/// Whether directives shape loops or arrays.
fn is_directed(program: &Program, directives: &Directives) -> bool {
    let shapes = |kind: &DirectiveKind| {
        matches!(
            kind,
            DirectiveKind::Pipeline(_)
                | DirectiveKind::Unroll { .. }
                | DirectiveKind::Dataflow
                | DirectiveKind::ArrayPartition(_)
                | DirectiveKind::ArrayReshape(_)
        )
    };
    let has = |pragmas: &[Directive]| pragmas.iter().any(|one| shapes(&one.kind));
    let mut in_loop = |one: &Stmt| matches!(one, Stmt::Loop(item) if has(&item.pragmas));
    directives.list.iter().any(|one| shapes(&one.kind))
        || program.functions.iter().any(|one| has(&one.pragmas) || any_in(&one.body, &mut in_loop))
}

/// The whole number of so many bits that a register holds.
fn read_register(register: u64, bits: u16, signed: bool) -> i128 {
    let bits = u32::from(bits).clamp(1, 64);
    let value = i128::from(register) & ((1 << bits) - 1);
    if signed && value >> (bits - 1) == 1 { value - (1 << bits) } else { value }
}

fn ports(engine: &Engine<'_>, run: &Activation<'_>) -> Vec<PortAnswer> {
    let of_parameter = |parameter: &usize| {
        let bound = run.bound[*parameter].as_ref()?;
        let storage = &engine.storages[bound.storage];
        let kind = match (storage.kind, storage.implementation) {
            (ObjectKind::Stream, _) | (_, Implementation::Fifo) => "fifo",
            (_, Implementation::Bus) => "m_axi",
            (ObjectKind::Array, Implementation::Registers) => return None,
            (ObjectKind::Array, _) => "ap_memory",
            _ => return None,
        };
        Some(PortAnswer {
            name: storage.name.clone(),
            kind,
            bundle: storage.bus.as_ref().map(|bus| bus.bundle.clone()),
            bits: (!run.function.objects[*parameter].is_guessed)
                .then(|| u64::from(storage.ty.bits()).saturating_mul(storage.word())),
            elements: storage.elements().div_ceil(storage.word()),
            bursts: engine.burst_answers(bound.storage),
        })
    };
    run.function.parameters.iter().filter_map(of_parameter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find_part;
    use derate_program::read_program;
    use derate_syntax::{SourceFile, read_unit};

    #[test]
    fn a_register_has_a_sign_where_its_type_has_one() {
        assert_eq!(read_register(0xffff_ffff, 32, true), -1);
        assert_eq!(read_register(0xffff_ffff, 32, false), 0xffff_ffff);
        assert_eq!(read_register(u64::MAX, 64, true), -1);
        assert_eq!(read_register(0x1_0000_0007, 8, true), 7);
    }

    /// A loop that data bound has the cycles of one with this constant in their place, and not those of its pragma.
    #[test]
    fn what_a_run_is_given_counts_its_loops() {
        let read = |text: &str| {
            let source = SourceFile { path: "a.cpp".into(), text: text.to_owned() };
            let unit = read_unit(&[source], &mut |_, _, _| None, &[]);
            read_program(&unit, "top").unwrap()
        };
        let settings = Settings::new(find_part("xcu280").unwrap(), 3.33, (2022, 1));
        let none = Directives::default();
        let text = "static void add(int count, float a[4096], float b[4096]) {\n\
                    #pragma HLS inline off\n for (int i = 0; i < count; i++) {\n\
                    #pragma HLS loop_tripcount min = 7 max = 7\n b[i] = a[i] * 2.0f; } }\n\
                    void top(int n, float a[4096], float b[4096]) { add(n, a, b); }";
        let open = read(text);
        let wanted = |count: u64| {
            let fixed = read(&text.replace("i < count", &format!("i < {count}")));
            estimate_kernel(&fixed, &none, &settings).latency.expected
        };
        for count in [64, 1000] {
            let run = Settings { arguments: vec![("n".to_owned(), count)], ..settings.clone() };
            let got = estimate_kernel(&open, &none, &run).latency.expected;
            assert!((got - wanted(count)).abs() <= 2.0, "{got} {}", wanted(count));
        }
        let asked = estimate_kernel(&open, &none, &settings);
        assert!(asked.latency.expected < 64.0, "{:?}", asked.latency);
        let run = Settings { arguments: vec![("n".to_owned(), 64)], ..settings };
        let given = estimate_kernel(&open, &none, &run);
        assert_eq!(given.resources, asked.resources, "the hardware is that of all runs");
    }
}

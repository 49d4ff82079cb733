//! Designs of one kernel: its loops unrolled and pipelined, its arrays cut, its macros and placeholders filled in.

mod advised;
mod arrays;
mod at_once;
mod automatic;
mod chosen;
mod cuts;
mod definition;
mod interface;
mod listed;
mod nest;
mod placeholder;
mod pragma;
mod tcl;
mod unopened;
mod variation;
mod written;

pub use automatic::{Proposal, propose_variations};
pub use definition::{fill_definitions, find_definition};
pub use interface::{ChangedArgument, InterfaceChange, list_changed_arguments};
pub use listed::{ListedDesigns, TableError};
pub use placeholder::{fill_placeholders, find_placeholders};
pub use pragma::{PragmaEdit, edit_pragma, match_pragmas};
pub use tcl::{insert_tcl, write_tcl};
pub use unopened::NotOpened;
pub use variation::{Variation, VariationError, VariationTarget};

use crate::{Axis, Cost, Region, Space};
use at_once::map_at_once;
use chosen::ChosenLoops;
use cuts::{cut_arrays, join_cuts};
use derate_hls::TclDirective;
use derate_kernel::{
    Advice, Directives, KernelAnswer, PortGroup, Program, ScheduleCache, Settings, estimate_design,
    estimate_kernel, find_wide_ports, group_ports, widen_interfaces,
};
use derate_machine::Usage;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use written::find_written;

/// How a design is described that changes nothing.
pub const AS_WRITTEN: &str = "as written";

/// Designs that each core is given at once: few, as a search may be stopped after any of them.
const AHEAD: usize = 4;

/// Reads the kernel with names of macros and placeholders filled in; `None` where it cannot be read so.
pub type ReadVariant<'a> = dyn Fn(&[(String, String)]) -> Option<Program> + 'a;

/// A kernel with names filled in, and what its ports are.
struct Variant {
    program: Program,
    /// Names of its ports behind a bus.
    buses: Vec<String>,
    groups: Vec<PortGroup>,
    /// Of each axis, the value that leaves the kernel as it is written.
    written: Vec<Option<usize>>,
    /// The functions of its designs, as scheduled.
    cache: Mutex<ScheduleCache>,
}

/// The space of the designs of a kernel.
pub struct KernelSpace<'a> {
    axes: Vec<Axis>,
    variations: Vec<Variation>,
    read: &'a ReadVariant<'a>,
    directives: Directives,
    settings: Settings,
    /// Multiply-adds that a design has to do; 0 where none are asked for.
    work: f64,
    programs: RefCell<HashMap<Vec<usize>, Option<Arc<Variant>>>>,
    costs: RefCell<HashMap<Vec<usize>, Cost>>,
    /// Cores that schedule.
    cores: usize,
}

impl<'a> KernelSpace<'a> {
    /// The designs that the variations make, beside directives that all of them have.
    pub fn new(
        variations: Vec<Variation>,
        read: &'a ReadVariant<'a>,
        directives: Directives,
        settings: Settings,
    ) -> Self {
        Self {
            axes: variations.iter().map(Variation::axis).collect(),
            variations,
            read,
            directives,
            settings,
            work: 0.0,
            programs: RefCell::default(),
            costs: RefCell::default(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }

    /// The same without designs that do less than the first one: a constant that is changed may leave work out. They take
    /// forever.
    #[must_use]
    pub fn keeping_work(mut self) -> Self {
        let first = vec![0; self.axes.len()];
        if self.variations.iter().any(Variation::changes_text) {
            self.work = self.answer(&first).map_or(0.0, |answer| answer.work.multiplications);
        }
        self
    }

    /// The directives of a design that are not in the source, without those that all designs have.
    #[must_use]
    pub fn own_directives(&self, point: &[usize]) -> Vec<TclDirective> {
        self.variant(point).map_or_else(Vec::new, |variant| {
            list_own(&self.variations, &self.directives, &variant, point)
        })
    }

    /// The macros and placeholders of a design: name and value.
    #[must_use]
    pub fn substitutions(&self, point: &[usize]) -> Vec<(String, String)> {
        let named = self.variations.iter().zip(point);
        named.filter_map(|(variation, at)| variation.substitution(*at)).collect()
    }

    /// What the model says of a design; `None` where its source cannot be read.
    #[must_use]
    pub fn answer(&self, point: &[usize]) -> Option<KernelAnswer> {
        let variant = self.variant(point)?;
        let directives = direct_design(&self.variations, &self.directives, &variant, point);
        Some(estimate_design(&variant.program, &directives, &self.settings, &variant.cache))
    }

    /// What words in the source would give beyond a design: narrow ports made wide, the best first.
    #[must_use]
    pub fn advise_ports(&self, point: &[usize]) -> Vec<Advice> {
        let Some(variant) = self.variant(point) else { return Vec::new() };
        let directives = direct_design(&self.variations, &self.directives, &variant, point);
        let answer = estimate_kernel(&variant.program, &directives, &self.settings);
        find_wide_ports(&variant.program, &directives, &self.settings, &answer)
    }

    /// Designs that were scheduled, each counted once.
    #[must_use]
    pub fn scheduled(&self) -> usize {
        self.costs.borrow().len()
    }

    /// Of the designs that were scheduled, those whose cycles are not known.
    #[must_use]
    pub fn count_unknown(&self) -> usize {
        self.costs.borrow().values().filter(|cost| cost.objective.is_nan()).count()
    }

    /// Functions that designs took from earlier ones, without scheduling them.
    #[must_use]
    pub fn recalled(&self) -> usize {
        let programs = self.programs.borrow();
        let hits = |variant: &Arc<Variant>| variant.cache.lock().map_or(0, |cache| cache.hits());
        programs.values().flatten().map(hits).sum()
    }

    /// Every design that was scheduled, with what it costs, in the order of their points; those of unknown cycles, and those
    /// that leave work out, are not among them.
    #[must_use]
    pub fn scheduled_designs(&self) -> Vec<(Vec<usize>, Cost)> {
        let costs = self.costs.borrow();
        let known = costs.iter().filter(|(_, cost)| cost.objective.is_finite());
        let mut list: Vec<_> = known.map(|(point, cost)| (point.clone(), *cost)).collect();
        list.sort_by(|a, b| a.0.cmp(&b.0));
        list
    }

    /// Takes costs that an earlier search saved; points that the axes do not have are passed over.
    pub fn remember(&self, designs: Vec<(Vec<usize>, Cost)>) {
        let lengths: Vec<usize> = self.axes.iter().map(|axis| axis.values.len()).collect();
        let is_own = |point: &[usize]| {
            point.len() == lengths.len() && point.iter().zip(&lengths).all(|(at, most)| at < most)
        };
        let own = designs.into_iter().filter(|(point, _)| is_own(point));
        self.costs.borrow_mut().extend(own);
    }

    /// The design that changes nothing, and of an axis without such a value its first one.
    #[must_use]
    pub fn written_point(&self) -> Vec<usize> {
        let first = vec![0; self.axes.len()];
        let Some(variant) = self.variant(&first) else { return first };
        variant.written.iter().map(|own| own.unwrap_or(0)).collect()
    }

    /// The value of each axis that leaves the kernel as it is written; `None` where no value does.
    #[must_use]
    pub fn written_values(&self) -> Vec<Option<String>> {
        let Some(variant) = self.variant(&vec![0; self.axes.len()]) else {
            return vec![None; self.axes.len()];
        };
        let own = self.axes.iter().zip(&variant.written);
        own.map(|(axis, at)| at.and_then(|at| axis.values.get(at).cloned())).collect()
    }

    /// The arguments of the top whose ports are others in a design than in the source.
    #[must_use]
    pub fn changed_arguments(&self, point: &[usize]) -> Vec<ChangedArgument> {
        self.variant(point).map_or_else(Vec::new, |variant| {
            let own = list_own(&self.variations, &self.directives, &variant, point);
            list_changed_arguments(&variant.program, &own)
        })
    }

    /// What a design changes of the kernel as it is written, such as `unroll:f/loop=8`; `as written` for nothing. Macros are held
    /// against their first values.
    #[must_use]
    pub fn describe(&self, point: &[usize]) -> String {
        let variant = self.variant(point);
        let own = |axis: usize| variant.as_ref().map_or(Some(0), |one| one.written[axis]);
        let named = self.axes.iter().zip(point).enumerate();
        let changed = named.filter(|(axis, (_, at))| own(*axis) != Some(**at));
        let words: Vec<String> =
            changed.map(|(_, (axis, at))| format!("{}={}", axis.name, axis.values[*at])).collect();
        if words.is_empty() { AS_WRITTEN.to_owned() } else { words.join(" ") }
    }

    /// The program of a design; designs that differ in directives alone share it.
    fn variant(&self, point: &[usize]) -> Option<Arc<Variant>> {
        let of_text = |(variation, at): (&Variation, &usize)| {
            if variation.changes_text() { *at } else { 0 }
        };
        let key: Vec<usize> = self.variations.iter().zip(point).map(of_text).collect();
        let mut programs = self.programs.borrow_mut();
        let read = || {
            let program = (self.read)(&self.substitutions(point))?;
            Some(Arc::new(self.find_ports(program)))
        };
        programs.entry(key).or_insert_with(read).clone()
    }

    fn find_ports(&self, program: Program) -> Variant {
        let given = &self.directives;
        let own = self.variations.iter().map(|one| find_written(one, &program, given));
        let written = own.collect();
        // What changes no loop needs no ports, which take a schedule to know.
        if !self.variations.iter().any(Variation::changes_loop) {
            return Variant {
                program,
                buses: Vec::new(),
                groups: Vec::new(),
                written,
                cache: Mutex::default(),
            };
        }
        let answer = estimate_kernel(&program, &self.directives, &self.settings);
        let buses = answer.ports.iter().filter(|port| port.kind == "m_axi");
        Variant {
            buses: buses.map(|port| port.name.clone()).collect(),
            groups: group_ports(&program, &answer.ports),
            program,
            written,
            cache: Mutex::default(),
        }
    }
}

/// All directives of a design.
fn direct_design(
    variations: &[Variation],
    given: &Directives,
    variant: &Variant,
    point: &[usize],
) -> Directives {
    let mut directives = given.clone();
    directives.list.extend(list_own(variations, given, variant, point));
    directives
}

/// The directives of a design that are neither in the source nor given.
fn list_own(
    variations: &[Variation],
    given: &Directives,
    variant: &Variant,
    point: &[usize],
) -> Vec<TclDirective> {
    let chosen = variations.iter().zip(point.iter().copied()).zip(&variant.written);
    let chosen: Vec<(&Variation, usize)> =
        chosen.filter(|((_, at), own)| Some(*at) != **own).map(|(one, _)| one).collect();
    let loops = ChosenLoops::of_point(&chosen, &variant.groups);
    let mut list = cut_arrays(&variant.program, &loops, given, &variant.buses);
    list.extend(loops.unroll_directives());
    for (variation, at) in chosen {
        let own = variation.directive(at).filter(|one| !join_cuts(&mut list, one));
        list.extend(own);
        if let Some((group, lanes)) = variation.widened(at, &variant.groups) {
            list.extend(widen_interfaces(&variant.program, group, lanes));
        }
    }
    list
}

/// What the model says a kernel costs: cycles, and resources as the tool's report has them, with the block memory that it
/// leaves out. Cycles that data decide are
/// unknown.
#[must_use]
pub fn kernel_cost(answer: &KernelAnswer) -> Cost {
    if !answer.is_scheduled {
        return Cost { objective: f64::NAN, usage: Usage::default() };
    }
    let cycles = answer.latency.expected;
    let of = &answer.resources;
    Cost {
        objective: if answer.latency.is_open { f64::NAN } else { cycles },
        usage: Usage {
            dsp: of.dsp.value,
            bram18: of.bram18.needed(),
            uram: of.uram.value,
            lut: of.lut.value,
            ff: of.ff.value,
        },
    }
}

/// The same of an answer that may be missing; a design that leaves out more than a hundredth of the work takes forever.
fn working_cost(answer: Option<&KernelAnswer>, work: f64) -> Cost {
    let without = |objective| Cost { objective, usage: Usage::default() };
    answer.map_or(without(f64::NAN), |answer| {
        let leaves_out = answer.work.multiplications < 0.99 * work;
        if leaves_out { without(f64::INFINITY) } else { kernel_cost(answer) }
    })
}

impl Space for KernelSpace<'_> {
    fn axes(&self) -> &[Axis] {
        &self.axes
    }

    fn evaluate(&self, point: &[usize]) -> Cost {
        if let Some(cost) = self.costs.borrow().get(point) {
            return *cost;
        }
        let cost = working_cost(self.answer(point).as_ref(), self.work);
        self.costs.borrow_mut().insert(point.to_vec(), cost);
        cost
    }

    fn batch(&self) -> usize {
        if self.cores > 1 { AHEAD * self.cores } else { 1 }
    }

    fn prepare(&self, mut points: Vec<Vec<usize>>) {
        points.retain(|point| !self.costs.borrow().contains_key(point));
        let designs: Vec<_> = points.iter().map(|point| (self.variant(point), point)).collect();
        let (variations, given) = (&self.variations, &self.directives);
        let (settings, work) = (&self.settings, self.work);
        let costs = map_at_once(&designs, self.cores, |(variant, point)| {
            let answer = variant.as_ref().map(|variant| {
                let directives = direct_design(variations, given, variant, point);
                estimate_design(&variant.program, &directives, settings, &variant.cache)
            });
            working_cost(answer.as_ref(), work)
        });
        self.costs.borrow_mut().extend(points.into_iter().zip(costs));
    }

    /// Nothing is known of a design before it is scheduled.
    fn bound(&self, _: &Region) -> Cost {
        Cost::default()
    }
}

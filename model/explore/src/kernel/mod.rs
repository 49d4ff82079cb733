//! Designs of one kernel: its loops unrolled and pipelined, its arrays cut, its macros and placeholders filled in.

mod advised;
mod arrays;
mod at_once;
mod automatic;
mod banks;
mod candidate;
mod chosen;
mod config;
mod cost;
mod cuts;
mod definition;
mod directive_words;
mod extent;
mod functions;
mod interface;
mod listed;
mod nest;
mod placeholder;
mod port_group;
mod pragma;
mod tcl;
mod unopened;
mod variant;
mod variation;
mod written;

pub use automatic::{Proposal, propose_variations};
pub use config::{insert_config, write_config};
pub use cost::kernel_cost;
pub use definition::{fill_definitions, find_definition};
pub use interface::{ChangedArgument, InterfaceChange, list_changed_arguments};
pub use listed::{ListedDesigns, TableError};
pub use placeholder::{fill_placeholders, find_placeholders};
pub use port_group::{PortGroup, group_ports};
pub use pragma::{PragmaEdit, edit_pragma, match_pragmas};
pub use tcl::{insert_tcl, runs_tool, write_tcl};
pub use unopened::NotOpened;
pub use variation::{Variation, VariationError, VariationTarget};

use crate::{Axis, Cost, Region, Space};
use at_once::map_at_once;
use derate_advice::{Advice, find_wide_ports};
use derate_hls::TclDirective;
use derate_kernel::{
    Directives, KernelAnswer, Program, Settings, estimate_design, estimate_kernel,
};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex};
use variant::{Variant, direct_design, judge_design, list_own};
use written::{find_position, find_written};

/// How a design is described that changes nothing.
pub const AS_WRITTEN: &str = "as written";

/// Designs that each core is given at once: few, as a search may be stopped after any of them.
const AHEAD: usize = 4;

/// Reads the kernel with names of macros and placeholders filled in; `None` where it cannot be read so.
pub type ReadVariant<'a> = dyn Fn(&[(String, String)]) -> Option<Program> + 'a;

/// The space of the designs of a kernel.
pub struct KernelSpace<'a> {
    axes: Vec<Axis>,
    variations: Vec<Variation>,
    read: &'a ReadVariant<'a>,
    directives: Directives,
    settings: Settings,
    /// What the source defines for the name of each axis.
    definitions: Vec<Option<String>>,
    /// Multiply-adds that a design has to do; 0 where none are asked for.
    work: f64,
    programs: RefCell<HashMap<Vec<usize>, Option<Arc<Variant>>>>,
    costs: RefCell<HashMap<Vec<usize>, Cost>>,
    /// Arrays that designs cut into more banks than the tool takes.
    overcut: RefCell<BTreeSet<String>>,
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
            definitions: vec![None; variations.len()],
            variations,
            read,
            directives,
            settings,
            work: 0.0,
            programs: RefCell::default(),
            costs: RefCell::default(),
            overcut: RefCell::default(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }

    /// The same with what the source, or the compiler's options, define for a name: that value leaves the source as it is.
    /// Other names and placeholders have no such value.
    #[must_use]
    pub fn defining(mut self, find: impl Fn(&str) -> Option<String>) -> Self {
        self.definitions = self.variations.iter().map(|one| find(one.text_name()?)).collect();
        self
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

    /// The macros and placeholders that a design changes: name and value.
    #[must_use]
    pub fn substitutions(&self, point: &[usize]) -> Vec<(String, String)> {
        let named = self.variations.iter().zip(point).enumerate();
        let changed = named.filter(|(axis, (_, at))| self.defined_position(*axis) != Some(**at));
        changed.filter_map(|(_, (variation, at))| variation.substitution(*at)).collect()
    }

    /// Where an axis has the value that the source defines.
    fn defined_position(&self, axis: usize) -> Option<usize> {
        let own = self.definitions.get(axis)?.as_deref()?;
        find_position(self.variations.get(axis)?, own.trim())
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
        find_wide_ports(&variant.program, &directives, &self.settings, &answer, 1.0)
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

    /// Arrays that designs would cut into more than 1,024 banks; such designs take forever.
    #[must_use]
    pub fn overcut_arrays(&self) -> Vec<String> {
        self.overcut.borrow().iter().cloned().collect()
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

    /// Of each axis, where it has the text of the source; the first value of one that changes no text.
    fn written_texts(&self) -> Vec<Option<usize>> {
        let own = self.variations.iter().enumerate();
        let own = own.map(
            |(axis, one)| {
                if one.changes_text() { self.defined_position(axis) } else { Some(0) }
            },
        );
        own.collect()
    }

    /// The design that changes nothing, and of an axis without such a value its first one.
    #[must_use]
    pub fn written_point(&self) -> Vec<usize> {
        let texts = self.written_texts();
        let texts: Vec<usize> = texts.into_iter().map(|own| own.unwrap_or(0)).collect();
        let Some(variant) = self.variant(&texts) else { return texts };
        variant.written.iter().map(|own| own.unwrap_or(0)).collect()
    }

    /// Of each axis, the value that leaves the kernel as it is written, whether it is open or not; `None` where it is not known.
    #[must_use]
    pub fn written_values(&self) -> Vec<Option<String>> {
        let texts: Option<Vec<usize>> = self.written_texts().into_iter().collect();
        let source = match texts {
            Some(texts) => self.variant(&texts),
            None => (self.read)(&[]).map(|program| Arc::new(self.find_ports(program))),
        };
        let Some(source) = source else { return vec![None; self.axes.len()] };
        let own = source.values.iter().zip(&source.written).zip(&self.axes);
        let own = own.map(|((value, at), axis)| match at {
            // As the axis spells it.
            Some(at) => axis.values.get(*at).cloned(),
            None => value.clone(),
        });
        own.collect()
    }

    /// The arguments of the top whose ports are others in a design than in the source.
    #[must_use]
    pub fn changed_arguments(&self, point: &[usize]) -> Vec<ChangedArgument> {
        self.variant(point).map_or_else(Vec::new, |variant| {
            let own = list_own(&self.variations, &self.directives, &variant, point);
            list_changed_arguments(&variant.program, &own)
        })
    }

    /// What a design changes of the kernel as it is written, such as `unroll:f/loop=8`; `as written` for nothing.
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
        let find_values = |program: &Program, groups: &[PortGroup]| {
            let own = self.variations.iter().zip(&self.definitions);
            let values = own.map(|(one, definition)| {
                find_written(one, program, given, groups, definition.as_deref())
            });
            let values: Vec<Option<String>> = values.collect();
            let own = self.variations.iter().zip(&values);
            let written = own.map(|(one, value)| find_position(one, value.as_deref()?)).collect();
            (values, written)
        };
        // What changes no loop needs no ports, which take a schedule to know.
        if !self.variations.iter().any(Variation::changes_loop) {
            let (values, written) = find_values(&program, &[]);
            let (buses, groups) = (Vec::new(), Vec::new());
            return Variant { program, buses, groups, values, written, cache: Mutex::default() };
        }
        let answer = estimate_kernel(&program, &self.directives, &self.settings);
        let buses = answer.ports.iter().filter(|port| port.kind == "m_axi");
        let buses = buses.map(|port| port.name.clone()).collect();
        let groups = group_ports(&program, &answer.ports);
        let (values, written) = find_values(&program, &groups);
        Variant { program, buses, groups, values, written, cache: Mutex::default() }
    }
}

impl Space for KernelSpace<'_> {
    fn axes(&self) -> &[Axis] {
        &self.axes
    }

    fn evaluate(&self, point: &[usize]) -> Cost {
        if let Some(cost) = self.costs.borrow().get(point) {
            return *cost;
        }
        let variant = self.variant(point);
        let design = (variant.as_deref(), point);
        let (cost, overcut) =
            judge_design(&self.variations, &self.directives, &self.settings, self.work, design);
        self.overcut.borrow_mut().extend(overcut);
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
        let judged = map_at_once(&designs, self.cores, |(variant, point)| {
            judge_design(variations, given, settings, work, (variant.as_deref(), point))
        });
        let (costs, overcut): (Vec<Cost>, Vec<Option<String>>) = judged.into_iter().unzip();
        self.overcut.borrow_mut().extend(overcut.into_iter().flatten());
        self.costs.borrow_mut().extend(points.into_iter().zip(costs));
    }

    /// Nothing is known of a design before it is scheduled.
    fn bound(&self, _: &Region) -> Cost {
        Cost::default()
    }
}

//! Directives of a Tcl file, and what they do to storages.

use super::Engine;
use super::trip::Trip;
use crate::graph::{Bus, Cut, Implementation, PortChoice};
use derate_hls::{
    Count, DirectiveKind, Interface, Partition, Partitioning, TclDirective, is_vivado,
};
use derate_machine::FlowTarget;
use derate_program::{Function, Loop, ObjectId, find_cuts, find_parameters};

/// The directives that are not in the source.
#[derive(Clone, Debug, Default)]
pub struct Directives {
    /// In order.
    pub list: Vec<TclDirective>,
}

/// The directives of a loop, the last of each kind.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoopOptions {
    pub(crate) pipeline: Option<bool>,
    pub(crate) ii: Option<u64>,
    /// `Some(0)` is all iterations.
    pub(crate) unroll: Option<u64>,
    pub(crate) flatten: Option<bool>,
    pub(crate) trip: Option<(u64, u64, u64)>,
    pub(crate) dataflow: bool,
    pub(crate) no_dependence: Vec<Option<String>>,
    /// By how many iterations a directive says that a variable's dependence is apart.
    pub(crate) distances: Vec<(String, u64)>,
}

pub(crate) fn number(count: Option<&Count>) -> Option<u64> {
    count.and_then(Count::number)
}

impl LoopOptions {
    /// Copies of the body that an iteration has.
    pub(crate) fn copies(&self, trip: Trip) -> u64 {
        match (self.unroll, trip.whole()) {
            (Some(0), Some(count)) => count.max(1),
            (Some(factor), Some(count)) if factor > 1 => factor.min(count.max(1)),
            (Some(factor), None) if factor > 1 => factor,
            _ => 1,
        }
    }

    /// Whether a directive says that no iteration depends on another through a variable.
    pub(crate) fn is_free(&self, variable: &str) -> bool {
        self.no_dependence.iter().flatten().any(|one| one == variable)
    }

    /// The iterations that a directive puts between two accesses of a variable, at least 1. Nothing checks it.
    pub(crate) fn distance_of(&self, variable: &str) -> u64 {
        let own = self.distances.iter().filter(|(name, _)| name == variable);
        own.map(|(_, distance)| *distance).max().unwrap_or(1)
    }

    pub(crate) fn apply(&mut self, kind: &DirectiveKind, off: bool, tool: (u16, u16)) {
        match kind {
            DirectiveKind::Pipeline(pipeline) => {
                let off = off || pipeline.off;
                // A later tool pipelines a loop although `off` is written: `off` and nothing give equal reports in 2025.1,
                // and different ones in 2022.1; reports of 2024.1 have loops with `off` that are not pipelined.
                self.pipeline = if off && tool >= (2025, 1) { None } else { Some(!off) };
                self.ii = number(pipeline.ii.as_ref());
            }
            DirectiveKind::Unroll { factor } => {
                // Without a factor all copies are asked for; one whose value is not known asks for none.
                let asked = factor.as_ref().map_or(0, |factor| factor.number().unwrap_or(1));
                self.unroll = Some(if off { 1 } else { asked });
            }
            DirectiveKind::LoopTripcount(trip) => {
                let max = number(trip.max.as_ref());
                let min = number(trip.min.as_ref());
                let mean = number(trip.avg.as_ref());
                // A count whose value is not known bounds nothing.
                let is_open = |count: &Option<Count>| matches!(count, Some(Count::Text(_)));
                if let Some(most) = max.or(min).or(mean)
                    && !is_open(&trip.min)
                    && !is_open(&trip.max)
                {
                    let least = min.unwrap_or(most);
                    self.trip = Some((least, most, mean.unwrap_or(u64::midpoint(least, most))));
                }
            }
            DirectiveKind::Dataflow => self.dataflow = !off,
            DirectiveKind::Dependence(dependence) if dependence.dependent == Some(false) => {
                self.no_dependence.push(dependence.variable.clone());
            }
            DirectiveKind::Dependence(dependence) => {
                let is_carried = dependence.scope.as_deref() != Some("intra")
                    && dependence.direction.as_deref().is_none_or(|word| word == "RAW");
                if let (true, Some(variable), Some(distance)) =
                    (is_carried, &dependence.variable, number(dependence.distance.as_ref()))
                {
                    self.distances.push((variable.clone(), distance));
                }
            }
            DirectiveKind::Other(name) if name == "loop_flatten" => self.flatten = Some(!off),
            _ => {}
        }
    }
}

impl Directives {
    pub(crate) fn of_loop(
        &self,
        function: &Function,
        item: &Loop,
        tool: (u16, u16),
    ) -> LoopOptions {
        let mut options = LoopOptions::default();
        for directive in &item.pragmas {
            options.apply(&directive.kind, directive.off, tool);
        }
        for directive in &self.list {
            let here = directive.function == function.name && directive.variable.is_none();
            if here && directive.label.as_deref() == Some(item.label.as_str()) {
                options.apply(&directive.kind, directive.off, tool);
            }
        }
        options
    }

    pub(crate) fn of_function(&self, function: &Function) -> Vec<(DirectiveKind, bool)> {
        let own = function.pragmas.iter().map(|one| (one.kind.clone(), one.off));
        let given = self
            .list
            .iter()
            .filter(|one| one.function == function.name && one.label.is_none())
            .map(|one| (one.kind.clone(), one.off));
        own.chain(given).collect()
    }
}

impl Engine<'_> {
    /// Applies what directives say of an object whose dimensions are behind so many others of the storage.
    pub(crate) fn apply_storage_directives(
        &mut self,
        storage: usize,
        function: &Function,
        object: ObjectId,
        behind: usize,
    ) {
        let own = function.pragmas.iter().filter(|one| one.objects.contains(&object));
        let mut kinds: Vec<DirectiveKind> = own.map(|one| one.kind.clone()).collect();
        let name = function.objects[object].name.clone();
        for directive in &self.directives.list {
            let variable = directive.variable.as_deref();
            let named = variable.is_some_and(|variable| {
                variable == name || name.starts_with(&format!("{variable}."))
            });
            if named && directive.function == function.name {
                kinds.push(directive.kind.clone());
            }
        }
        // An interface is what the top has; functions that it calls get wires.
        let is_top = std::ptr::eq(function, &raw const self.program.functions[0]);
        kinds.retain(|kind| is_top || !matches!(kind, DirectiveKind::Interface(_)));
        if self.is_behind_bus(storage, &kinds) {
            kinds.retain(|kind| !is_reshape(kind));
        }
        let wide = self
            .wide
            .iter()
            .filter(|one| one.function == function.name && one.variable.as_ref() == Some(&name));
        kinds.extend(wide.map(|one| one.kind.clone()));
        let inner = function.objects[object].inner;
        for kind in kinds {
            if packs(&kind, self.settings.tool) {
                self.storages[storage].pack(inner);
            }
            self.apply_directive_from(storage, &kind, behind);
        }
    }

    /// Whether a storage is an `m_axi` port, or becomes one by these directives or by the flow. UG1399 from
    /// 2021.2 on supports neither `array_partition` nor `array_reshape` of one; reports of 2022.2 have a bus for each bank of a
    /// partition, and none shows a wider port of a reshape.
    fn is_behind_bus(&self, storage: usize, kinds: &[DirectiveKind]) -> bool {
        let storage = &self.storages[storage];
        let modes = kinds.iter().filter_map(|kind| match kind {
            DirectiveKind::Interface(interface) => interface.mode.as_deref(),
            _ => None,
        });
        let mut modes = modes.filter(|mode| !mode.starts_with("s_axi"));
        match modes.next_back() {
            _ if storage.bus.is_some() => true,
            Some(mode) => mode == "m_axi",
            None => {
                self.settings.flow == FlowTarget::Vitis
                    && storage.is_top
                    && storage.implementation == Implementation::Port
                    && storage.port == PortChoice::Flow
            }
        }
    }

    /// Cuts an array as the functions that get it, or a part of it, cut their parameters.
    pub(crate) fn apply_passed_directives(
        &mut self,
        storage: usize,
        function: &Function,
        object: ObjectId,
    ) {
        if self.cutters == 0 {
            return;
        }
        for (callee, parameter, fixed) in find_parameters(self.program, function, object) {
            for kind in find_cuts(callee, parameter) {
                if is_reshape(kind) && self.is_behind_bus(storage, &[]) {
                    continue;
                }
                self.apply_directive_from(storage, kind, fixed);
            }
        }
    }

    /// Applies what directives of any function say of a global object.
    pub(crate) fn apply_global_directives(&mut self, storage: usize, object: ObjectId) {
        let pragmas = self.program.functions.iter().flat_map(|function| &function.pragmas);
        let own = pragmas.filter(|one| one.objects.contains(&object)).map(|one| &one.kind);
        let name = &self.storages[storage].name;
        let given = self.directives.list.iter();
        let given = given.filter(|one| one.variable.as_ref() == Some(name)).map(|one| &one.kind);
        let kinds: Vec<DirectiveKind> = own.chain(given).cloned().collect();
        for kind in kinds {
            self.apply_directive_from(storage, &kind, 0);
        }
    }

    /// Applies a directive whose first dimension is behind so many others of the storage.
    fn apply_directive_from(&mut self, storage: usize, kind: &DirectiveKind, fixed: usize) {
        let is_vivado = is_vivado(self.settings.tool);
        let storage = &mut self.storages[storage];
        match kind {
            DirectiveKind::ArrayPartition(partition) => {
                apply_partition(&mut storage.cuts, partition, fixed);
                let complete = storage.cuts.iter().zip(&storage.dims).all(|(cut, length)| {
                    matches!(cut, Cut::Complete) || cut.banks(*length) >= (*length).max(1)
                });
                if complete
                    && !storage.dims.is_empty()
                    && matches!(
                        storage.implementation,
                        Implementation::Bram
                            | Implementation::Lutram
                            | Implementation::Uram
                            | Implementation::Port
                    )
                {
                    storage.implementation = Implementation::Registers;
                }
            }
            DirectiveKind::ArrayReshape(partition) => {
                apply_partition(&mut storage.words, partition, fixed);
            }
            // The memory behind a port is outside: only its interface says what it is. Vivado HLS asks `resource`.
            DirectiveKind::BindStorage(_) if storage.is_top => {}
            DirectiveKind::Resource { .. } if storage.is_top && !is_vivado => {}
            DirectiveKind::BindStorage(bind) => {
                apply_core(
                    storage,
                    bind.storage.as_deref().unwrap_or_default(),
                    bind.implementation.as_deref(),
                );
                if let Some(latency) = number(bind.latency.as_ref()) {
                    storage.read_latency = u32::try_from(latency).unwrap_or(1).max(1);
                }
            }
            DirectiveKind::Resource { core: Some(core), .. } => {
                let core = core.to_ascii_lowercase();
                // `RAM_1P`, or `RAM_1P_BRAM`.
                let parts = core.rsplit_once('_');
                let named = parts.filter(|(_, end)| MEMORIES.contains(end));
                let (kind, implementation) = named.unwrap_or((&core, ""));
                apply_core(storage, kind, Some(implementation));
            }
            DirectiveKind::Interface(interface) => {
                if let Some(kind) = &interface.storage_type {
                    apply_core(storage, kind, None);
                }
                match interface.mode.as_deref() {
                    Some("ap_memory" | "bram") => storage.port = PortChoice::Memory,
                    Some("m_axi") => storage.put_behind_bus(bus_of(interface)),
                    Some("axis" | "ap_fifo") => storage.implementation = Implementation::Fifo,
                    _ => {}
                }
            }
            DirectiveKind::Stream(stream) => storage.depth = number(stream.depth.as_ref()),
            _ => {}
        }
    }
}

/// Whether a directive makes one word of a struct: `data_pack` up to Vivado HLS 2019.2, `aggregate` since.
fn packs(kind: &DirectiveKind, tool: (u16, u16)) -> bool {
    match kind {
        DirectiveKind::DataPack { .. } => is_vivado(tool),
        DirectiveKind::Aggregate { .. } => !is_vivado(tool),
        _ => false,
    }
}

fn is_reshape(kind: &DirectiveKind) -> bool {
    matches!(kind, DirectiveKind::ArrayReshape(_))
}

fn bus_of(interface: &Interface) -> Bus {
    Bus {
        bundle: interface.bundle.clone().unwrap_or_default(),
        latency: number(interface.latency.as_ref()),
        widen: number(interface.max_widen_bitwidth.as_ref()),
        burst_length: number(interface.max_read_burst_length.as_ref()),
        outstanding: number(interface.num_read_outstanding.as_ref()),
        ..Bus::default()
    }
}

/// What a memory may be built of, at the end of a core's name.
const MEMORIES: [&str; 4] = ["bram", "uram", "lutram", "srl"];

fn apply_core(storage: &mut crate::graph::Storage, kind: &str, implementation: Option<&str>) {
    let kind = kind.to_ascii_lowercase();
    storage.core = Some(kind.clone());
    match kind.as_str() {
        "ram_1p" | "rom_1p" => storage.ports = (1, 1, 1),
        "ram_s2p" => storage.ports = (1, 1, 2),
        "rom_np" | "ram_1wnr" => storage.ports = (64, 1, 64),
        "fifo" => {}
        _ => storage.ports = (2, 2, 2),
    }
    if matches!(
        storage.implementation,
        Implementation::Port | Implementation::Bus | Implementation::Registers
    ) {
        return;
    }
    match implementation.map(str::to_ascii_lowercase).as_deref() {
        Some("bram") => storage.implementation = Implementation::Bram,
        Some("uram") => storage.implementation = Implementation::Uram,
        Some("lutram") => storage.implementation = Implementation::Lutram,
        _ => {}
    }
}

fn apply_partition(cuts: &mut [Cut], partition: &Partitioning, fixed: usize) {
    let factor = number(partition.factor.as_ref());
    let cut = match (&partition.partition, factor) {
        (Some(Partition::Cyclic), Some(factor)) => Cut::Cyclic(factor.max(1)),
        (Some(Partition::Block), Some(factor)) => Cut::Block(factor.max(1)),
        (Some(Partition::Complete) | None, _) => Cut::Complete,
        _ => return,
    };
    let dim = number(partition.dim.as_ref()).unwrap_or(1);
    for (at, own) in cuts.iter_mut().skip(fixed).enumerate() {
        if dim == 0 || dim == at as u64 + 1 {
            *own = match cut {
                Cut::Cyclic(1) | Cut::Block(1) => Cut::Whole,
                other => other,
            };
        }
    }
}

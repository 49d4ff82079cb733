//! Small arrays whose elements Vivado HLS takes for scalars, as all their subscripts are constants once loops are unrolled.

use super::Engine;
use crate::graph::{Implementation, Linear, LocalArray, PortChoice};
use derate_machine::FlowTarget;
use derate_program::{Function, ObjectId, ObjectKind, points_to_number};
use std::collections::BTreeSet;

/// The first version that cuts arrays as unrolled accesses need, whatever their subscripts: see `Storage::is_cut_by_tool`.
const CUTS_ALL: (u16, u16) = (2020, 2);

impl Engine<'_> {
    /// Keeps in mind whether an access has a subscript that changes.
    pub(crate) fn note_subscripts(&mut self, storage: usize, index: &[Linear]) {
        let is_indexed = index.iter().any(|part| !part.is_constant());
        let own = &mut self.storages[storage].is_indexed;
        *own = Some(is_indexed || *own == Some(true));
    }

    /// Puts a local array into registers, if an earlier run found that it can be.
    pub(super) fn take_for_scalars(
        &mut self,
        storage: usize,
        function: &Function,
        object: ObjectId,
    ) {
        let most = self.settings.promotion_threshold;
        let own = &mut self.storages[storage];
        let is_memory = matches!(own.implementation, Implementation::Bram | Implementation::Lutram);
        let is_free = is_memory && own.core.is_none() && !(own.is_static || own.is_constant);
        if self.settings.tool >= CUTS_ALL
            || own.kind != ObjectKind::Array
            || !is_free
            || own.elements_of_bank() > most
        {
            return;
        }
        let number = self.program.functions.iter().position(|one| std::ptr::eq(one, function));
        own.local = number.map(|number| (number, object));
        if own.local.is_some_and(|local| self.scalars.contains(&local)) {
            own.implementation = Implementation::Registers;
        }
    }

    /// Makes a pointer of the top function a port with one number, where no directive says otherwise and the flow does not put it
    /// behind a bus: UG1399 has `ap_vld` for what is written, and `ap_none` for what is read.
    pub(crate) fn take_for_number(&mut self, storage: usize, parameter: ObjectId) {
        let top = &self.program.functions[0];
        let own = &mut self.storages[storage];
        let is_free = own.implementation == Implementation::Port && own.port == PortChoice::Flow;
        if top.objects[parameter].is_pointer
            && own.dims == [0]
            && is_free
            && self.settings.flow == FlowTarget::Vivado
            && points_to_number(self.program, parameter)
        {
            own.implementation = Implementation::Registers;
        }
    }

    /// The arrays of which no access has a subscript that changes: `config_array_partition -auto_promotion_threshold`, 64 elements
    /// unless it is set (UG1399 of 2020.2). A log of 2020.1 lists rows of 20 elements as partitioned automatically; a report of 2016.1
    /// has a memory for 80 elements, although all loops are unrolled.
    pub(crate) fn list_scalars(&self) -> BTreeSet<LocalArray> {
        if self.full {
            return BTreeSet::new();
        }
        let of = |is_indexed: bool| {
            let own = self.storages.iter().filter(move |one| one.is_indexed == Some(is_indexed));
            own.filter_map(|one| one.local)
        };
        let indexed: BTreeSet<LocalArray> = of(true).collect();
        of(false).filter(|local| !indexed.contains(local)).collect()
    }
}

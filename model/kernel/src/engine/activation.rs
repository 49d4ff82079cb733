//! A function while it runs: which storage each of its objects is.

use super::Engine;
use crate::graph::{Cut, Implementation, PortChoice, REGISTERS, Storage, Value};
use derate_program::{Function, GLOBAL, Object, ObjectId, ObjectKind, assigned_objects};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Accesses to a table in a cycle: more than any iteration makes, and fewer than to registers.
const COPIES: u32 = REGISTERS - 1;

/// What an object is at run time.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) storage: usize,
    /// Subscripts that come before those in the function.
    pub(crate) prefix: Vec<Value>,
}

/// From this version on the tool cuts arrays outside functions, too: a log of 2024.2 infers `complete dim=2` for a bank of a
/// static array, of which a pipelined loop writes four neighbours.
const CUTS_GLOBALS: (u16, u16) = (2024, 2);

/// A function that runs.
#[derive(Debug)]
pub(crate) struct Activation<'a> {
    pub(crate) function: &'a Function,
    pub(crate) bound: Vec<Option<Bound>>,
}

impl<'a> Engine<'a> {
    /// The storage of an object; a local one is made at its first use.
    pub(crate) fn bind(&mut self, activation: &mut Activation<'a>, object: ObjectId) -> Bound {
        if let Some(global) = object.checked_sub(GLOBAL) {
            let storage = if let Some(storage) = self.global_storages.get(&global) {
                *storage
            } else {
                let storage = self.add_storage(&self.program.globals[global], false);
                self.storages[storage].is_static = true;
                self.give_table_ports(storage, self.program.functions.iter(), object);
                self.apply_global_directives(storage, object);
                for function in &self.program.functions {
                    self.apply_passed_directives(storage, function, object);
                }
                if self.settings.tool >= CUTS_GLOBALS {
                    self.give_cut_ports(storage);
                }
                self.global_storages.insert(global, storage);
                storage
            };
            return Bound { storage, prefix: Vec::new() };
        }
        if let Some(bound) = &activation.bound[object] {
            return bound.clone();
        }
        let storage = self.add_storage(&activation.function.objects[object], false);
        self.give_table_ports(storage, std::iter::once(activation.function), object);
        self.apply_storage_directives(storage, activation.function, object, 0);
        self.apply_passed_directives(storage, activation.function, object);
        self.give_cut_ports(storage);
        self.take_for_scalars(storage, activation.function, object);
        let bound = Bound { storage, prefix: Vec::new() };
        activation.bound[object] = Some(bound.clone());
        bound
    }

    /// An array that the tool cuts by itself has a port for each access.
    fn give_cut_ports(&mut self, storage: usize) {
        if self.storages[storage].is_cut_by_tool(self.settings.tool) {
            self.storages[storage].ports = (REGISTERS, REGISTERS, REGISTERS);
        }
    }

    /// A table has as many ports as its readers need, where no directive says otherwise: the tool makes copies of it. RTL of
    /// tables has `address0` to `address3`, beside one `rom` for each pair of readers.
    fn give_table_ports<'f>(
        &mut self,
        storage: usize,
        mut functions: impl Iterator<Item = &'f Function>,
        object: ObjectId,
    ) {
        let own = &mut self.storages[storage];
        let is_written = |function: &Function| {
            let mut written = BTreeSet::new();
            assigned_objects(&function.body, &mut written);
            written.contains(&object)
        };
        let is_table = own.kind == ObjectKind::Array
            && (own.is_constant || own.is_static && !functions.any(is_written));
        if is_table {
            own.ports = (COPIES, COPIES, COPIES);
        }
    }

    pub(crate) fn add_storage(&mut self, object: &Object, is_top: bool) -> usize {
        let elements: u64 =
            object.dims.iter().fold(1, |all: u64, length| all.saturating_mul((*length).max(1)));
        let lanes = object.lanes.min(object.dims.len());
        let from = object.dims.len() - lanes;
        let words =
            (0..object.dims.len()).map(|at| if at >= from { Cut::Complete } else { Cut::Whole });
        let implementation = match object.kind {
            ObjectKind::Scalar => Implementation::Registers,
            ObjectKind::Stream => Implementation::Fifo,
            ObjectKind::Array if is_top => Implementation::Port,
            ObjectKind::Array if object.table.is_some() => Implementation::Bram,
            ObjectKind::Array if elements <= self.settings.complete_threshold => {
                Implementation::Registers
            }
            ObjectKind::Array if elements * u64::from(object.ty.bits()) <= 1024 => {
                Implementation::Lutram
            }
            ObjectKind::Array => Implementation::Bram,
        };
        self.full |= self.storages.len() >= super::NODES;
        if let Some(table) = &object.table {
            self.tables.insert(self.storages.len(), Arc::clone(table));
        }
        self.storages.push(Storage {
            name: object.name.clone(),
            kind: object.kind,
            ty: object.ty,
            dims: object.dims.clone(),
            cuts: vec![Cut::Whole; object.dims.len()],
            words: words.collect(),
            implementation,
            ports: (2, 2, 2),
            read_latency: 1,
            is_top,
            is_constant: object.table.is_some(),
            is_static: object.is_static,
            port: PortChoice::Flow,
            bus: None,
            depth: None,
            core: None,
            local: None,
            is_indexed: None,
        });
        self.storages.len() - 1
    }
}

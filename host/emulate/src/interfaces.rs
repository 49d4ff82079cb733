//! The interface pragmas of a function, which make it a kernel.

use derate_hls::{DirectiveKind, Function, Interface};

/// The bundle of buffers that name none, as HLS calls it.
const DEFAULT_BUNDLE: &str = "gmem";

/// The pragmas, their modes in small letters.
pub(crate) struct Interfaces(Vec<Interface>);

impl Interfaces {
    pub(crate) fn of(function: &Function) -> Self {
        let kinds = function.pragmas.iter().filter_map(derate_hls::Pragma::directive);
        Self(
            kinds
                .filter_map(|directive| match directive.kind {
                    DirectiveKind::Interface(mut interface) => {
                        interface.mode = interface.mode.map(|mode| mode.to_ascii_lowercase());
                        Some(interface)
                    }
                    _ => None,
                })
                .collect(),
        )
    }

    /// Whether they make a port to a memory, a host or another kernel: those of an inner function are about its own wires.
    pub(crate) fn make_a_kernel(&self) -> bool {
        let modes = self.0.iter().filter_map(|one| one.mode.as_deref());
        modes.into_iter().any(|mode| matches!(mode, "m_axi" | "s_axilite" | "axis"))
    }

    fn of_port<'a>(&'a self, port: &'a str) -> impl Iterator<Item = &'a Interface> {
        self.0.iter().filter(move |one| one.port.as_deref() == Some(port))
    }

    /// The modes of a port.
    pub(crate) fn modes_of<'a>(&'a self, port: &'a str) -> Vec<&'a str> {
        self.of_port(port).filter_map(|one| one.mode.as_deref()).collect()
    }

    fn of_memory<'a>(&'a self, port: &'a str) -> impl Iterator<Item = &'a Interface> {
        self.of_port(port).filter(|one| one.mode.as_deref() == Some("m_axi"))
    }

    /// Whether a port is one to memory.
    pub(crate) fn is_memory(&self, port: &str) -> bool {
        self.of_memory(port).next().is_some()
    }

    /// The bundle of a port to memory.
    pub(crate) fn bundle_of<'a>(&'a self, port: &'a str) -> &'a str {
        self.of_memory(port).find_map(|one| one.bundle.as_deref()).unwrap_or(DEFAULT_BUNDLE)
    }

    /// How a host tells a port to memory its address.
    pub(crate) fn offset_of<'a>(&'a self, port: &'a str) -> Option<&'a str> {
        self.of_memory(port).find_map(|one| one.offset.as_deref())
    }

    /// The bundles of registers, each once.
    pub(crate) fn register_bundles(&self) -> Vec<&str> {
        let of_registers = self.0.iter().filter(|one| one.mode.as_deref() == Some("s_axilite"));
        let mut bundles: Vec<&str> = of_registers.filter_map(|one| one.bundle.as_deref()).collect();
        bundles.sort_unstable();
        bundles.dedup();
        bundles
    }
}

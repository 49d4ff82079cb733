//! The device behind XRT's software emulation: what Vitis called `genericpciemodel`.

pub(crate) mod shim;

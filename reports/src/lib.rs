#![doc = include_str!("../README.md")]

pub use derate_render::*;
pub use derate_sections as sections;

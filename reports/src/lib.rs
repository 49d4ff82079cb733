#![doc = include_str!("../README.md")]

pub use derate_readings as readings;
pub use derate_render::*;
pub use derate_sections as sections;

#![doc = include_str!("../README.md")]

pub use derate_render::*;

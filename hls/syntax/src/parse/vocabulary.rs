//! The names that are types, so far. C++ cannot be read without them.

use std::collections::HashSet;

const WELL_KNOWN: &[&str] = &[
    "ap_int",
    "ap_uint",
    "ap_fixed",
    "ap_ufixed",
    "ap_axis",
    "ap_axiu",
    "half",
    "size_t",
    "ssize_t",
    "ptrdiff_t",
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "intptr_t",
    "uintptr_t",
    "stream",
    "vector",
    "burst_maxi",
    "stream_of_blocks",
    "task",
    "complex",
    "array",
    "pair",
    "string",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
];

#[derive(Debug, Default)]
pub(crate) struct Vocabulary {
    types: HashSet<String>,
    classes: HashSet<String>,
}

impl Vocabulary {
    /// `name` is a type from here on.
    pub(crate) fn add_type(&mut self, name: &str) {
        let last = name.rsplit("::").next().unwrap_or(name);
        if !last.is_empty() && !self.types.contains(last) {
            self.types.insert(last.to_owned());
        }
    }

    pub(crate) fn add_class(&mut self, name: &str) {
        self.add_type(name);
        let last = name.rsplit("::").next().unwrap_or(name);
        self.classes.insert(last.to_owned());
    }

    pub(crate) fn is_type(&self, name: &str) -> bool {
        self.types.contains(name) || WELL_KNOWN.contains(&name)
    }

    pub(crate) fn is_class(&self, name: &str) -> bool {
        self.classes.contains(name)
    }
}

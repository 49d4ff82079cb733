//! The names that are types or templates, so far. C++ cannot be read without them.

use rustc_hash::FxHashSet as HashSet;

const WELL_KNOWN_TYPES: &[&str] = &[
    "ap_int",
    "ap_uint",
    "ap_fixed",
    "ap_ufixed",
    "ap_axis",
    "ap_axiu",
    "ap_shift_reg",
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
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uint",
    "ushort",
    "uchar",
    "ulong",
];

/// Class templates of the tool and of the standard library.
const WELL_KNOWN_TEMPLATES: &[&str] = &[
    "ap_int",
    "ap_uint",
    "ap_fixed",
    "ap_ufixed",
    "ap_axis",
    "ap_axiu",
    "ap_shift_reg",
    "stream",
    "vector",
    "burst_maxi",
    "stream_of_blocks",
    "complex",
    "array",
    "pair",
    "numeric_limits",
    "static_cast",
    "reinterpret_cast",
    "const_cast",
    "dynamic_cast",
];

/// What names mean, as far as the text up to here says.
#[derive(Debug, Default)]
pub(crate) struct Vocabulary {
    types: HashSet<String>,
    classes: HashSet<String>,
    templates: HashSet<String>,
    values: HashSet<String>,
}

impl Vocabulary {
    pub(crate) fn add_type(&mut self, name: &str) {
        insert(&mut self.types, name);
    }

    pub(crate) fn add_class(&mut self, name: &str) {
        insert(&mut self.types, name);
        insert(&mut self.classes, name);
    }

    pub(crate) fn add_value(&mut self, name: &str) {
        insert(&mut self.values, name);
    }

    pub(crate) fn is_value(&self, name: &str) -> bool {
        self.values.contains(name) && !self.is_template(name)
    }

    pub(crate) fn add_template(&mut self, name: &str) {
        insert(&mut self.templates, name);
    }

    /// Names that end with `_t` are types by custom, if nothing says otherwise.
    pub(crate) fn is_type(&self, name: &str) -> bool {
        self.types.contains(name)
            || WELL_KNOWN_TYPES.contains(&name)
            || (name.ends_with("_t") && !self.is_value(name))
    }

    pub(crate) fn is_class(&self, name: &str) -> bool {
        self.classes.contains(name)
    }

    pub(crate) fn is_template(&self, name: &str) -> bool {
        self.templates.contains(name) || WELL_KNOWN_TEMPLATES.contains(&name)
    }
}

fn insert(set: &mut HashSet<String>, name: &str) {
    if !set.contains(name) {
        set.insert(name.to_owned());
    }
}

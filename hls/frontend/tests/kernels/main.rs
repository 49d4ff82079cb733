//! Loops, accesses and footprints of kernels as people write them.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

mod accesses;
mod footprints;
mod generated;
mod loops;

use derate_frontend::{Function, Header, Resolver, Settled, Sources, parse_all};
use std::path::Path;

struct Read {
    sources: Sources,
    headers: Vec<Header>,
}

impl Read {
    fn new(text: &str) -> Self {
        let mut sources = Sources::default();
        let file = sources.add("k.cpp", text);
        let headers = parse_all(&sources, &[file]);
        Self { sources, headers }
    }

    fn function(&self, name: &str) -> &Function {
        let mut all = self.headers.iter().flat_map(|header| &header.functions);
        all.find(|one| one.name == name && one.body.is_some()).unwrap_or_else(|| panic!("{name}"))
    }

    fn trips(&self, name: &str) -> Vec<Option<u64>> {
        self.function(name).loops.iter().map(|one| one.trip_count).collect()
    }

    /// How many elements of `x` a function touches.
    fn elements(&self, name: &str, values: &[(&str, i128)]) -> Settled<u64> {
        let values = values.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
        let resolver = Resolver::new(&self.headers, &self.sources);
        resolver.footprint(self.function(name), "x", &values).map(|one| one.elements)
    }
}

fn kernels() -> Read {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/smolvla");
    let mut sources = Sources::default();
    let names = ["add_bias.cpp", "gelu.cpp", "gemm.cpp", "kernels.h", "mlp.cpp"];
    let paths = names.map(|name| root.join("kernels").join(name));
    let files: Vec<_> = paths
        .iter()
        .chain([&root.join("model_weights.h")])
        .map(|path| {
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
            sources.add(name, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    let headers = parse_all(&sources, &files);
    Read { sources, headers }
}

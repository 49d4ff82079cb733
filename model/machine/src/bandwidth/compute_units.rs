//! What a v++ configuration says of its compute units: their kernels, and the clocks that it asks for.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::Connectivity;

use derate_units::Hertz;

/// The kernels of compute units: what `nk=` names, else the unit's name without its number.
pub(crate) struct Units<'a> {
    named: BTreeMap<&'a str, &'a str>,
    kernels: BTreeSet<&'a str>,
}

impl<'a> Units<'a> {
    pub(crate) fn of(connectivity: &'a Connectivity) -> Self {
        let kernels = &connectivity.kernels;
        let named = kernels.iter().flat_map(|kernels| {
            let kernel = kernels.kernel.value.as_str();
            kernels.names.iter().map(move |name| (name.value.as_str(), kernel))
        });
        Self {
            named: named.collect(),
            kernels: kernels.iter().map(|kernels| kernels.kernel.value.as_str()).collect(),
        }
    }

    pub(crate) fn kernel(&self, unit: &'a str) -> &'a str {
        if let Some(kernel) = self.named.get(unit) {
            return kernel;
        }
        let (stem, number) = unit.rsplit_once('_').unwrap_or((unit, ""));
        let numbered = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
        if numbered && !self.kernels.contains(unit) { stem } else { unit }
    }
}

/// The clocks that the configuration asks for a unit.
#[derive(Clone, Copy)]
pub struct Asked {
    /// By its name.
    pub own: Option<Hertz>,
    /// As for every other unit.
    pub all: Option<Hertz>,
}

/// The clocks that the configuration asks for.
pub(crate) struct Clocks<'a> {
    of_units: BTreeMap<&'a str, Hertz>,
    of_all: Option<Hertz>,
}

impl<'a> Clocks<'a> {
    pub(crate) fn of(connectivity: &'a Connectivity) -> Self {
        let mut clocks = Self { of_units: BTreeMap::new(), of_all: None };
        for option in &connectivity.frequencies {
            let Some(mhz) = option.megahertz.value.known().filter(|&mhz| mhz > 0.0) else {
                continue;
            };
            let clock = Hertz(mhz * 1e6);
            // The clock with the number 0 is the kernels'.
            if option.targets.is_empty() || option.targets.iter().any(|t| t.value == "0") {
                clocks.of_all.get_or_insert(clock);
            }
            for target in &option.targets {
                let unit = target.value.split('.').next().unwrap_or_default();
                clocks.of_units.entry(unit).or_insert(clock);
            }
        }
        clocks
    }

    /// What is asked for a unit: for it by name, and for all.
    pub(crate) fn unit(&self, unit: &str) -> Asked {
        Asked { own: self.of_units.get(unit).copied(), all: self.of_all }
    }
}

//! The clocks that a v++ configuration asks for.

use std::collections::BTreeMap;

use derate_hls::Connectivity;

use derate_units::Hertz;

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

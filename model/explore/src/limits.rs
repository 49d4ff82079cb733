//! How much of each resource a design may take.

use crate::cost::{Resource, Usage};
use serde::{Deserialize, Serialize};

/// The most of each resource; `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// DSP slices.
    pub dsp: Option<f64>,
    /// Halves of block memories, 18 Kb each.
    pub bram18: Option<f64>,
    /// `UltraRAM` blocks.
    pub uram: Option<f64>,
    /// Look-up tables.
    pub lut: Option<f64>,
    /// Flip-flops.
    pub ff: Option<f64>,
}

impl Limits {
    /// The limit of one resource.
    #[must_use]
    pub const fn limit(&self, resource: Resource) -> Option<f64> {
        match resource {
            Resource::Dsp => self.dsp,
            Resource::Bram18 => self.bram18,
            Resource::Uram => self.uram,
            Resource::Lut => self.lut,
            Resource::Ff => self.ff,
        }
    }

    /// The resource of which the largest share is used, with that share; 1 is all of it.
    #[must_use]
    pub fn largest_share(&self, usage: &Usage) -> Option<(Resource, f64)> {
        let share = |resource| {
            let (limit, used) = (self.limit(resource)?, usage.amount(resource));
            // Nothing of nothing fits.
            Some((resource, if used <= 0.0 { 0.0 } else { used / limit }))
        };
        Resource::ALL.into_iter().filter_map(share).reduce(
            |most, one| {
                if one.1 > most.1 { one } else { most }
            },
        )
    }

    /// The resource that refuses a design: the one that it exceeds most. `None` where it fits.
    #[must_use]
    pub fn refusing_resource(&self, usage: &Usage) -> Option<Resource> {
        self.largest_share(usage).filter(|(_, share)| *share > 1.0).map(|(resource, _)| resource)
    }
}

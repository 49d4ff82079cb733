//! How much of each resource a design may take.

use crate::platform::{Platform, Region, Resources};
use crate::usage::{ResourceKind, Usage};
use derate_units::Figure;
use serde::{Deserialize, Serialize};

/// The most of each resource; `None` is without a limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Budget {
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

impl Budget {
    /// What the default shell of a card leaves; all of the chip where its share is not published.
    #[must_use]
    pub fn of_platform(platform: &Platform) -> Self {
        let shell = platform.shells.first().map(|shell| &shell.resources);
        let amount = |pick: fn(&Resources) -> &Option<Figure<f64>>| {
            let left = shell.and_then(|shell| pick(shell).as_ref());
            left.or(pick(&platform.resources).as_ref()).map(|figure| figure.value)
        };
        Self {
            dsp: Some(platform.dsp_budget().value),
            // A block of 36 Kb is two halves.
            bram18: amount(|one| &one.bram36).map(|blocks| 2.0 * blocks),
            uram: amount(|one| &one.uram),
            lut: amount(|one| &one.lut),
            ff: amount(|one| &one.ff),
        }
    }

    /// What a design may use of one region of the chip.
    #[must_use]
    pub fn of_region(region: &Region) -> Self {
        let of = &region.resources;
        let value = |figure: &Option<Figure<f64>>| figure.as_ref().map(|figure| figure.value);
        Self {
            dsp: value(&region.dsp),
            bram18: value(&of.bram36).map(|blocks| 2.0 * blocks),
            uram: value(&of.uram),
            lut: value(&of.lut),
            ff: value(&of.ff),
        }
    }

    /// The limit of one resource.
    #[must_use]
    pub const fn limit(&self, resource: ResourceKind) -> Option<f64> {
        match resource {
            ResourceKind::Dsp => self.dsp,
            ResourceKind::Bram18 => self.bram18,
            ResourceKind::Uram => self.uram,
            ResourceKind::Lut => self.lut,
            ResourceKind::Ff => self.ff,
        }
    }

    /// The resource of which the largest share is used, with that share; 1 is all of it.
    #[must_use]
    pub fn largest_share(&self, usage: &Usage) -> Option<(ResourceKind, f64)> {
        let share = |resource| {
            let (limit, used) = (self.limit(resource)?, usage.amount(resource));
            // Nothing of nothing fits.
            Some((resource, if used <= 0.0 { 0.0 } else { used / limit }))
        };
        ResourceKind::ALL
            .into_iter()
            .filter_map(share)
            .reduce(|most, one| if one.1 > most.1 { one } else { most })
    }

    /// The resource that refuses a design: the one that it exceeds most. `None` where it fits.
    #[must_use]
    pub fn refusing_resource(&self, usage: &Usage) -> Option<ResourceKind> {
        self.largest_share(usage).filter(|(_, share)| *share > 1.0).map(|(resource, _)| resource)
    }
}

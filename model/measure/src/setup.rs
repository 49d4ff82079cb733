use derate_hls::BankRange;

use super::{Measurement, PortGroup, VerdictReason, fits, kernel_clock};
use derate_machine::bandwidth::{Channels, Port, find_channels};
use derate_machine::{Memory, Platform};
use derate_units::Hertz;
use derate_units::figures::quantity;

/// More ports than any chip has: what is beyond is not built up.
const MOST_PORTS: usize = 4096;

/// The ports, the channels and the clocks of a measurement, as far as it gives them.
#[derive(Clone)]
pub(super) struct Setup {
    pub(super) platform: Platform,
    pub(super) memory: Memory,
    /// All of them; empty where a field of one is missing.
    pub(super) ports: Vec<Port>,
    /// Distinct channels that they reach; those of the memory where that is not known.
    pub(super) channels: usize,
    /// The clock of the memory's ports, no more than the card's.
    pub(super) memory_clock: Hertz,
    /// What the verdict needs and the file does not say.
    pub(super) missing: Vec<String>,
    /// What the file says and the card does not have.
    pub(super) wrong: Vec<VerdictReason>,
}

/// The card that a measurement names: the claim's own where it has that name, else the catalogue's.
fn find_platform(measurement: &Measurement, claimed: Option<&Platform>) -> Option<Platform> {
    let name = measurement.device.platform.as_deref()?;
    let own = claimed.filter(|platform| platform.name.eq_ignore_ascii_case(name));
    own.cloned().or_else(|| Platform::named(name).ok())
}

/// The memory whose banks the ports reach: the card's main memory where they name none. The error says that they reach
/// several, or one that the card has not.
fn find_memory(platform: &Platform, ports: &[PortGroup]) -> Result<Memory, VerdictReason> {
    let mut found: Option<&Memory> = None;
    for banks in ports.iter().filter_map(|group| group.banks.as_deref()) {
        let wrong = |reason: String| VerdictReason::new("banks", format!("`{banks}`: {reason}."));
        let range = BankRange::parse(banks).map_err(|reason| wrong(reason.into()))?;
        let named = |memory: &&Memory| {
            memory.bank.as_ref().is_some_and(|bank| bank.eq_ignore_ascii_case(&range.memory))
        };
        let memory = platform.memories().find(named).ok_or_else(|| {
            wrong(format!("{} has no such memory, or its figures are unknown", platform.title))
        })?;
        if found.is_some_and(|before| before.bank != memory.bank) {
            return Err(VerdictReason::new(
                "several-memories",
                "Its ports reach several memories: measure one at a time.",
            ));
        }
        found = Some(memory);
    }
    Ok(found.unwrap_or(&platform.memory).clone())
}

impl Setup {
    /// What `measurement` gives; `None` where its card is not in the catalogue.
    pub(super) fn of(measurement: &Measurement, claimed: Option<&Platform>) -> Option<Self> {
        let platform = find_platform(measurement, claimed)?;
        let mut wrong = Vec::new();
        let memory = find_memory(&platform, &measurement.ports).unwrap_or_else(|reason| {
            wrong.push(reason);
            platform.memory.clone()
        });
        let fastest = memory.axi_clock.value;
        let mut setup = Self {
            channels: Channels::of(&memory).count,
            memory_clock: measurement.memory_clock.unwrap_or(fastest),
            ports: Vec::new(),
            missing: Vec::new(),
            platform,
            memory,
            wrong,
        };
        if setup.memory_clock.0 > kernel_clock::COUNTER * fastest.0 {
            setup.wrong.push(VerdictReason::new(
                "memory-clock",
                format!(
                    "`memory_clock` says that the memory ran at {}, and {} runs at most at {}.",
                    quantity(setup.memory_clock),
                    setup.memory.title,
                    quantity(fastest)
                ),
            ));
        }
        if setup.memory_clock > fastest {
            setup.memory_clock = fastest;
        }
        let slow = |clock| kernel_clock::check_unit("memory-clock", "memory_clock", clock);
        if let Some(reason) = measurement.memory_clock.and_then(slow) {
            setup.memory_clock = fastest;
            setup.wrong.push(reason);
        }
        if measurement.memory_clock.is_none() {
            setup.missing.push("memory_clock".to_owned());
        }
        if measurement.kernel_clock.is_none() {
            setup.missing.push("kernel_clock".to_owned());
        }
        if measurement.ports.is_empty() {
            setup.missing.push("ports".to_owned());
        }
        setup.add_ports(measurement);
        Some(setup)
    }

    fn add_ports(&mut self, measurement: &Measurement) {
        let fastest = self.platform.clock_bound().value;
        let clock = measurement.kernel_clock.unwrap_or(fastest);
        let stated = measurement.kernel_clock;
        self.wrong
            .extend(stated.and_then(|clock| kernel_clock::check_clock(clock, &self.platform)));
        let slow = |clock| kernel_clock::check_unit("kernel-clock", "kernel_clock", clock);
        self.wrong.extend(stated.and_then(slow));
        let mut all = Vec::new();
        let mut reached = vec![false; Channels::of(&self.memory).count];
        let mut every_bank = !measurement.ports.is_empty();
        for (at, group) in measurement.ports.iter().enumerate() {
            self.missing.extend(missing_keys(group).map(|key| format!("{key} of ports[{at}]")));
            let Some(channels) = self.channels_of(at, group) else {
                every_bank = false;
                continue;
            };
            if let Some(range) = reached.get_mut(channels.0..=channels.1) {
                range.fill(true);
            }
            let (Some(direction), Some(number), Some(bits)) =
                (group.direction, group.count, group.bits)
            else {
                continue;
            };
            let number = usize::try_from(number).unwrap_or(usize::MAX);
            if all.len().saturating_add(number) > MOST_PORTS {
                self.wrong.push(VerdictReason::new(
                    "ports",
                    format!("It has more than {MOST_PORTS} ports: no card has."),
                ));
                return;
            }
            let defaults = &self.platform.kernel;
            let port = Port {
                direction,
                channels,
                ..Port::sequential(bits as f64, clock, channels.0, defaults)
            };
            all.extend(std::iter::repeat_n(port, number));
        }
        self.wrong.extend(fits::check_ports(measurement, &self.platform));
        if every_bank {
            self.channels = reached.into_iter().filter(|&hit| hit).count();
        }
        if self.missing.is_empty() && self.wrong.is_empty() {
            self.ports = all;
        }
    }

    /// The first and the last channel that a group reaches; `None`, with a reason in `wrong`, if that is not known.
    fn channels_of(&mut self, at: usize, group: &PortGroup) -> Option<(usize, usize)> {
        let range = BankRange::parse(group.banks.as_deref()?).ok()?;
        match find_channels(&range, &self.platform) {
            Ok((_, channels)) => Some(channels),
            Err(reason) => {
                // A second memory has its reason already.
                if self.wrong.is_empty() {
                    self.wrong.push(VerdictReason::new("banks", format!("ports[{at}]: {reason}.")));
                }
                None
            }
        }
    }

    /// Whether all of the memory's channels are in use.
    pub(super) fn uses_all_channels(&self) -> bool {
        self.channels >= Channels::of(&self.memory).count
    }
}

/// The keys that a group of ports does not give.
fn missing_keys(group: &PortGroup) -> impl Iterator<Item = &'static str> {
    let keys = [
        ("direction", group.direction.is_some()),
        ("count", group.count.is_some()),
        ("bits", group.bits.is_some()),
        ("banks", group.banks.is_some()),
    ];
    keys.into_iter().filter(|(_, known)| !known).map(|(key, _)| key)
}

use derate_model::units::Bytes;
use derate_model::{Figure, Platform, Provenance};

/// A bank of external memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Bank {
    /// `HBM[3]`, as v++ calls it.
    pub name: String,
    /// Where it starts on the device.
    pub base: Figure<f64>,
    /// What it holds, in bytes.
    pub bytes: u64,
}

impl Bank {
    /// The device address of its first byte.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "made from a u64 below 2^53"
    )]
    pub fn start(&self) -> u64 {
        self.base.value as u64
    }

    /// Whether the address lies in it.
    pub fn holds(&self, address: u64) -> bool {
        address.checked_sub(self.start()).is_some_and(|offset| offset < self.bytes)
    }
}

/// Where the banks of the second memory start.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Bases {
    /// As on a card.
    Card,
    /// As XRT's software emulation counts them: each starts where the one before ends.
    RunningSum,
}

/// Addresses beyond this are no card's, and above 2^53 a figure would not hold them.
const MOST: f64 = (1_u64 << 48) as f64;

/// A whole count of bytes, as an address or a size.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked before")]
fn whole(figure: &Figure<Bytes>, what: &str, platform: &Platform) -> Result<u64, String> {
    let bytes = figure.value.0;
    if bytes.fract() != 0.0 || !(0.0..=MOST).contains(&bytes) {
        let title = &platform.title;
        return Err(format!(
            "{what} of {title} is {bytes} bytes: give a whole number that some memory could have"
        ));
    }
    Ok(bytes as u64)
}

/// The banks of a card, in the order in which the platform names its memories: on a U280 32 pseudo channels of HBM and two
/// banks of DDR. The error is a sentence: a memory whose size or name the platform file does not give, or banks that would
/// lie over one another.
pub fn banks(platform: &Platform, bases: Bases) -> Result<Vec<Bank>, String> {
    let mut banks: Vec<Bank> = Vec::new();
    let mut next = 0_u64;
    for memory in [Some(&platform.memory), platform.second_memory.as_ref()].into_iter().flatten() {
        let lacks = |what: &str| {
            format!("the platform file of {} gives no {what} for {}", platform.title, memory.title)
        };
        let size = memory.channel_bytes.as_ref().ok_or_else(|| lacks("channel_bytes"))?;
        let name = memory.bank.as_ref().ok_or_else(|| lacks("bank"))?;
        let bytes = whole(size, "channel_bytes", platform)?;
        let first = memory.first_address.as_ref().filter(|_| bases == Bases::Card);
        let (provenance, source) = match (bases, first) {
            (Bases::Card, Some(first)) => (first.provenance, first.source.clone()),
            (Bases::Card, None) => (
                Provenance::Assumed,
                format!("{}: each bank starts where the one before ends", lacks("first_address")),
            ),
            (Bases::RunningSum, _) => (
                Provenance::Derived,
                "XRT's software emulation lets each bank start where the one before ends"
                    .to_owned(),
            ),
        };
        let step = memory.address_step.as_ref().filter(|_| first.is_some());
        let step = step.map_or(Ok(bytes), |step| whole(step, "address_step", platform))?;
        let mut start = first.map_or(Ok(next), |first| whole(first, "first_address", platform))?;
        if step < bytes || start < next {
            return Err(format!(
                "the banks of {} would lie over one another: look at first_address and address_step of {}",
                platform.title, memory.title
            ));
        }
        for index in 0..u64::from(memory.channels.value) {
            let base = Figure::new(start as f64, provenance, source.clone());
            banks.push(Bank { name: format!("{name}[{index}]"), base, bytes });
            next = start.saturating_add(bytes);
            start = start.saturating_add(step);
        }
    }
    Ok(banks)
}

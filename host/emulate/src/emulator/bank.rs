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
    /// As XRT's software emulation counts them: each starts where the one before ends. The small memories of the card and
    /// the host's own are among them, behind the others.
    RunningSum,
}

/// Why a platform file gives no banks. Each is a sentence.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum BankError {
    /// A size or an address that no memory has: its key, the card, its bytes.
    #[error("{0} of {1} is {2} bytes: give a whole number that some memory could have")]
    Size(&'static str, String, String),
    /// A key is missing: the card, the key, the memory.
    #[error("the platform file of {0} gives no {1} for {2}")]
    Missing(String, &'static str, String),
    /// Two banks share addresses: the card, the memory.
    #[error("the banks of {0} would overlap: look at first_address and address_step of {1}")]
    Overlap(String, String),
}

/// The most that v++ lets a PLRAM have (UG1393, memory resources; without an option it is 128 KiB), and what XRT lets a host
/// give a card.
const PLRAM_BYTES: u64 = 4 << 20;
const HOST_BYTES: u64 = 16 << 30;

/// No card has higher addresses, and above 2^53 a figure would not hold them.
const MOST: f64 = (1_u64 << 48) as f64;

/// A whole count of bytes, as an address or a size.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked before")]
fn whole_bytes(
    figure: &Figure<Bytes>,
    what: &'static str,
    platform: &Platform,
) -> Result<u64, BankError> {
    let bytes = figure.value.0;
    if bytes.fract() != 0.0 || !(0.0..=MOST).contains(&bytes) {
        return Err(BankError::Size(what, platform.title.clone(), bytes.to_string()));
    }
    Ok(bytes as u64)
}

/// The banks of a card, in the order in which the platform names its memories: on a U280 32 pseudo channels of HBM and two
/// banks of DDR. Fails where the platform file lacks the size or name of a
/// memory, or where banks would overlap.
pub fn list_banks(platform: &Platform, bases: Bases) -> Result<Vec<Bank>, BankError> {
    let mut banks: Vec<Bank> = Vec::new();
    let mut next = 0_u64;
    for memory in [Some(&platform.memory), platform.second_memory.as_ref()].into_iter().flatten() {
        let lacks = |what: &'static str| {
            BankError::Missing(platform.title.clone(), what, memory.title.clone())
        };
        let size = memory.channel_bytes.as_ref().ok_or_else(|| lacks("channel_bytes"))?;
        let name = memory.bank.as_ref().ok_or_else(|| lacks("bank"))?;
        let bytes = whole_bytes(size, "channel_bytes", platform)?;
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
        let step = step.map_or(Ok(bytes), |step| whole_bytes(step, "address_step", platform))?;
        let mut start =
            first.map_or(Ok(next), |first| whole_bytes(first, "first_address", platform))?;
        if step < bytes || start < next {
            return Err(BankError::Overlap(platform.title.clone(), memory.title.clone()));
        }
        for index in 0..u64::from(memory.channels.value) {
            let base = Figure::new(start as f64, provenance, source.clone());
            banks.push(Bank { name: format!("{name}[{index}]"), base, bytes });
            next = start.saturating_add(bytes);
            start = start.saturating_add(step);
        }
    }
    if bases == Bases::RunningSum {
        push_small_banks(platform, next, &mut banks);
    }
    Ok(banks)
}

/// What `sp=` may name beside the memories: the card's own small ones, and the host's.
fn push_small_banks(platform: &Platform, mut next: u64, banks: &mut Vec<Bank>) {
    let known: Vec<String> = banks.iter().map(|bank| bank.name.clone()).collect();
    let small = platform.banks.iter().flat_map(|one| {
        let count = one.count.value;
        (0..count).map(|index| (format!("{}[{index}]", one.memory), PLRAM_BYTES))
    });
    let all = small.chain([("HOST[0]".to_owned(), HOST_BYTES)]);
    for (name, bytes) in all.filter(|(name, _)| !known.contains(name)) {
        let source = "XRT's software emulation lets each bank start where the one before ends";
        let base = Figure::new(next as f64, Provenance::Derived, source);
        banks.push(Bank { name, base, bytes });
        next = next.saturating_add(bytes);
    }
}

//! Copies, reads and writes.

use derate_model::bandwidth::Direction;
use derate_model::measurement::{KernelKind, PortGroup, ResultCheck, Run};
use derate_model::units::Bytes;
use derate_model::{Figure, Provenance};
use ndarray::{Array1, ArrayView1, ArrayView2, Axis};

use super::assembly::{Assembly, AtSize};
use super::gathered::Gathered;
use super::notes::{rounding_notes, startup_notes, too_many_ports};
use super::reach::{bank_of, describe_reach};
use super::{Outcome, Subject};
use crate::error::BenchError;
use crate::measure::{Progress, Repeat};
use crate::oracle::Numbers;
use derate_emulate::emulator::ExpectedTraffic;
use derate_emulate::{Argument, Device, DeviceError, Launch};

/// What to move, through which ports.
#[derive(Clone, Debug)]
pub struct Streams {
    /// `memcpy`, `read` or `write`.
    pub kind: KernelKind,
    /// The kernel's name; without one it is that of derate's own.
    pub kernel: Option<String>,
    /// Bytes in all units together, one run each; rounded up to whole words.
    pub sizes: Vec<u64>,
    /// Ports in all units together; a copy takes two.
    pub ports: usize,
    /// Bits of a port, 256 or 512.
    pub port_bits: u32,
    /// The banks that the ports reach, one after another; from the first again where there are more ports.
    pub banks: Vec<usize>,
    /// How many times each run is repeated.
    pub repeat: Repeat,
}

impl Streams {
    /// Compute units.
    pub fn units(&self) -> usize {
        if self.kind == KernelKind::Memcpy { self.ports / 2 } else { self.ports }
    }

    /// The kernel; derate's own has the right width.
    pub fn kernel(&self) -> String {
        let wide = if self.port_bits == 256 { "_256" } else { "" };
        self.kernel.clone().unwrap_or_else(|| format!("krnl_{}{wide}", self.kind))
    }

    /// The bank of a port.
    fn bank(&self, port: usize) -> usize {
        bank_of(&self.banks, port)
    }

    /// In a sentence why it makes no sense.
    pub(super) fn check_setup(&self) -> Result<(), BenchError> {
        let wrong = |text: &str| Err(BenchError::Setup(text.to_owned()));
        match self.kind {
            KernelKind::Gemm => return wrong("a product of matrices is not a stream"),
            KernelKind::Memcpy if self.ports < 2 || !self.ports.is_multiple_of(2) => {
                return wrong("a copy takes two ports in each unit: give an even number of ports");
            }
            _ if self.ports == 0 => {
                return wrong("without a port nothing moves: give at least one");
            }
            _ => {}
        }
        if self.port_bits != 256 && self.port_bits != 512 {
            return wrong("there are kernels with ports of 256 and of 512 bit");
        }
        if self.banks.is_empty() || self.sizes.is_empty() || self.sizes.contains(&0) {
            return wrong("sizes and banks must be given, and no size may be 0");
        }
        if self.repeat.repetitions == 0 {
            return wrong("without a repetition nothing is measured: give at least one");
        }
        Ok(())
    }
}

/// One compute unit with what it works on. What it is given is drawn from the seed, and again where it is checked: no copy of
/// it is kept.
struct Lane<B> {
    unit: String,
    /// What is read, or what is written where nothing is read.
    from: Option<B>,
    /// What is written; the sums of a read.
    to: B,
    seed: u32,
    /// Of a read: the sum of each lane of its words.
    sums: Vec<u32>,
}

impl<B> Lane<B> {
    fn draw_numbers(&self) -> Numbers {
        Numbers::new(u64::from(self.seed) + 1)
    }
}

/// Bytes that are made, sent and checked at a time: whole words of every port.
const PART: u64 = 1 << 20;

/// The offsets and lengths of the parts of so many bytes.
fn split_parts(bytes: u64) -> impl Iterator<Item = (u64, usize)> {
    (0..bytes.div_ceil(PART)).map(move |at| {
        let offset = at * PART;
        // No more than a part.
        (offset, usize::try_from(PART.min(bytes - offset)).unwrap_or_default())
    })
}

fn to_words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// Runs them on a device whose units are called `krnl_memcpy_1`, `krnl_memcpy_2`..., as v++ calls them.
pub fn bench_streams<D: Device>(
    subject: &Subject<'_, D>,
    setup: &Streams,
    progress: Progress<'_>,
) -> Result<Outcome, BenchError> {
    setup.check_setup()?;
    let (banks, memory_clock) = describe_reach(subject.platform, &setup.banks, setup.ports);
    let what = Assembly {
        kernel: setup.kind,
        units: setup.units(),
        ports: port_groups(subject, setup, banks.as_ref()),
        memory_clock,
    };
    let mut outcome =
        what.measure_sizes(subject, &setup.sizes, |size| at_size(subject, setup, size, progress))?;
    outcome.notes.extend(rounding_notes(&setup.sizes, &outcome.measurement));
    outcome.notes.extend(startup_notes(subject, &outcome));
    outcome.notes.extend(too_many_ports(subject.platform, &setup.banks, setup.ports));
    Ok(outcome)
}

/// The ports of each direction; the kernels' buffers are `src` and then `dst`, or the one that is streamed.
fn port_groups<D>(
    subject: &Subject<'_, D>,
    setup: &Streams,
    banks: Option<&String>,
) -> Vec<PortGroup> {
    let group = |direction, argument| PortGroup {
        direction: Some(direction),
        count: Some(setup.units() as u64),
        bits: subject.recorded.bits(&[argument], u64::from(setup.port_bits)),
        banks: banks.cloned(),
    };
    match setup.kind {
        KernelKind::Memcpy => vec![group(Direction::Read, 0), group(Direction::Write, 1)],
        KernelKind::Write => vec![group(Direction::Write, 0)],
        _ => vec![group(Direction::Read, 0)],
    }
}

fn at_size<D: Device>(
    subject: &Subject<'_, D>,
    setup: &Streams,
    size: u64,
    progress: Progress<'_>,
) -> Result<AtSize, BenchError> {
    let (device, units) = (subject.device, setup.units());
    let width = u64::from(setup.port_bits / 8);
    let words = size.div_ceil(width * units as u64);
    let each = words * width;
    if u32::try_from(words).is_err() {
        return Err(BenchError::Setup(format!("{each} bytes in one unit are more than it counts")));
    }
    let whole = each * units as u64;
    progress(&format!("{} of {whole} bytes: buffers", setup.kind));
    let lanes = prepare_lanes(subject, setup, each)?;
    let run = Run {
        size: Some(Bytes(whole as f64)),
        warm_up: Some(setup.repeat.warm_up as u64),
        launches: Some(1),
        ..Run::default()
    };
    let expected = expected_stream(setup.kind, each, width);
    let mut gathered = Gathered::new(run, &expected, units);
    let mut passed = true;
    let repetitions = setup.repeat.warm_up + setup.repeat.repetitions;
    let poison = vec![0xa5; usize::try_from(PART).unwrap_or_default()];
    for at in 0..repetitions {
        progress(&format!("{} of {whole} bytes: {} of {repetitions}", setup.kind, at + 1));
        for lane in &lanes {
            for (offset, size) in
                split_parts(if setup.kind == KernelKind::Read { width } else { each })
            {
                device.write(&lane.to, offset, poison.get(..size).unwrap_or(&poison))?;
            }
        }
        let launches: Vec<_> =
            lanes.iter().map(|lane| launch_lane(lane, words, subject.own_kernels)).collect();
        let ran = device.run(&launches)?;
        for lane in &lanes {
            passed &= is_right(device, setup, lane, each)?;
        }
        gathered.take_run(ran, at >= setup.repeat.warm_up);
    }
    let method = match setup.kind {
        KernelKind::Memcpy => "the copy against its source, by ndarray",
        KernelKind::Read => "the sums of all lanes against ndarray's, modulo 2^32",
        _ => "every lane against the one that it was told to write, by ndarray",
    };
    let check = ResultCheck { passed, method: method.to_owned(), worst_error: None, bound: None };
    Ok(gathered.finish_run(Some(check)))
}

/// What the kernels have to move: each unit its own part.
fn expected_stream(kind: KernelKind, each: u64, width: u64) -> Vec<ExpectedTraffic> {
    let one = |argument: &str, read, written| ExpectedTraffic {
        argument: argument.to_owned(),
        read,
        written,
    };
    match kind {
        KernelKind::Memcpy => vec![one("src", each, 0), one("dst", 0, each)],
        KernelKind::Read => vec![one("src", each, 0), one("sum", 0, width)],
        _ => vec![one("dst", 0, each)],
    }
}

fn prepare_lanes<D: Device>(
    subject: &Subject<'_, D>,
    setup: &Streams,
    each: u64,
) -> Result<Vec<Lane<D::Buffer>>, BenchError> {
    let device = subject.device;
    let width = u64::from(setup.port_bits / 8);
    let mut lanes = Vec::with_capacity(setup.units());
    for at in 0..setup.units() {
        let seed = u32::try_from(at).unwrap_or_default();
        let unit = format!("{}_{}", setup.kernel(), at + 1);
        let allocate = |argument, bank, bytes| device.allocate_for((&unit, argument), bank, bytes);
        let (from, to) = match setup.kind {
            KernelKind::Memcpy => (
                Some(allocate(0, setup.bank(2 * at), each)?),
                allocate(1, setup.bank(2 * at + 1), each)?,
            ),
            KernelKind::Read => {
                // The sum goes where the port of its unit does: one word after all is read.
                (Some(allocate(0, setup.bank(at), each)?), allocate(1, setup.bank(at), width)?)
            }
            _ => (None, allocate(0, setup.bank(at), each)?),
        };
        let mut lane = Lane { unit, from, to, seed, sums: Vec::new() };
        fill_lane(device, setup, &mut lane, each)?;
        lanes.push(lane);
    }
    Ok(lanes)
}

/// Draws what a unit reads, sends it, and sums it up where the unit will.
fn fill_lane<D: Device>(
    device: &D,
    setup: &Streams,
    lane: &mut Lane<D::Buffer>,
    each: u64,
) -> Result<(), DeviceError> {
    let mut numbers = lane.draw_numbers();
    let Some(from) = &lane.from else { return Ok(()) };
    let lanes = setup.port_bits as usize / 32;
    let mut sums = Array1::<u32>::zeros(lanes);
    for (offset, size) in split_parts(each) {
        let data: Vec<u32> = (0..size / 4).map(|_| numbers.next()).collect();
        let bytes: Vec<u8> = data.iter().flat_map(|word| word.to_le_bytes()).collect();
        device.write(from, offset, &bytes)?;
        if setup.kind == KernelKind::Read
            && let Ok(words) = ArrayView2::from_shape((data.len() / lanes, lanes), &data)
        {
            let part = words.fold_axis(Axis(0), 0_u32, |sum, next| sum.wrapping_add(*next));
            sums.zip_mut_with(&part, |sum, part| *sum = sum.wrapping_add(*part));
        }
    }
    lane.sums = sums.to_vec();
    Ok(())
}

fn launch_lane<B>(lane: &Lane<B>, words: u64, own_kernel: bool) -> Launch<'_, B> {
    let mut arguments: Vec<_> = lane.from.iter().map(Argument::Buffer).collect();
    arguments.extend([Argument::Buffer(&lane.to), Argument::Scalar(words)]);
    if lane.from.is_none() {
        arguments.push(Argument::Scalar(u64::from(lane.seed)));
    }
    // A stream computes nothing that its ports do not wait for.
    let cycles = Figure::new(
        derate_model::units::Cycles(words as f64),
        Provenance::Derived,
        "a word in each cycle, which the port's own limit counts, too",
    );
    Launch { unit: &lane.unit, arguments, cycles: own_kernel.then_some(cycles) }
}

/// Compares what a unit did with what it had to do.
fn is_right<D: Device>(
    device: &D,
    setup: &Streams,
    lane: &Lane<D::Buffer>,
    each: u64,
) -> Result<bool, BenchError> {
    let whole = if setup.kind == KernelKind::Read { u64::from(setup.port_bits / 8) } else { each };
    let mut numbers = lane.draw_numbers();
    let mut right = true;
    for (offset, size) in split_parts(whole) {
        let mut got = vec![0; size];
        device.read(&lane.to, offset, &mut got)?;
        let got = to_words(&got);
        right &= match setup.kind {
            KernelKind::Memcpy => {
                let wanted: Vec<u32> = got.iter().map(|_| numbers.next()).collect();
                ArrayView1::from(&got) == ArrayView1::from(&wanted)
            }
            KernelKind::Read => ArrayView1::from(&got) == ArrayView1::from(&lane.sums),
            _ => {
                // Lanes count on from the seed, modulo 2^32.
                let before = u32::try_from(offset / 4 % (1 << 32)).unwrap_or_default();
                let first = lane.seed.wrapping_add(before);
                ArrayView1::from(&got).indexed_iter().all(|(at, &got)| {
                    got == first.wrapping_add(u32::try_from(at).unwrap_or_default())
                })
            }
        };
    }
    Ok(right)
}

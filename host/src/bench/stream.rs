//! Copies, reads and writes.

use derate_model::bandwidth::Direction;
use derate_model::measurement::{BytesFrom, Check, Kind, PortGroup, Run};
use derate_model::units::{Bytes, Seconds};
use derate_model::{Figure, Provenance};
use ndarray::{ArrayView1, ArrayView2, Axis};

use super::assembly::{Assembly, AtSize};
use super::matrix::Numbers;
use super::notes::{rounded, startup};
use super::reach::{bank_of, reached};
use super::{BenchError, Outcome, Progress, Repeat, Subject};
use crate::device::{Argument, Device, Launch};
use crate::emulator::{Expected, differences};

/// What to move, through which ports.
#[derive(Clone, Debug)]
pub struct Streams {
    /// `memcpy`, `read` or `write`.
    pub kind: Kind,
    /// Bytes in all units together, one run each; rounded up to whole words.
    pub sizes: Vec<u64>,
    /// Ports in all units together; a copy takes two.
    pub ports: usize,
    /// Bits of a port, 256 or 512.
    pub port_bits: u32,
    /// The banks that the ports reach, one after another; from the first again where there are more ports.
    pub banks: Vec<usize>,
    /// How often.
    pub repeat: Repeat,
}

impl Streams {
    /// Compute units.
    pub fn units(&self) -> usize {
        if self.kind == Kind::Memcpy { self.ports / 2 } else { self.ports }
    }

    /// The kernel of the right width.
    pub fn kernel(&self) -> String {
        let wide = if self.port_bits == 256 { "_256" } else { "" };
        format!("krnl_{}{wide}", self.kind)
    }

    /// The bank of a port.
    fn bank(&self, port: usize) -> usize {
        bank_of(&self.banks, port)
    }

    /// In a sentence why it makes no sense.
    pub(super) fn check(&self) -> Result<(), BenchError> {
        let wrong = |text: &str| Err(BenchError::Setup(text.to_owned()));
        match self.kind {
            Kind::Gemm => return wrong("a product of matrices is no stream"),
            Kind::Memcpy if self.ports < 2 || !self.ports.is_multiple_of(2) => {
                return wrong("a copy takes two ports in each unit: give an even number of ports");
            }
            _ if self.ports == 0 => return wrong("no port moves nothing: give at least one"),
            _ => {}
        }
        if self.port_bits != 256 && self.port_bits != 512 {
            return wrong("there are kernels with ports of 256 and of 512 bit");
        }
        if self.banks.is_empty() || self.sizes.is_empty() || self.sizes.contains(&0) {
            return wrong("sizes and banks must be given, and no size may be 0");
        }
        if self.repeat.repetitions == 0 {
            return wrong("no repetition measures nothing: give at least one");
        }
        Ok(())
    }
}

/// One compute unit with what it works on.
struct Lane<B> {
    unit: String,
    /// What is read, or what is written where nothing is read.
    from: Option<B>,
    /// What is written; the sums of a read.
    to: B,
    data: Vec<u32>,
    seed: u32,
}

fn to_bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn to_words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// Runs them on a device whose units are called `krnl_memcpy_1`, `krnl_memcpy_2`..., as v++ calls them.
pub fn streams<D: Device>(
    subject: &Subject<'_, D>,
    setup: &Streams,
    progress: Progress<'_>,
) -> Result<Outcome, BenchError> {
    setup.check()?;
    let (banks, memory_clock) = reached(subject.platform, &setup.banks, setup.ports);
    let what = Assembly {
        kernel: setup.kind,
        units: setup.units(),
        ports: groups(setup, banks.as_ref()),
        memory_clock,
    };
    let mut outcome =
        what.measure(subject, &setup.sizes, |size| at_size(subject, setup, size, progress))?;
    outcome.notes = rounded(&setup.sizes, &outcome.measurement);
    outcome.notes.extend(startup(subject, &outcome));
    Ok(outcome)
}

/// The ports of each direction.
fn groups(setup: &Streams, banks: Option<&String>) -> Vec<PortGroup> {
    let group = |direction| PortGroup {
        direction: Some(direction),
        count: Some(setup.units() as u64),
        bits: Some(u64::from(setup.port_bits)),
        banks: banks.cloned(),
    };
    match setup.kind {
        Kind::Memcpy => vec![group(Direction::Read), group(Direction::Write)],
        Kind::Write => vec![group(Direction::Write)],
        _ => vec![group(Direction::Read)],
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
    let lanes = prepare(subject, setup, each)?;
    let mut run = Run {
        size: Some(Bytes(whole as f64)),
        warm_up: Some(setup.repeat.warm_up as u64),
        launches: Some(1),
        ..Run::default()
    };
    let expected = expected(setup.kind, each, width);
    let (mut findings, mut modelled) = (Vec::new(), None);
    let mut passed = true;
    let repetitions = setup.repeat.warm_up + setup.repeat.repetitions;
    for at in 0..repetitions {
        progress(&format!("{} of {whole} bytes: {} of {repetitions}", setup.kind, at + 1));
        let poison = vec![
            0xa5;
            usize::try_from(if setup.kind == Kind::Read { width } else { each })
                .unwrap_or_default()
        ];
        for lane in &lanes {
            device.write(&lane.to, 0, &poison)?;
        }
        let launches: Vec<_> =
            lanes.iter().map(|lane| launch(lane, words, subject.own_kernels)).collect();
        let ran = device.run(&launches)?;
        for lane in &lanes {
            passed &= is_right(device, setup, lane, each)?;
        }
        let sum = |of: fn(&crate::emulator::Moved) -> u64| {
            Bytes(ran.counted.iter().flat_map(|one| &one.moved).map(of).sum::<u64>() as f64)
        };
        if ran.counted.is_empty() {
            // A device that counts nothing is taken at its kernels' word.
            let total = |of: fn(&Expected) -> u64| {
                Bytes(expected.iter().map(of).sum::<u64>() as f64 * units as f64)
            };
            (run.bytes_read, run.bytes_written) =
                (Some(total(|e| e.read)), Some(total(|e| e.written)));
        } else {
            run.bytes_from = Some(BytesFrom::Counted);
            (run.bytes_read, run.bytes_written) = (Some(sum(|m| m.read)), Some(sum(|m| m.written)));
        }
        if at >= setup.repeat.warm_up {
            for found in ran.counted.iter().flat_map(|one| differences(one, &expected)) {
                if !findings.contains(&found) {
                    findings.push(found);
                }
            }
            let wall = Seconds(ran.wall.as_secs_f64());
            match &ran.modelled {
                Some(one) => {
                    run.seconds.push(one.time.value);
                    run.wall_seconds.push(wall);
                }
                None => run.seconds.push(wall),
            }
            modelled = ran.modelled;
        }
    }
    let method = match setup.kind {
        Kind::Memcpy => "the copy against its source, by ndarray",
        Kind::Read => "the sums of all lanes against ndarray's, modulo 2^32",
        _ => "every lane against the one that it was told to write, by ndarray",
    };
    run.check = Some(Check { passed, method: method.to_owned(), worst_error: None, bound: None });
    Ok((run, findings, modelled))
}

/// What the kernels are told to move: each unit its own part.
fn expected(kind: Kind, each: u64, width: u64) -> Vec<Expected> {
    let one =
        |argument: &str, read, written| Expected { argument: argument.to_owned(), read, written };
    match kind {
        Kind::Memcpy => vec![one("src", each, 0), one("dst", 0, each)],
        Kind::Read => vec![one("src", each, 0), one("sum", 0, width)],
        _ => vec![one("dst", 0, each)],
    }
}

fn prepare<D: Device>(
    subject: &Subject<'_, D>,
    setup: &Streams,
    each: u64,
) -> Result<Vec<Lane<D::Buffer>>, BenchError> {
    let device = subject.device;
    let width = u64::from(setup.port_bits / 8);
    let first_beside = subject.platform.memory.channels.value as usize;
    let beside = usize::from(subject.platform.second_memory.is_some());
    let mut lanes = Vec::with_capacity(setup.units());
    for at in 0..setup.units() {
        let seed = u32::try_from(at).unwrap_or_default();
        let count = usize::try_from(each / 4).map_err(|_| {
            BenchError::Setup(format!("{each} bytes are more than this machine has"))
        })?;
        let (from, to, data) = match setup.kind {
            Kind::Memcpy => (
                Some(device.allocate(setup.bank(2 * at), each)?),
                device.allocate(setup.bank(2 * at + 1), each)?,
                count,
            ),
            Kind::Read => {
                // The sums go to the second memory, where there is one: they disturb no stream.
                let sums = if beside > 0 { first_beside } else { setup.bank(at) };
                (Some(device.allocate(setup.bank(at), each)?), device.allocate(sums, width)?, count)
            }
            _ => (None, device.allocate(setup.bank(at), each)?, 0),
        };
        let mut numbers = Numbers::new(u64::from(seed) + 1);
        let data: Vec<u32> = (0..data).map(|_| numbers.next()).collect();
        if let Some(from) = &from {
            device.write(from, 0, &to_bytes(&data))?;
        }
        let unit = format!("{}_{}", setup.kernel(), at + 1);
        lanes.push(Lane { unit, from, to, data, seed });
    }
    Ok(lanes)
}

fn launch<B>(lane: &Lane<B>, words: u64, own_kernel: bool) -> Launch<'_, B> {
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

/// Holds what a unit did against what it was told to do.
fn is_right<D: Device>(
    device: &D,
    setup: &Streams,
    lane: &Lane<D::Buffer>,
    each: u64,
) -> Result<bool, BenchError> {
    let width = setup.port_bits as usize / 8;
    let bytes =
        if setup.kind == Kind::Read { width } else { usize::try_from(each).unwrap_or_default() };
    let mut got = vec![0; bytes];
    device.read(&lane.to, 0, &mut got)?;
    let got = to_words(&got);
    let lanes = width / 4;
    Ok(match setup.kind {
        Kind::Memcpy => ArrayView1::from(&got) == ArrayView1::from(&lane.data),
        Kind::Read => {
            let words = ArrayView2::from_shape((lane.data.len() / lanes, lanes), &lane.data);
            let sums = words
                .map(|words| words.fold_axis(Axis(0), 0_u32, |sum, next| sum.wrapping_add(*next)));
            sums.is_ok_and(|sums| sums.view() == ArrayView1::from(&got))
        }
        _ => {
            let first = lane.seed;
            ArrayView1::from(&got).indexed_iter().all(|(at, &got)| {
                got == first.wrapping_add(u32::try_from(at % (1 << 32)).unwrap_or_default())
            })
        }
    })
}

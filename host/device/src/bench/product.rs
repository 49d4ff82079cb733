//! Products of matrices.

use derate_model::bandwidth::Direction;
use derate_model::measurement::{GemmRun, KernelKind, PortGroup, ResultCheck, Run};
use derate_model::units::Bytes;

use super::assembly::{Assembly, AtSize};
use super::cycles::product_cycles;
use super::gathered::Gathered;
use super::matrix::{draw_matrix, pack_panels, result_bytes, unpack_panels};
use super::notes::too_many_ports;
use super::reach::{bank_of, describe_reach};
use super::tile::{WORD, row_words};
use super::{Outcome, Subject, Tile, expected_traffic};
use crate::error::BenchError;
use crate::measure::{Progress, Repeat, require_memory};
use crate::oracle::{Element, Oracle};
use derate_emulate::{Argument, Device, Launch};

/// What to multiply, on how many units.
#[derive(Clone, Debug)]
pub struct Products {
    /// The type of the operands.
    pub element: Element,
    /// The kernel's name; without one it is that of derate's own.
    pub kernel: Option<String>,
    /// `m`, `n`, `k`: one run each.
    pub sizes: Vec<[u64; 3]>,
    /// Compute units, each with the same product on buffers of its own.
    pub units: usize,
    /// The banks that the ports reach, one after another; from the first again where there are more ports.
    pub banks: Vec<usize>,
    /// How many times each run is repeated.
    pub repeat: Repeat,
}

/// Bits of each of a product's ports.
pub(super) const BITS: u32 = 512;

/// A larger extent is not a matrix that a bench should fill.
const MOST: u64 = 1 << 16;

/// A matrix with more elements takes more than half a gigabyte in `f64`.
const MOST_ELEMENTS: u64 = 1 << 26;

impl Products {
    /// The kernel.
    pub fn kernel(&self) -> &str {
        self.kernel.as_deref().unwrap_or_else(|| self.element.kernel())
    }

    fn bank(&self, port: usize) -> usize {
        bank_of(&self.banks, port)
    }

    /// In a sentence why it makes no sense.
    pub(super) fn check_setup(&self) -> Result<(), BenchError> {
        let wrong = |text: String| Err(BenchError::Setup(text));
        if self.units == 0 || self.repeat.repetitions == 0 || self.sizes.is_empty() {
            return wrong("give at least one unit, one size and one repetition".to_owned());
        }
        if self.banks.is_empty() {
            return wrong("give at least one bank".to_owned());
        }
        let odd = self.sizes.iter().flatten().find(|&&extent| extent == 0 || extent > MOST);
        if let Some(extent) = odd {
            return wrong(format!("an extent of {extent} is out of range: give 1 to {MOST}"));
        }
        let large =
            self.sizes.iter().find(|[m, n, k]| (m * k).max(k * n).max(m * n) > MOST_ELEMENTS);
        if let Some([m, n, k]) = large {
            return wrong(format!(
                "{m} x {n} x {k} has a matrix of more than {MOST_ELEMENTS} elements, and each is held in f64, too"
            ));
        }
        Ok(())
    }
}

/// Runs them on a device whose units are called `krnl_gemm_f32_1`...
pub fn bench_products<D: Device>(
    subject: &Subject<'_, D>,
    setup: &Products,
    progress: Progress<'_>,
) -> Result<Outcome, BenchError> {
    setup.check_setup()?;
    let (banks, memory_clock) = describe_reach(subject.platform, &setup.banks, 3 * setup.units);
    let group = |direction, arguments: &[usize]| PortGroup {
        direction: Some(direction),
        count: Some((arguments.len() * setup.units) as u64),
        bits: subject.recorded.bits(arguments, u64::from(BITS)),
        banks: banks.clone(),
    };
    let what = Assembly {
        kernel: KernelKind::Gemm,
        units: setup.units,
        ports: vec![group(Direction::Read, &[0, 1]), group(Direction::Write, &[2])],
        memory_clock,
    };
    let mut outcome =
        what.measure_sizes(subject, &setup.sizes, |size| at_size(subject, setup, size, progress))?;
    outcome.notes.extend(too_many_ports(subject.platform, &setup.banks, 3 * setup.units));
    Ok(outcome)
}

fn at_size<D: Device>(
    subject: &Subject<'_, D>,
    setup: &Products,
    size @ [m, n, k]: [u64; 3],
    progress: Progress<'_>,
) -> Result<AtSize, BenchError> {
    let (device, element) = (subject.device, setup.element);
    let what = format!("gemm of {m} x {n} x {k} in {element}");
    progress(&format!("{what}: the product by ndarray"));
    let bytes = result_bytes(element, m, n);
    // In f64: operands and their magnitudes, the exact product, that of the magnitudes, and a result; as the device has them:
    // operands, poison and a result.
    let packed = k * row_words(n, element.bytes()) + m * row_words(k, element.bytes());
    let held = 8 * (2 * (m * k + k * n) + 4 * m * n) + packed * WORD + 2 * bytes;
    require_memory(held, &format!("checking a product of {m} x {n} x {k}"))?;
    let (oracle, a, b) = {
        let (a, b) = (draw_matrix(element, m, k, 1), draw_matrix(element, k, n, 2));
        let oracle = Oracle::new(element, &a, &b);
        (oracle, pack_panels(element, &a, Tile::OURS.k), pack_panels(element, &b, Tile::OURS.n))
    };
    let poison = vec![0xa5; usize::try_from(bytes).unwrap_or_default()];
    let mut lanes = Vec::with_capacity(setup.units);
    for at in 0..setup.units {
        let unit = format!("{}_{}", setup.kernel(), at + 1);
        let allocate = |argument, bytes| {
            device.allocate_for((&unit, argument), setup.bank(3 * at + argument), bytes)
        };
        let buffers =
            [allocate(0, a.len() as u64)?, allocate(1, b.len() as u64)?, allocate(2, bytes)?];
        device.write(&buffers[0], 0, &a)?;
        device.write(&buffers[1], 0, &b)?;
        lanes.push((unit, buffers));
    }
    let clock = subject.clock.filter(|_| subject.own_kernels);
    let cycles = clock.map(|clock| product_cycles(subject.platform, clock, element, size));
    let cycles = cycles.transpose()?;
    let expected = expected_traffic(element, m, n, k);
    let operands = ((m * k + k * n) * element.bytes() + m * n * element.result_bytes()) as f64;
    let run = Run {
        size: Some(Bytes(operands * setup.units as f64)),
        gemm: Some(GemmRun { m, n, k, precision: element.to_string(), count: setup.units as u64 }),
        warm_up: Some(setup.repeat.warm_up as u64),
        launches: Some(1),
        ..Run::default()
    };
    let mut gathered = Gathered::new(run, &expected, setup.units);
    let mut check: Option<ResultCheck> = None;
    let repetitions = setup.repeat.warm_up + setup.repeat.repetitions;
    for at in 0..repetitions {
        progress(&format!("{what}: {} of {repetitions}", at + 1));
        for (_, [.., c]) in &lanes {
            device.write(c, 0, &poison)?;
        }
        let launches: Vec<_> = lanes
            .iter()
            .map(|(unit, buffers)| {
                let pointers = buffers.iter().map(Argument::Buffer);
                let arguments = pointers.chain(size.map(Argument::Scalar)).collect();
                Launch { unit, arguments, cycles: cycles.clone() }
            })
            .collect();
        let ran = device.run(&launches)?;
        for (_, [.., c]) in &lanes {
            let mut got = vec![0; poison.len()];
            device.read(c, 0, &mut got)?;
            let this = match unpack_panels(element, &got, m, n, Tile::OURS.n) {
                Some(got) => oracle.check(&got),
                None => ResultCheck {
                    passed: false,
                    method: "the padding of the result is not zero".to_owned(),
                    worst_error: None,
                    bound: None,
                },
            };
            // The worst of all is reported.
            let worse = check.as_ref().is_none_or(|known| {
                known.passed && (!this.passed || this.worst_error > known.worst_error)
            });
            if worse {
                check = Some(this);
            }
        }
        gathered.take_run(ran, at >= setup.repeat.warm_up);
    }
    Ok(gathered.finish_run(check))
}

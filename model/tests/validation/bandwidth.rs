use derate_model::bandwidth::{
    Channels, Direction, Pattern, Port, aggregate_bandwidth, single_stream,
};
use derate_model::units::Hertz;
use derate_model::{KernelDefaults, Memory, Platform};

use super::csv::{Record, read};
use super::{Errors, Part, Row, Standing};

fn memory(card: &str, bank: &str) -> Memory {
    let platform = Platform::named(card).unwrap();
    let found = platform.memories().find(|memory| memory.bank.as_deref() == Some(bank)).cloned();
    found.unwrap()
}

/// One 512-bit port at 300 MHz on a U50, as many requests in flight as the memory takes.
fn single_port(record: &Record) -> (f64, f64) {
    let reach = usize::try_from(record.count("channels")).unwrap();
    let port = Port {
        width_bits: 512.0,
        clock: Hertz(300e6),
        burst_beats: record.number("bytes") / 64.0,
        outstanding: 64.0,
        direction: Direction::Read,
        pattern: match record.text("pattern") {
            "seq" => Pattern::Sequential,
            "rand" => Pattern::Random,
            _ => Pattern::Reordered,
        },
        channels: (0, reach - 1),
    };
    let channels = Channels::of(&memory("u50", "HBM"));
    let model = single_stream(&port, &channels).unwrap();
    (model.value.0 / 1e9, record.number("gigabytes_per_second"))
}

/// One port at 300 MHz on a DDR bank of a U200.
fn closed_loop(record: &Record) -> (f64, f64) {
    let port = Port {
        width_bits: record.number("bits"),
        clock: Hertz(300e6),
        burst_beats: record.number("beats"),
        outstanding: record.number("outstanding"),
        direction: match record.text("direction") {
            "write" => Direction::Write,
            _ => Direction::Read,
        },
        pattern: Pattern::Sequential,
        channels: (0, 0),
    };
    let model = single_stream(&port, &Channels::of(&memory("u200", "DDR"))).unwrap();
    (model.value.0 / 1e9, record.number("gigabytes_per_second"))
}

fn all_ports(record: &Record) -> (f64, f64) {
    let memory = memory(record.text("card"), record.text("bank"));
    let channels = Channels::at(&memory, Hertz(record.number("axi_mhz") * 1e6));
    let reach = usize::try_from(record.count("channels")).unwrap();
    let clock = Hertz(record.number("kernel_mhz") * 1e6);
    let ports: Vec<Port> = (0..usize::try_from(record.count("ports")).unwrap())
        .map(|at| {
            let defaults = KernelDefaults::default();
            Port::sequential(record.number("bits"), clock, at % reach, &defaults)
        })
        .collect();
    let model = aggregate_bandwidth(&ports, &channels).unwrap();
    (model.value.0 / 1e9, record.number("gigabytes_per_second"))
}

pub(crate) fn part() -> Part {
    let hbm = read("hbm_single_port.csv");
    let ddr = read("ddr_closed_loop.csv");
    let tutorial = "Vitis-Tutorials, HBM bandwidth explorations, U50";
    let bursts = "Vitis_Accel_Examples axi_burst_performance, U200";
    let mut rows = Vec::new();
    let mut add = |set: &str, model, standing, pairs: Vec<(f64, f64)>, source| {
        let errors = Errors::of_measurements(&pairs);
        rows.push(Row { set: set.to_owned(), model, standing, errors, source });
    };
    let some = |pattern: &str| {
        hbm.iter().filter(|r| r.text("pattern") == pattern).map(single_port).collect::<Vec<_>>()
    };
    let ways = |way: &str| {
        ddr.iter().filter(|r| r.text("direction") == way).map(closed_loop).collect::<Vec<_>>()
    };
    add(
        "one HBM port, all below",
        "the least limit",
        Standing::Fitted,
        hbm.iter().map(single_port).collect(),
        tutorial,
    );
    add("one HBM port, sequential", "eta x W_c x f_c", Standing::Fitted, some("seq"), tutorial);
    add(
        "one HBM port, random",
        "B / t_rand; B / ((1 - 1/n) x L_sw + B / cap)",
        Standing::Fitted,
        some("rand"),
        tutorial,
    );
    add(
        "one HBM port, random through RAMA",
        "W x f_k x b / (b + g)",
        Standing::Fitted,
        some("rand_rama"),
        tutorial,
    );
    add("one DDR port, read", "N x B / (L + b / f_k)", Standing::Fitted, ways("read"), bursts);
    add(
        "one DDR port, written",
        "N x B / (L + b / f_k), g = 4",
        Standing::Fitted,
        ways("write"),
        bursts,
    );
    let together = read("aggregates.csv").iter().map(all_ports).collect();
    add(
        "all ports together, U280",
        "min(sum of ports, n x channel)",
        Standing::Free,
        together,
        "hbm_bandwidth, Shuhai, STREAM of HPCC_FPGA",
    );
    let remarks = vec![
        "The parameters were fitted to single ports of a U50 and a U200; the aggregates on a U280 use them as they are. STREAM \
         reads and writes in turns through the same ports, which counts as a stream; on DDR the model is 5 to 7 % above it."
            .to_owned(),
        "The model is 21 % above the worst write (512 bit, 16 beats, 4 in flight). \
         Latencies are those of the U200's DDR. None was found for HBM, so that figures which bursts in flight decide are \
         `Assumed` there."
            .to_owned(),
        "Not covered: traffic between the two HBM stacks, and how several ports share the switch between them.".to_owned(),
    ];
    Part { title: "Bandwidth", rows, remarks }
}

pub(crate) fn check(part: &Part) {
    let find = |set: &str| part.rows.iter().find(|row| row.set == set).unwrap().errors;
    assert!(find("one HBM port, all below").mean < 0.01);
    assert!(find("one DDR port, read").max < 0.045 && find("one DDR port, written").max < 0.22);
    assert!(find("all ports together, U280").max < 0.07);
}

//! What is open of a kernel if nobody says it.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use derate_advice::{Change, find_advice};
use derate_explore::kernel::{
    KernelSpace, Proposal, Variation, VariationTarget, propose_variations,
};
use derate_explore::{Search, Space, descend, simplify_design};
use derate_hls::DirectiveKind;
use derate_kernel::{Directives, Program, Settings, estimate_kernel, find_part, read_program};
use derate_machine::Budget;
use derate_syntax::{SourceFile, read_unit};

/// Loads, a product and a store, each pipelined, behind buses.
const PIPELINED: &str = "
#define N 32
void product(const float a[N * N], const float b[N * N], float c[N * N]) {
#pragma HLS interface m_axi port=a bundle=g0
#pragma HLS interface m_axi port=b bundle=g1
#pragma HLS interface m_axi port=c bundle=g0
    float la[N][N], lb[N][N], lc[N][N];
load:
    for (int i = 0; i < N * N; i++) {
#pragma HLS pipeline
        la[i / N][i % N] = a[i];
        lb[i / N][i % N] = b[i];
    }
rows:
    for (int i = 0; i < N; i++) {
    columns:
        for (int j = 0; j < N; j++) {
#pragma HLS pipeline II=1
            float sum = 0;
        terms:
            for (int k = 0; k < N; k++) sum += la[i][k] * lb[k][j];
            lc[i][j] = sum;
        }
    }
store:
    for (int i = 0; i < N * N; i++) {
#pragma HLS pipeline
        c[i] = lc[i / N][i % N];
    }
}
";

/// A loop that asks for an interval of 8 and is held by an array, and one that a pragma unrolls.
const HELD: &str = "
void sums(const int x[64], int y[64], int weights[3]) {
    int own[64], pair[64];
#pragma HLS bind_storage variable=own type=ram_1p
fill:
    for (int i = 0; i < 64; i++) own[i] = x[i];
taps:
    for (int i = 0; i < 60; i++) {
#pragma HLS pipeline II=8
        int sum = 0;
    inner:
        for (int t = 0; t < 4; t++) sum += own[i + t] * weights[0];
        pair[i] = sum;
    }
few:
    for (int i = 0; i < 60; i++) {
#pragma HLS unroll factor=6
        y[i] = pair[i] + weights[1];
    }
}
";

/// A loop that reads two ports of one bundle.
const SHARED_BUNDLE: &str = "
void add(const int a[4096], const int b[4096], int c[4096]) {
#pragma HLS interface m_axi port=a bundle=g0
#pragma HLS interface m_axi port=b bundle=g0
#pragma HLS interface m_axi port=c bundle=g1
each:
    for (int i = 0; i < 4096; i++) {
#pragma HLS pipeline
        c[i] = a[i] + b[i];
    }
}
";

fn read(text: &str, top: &str) -> Program {
    let source = SourceFile { path: "kernel.cpp".to_owned(), text: text.to_owned() };
    read_program(&read_unit(&[source], &mut |_, _, _| None, &[]), top).unwrap()
}

fn settings() -> Settings {
    Settings::new(find_part("xcu280").unwrap(), 3.33, (2023, 2))
}

fn propose(program: &Program) -> Proposal {
    let none = Directives::default();
    let written = estimate_kernel(program, &none, &settings());
    propose_variations(program, &none, &settings(), &written)
}

fn values<'a>(proposal: &'a Proposal, name: &str) -> &'a [String] {
    let found = proposal.variations.iter().find(|one| one.axis().name == name);
    found.map_or(&[], |one| one.values.as_slice())
}

#[test]
fn a_loop_that_is_pipelined_is_open_and_so_is_the_loop_around_it() {
    let program = read(PIPELINED, "product");
    let proposal = propose(&program);
    assert_eq!(values(&proposal, "unroll:product/columns"), ["1", "2", "4", "8", "16", "32"]);
    assert_eq!(values(&proposal, "pipeline:product/rows"), ["as-written", "1"]);
    // The pipeline of `columns` unrolls it whole, whatever its own factor.
    assert!(values(&proposal, "unroll:product/terms").is_empty(), "{proposal:?}");
    assert_eq!(proposal.variations.len(), proposal.shares.len());
    let again = |_: &[(String, String)]| Some(program.clone());
    let space = KernelSpace::new(proposal.variations, &again, Directives::default(), settings());
    let start = space.evaluate(&space.written_point()).objective;
    let mut search = Search::new(&space, Budget { dsp: Some(9020.0), ..Budget::default() });
    descend(&mut search, space.written_point(), |_| space.scheduled() < 400);
    let best = search.best().unwrap();
    assert!(4.0 * best.cost.objective < start, "{} of {start}", best.cost.objective);
}

#[test]
fn a_design_has_no_change_that_gives_nothing() {
    let program = read(PIPELINED, "product");
    let again = |_: &[(String, String)]| Some(program.clone());
    let variations = propose(&program).variations;
    let space = KernelSpace::new(variations, &again, Directives::default(), settings());
    let limits = Budget { dsp: Some(9020.0), ..Budget::default() };
    let (written, mut search) = (space.written_point(), Search::new(&space, limits));
    let last = space.axes().iter().map(|axis| axis.values.len() - 1).collect();
    descend(&mut search, last, |_| space.scheduled() < 60);
    let found = search.best().unwrap().clone();
    let simple = simplify_design(&space, &limits, &written, found.clone(), || true);
    assert!(simple.cost.objective <= found.cost.objective && simple.share <= found.share);
    for (axis, own) in written.iter().enumerate().filter(|(axis, own)| simple.point[*axis] != **own)
    {
        let mut point = simple.point.clone();
        point[axis] = *own;
        let cost = space.evaluate(&point);
        let share = cost.usage.dsp / 9020.0;
        assert!(cost.objective > simple.cost.objective || share > simple.share, "{axis}");
    }
}

#[test]
fn what_is_behind_a_bus_is_never_cut() {
    let program = read(PIPELINED, "product");
    let again = |_: &[(String, String)]| Some(program.clone());
    let proposal = propose(&program);
    let cuts_a_port = |target: &VariationTarget| match target {
        VariationTarget::Partition { array, .. } => ["a", "b", "c"].contains(&array.as_str()),
        _ => false,
    };
    assert!(!proposal.variations.iter().any(|one| cuts_a_port(&one.target)), "{proposal:?}");
    let space = KernelSpace::new(proposal.variations, &again, Directives::default(), settings());
    let last: Vec<usize> = space.axes().iter().map(|axis| axis.values.len() - 1).collect();
    let cuts = |name: Option<&str>| matches!(name, Some("a" | "b" | "c"));
    let list = space.own_directives(&last);
    let refused = list.iter().find(|one| {
        matches!(one.kind, DirectiveKind::ArrayPartition(_) | DirectiveKind::ArrayReshape(_))
            && cuts(one.variable.as_deref())
    });
    assert_eq!(refused, None);
    // Wide ports are named.
    let changed = space.changed_arguments(&last);
    assert_eq!(
        changed.iter().map(|one| one.argument.as_str()).collect::<Vec<_>>(),
        ["a", "b", "c"]
    );
    assert_eq!(space.changed_arguments(&space.written_point()), []);
}

#[test]
fn an_array_that_holds_a_loop_an_asked_interval_and_a_pragmas_factor_are_open() {
    let proposal = propose(&read(HELD, "sums"));
    assert_eq!(values(&proposal, "pipeline:sums/taps"), ["as-written", "1"]);
    let few = values(&proposal, "unroll:sums/few");
    assert!(values(&proposal, "unroll:sums/inner").is_empty(), "the pipeline unrolls it");
    assert!(few.contains(&"1".to_owned()) && few.contains(&"6".to_owned()), "{few:?}");
}

#[test]
fn all_that_the_kernel_command_advises_is_open_or_named() {
    let mut shares_bundle = false;
    for (text, top) in [(PIPELINED, "product"), (HELD, "sums"), (SHARED_BUNDLE, "add")] {
        let program = read(text, top);
        let none = Directives::default();
        let written = estimate_kernel(&program, &none, &settings());
        let proposal = propose(&program);
        for advice in find_advice(&program, &none, &settings(), &written) {
            shares_bundle |= matches!(advice.change, Change::SecondBundle { .. });
            let is_open =
                proposal.variations.iter().any(|one| match (&one.target, &advice.change) {
                    (VariationTarget::Port { ports }, Change::Widen { port, .. }) => {
                        ports.contains(port)
                    }
                    (
                        VariationTarget::Partition { dim, .. },
                        Change::Partition { dim: own, factor, .. },
                    ) => dim == own && one.values.contains(&factor.to_string()),
                    (VariationTarget::Pipeline { label, .. }, Change::Pipeline) => {
                        *label == advice.subject
                    }
                    _ => false,
                });
            let name = match &advice.change {
                Change::Widen { port, .. } => format!("`{port}`"),
                Change::SecondBundle { array, .. } => format!("`{array}`"),
                Change::Partition { array, .. } => array.clone(),
                Change::PartialSums { .. } | Change::Pipeline => advice.subject.clone(),
            };
            let is_named = proposal.left.iter().any(|one| one.what.contains(&name));
            assert!(is_open || is_named, "{advice:?}");
        }
    }
    assert!(shares_bundle);
}

/// Loops whose trips are an argument.
const OPEN: &str = "
void scale(const int x[64], int y[64], int n) {
many:
    for (int i = 0; i < n; i++) y[i] = x[i] * 3;
known:
    for (int i = 0; i < 64; i++) y[i] += x[i];
}
";

#[test]
fn a_loop_whose_trips_are_not_known_is_named_with_what_opens_it() {
    let proposal = propose(&read(OPEN, "scale"));
    assert!(!values(&proposal, "unroll:scale/known").is_empty());
    let many = proposal.left.iter().find(|one| one.what == "unroll:scale/many").unwrap();
    assert!(many.reason.contains("not constant") && many.vary.is_some(), "{many:?}");
}

#[test]
fn what_is_opened_is_not_among_what_is_left() {
    let proposal = propose(&read(OPEN, "scale"));
    let open = [Variation::parse("unroll:scale/many=1,2").unwrap()];
    let left = proposal.without(&open);
    assert!(left.iter().all(|one| one.what != "unroll:scale/many"), "{left:?}");
    assert!(left.iter().any(|one| one.what == "unroll:scale/known"), "{left:?}");
}

/// Arrays of a slow loop, one cut in blocks; long loops within one that is not pipelined.
const BLOCKS: &str = "
void blur(const int own[4096], int y[256]) {
#pragma HLS array_partition variable=own block factor=2
taps:
    for (int i = 0; i < 240; i++) {
#pragma HLS pipeline
        int sum = 0;
    inner:
        for (int t = 0; t < 16; t++) sum += own[16 * i + t];
        y[i] = sum;
    }
again:
    for (int i = 0; i < 4; i++) {
#pragma HLS pipeline off
    much:
        for (int j = 0; j < 256; j++) y[j] += own[j] >> i;
    }
}
";

#[test]
fn an_array_that_is_cut_in_blocks_is_named_and_not_open() {
    let program = read(BLOCKS, "blur");
    let none = Directives::default();
    let written = estimate_kernel(&program, &none, &settings());
    let advised = find_advice(&program, &none, &settings(), &written);
    let is_cut =
        |change: &Change| matches!(change, Change::Partition { array, .. } if array == "own");
    assert!(advised.iter().any(|one| is_cut(&one.change)), "{advised:?}");
    let proposal = propose(&program);
    assert!(values(&proposal, "partition:blur/own@1").is_empty(), "{proposal:?}");
    let left = proposal.left.iter().find(|one| one.what == "partition:blur/own@1").unwrap();
    assert!(left.reason.contains("not cyclically") && left.vary.is_none(), "{left:?}");
}

#[test]
fn a_loop_around_long_ones_is_not_pipelined_though_a_pragma_turns_that_off() {
    let proposal = propose(&read(BLOCKS, "blur"));
    assert!(values(&proposal, "pipeline:blur/again").is_empty(), "{proposal:?}");
    let left = proposal.left.iter().find(|one| one.what == "pipeline:blur/again").unwrap();
    assert_eq!(left.reason, "loops inside are long");
}

/// Ports of bytes: 252 bytes fill words of 4 bytes and none that are longer, 3 fill none.
const BYTES: &str = "
void shrink(const unsigned char *x, const unsigned char w[3], unsigned char y[252]) {
#pragma HLS interface m_axi port=x bundle=g0
#pragma HLS interface m_axi port=w bundle=g1
#pragma HLS interface m_axi port=y bundle=g2
    unsigned char taps[3], own[256];
few:
    for (int i = 0; i < 3; i++) taps[i] = w[i];
fill:
    for (int i = 0; i < 256; i++) own[i] = x[i];
each:
    for (int i = 0; i < 252; i++) y[i] = own[i] * taps[0] + own[i + 1] * taps[1] + own[i + 2] * taps[2];
}
";

#[test]
fn words_of_a_port_divide_the_trips_of_its_loops() {
    let proposal = propose(&read(BYTES, "shrink"));
    assert_eq!(values(&proposal, "port:x").last().map(String::as_str), Some("512"));
    assert_eq!(values(&proposal, "port:y"), ["8", "16", "32"]);
    assert!(values(&proposal, "port:w").is_empty(), "{proposal:?}");
    let left = proposal.left.iter().find(|one| one.what == "port:w").unwrap();
    assert!(left.reason.contains("divides the trips") && left.vary.is_none(), "{left:?}");
}

/// Labels that end in, or have in them, the label of another loop.
const LABELS: &str = "
void copy(const int x[256], int y[16][256]) {
    int t[256];
load_row:
    for (int i = 0; i < 256; i++) t[i] = x[i];
row:
    for (int i = 0; i < 16; i++)
    cell:
        for (int j = 0; j < 256; j++) y[i][j] = t[j] * 3;
}
";

#[test]
fn a_loop_is_the_nest_that_its_labels_make() {
    let proposal = propose(&read(LABELS, "copy"));
    assert!(values(&proposal, "unroll:copy/row").is_empty(), "{proposal:?}");
    let row = proposal.left.iter().find(|one| one.what == "pipeline:copy/row").unwrap();
    assert!(row.reason == "loops inside are long" && row.share > Some(0.9), "{row:?}");
    let cell = proposal.variations.iter().position(|one| one.axis().name == "unroll:copy/cell");
    assert!(proposal.shares[cell.unwrap()] > Some(0.9), "{proposal:?}");
}

/// A function of short loops that a loop calls, and a long loop beside it.
const CALLED: &str = "
static int filter(const int window[8], const int taps[8]) {
#pragma HLS inline off
    int products[8], sum = 0;
multiply:
    for (int t = 0; t < 8; t++) {
#pragma HLS pipeline off
        products[t] = window[t] * taps[t];
    }
add:
    for (int t = 0; t < 8; t++) {
#pragma HLS pipeline off
        sum += products[t];
    }
    return sum;
}
void smooth(const int x[256], const int taps[8], int y[256]) {
    int window[8];
samples:
    for (int i = 0; i < 256; i++) {
#pragma HLS pipeline off
    shift:
        for (int t = 7; t > 0; t--) window[t] = window[t - 1];
        window[0] = x[i];
        y[i] = filter(window, taps);
    }
}
";

#[test]
fn a_function_of_short_loops_may_be_pipelined_and_one_that_calls_loops_is_named() {
    let program = read(CALLED, "smooth");
    let proposal = propose(&program);
    assert_eq!(values(&proposal, "pipeline:filter"), ["as-written", "1"]);
    let long = proposal.left.iter().find(|one| one.what == "pipeline:smooth").unwrap();
    assert_eq!(long.reason, "what it calls has loops");
    let around = proposal.left.iter().find(|one| one.what == "pipeline:smooth/samples").unwrap();
    assert_eq!(around.reason, "what it calls has loops");
    // Its arrays are cut as far as the loops in it are unrolled.
    let again = |_: &[(String, String)]| Some(program.clone());
    let one = [Variation::parse("pipeline:filter=as-written,1").unwrap()];
    let space = KernelSpace::new(one.into(), &again, Directives::default(), settings());
    assert!(2.0 * space.evaluate(&[1]).objective < space.evaluate(&[0]).objective);
    let own = space.own_directives(&[1]);
    let pipelined = own.iter().find(|one| matches!(one.kind, DirectiveKind::Pipeline(_))).unwrap();
    assert_eq!((pipelined.function.as_str(), &pipelined.label), ("filter", &None));
    let cuts = own.iter().filter(|one| matches!(one.kind, DirectiveKind::ArrayPartition(_)));
    let cut: Vec<&str> = cuts.filter_map(|one| one.variable.as_deref()).collect();
    assert!(["products", "window", "taps"].iter().all(|name| cut.contains(name)), "{cut:?}");
}

#[test]
fn a_port_whose_loop_has_no_constant_trips_is_named_with_what_opens_it() {
    let program = read(
        "
void add(const int *a, int *b, int n) {
#pragma HLS interface m_axi port=a bundle=g0
#pragma HLS interface m_axi port=b bundle=g1
many:
    for (int i = 0; i < n; i++) {
#pragma HLS loop_tripcount min=4096 max=4096
        b[i] = a[i] + 1;
    }
}
",
        "add",
    );
    let proposal = propose(&program);
    assert!(proposal.variations.is_empty(), "{proposal:?}");
    let port = proposal.left.iter().find(|one| one.what == "port:a+b").unwrap();
    assert!(port.reason.contains("not constant"), "{port:?}");
    assert_eq!(port.vary.as_deref(), Some("port:a+b=32,64,128,256,512"));
}

//! What is open of a kernel if nobody says it.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use derate_explore::kernel::{KernelSpace, Proposal, VariationTarget, propose_variations};
use derate_explore::{Search, Space, descend, simplify_design};
use derate_hls::DirectiveKind;
use derate_kernel::{
    Change, Directives, Program, Settings, estimate_kernel, find_advice, find_part, read_program,
};
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
    for (text, top) in [(PIPELINED, "product"), (HELD, "sums")] {
        let program = read(text, top);
        let none = Directives::default();
        let written = estimate_kernel(&program, &none, &settings());
        let proposal = propose(&program);
        for advice in find_advice(&program, &none, &settings(), &written) {
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
            let is_named = proposal.left.iter().any(|one| one.vary.is_none());
            assert!(is_open || is_named, "{advice:?}");
        }
    }
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

//! The value of each axis that leaves the source as it is.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use derate_explore::kernel::{AS_WRITTEN, KernelSpace, Variation, fill_definitions, kernel_cost};
use derate_explore::{Search, Space};
use derate_kernel::{Directives, Program, Settings, estimate_kernel, find_part, read_program};
use derate_machine::Budget;
use derate_syntax::{SourceFile, read_unit};

const TILES: &str = "
#define TILE 16
static void twice(int x[64]) {
each:
    for (int i = 0; i < 64; i++) x[i] *= 2;
}
static void once(int x[64], int y[64]) {
all:
    for (int i = 0; i < 64; i++) y[i] = x[i] + 1;
}
void tiles(const signed char *q, int out[64]) {
#pragma HLS interface m_axi port=q bundle=g0 depth=64
    int x[64];
rows:
    for (int i = 0; i < 64 / TILE; i++)
    columns:
        for (int j = 0; j < TILE; j++) x[TILE * i + j] = q[TILE * i + j];
    twice(x);
    once(x, out);
}
";

fn read(text: &str) -> Program {
    let top = if text.contains("void tiles") { "tiles" } else { "f" };
    let source = SourceFile { path: "kernel.cpp".to_owned(), text: text.to_owned() };
    read_program(&read_unit(&[source], &mut |_, _, _| None, &[]), top).unwrap()
}

fn settings() -> Settings {
    Settings::new(find_part("xcu280").unwrap(), 3.33, (2023, 2))
}

fn variations(texts: &[&str]) -> Vec<Variation> {
    texts.iter().map(|text| Variation::parse(text).unwrap()).collect()
}

type Values = [(String, String)];

#[allow(clippy::unnecessary_wraps, reason = "it reads a variant, which may fail")]
fn change(values: &Values) -> Option<Program> {
    Some(read(&fill_definitions(TILES, values)))
}

fn define(name: &str) -> Option<String> {
    (name == "TILE").then(|| "16".to_owned())
}

#[test]
fn a_macro_has_the_value_of_the_source_where_the_source_defines_it() {
    let open =
        |text| KernelSpace::new(variations(&[text]), &change, Directives::default(), settings());
    let space = open("TILE=8,16").defining(define);
    assert_eq!(space.written_values(), [Some("16".to_owned())]);
    assert_eq!(space.written_point(), [1]);
    assert_eq!(space.describe(&[0]), "TILE=8");
    assert_eq!(space.describe(&[1]), AS_WRITTEN);
    assert_eq!(space.substitutions(&[0]), [("TILE".to_owned(), "8".to_owned())]);
    assert_eq!(space.substitutions(&[1]), []);
    let source = kernel_cost(&estimate_kernel(&read(TILES), &Directives::default(), &settings()));
    assert_eq!(space.evaluate(&[1]), source);
    assert_ne!(space.evaluate(&[0]), source);
    // The source has a value that is not open.
    let space = open("TILE=8,32").defining(define);
    assert_eq!(space.written_values(), [Some("16".to_owned())]);
    assert_eq!(space.describe(&[0]), "TILE=8");
    // A placeholder, or what nothing defines, has none.
    let space = open("TILE=8,16");
    assert_eq!(space.written_values(), [None]);
    assert_eq!(space.describe(&[0]), "TILE=8");
}

#[test]
fn the_first_value_of_every_axis_is_applied_where_it_is_another_than_in_the_source() {
    for text in
        ["dataflow:tiles=on", "pipeline:tiles/rows=1", "port:q=64,512", "pipeline:twice/each=off,1"]
    {
        let space =
            KernelSpace::new(variations(&[text]), &change, Directives::default(), settings());
        assert!(!space.own_directives(&[0]).is_empty(), "{text}");
        assert_ne!(space.describe(&[0]), AS_WRITTEN, "{text}");
        let list = space.own_directives(&[0]);
        let again = estimate_kernel(&read(TILES), &Directives { list }, &settings());
        assert_eq!(kernel_cost(&again), space.evaluate(&[0]), "{text}");
    }
    // The near misses: a value of the source changes nothing, wherever it is among the others.
    for (text, at) in [
        ("dataflow:tiles=on,as-written", 1),
        ("pipeline:tiles/rows=1,as-written", 1),
        ("port:q=64,8", 1),
        ("unroll:twice/each=2,1", 1),
    ] {
        let space =
            KernelSpace::new(variations(&[text]), &change, Directives::default(), settings());
        assert_eq!(
            (space.own_directives(&[at]), space.written_point()),
            (vec![], vec![at]),
            "{text}"
        );
    }
}

/// A pointer without a length, cut by a pragma, in a loop that is unrolled.
const POINTER: &str = "
void f(int *a, int *b) {
#pragma HLS array_partition variable=a cyclic factor=4
each:
    for (int i = 0; i < 64; i++) b[i] = a[i] + 1;
}
";

#[test]
fn a_pointer_without_a_length_is_not_cut() {
    let again = |_: &Values| Some(read(POINTER));
    let space = KernelSpace::new(
        variations(&["unroll:f/each=1,4"]),
        &again,
        Directives::default(),
        settings(),
    );
    assert_eq!(space.own_directives(&[1]).len(), 1, "{:?}", space.own_directives(&[1]));
}

/// Two dimensions of 64, of which a pragma cuts one; an array that a pragma cuts whole.
const BANKS: &str = "
void f(int out[64]) {
    int a[64][64], whole[2048];
#pragma HLS array_partition variable=a dim=2 complete
#pragma HLS array_partition variable=whole complete
each:
    for (int i = 0; i < 64; i++) out[i] = a[i][3] + whole[i];
}
";

#[test]
fn no_design_cuts_an_array_into_more_banks_than_the_tool_takes() {
    let again = |_: &Values| Some(read(BANKS));
    let open = variations(&["unroll:f/each=1,16,32", "partition:f/a@1=1,16,64"]);
    let space = KernelSpace::new(open, &again, Directives::default(), settings());
    let is_taken = |unroll, cut| space.evaluate(&[unroll, cut]).objective.is_finite();
    // 64 banks of one dimension are in the source: 16 of the other are the most.
    assert!(is_taken(0, 0) && is_taken(1, 0) && is_taken(1, 1) && is_taken(0, 1));
    assert!(!is_taken(2, 0) && !is_taken(0, 2) && !is_taken(1, 2));
    assert_eq!(space.overcut_arrays(), ["a"], "what the source cuts is not judged");
    let mut search = Search::new(&space, Budget::default());
    search.run(|_| true);
    let best = search.best().unwrap();
    let all = (0..3).flat_map(|a| (0..3).map(move |b| vec![a, b]));
    let least = all.map(|point| space.evaluate(&point).objective).fold(f64::INFINITY, f64::min);
    assert_eq!(best.cost.objective.to_bits(), least.to_bits());
}

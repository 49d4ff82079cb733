//! Designs of a kernel from its source.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use derate_explore::kernel::{KernelSpace, Variation, kernel_cost, propose_variations};
use derate_explore::{Certificate, Search, Space, descend};
use derate_hls::DirectiveKind;
use derate_kernel::{Directives, Program, Settings, estimate_kernel, find_part, read_program};
use derate_machine::Budget;
use derate_syntax::{SourceFile, read_unit};

const PRODUCT: &str = "
void product(int a[32][64], int b[64][32], int c[32][32]) {
rows:
    for (int i = 0; i < 32; i++)
    columns:
        for (int j = 0; j < 32; j++) {
            int sum = 0;
        terms:
            for (int k = 0; k < 64; k++) sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}
";

fn read(text: &str) -> Program {
    let source = SourceFile { path: "product.cpp".to_owned(), text: text.to_owned() };
    read_program(&read_unit(&[source], &mut |_, _, _| None, &[]), "product").unwrap()
}

fn settings() -> Settings {
    Settings::new(find_part("xcu280").unwrap(), 3.33, (2023, 2))
}

/// What is open of a kernel as it is written.
fn propose(program: &Program) -> Vec<Variation> {
    let written = estimate_kernel(program, &Directives::default(), &settings());
    propose_variations(program, &Directives::default(), &settings(), &written).variations
}

fn best_cycles(dsp: f64) -> Option<f64> {
    let program = read(PRODUCT);
    let mut variations = propose(&program);
    // Two axes are enough for a search to its end.
    let names = ["unroll:product/terms", "pipeline:product/columns"];
    variations.retain(|one| names.contains(&one.axis().name.as_str()));
    let again = |_: &[(String, String)]| Some(program.clone());
    let space = KernelSpace::new(variations, &again, Directives::default(), settings());
    let budget = Budget { dsp: Some(dsp), ..Budget::default() };
    let mut search = Search::new(&space, budget);
    search.run(|_| true);
    assert_eq!(search.best().is_some(), search.certificate() == Certificate::Optimal);
    search.best().map(|best| best.cost.objective)
}

#[test]
fn unrolled_loops_find_their_arrays_cut_and_are_faster() {
    let (one, many) = (best_cycles(10.0).unwrap(), best_cycles(1000.0).unwrap());
    assert!(many * 8.0 < one, "{one} cycles with few DSP, {many} with many");
    assert_eq!(best_cycles(0.5), None, "a product of 32 bits takes more than half a DSP");
}

#[test]
fn the_directives_of_a_design_make_the_design_that_was_promised() {
    let program = read(PRODUCT);
    let again = |_: &[(String, String)]| Some(program.clone());
    let variations = vec![Variation::parse("unroll:product/terms=1,8").unwrap()];
    let space = KernelSpace::new(variations, &again, Directives::default(), settings());
    let list = space.own_directives(&[1]);
    // Two arrays are cut in the dimension of k, and the loop is unrolled.
    assert_eq!(list.len(), 3);
    let again = estimate_kernel(&program, &Directives { list }, &settings());
    assert_eq!(kernel_cost(&again), space.evaluate(&[1]));
}

#[test]
fn designs_that_are_scheduled_at_once_cost_what_they_cost_alone() {
    let program = read(PRODUCT);
    let again = |_: &[(String, String)]| Some(program.clone());
    let new_space = || {
        let variations = propose(&program);
        KernelSpace::new(variations, &again, Directives::default(), settings())
    };
    let (alone, together) = (new_space(), new_space());
    let lengths = alone.axes().iter().map(|axis| axis.values.len());
    let points: Vec<Vec<usize>> = lengths.fold(vec![Vec::new()], |points, length| {
        let longer = |point: Vec<usize>| (0..length).map(move |at| [&point[..], &[at]].concat());
        points.into_iter().flat_map(longer).take(200).collect()
    });
    together.prepare(points.clone());
    assert_eq!(together.scheduled(), points.len());
    for point in &points {
        assert_eq!(together.evaluate(point), alone.evaluate(point), "{point:?}");
    }
}

#[test]
fn steps_along_axes_find_what_looking_at_all_finds_here() {
    let program = read(PRODUCT);
    let variations = propose(&program);
    let again = |_: &[(String, String)]| Some(program.clone());
    let space = KernelSpace::new(variations, &again, Directives::default(), settings());
    let budget = Budget { dsp: Some(100.0), ..Budget::default() };
    let mut stepped = Search::new(&space, budget);
    descend(&mut stepped, vec![0; space.axes().len()], |_| true);
    let mut whole = Search::new(&space, budget);
    whole.run(|_| true);
    let objective = |search: &Search<'_, KernelSpace<'_>>| search.best().unwrap().cost.objective;
    assert_eq!(objective(&stepped).to_bits(), objective(&whole).to_bits());
}

/// A port of plain numbers that fills a buffer, which a pragma has cut whole.
const COPY: &str = "
void copy(const signed char *from, int to[1024]) {
#pragma HLS interface m_axi port=from bundle=gmem0 depth=1024
    static signed char own[16][64];
#pragma HLS array_partition variable=own dim=2 complete
rows:
    for (int i = 0; i < 16; i++)
    columns:
        for (int d = 0; d < 64; d++) own[i][d] = from[64 * i + d];
sums:
    for (int i = 0; i < 16; i++) to[i] = own[i][0];
}
";

#[test]
fn a_port_is_made_wide_by_directives_that_the_tool_takes() {
    let source = SourceFile { path: "copy.cpp".to_owned(), text: COPY.to_owned() };
    let program = read_program(&read_unit(&[source], &mut |_, _, _| None, &[]), "copy").unwrap();
    let variations = propose(&program);
    let names: Vec<String> = variations.iter().map(|one| one.axis().name).collect();
    assert!(names.contains(&"port:from".to_owned()), "{names:?}");
    assert!(!names.contains(&"unroll:copy/columns".to_owned()), "its lanes are the port's");
    let variations = vec![Variation::parse("port:from=8,64,512").unwrap()];
    let again = |_: &[(String, String)]| Some(program.clone());
    let space = KernelSpace::new(variations, &again, Directives::default(), settings());
    let cycles = |at: usize| space.evaluate(&[at]).objective;
    assert!(cycles(1) < 0.5 * cycles(0) && cycles(2) < cycles(1), "{} {}", cycles(0), cycles(1));
    // The port is not cut, and what a pragma cut whole is not joined again.
    let list = space.own_directives(&[1]);
    assert!(
        list.iter().all(|one| !matches!(one.kind, DirectiveKind::ArrayPartition(_))),
        "{list:?}"
    );
    let again = estimate_kernel(&program, &Directives { list }, &settings());
    assert_eq!(kernel_cost(&again), space.evaluate(&[1]));
}

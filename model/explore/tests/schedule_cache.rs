//! A design that takes functions as earlier designs had them has the same answer as one that is scheduled alone.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use derate_explore::Space;
use derate_explore::kernel::{KernelSpace, propose_variations};
use derate_kernel::{Directives, Program, Settings, estimate_kernel, find_part, read_program};
use derate_syntax::{SourceFile, read_unit};

/// Functions that change scalars, return values, keep statics, call each other, and share arrays.
const SHARED: &str = "
#define N 32
static int seen;
static int least(int a[N], int from) {
    int best = a[0];
find: for (int i = 0; i < N; i++) if (a[i] < best) best = a[i] + from;
    return best;
}
static void scale(int a[N], int b[N], int by) {
many: for (int i = 0; i < N; i++) b[i] = a[i] * by;
}
static void pass(int a[N], int b[N], int by) {
    scale(a, b, by);
again: for (int i = 1; i < N; i++) b[i] += b[i - 1];
}
static void count(int a[N]) {
    static int calls;
    calls++;
counts: for (int i = 0; i < N; i++) seen += a[i] > calls;
}
void top(int x[N], int y[N][N], int limit) {
    int t[N], u[N];
outer: for (int r = 0; r < N; r++) {
copies: for (int i = 0; i < N; i++) t[i] = y[r][i] + x[i];
        pass(t, u, r);
        int low = least(u, limit);
        if (low > 3) pass(u, t, low); else scale(u, t, 5);
        count(t);
stores: for (int i = 0; i < N; i++) y[r][i] = t[i] - low;
    }
    x[0] = seen;
}
";

/// Processes with arrays and a stream between them.
const PROCESSES: &str = "
#include <hls_stream.h>
#define N 64
static void fetch(int *from, int to[N]) {
reads: for (int i = 0; i < N; i++) to[i] = from[i];
}
static void widen(int from[N], hls::stream<int> &to) {
sends: for (int i = 0; i < N; i++) to.write(from[i] * 3);
}
static void sum(hls::stream<int> &from, int to[N]) {
    int all = 0;
takes: for (int i = 0; i < N; i++) { all += from.read(); to[i] = all; }
}
static void put(int from[N], int *to) {
writes: for (int i = 0; i < N; i++) to[i] = from[i] / 7;
}
void top(int *x, int *y) {
#pragma HLS interface m_axi port=x bundle=a
#pragma HLS interface m_axi port=y bundle=b
#pragma HLS dataflow
    int t[N], u[N];
    hls::stream<int> s;
    fetch(x, t);
    widen(t, s);
    sum(s, u);
    put(u, y);
}
";

/// Statics of the caller, and functions as the only statement of another one.
const STATICS: &str = "
#define N 16
static void shift(int a[N]) {
#pragma HLS pipeline
    a[0] = a[N - 1] + a[1] * 3 - a[2] / 5 + a[4] * a[5] - a[6] * a[7] + a[8] * a[9] * a[10];
    a[3] = a[11] * a[12] + a[13] * a[14] - a[15] * a[1] + a[2] * a[3];
}
static void twice(int a[N]) {
#pragma HLS inline
    shift(a);
moves: for (int i = 0; i < N; i++) a[i] += 3;
}
static void halve(int a[N]) {
each: for (int r = 0; r < 4; r++) {
        shift(a);
inner: for (int i = 0; i < N; i++) a[i] /= 2;
    }
}
void top(int x[N], int y[N]) {
    static int acc[N];
fills: for (int i = 0; i < N; i++) acc[i] += x[i];
    halve(x);
    twice(x);
reads: for (int i = 0; i < N; i++) y[i] = acc[i] - x[i];
}
";

fn read(text: &str, top: &str) -> Program {
    let source = SourceFile { path: "kernel.cpp".to_owned(), text: text.to_owned() };
    read_program(&read_unit(&[source], &mut |_, _, _| None, &[]), top).unwrap()
}

/// Holds so many designs of a kernel, one after another, against each alone.
fn hold_designs(text: &str, top: &str, count: u64) {
    let settings = Settings::new(find_part("xcu280").unwrap(), 3.33, (2023, 2));
    let program = read(text, top);
    let written = estimate_kernel(&program, &Directives::default(), &settings);
    let again = |_: &[(String, String)]| Some(program.clone());
    let proposal = propose_variations(&program, &Directives::default(), &settings, &written);
    let space =
        KernelSpace::new(proposal.variations, &again, Directives::default(), settings.clone());
    let mut point = vec![0; space.axes().len()];
    let mut state = 7_u64;
    for _ in 0..count {
        // One axis at a time, as a search steps, and sometimes anywhere.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let draw = state >> 33;
        let axis = usize::try_from(draw).unwrap() % point.len();
        point[axis] = usize::try_from(draw >> 7).unwrap() % space.axes()[axis].values.len();
        let list = space.own_directives(&point);
        let alone = estimate_kernel(&program, &Directives { list }, &settings);
        let answer = space.answer(&point).unwrap();
        assert_eq!(format!("{answer:#?}"), format!("{alone:#?}"), "{}", space.describe(&point));
    }
    assert!(space.recalled() > 0, "no function of {top} was taken from an earlier design");
}

#[test]
fn functions_that_change_what_others_read_are_scheduled_as_alone() {
    hold_designs(SHARED, "top", 300);
}

#[test]
fn statics_that_a_function_cannot_name_are_forgotten_as_alone() {
    hold_designs(STATICS, "top", 300);
}

#[test]
fn stages_behind_buses_are_scheduled_as_alone() {
    let wide = include_str!("../../../fixtures/codesign/wide/kernels/attention.cpp");
    hold_designs(wide, "attention", 40);
    let narrow = include_str!("../../../fixtures/codesign/as-built/kernels/attention.cpp");
    hold_designs(narrow, "attention", 20);
}

#[test]
fn processes_are_scheduled_as_alone() {
    hold_designs(PROCESSES, "top", 200);
}

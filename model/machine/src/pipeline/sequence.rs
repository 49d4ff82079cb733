use derate_units::Cycles;

/// Functions and loops one after another: the sum of their cycles and the states between them.
///
/// A call takes two states, to start the function and to see that it is done, less the first one's start:
/// `sum + 2 n - 1` for `n` calls. A loop that is not pipelined takes one state, a pipelined one two. In the body of a loop
/// that is not pipelined, one state more tests whether another iteration follows, which makes `sum + k + 1` of `k` loops.
///
/// Two things are not in it, as no report prints them: straight-line code between the parts (more cycles), and parts that
/// do not depend on each other and run at the same time (fewer). It is an estimate for parts that depend on each other.
#[must_use]
pub fn sequence(calls: u64, plain: u64, pipelined: u64, in_loop: bool, sum: u64) -> Cycles {
    let called = if calls == 0 { 0.0 } else { 2.0 * calls as f64 - 1.0 };
    let states = called + plain as f64 + 2.0 * pipelined as f64 + f64::from(u8::from(in_loop));
    Cycles(sum as f64 + states)
}

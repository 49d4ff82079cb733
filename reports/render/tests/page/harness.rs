//! A harness that says "ignored" of a test whose tool is not installed.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial, run};

/// A test with its name.
pub(crate) type Test = (&'static str, fn());

/// Tests by their functions.
macro_rules! tests {
    ($($test:ident),* $(,)?) => { vec![$((stringify!($test), $test as fn())),*] };
}
pub(crate) use tests;

/// Tests that need a tool, with what of it is not installed.
pub(crate) type WithTool = (Option<String>, Vec<Test>);

/// Runs tests that need nothing, and tests that need a tool: these are ignored where the tool is not installed.
pub(crate) fn run_tests(plain: Vec<Test>, with_tools: Vec<WithTool>) -> ExitCode {
    let trial = |(name, test): Test| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    let mut trials: Vec<Trial> = plain.into_iter().map(trial).collect();
    for (lack, tests) in with_tools {
        let kind = lack.as_ref().map_or_else(String::new, |lack| format!("needs {lack}"));
        let tests = tests.into_iter().map(trial);
        trials.extend(tests.map(|one| one.with_kind(&*kind).with_ignored_flag(lack.is_some())));
    }
    run(&Arguments::from_args(), trials).exit_code()
}

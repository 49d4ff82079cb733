//! Sources of kernels: `derate kernel` on every function that may be its top. A zero byte parts `kernel.cpp`, `a.h`, `b.h`,
//! and the directives as Tcl.
#![no_main]

use std::sync::OnceLock;

use derate_fuzz::texts;
use derate_hls::{read_hls_config, read_tcl};
use derate_kernel::{
    Directives, Part, Settings, estimate_kernel, find_part, find_top_candidates, read_program,
    uncertainty,
};
use derate_model::advice::find_advice;
use derate_syntax::{SourceFile, read_unit};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    static PART: OnceLock<Part> = OnceLock::new();
    let part = PART.get_or_init(|| find_part("xcu280").expect("the catalogue has it"));
    let mut texts = texts(data);
    let text = texts.next().unwrap_or_default();
    let headers = [texts.next().unwrap_or_default(), texts.next().unwrap_or_default()];
    let directives = texts.next().unwrap_or_default();
    let mut loader = |name: &str, _: bool, _: &str| {
        let at = ["a.h", "b.h"].iter().position(|known| *known == name)?;
        Some((name.to_owned(), headers[at].clone()))
    };
    let source = SourceFile { path: "kernel.cpp".to_owned(), text };
    let unit = read_unit(&[source], &mut loader, &[]);
    let (tcl, config) = (read_tcl(&directives), read_hls_config(&directives));
    let mut settings = Settings::new(part.clone(), 3.33, (2023, 2));
    settings.apply_tool_settings(&tcl.settings);
    let directives =
        Directives { list: tcl.directives.into_iter().chain(config.file.directives).collect() };
    for top in find_top_candidates(&unit).iter().take(3) {
        let program = match read_program(&unit, top) {
            Ok(program) => program,
            Err(error) => {
                let error = error.to_string();
                assert!(!error.contains('\n'), "an error is one sentence: {error}");
                continue;
            }
        };
        let answer = estimate_kernel(&program, &directives, &settings);
        let range = uncertainty(&answer);
        assert!(range.low <= 1.0 && range.high >= 1.0);
        assert!(!answer.latency.expected.is_nan());
        let _ = find_advice(&program, &directives, &settings, &answer);
    }
});

//! v++ configurations: `derate hls`, and the audit that reads them beside a kernel.
#![no_main]

use derate_fuzz::{analysis, run_audit, run_hls, text};
use derate_hls::{Sources, read_connectivity};
use derate_reports::readings::HlsFile;
use libfuzzer_sys::fuzz_target;

const KERNEL: &str = include_str!("../../fixtures/smolvla/kernels/gemm.cpp");

fuzz_target!(|data: &[u8]| {
    let mut sources = Sources::default();
    let file = sources.add("u280.cfg", text(data));
    match read_connectivity(&sources, file) {
        Ok(connectivity) => run_hls(&sources, file, HlsFile::Connectivity(connectivity)),
        Err(error) => {
            assert!(!error.to_string().contains('\n'), "an error is one sentence: {error}");
            return;
        }
    }
    let kernel = sources.add("gemm.cpp", KERNEL);
    if let Some(analysis) = analysis(sources, &[kernel], &[], Some(file)) {
        run_audit(&analysis);
    }
});

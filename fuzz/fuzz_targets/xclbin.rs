//! Compiled designs: `derate emu inspect`, and that what was read whole is written as it was.
#![no_main]

use derate_host::xclbin::{Xclbin, inspect_design};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    match Xclbin::read("design.xclbin", data) {
        Ok(xclbin) => {
            let report = inspect_design("design.xclbin", data.len() as u64, &xclbin);
            let _ = serde_json::to_string(&report);
            if xclbin.problems.is_empty() {
                assert!(xclbin.write() == data, "what was read is not what is written");
            }
        }
        Err(error) => {
            assert!(!error.to_string().contains('\n'), "an error is one sentence: {error}");
        }
    }
});

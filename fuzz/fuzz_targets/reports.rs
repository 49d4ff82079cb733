//! What the tools print, one report or several with zero bytes between: `derate hls`, and the audit.
#![no_main]

use derate_fuzz::{analysis, run_audit, run_hls, texts};
use derate_hls::{FileId, Sources, read_report};
use derate_reports::readings::HlsFile;
use libfuzzer_sys::fuzz_target;

const MOST: usize = 3;

fuzz_target!(|data: &[u8]| {
    let mut sources = Sources::default();
    let mut read: Vec<FileId> = Vec::new();
    for (index, text) in texts(data).take(MOST).enumerate() {
        let file = sources.add(format!("report{index}.rpt"), text);
        match read_report(&sources, file) {
            Ok(report) => {
                run_hls(&sources, file, HlsFile::Report(Box::new(report)));
                read.push(file);
            }
            Err(error) => {
                assert!(!error.to_string().contains('\n'), "an error is one sentence: {error}");
            }
        }
    }
    if !read.is_empty()
        && let Some(analysis) = analysis(sources, &[], &read, None)
    {
        run_audit(&analysis);
    }
});

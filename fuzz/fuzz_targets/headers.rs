//! C++ headers and kernels: `derate types`, `derate hls`, and the audit with its fixes. A zero byte parts
//! `kernel.cpp`, `a.h`, `b.h` and `c.h`, which may include each other.
#![no_main]

use derate_fuzz::{analysis, read, run_audit, run_hls, show, texts};
use derate_hls::{FileId, Sources, parse};
use derate_reports::readings::{self, HlsFile};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut sources = Sources::default();
    let names = ["kernel.cpp", "a.h", "b.h", "c.h"];
    let files: Vec<FileId> =
        names.into_iter().zip(texts(data)).map(|(name, text)| sources.add(name, text)).collect();
    let first = files[0];
    let header = parse(&sources, first);
    for pragma in &header.pragmas {
        let _ = pragma.directive();
    }
    run_hls(&sources, first, HlsFile::Source(Box::new(header)));
    let defines = [("__SYNTHESIS__".to_owned(), "1".to_owned())];
    read(&mut sources.clone(), &[first], &defines, None);
    let Some(analysis) = analysis(sources, &files, &[], None) else { return };
    let (data, document) = readings::types(&analysis.sources, &analysis.code, &[]);
    let _ = serde_json::to_string(&data);
    show(&document);
    run_audit(&analysis);
});

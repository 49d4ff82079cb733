//! A thousand damaged designs: each is read, and loaded by a device, or refused in a sentence.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod damage;

use std::path::Path;

use damage::{Tally, damage_file, try_file};
use derate_emulate::emulator::{KernelSource, build_kernels};
use derate_emulate::xclbin::{link_design, make_payload};
use derate_hls::{Sources, parse_all, read_connectivity};
use derate_model::Platform;

/// A design of two kernels, one of which has its code in it.
fn whole_design() -> Vec<u8> {
    let kernels = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hls/kernels");
    let source = KernelSource { path: kernels.join("memcpy.cpp"), ..KernelSource::default() };
    let payload = make_payload(&build_kernels(&[source], false).unwrap().images);
    let mut sources = Sources::default();
    let files = [
        ("port.h", "template <class T> using port = T *;"),
        ("word.h", include_str!("../../../hls/kernels/word.h")),
        ("memcpy.cpp", include_str!("../../../hls/kernels/memcpy.cpp")),
    ];
    let files = files.map(|(name, text)| sources.add(name, text));
    let headers = parse_all(&sources, &files);
    let cfg = "[connectivity]\nnk=krnl_memcpy:3\nsp=krnl_memcpy_1.src:HBM[0]\nsp=krnl_memcpy_2.dst:DDR[1]\n";
    let cfg = sources.add("u280.cfg", cfg);
    let cfg = read_connectivity(&sources, cfg).unwrap();
    let platform = Platform::named("u280").unwrap();
    let linked = link_design(&sources, &headers, &[cfg], &platform, Some(payload), &[], &[]);
    linked.unwrap().xclbin.write()
}

#[test]
fn a_damaged_design_is_loaded_or_refused_in_a_sentence() {
    let (whole, folder) = (whole_design(), tempfile::tempdir().unwrap());
    let mut sound = Tally::default();
    try_file(&whole, folder.path(), &mut sound);
    assert_eq!(sound, Tally { loaded: 1, ..Tally::default() });
    let mut tally = Tally::default();
    for number in 0..1000 {
        try_file(&damage_file(&whole, number), folder.path(), &mut tally);
    }
    // All three ends are tried.
    assert!(tally.refused > 50 && tally.not_loaded > 200 && tally.loaded > 20, "{tally:?}");
}

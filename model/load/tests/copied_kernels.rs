//! Kernels of sources that lie in several folders.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::fs;
use std::path::Path;

use derate_load::{LoadedFolder, Preprocess, load_folder};

const KERNEL: &str = "#include \"size.h\"\n\
    void scale(const float a[N], float b[N]) {\n\
    #pragma HLS interface ap_memory port = a\n\
    each: for (int i = 0; i < N; i++) b[i] = a[i] * 2.0f;\n}\n";

fn write_design(dir: &Path, name: &str, size: u32, clock: u32) {
    let folder = dir.join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("scale.cpp"), KERNEL).unwrap();
    fs::write(folder.join("size.h"), format!("#define N {size}\n")).unwrap();
    let script = format!(
        "open_project p\nset_top scale\nadd_files scale.cpp\nopen_solution s\n\
         set_part xcu280-fsvh2892-2L-e\ncreate_clock -period {clock}\ncsynth_design\n"
    );
    fs::write(folder.join("run.tcl"), script).unwrap();
}

/// Design, files, period and cycles of each kernel.
fn list_kernels(folder: &LoadedFolder) -> Vec<(String, Vec<String>, f64, f64)> {
    let models = |design| -> Option<_> {
        let design: &derate_estimate::DesignFiles = design;
        Some((design.name.clone(), design.kernel_models(&folder.sources)?))
    };
    let all = folder.designs.iter().filter_map(models);
    let kernels = all.flat_map(|(name, models)| {
        models.kernels.iter().map(move |one| {
            assert_eq!(one.program.files, one.answer.files);
            let cycles = one.answer.latency.expected;
            (name.clone(), one.answer.files.clone(), models.settings.clock_ns, cycles)
        })
    });
    kernels.collect()
}

#[test]
fn a_copy_has_the_kernels_of_its_own_folder() {
    let designs = [("a", 64, 10), ("b", 64, 10), ("c", 64, 3), ("d", 1000, 10)];
    let together = tempfile::tempdir().unwrap();
    let mut alone = Vec::new();
    for (name, size, clock) in designs {
        write_design(together.path(), name, size, clock);
        let dir = tempfile::tempdir().unwrap();
        write_design(dir.path(), name, size, clock);
        let folder = load_folder(dir.path(), &Preprocess::default()).unwrap();
        alone.extend(list_kernels(&folder));
    }
    let folder = load_folder(together.path(), &Preprocess::default()).unwrap();
    let kernels = list_kernels(&folder);
    assert_eq!(kernels.len(), designs.len(), "{kernels:?}");
    assert_eq!(kernels, alone);
    assert_eq!(kernels[1].1, ["b/scale.cpp", "b/size.h"]);
    assert!(kernels[0].3 < kernels[3].3, "{kernels:?}");
}

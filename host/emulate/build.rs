//! Compiles the kernels of `hls/kernels` for the emulator: shared objects that the library carries, one for each level of the
//! processor that is worth it. Loading the best one at run time keeps the program itself portable.

use std::path::{Path, PathBuf};

/// Levels of x86-64, the least first. Without wide vectors a product of matrices takes several times as long.
const LEVELS: [&str; 3] = ["x86-64", "x86-64-v3", "x86-64-v4"];

fn main() {
    // The build script of derate-hls says where its C++ is, in the repository or in a package.
    let hls = std::env::var_os("DEP_DERATE_HLS_ROOT").expect("derate-hls says where its files are");
    let hls = Path::new(&hls);
    for folder in ["kernels", "sim", "sim/derate"] {
        println!("cargo::rerun-if-changed={}", hls.join(folder).display());
    }
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let x86 = std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "x86_64");
    let levels: &[&str] = if x86 { &LEVELS } else { &["native"] };
    let mut list = String::from("[\n");
    for (index, level) in levels.iter().enumerate() {
        let image = out.join(format!("kernels-{level}.so"));
        let flag = x86.then(|| format!("-march={level}"));
        match compile(hls, &image, flag.as_deref()) {
            Ok(()) => list.extend([
                "    (\"",
                level,
                "\", include_bytes!(\"",
                &image.display().to_string(),
                "\").as_slice()),\n",
            ]),
            // An old compiler may not know the higher levels.
            Err(said) if index > 0 => println!("cargo::warning=no kernels for {level}: {said}"),
            Err(said) => panic!("the emulator's kernels do not compile: {said}"),
        }
    }
    list.push_str("]\n");
    std::fs::write(out.join("images.rs"), list).expect("OUT_DIR can be written");
}

/// One shared object. On Linux it brings its own C++ library along, so that it loads where none is installed.
fn compile(hls: &Path, image: &Path, march: Option<&str>) -> Result<(), String> {
    let mut build = cc::Build::new();
    build.cpp(true).std("c++17").opt_level(3).debug(false).cargo_metadata(false);
    // Lanes of a word are short loops of constant length: unrolled, they are vector instructions.
    build.flag_if_supported("--param=max-completely-peeled-insns=2000");
    // What is unique in the process stays loaded.
    build.flag_if_supported("-fno-gnu-unique");
    let mut command = build.get_compiler().to_command();
    command.args(["-shared", "-fPIC", "-s", "-fvisibility=hidden", "-Wno-unknown-pragmas"]);
    command.arg("-DDERATE_TESTED_RANGES");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        command.args(["-static-libstdc++", "-static-libgcc", "-Wl,--exclude-libs,ALL"]);
    }
    command.args(march).arg("-I").arg(hls.join("sim")).arg(hls.join("sim/kernels.cpp"));
    let output = command.arg("-o").arg(image).output().map_err(|error| {
        format!("{}: {error}; install g++ or set CXX", command.get_program().display())
    })?;
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.success() { Ok(()) } else { Err(said.lines().take(3).collect()) }
}

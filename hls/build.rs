//! Says where the C++ of this crate lies: the build script of `derate-emulate` compiles the kernels.

fn main() {
    let root = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::metadata=root={root}");
}

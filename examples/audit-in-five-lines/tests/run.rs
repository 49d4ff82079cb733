//! The program finds the alias that lies.

use std::path::Path;
use std::process::Command;

#[test]
fn it_prints_the_findings_of_an_example() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bfloat16-header");
    let run =
        Command::new(env!("CARGO_BIN_EXE_audit-in-five-lines")).arg(project).output().unwrap();
    let printed = String::from_utf8(run.stdout).unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert!(printed.contains("precision/alias-width: "), "{printed}");
}

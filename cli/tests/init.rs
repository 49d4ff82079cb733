//! `derate init`: what it writes, and that it says whether the next command can use that.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod derate;

use std::fs;

use derate::derate_in;

#[test]
fn an_empty_folder_gets_a_starter_and_no_success() {
    let dir = tempfile::tempdir().unwrap();
    derate_in(dir.path(), &["init"]).assert_refused("no dump was found");
    let starter = fs::read_to_string(dir.path().join("derate.toml")).unwrap();
    assert!(starter.contains("model.named_parameters()"), "{starter}");
    // Filled in as it says, it is one that can be used.
    fs::write(
        dir.path().join("model_shape.txt"),
        "fc.weight: torch.Size([8, 4]) [torch.float32]\n",
    )
    .unwrap();
    assert_eq!(derate_in(dir.path(), &["audit"]).code, 0);
}

#[test]
fn what_init_calls_done_can_be_audited() {
    for (dump, code) in [
        ("fc.weight: torch.Size([8, 4]) [torch.float32]\n", 0),
        // No 2-D weight: the linear workload has nothing to model.
        ("norm.weight: torch.Size([8]) [torch.float32]\n", 2),
    ] {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("dump.txt"), dump).unwrap();
        let init = derate_in(dir.path(), &["init"]);
        assert_eq!(init.code, code, "{}{}", init.stdout, init.stderr);
        assert_eq!(derate_in(dir.path(), &["audit"]).code, code);
        if code == 2 {
            init.assert_refused("which `derate audit` cannot use as it is: derate.toml:");
        }
    }
}

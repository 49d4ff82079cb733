//! A damaged design among the arguments of a program: XRT reads it in the program's own process, and may end that by a signal.

use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

use derate_host::xclbin::{Design, HEADER_BYTES, Xclbin};

/// No design is larger.
const LARGEST: u64 = 1 << 30;

/// What is wrong with a file that says it is a design, as a note; `None` for any other file, and for a sound design.
pub(super) fn find_damage(path: &Path) -> Option<String> {
    let mut file = File::open(path).ok()?;
    let about = file.metadata().ok().filter(std::fs::Metadata::is_file)?;
    let mut head = [0; HEADER_BYTES];
    file.read_exact(&mut head).ok()?;
    let (said, is) = (Xclbin::stated_length(&head)?, about.len());
    let name = path.display().to_string();
    let remedy = "copy or make it again; `derate emu inspect` shows what is missing";
    // XRT hands what there is of a file to the device, which sees no file.
    if is < said {
        return Some(format!("note: {name} ends early, after {is} of its {said} bytes: {remedy}"));
    }
    file.rewind().ok()?;
    let mut bytes = Vec::new();
    file.take(LARGEST).read_to_end(&mut bytes).ok()?;
    let xrt = "XRT may end the program by a signal for it";
    match Xclbin::read(&name, &bytes) {
        Err(error) => Some(format!("note: {error}; {xrt}: {remedy}")),
        Ok(xclbin) => {
            let of_design = Design::of(&xclbin).problems;
            let problem = xclbin.problems.iter().chain(&of_design).next()?;
            Some(format!("note: {name} is damaged: {problem}; {xrt}: {remedy}"))
        }
    }
}

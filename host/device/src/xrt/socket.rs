//! Where XRT's emulations put the socket to their device: below a folder that is named after the user. Where that cannot be,
//! XRT ends its caller, or signals the caller's whole process group.

use std::path::Path;

use rustix::fs::{Access, access};

use super::XrtError;
use derate_emulate::swemu::SOCKETS;

/// The longest name of a socket that XRT makes do with, in bytes.
const LONGEST: usize = 106;

/// Whether the socket of this process can be there.
pub(super) fn check_socket(user: Option<&str>) -> Result<(), XrtError> {
    let wrong = |text: String| Err(XrtError::Setup(text));
    let Some(user) = user else {
        return wrong(
            "USER is not set, and XRT names its socket after it: set USER, or use `derate emu run`"
                .to_owned(),
        );
    };
    let folder = Path::new(SOCKETS).join(user);
    let shown = folder.display();
    // XRT counts devices and designs, and adds the process.
    let socket = folder.join(format!("device0_99_{}", std::process::id()));
    let length = socket.as_os_str().len();
    if length > LONGEST {
        return wrong(format!(
            "XRT's socket {} would have a name of {length} bytes, and {LONGEST} are the most: set a shorter USER, or use `derate emu run`",
            socket.display()
        ));
    }
    let there = std::fs::symlink_metadata(&folder).is_ok();
    let place = if there { Some(folder.as_path()) } else { folder.parent() };
    let access = |place: &Path| access(place, Access::WRITE_OK | Access::EXEC_OK).is_ok();
    if place.is_some_and(|place| place.is_dir() && access(place)) {
        return Ok(());
    }
    let what = if there { "is not a folder that can be written" } else { "cannot be made" };
    wrong(format!(
        "{shown}, where XRT puts its socket, {what}, and XRT would end the process: move what is there, or use `derate emu run`"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_that_cannot_be_is_refused_before_xrt_tries() {
        let said = |user: &str| check_socket(Some(user)).unwrap_err().to_string();
        assert!(check_socket(None).unwrap_err().to_string().contains("USER is not set"));
        assert!(said(&"x".repeat(110)).contains("106 are the most"));
        let room = LONGEST - SOCKETS.len() - format!("//device0_99_{}", std::process::id()).len();
        let short = "x".repeat(room);
        assert_eq!(check_socket(Some(&short)), Ok(()));
        assert!(said(&format!("{short}x")).contains("are the most"));
        let file = tempfile::Builder::new().prefix("derate-test-").tempfile_in(SOCKETS).unwrap();
        let name = file.path().file_name().unwrap().to_str().unwrap();
        assert!(said(name).contains("is not a folder that can be written"));
        assert!(said(&format!("{name}/below")).contains("cannot be made"));
        let folder = tempfile::Builder::new().prefix("derate-test-").tempdir_in(SOCKETS).unwrap();
        assert_eq!(check_socket(folder.path().file_name().unwrap().to_str()), Ok(()));
        let dangling = folder.path().join("link");
        std::os::unix::fs::symlink("nowhere", &dangling).unwrap();
        let name = dangling.strip_prefix(SOCKETS).unwrap().to_str().unwrap().to_owned();
        assert!(said(&name).contains("is not a folder"));
    }
}

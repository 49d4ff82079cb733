//! The socket that XRT listens on while it waits for its device.

use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::SwemuError;
use super::emconfig::{EMCONFIG_PATH, count_cards};

/// Where XRT puts its sockets, below a folder that is named as `USER`; it asks no variable for another.
pub const SOCKETS: &str = "/tmp";
/// XRT listens before it starts the device, so this is plenty.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where the socket of this process is, by the variables that XRT sets for its device.
fn socket_path() -> Result<PathBuf, SwemuError> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let id = variable("EMULATION_SOCKETID").ok_or(SwemuError::Variable("EMULATION_SOCKETID"))?;
    Ok(match variable("USER") {
        Some(user) => PathBuf::from(SOCKETS).join(user).join(id),
        // What 2.13 does without it; later ones refuse to run.
        None => PathBuf::from(SOCKETS).join("xcl_sock"),
    })
}

/// The position of the card that the program opened, which XRT puts into the socket's name: `device0_1_4711`.
fn card_index() -> Option<u64> {
    let id = std::env::var("EMULATION_SOCKETID").ok()?;
    id.strip_prefix("device")?.split('_').next()?.parse().ok()
}

/// Connects to the program that started this process, where it asks for a card that there is.
pub fn connect_program() -> Result<UnixStream, SwemuError> {
    let path = socket_path()?;
    if let (Some(index), Ok(folder)) = (card_index(), std::env::var(EMCONFIG_PATH))
        && let Some(cards) = count_cards(&folder).filter(|&cards| index >= cards)
    {
        return Err(SwemuError::NoCard { index, cards });
    }
    let begin = Instant::now();
    loop {
        match UnixStream::connect(&path) {
            Ok(stream) => return Ok(stream),
            Err(error) if begin.elapsed() > PATIENCE => {
                let (path, reason) = (path.display().to_string(), error.to_string());
                return Err(SwemuError::Connect { path, reason });
            }
            Err(_) => sleep(Duration::from_millis(2)),
        }
    }
}

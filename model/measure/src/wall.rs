//! The host's clock beside the device's.

use super::Run;
use derate_units::Seconds;
use derate_units::figures::{count, quantity};

/// Two clocks differ by less.
const CLOCKS: f64 = 1e-3;

fn total_time(times: &[Seconds]) -> Seconds {
    times.iter().copied().sum()
}

/// A repetition, or all of them, that lasted longer than the host, which waited for it, saw pass.
pub(super) fn check_wall_clock(run: &Run) -> Option<String> {
    let (device, host) = (&run.seconds, &run.wall_seconds);
    if device.is_empty() || host.is_empty() {
        return None;
    }
    let longer = |device: Seconds, host: Seconds| device.0 > host.0 * (1.0 + CLOCKS);
    let (which, device, host) = if device.len() == host.len() {
        let mut pairs = device.iter().zip(host).enumerate();
        let (at, (&device, &host)) = pairs.find(|(_, (device, host))| longer(**device, **host))?;
        (format!("Repetition {} took", at + 1), device, host)
    } else {
        ("All repetitions took".to_owned(), total_time(device), total_time(host))
    };
    longer(device, host).then(|| {
        format!(
            "{which} {} by `seconds` and {} by `wall_seconds`: the host waits for the device, so its clock cannot show less.",
            quantity(device),
            quantity(host)
        )
    })
}

/// As many times of the one as of the other belong together.
pub(super) fn check_pairs(run: &Run) -> Option<String> {
    let (device, host) = (run.seconds.len(), run.wall_seconds.len());
    (host > 0 && host != device).then(|| {
        format!(
            "It has {} in `seconds` and {} in `wall_seconds`: give one of each for every repetition.",
            count(device, "time"),
            count(host, "time")
        )
    })
}

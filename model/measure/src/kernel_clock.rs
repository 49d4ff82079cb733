use super::VerdictReason;
use derate_machine::Platform;
use derate_units::Hertz;
use derate_units::figures::quantity;

/// The last entry of the frequency table of the driver of XRT (`clock.c` of xocl): it sets no kernel
/// clock above.
const XRT: Hertz = Hertz(650e6);

/// A counter on the card may show a little more than was set.
pub(super) const COUNTER: f64 = 1.005;

/// No clock of a kernel or a memory is set below.
const LEAST: Hertz = Hertz(1e6);

/// A clock so slow that it is another unit than hertz.
pub(super) fn check_unit(code: &'static str, key: &str, clock: Hertz) -> Option<VerdictReason> {
    (clock < LEAST).then(|| {
        VerdictReason::new(
            code,
            format!(
                "`{key}` is {}, and no such clock is below {}: it is given in hertz, 300 MHz as 300000000.",
                quantity(clock),
                quantity(LEAST)
            ),
        )
    })
}

/// A kernel clock that a card's slices do not bear, or that nothing sets.
pub(super) fn check_clock(clock: Hertz, platform: &Platform) -> Option<VerdictReason> {
    // A card with a platform file of its own may have another driver.
    let ours = Platform::names().any(|name| platform.name.eq_ignore_ascii_case(name));
    let sentence = if let Some(fastest) = platform.exceeded_clock(clock) {
        format!(
            "`kernel_clock` says that the kernel ran at {}, and the slices of {} bear at most {}.",
            quantity(clock),
            platform.title,
            quantity(fastest.value)
        )
    } else if ours && clock.0 > COUNTER * XRT.0 {
        format!(
            "`kernel_clock` says that the kernel ran at {}, and XRT sets kernel clocks of at most {} (the frequency table of \
             its driver for PCIe cards). Give the clock that `xbutil examine` shows.",
            quantity(clock),
            quantity(XRT)
        )
    } else {
        return None;
    };
    Some(VerdictReason::new("kernel-clock", sentence))
}

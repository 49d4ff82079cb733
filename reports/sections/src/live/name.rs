//! What formulas call the inputs.

pub(crate) const CLAIMED_PRECISION: &str = "claimed_precision";
pub(crate) const BUILT_PRECISION: &str = "built_precision";
pub(crate) const CLAIMED_BANDWIDTH: &str = "claimed_bandwidth";
pub(crate) const DERATED_BANDWIDTH: &str = "derated_bandwidth";
pub(crate) const TOKENS: &str = "tokens";
pub(crate) const CAMERAS: &str = "cameras";
pub(crate) const LANGUAGE_TOKENS: &str = "language_tokens";
pub(crate) const DENOISE_STEPS: &str = "denoise_steps";
pub(crate) const CHUNK: &str = "chunk";
pub(crate) const PREFIX_TOKENS: &str = "prefix_tokens";
pub(crate) const KERNEL_CLOCK: &str = "kernel_clock";
pub(crate) const DSP_BUDGET: &str = "dsp_budget";
/// What the names of a format's claimed peak and of what its multiply-add costs begin with.
pub(crate) const CLAIMED_PEAK: &str = "claimed_peak";
pub(crate) const DSP_PER_MAC: &str = "dsp_per_mac";
pub(crate) const MACS_PER_DSP: &str = "macs_per_dsp";
pub(crate) const ON_CHIP: &str = "on_chip";
/// What the design is based on.
pub(crate) const DESIGN_PRECISION: &str = "design_precision";
pub(crate) const DESIGN_BANDWIDTH: &str = "design_bandwidth";
pub(crate) const DESIGN_CLOCK: &str = "design_clock";
pub(crate) const ARRAY_ROWS: &str = "array_rows";
pub(crate) const ARRAY_COLUMNS: &str = "array_columns";
pub(crate) const ARRAY_UNROLL: &str = "array_unroll";
pub(crate) const ARRAY_INTERVAL: &str = "array_interval";
pub(crate) const ARRAY_FILL: &str = "array_fill";
pub(crate) const ARRAY_LANES: &str = "array_lanes";
pub(crate) const MEMORY_LATENCY: &str = "memory_latency";
pub(crate) const LAUNCH: &str = "launch";
/// Multiply-adds per cycle, DSP slices, TOP/s and MHz of the array.
pub(crate) const ARRAY_MACS: &str = "array_macs";
pub(crate) const ARRAY_DSP: &str = "array_dsp";
pub(crate) const ARRAY_PEAK: &str = "array_peak";
pub(crate) const ARRAY_CLOCK: &str = "array_clock";
/// The schedule that is asked about.
pub(crate) const SCHEDULE: &str = "schedule";

/// How many inputs have another value than derate's.
pub(crate) use derate_render::INPUTS_CHANGED;

/// `lead_key` with letters, digits and underscores alone: `claimed_peak_ap_fixed_18_8`.
pub(crate) fn name_for(lead: &str, key: &str) -> String {
    let mut name = format!("{lead}_");
    let mut before = None;
    for letter in key.chars() {
        // A sign is not the same as none; a hyphen joins words.
        let sign = letter == '-' && !before.is_some_and(char::is_alphanumeric);
        before = Some(letter);
        match letter {
            'a'..='z' | 'A'..='Z' | '0'..='9' => name.push(letter),
            '-' if sign => name.push_str("minus"),
            _ if name.ends_with('_') => {}
            _ => name.push('_'),
        }
    }
    name.trim_end_matches('_').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_of_letters_and_digits() {
        assert_eq!(name_for(CLAIMED_PEAK, "ap_fixed<18,8>"), "claimed_peak_ap_fixed_18_8");
        assert_ne!(name_for("p", "fixed<8,-1>"), name_for("p", "fixed<8,1>"));
        assert_eq!(name_for("used_bandwidth", "as-built"), "used_bandwidth_as_built");
    }
}

//! Measurements: `derate validate_recordings` with a claim about the U280 and one about whatever was measured; and files of times.
#![no_main]

use derate_fuzz::{show, text};
use derate_model::measurement::{
    BandwidthClaim, Measurement, Recording, RecordingContent, Verdict, validate_recordings,
};
use derate_model::measurement::times::{MeasuredTime, read_summary, read_timestamps};
use derate_model::units::BytesPerSecond;
use derate_reports::sections;
use libfuzzer_sys::fuzz_target;

/// Times that files of the runtime and of hosts give.
fn read_times(text: &str) {
    for read in [read_summary("s.csv", text), read_timestamps("s.csv", text)] {
        match read {
            Ok(times) => {
                let is_time = |time: &MeasuredTime| time.time.value.0 > 0.0;
                assert!(!times.is_empty() && times.iter().all(is_time), "a time is above zero");
            }
            Err(error) => assert!(!error.to_string().contains('\n'), "one sentence: {error}"),
        }
    }
}

fuzz_target!(|data: &[u8]| {
    read_times(&text(data));
    let recording = match Recording::parse("run.json", &text(data)) {
        Ok(recording) => recording,
        Err(error) => {
            assert!(!error.to_string().contains('\n'), "an error is one sentence: {error}");
            return;
        }
    };
    if let RecordingContent::Measurement(measurement) = &recording.content {
        let again = Measurement::parse("run.json", &measurement.to_json());
        assert!(again.is_ok(), "what is written is read again: {again:?}");
    }
    let any = BandwidthClaim::from_option(BytesPerSecond(1e3));
    let validation = validate_recordings(&[], &[recording], &BandwidthClaim::of_u280(), &[any]);
    for figure in validation.files.iter().flat_map(|file| &file.figures) {
        if figure.verdict == Verdict::Supported {
            let (bandwidth, peak) = (figure.bandwidth.as_ref(), figure.peak.as_ref());
            let (Some(bandwidth), Some(peak)) = (bandwidth, peak) else {
                panic!("supported without figures");
            };
            assert!(bandwidth.value <= peak.value, "above the peak");
        }
    }
    let _ = serde_json::to_string(&validation);
    show(&sections::validation(&validation));
});

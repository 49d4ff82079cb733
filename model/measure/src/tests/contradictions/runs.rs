//! Runs that say the opposite of one another.

use super::*;

#[test]
fn runs_of_one_size_that_say_the_opposite_leave_it_open() {
    let second = |rate: f64, bytes: f64| {
        move |m: &mut Measurement| {
            let mut run = m.runs[0].clone();
            (run.size, run.bytes_read, run.bytes_written) =
                (Some(Bytes(bytes / 2.0)), Some(Bytes(bytes / 2.0)), Some(Bytes(bytes / 2.0)));
            run.seconds = [1.0, 1.01, 1.02].map(|times| Seconds(times * bytes / rate)).to_vec();
            m.runs.push(run);
        }
    };
    for bytes in [BYTES, 0.95 * BYTES, 1.05 * BYTES] {
        open("runs-disagree", second(195e9, bytes));
        accepts(second(300e9, bytes));
    }
    // Small sizes measure the launch.
    accepts(second(195e9, 0.01 * BYTES));
    open("runs-disagree", second(195e9, 0.1 * BYTES));
    let mut measurement = good();
    second(300e9, 0.95 * BYTES)(&mut measurement);
    let notes = judge_measurement(&measurement, &claim(300e9)).notes;
    assert!(notes.iter().any(|note| note.starts_with("runs[1], of practically")), "{notes:?}");
    // Bare rates say no size, so none is larger than the other.
    let bare = |rate| Run { stated_bandwidth: Some(BytesPerSecond(rate)), ..Run::default() };
    open("runs-disagree", |m| {
        m.provenance = Provenance::Published;
        m.runs = vec![bare(400e9), bare(200e9)];
    });
}

#[test]
fn files_of_one_setup_that_say_the_opposite_leave_it_open() {
    let slower = |m: &mut Measurement| {
        m.runs[0].seconds.iter_mut().for_each(|time| *time = *time * 2.0);
    };
    let verdicts = |change: fn(&mut Measurement)| {
        let mut second = good();
        slower(&mut second);
        change(&mut second);
        let files = [("a.json", good()), ("b.json", second)].map(|(name, measurement)| Recording {
            file: name.to_owned(),
            content: RecordingContent::Measurement(Box::new(measurement)),
        });
        let validation = validate_recordings(&[], &files, &claim(300e9), &[claim(100e9)]);
        // Of a claim that both support they say the same.
        assert_eq!(validation.beside[0].verdicts, [Verdict::Supported; 2]);
        let files = validation.files;
        (files[0].verdict, files[1].verdict, codes(&files[0].figures[0].reasons))
    };
    let open = (Verdict::Inconclusive, Verdict::Inconclusive, vec!["runs-disagree"]);
    assert_eq!(verdicts(|_| {}), open);
    let apart = (Verdict::Supported, Verdict::Refuted, vec!["share"]);
    assert_eq!(verdicts(|m| m.kernel_clock = Some(Hertz(299e6))), apart);
    assert_eq!(verdicts(|m| m.versions.xclbin = Some("another".to_owned())), apart);
}

#[test]
fn a_larger_run_does_not_outvote_a_settled_one() {
    let with = |bytes: f64, rate: f64| {
        move |m: &mut Measurement| {
            let mut other = m.runs[0].clone();
            (other.size, other.bytes_read) = (Some(Bytes(bytes / 2.0)), Some(Bytes(bytes / 2.0)));
            other.bytes_written = other.bytes_read;
            other.seconds = [1.0, 1.001, 1.002].map(|x| Seconds(x * bytes / rate)).to_vec();
            m.runs.push(other);
        }
    };
    open("runs-disagree", with(2e9, 150e9));
    accepts(with(2e9, 380e9));
    // A launch is not a small part of so few bytes.
    accepts(with(2e8, 150e9));
}

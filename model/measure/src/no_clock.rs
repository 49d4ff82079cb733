//! A `source` that says outright that no clock took the times.

use super::{Measurement, Reason};

/// What is no measurement, as sources say it. Words end where they are written to end.
const SAID: [&str; 22] = [
    "roofline model",
    "bandwidth model",
    "performance model",
    "analytical model",
    "predicted",
    "prediction of",
    "derate predict",
    "derate estimate",
    "made this up",
    "made it up",
    "made them up",
    "made up",
    "invented",
    "no card was used",
    "no card used",
    "no fpga was used",
    "no hardware",
    "without a card",
    "without hardware",
    "spreadsheet",
    "qemu",
    "without optimisation",
];

/// Words before one of them that say the opposite, or hold the times against it.
const BEFORE: [&str; 10] =
    ["not", "no", "never", "nothing", "than", "as", "like", "against", "vs", "versus"];

/// Articles that may stand between.
const ARTICLES: [&str; 5] = ["a", "an", "the", "was", "of"];

/// Words of a text in lower case.
fn words(text: &str) -> Vec<String> {
    let parts = text.split(|sign: char| !sign.is_alphanumeric());
    parts.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// Whether the words before deny what follows.
fn denied(before: &[String]) -> bool {
    let mut words = before.iter().rev().map(String::as_str).filter(|word| !ARTICLES.contains(word));
    match words.next() {
        Some("with" | "to") => words.next() == Some("compared"),
        word => word.is_some_and(|word| BEFORE.contains(&word)),
    }
}

fn said(words: &[String]) -> Option<&'static str> {
    SAID.into_iter().find(|said| {
        let wanted: Vec<&str> = said.split(' ').collect();
        let starts = words.windows(wanted.len()).enumerate();
        let mut here = starts.filter(|(_, part)| part.iter().zip(&wanted).all(|(a, b)| a == b));
        here.any(|(at, _)| !denied(words.get(..at).unwrap_or_default()))
    })
}

/// `one bank times 32`, `x32`: a part's figure, multiplied.
fn multiplied(words: &[String]) -> Option<String> {
    let part =
        |word: &str| ["bank", "channel", "port", "stack"].contains(&word.trim_end_matches('s'));
    let number = |word: &str| !word.is_empty() && word.bytes().all(|sign| sign.is_ascii_digit());
    let one = words.windows(2).position(|two| {
        matches!(two, [one, of] if ["one", "1", "single"].contains(&one.as_str()) && part(of))
    })?;
    let rest = words.get(one + 2..)?;
    let followed = rest.windows(2).find_map(|two| match two {
        [by, factor] if ["times", "x", "by"].contains(&by.as_str()) && number(factor) => {
            Some(format!("{by} {factor}"))
        }
        _ => None,
    });
    let joined = || rest.iter().find(|word| word.strip_prefix('x').is_some_and(number)).cloned();
    followed.or_else(joined)
}

/// Why times that are said to be taken were not.
pub(super) fn reason(measurement: &Measurement) -> Option<Reason> {
    let words = words(&measurement.source);
    let found = said(&words).map(str::to_owned).or_else(|| multiplied(&words))?;
    Some(Reason::new(
        "source",
        format!(
            "`source` says `{found}`: what no clock took on the device, or what was multiplied, is no measurement of it. If a clock did, \
             give a `source` that says which."
        ),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<String> {
        let words = words(text);
        said(&words).map(str::to_owned).or_else(|| multiplied(&words))
    }

    #[test]
    fn words_that_deny_a_clock_are_found() {
        for text in [
            "roofline model of the U280",
            "Bandwidth model, 32 channels",
            "predicted for 300 MHz",
            "derate predict --platform u280",
            "one bank times 32",
            "a single channel, x32",
            "HBM: one bank x 32",
            "I made this up",
            "no card was used",
            "a spreadsheet",
            "QEMU run",
            "reckoned with a spreadsheet",
            "according to the roofline model",
        ] {
            assert!(found(text).is_some(), "{text}");
        }
    }

    #[test]
    fn words_that_only_look_like_them_are_not() {
        for text in [
            "the host's clock, as predicted",
            "XRT host timer, against the bandwidth model",
            "not made up",
            "compared with a roofline model",
            "kernel times on one bank of 32",
            "the model name of the card is on its back",
            "32 ports, one bank each, median of 5 times",
            "XRT host timer on lab machine fpga03, 2026-11-02",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}

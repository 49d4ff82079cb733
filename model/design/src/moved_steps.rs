//! Lines that were put in or taken out between the loops that a report names in a file.

use derate_hls::split_words;

/// Fewer loops may fit elsewhere by chance.
const LOOPS: usize = 3;
/// So many lines may have been put in or taken out in all.
const FAR: u64 = 200;
/// So many lines may have been put in or taken out behind the last loop.
const BEHIND: i64 = 20;

/// Where the loops of a report are in the text of today: both have as many, and from one to the next only lines were put in,
/// or only lines were taken out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Steps {
    /// The line in the report and the line of today, in order.
    places: Vec<(i64, i64)>,
}

impl Steps {
    /// The steps from the lines of loops in a report to those in a text; `None` where they are other loops.
    pub(crate) fn find(mut reported: Vec<i64>, lines: &[String]) -> Option<Self> {
        reported.sort_unstable();
        reported.dedup();
        let heads = (1..).zip(lines).filter(|(_, line)| is_head(line)).map(|(number, _)| number);
        let heads: Vec<i64> = heads.collect();
        if reported.len() < LOOPS || reported.len() != heads.len() {
            return None;
        }
        let places: Vec<(i64, i64)> = reported.into_iter().zip(heads).collect();
        let by: Vec<i64> = places.iter().map(|(old, new)| new.saturating_sub(*old)).collect();
        let is_put_in = by[0] >= 0 && by.is_sorted();
        let is_taken_out = by[0] <= 0 && by.iter().rev().is_sorted();
        let is_near = by.iter().all(|by| by.unsigned_abs() <= FAR);
        (is_near && (is_put_in || is_taken_out)).then_some(Self { places })
    }

    /// The line of today of a loop.
    pub(crate) fn line_of_loop(&self, line: i64) -> Option<i64> {
        self.places.iter().find(|(old, _)| *old == line).map(|(_, new)| *new)
    }

    /// The line of today of what is between two loops: the first that fits of those to which it may have moved. Behind the last
    /// loop more lines may have been put in or taken out, too.
    pub(crate) fn find_line(&self, line: i64, fits: impl Fn(i64) -> bool) -> Option<i64> {
        let next = self.places.partition_point(|(old, _)| *old <= line);
        let by = |at: usize| self.places.get(at).map(|(old, new)| new - old);
        let before = next.checked_sub(1).and_then(by).unwrap_or(0);
        let is_put_in = self.places.iter().any(|(old, new)| new > old);
        let behind = by(next).unwrap_or(if is_put_in { before + BEHIND } else { before - BEHIND });
        let moved = |by: i64| line.saturating_add(by);
        if is_put_in {
            (before..=behind).map(moved).find(|line| fits(*line))
        } else {
            (behind..=before).rev().map(moved).find(|line| fits(*line))
        }
    }
}

/// Whether a loop begins in a line; the end of `do { } while (x);` is none.
fn is_head(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    let is_word = |words: &[&str]| split_words(code).any(|word| words.contains(&word));
    let ends = code.trim_end().ends_with(';') && code.trim_start().starts_with(['}', 'w']);
    is_word(&["for", "do"]) || is_word(&["while"]) && !ends
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(reported: &[i64], text: &str) -> Option<Vec<(i64, i64)>> {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        Steps::find(reported.to_vec(), &lines).map(|steps| steps.places)
    }

    #[test]
    fn lines_are_put_in_between_loops_or_taken_out() {
        let text = "for (;;) {}\n// for the next one\nwhile (a) {\n}\ndo {\n} while (b);\n";
        assert_eq!(find(&[1, 2, 3], text), Some(vec![(1, 1), (2, 3), (3, 5)]));
        assert_eq!(find(&[1, 4, 7], text), Some(vec![(1, 1), (4, 3), (7, 5)]));
        // Lines were put in and taken out, one loop is gone, and two are few.
        assert_eq!(find(&[1, 2, 6], text), None);
        assert_eq!(find(&[1, 2, 3, 4], text), None);
        assert_eq!(find(&[1, 2, i64::MAX], text), None);
        assert_eq!(find(&[1, 2], "for (;;) {}\n\nfor (;;) {}\n"), None);
    }

    #[test]
    fn what_is_between_two_loops_moves_by_no_more_than_they() {
        let lines: Vec<String> = "for\n\npragma\n\nfor\nfor\n".lines().map(str::to_owned).collect();
        let steps = Steps::find(vec![1, 3, 4], &lines).unwrap();
        let fits = |line: i64| line == 3;
        assert_eq!(steps.find_line(2, fits), Some(3));
        assert_eq!(steps.find_line(1, fits), Some(3));
        // Behind the last loop, which moved by two lines, more may have been put in; none was taken out.
        assert_eq!(steps.find_line(5, |line| line == 9), Some(9));
        assert_eq!(steps.find_line(5, |line| line == 6), None);
        assert_eq!(steps.find_line(i64::MAX, |line| line == 6), None);
    }
}

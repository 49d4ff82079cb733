//! When a report was written.

/// The date of a report, in the clock of the machine that wrote it.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct ReportDate {
    year: u16,
    month: u8,
    day: u8,
    time: [u8; 3],
}

/// Words of a date with a time zone.
const ZONED: usize = 6;

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

impl ReportDate {
    /// `Sun Aug 16 10:08:22 2026`, as all reports print it; a co-simulation with a zone and a full stop, `10:08:22 CEST 2026.`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut words: Vec<&str> =
            text.trim_end().trim_end_matches('.').split_whitespace().collect();
        if words.len() == ZONED {
            words.remove(ZONED - 2);
        }
        let [_, month, day, time, year] = words[..] else { return None };
        let month = MONTHS.iter().position(|name| *name == month)?;
        let time: Vec<u8> = time.split(':').map_while(|part| part.parse().ok()).collect();
        Some(Self {
            year: year.parse().ok()?,
            month: u8::try_from(month + 1).ok()?,
            day: day.parse().ok()?,
            time: time.try_into().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::ReportDate;

    #[test]
    fn dates_are_in_order() {
        let date = |text| ReportDate::parse(text);
        let (old, new) = ("Sat Dec 22 04:14:05 2018", "Tue Jan  1 00:00:00 2019");
        assert!(date(old).is_some() && date(old) < date(new));
        assert_eq!(date("Sat Dec 22 04:14:05 RTZ 2018."), date(old));
        for word in ["", "22 Dec 2018", "Sat Dez 22 04:14:05 2018", "Sat Dec 22 04:14 2018"] {
            assert_eq!(date(word), None, "{word}");
        }
    }
}

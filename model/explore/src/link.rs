//! The lines of a v++ configuration that make the compute units of a kernel.

use derate_hls::{Connectivity, Entry, EntryValue, Kernels, MemoryPin, Span};

use crate::array::Insertion;

/// Other units in a v++ configuration, and what that does to the lines about them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkChange {
    /// The changes of the text.
    pub edits: Vec<Insertion>,
    /// Units that come, each with the one whose banks it gets.
    pub shared: Vec<(String, String)>,
    /// Units that come without an SLR, where the others have one.
    pub unplaced: Vec<String>,
    /// Units that come without streams, where the others have some.
    pub unwired: Vec<String>,
    /// Units that go, with their `sp=` and `slr=`.
    pub gone: Vec<String>,
    /// Lines that name a unit that goes, and stay: their number and text.
    pub left: Vec<(usize, String)>,
}

/// Why the units of a kernel cannot be changed in a v++ configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkRefusal {
    /// Another program fills in an `nk=`.
    Template,
    /// Several `nk=` are of the kernel.
    SeveralEntries,
    /// The `nk=` has more or fewer names than units.
    OtherNames,
}

/// Makes `count` units of a kernel, which the configuration may call by any of `names`; the first is its name where there is
/// no `nk=` of it yet.
///
/// # Errors
///
/// [`LinkRefusal`] where the text does not say how many units there are.
pub fn change_units(
    text: &str,
    connectivity: &Connectivity,
    names: &[&str],
    count: u64,
) -> Result<LinkChange, LinkRefusal> {
    let is_template = |entry: &&Entry| {
        is_key(entry, "nk") && matches!(entry.value, EntryValue::Unknown(_) | EntryValue::Flag)
    };
    if connectivity.entries.iter().any(|entry| is_template(&entry)) {
        return Err(LinkRefusal::Template);
    }
    let of_kernel = |one: &&Kernels| names.contains(&one.kernel.value.as_str());
    let own: Vec<&Kernels> = connectivity.kernels.iter().filter(of_kernel).collect();
    let name = own.first().map_or_else(
        || names.first().copied().unwrap_or_default(),
        |one| one.kernel.value.as_str(),
    );
    let mut change = LinkChange::default();
    // Without `nk=`, v++ makes one unit.
    let (old, new) = match own.as_slice() {
        [] => {
            change.edits.push(add_entry(text, connectivity, &format!("{name}:{count}")));
            (vec![format!("{name}_1")], number_units(name, count))
        }
        [one] if one.names.is_empty() => {
            let range = range_of(one.count.span);
            change.edits.push(Insertion { range, text: count.to_string() });
            (number_units(name, one.count.value), number_units(name, count))
        }
        [one] => {
            let old = one.unit_names();
            if old.len() as u64 != one.count.value {
                return Err(LinkRefusal::OtherNames);
            }
            let others = connectivity.kernels.iter().filter(|other| other.span != one.span);
            let others: Vec<String> = others.flat_map(Kernels::unit_names).collect();
            let new = name_units(&old, name, count, &others);
            let (first, last) =
                (&one.names[0].span, one.names.last().unwrap_or(&one.names[0]).span);
            let given = &text[range_of(Span { end: last.end, ..*first })];
            let mark = given.chars().find(|sign| matches!(sign, '.' | ',')).unwrap_or('.');
            let list = new.join(&mark.to_string());
            let before = &text[one.count.span.end..first.start];
            let range = one.count.span.start..last.end;
            change.edits.push(Insertion { range, text: format!("{count}{before}{list}") });
            (old, new)
        }
        _ => return Err(LinkRefusal::SeveralEntries),
    };
    change.gone = old.iter().filter(|unit| !new.contains(unit)).cloned().collect();
    let come: Vec<&String> = new.iter().filter(|unit| !old.contains(unit)).collect();
    copy_pins(text, connectivity, &old, &come, &mut change);
    drop_pins(text, connectivity, &mut change);
    change.edits.sort_by_key(|edit| edit.range.start);
    Ok(change)
}

fn number_units(kernel: &str, count: u64) -> Vec<String> {
    (1..=count).map(|number| format!("{kernel}_{number}")).collect()
}

/// The first names that are there, and more in their manner: the last one's number or letter counts on. None is that of a unit
/// of another kernel.
fn name_units(old: &[String], kernel: &str, count: u64, others: &[String]) -> Vec<String> {
    let kept = old.iter().take(count.try_into().unwrap_or(usize::MAX));
    let mut names: Vec<String> = kept.cloned().collect();
    while (names.len() as u64) < count {
        let is_free = |name: &String| !names.contains(name) && !others.contains(name);
        let next = names.last().and_then(|last| next_name(last)).filter(is_free);
        let mut numbered = (1..).map(|number| format!("{kernel}_{number}"));
        let free = next.or_else(|| numbered.find(is_free));
        names.extend(free);
    }
    names
}

/// `gemm_2` for `gemm_1`, `gemm_b` for `gemm_a`.
fn next_name(name: &str) -> Option<String> {
    let stem = name.trim_end_matches(|sign: char| sign.is_ascii_digit());
    let digits = &name[stem.len()..];
    if let Ok(number) = digits.parse::<u64>() {
        let next = number.checked_add(1)?;
        return Some(format!("{stem}{next:0width$}", width = digits.len()));
    }
    let (stem, letter) = name.rsplit_once('_')?;
    match letter.as_bytes() {
        [letter @ (b'a'..=b'y' | b'A'..=b'Y')] => {
            Some(format!("{stem}_{}", char::from(letter + 1)))
        }
        _ => None,
    }
}

fn range_of(span: Span) -> std::ops::Range<usize> {
    span.start..span.end
}

fn is_key(entry: &Entry, name: &str) -> bool {
    let key = entry.key.value.to_ascii_lowercase();
    key.rsplit('.').next() == Some(name)
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |more| at + more + 1)
}

fn line_break(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// A line behind the one that ends here.
fn add_line(text: &str, at: usize, line: &str) -> Insertion {
    let end = line_break(text);
    let gap = if at == 0 || text[..at].ends_with('\n') { "" } else { end };
    Insertion { range: at..at, text: format!("{gap}{line}{end}") }
}

/// A new `nk=`, written as the one before it or as another line about units.
fn add_entry(text: &str, connectivity: &Connectivity, value: &str) -> Insertion {
    let last = |name: &str| {
        let all = connectivity.entries.iter().rev();
        all.filter(|entry| is_key(entry, name)).find_map(|entry| match &entry.value {
            EntryValue::Text(given) => Some((entry.key.span, given.span)),
            _ => None,
        })
    };
    let (like, is_last) = match (last("nk"), last("sp").or_else(|| last("slr"))) {
        (Some(like), _) => (Some(like), true),
        (None, like) => (like, false),
    };
    if let Some((key, given)) = like {
        let start = line_start(text, key.start);
        let key_text = &text[range_of(key)];
        let stem = &key_text[..key_text.rfind('.').map_or(0, |dot| dot + 1)];
        let before = &text[start..key.start];
        let line = [before, stem, "nk", &text[key.end..given.start], value].concat();
        let at = if is_last { line_end(text, given.end) } else { start };
        return add_line(text, at, &line);
    }
    let line = format!("nk={value}");
    let mut at = 0;
    for one in text.split_inclusive('\n') {
        at += one.len();
        if one.trim().eq_ignore_ascii_case("[connectivity]") {
            return add_line(text, at, &line);
        }
    }
    add_line(text, text.len(), &["[connectivity]", line_break(text), &line].concat())
}

/// Gives the units that come the banks of those that are there, one after another.
fn copy_pins(
    text: &str,
    connectivity: &Connectivity,
    old: &[String],
    come: &[&String],
    change: &mut LinkChange,
) {
    let is_old = |pin: &&MemoryPin| old.contains(&pin.unit.value);
    let Some(last) = connectivity.memory.iter().rfind(is_old) else {
        return place_units(connectivity, old, come, change);
    };
    let mut lines = Vec::new();
    for (unit, like) in come.iter().zip(old.iter().cycle()) {
        let before = lines.len();
        let own = connectivity.memory.iter().filter(|pin| pin.unit.value == *like);
        lines.extend(own.map(|pin| {
            let start = line_start(text, pin.span.start);
            let after = &text[pin.unit.span.end..pin.span.end];
            [&text[start..pin.unit.span.start], unit, after].concat()
        }));
        if lines.len() > before {
            change.shared.push(((*unit).clone(), like.clone()));
        }
    }
    if !lines.is_empty() {
        let at = line_end(text, last.span.end);
        change.edits.push(add_line(text, at, &lines.join(line_break(text))));
    }
    place_units(connectivity, old, come, change);
}

/// Where a unit goes, and what its streams are connected to, is for the user to say.
fn place_units(
    connectivity: &Connectivity,
    old: &[String],
    come: &[&String],
    change: &mut LinkChange,
) {
    if connectivity.slr.iter().any(|pin| old.contains(&pin.unit.value)) {
        change.unplaced = come.iter().map(|unit| (*unit).clone()).collect();
    }
    let ends = connectivity.streams.iter().flat_map(|link| [&link.from.value, &link.to.value]);
    let mut units = ends.map(|end| end.split('.').next().unwrap_or(end));
    if units.any(|unit| old.iter().any(|one| one == unit)) {
        change.unwired = come.iter().map(|unit| (*unit).clone()).collect();
    }
}

/// Drops `sp=` and `slr=` of the units that go, and finds what else names them.
fn drop_pins(text: &str, connectivity: &Connectivity, change: &mut LinkChange) {
    let gone = std::mem::take(&mut change.gone);
    let pins = connectivity.memory.iter().map(|pin| (&pin.unit.value, pin.span));
    let dies = connectivity.slr.iter().map(|pin| (&pin.unit.value, pin.span));
    for (_, span) in pins.chain(dies).filter(|(unit, _)| gone.contains(unit)) {
        let range = line_start(text, span.start)..line_end(text, span.end);
        change.edits.push(Insertion { range, text: String::new() });
    }
    for entry in &connectivity.entries {
        let EntryValue::Text(value) = &entry.value else { continue };
        if ["nk", "sp", "slr"].iter().any(|key| is_key(entry, key)) {
            continue;
        }
        let is_name = |sign: char| sign.is_alphanumeric() || sign == '_';
        if value.value.split(|sign| !is_name(sign)).any(|word| gone.iter().any(|one| one == word)) {
            let line = text[..value.span.start].matches('\n').count() + 1;
            change.left.push((line, format!("{}={}", entry.key.value, value.value)));
        }
    }
    change.gone = gone;
}

#[cfg(test)]
mod tests {
    use super::*;
    use derate_hls::{Sources, read_connectivity};

    fn read(text: &str) -> Connectivity {
        let mut sources = Sources::default();
        let file = sources.add("link.cfg", text);
        read_connectivity(&sources, file).unwrap()
    }

    fn change(text: &str, count: u64) -> (String, LinkChange) {
        let change = change_units(text, &read(text), &["gemm", "product"], count).unwrap();
        let mut new = text.to_owned();
        for edit in change.edits.iter().rev() {
            new.replace_range(edit.range.clone(), &edit.text);
        }
        // What was written is read again: the units are those that were asked for.
        let again = read(&new);
        assert!(again.unread.is_empty(), "{new}");
        let own =
            again.kernels.iter().find(|one| ["gemm", "product"].contains(&&*one.kernel.value));
        let own = own.unwrap();
        let names = own.unit_names();
        assert_eq!((own.count.value, names.len() as u64), (count, count), "{new}");
        let is_made = |unit: &String| names.contains(unit) || !unit.starts_with("gemm");
        assert!(again.memory.iter().all(|pin| is_made(&pin.unit.value)), "{new}");
        assert!(again.slr.iter().all(|pin| is_made(&pin.unit.value)), "{new}");
        (new, change)
    }

    #[test]
    fn a_count_is_replaced_and_the_new_units_get_banks() {
        let text = "[connectivity]\nnk=load:1\nnk=gemm:1 # one\nsp=gemm_1.a:HBM[0]\nsp=gemm_1.b:HBM[1]\nslr=gemm_1:SLR0\n";
        let (new, change) = change(text, 3);
        assert!(new.contains("nk=gemm:3 # one\n"), "{new}");
        assert!(
            new.contains("sp=gemm_1.b:HBM[1]\nsp=gemm_2.a:HBM[0]\nsp=gemm_2.b:HBM[1]\nsp=gemm_3.a"),
            "{new}"
        );
        assert_eq!(change.shared.len(), 2);
        assert_eq!(change.unplaced, ["gemm_2", "gemm_3"]);
    }

    #[test]
    fn names_go_on_in_their_manner() {
        let (new, _) = change("[connectivity]\nnk = gemm:2:gemm_a.gemm_b\n", 3);
        assert_eq!(new, "[connectivity]\nnk = gemm:3:gemm_a.gemm_b.gemm_c\n");
        let (new, _) = change("[connectivity]\nnk=gemm:2:left,right\n", 3);
        assert_eq!(new, "[connectivity]\nnk=gemm:3:left,right,gemm_1\n");
        let (new, _) = change("nk=gemm:1:gemm_09", 2);
        assert_eq!(new, "nk=gemm:2:gemm_09.gemm_10");
    }

    #[test]
    fn names_of_other_units_are_not_taken_and_streams_are_said() {
        let text =
            "[connectivity]\nnk=gemm:1:SK0\nnk=add:1:SK1\nsc=SK0.out:SK1.in:32\nslr=SK0:SLR0\n";
        let (new, change) = change(text, 3);
        assert!(new.contains("nk=gemm:3:SK0.gemm_1.gemm_2\n"), "{new}");
        assert_eq!((change.unwired.as_slice(), change.shared.len()), (&change.unplaced[..], 0));
        assert_eq!(change.unwired, ["gemm_1", "gemm_2"]);
    }

    #[test]
    fn units_that_go_take_their_lines_along() {
        let text = "[connectivity]\r\nnk=gemm:2:gemm_1.gemm_2\r\nsp=gemm_1.a:DDR[0]\r\nsp=gemm_2.a:DDR[1]\r\nslr=gemm_2:SLR1\r\nsc=gemm_2.out:load_1.in\r\n[profile]\r\ndata=gemm:gemm_2:all\r\n";
        let (new, change) = change(text, 1);
        assert!(new.contains("nk=gemm:1:gemm_1\r\nsp=gemm_1.a:DDR[0]\r\nsc="), "{new}");
        assert_eq!(change.gone, ["gemm_2"]);
        let left: Vec<usize> = change.left.iter().map(|(line, _)| *line).collect();
        assert_eq!(left, [6, 8]);
    }

    #[test]
    fn a_kernel_without_an_entry_gets_one() {
        let (new, _) = change("--connectivity.nk load:1\n--connectivity.sp load_1.a:DDR[0]", 2);
        assert_eq!(
            new,
            "--connectivity.nk load:1\n--connectivity.nk gemm:2\n--connectivity.sp load_1.a:DDR[0]"
        );
        let (new, _) = change("kernel_frequency=300\n[connectivity]\nsp=gemm_1.a:DDR[0]\n", 2);
        assert!(
            new.contains("[connectivity]\nnk=gemm:2\nsp=gemm_1.a:DDR[0]\nsp=gemm_2.a:DDR[0]\n"),
            "{new}"
        );
        assert_eq!(change("", 4).0, "[connectivity]\nnk=gemm:4\n");
    }

    #[test]
    fn what_is_not_plain_is_refused() {
        let refused = |text: &str| change_units(text, &read(text), &["gemm"], 2).unwrap_err();
        assert_eq!(refused("nk=gemm:${UNITS}\n"), LinkRefusal::Template);
        assert_eq!(refused("nk=gemm:1:a\nnk=gemm:1:b\n"), LinkRefusal::SeveralEntries);
        assert_eq!(refused("nk=gemm:3:a.b\n"), LinkRefusal::OtherNames);
    }
}

use super::bank::BankRange;
use super::config::{
    Connectivity, Entry, EntryValue, FrequencyOption, Kernels, MemoryPin, SlrPin, StreamLink,
};
use super::error::ConnectivityError;
use crate::csynth::{Decimal, Located};
use crate::{FileId, Settled, Sources, Span, Unparsed};

/// The largest that was seen has some hundred lines.
const LIMIT: usize = 8 << 20;

/// Reads a v++ configuration (`.cfg`, `.ini`). Any text is one, if a poor one: what cannot be
/// read is listed with the reason.
pub fn read_connectivity(
    sources: &Sources,
    file: FileId,
) -> Result<Connectivity, ConnectivityError> {
    let text = sources.text(file);
    if text.len() > LIMIT {
        let name = sources.name(file).to_owned();
        return Err(ConnectivityError::TooLarge { name, bytes: text.len(), limit: LIMIT });
    }
    let mut reader = Reader { out: Connectivity::default(), section: String::new() };
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let whole = Located { value: line, span: Span { file, start, end: start + line.len() } };
        start += line.len();
        reader.read_line(trim_text(whole));
    }
    Ok(reader.out)
}

type Text<'a> = Located<&'a str>;

/// Without the blanks around it.
fn trim_text(text: Text<'_>) -> Text<'_> {
    let start = text.span.start + (text.value.len() - text.value.trim_start().len());
    let value = text.value.trim_start_matches('\u{feff}').trim();
    let bom = text.value.len() - text.value.trim_start_matches('\u{feff}').len();
    let start = start + bom;
    Located { value, span: Span { start, end: start + value.len(), ..text.span } }
}

/// What is before and after a mark.
fn split_once<'a>(text: &Text<'a>, mark: char) -> Option<(Text<'a>, Text<'a>)> {
    let at = text.value.find(mark)?;
    Some((cut_part(text, 0, at), cut_part(text, at + mark.len_utf8(), text.value.len())))
}

fn cut_part<'a>(text: &Text<'a>, from: usize, to: usize) -> Text<'a> {
    let value = text.value.get(from..to).unwrap_or("");
    let start = text.span.start + from;
    trim_text(Located { value, span: Span { start, end: start + value.len(), ..text.span } })
}

fn split_parts<'a>(text: &Text<'a>, marks: &[char]) -> Vec<Text<'a>> {
    let mut all = Vec::new();
    let mut from = 0;
    for (at, sign) in text.value.char_indices().filter(|(_, sign)| marks.contains(sign)) {
        all.push(cut_part(text, from, at));
        from = at + sign.len_utf8();
    }
    all.push(cut_part(text, from, text.value.len()));
    all.retain(|one| !one.value.is_empty());
    all
}

fn to_located(text: &Text<'_>) -> Located<String> {
    Located { value: text.value.to_owned(), span: text.span }
}

/// The form of template that a text is in, if it is one.
fn template_form(text: &str) -> Option<&'static str> {
    let pair = |open: &str, close: &str| {
        text.find(open).is_some_and(|at| text[at + open.len()..].contains(close))
    };
    if text.contains("$PY_CODE_GEN") {
        Some("a line of Python that generates lines (`$PY_CODE_GEN`)")
    } else if pair("${", "}") {
        Some("a variable that is filled in later (`${...}`)")
    } else if has_braced(text) || pair("{%", "%}") {
        Some("a template that is filled in later (`{{...}}`)")
    } else if pair("@", "@") {
        Some("a variable that CMake fills in (`@...@`)")
    } else if has_percent_name(text) {
        Some("a placeholder that a generator fills in (`%...%`)")
    } else if pair("$", "$") {
        Some("a placeholder that a generator fills in (`$...$`)")
    } else if text.split('$').skip(1).any(|rest| rest.starts_with(char::is_alphabetic)) {
        Some("a variable of the shell (`$NAME`)")
    } else {
        None
    }
}

/// Whether a text has something between double braces. A list of Tcl has braces in it: `{{a b} {c d}}`.
fn has_braced(text: &str) -> bool {
    text.split("{{")
        .skip(1)
        .any(|rest| rest.split_once("}}").is_some_and(|(inner, _)| !inner.contains(['{', '}'])))
}

/// Whether a text has a name between two percent signs: `SLR%KERNEL_SLR_ID%`.
fn has_percent_name(text: &str) -> bool {
    let is_name = |part: &str| {
        let mut letters = part.chars();
        letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
            && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let parts: Vec<&str> = text.split('%').collect();
    let within = parts.len().saturating_sub(1);
    parts.get(1..within).unwrap_or_default().iter().any(|part| is_name(part))
}

struct Reader {
    out: Connectivity,
    section: String,
}

impl Reader {
    fn note_unread(&mut self, span: Span, reason: impl Into<String>) {
        self.out.unread.push(Unparsed { span, reason: reason.into() });
    }

    fn read_line(&mut self, line: Text<'_>) {
        if line.value.starts_with(['#', ';']) {
            self.out.comments.push(line.span);
        }
        if line.value.is_empty() || line.value.starts_with(['#', ';']) {
            return;
        }
        if line.value.starts_with('[') && !line.value.contains('=') {
            match line.value[1..].split_once(']') {
                Some((name, _)) if template_form(name).is_none() => {
                    self.section = name.trim().to_ascii_lowercase();
                }
                _ => self.note_unread(line.span, "a section that cannot be read"),
            }
            return;
        }
        let whole = line.span;
        let line = without_comment(&line);
        self.out.comments.extend(comment_behind(whole, line.span));
        // Options may be written as on the command line.
        let dashes = line.value.len() - line.value.trim_start_matches('-').len();
        let bare = cut_part(&line, dashes, line.value.len());
        let (key, value) = match split_once(&bare, '=') {
            Some((key, value)) => (key, Some(value)),
            None => match bare.value.split_once(char::is_whitespace) {
                Some((key, _)) if dashes > 0 => {
                    let end = key.len();
                    (cut_part(&bare, 0, end), Some(cut_part(&bare, end, bare.value.len())))
                }
                _ => (bare, None),
            },
        };
        let unknown = template_form(line.value);
        let entry = Entry {
            section: self.section.clone(),
            key: to_located(&key),
            value: match (unknown, &value) {
                (Some(form), _) => EntryValue::Unknown(form.to_owned()),
                (None, Some(value)) => EntryValue::Text(to_located(value)),
                (None, None) => EntryValue::Flag,
            },
        };
        self.out.entries.push(entry);
        match (unknown, value) {
            (Some(form), _) => self.note_unread(line.span, form),
            (None, Some(value)) => self.read_entry(key.value, &value, line.span),
            (None, None) => {
                if self.section == "connectivity" {
                    self.note_unread(line.span, "a line without `=`");
                }
            }
        }
    }

    fn read_entry(&mut self, key: &str, value: &Text<'_>, span: Span) {
        let dotted = key.to_ascii_lowercase();
        let (group, name) = dotted.rsplit_once('.').unwrap_or((self.section.as_str(), &dotted));
        let wired = matches!(group, "connectivity" | "");
        let read = match name {
            "nk" if wired => read_kernels(value, span).map(|one| self.out.kernels.push(one)),
            "sp" if wired => read_memory(value, span).map(|one| self.out.memory.push(one)),
            "slr" if wired => read_slr(value, span).map(|one| self.out.slr.push(one)),
            "stream_connect" | "sc" if wired => {
                read_stream(value, span).map(|one| self.out.streams.push(one))
            }
            "freqhz" | "defaultfreqhz" => {
                self.out.frequencies.extend(read_frequencies(key, value, span, 1e6));
                Ok(())
            }
            "kernel_frequency" | "frequency" | "freq" => {
                self.out.frequencies.extend(read_frequencies(key, value, span, 1.0));
                Ok(())
            }
            _ => Ok(()),
        };
        if let Err(reason) = read {
            self.note_unread(span, reason);
        }
    }
}

/// A comment may follow a value, after a blank.
fn without_comment<'a>(line: &Text<'a>) -> Text<'a> {
    let bytes = line.value.as_bytes();
    let starts =
        |at: &usize| matches!(bytes[*at], b'#' | b';') && bytes[at - 1].is_ascii_whitespace();
    let end = (1..bytes.len()).find(starts).unwrap_or(bytes.len());
    cut_part(line, 0, end)
}

/// What `without_comment` took off, without the blanks around it.
fn comment_behind(whole: Span, rest: Span) -> Option<Span> {
    (rest.end < whole.end).then_some(Span { start: rest.end, ..whole })
}

fn read_count(text: &Text<'_>) -> Settled<Located<u64>> {
    let number = text.value.parse().map_err(|_| format!("`{}` is not a count", text.value))?;
    Ok(Located { value: number, span: text.span })
}

fn read_name(text: &Text<'_>, what: &str) -> Settled<Located<String>> {
    if text.value.is_empty() || text.value.contains(char::is_whitespace) {
        return Err(format!("`{}` does not name the {what}", text.value).into());
    }
    Ok(to_located(text))
}

fn read_kernels(value: &Text<'_>, span: Span) -> Settled<Kernels> {
    let (kernel, rest) = split_once(value, ':').ok_or("`nk=` needs kernel:count")?;
    let (number, names) = match split_once(&rest, ':') {
        Some((number, names)) => (number, split_parts(&names, &['.', ','])),
        None => (rest, Vec::new()),
    };
    let count = read_count(&number)?;
    let names = names.iter().map(to_located).collect();
    Ok(Kernels { kernel: read_name(&kernel, "kernel")?, count, names, span })
}

fn read_memory(value: &Text<'_>, span: Span) -> Settled<MemoryPin> {
    let (pin, banks) = split_once(value, ':').ok_or("`sp=` needs unit.argument:bank")?;
    let (unit, argument) =
        split_once(&pin, '.').ok_or("`sp=` needs unit.argument before the colon")?;
    let range = BankRange::parse(banks.value)?;
    Ok(MemoryPin {
        unit: read_name(&unit, "compute unit")?,
        argument: read_name(&argument, "argument")?,
        banks: Located { value: range, span: banks.span },
        span,
    })
}

fn read_slr(value: &Text<'_>, span: Span) -> Settled<SlrPin> {
    let (unit, slr) = split_once(value, ':').ok_or("`slr=` needs unit:SLR")?;
    Ok(SlrPin { unit: read_name(&unit, "compute unit")?, slr: read_name(&slr, "die")?, span })
}

fn read_stream(value: &Text<'_>, span: Span) -> Settled<StreamLink> {
    let ends = split_parts(value, &[':']);
    let (from, to, depth) = match ends.as_slice() {
        [from, to] => (from, to, None),
        [from, to, depth] => (from, to, Some(read_count(depth)?)),
        _ => return Err("a stream needs from:to, with a depth at most".into()),
    };
    Ok(StreamLink { from: read_name(from, "stream")?, to: read_name(to, "stream")?, depth, span })
}

/// `freqHz=300000000:gemm_1.ap_clk`, `kernel_frequency=300`, `kernel_frequency=0:300|1:500`.
fn read_frequencies(
    key: &str,
    value: &Text<'_>,
    span: Span,
    per_megahertz: f64,
) -> Vec<FrequencyOption> {
    let one = |text: &Text<'_>| {
        // Megahertz come behind the clock's number, hertz in front of what they are for.
        let (number, targets) = match split_once(text, ':') {
            None => (cut_part(text, 0, text.value.len()), Vec::new()),
            Some((clock, number)) if per_megahertz < 2.0 => (number, vec![to_located(&clock)]),
            Some((number, pins)) => {
                (number, split_parts(&pins, &[',']).iter().map(to_located).collect())
            }
        };
        let megahertz = match Decimal::parse(number.value, "") {
            Decimal::Known(given) => Decimal::Known(given / per_megahertz),
            unknown @ Decimal::Unknown(_) => unknown,
        };
        let megahertz = Located { value: megahertz, span: number.span };
        FrequencyOption { key: key.to_owned(), megahertz, targets, span }
    };
    split_parts(&trim_quotes(value), &['|']).iter().map(one).collect()
}

fn trim_quotes<'a>(text: &Text<'a>) -> Text<'a> {
    let inner = text.value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.map_or_else(
        || cut_part(text, 0, text.value.len()),
        |inner| cut_part(text, 1, 1 + inner.len()),
    )
}

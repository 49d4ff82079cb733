//! `hls_config.cfg` of the unified flow: `syn.directive.pipeline=top/loop II=1`.

use super::tcl::{FLAGS, SOLUTION, TclFile, TclSetting, read_place};
use super::words::split_words;

/// What an `hls_config.cfg` asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HlsConfig {
    /// Its directives and settings, as a Tcl file has them.
    pub file: TclFile,
    /// `syn.top`
    pub top: Option<String>,
    /// `syn.file`, in order.
    pub sources: Vec<String>,
    /// `tb.file`, in order.
    pub benches: Vec<String>,
    /// The words of `syn.cflags` and `syn.csimflags`' sibling `syn.file_cflags`: `-I`, `-D`.
    pub cflags: Vec<String>,
    /// `clock`, as written: `300MHz`, `3.33ns`, `3.33`; else `freqhz` in the same form.
    pub clock: Option<String>,
    /// `clock_uncertainty`, as written: `27%`, `0.9ns`.
    pub clock_uncertainty: Option<String>,
    /// `part`
    pub part: Option<String>,
    /// `platform`, as written: a path to an `.xpfm`, or a name
    pub platform: Option<String>,
}

/// Keys of the flow that say nothing of the schedule.
const ELSEWHERE: [&str; 6] = ["tb.", "csim.", "cosim.", "vivado.", "package.", "sim."];

/// Reads the keys of the `[hls]` section, and of the lines before the first section. Those of other sections are v++'s.
pub fn read_hls_config(text: &str) -> HlsConfig {
    let mut config = HlsConfig::default();
    let mut within = true;
    for (number, line) in (1_u32..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        if let Some(section) = line.strip_prefix('[') {
            within = section.trim_end_matches(']').trim().eq_ignore_ascii_case("hls");
            continue;
        }
        if within && read_entry(line, number, &mut config).is_none() {
            config.file.unread.push((number, line.to_owned()));
        }
    }
    config
}

fn read_entry(line: &str, number: u32, config: &mut HlsConfig) -> Option<()> {
    let (key, value) = line.split_once('=')?;
    let (key, value) = (key.trim(), value.trim());
    match key {
        "part" => config.part = Some(value.to_owned()),
        "clock" => config.clock = Some(value.to_owned()),
        // What v++ takes too; `clock` goes before it.
        "freqhz" => {
            let hertz: f64 = value.parse().ok().filter(|hertz| *hertz > 0.0)?;
            config.clock.get_or_insert_with(|| format!("{}MHz", hertz / 1e6));
        }
        "clock_uncertainty" => config.clock_uncertainty = Some(value.to_owned()),
        "syn.top" => config.top = Some(value.to_owned()),
        "syn.file" => config.sources.push(value.to_owned()),
        "tb.file" => config.benches.push(value.to_owned()),
        "syn.cflags" => config.cflags.extend(split_words(value)),
        // The file that the flags are for comes first.
        "syn.file_cflags" => {
            let flags = value.split_once(',').map_or(value, |(_, flags)| flags);
            config.cflags.extend(split_words(flags));
        }
        "platform" => config.platform = Some(value.to_owned()),
        "flow_target" => {
            let options = vec![(key.to_owned(), Some(value.to_owned()))];
            config.file.settings.push(TclSetting { command: SOLUTION.to_owned(), options });
        }
        "debug" | "syn.csimflags" => {}
        _ if ELSEWHERE.iter().any(|prefix| key.starts_with(prefix)) => {}
        _ => {
            let setting = key.strip_prefix("syn.")?;
            if let Some(kind) = setting.strip_prefix("directive.") {
                let (options, plain) = split_options(value);
                config.file.directives.push(read_place(kind, &options, &plain, number)?);
            } else {
                let (command, option) = setting.split_once('.')?;
                let options = vec![(option.to_owned(), Some(value.to_owned()))];
                config.file.settings.push(TclSetting { command: command.to_owned(), options });
            }
        }
    }
    Some(())
}

/// `key=value` and flags, and the words that are neither.
fn split_options(text: &str) -> (Vec<(String, Option<String>)>, Vec<String>) {
    let (mut options, mut plain) = (Vec::new(), Vec::new());
    for word in split_words(text) {
        match word.split_once('=') {
            Some((key, value)) => options.push((key.to_owned(), Some(value.to_owned()))),
            None if FLAGS.contains(&word.as_str()) => options.push((word, None)),
            None => plain.push(word),
        }
    }
    (options, plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use derate_frontend::DirectiveKind;

    #[test]
    fn a_config_reads_as_a_tcl_file_does() {
        let text = "part=xcu280-fsvh2892-2L-e\n[hls]\nflow_target=vitis\nclock=300MHz\nsyn.file=a.cpp\n\
                    syn.top=top\nsyn.cflags=-Iinc -DN=4\nsyn.directive.pipeline=top/L1 II=2\n\
                    syn.directive.array_partition=top A type=cyclic factor=4 dim=2\n\
                    syn.directive.pipeline=f/L2 off\nsyn.compile.unsafe_math_optimizations=1\n\
                    tb.file=tb.cpp\nodd\n[connectivity]\nnk=top:1\n";
        let config = read_hls_config(text);
        assert_eq!(config.part.as_deref(), Some("xcu280-fsvh2892-2L-e"));
        assert_eq!((config.top.as_deref(), config.clock.as_deref()), (Some("top"), Some("300MHz")));
        assert_eq!(
            (config.sources, config.cflags),
            (vec!["a.cpp".into()], vec!["-Iinc".into(), "-DN=4".into()])
        );
        let [pipeline, cut, off] = config.file.directives.as_slice() else { panic!() };
        assert_eq!((pipeline.label.as_deref(), pipeline.line), (Some("L1"), 8));
        assert!(matches!(&pipeline.kind, DirectiveKind::Pipeline(one) if one.ii.is_some()));
        assert_eq!(cut.variable.as_deref(), Some("A"));
        assert!(off.off);
        assert!(config.file.opens_solution());
        let commands: Vec<&str> =
            config.file.settings.iter().map(|one| one.command.as_str()).collect();
        assert_eq!(commands, ["solution", "compile"]);
        assert_eq!(config.file.unread, [(13, "odd".to_owned())]);
    }

    #[test]
    fn a_clock_goes_before_a_frequency() {
        let clock = |text: &str| read_hls_config(text).clock;
        assert_eq!(clock("freqhz=200000000\n[hls]\n").as_deref(), Some("200MHz"));
        for text in ["freqhz=200000000\n[hls]\nclock=4ns\n", "clock=4ns\nfreqhz=200000000\n"] {
            assert_eq!(clock(text).as_deref(), Some("4ns"));
        }
        let odd = read_hls_config("freqhz=fast\n");
        assert_eq!((odd.clock, odd.file.unread.len()), (None, 1));
    }
}

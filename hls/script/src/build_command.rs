//! Command lines of the tools in Makefiles, shell scripts and `CMake`: `v++ -c -k vadd --kernel_frequency 300`.

use std::borrow::Cow;

use super::build_variables::BuildVariables;
use super::build_words::{is_compiler, list_words, runs};
use super::compile_command::read_compiled;
use super::project::{ScriptClock, ScriptProject, ScriptSolution};

/// A word with a variable whose value is not known.
const UNKNOWN: &str = "$";
/// The command of `CMake` that builds a kernel of TAPA.
const TAPA_TARGET: &str = "add_tapa_target";
/// The option of `SDSoC` before a function of the hardware and its file: `-sds-hw sobel sobel.cpp -sds-end`.
const SDSOC_KERNEL: &str = "-sds-hw";

/// The tops and clocks that command lines name, and what they compile with which `-I`. A variable counts that the file gives
/// one value; what only a run decides is left out. The sources are `compiled`, and not `files`: several commands may compile one.
#[must_use]
pub fn read_build_commands(text: &str) -> ScriptProject {
    let lines = list_lines(text);
    let is_tapa = ["tapa ", "tapac", TAPA_TARGET].iter().any(|name| text.contains(name));
    let variables = BuildVariables::of(&lines);
    let (mut project, mut clocks) = (ScriptProject::default(), Vec::new());
    let mut has_all = true;
    for line in &lines {
        let words: Vec<String> = list_words(line)
            .map(|word| variables.write_out(word).unwrap_or_else(|| UNKNOWN.to_owned()))
            .collect();
        for top in list_tops(line, &words, is_tapa) {
            has_all &= top != UNKNOWN;
            if !project.tops.contains(top) {
                project.tops.push(top.clone());
            }
        }
        for period in list_clocks(&words, is_tapa).into_iter().chain(read_printed_clock(line)) {
            if !clocks.contains(&period) {
                clocks.push(period);
            }
        }
    }
    // Some of the kernels are not known, so none is named.
    if !has_all {
        project.tops.clear();
    }
    let compiled = read_compiled(&lines, &variables);
    (project.compiled, project.cflags) = (compiled.sources, compiled.flags);
    project.configs = compiled.configs;
    let own = |period| ScriptClock { period, ..ScriptClock::default() };
    if !clocks.is_empty() {
        let clocks = clocks.into_iter().map(own).collect();
        project.solutions.push(ScriptSolution { clocks, ..ScriptSolution::default() });
    }
    project
}

/// The lines without comments; what a backslash continues and what the parentheses of `add_tapa_target` hold is one line.
fn list_lines(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let (mut whole, mut open) = (String::new(), false);
    for line in text.lines() {
        let line = write_places(without_comment(line).trim_end());
        let continued = line.strip_suffix('\\');
        whole.push_str(continued.unwrap_or(&line));
        whole.push(' ');
        open = (open || line.contains(TAPA_TARGET)) && !line.contains(')');
        if continued.is_none() && !open {
            lines.push(std::mem::take(&mut whole));
        }
    }
    lines.push(whole);
    lines
}

/// A line with the paths that `$(realpath ../src)` and `$(abspath ../src)` make absolute, as they are written.
fn write_places(line: &str) -> Cow<'_, str> {
    let mut written = Cow::Borrowed(line);
    for call in ["$(realpath ", "$(abspath "] {
        while let Some((before, behind)) = written.split_once(call)
            && let Some((path, rest)) = behind.split_once(')')
            && !path.contains('(')
        {
            written = Cow::Owned(format!("{before}{}{rest}", path.trim()));
        }
    }
    written
}

/// A line of a build file without its comment: `#` begins one where nothing, a blank or a `;` is before it.
#[must_use]
pub fn without_comment(line: &str) -> &str {
    let begins = |&(at, _): &(usize, &str)| {
        at == 0 || line[..at].ends_with(|before: char| before.is_whitespace() || before == ';')
    };
    line.match_indices('#').find(begins).map_or(line, |(at, _)| &line[..at])
}

/// The kernels that a line compiles or links.
fn list_tops<'w>(line: &str, words: &'w [String], is_tapa: bool) -> Vec<&'w String> {
    // `TAPA_FLAGS += --top k`, where a line below runs `tapa compile $(TAPA_FLAGS)`.
    let gives = || line.split_once('=').is_some_and(|(name, _)| name.contains("TAPA"));
    let options: &[&str] = if is_compiler(line) {
        &["-k", "--kernel"]
    } else if runs(line, &["tapac", "tapacc", "tapa"]) || is_tapa && gives() {
        &["--top"]
    } else if line.contains(TAPA_TARGET) {
        &["TOP"]
    } else if line.contains(SDSOC_KERNEL) {
        &[SDSOC_KERNEL]
    } else {
        return Vec::new();
    };
    let named = words.windows(2).filter(|pair| options.contains(&pair[0].as_str()));
    let is_name = |name: &&String| {
        name.as_str() == UNKNOWN
            || name.starts_with(|c: char| c.is_alphabetic() || c == '_')
                && name.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    named.map(|pair| &pair[1]).filter(is_name).collect()
}

/// The clocks that options ask for, as quantities.
fn list_clocks(words: &[String], is_tapa: bool) -> Vec<String> {
    let read = |pair: &[String]| {
        let value = pair[1].as_str();
        if value == UNKNOWN {
            return None;
        }
        match pair[0].as_str() {
            // `300`, or `0:300` for the first clock.
            "--kernel_frequency" => {
                let own = value.strip_prefix("0:").unwrap_or(value);
                Some(format!("{} MHz", read_number(own.split('|').next()?)?))
            }
            "--hls.clock" | "--freqhz" | "--clock.freqHz" | "--clock.defaultFreqHz" => {
                let own = value.split(':').next()?;
                Some(read_number(own).map_or_else(|| own.to_owned(), |hertz| format!("{hertz} Hz")))
            }
            // Other tools have the option, too.
            "--clock-period" if is_tapa => Some(format!("{} ns", read_number(value)?)),
            "CLOCK_PERIOD" if words.iter().any(|one| one.starts_with(TAPA_TARGET)) => {
                Some(format!("{} ns", read_number(value)?))
            }
            _ => None,
        }
    };
    words.windows(2).filter_map(read).collect()
}

/// The clock of a line of Tcl that a shell script prints: `echo "create_clock -period 150MHz"`.
fn read_printed_clock(line: &str) -> Option<String> {
    let printed = line.trim().strip_prefix("echo")?.trim_start().trim_start_matches("-e ").trim();
    // Behind the quotes is where it goes: `>> run.tcl`.
    let quote = printed.chars().next().filter(|sign| matches!(sign, '"' | '\''));
    let printed = match quote {
        Some(quote) => printed[1..].split(quote).next()?,
        None => printed.split('>').next()?,
    };
    let mut words = printed.strip_prefix("create_clock ")?.split_whitespace();
    let period = words.find(|word| *word == "-period").and_then(|_| words.next())?;
    if printed.contains("get_ports") || period.contains('$') {
        return None;
    }
    Some(read_number(period).map_or_else(|| period.to_owned(), |ns| format!("{ns} ns")))
}

fn read_number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<String>, Vec<String>) {
        let project = read_build_commands(text);
        let clocks = project.solutions.into_iter().flat_map(|one| one.clocks);
        (project.tops, clocks.map(|one| one.period).collect())
    }

    fn owned(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn a_makefile_compiles_its_kernels_for_a_clock() {
        let make = "KERNEL ?= conv\nXO = $(TEMP)/$(KERNEL).xo\nFLAGS += --kernel_frequency 250 # MHz\n\
                    $(XO): src/conv.cpp\n\t$(VPP) $(FLAGS) -c -k $(KERNEL) \\\n\t  -I'$(<D)' -o'$@' '$<'\n\
                    \tv++ -c --kernel=pool -o pool.xo pool.cpp\n# v++ -k old --kernel_frequency 100\n\tgrep -k none x\n";
        assert_eq!(read(make), (owned(&["conv", "pool"]), owned(&["250 MHz"])));
        // Without blanks around the sign; a macro of the host is no option.
        let make = "CLFLAGS+=--kernel_frequency 225\nCXXFLAGS=-DN=--kernel_frequency 100\n";
        assert_eq!(read(make).1, owned(&["225 MHz"]));
    }

    #[test]
    fn options_give_clocks_in_three_units() {
        let shell = "v++ -c -k a --hls.clock 300000000:a\nv++ --link --clock.defaultFreqHz=220000000\n\
                     v++ -c --hls.clock 5ns -k a\ntapac --top a --clock-period 3.33 a.cpp\nv++ --kernel_frequency 0:300|1:500\n";
        assert_eq!(
            read(shell),
            (owned(&["a"]), owned(&["300000000 Hz", "220000000 Hz", "5ns", "3.33 ns", "300 MHz"]))
        );
    }

    #[test]
    fn a_line_of_tcl_that_a_script_prints_names_its_clock() {
        let shell = "echo \"set_part virtex7\"\necho \"create_clock -period 150MHz\"\n";
        assert_eq!(read(shell).1, owned(&["150MHz"]));
        assert_eq!(read("echo \"create_clock -period 5 -name default\"\n").1, owned(&["5 ns"]));
        let quoted = "echo \"create_clock -period 10\" >> run.tcl\necho -e 'create_clock -period 8' > a.tcl\n\
                      echo create_clock -period 6>>b.tcl\n";
        assert_eq!(read(quoted).1, owned(&["10 ns", "8 ns", "6 ns"]));
        for near in [
            "echo \"create_clock -period $CLK\"\n",
            "echo \"create_clock -period 5 [get_ports clk]\"\n",
            "#echo \"create_clock -period 5\"\n",
            "echo \"the create_clock -period 5 is missing\"\n",
        ] {
            assert_eq!(read(near).1, Vec::<String>::new(), "{near}");
        }
    }

    #[test]
    fn a_target_of_cmake_takes_several_lines() {
        let cmake = "set(TOP_NAME Net)\nadd_tapa_target(net-xo\n  INPUT src/net.cpp\n  TOP ${TOP_NAME}\n  CLOCK_PERIOD 6.25)\n\
                     create_clock(CLOCK_PERIOD 10)\nset(TOP Other)\n";
        assert_eq!(read(cmake), (owned(&["Net"]), owned(&["6.25 ns"])));
    }

    #[test]
    fn options_of_sdsoc_name_functions_of_the_hardware() {
        let make = "SDSFLAGS += -sds-pf zed \\\n\t-sds-hw sobel sobel.cpp -clkid 1 -sds-end \\\n\t-sds-hw blur blur.cpp -sds-end\n\
                    # -sds-hw old old.cpp -sds-end\nFLAGS += -hw other\n";
        assert_eq!(read(make).0, owned(&["sobel", "blur"]));
    }

    #[test]
    fn flags_of_tapa_name_its_top() {
        let make = |name: &str| {
            format!(
                "KERNEL ?= Chain\n{name} += --platform u50 --top $(KERNEL)\nx.xo: x.cpp\n\ttapa -w w compile $({name}) -f $<\n"
            )
        };
        assert_eq!(read(&make("TAPA_FLAGS")).0, owned(&["Chain"]));
        assert_eq!(read(&make("SIM_FLAGS")).0, Vec::<String>::new(), "of which tool is not known");
    }

    #[test]
    fn what_only_a_run_decides_is_left_out() {
        let shell = "NAME=$1\nK=a\nif x; then K=b; fi\nv++ -c -k $(K) -k ${NAME} -k $2 --kernel_frequency $F\n";
        assert_eq!(read(shell), (Vec::new(), Vec::new()));
        assert_eq!(read("v++ -c -k"), (Vec::new(), Vec::new()));
        assert_eq!(read("bambu --clock-period=5 top.c\n"), (Vec::new(), Vec::new()));
        // Which kernels there are besides `a` is not known.
        assert_eq!(read("v++ -c -k a a.cpp\nv++ -c -k $(K) b.cpp\n"), (Vec::new(), Vec::new()));
    }
}

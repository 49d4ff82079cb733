//! The words of a call of v++.

use std::path::PathBuf;

use anyhow::{Error, bail};

use crate::args::Preprocess;

/// What v++ is to do.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Step {
    Compile,
    Link,
    Package,
}

/// A call, taken apart.
#[derive(Debug, Default)]
pub(super) struct Call {
    pub(super) step: Option<Step>,
    pub(super) inputs: Vec<PathBuf>,
    pub(super) output: Option<PathBuf>,
    pub(super) kernel: Option<String>,
    pub(super) target: Option<String>,
    pub(super) platform: Option<String>,
    pub(super) config: Vec<PathBuf>,
    pub(super) preprocess: Preprocess,
    /// Lines of a configuration.
    pub(super) inline: String,
    /// Flags that say nothing to an emulation.
    pub(super) ignored: Vec<String>,
}

/// Flags with a value that a design for emulation does without, and that nobody needs to hear of.
const SILENT: [&str; 8] = [
    "--temp_dir",
    "--jobs",
    "-j",
    "--report_dir",
    "--log_dir",
    "--package.out_dir",
    "--report_level",
    "-R",
];
/// And those without a value.
const SILENT_ALONE: [&str; 4] = ["--save-temps", "-s", "-g", "--debug"];
/// Keys of [connectivity] as flags.
const CONNECTIVITY: [&str; 4] = ["nk", "sp", "sc", "slr"];

/// Takes a call apart. A flag that derate does not know is kept aside, with its value where one follows.
pub(super) fn read_words(words: &[String]) -> Result<Call, Error> {
    let mut call = Call::default();
    let mut rest = words.iter().map(String::as_str).peekable();
    while let Some(word) = rest.next() {
        if !word.starts_with('-') {
            call.inputs.push(PathBuf::from(word));
            continue;
        }
        let (flag, joined) = split_flag(word);
        let mut value = || match joined {
            Some(value) => Ok(value.to_owned()),
            None => match rest.next() {
                Some(value) => Ok(value.to_owned()),
                None => bail!("v++: {flag} needs a value"),
            },
        };
        match flag {
            "-c" | "--compile" => call.step = Some(Step::Compile),
            "-l" | "--link" => call.step = Some(Step::Link),
            "-p" | "--package" => call.step = Some(Step::Package),
            "-o" | "--output" => call.output = Some(PathBuf::from(value()?)),
            "-k" | "--kernel" => call.kernel = Some(value()?),
            "-t" | "--target" => call.target = Some(value()?),
            "-f" | "--platform" => call.platform = Some(value()?),
            "--config" => call.config.push(PathBuf::from(value()?)),
            "-I" | "--include" => call.preprocess.include.push(PathBuf::from(value()?)),
            "-D" | "--define" => call.preprocess.define.push(value()?),
            _ if SILENT_ALONE.contains(&flag) || flag.starts_with("-O") => {}
            _ if SILENT.contains(&flag) => {
                value()?;
            }
            _ => {
                let key = flag.trim_start_matches('-').trim_start_matches("connectivity.");
                if CONNECTIVITY.contains(&key) {
                    let line = format!("[connectivity]\n{key}={}\n", value()?);
                    call.inline.push_str(&line);
                    continue;
                }
                call.ignored.push(word.to_owned());
                // Its value, unless that is an input.
                let is_input = |word: &str| {
                    [".xo", ".xclbin", ".cpp", ".c", ".cl", ".cc", ".xsa"]
                        .iter()
                        .any(|end| word.ends_with(end))
                };
                if joined.is_none() {
                    rest.next_if(|next| !next.starts_with('-') && !is_input(next));
                }
            }
        }
    }
    Ok(call)
}

/// A flag, and the value that is joined to it: `--config=a`, `-Iinclude`, `-ofile`.
fn split_flag(word: &str) -> (&str, Option<&str>) {
    if word.starts_with("--") {
        return word.split_once('=').map_or((word, None), |(flag, value)| (flag, Some(value)));
    }
    match word.split_at_checked(2) {
        Some((flag @ ("-o" | "-I" | "-D" | "-k" | "-t" | "-f" | "-j" | "-R"), value))
            if !value.is_empty() =>
        {
            (flag, Some(value.strip_prefix('=').unwrap_or(value)))
        }
        _ => (word, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_makefiles_calls_are_taken_apart() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let call = read_words(&words(
            "-c --save-temps -g -t hw_emu --platform P -k vadd --temp_dir ./_x -Isrc -o./_x/v.xo src/vadd.cpp -DN=4 -O3",
        ))
        .unwrap();
        assert_eq!((call.step, call.kernel.as_deref()), (Some(Step::Compile), Some("vadd")));
        assert_eq!(call.inputs, [PathBuf::from("src/vadd.cpp")]);
        assert_eq!(call.output, Some(PathBuf::from("./_x/v.xo")));
        assert_eq!(call.preprocess.define, ["N=4"]);
        assert!(call.ignored.is_empty(), "{:?}", call.ignored);
        let link = read_words(&words(
            "-l --dk list_ports --profile.data all:all:all --nk v:2 a.xo --strange b.xo -o x",
        ))
        .unwrap();
        assert_eq!(link.inputs, [PathBuf::from("a.xo"), PathBuf::from("b.xo")]);
        assert_eq!(link.ignored, ["--dk", "--profile.data", "--strange"]);
        assert_eq!(link.inline, "[connectivity]\nnk=v:2\n");
        assert!(read_words(&words("-l -o")).is_err());
    }
}

//! The compiler, and what it says of a text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::question::Question;

/// What is compiled once, before every text.
const BEFORE: &str = "\
#include <cstdio>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <cmath>
#include <complex>
#include <iostream>
#include <type_traits>
#include <ap_int.h>
#include <ap_fixed.h>
#include <hls_stream.h>
namespace orc {
template <class T> struct width { static const unsigned long bits = sizeof(T) * 8; };
template <class T> struct width<const T> : width<T> {};
template <class T> struct width<volatile T> : width<T> {};
template <class T> struct width<const volatile T> : width<T> {};
template <> struct width<long double> { static const unsigned long bits = 80; };
template <> struct width<bool> { static const unsigned long bits = 1; };
template <int W> struct width<ap_int<W> > { static const unsigned long bits = W; };
template <int W> struct width<ap_uint<W> > { static const unsigned long bits = W; };
template <int W, int I, ap_q_mode Q, ap_o_mode O, int N>
struct width<ap_fixed<W, I, Q, O, N> > { static const unsigned long bits = W; };
template <int W, int I, ap_q_mode Q, ap_o_mode O, int N>
struct width<ap_ufixed<W, I, Q, O, N> > { static const unsigned long bits = W; };
template <class T> struct of_stream;
template <class T> struct of_stream<hls::stream<T> > { typedef T type; };
template <class T> using plain = typename std::remove_cv<T>::type;
template <class T> using element = typename of_stream<plain<T> >::type;
template <class T> using inner = typename std::remove_all_extents<T>::type;
template <int ROW, unsigned long BITS, unsigned long BYTES> struct say {
  static_assert(ROW < 0, \"said\");
};
}
";

/// What comes behind a text: widths of types whose headers the project has.
const BEHIND: &str = "\
namespace orc {
#ifdef __AC_INT_H
template <int W, bool S> struct width<ac_int<W, S> > { static const unsigned long bits = W; };
#endif
#ifdef __AC_FIXED_H
template <int W, int I, bool S, ac_q_mode Q, ac_o_mode O>
struct width<ac_fixed<W, I, S, Q, O> > { static const unsigned long bits = W; };
#endif
#ifdef __AC_FLOAT_H
template <int W, int I, int E, ac_q_mode Q>
struct width<ac_float<W, I, E, Q> > { static const unsigned long bits = W + E; };
#endif
#ifdef __AC_STD_FLOAT_H
template <int W, int E> struct width<ac_std_float<W, E> > { static const unsigned long bits = W; };
#endif
}
";

/// So many includes that are not there are made up for one text.
const MOST_ABSENT: usize = 30;

/// A compiler with what is included before every text.
pub(crate) struct Compiler {
    program: String,
    folder: PathBuf,
    options: Vec<String>,
}

impl Compiler {
    /// `folders` are those of the project's headers.
    pub(crate) fn new(vendors: &Path, folders: &[PathBuf]) -> Result<Self, std::io::Error> {
        let folder = std::env::temp_dir().join(format!("derate-oracle-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("absent"))?;
        let before = folder.join("before.h");
        let program = std::env::var("CXX").unwrap_or_else(|_| "g++".to_owned());
        let compiled = before.with_extension("h.gch");
        let shown = |path: &Path| path.display().to_string();
        let mut options: Vec<String> =
            ["-std=c++17", "-w", "-fpermissive", "-fno-access-control"].map(str::to_owned).into();
        options.extend(["-isystem".to_owned(), shown(vendors)]);
        if !compiled.exists() {
            std::fs::write(&before, BEFORE)?;
            let mut command = Command::new(&program);
            command.args(&options).args(["-x", "c++-header"]).arg(&before).arg("-o").arg(compiled);
            let output = command.output()?;
            if !output.status.success() {
                return Err(std::io::Error::other(String::from_utf8_lossy(&output.stderr)));
            }
        }
        for one in folders {
            options.extend(["-I".to_owned(), shown(&std::path::absolute(one)?)]);
        }
        // What is not there comes last.
        options.extend(["-idirafter".to_owned(), shown(&folder.join("absent"))]);
        options.extend(["-include".to_owned(), shown(&before), "-fsyntax-only".to_owned()]);
        Ok(Self { program, folder, options })
    }

    /// Bits and bytes of each alias; `None` where the compiler does not know it.
    pub(crate) fn ask(
        &mut self,
        path: &Path,
        questions: &[Question],
    ) -> Result<Vec<Option<(u64, u64)>>, std::io::Error> {
        if questions.is_empty() {
            return Ok(Vec::new());
        }
        let path = std::path::absolute(path)?;
        let mut text = format!("#include \"{}\"\n{BEHIND}", path.display());
        for (row, question) in questions.iter().enumerate() {
            let Question { name, expression, .. } = question;
            let _ = writeln!(text, "orc::say<{row}, {expression}, sizeof({name})> orc_{row};");
        }
        let unit = self.folder.join("unit.cpp");
        std::fs::write(&unit, text)?;
        let mut said = self.compile(&unit)?;
        for _ in 0..MOST_ABSENT {
            let Some(absent) = find_absent(&said) else { break };
            let stub = self.folder.join("absent").join(absent);
            if stub.exists() || absent.contains("..") || absent.starts_with('/') {
                break;
            }
            stub.parent().map_or(Ok(()), std::fs::create_dir_all)?;
            std::fs::write(stub, "")?;
            said = self.compile(&unit)?;
        }
        let (rows, errors) = (read_rows(&said), read_error_lines(&said, &path));
        let answer = |(row, question): (usize, &Question)| {
            let is_sound = !question.lines.iter().any(|line| errors.contains(line));
            rows.get(&row).copied().filter(|_| is_sound)
        };
        Ok(questions.iter().enumerate().map(answer).collect())
    }

    fn compile(&self, unit: &Path) -> Result<String, std::io::Error> {
        let run = |command: &mut Command| -> Result<Output, std::io::Error> { command.output() };
        let output = run(Command::new(&self.program).args(&self.options).arg(unit))?;
        Ok(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// `fatal error: tapa.h: No such file or directory`
fn find_absent(said: &str) -> Option<&str> {
    let line = said.lines().find(|line| line.contains("fatal error: "))?;
    let behind = line.split_once("fatal error: ")?.1;
    let name = behind.split(": No such file").next()?.split(" file not found").next()?;
    (name.len() < behind.len()).then(|| name.trim_matches('\''))
}

/// The numbers of each `say<row, bits, bytes>`.
fn read_rows(said: &str) -> BTreeMap<usize, (u64, u64)> {
    let read = |found: &str| {
        let mut numbers =
            found.split('>').next()?.split(", ").map(|word| word.trim_end_matches("ul"));
        let row = numbers.next()?.parse().ok()?;
        let bits = numbers.next()?.parse().ok()?;
        Some((row, (bits, numbers.next()?.parse().ok()?)))
    };
    said.split("say<").skip(1).filter_map(read).collect()
}

/// The lines of a text that have errors.
fn read_error_lines(said: &str, path: &Path) -> BTreeSet<usize> {
    let start = format!("{}:", path.display());
    let of_line = |line: &str| {
        let rest = line.strip_prefix(&start)?;
        rest.contains("error").then(|| rest.split(':').next()?.parse().ok())?
    };
    said.lines().filter_map(of_line).collect()
}

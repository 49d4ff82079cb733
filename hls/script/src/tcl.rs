//! Directives of a Tcl file: `set_directive_pipeline -II 1 "top/loop1"`.

use derate_frontend::{DirectiveKind, read_directive};

use super::words::{list_commands, split_words};

/// A directive with the place that it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TclDirective {
    /// What it asks for.
    pub kind: DirectiveKind,
    /// Whether `-off` is given.
    pub off: bool,
    /// The function.
    pub function: String,
    /// The label of the loop or of the region, if there is one.
    pub label: Option<String>,
    /// The variable, if there is one.
    pub variable: Option<String>,
    /// Its line.
    pub line: u32,
    /// The script that it is in, where another one reads that with `source`.
    pub script: Option<String>,
}

impl TclDirective {
    /// A directive for a whole function, of no script.
    #[must_use]
    pub fn for_function(function: &str, kind: DirectiveKind) -> Self {
        let function = function.to_owned();
        Self { kind, off: false, function, label: None, variable: None, line: 0, script: None }
    }

    /// A directive for a loop of a function, of no script.
    #[must_use]
    pub fn for_loop(function: &str, label: &str, kind: DirectiveKind) -> Self {
        Self { label: Some(label.to_owned()), ..Self::for_function(function, kind) }
    }

    /// A directive for a variable of a function, of no script.
    #[must_use]
    pub fn for_variable(function: &str, variable: &str, kind: DirectiveKind) -> Self {
        Self { variable: Some(variable.to_owned()), ..Self::for_function(function, kind) }
    }
}

/// A setting of the tool: `config_compile -unsafe_math_optimizations`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TclSetting {
    /// `compile` of `config_compile`.
    pub command: String,
    /// The option without its dash, and its value if it has one.
    pub options: Vec<(String, Option<String>)>,
}

/// What a Tcl file asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TclFile {
    /// `set_directive_*`, in order.
    pub directives: Vec<TclDirective>,
    /// `config_*`, and `open_solution` and `open_component` as the command `solution`, in order.
    pub settings: Vec<TclSetting>,
    /// Lines that are not read: number and text.
    pub unread: Vec<(u32, String)>,
}

/// The command of a setting that opens a solution, whose `flow_target` decides the defaults of interfaces.
pub(super) const SOLUTION: &str = "solution";

impl TclFile {
    /// Whether it opens a solution: the tool then makes it for the flow that is named there, and else for Vivado (UG1399).
    #[must_use]
    pub fn opens_solution(&self) -> bool {
        self.settings.iter().any(|setting| setting.command == SOLUTION)
    }
}

/// Options that have no value.
pub(super) const FLAGS: [&str; 14] = [
    "reset",
    "off",
    "rewind",
    "enable_flush",
    "disable_start_propagation",
    "recursive",
    "region",
    "skip_exit_check",
    "skip",
    "force",
    "register",
    "complete",
    "unsafe_math_optimizations",
    "strict_mode",
];

/// Reads the directives and the settings of a Tcl file.
pub fn read_tcl(text: &str) -> TclFile {
    let mut file = TclFile::default();
    for (line, command) in list_commands(text, 1) {
        read_command(&command, line, &mut file);
    }
    file
}

pub(super) fn read_command(command: &str, line: u32, file: &mut TclFile) {
    let words = split_words(command);
    let Some((name, rest)) = words.split_first() else { return };
    let (options, plain) = split_options(rest);
    if let Some(command) = name.strip_prefix("config_") {
        file.settings.push(TclSetting { command: command.to_owned(), options });
        return;
    }
    if matches!(name.as_str(), "open_solution" | "open_component") {
        file.settings.push(TclSetting { command: SOLUTION.to_owned(), options });
        return;
    }
    let Some(kind) = name.strip_prefix("set_directive_") else { return };
    match read_place(kind, &options, &plain, line) {
        Some(directive) => file.directives.push(directive),
        None => file.unread.push((line, command.trim().to_owned())),
    }
}

pub(super) fn read_place(
    kind: &str,
    options: &[(String, Option<String>)],
    plain: &[String],
    line: u32,
) -> Option<TclDirective> {
    let place = plain.first()?;
    let (function, label) = match place.split_once('/') {
        Some((function, label)) => (function, Some(label.to_owned())),
        None => (place.as_str(), None),
    };
    let variable = plain.get(1).cloned();
    let mut pragma = format!("HLS {kind}");
    for (key, value) in options {
        pragma.push(' ');
        match value {
            Some(value) => pragma = format!("{pragma}{key}={value}"),
            None => pragma.push_str(key),
        }
    }
    if let Some(variable) = &variable {
        let key = if kind == "interface" { "port" } else { "variable" };
        pragma = format!("{pragma} {key}={variable}");
    }
    let read = read_directive(&pragma)?;
    let (off, kind) = (read.is_off(), read.kind);
    let function = function.to_owned();
    Some(TclDirective { kind, off, function, label, variable, line, script: None })
}

/// Options with their values, and the words that are neither.
fn split_options(words: &[String]) -> (Vec<(String, Option<String>)>, Vec<String>) {
    let (mut options, mut plain) = (Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(word) = words.get(at) {
        at += 1;
        let is_number = word.parse::<f64>().is_ok();
        let Some(key) = word.strip_prefix('-').filter(|key| !key.is_empty() && !is_number) else {
            plain.push(word.clone());
            continue;
        };
        let flag = FLAGS.contains(&key);
        let value = words.get(at).filter(|_| !flag).cloned();
        if value.is_some() {
            at += 1;
        }
        options.push((key.to_owned(), value));
    }
    (options, plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_values_are_read() {
        let text = "# directives\nset_directive_pipeline -II 2 \"top/L1\"\n\
                    set_directive_array_partition -type cyclic -factor 4 -dim 2 \"top\" A\n\
                    set_directive_pipeline -off {f/L2}\nconfig_compile -unsafe_math_optimizations\n";
        let file = read_tcl(text);
        assert_eq!(file.directives.len(), 3);
        assert_eq!(file.directives[0].label.as_deref(), Some("L1"));
        assert!(
            matches!(&file.directives[0].kind, DirectiveKind::Pipeline(one) if one.ii.is_some())
        );
        assert_eq!(file.directives[1].variable.as_deref(), Some("A"));
        assert!(file.directives[2].off);
        assert_eq!(file.settings[0].options[0].0, "unsafe_math_optimizations");
        assert!(file.unread.is_empty());
    }

    #[test]
    fn a_dataflow_may_not_pass_its_start_on() {
        let file = read_tcl("set_directive_dataflow -disable_start_propagation \"net\"");
        assert!(file.unread.is_empty(), "{:?}", file.unread);
        let [one] = &file.directives[..] else { panic!("{:?}", file.directives) };
        assert_eq!((one.function.as_str(), &one.kind), ("net", &DirectiveKind::Dataflow));
    }
}

//! What a command compiles: `v++ -c -k vadd -I./lib src/vadd.cpp`, or `$<` in a rule of `make`.

use super::build_variables::BuildVariables;
use super::build_words::is_compiler;

/// What sources of kernels end in.
const ENDINGS: [&str; 5] = [".cpp", ".cc", ".cxx", ".c++", ".c"];

/// The sources and the folders of includes that commands name.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Compiled {
    /// As they are spelt. Of a path that begins with an unknown variable, what follows is kept.
    pub(super) sources: Vec<String>,
    /// `-I`, each with its folder.
    pub(super) flags: Vec<String>,
    /// The configurations that `--config` names in commands that compile or link, as they are spelt.
    pub(super) configs: Vec<String>,
}

/// What the commands of these lines compile.
pub(super) fn read_compiled(lines: &[String], variables: &BuildVariables<'_>) -> Compiled {
    let mut compiled = Compiled::default();
    let mut needed: Vec<String> = Vec::new();
    for line in lines {
        if !line.starts_with('\t')
            && let Some((_, needs)) = line.split_once(':').filter(|(_, one)| !one.starts_with('='))
        {
            needed = list_sources(variables, &variables.write_words(needs));
        }
        let words = if is_compiler(line) { variables.write_words(line) } else { Vec::new() };
        let named = words.windows(2).filter(|pair| pair[0] == "--config");
        for config in named.filter_map(|pair| variables.write_path(&pair[1])) {
            if !compiled.configs.contains(&config) {
                compiled.configs.push(config);
            }
        }
        // What is linked is no source.
        if !words.iter().any(|word| matches!(word.as_str(), "-c" | "--compile" | "-k" | "--kernel"))
        {
            continue;
        }
        let takes_needed = words.iter().any(|word| matches!(word.as_str(), "$<" | "$^"));
        let rule = needed.iter().filter(|_| takes_needed).cloned();
        for source in rule.chain(list_sources(variables, &words)) {
            if !compiled.sources.contains(&source) {
                compiled.sources.push(source);
            }
        }
        for folder in list_folders(variables, &words) {
            let flag = format!("-I{folder}");
            if !compiled.flags.contains(&flag) {
                compiled.flags.push(flag);
            }
        }
    }
    compiled
}

fn list_sources(variables: &BuildVariables<'_>, words: &[String]) -> Vec<String> {
    let is_source =
        |word: &&String| ENDINGS.iter().any(|end| word.ends_with(end)) && !word.contains('%');
    words.iter().filter(is_source).filter_map(|word| variables.write_path(word)).collect()
}

/// The folders of `-Ifolder` and `-I folder`.
fn list_folders(variables: &BuildVariables<'_>, words: &[String]) -> Vec<String> {
    let mut folders = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let Some(folder) = word.strip_prefix("-I") else { continue };
        let folder =
            if folder.is_empty() { words.next().map(String::as_str) } else { Some(folder) };
        folders.extend(folder.and_then(|folder| variables.write_path(folder)));
    }
    folders
}

#[cfg(test)]
mod tests {
    use crate::read_build_commands;

    fn read(text: &str) -> (Vec<String>, Vec<String>) {
        let project = read_build_commands(text);
        (project.compiled, project.cflags)
    }

    #[test]
    fn a_rule_compiles_what_it_needs_with_the_flags_of_its_variables() {
        let make = "CLFLAGS += -t hw --save-temps\nCLFLAGS += -I./lib\nSRC = src\n\
                    $(XO)/a.xo: $(ROOT)/kernels/a.cpp common.h\n\tmkdir -p $(XO)\n\
                    \t$(VPP) $(CLFLAGS) -c -k a -I'$(<D)' -I'$(SRC)' -o'$@' '$<'\n\
                    b.xo: $(SRC)/b.cpp\n\tv++ -c -k b -I inc $^\n";
        let (sources, flags) = read(make);
        assert_eq!(sources, ["/kernels/a.cpp", "src/b.cpp"]);
        assert_eq!(flags, ["-I./lib", "-Isrc", "-Iinc"]);
    }

    #[test]
    fn commands_name_their_configurations() {
        let make = "CFG := ${COMMON}/design.cfg\nCOMMON := $(realpath ../common)\nTWO = $(abspath $(dir x))\nLD += --config a.ini\n\
                    k.xo: k.cpp\n\tv++ -c -k k --config config_sp $<\n\
                    k.xclbin: k.xo\n\t$(VPP) -l $(LD) --config=${CFG} $^\n\tcp --config no.cfg x\n";
        assert_eq!(
            read_build_commands(make).configs,
            ["config_sp", "a.ini", "../common/design.cfg"]
        );
    }

    #[test]
    fn what_other_compilers_and_the_linker_take_is_not_compiled() {
        let make = "host: host.cpp\n\t$(CXX) -Ixrt -c $< \napp.xclbin: a.xo b.cpp\n\tv++ -l -Ilink $^\n\
                    %.xo: %.cpp\n\tv++ -c -k a $<\nSRC := c.cpp\n\tv++ -c -k a\n";
        assert_eq!(read(make), (Vec::new(), Vec::new()));
    }
}

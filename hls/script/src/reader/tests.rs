//! Scripts, as far as they are decided.

use super::*;
use crate::{ScriptClock, ScriptSolution};

fn read(text: &str) -> Vec<ScriptProject> {
    read_script(text, &mut |_| None)
}

#[test]
fn each_project_has_its_files_and_its_chip() {
    let text = "set SRC ./src\nset part {xc7z020clg400-1}\nopen_project -reset proj_fir\n\
                set_top fir\nadd_files \"$SRC/fir.cpp ${SRC}/taps.cpp\" -cflags \"-I$SRC/inc -DN=4\"\n\
                add_files -tb $SRC/fir_test.cpp -cflags \"-DTB\"\nopen_solution -reset \"solution1\"\n\
                set_part $part\ncreate_clock -period 10 -name default\ncsim_design\n\
                open_component mm -flow_target vitis\nset_top mm\nadd_file mm.cpp\n\
                set_part [lindex $argv 2]\nexit\n";
    let [fir, mm] = read(text).try_into().unwrap();
    let fir: ScriptProject = fir;
    assert_eq!((fir.name.as_deref(), fir.tops), (Some("proj_fir"), vec!["fir".to_owned()]));
    assert_eq!(fir.files, ["./src/fir.cpp", "./src/taps.cpp"]);
    assert_eq!(fir.cflags, ["-I./src/inc", "-DN=4"]);
    assert_eq!(fir.parts, ["xc7z020clg400-1"]);
    let [solution] = fir.solutions.try_into().unwrap();
    let solution: ScriptSolution = solution;
    let clock = ScriptClock { period: "10".into(), name: "default".into() };
    assert_eq!((solution.name.as_deref(), solution.clocks), (Some("solution1"), vec![clock]));
    let mm: ScriptProject = mm;
    assert_eq!((mm.name.as_deref(), mm.files), (Some("mm"), vec!["mm.cpp".to_owned()]));
    assert!(mm.parts.is_empty());
}

#[test]
fn directives_are_of_their_solution() {
    let text = "open_project p\nset_top top\nopen_solution plain\nopen_solution fast\n\
                source ./fast/directives.tcl\nsource gone_directives.tcl\nsource run_sim.tcl\nconfig_compile -pipeline_loops 8\n";
    let mut sourced = |path: &str| {
        path.ends_with("/directives.tcl").then(|| "set_directive_pipeline \"top/L1\"\n".to_owned())
    };
    let [one] = read_script(text, &mut sourced).try_into().unwrap();
    let one: ScriptProject = one;
    let asked = one
        .solutions
        .iter()
        .map(|one| (one.asked.directives.len(), one.asked.settings.len(), one.absent.len()));
    assert_eq!(asked.collect::<Vec<_>>(), [(0, 1, 0), (1, 2, 1)]);
    assert_eq!(read("# add_files a.cpp\nputs done\n"), []);
}

#[test]
fn a_script_reads_what_another_one_sets() {
    let text = "set here [file dirname [info script]]\nsource [file join $here project.tcl]\n\
                open_project ${name}_prj\nset_top ${name}\nadd_files firmware/${name}.cpp\n\
                set_part $part\ncreate_clock -period $period -name default\n";
    let mut sourced = |path: &str| {
        (path == "project.tcl").then(|| {
            "variable name\nset name \"net\"\nset part \"xcku060\"\nset period 5\nsource project.tcl\n".to_owned()
        })
    };
    let [net] = read_script(text, &mut sourced).try_into().unwrap();
    let net: ScriptProject = net;
    assert_eq!((net.name.as_deref(), net.tops), (Some("net_prj"), vec!["net".to_owned()]));
    assert_eq!((net.files, net.parts), (vec!["firmware/net.cpp".into()], vec!["xcku060".into()]));
    assert_eq!(net.solutions[0].clocks[0].period, "5");
    // Without the other script nothing is known.
    assert_eq!(read(text), []);
}

#[test]
fn a_condition_that_is_decided_chooses_its_branch() {
    let text = "set mode 2\nopen_project p\nset_top f\nif {$mode == 1} {\n  add_files a.cpp\n} elseif {$mode == 2} {\n\
                add_files b.cpp\n  set clock 5\n} else {\n  add_files c.cpp\n}\n\
                if {$argc > 2} {\n  create_clock -period 4\n} else {\n  create_clock -period $clock\n}\n\
                if {$argc > 3} { puts done }\nif {$argc > 4} { set clock 2 }\nopen_solution s\n\
                create_clock -period $clock\n";
    let [one] = read(text).try_into().unwrap();
    let one: ScriptProject = one;
    assert_eq!(one.files, ["b.cpp"]);
    let clocks: Vec<&str> = one.solutions[0].clocks.iter().map(|one| one.period.as_str()).collect();
    assert_eq!(clocks, ["4", "5"]);
    assert_eq!(one.solutions[0].undecided, ["$argc > 2"]);
}

#[test]
fn a_word_of_the_run_leaves_the_default() {
    let text = |other: &str| {
        format!(
            "set period 5\nif {{[info exists ::env(TOP)]}} {{\n  set top $::env(TOP)\n}} else {{\n  set top f\n}}\n\
             if {{$argc > 2}} {{\n  set period {other}\n}}\nset_top $top\ncreate_clock -period $period\n"
        )
    };
    let [one] = read(&text("[lindex $argv 2]")).try_into().unwrap();
    let one: ScriptProject = one;
    assert_eq!((one.tops, one.solutions[0].clocks.len()), (vec!["f".to_owned()], 1));
    let [one] = read(&text("4")).try_into().unwrap();
    let one: ScriptProject = one;
    assert!(one.solutions.is_empty());
}

#[test]
fn a_list_of_solutions_is_read_one_by_one() {
    let text = "open_project p\nset_top f\nforeach {name} {base fast} {\n  open_solution $name\n\
                if {$name eq \"fast\"} { set_directive_unroll f/L1 }\n}\n";
    let [one] = read(text).try_into().unwrap();
    let one: ScriptProject = one;
    let asked: Vec<_> =
        one.solutions.iter().map(|one| (one.name.as_deref(), one.asked.directives.len())).collect();
    assert_eq!(asked, [(Some("base"), 0), (Some("fast"), 1)]);
    // Which ones there are is not known.
    let open = text.replace("{base fast}", "$all");
    let [one] = read(&open).try_into().unwrap();
    let one: ScriptProject = one;
    assert_eq!(one.solutions.len(), 1);
    assert_eq!(one.solutions[0].undecided.len(), 1);
}

#[test]
fn each_solution_has_its_clock_and_ports_have_none_of_them() {
    let text = "open_project p\nset_top f\nopen_solution slow\ncreate_clock -period 25 -name default\n\
                create_clock -period 4 -name memory\nopen_solution fast\ncreate_clock -period 300MHz\n";
    let [one] = read(text).try_into().unwrap();
    let one: ScriptProject = one;
    let clocks = one.solutions.iter().flat_map(|one| {
        one.clocks.iter().map(|clock| (one.name.as_deref(), clock.period.as_str()))
    });
    assert_eq!(clocks.collect::<Vec<_>>(), [(Some("slow"), "25"), (Some("fast"), "300MHz")]);
    assert_eq!(read("create_clock -period 10 -name clk [get_ports clk]\n"), []);
    assert_eq!(read("create_clock -period [lindex $argv 2]\n"), []);
}

#[test]
fn the_known_end_of_a_path_is_kept() {
    let text = "set_top top\nadd_files [lindex $argv 1]/src/top.cpp\nadd_files \"$dir/a.cpp ./b.cpp\"\n\
                add_files $all\nadd_files -tb $dir/tb.cpp\n";
    let [one] = read(text).try_into().unwrap();
    let one: ScriptProject = one;
    assert_eq!(one.files, ["/src/top.cpp", "/a.cpp", "./b.cpp"]);
}

#[test]
fn an_end_goes_on_with_variables_that_are_known() {
    let text = "set root [file dirname [pwd]]\nset src ${root}/src\nset name top\nset_top top\n\
                add_files $src/$name.cpp -cflags \"-I$root/inc -DFAST\"\nadd_files $root/a/${name}_b.cpp\n\
                add_files $src/$other.cpp\nset src [lindex $argv 0]\nadd_files $src/c.cpp\n";
    let [one] = read(text).try_into().unwrap();
    let one: ScriptProject = one;
    assert_eq!(one.files, ["/src/top.cpp", "/a/top_b.cpp", "/c.cpp"]);
    assert_eq!(one.cflags, ["-DFAST"]);
}

/// Flags with a folder that only a run of the script knows define macros all the same.
#[test]
fn the_known_macros_of_flags_are_kept() {
    let flags = |rest: &str| {
        let text = format!("set here [pwd]\nset top fir\nset_top $top\n{rest}\n");
        let [one] = read(&text).try_into().unwrap();
        let one: ScriptProject = one;
        one.cflags
    };
    let kept = ["-DFAST".to_owned(), "-DN=fir".to_owned()];
    assert_eq!(
        flags("set flags \"-I$here/inc -DFAST -DN=$top\"\nadd_files a.cpp -cflags $flags"),
        kept
    );
    assert_eq!(flags("add_files a.cpp -cflags \"-I$here/inc -DFAST -DN=$top\""), kept);
    assert_eq!(flags("add_files a.cpp -cflags \"-I$here/inc -DN=$here\""), [""; 0]);
}

#[test]
fn a_script_of_catapult_adds_its_files() {
    let text = "set here .\nsolution file add $here/top.cpp -type C++\n\
                solution file add $here/host.cpp -exclude true\n\
                solution file add $here/top_tb.cpp\nsolution design set top -top\ngo analyze\n";
    let [one] = read(text).try_into().unwrap();
    let one: ScriptProject = one;
    assert_eq!((one.files, one.tops), (vec!["./top.cpp".into()], vec!["top".to_owned()]));
}

#[test]
fn a_script_of_catapult_names_its_clock() {
    let periods = |text: &str| -> Vec<String> {
        let clocks = read(text).into_iter().flat_map(|one| one.solutions);
        clocks.flat_map(|one| one.clocks).map(|clock| clock.period).collect()
    };
    let start = "if {![info exists P]} {\n  set P 5.0\n}\nset U [expr {0.1 * $P}]\n";
    for (clocks, expected) in [
        ("{clk {-CLOCK_PERIOD 3.33 -CLOCK_EDGE rising -CLOCK_HIGH_TIME 1.665}}", "3.33"),
        (
            "{ \\\n  clk { \\\n    -CLOCK_PERIOD 25.0 \\\n    -CLOCK_EDGE rising \\\n  } \\\n}",
            "25.0",
        ),
        ("{clk {-CLOCK_PERIOD 10}}", "10"),
        ("[list clk [list -CLOCK_PERIOD $P -CLOCK_EDGE rising]]", "5.0"),
    ] {
        let text = format!("{start}directive set -CLOCKS {clocks}\ngo assembly\n");
        assert_eq!(periods(&text), [expected], "{clocks}");
    }
    let eval =
        "eval \"directive set -CLOCKS {clk {-CLOCK_PERIOD ${P} -CLOCK_UNCERTAINTY ${U}}}\"\n";
    assert_eq!(periods(&format!("{start}{eval}")), ["5.0"]);
    // The period of no clock, and one that only a run decides.
    for near in [
        "directive set -CLOCK_NAME clk\n",
        "directive set /top/core -CLOCK_OVERHEAD 0.0\nputs {-CLOCKS -CLOCK_PERIOD 5}\n",
        "directive set -CLOCKS {clk {-CLOCK_PERIOD",
        "directive set -CLOCKS [list clk [list -CLOCK_PERIOD $period]]\n",
        "directive set -CLOCKS {clk {-CLOCK_PERIOD ${period",
    ] {
        assert!(periods(&format!("solution design set f\n{near}")).is_empty(), "{near}");
    }
    let two = "directive set -CLOCKS {a {-CLOCK_PERIOD 5} b {-CLOCK_PERIOD 8}}\n";
    assert_eq!(periods(two), ["5", "8"]);
}

fn count_undecided(text: &str) -> (usize, usize) {
    let [one] = read(text).try_into().unwrap();
    let one: ScriptProject = one;
    let last = one.solutions.last().unwrap();
    (last.asked.directives.len(), last.undecided.len())
}

#[test]
fn what_a_command_changes_does_not_decide() {
    let ask = "if {$n == 1} { set_directive_unroll f/L1 } else { set_directive_pipeline f/L1 }\n";
    let start = "open_project p\nset_top f\nopen_solution s\nset n 1\nset m n\n";
    let with = |change: &str| count_undecided(&format!("{start}{change}\n{ask}"));
    for change in [
        "incr n",
        "incr $m",
        "append n 0",
        "unset n",
        "lassign {2 3} n k",
        "scan 5 %d n",
        "regexp {[0-9]} $argv n",
        "puts [incr n]",
        "set k [lassign [list 1 2] n]",
        "if {[gets stdin n] > 0} { puts x }",
        "while {$argc} { incr n }",
        "for {set n 0} {$n < 3} {incr n} { puts $n }",
        "foreach x $argv { set n 2 }",
        "foreach {k n} $argv { puts $n }",
        "catch {set n 2}",
        "catch {exec ls} n",
        "switch $argc { 1 { set n 2 } 2 { puts x } }",
        "if {$argc} { set n [lindex $argv 0] }",
        "set n [lindex $argv 0]",
        "eval $argv",
        "source $argv",
        "source gone.tcl",
        "set $argv 2",
        "proc f {} { global n; set n 2 }\nset n 1\nf",
    ] {
        assert_eq!(with(change), (2, 1), "{change}");
    }
    for change in [
        "incr k",
        "puts \"n $n\"",
        "puts [file join $m n]",
        "set k $n",
        "foreach x {a b} { puts $n }",
        "foreach {k n} {1 2 3 4} { puts $n }",
        "add_files src/n.cpp",
        "proc f {} { set n 2 }",
        "while {$argc} { incr k }",
    ] {
        assert_eq!(with(change), (1, 0), "{change}");
    }
}

#[test]
fn a_body_does_not_see_what_it_sets_later() {
    let text = "open_project p\nset_top f\nopen_solution s\nset n 1\nwhile {$argc} {\n\
                if {$n == 1} { set_directive_unroll f/L1 } else { set_directive_pipeline f/L1 }\n  set n 2\n}\n";
    assert_eq!(count_undecided(text), (2, 1));
    let body = text.replace("while {$argc}", "proc build {}");
    assert_eq!(count_undecided(&body), (2, 1));
}

#[test]
fn a_default_that_is_kept_serves_for_paths_only() {
    let text = "set part xc7z020clg400-1\nset fast 0\nopen_project p\nset_top f\nopen_solution s\n\
                if {$argc > 2} {\n  set part [lindex $argv 1]\n  set fast [lindex $argv 2]\n}\nset mode $fast\n\
                set_part $part\nif {$mode} { set_directive_unroll f/L1 }\n";
    let [one] = read(text).try_into().unwrap();
    let one: ScriptProject = one;
    assert_eq!(one.parts, ["xc7z020clg400-1"]);
    assert_eq!(count_undecided(text), (1, 1));
    assert_eq!(one.solutions[0].undecided, ["$mode"]);
}

#[test]
fn a_script_that_is_too_long_is_cut() {
    let list = |at: usize| format!("foreach x{at} {{0 1 2 3 4 5 6 7 8 9}} {{\n");
    let lists = (0..8).map(list).collect::<Vec<String>>().concat();
    let text = format!("set_top f\ncreate_clock -period 5\n{lists}puts x\n{}", "}\n".repeat(8));
    let grown =
        format!("set_top f\ncreate_clock -period 5\nset a xx\n{}", "set a $a$a\n".repeat(60));
    let deep = format!(
        "set_top f\ncreate_clock -period 5\n{}{}",
        "if {1} {\n".repeat(20),
        "}\n".repeat(20)
    );
    let ifs = format!(
        "set_top f\ncreate_clock -period 5\n{}",
        "add_files a.cpp\nif {$x} {puts x}\n".repeat(60_000)
    );
    for (text, is_cut) in [(text, true), (grown, false), (deep, true), (ifs, true)] {
        let [one] = read(&text).try_into().unwrap();
        let one: ScriptProject = one;
        assert_eq!(one.solutions[0].is_cut, is_cut);
    }
}

/// The name and the tops of each project.
fn list_tops(text: &str) -> Vec<String> {
    let shown = |one: ScriptProject| {
        format!("{}: {}", one.name.as_deref().unwrap_or("-"), one.tops.join(" "))
    };
    read(text).into_iter().map(shown).collect()
}

#[test]
fn a_procedure_makes_a_project_for_each_word_of_its_calls() {
    let body = "{name top {part xc7z020clg400-1}} {\n  open_project $name\n  set_top $top\n  set_part $part\n}\n";
    let text = format!(
        "proc build {body}set names {{\n  \"p\"\n  \"q\"\n}}\nset tops {{f g}}\n\
         foreach {{name}} $names {{top}} $tops {{\n  build $name $top\n}}\nbuild r h xczu3eg-sbva484-1-i\n"
    );
    assert_eq!(list_tops(&text), ["p: f", "q: g", "r: h"]);
    let parts = read(&text).into_iter().flat_map(|one| one.parts);
    let parts: Vec<String> = parts.collect();
    assert_eq!(parts, ["xc7z020clg400-1", "xc7z020clg400-1", "xczu3eg-sbva484-1-i"]);
    // Nothing calls it, or only a run says how.
    assert_eq!(list_tops(&format!("proc build {body}set_top f\n")), ["-: f"]);
    assert_eq!(list_tops(&format!("proc build {body}build p $argv\n")), ["p: "]);
    // It calls itself: as deep as calls are followed.
    let text = "proc build {top} {\n  open_project p\n  set_top $top\n  build $top\n}\nbuild f\n";
    assert_eq!(list_tops(text), vec!["p: f"; 16]);
}

#[test]
fn a_loop_takes_the_words_of_its_lists() {
    let text = "foreach {top clock} {f 10 g 5} {\n  open_project $top\n  set_top $top\n}\n";
    assert_eq!(list_tops(text), ["f: f", "g: g"]);
    let text = "foreach top $tops name {p} {\n  open_project $name\n  set_top $top\n}\n";
    assert_eq!(list_tops(text), Vec::<String>::new());
}

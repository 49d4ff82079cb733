#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use derate_hls::Sources;
use derate_project::{Code, Recorded};

use super::{AliasReport, TypesReport, types};

fn read(text: &str) -> TypesReport {
    let mut sources = Sources::default();
    let file = sources.add("a.h", text);
    let code = Code::new(&mut sources, &[file], &[], &mut Recorded::default(), None);
    types(&sources, &code, &[]).0
}

fn alias<'r>(report: &'r TypesReport, name: &str) -> &'r AliasReport {
    report.aliases.iter().find(|one| one.qualified == name).unwrap()
}

fn uses(report: &TypesReport, name: &str) -> Vec<(String, Option<u64>)> {
    let all = alias(report, name).alternatives.iter();
    all.map(|one| (one.under.clone(), one.bits)).collect()
}

#[test]
fn a_type_that_each_use_fixes_is_listed_use_by_use() {
    let report = read(
        "#include <ap_int.h>\n\
         template <int W> using word = ap_uint<W>;\n\
         namespace other { template <int W> using word = ap_int<W>; }\n\
         template <class T> struct Box { typedef T inner; };\n\
         template <class T> struct Unused { typedef T inner; };\n\
         template <class T> void unused(word<sizeof(T)> x);\n\
         struct All { word<12> a; word<40> b; word<12> c; other::word<3> d; Box<int> e; Box<float> f; word<MISSING> g; };\n",
    );
    let of = |name: &str, bits| (name.to_owned(), Some(bits));
    assert_eq!(uses(&report, "word"), [of("word<12>", 12), of("word<40>", 40)]);
    assert_eq!(uses(&report, "other::word"), [of("other::word<3>", 3)]);
    assert_eq!(uses(&report, "Box::inner"), [of("Box<int>", 32), of("Box<float>", 32)]);
    assert!(uses(&report, "Unused::inner").is_empty());
    assert!(alias(&report, "word").bits.is_none());
}

#[test]
fn only_what_addresses_widen_says_so() {
    let report = read(
        "struct Empty {};\n\
         struct Node { short key; Node *next; };\n\
         struct Plain { Empty none; int x; };\n\
         typedef Empty empty;\n\
         typedef Node node;\n\
         typedef Plain plain;\n\
         typedef int (*function)(int);\n",
    );
    let row = |name: &str| {
        let one = alias(&report, name);
        (one.bits, one.has_addresses)
    };
    assert_eq!(row("empty"), (Some(0), false));
    assert_eq!(row("node"), (Some(80), true));
    assert_eq!(row("plain"), (Some(32), false));
    assert_eq!(row("function"), (None, false));
}

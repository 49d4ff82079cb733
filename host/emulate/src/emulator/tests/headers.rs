//! Kernels that use what Vitis HLS brings: tasks, streams of blocks, fixed-point numbers, bursts.

use super::*;

/// Runs a kernel on buffers of 32-bit words and gives the last of them back.
fn run_words(body: &str, name: &str, runs: &[&[u32]]) -> Result<Vec<Vec<u32>>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("{name}.cpp"));
    std::fs::write(&path, body).unwrap();
    let kernels = compile_kernels(&[path], &[], &[], &[name.to_owned()]).unwrap();
    let mut card = Emulator::new(&u280(), Bases::Card).unwrap();
    card.add_units(&kernels[0], 1);
    let mut all = Vec::new();
    for words in runs {
        let bytes = 4 * words.len() as u64;
        let [from, to] = [0, 1].map(|bank| card.allocate(bank, bytes).unwrap());
        let given: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        card.write(&from, 0, &given).unwrap();
        let count = [words.len() as u64];
        let ran = card.run(&[launch(&format!("{name}_1"), &[&from, &to], &count)]);
        ran.map_err(|error| error.to_string())?;
        let mut back = vec![0; given.len()];
        card.read(&to, 0, &mut back).unwrap();
        let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().unwrap());
        all.push(back.chunks(4).map(word).collect());
    }
    Ok(all)
}

const TASKS: &str = "#include <hls_task.h>\n#include <hls_np_channel.h>\n\
    void number(hls::stream<int> &in, hls::stream<int> &out) {\n\
    int count = 0;\nwhile (1) { int one = in.read(); out.write(one + 100 * count++); }\n}\n\
    void read_in(const int *from, int n, hls::stream<int> &to) { for (int i = 0; i < n; ++i) to.write(from[i]); }\n\
    void write_out(hls::stream<int> &from, int *to, int n) { for (int i = 0; i < n; ++i) to[i] = from.read(); }\n";

#[test]
fn tasks_run_beside_their_kernel_and_keep_what_they_know() {
    let body = format!(
        "{TASKS}extern \"C\" void top(const int *from, int *to, int n) {{\n#pragma HLS dataflow\n\
         hls_thread_local hls::split::round_robin<int, 2> split;\n\
         hls_thread_local hls::merge::round_robin<int, 2> merge;\n\
         hls_thread_local hls::task each[2];\nread_in(from, n, split.in);\n\
         for (int i = 0; i < 2; ++i) each[i](number, split.out[i], merge.in[i]);\nwrite_out(merge.out, to, n);\n}}\n"
    );
    let ran = run_words(&body, "top", &[&[1, 2, 3, 4], &[5, 6]]).unwrap();
    assert_eq!(ran, [vec![1, 2, 103, 104], vec![205, 206]]);
}

#[test]
fn tasks_that_wait_for_each_other_are_a_deadlock() {
    let body = format!(
        "{TASKS}void both(hls::stream<int> &in, hls::stream<int> &out) {{ out.write(in.read() + in.read()); }}\n\
         extern \"C\" void top(const int *from, int *to, int n) {{\n\
         hls_thread_local hls::stream<int> a;\nhls_thread_local hls::stream<int, 4> b;\n\
         hls_thread_local hls::task sum(both, a, b);\nread_in(from, n, a);\nwrite_out(b, to, n);\n}}\n"
    );
    let error = run_words(&body, "top", &[&[1, 2]]).unwrap_err();
    assert_eq!(
        error,
        "top ended with an exception: a deadlock: the kernel waits to read an empty stream (it is declared at top.cpp:12); \
         the task of top.cpp:13 waits to read the stream of top.cpp:11"
    );
}

#[test]
fn a_task_reaches_the_memory_of_each_run() {
    let body = "#include <hls_task.h>\nvoid put(hls::stream<int> &in, hls::stream<int> &done, int *to) {\n\
        static int at = 0;\nint one = in.read();\nif (one < 0) { at = 0; return; }\nto[at++] = one;\ndone.write(1);\n}\n\
        extern \"C\" void top(const int *from, int *to, int n) {\nhls_thread_local hls::stream<int> s, done;\n\
        hls_thread_local hls::task t(put, s, done, to);\nfor (int i = 0; i < n; ++i) s.write(from[i]);\n\
        for (int i = 0; i < n; ++i) done.read();\ns.write(-1);\n}\n";
    let ran = run_words(body, "top", &[&[1, 2], &[3, 4, 5]]).unwrap();
    assert_eq!(ran, [vec![1, 2], vec![3, 4, 5]]);
}

/// What building a source notes.
fn notes_of(body: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("top.cpp");
    std::fs::write(&path, body).unwrap();
    let named = vec!["top".to_owned()];
    let source = KernelSource { path, named, ..KernelSource::default() };
    build_kernels(&[source], false).unwrap().notes
}

#[test]
fn memory_of_a_task_is_a_port() {
    let body = "#include <hls_task.h>\nvoid put(hls::stream<int> &in, int *to) { to[0] = in.read(); }\n\
        extern \"C\" void top(int *to, int n) {\nhls_thread_local hls::stream<int> s;\n\
        hls_thread_local hls::task t(put, s, to);\ns.write(n);\n}\n";
    assert_eq!(notes_of(body), Vec::<String>::new());
}

#[test]
fn a_race_between_stages_is_noted() {
    let body = "static void copy(const int *from, int *to, int n) { for (int i = 0; i < n; ++i) to[i] = from[i]; }\n\
        extern \"C\" void top(int *a, int *b, int *c, int n) {\n#pragma HLS dataflow\ncopy(a, b, n);\ncopy(b, c, n);\n}\n";
    let [note] = notes_of(body).try_into().unwrap();
    assert!(note.contains("in the dataflow of top, copy writes `b` and copy reads it"), "{note}");
}

#[test]
fn blocks_go_from_stage_to_stage() {
    let body = "#include <hls_streamofblocks.h>\ntypedef int block[4];\n\
        void turn(const int *from, hls::stream_of_blocks<block> &to, int n) {\nfor (int i = 0; i < n; i += 4) {\n\
        hls::write_lock<block> lock(to);\nfor (int j = 0; j < 4; ++j) lock[3 - j] = from[i + j];\n}\n}\n\
        void store(hls::stream_of_blocks<block> &from, int *to, int n) {\nfor (int i = 0; i < n; i += 4) {\n\
        hls::read_lock<block> lock(from);\nfor (int j = 0; j < 4; ++j) to[i + j] = lock[j];\n}\n}\n\
        extern \"C\" void top(const int *from, int *to, int n) {\n#pragma HLS dataflow\n\
        hls::stream_of_blocks<block> blocks;\nturn(from, blocks, n);\nstore(blocks, to, n);\n}\n";
    let ran = run_words(body, "top", &[&[1, 2, 3, 4, 5, 6, 7, 8]]).unwrap();
    assert_eq!(ran, [vec![4, 3, 2, 1, 8, 7, 6, 5]]);
}

/// The numbers are those of the vendor's guide (UG1399, "Arbitrary Precision Fixed-Point Data Types").
#[test]
fn fixed_point_numbers_round_and_overflow_as_the_guide_says() {
    let cases: [(&str, f64, f64); 22] = [
        ("ap_fixed<3, 2, AP_RND, AP_SAT>", 1.25, 1.5),
        ("ap_fixed<3, 2, AP_RND, AP_SAT>", -1.25, -1.0),
        ("ap_fixed<3, 2, AP_RND_ZERO, AP_SAT>", 1.25, 1.0),
        ("ap_fixed<3, 2, AP_RND_ZERO, AP_SAT>", -1.25, -1.0),
        ("ap_fixed<3, 2, AP_RND_MIN_INF, AP_SAT>", 1.25, 1.0),
        ("ap_fixed<3, 2, AP_RND_MIN_INF, AP_SAT>", -1.25, -1.5),
        ("ap_fixed<3, 2, AP_RND_INF, AP_SAT>", 1.25, 1.5),
        ("ap_fixed<3, 2, AP_RND_INF, AP_SAT>", -1.25, -1.5),
        ("ap_fixed<3, 2, AP_RND_CONV, AP_SAT>", 0.75, 1.0),
        ("ap_fixed<3, 2, AP_RND_CONV, AP_SAT>", -1.25, -1.0),
        ("ap_fixed<3, 2, AP_TRN, AP_SAT>", -1.25, -1.5),
        ("ap_fixed<3, 2, AP_TRN_ZERO, AP_SAT>", -1.25, -1.0),
        ("ap_fixed<4, 4, AP_RND, AP_SAT>", 19.0, 7.0),
        ("ap_fixed<4, 4, AP_RND, AP_SAT>", -19.0, -8.0),
        ("ap_ufixed<4, 4, AP_RND, AP_SAT>", -19.0, 0.0),
        ("ap_fixed<4, 4, AP_RND, AP_SAT_ZERO>", 19.0, 0.0),
        ("ap_fixed<4, 4, AP_RND, AP_SAT_SYM>", -19.0, -7.0),
        ("ap_fixed<4, 4, AP_RND, AP_WRAP>", 31.0, -1.0),
        ("ap_fixed<4, 4, AP_RND, AP_WRAP>", -19.0, -3.0),
        ("ap_ufixed<4, 4, AP_RND, AP_WRAP>", 19.0, 3.0),
        ("ap_fixed<4, 4, AP_RND, AP_WRAP_SM>", 19.0, -4.0),
        ("ap_fixed<4, 4, AP_RND, AP_WRAP_SM>", -19.0, 2.0),
    ];
    // By way of a wider number, and of a double.
    let lines = cases.iter().enumerate().map(|(at, (number, from, to))| {
        format!(
            "{{ {number} x = ap_fixed<16, 8>({from:?}); {number} y = {from:?}; to[{at}] = x == {to:?} && y.to_double() == {to:?}; }}\n"
        )
    });
    let lines: Vec<String> = lines.collect();
    let lines = lines.concat();
    let body = format!(
        "#include <ap_fixed.h>\nextern \"C\" void top(const int *from, int *to, int n) {{\n{lines}\
         ap_fixed<8, 4> a = 1.75, b = -0.5;\nto[22] = (a + b) == 1.25 && (a * b) == -0.875 && (a - b) == 2.25 && a / b == -3.5;\n\
         to[23] = decltype(a * b)::width == 16 && decltype(a + b)::iwidth == 5 && int(a) == 1 && int(b) == 0;\n}}\n"
    );
    let ran = run_words(&body, "top", &[&[0; 24]]).unwrap();
    assert_eq!(ran, [vec![1; 24]]);
}

#[test]
fn a_burst_is_asked_for_before_it_is_read() {
    let body = |ask: &str| {
        format!(
            "#include <hls_burst_maxi.h>\nextern \"C\" void top(hls::burst_maxi<int> from, hls::burst_maxi<int> to, int n) {{\n\
             {ask}\nto.write_request(0, n);\nfor (int i = 0; i < n; ++i) to.write(from.read() + 1);\nto.write_response();\n}}\n"
        )
    };
    let ran = run_words(&body("from.read_request(0, n);"), "top", &[&[1, 2, 3]]).unwrap();
    assert_eq!(ran, [vec![2, 3, 4]]);
    let error = run_words(&body(""), "top", &[&[1]]).unwrap_err();
    assert!(error.contains("accessed without read_request()"), "{error}");
}

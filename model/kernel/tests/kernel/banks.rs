//! Banks of arrays: who cuts them, and what a choice of banks hides. The figures are of the set that `loops` names.

use super::loops::estimate;

/// Sums of columns, two at a time, in a local array.
fn column_sums(tcl: &str) -> Option<u64> {
    let text = "void top(float m[64][64], float out[64]) {
            float sum[64];
            int i, j;
            for (i = 0; i < 64; i++) { sum[i] = 0; }
            rows: for (i = 0; i < 64; i++) {
                cols: for (j = 0; j < 64; j++) { sum[j] = sum[j] + m[i][j]; }
            }
            for (i = 0; i < 64; i++) { out[i] = sum[i]; }
        }";
    let tcl =
        format!("set_directive_pipeline top/cols\nset_directive_unroll -factor 2 top/cols\n{tcl}");
    estimate(text, &tcl).loops.iter().find(|one| one.label.ends_with("cols")).unwrap().ii
}

#[test]
fn a_choice_of_banks_hides_how_far_away_an_element_is() {
    // Without a directive the tool cuts it as the copies need.
    assert_eq!(column_sums(""), Some(1));
    let cut = |factor: u32| {
        column_sums(&format!(
            "set_directive_array_partition -type cyclic -factor {factor} -dim 1 top sum\n"
        ))
    };
    // Each copy has banks of its own.
    assert_eq!(cut(2), Some(1));
    // Which of the banks a copy takes changes.
    assert!(cut(8) > Some(4));
}

/// A directive holds for an array of the file as for one of the function.
#[test]
fn a_global_array_is_partitioned_too() {
    let text = |array: &str, local: &str| {
        format!(
            "{array}
            void top(int in[64], int out[64]) {{
                {local}
                #pragma HLS array_partition variable=rows dim=1 complete
                fill: for (int i = 0; i < 1024; i++) rows[i / 64][i % 64] = in[i % 64];
                sum: for (int i = 0; i < 64; i++) {{
                    #pragma HLS pipeline II=1
                    int s = 0;
                    for (int k = 0; k < 16; k++) s += rows[k][i];
                    out[i] = s;
                }}
            }}"
        )
    };
    let interval = |text: &str, tcl: &str| {
        let answer = estimate(text, tcl);
        answer.loops.iter().find(|one| one.label == "sum").unwrap().ii
    };
    let global = text("int rows[16][64];", "");
    assert_eq!(interval(&global, ""), Some(1));
    assert_eq!(interval(&text("", "static int rows[16][64];"), ""), Some(1));
    let plain = global.replace("array_partition", "other");
    assert_eq!(interval(&plain, ""), Some(8));
    let tcl = "set_directive_array_partition -type complete -dim 1 top rows";
    assert_eq!(interval(&plain, tcl), Some(1));
}

/// A function that cuts its parameter cuts the array of its caller, also where the caller uses it first.
#[test]
fn an_array_is_partitioned_by_the_function_that_gets_it() {
    let text = |directive: &str| {
        format!(
            "void scale(int rows[16][64]) {{
                #pragma HLS inline off
                {directive}
                for (int i = 0; i < 64; i++) {{
                    #pragma HLS pipeline II=1
                    for (int k = 0; k < 16; k++) rows[k][i] = rows[k][i] + 3;
                }}
            }}
            void top(int in[64], int out[64]) {{
                int rows[16][64];
                #pragma HLS bind_storage variable=rows type=ram_t2p impl=bram
                fill: for (int i = 0; i < 64; i++) {{
                    #pragma HLS pipeline II=1
                    for (int k = 0; k < 16; k++) rows[k][i] = in[i] + k;
                }}
                scale(rows);
                for (int i = 0; i < 64; i++) out[i] = rows[3][i];
            }}"
        )
    };
    let fill = |text: &str| {
        let answer = estimate(text, "");
        answer.loops.iter().find(|one| one.label == "fill").unwrap().ii
    };
    assert_eq!(fill(&text("")), Some(8));
    assert_eq!(fill(&text("#pragma HLS array_partition variable=rows dim=1 complete")), Some(1));
}

#[test]
fn a_part_is_cut_by_the_function_that_gets_it() {
    let read = |directive: &str| {
        let text = format!(
            "void scale(int rows[16][64]) {{
                #pragma HLS inline off
                {directive}
                for (int i = 0; i < 64; i++) {{
                    #pragma HLS pipeline II=1
                    for (int k = 0; k < 16; k++) rows[k][i] = rows[k][i] + 3;
                }}
            }}
            void top(int in[64], int out[64]) {{
                int sets[2][16][64];
                #pragma HLS bind_storage variable=sets type=ram_t2p impl=bram
                fill: for (int i = 0; i < 64; i++) {{
                    #pragma HLS pipeline II=1
                    for (int k = 0; k < 16; k++) sets[1][k][i] = in[i] + k;
                }}
                scale(sets[0]);
                scale(sets[1]);
                for (int i = 0; i < 64; i++) out[i] = sets[1][3][i];
            }}"
        );
        estimate(&text, "")
    };
    let fill =
        |directive: &str| read(directive).loops.iter().find(|one| one.label == "fill").unwrap().ii;
    assert_eq!(fill(""), Some(8));
    // Its first dimension is the second of the array.
    assert_eq!(fill("#pragma HLS array_partition variable=rows dim=1 complete"), Some(1));
    assert_eq!(fill("#pragma HLS array_partition variable=rows dim=2 complete"), Some(8));
    let answer = read("#pragma HLS array_partition variable=rows dim=1 cyclic factor=4");
    assert_eq!(answer.arrays.iter().map(|one| one.banks).collect::<Vec<_>>(), [4]);
}

/// A table behind `const`, `static` or neither, four elements of which an iteration reads.
fn read_table(head: &str, tail: &str, tcl: &str) -> Option<u64> {
    let text = format!(
        "{head} int lut[64] = {{1, 2, 3, 5}};
        void top(int v[1024], int y[1024]) {{
            {tail}
            lookups: for (int i = 0; i < 1024; i += 4) {{
                #pragma HLS pipeline II=1
                for (int k = 0; k < 4; k++) {{ y[i + k] = lut[v[i + k] & 63]; }}
            }}
        }}"
    );
    let cut = "set_directive_array_partition -type cyclic -factor 4 top v\n\
               set_directive_array_partition -type cyclic -factor 4 top y\n";
    estimate(&text, &format!("{cut}{tcl}")).loops.last()?.ii
}

#[test]
fn a_table_that_is_only_read_has_a_port_for_each_reader() {
    for head in ["static const", "const", "static"] {
        assert_eq!(read_table(head, "", ""), Some(1), "{head}");
    }
    // What is written somewhere is memory with two ports.
    assert_eq!(read_table("static", "lut[v[0] & 63] = 7;", ""), Some(2));
    // So is a table that a directive gives one port.
    let one_port = "set_directive_bind_storage -type rom_1p top lut\n";
    let local = "void top(int v[1024], int y[1024]) {
            static const int lut[64] = {1, 2, 3, 5};
            for (int i = 0; i < 1024; i += 4) {
                #pragma HLS pipeline II=1
                for (int k = 0; k < 4; k++) { y[i + k] = lut[v[i + k] & 63]; }
            }
        }";
    let cut = "set_directive_array_partition -type cyclic -factor 4 top v\n\
               set_directive_array_partition -type cyclic -factor 4 top y\n";
    assert_eq!(estimate(local, cut).loops[0].ii, Some(1));
    assert_eq!(estimate(local, &format!("{cut}{one_port}")).loops[0].ii, Some(4));
}

/// A loop that data end is unrolled with a test in each copy, so that its copies need no banks.
#[test]
fn copies_of_a_loop_that_data_end_need_no_banks() {
    let blocks = |end: &str| {
        let text = format!(
            "void top(int a[2048], int n) {{ int kept[2048];
             for (int i = 0; i < {end}; i++) {{
             #pragma HLS pipeline
             #pragma HLS unroll factor=32
             kept[i] = a[i]; }}
             for (int i = 0; i < 2048; i++) a[i] = kept[2047 - i]; }}"
        );
        let part = derate_kernel::find_part("xczu9eg-ffvb1156-2-i").unwrap();
        let settings = derate_kernel::Settings::new(part, 10.0, (2023, 1));
        let program = crate::read(&text);
        let directives = derate_kernel::Directives::default();
        derate_kernel::estimate_kernel(&program, &directives, &settings).resources.bram18.value
    };
    assert_eq!(blocks("n"), 4.0);
    // Banks of 64 words are no block memory.
    assert_eq!(blocks("2048"), 0.0);
}

/// Eight rows that are stored at once, each in a block of its own.
#[test]
fn a_block_is_known_by_the_range_of_its_index() {
    let interval = |cut: &str, index: &str| {
        let text = format!(
            "void top(short in[64], short out[64]) {{
                #pragma HLS array_partition variable=out {cut} dim=1
                rows: for (int i = 0; i < 8; i++) {{
                    #pragma HLS pipeline
                    short s = in[i];
                    for (int k = 0; k < 8; k++) out[{index}] = s;
                }}
            }}"
        );
        estimate(&text, "").loops[0].ii
    };
    assert_eq!(interval("block factor=8", "i + k * 8"), Some(1));
    // Blocks of 16 have two of them.
    assert_eq!(interval("block factor=4", "i + k * 8"), Some(1));
    assert_eq!(interval("block factor=2", "i + k * 8"), Some(2));
    // Side by side they are in one block, and which one changes.
    assert_eq!(interval("block factor=8", "i * 8 + k"), Some(4));
    // It may be in this block or in the next one.
    assert_eq!(interval("block factor=8", "(i + k * 8 + 1) % 64"), Some(4));
}

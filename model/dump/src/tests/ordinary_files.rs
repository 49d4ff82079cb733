//! A hundred files that lie in any repository of accelerators, each with lines that look like tensors: none is a dump.

use super::parse;

/// A file's ending and its text. `NAME`, `SIZE` and `WORD` differ from file to file.
const FILES: [(&str, &str); 25] = [
    (
        "README.md",
        "# NAME\n\nAn accelerator for WORD layers on the board.\n\n## Results\n\n| Kernel | Size | II |\n|---|---|---|\n\
         | NAME | [SIZE, SIZE] | 1 |\n| [reference][1] | (2) | 4 |\n\n[1]: https://example.org/NAME\n\nBuild with `make`.\n\n\
         - WORD first\n- then the host\n",
    ),
    (
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.16)\nproject(NAME)\nset(SIZES (SIZE 128))\nif(WORD)\n  add_definitions(-DWORD)\n\
         else()\n  message(STATUS (1))\nendif()\nfind_package(Vitis REQUIRED)\nadd_executable(host host.cpp NAME.cpp)\n",
    ),
    (
        "Makefile",
        "TARGET := hw\nNAME_SIZE := SIZE\nall: NAME.xclbin\n\nNAME.xo: src/NAME.cpp\n\tv++ -c -k NAME $< -o $@\n\n\
         clean:\n\trm -rf _x *.xo (1)\n.PHONY: all clean WORD\n",
    ),
    (
        "build.log",
        "INFO: [HLS 200-10] Running NAME\nINFO: [XFORM 203-510] Pipelining loop 'WORD' (SIZE)\nWARNING: [HLS 200-880] II = 2\n\
         INFO: [SCHED 204-61] Final II = 1, Depth = 12\nWORD (SIZE, 1)\nElapsed [00:01:12]\nExiting at 12:00\n",
    ),
    (
        "results.csv",
        "kernel,size,cycles,dsp\nNAME,SIZE,1024,5\nNAME,128,4096,5\nWORD,\"[SIZE, 4]\",77,1\nWORD,256,8000,2\ntotal,,13197,\n",
    ),
    (
        "kernel.cpp",
        "#include \"NAME.h\"\nvoid NAME(const float *in, float *out) {\n  float line[SIZE][4];\n  WORD:\n  for (int i = 0; i < SIZE; i++) {\n\
         #pragma HLS pipeline II=1\n    line[i][0] = in[i];\n  }\n  auto f = [](int x) { return x; };\n  out[0] = f(line[0][0]);\n}\n",
    ),
    (
        "types.h",
        "#pragma once\n#include <ap_fixed.h>\nconstexpr int NAME_SIZE = SIZE;\ntypedef ap_fixed<16, 6> WORD_t;\n\
         typedef WORD_t row_t[NAME_SIZE];\nextern const WORD_t NAME_w[SIZE][4];\nstruct config { static const unsigned n_in = SIZE; };\n",
    ),
    (
        "train.py",
        "import numpy as np\n\nSIZES = [SIZE, 128]\n\ndef NAME(x):\n    \"\"\"WORD of x (batch, SIZE).\"\"\"\n    w = np.zeros((SIZE, 4))\n\
         \x20   return x @ w\n\nif __name__ == '__main__':\n    print(NAME(np.ones((1, SIZE))).shape)\n",
    ),
    (
        "config.yml",
        "Model:\n  Precision: ap_fixed<16,6>\n  ReuseFactor: SIZE\nLayerName:\n  NAME:\n    Precision:\n      weight: ap_fixed<8,2>\n\
         \x20   ReuseFactor: 4\n  WORD:\n    Shape: [SIZE, 4]\nBackend: Vitis\nPart: xcu250-figd2104-2L-e\n",
    ),
    (
        "workflow.yaml",
        "name: NAME\non: [push, pull_request]\njobs:\n  WORD:\n    runs-on: ubuntu-latest\n    strategy:\n      matrix:\n\
         \x20       size: [SIZE, 128]\n    steps:\n      - uses: actions/checkout@v4\n      - run: make\n",
    ),
    (
        "run_hls.tcl",
        "open_project -reset NAME_prj\nset_top NAME\nadd_files NAME.cpp\nset sizes [list SIZE 128]\nopen_solution WORD\n\
         set_part {xczu7ev-ffvc1156-2-e}\ncreate_clock -period 3.33\ncsynth_design\nexit\n",
    ),
    (
        "connectivity.cfg",
        "[connectivity]\nnk=NAME:2:NAME_1.NAME_2\nsp=NAME_1.in:HBM[0:3]\nsp=NAME_2.in:HBM[4]\nslr=NAME_1:SLR0\n[vivado]\n\
         prop=run.impl_1.STEPS.WORD=SIZE\n",
    ),
    (
        "requirements.txt",
        "numpy>=1.24\ntorch==2.3.0  # WORD [cpu]\nonnx\npytest (SIZE)\n# for NAME\nhls4ml[profiling]==1.0\npyyaml\n",
    ),
    (
        "package.json",
        "{\n  \"name\": \"NAME\",\n  \"version\": \"1.0.0\",\n  \"scripts\": {\"build\": \"make WORD\"},\n  \"sizes\": [SIZE, 128],\n\
         \x20 \"private\": true\n}\n",
    ),
    (
        "pyproject.toml",
        "[project]\nname = \"NAME\"\nversion = \"0.1.0\"\ndependencies = [\"numpy\"]\n\n[tool.WORD]\nline-length = SIZE\nselect = [\"E\", \"F\"]\n",
    ),
    (
        "LICENSE",
        "Copyright (c) 2020 NAME authors\n\nRedistribution and use in source and binary forms are permitted provided that:\n\n\
         (1) the notice is kept;\n(2) the name WORD is not used.\n\nTHE SOFTWARE IS PROVIDED \"AS IS\" (SIZE).\n",
    ),
    (
        "CHANGELOG.md",
        "# Changes\n\n## [SIZE.0] - 2024-01-02\n\n### Added\n\n- NAME: a WORD option ([#12](https://example.org/12))\n- tests\n\n## [0.1]\n\n- first\n",
    ),
    (
        "report.rpt",
        "== Vitis HLS Report for 'NAME'\n* Date: Mon\n+---------+---------+\n| Latency | Interval|\n+---------+---------+\n|  SIZE   |   SIZE  |\n\
         +---------+---------+\n* Loop:\n|- WORD | 12| 1| yes |\n",
    ),
    (
        "paper.tex",
        "\\section{NAME}\nThe kernel has $SIZE \\times SIZE$ words \\cite{WORD}.\n\\begin{tabular}{lr}\nNAME & [SIZE] \\\\\nWORD & (4) \\\\\n\
         \\end{tabular}\n\\bibliography{refs}\n",
    ),
    (
        "design.xml",
        "<?xml version=\"1.0\"?>\n<profile>\n  <UserAssignments><TopModelName>NAME</TopModelName></UserAssignments>\n\
         \x20 <Loop><Name>WORD</Name><TripCount>SIZE</TripCount></Loop>\n  <Area>[SIZE, 4]</Area>\n</profile>\n",
    ),
    (
        "setup.sh",
        "#!/bin/bash\nset -e\nsource /opt/xilinx/xrt/setup.sh\nif [ -z \"$NAME\" ]; then\n  export NAME=SIZE\nfi\nfor i in WORD other; do\n\
         \x20 echo \"$i [SIZE]\"\ndone\nmake all\n",
    ),
    (
        "host.ini",
        "[Debug]\nprofile=true\ntimeline_trace=true\n[Runtime]\nverbosity=SIZE\nkernel = NAME (1)\nWORD = [1]\n[Emulation]\ndebug_mode=batch\n",
    ),
    (
        "top.v",
        "module NAME (input clk, input [31:0] a, output reg [31:0] q);\n  reg [15:0] WORD [SIZE:0];\n  always @(posedge clk) begin\n\
         \x20   q <= a + WORD[0];\n  end\nendmodule\n",
    ),
    (
        "notes.txt",
        "Meeting about NAME\n\nAgenda (2)\n1. WORD and its size [SIZE]\n2. who measures\n\nAnna takes the board.\nThe rest is open.\nNext: Monday (SIZE)\n",
    ),
    (
        "change.diff",
        "diff --git a/NAME.h b/NAME.h\n--- a/NAME.h\n+++ b/NAME.h\n@@ -1,3 +1,3 @@\n-int WORD[SIZE];\n+int WORD[128];\n context (SIZE)\n index 12ab..34cd\n",
    ),
];

const VARIANTS: [(&str, &str, &str); 4] = [
    ("gemm", "64", "dense"),
    ("conv2d_stream", "1", "weights"),
    ("myproject", "1024", "layer.0"),
    ("fft", "8", "bias"),
];

#[test]
fn a_hundred_ordinary_files_are_refused() {
    let mut taken = Vec::new();
    let mut count = 0;
    for (file, text) in FILES {
        for (name, size, word) in VARIANTS {
            count += 1;
            let text = text.replace("NAME", name).replace("SIZE", size).replace("WORD", word);
            if let Ok(model) = parse(&text) {
                taken.push(format!(
                    "{file} of {name}: {} tensors as {:?}",
                    model.tensors.len(),
                    model.format
                ));
            }
        }
    }
    assert_eq!((count, taken), (100, Vec::new()));
}

/// A number that is set to nothing is read as a tensor without extents; one in a long program is an accident.
#[test]
fn one_line_of_a_long_program_is_not_a_dump() {
    let program = "    uint8_t addr_size = 0;\n    auto add = [&](Name name, Data data) {\n"
        .to_owned()
        + &"      section.add(name, data);\n".repeat(40);
    assert!(parse(&program).is_err());
}

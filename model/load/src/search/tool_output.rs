//! Folders and files that tools write, or that vendors ship, among the sources of a project.

use std::path::{Component, Path};

/// Folders that hold neither sources nor reports of a design.
pub(crate) fn is_never_searched(folder: &str) -> bool {
    matches!(folder, "target" | "node_modules" | "CMakeFiles" | "__pycache__")
}

/// Whether a source is a tool's copy or a vendor's header. `path` is from the project's folder. Allo writes kernels into
/// `*.prj`, and people keep theirs in `build`: these are sources.
pub(crate) fn is_tool_output(path: &Path) -> bool {
    let parts: Vec<String> = path
        .components()
        .filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_string_lossy().to_ascii_lowercase()),
            _ => None,
        })
        .collect();
    let Some((file, folders)) = parts.split_last() else { return false };
    let in_solution = folders.windows(2).any(|pair| {
        let solution = pair[0].starts_with("solution") || pair[0].starts_with("hls");
        solution && matches!(pair[1].as_str(), "syn" | "sim" | "csim" | "impl")
    });
    // The sources that a simulation is compiled from are copied there.
    let in_simulation = folders.windows(2).any(|pair| pair[0] == "csim" && pair[1] == "build");
    in_solution
        || in_simulation
        || folders.windows(2).any(|pair| is_board_support(&pair[0], &pair[1]))
        || folders.windows(2).any(|pair| is_block_design(&pair[0], &pair[1]))
        || folders.iter().any(|folder| is_written_by_tools(folder))
        || is_vendor_header(file)
}

/// What Vitis and the SDK write for a processor of the card: `zynq_fsbl_bsp/ps7_cortexa9_0/libsrc`.
fn is_board_support(processor: &str, part: &str) -> bool {
    let families = ["ps7_cortex", "psu_cortex", "psu_pmu", "psv_cortex", "psv_pmc", "microblaze"];
    matches!(part, "libsrc" | "include" | "lib" | "code")
        && families.iter().any(|family| processor.starts_with(family))
}

/// What Vivado writes of a block design: `p.srcs/sources_1/bd/design_1/ip`, `p.gen/sources_1/bd`, and its copies.
fn is_block_design(folder: &str, below: &str) -> bool {
    (folder == "sources_1" && matches!(below, "bd" | "ip"))
        || folder.ends_with(".ip_user_files")
        || folder == "ipshared"
}

/// Whether a report is one that Vitis copies: `reports/hls_compile.rpt` is `hls/syn/report/csynth.rpt`, and packing copies all
/// reports to `hls_files`.
pub(super) fn is_copied_report(path: &Path) -> bool {
    let is_packed = |part: Component<'_>| part.as_os_str() == "hls_files";
    path.file_name().is_some_and(|name| name == "hls_compile.rpt")
        || path.components().any(is_packed)
}

fn is_written_by_tools(folder: &str) -> bool {
    matches!(
        folder,
        "_x" | "systemc"
            | "verilog"
            | "vhdl"
            | "ap_types"
            | "wrapc"
            | "wrapc_pc"
            | "tb_wrapc"
            | "sysc"
            // Programs that Vitis writes to start a processor, and what it exports for others.
            | "zynq_fsbl"
            | "zynqmp_fsbl"
            | "zynqmp_pmufw"
            | "bspinclude"
    ) || folder.starts_with("_x.")
}

/// `ap_int.h` and its like, which projects carry along to compile without the tool.
pub(super) fn is_vendor_header(file: &str) -> bool {
    let Some(stem) = file.strip_suffix(".h").or_else(|| file.strip_suffix(".hpp")) else {
        return false;
    };
    let families = [
        "ap_int",
        "ap_fixed",
        "ap_float",
        "ap_common",
        "ap_decl",
        "ap_axi",
        "ap_shift_reg",
        "ap_cint",
        "ap_private",
        "ap_ufixed",
        "ap_utils",
        "hls_stream",
        "hls_vector",
        "hls_math",
        "hls_half",
        "hls_burst_maxi",
        "hls_fpo",
        "hls_task",
        "hls_print",
        "ac_int",
        "ac_fixed",
        "ac_float",
        "gmp",
        "gmpxx",
        "mpfr",
        "mpf2mpfr",
    ];
    // `floating_point_v7_0_bitacc_cmodel.h`: the operators of floating point, for simulation.
    let is_model = stem.starts_with("floating_point_v") && stem.ends_with("_bitacc_cmodel");
    is_model
        || families.iter().any(|family| {
            stem.strip_prefix(family).is_some_and(|rest| {
                let known =
                    ["", "_base", "_ref", "_special", "_sim", "_syn", "_sdata", "_defs", "_39"];
                known.contains(&rest)
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_tools_and_headers_of_vendors_are_told_from_sources() {
        for path in [
            "proj/solution1/syn/systemc/gemm.cpp",
            "solution_2/sim/wrapc/apatb_gemm.cpp",
            "hls/sim/autowrap/gemm.cpp",
            "include/ap_types/ap_int_base.h",
            "inc/ap_fixed.h",
            "inc/ap_axi_sdata.h",
            "cpp/gmp.h",
            "cpp/floating_point_v7_0_bitacc_cmodel.h",
            "net/csim/build/net.hpp",
            "_x/gemm.cpp",
            "_x.hw/gemm/gemm.cpp",
            "sw/zynq_fsbl_bsp/ps7_cortexa9_0/libsrc/xilffs_v4_4/src/include/integer.h",
            "bsp/microblaze_0/include/xparameters.h",
            "board/zynqmp_fsbl/xfsbl_ddr_init.h",
            "board/export/sw/standalone_psu_cortexa53_0/bspinclude/include/lwip/altcp.h",
            "p/p.srcs/sources_1/bd/design_1/ip/design_1_ps7_0/sim_tlm/ps7.h",
            "p.ip_user_files/bd/design_1/ps7.h",
        ] {
            assert!(is_tool_output(Path::new(path)), "{path}");
        }
        for path in [
            "src/gemm.cpp",
            "gemm.prj/kernel.cpp",
            "build/kernel.h",
            "csim/net.cpp",
            "hls/gemm.cpp",
            "solution/gemm.cpp",
            "src/ap_int_helpers.h",
            "src/gmp_pool.h",
            "src/floating_point_v2.h",
            "sim/gemm.cpp",
            "libsrc/gemm.cpp",
            "fsbl/gemm.cpp",
            "microblaze/src/gemm.cpp",
            "ip/gemm.cpp",
        ] {
            assert!(!is_tool_output(Path::new(path)), "{path}");
        }
    }
}

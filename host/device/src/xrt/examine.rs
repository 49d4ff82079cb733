//! What has to be right of a design before XRT sees it: XRT ends the process, or hangs, over one that is damaged, and loads
//! one that is for another card into its emulation without a word.

use derate_model::Platform;

use super::{RunMode, XrtError};
use derate_emulate::xclbin::{Design, SectionKind, Xclbin};

/// Sections without which XRT finds no kernel or no memory.
const NEEDED: [SectionKind; 3] =
    [SectionKind::MEM_TOPOLOGY, SectionKind::IP_LAYOUT, SectionKind::EMBEDDED_METADATA];

/// The first thing that is wrong with the design of `file`, in a sentence.
pub(super) fn examine_design(
    file: &str,
    xclbin: &Xclbin<'_>,
    design: &Design,
    mode: RunMode,
    platform: &Platform,
) -> Result<(), XrtError> {
    let wrong = |text: String| Err(XrtError::Setup(text));
    if let Some(problem) = xclbin.problems.iter().chain(&design.problems).next() {
        return wrong(format!(
            "{file} is damaged ({problem}), and XRT may end the process over it: `derate emu inspect` shows it; build or copy it again"
        ));
    }
    if let Some(kind) = NEEDED.iter().find(|kind| xclbin.section(**kind).is_none()) {
        return wrong(format!(
            "{file} has no {kind}, which XRT needs: link it with v++, or with `derate emu xclbin`"
        ));
    }
    let mut units = design.kernels.iter().flat_map(|kernel| &kernel.instances);
    if let (true, Some(unit)) = (mode != RunMode::Card, units.find(|unit| unit.base.is_none())) {
        return wrong(format!(
            "{file}: compute unit {} has no address (addrRemap base) in {}, and XRT's {mode} would wait for it forever: link it again",
            unit.name,
            SectionKind::EMBEDDED_METADATA
        ));
    }
    let made_for = xclbin.header.mode;
    if mode == RunMode::Card && made_for.is_emulation() {
        return wrong(format!(
            "{file} is made for {made_for}, and a card needs one for hardware: `make -C hls hw`, or run it under `derate emu run`"
        ));
    }
    if mode == RunMode::HwEmu && !made_for.is_hardware_emulation() {
        return wrong(format!(
            "{file} is made for {made_for}, and XRT's hardware emulation runs the simulator that v++ --target hw_emu puts into the design: use software emulation (`derate emu run`)"
        ));
    }
    is_for(file, &xclbin.header.platform(), platform)
}

/// Whether the shell that a design was linked for (`xilinx_u280_gen3x16_xdma_1_202211_1`) is of this platform. A header that
/// names none says nothing, and is not refused.
fn is_for(file: &str, shell: &str, platform: &Platform) -> Result<(), XrtError> {
    if shell.is_empty() || is_of(shell, &platform.name) {
        return Ok(());
    }
    Err(XrtError::Setup(format!(
        "{file} is linked for {shell}, which is not a {}: give its card with --platform, by its name in the catalogue or as a file of your own",
        platform.name
    )))
}

/// The board follows the vendor: `xilinx_u280_...`, `xilinx:u280:...`.
fn is_of(shell: &str, name: &str) -> bool {
    let separates = |sign: char| matches!(sign, '_' | ':');
    let Some((_, board)) = shell.split_once(separates) else { return false };
    let Some((start, rest)) = board.split_at_checked(name.len()) else { return false };
    start.eq_ignore_ascii_case(name) && rest.chars().next().is_none_or(separates)
}

#[cfg(test)]
mod tests {
    use derate_hls::{Sources, parse_all};

    use super::*;
    use derate_emulate::xclbin::{DesignMode, Header, link_design};

    fn u280() -> Platform {
        Platform::named("u280").unwrap()
    }

    fn linked() -> Xclbin<'static> {
        let mut sources = Sources::default();
        let text = "extern \"C\" void k(const int *a, int n) {\n#pragma HLS INTERFACE m_axi port=a bundle=g\n#pragma HLS INTERFACE s_axilite port=n\n}\n";
        let file = sources.add("k.cpp", text);
        let headers = parse_all(&sources, &[file]);
        link_design(&sources, &headers, &[], &u280(), Some(vec![1; 64]), &[], &[]).unwrap().xclbin
    }

    /// The same sections behind another header, without one of them or with another text in one.
    fn altered(
        shell: &str,
        made_for: DesignMode,
        change: impl Fn(SectionKind, &[u8]) -> Option<Vec<u8>>,
    ) -> Vec<u8> {
        let whole = linked();
        let kinds = [
            SectionKind::MEM_TOPOLOGY,
            SectionKind::IP_LAYOUT,
            SectionKind::CONNECTIVITY,
            SectionKind::EMBEDDED_METADATA,
        ];
        let sections =
            kinds.iter().filter_map(|&kind| Some((kind, change(kind, whole.section(kind)?)?)));
        Xclbin::new(Header::new(made_for, shell).unwrap(), sections.collect()).unwrap().write()
    }

    fn said(bytes: &[u8], mode: RunMode) -> Result<(), String> {
        let xclbin = Xclbin::read("a.xclbin", bytes).unwrap();
        examine_design("a.xclbin", &xclbin, &Design::of(&xclbin), mode, &u280())
            .map_err(|error| error.to_string())
    }

    const SHELL: &str = "xilinx_u280_gen3x16_xdma_1_202211_1";
    const HARDWARE: DesignMode = DesignMode(1);

    #[test]
    fn a_design_of_another_card_is_refused() {
        let of = |shell: &str| {
            said(&altered(shell, HARDWARE, |_, data| Some(data.to_vec())), RunMode::Card)
        };
        assert_eq!(of(SHELL), Ok(()));
        assert_eq!(of("xilinx:u280:xdma:201920.3"), Ok(()));
        assert_eq!(of(""), Ok(()));
        for shell in [
            "xilinx_u50_gen3x16_xdma_201920_3",
            "xilinx_u280-es1_xdma_201910_1",
            "acme_board_1",
            "u280",
        ] {
            let error = of(shell).unwrap_err();
            assert!(
                error.contains(&format!("is linked for {shell}, which is not a u280")),
                "{error}"
            );
        }
    }

    #[test]
    fn a_damaged_design_never_reaches_xrt() {
        let whole = linked().write();
        assert_eq!(said(&whole, RunMode::SwEmu), Ok(()));
        let error = said(&whole[..whole.len() - 100], RunMode::SwEmu).unwrap_err();
        assert!(error.contains("a.xclbin is damaged ("), "{error}");
        for gone in NEEDED {
            let without = altered(SHELL, DesignMode::SW_EMU, |kind, data| {
                (kind != gone).then(|| data.to_vec())
            });
            let error = said(&without, RunMode::SwEmu).unwrap_err();
            assert!(
                error.contains(&format!("has no {gone}")) || error.contains("is damaged"),
                "{error}"
            );
        }
        let astray = altered(SHELL, DesignMode::SW_EMU, |kind, data| {
            let text = String::from_utf8_lossy(data).replace("addrRemap base", "addrRemap place");
            Some(if kind == SectionKind::EMBEDDED_METADATA {
                text.into_bytes()
            } else {
                data.to_vec()
            })
        });
        let error = said(&astray, RunMode::SwEmu).unwrap_err();
        assert!(error.contains("compute unit k_1 has no address"), "{error}");
    }

    #[test]
    fn a_design_for_another_way_to_run_is_refused() {
        let whole = linked().write();
        assert!(said(&whole, RunMode::Card).unwrap_err().contains("a card needs one for hardware"));
        assert!(said(&whole, RunMode::HwEmu).unwrap_err().contains("runs the simulator"));
        let simulated = altered(SHELL, DesignMode(4), |_, data| Some(data.to_vec()));
        assert_eq!(said(&simulated, RunMode::HwEmu), Ok(()));
    }
}

//! What a measurement may say of a design, because the design says it.

use derate_model::units::Hertz;

use derate_emulate::xclbin::{Clock, Design, DesignArgument};

fn find_clock(design: &Design, is_it: impl Fn(&Clock) -> bool) -> Option<Hertz> {
    let found = design.clocks.iter().find(|clock| is_it(clock) && clock.megahertz > 0);
    found.map(|clock| Hertz(f64::from(clock.megahertz) * 1e6))
}

/// The clock that the kernels reached, which may be below the one that was asked for.
pub(super) fn kernel_clock(design: &Design) -> Option<Hertz> {
    find_clock(design, |clock| clock.kind == "data")
}

/// The clock of a memory's AXI ports: `hbm_aclk` of `HBM`.
pub(super) fn memory_clock(design: &Design, memory: &str) -> Option<Hertz> {
    let memory = memory.to_ascii_lowercase();
    find_clock(design, |clock| {
        clock.kind == "system" && clock.name.to_ascii_lowercase().contains(&memory)
    })
}

/// Bits of the port of each argument of a kernel.
pub(super) fn port_bits(design: &Design, kernel: &str) -> Vec<Option<u64>> {
    let Some(known) = design.kernels.iter().find(|known| known.name == kernel) else {
        return Vec::new();
    };
    let bits = |argument: &DesignArgument| {
        let name = argument.port.as_ref()?;
        let port = known.ports.iter().find(|port| port.name.eq_ignore_ascii_case(name))?;
        port.bits.filter(|&bits| bits > 0)
    };
    known.arguments.iter().map(bits).collect()
}

/// The bank that an argument of a unit is connected to, by its position in the design; the first of several.
pub(super) fn connected_bank(design: &Design, unit: &str, argument: usize) -> Option<u32> {
    let named = |name: &str| name.split_once(':').is_some_and(|(_, instance)| instance == unit);
    let (ip, _) = (0_u32..).zip(&design.ips).find(|(_, ip)| named(&ip.name))?;
    let argument = u32::try_from(argument).ok()?;
    let own = design.connections.iter().find(|one| (one.ip, one.argument) == (ip, argument));
    own.map(|one| one.bank)
}

#[cfg(test)]
mod tests {
    use derate_hls::{Sources, parse_all, read_connectivity};
    use derate_model::Platform;

    use super::*;
    use derate_emulate::xclbin::link_design;

    /// The design of `hls/u280-read.cfg`.
    fn read() -> Design {
        let mut sources = Sources::default();
        let files = [
            ("port.h", "template <class T> using port = T *;"),
            ("word.h", include_str!("../../../../hls/kernels/word.h")),
            ("read.cpp", include_str!("../../../../hls/kernels/read.cpp")),
        ];
        let files = files.map(|(name, text)| sources.add(name, text));
        let cfg = sources.add("u280-read.cfg", include_str!("../../../../hls/u280-read.cfg"));
        let headers = parse_all(&sources, &files);
        let cfg = read_connectivity(&sources, cfg).unwrap();
        let platform = Platform::named("u280").unwrap();
        Design::of(
            &link_design(&sources, &headers, &[cfg], &platform, None, &[], &[]).unwrap().xclbin,
        )
    }

    #[test]
    fn an_argument_lies_where_its_port_is_connected() {
        let (design, cfg) = (read(), include_str!("../../../../hls/u280-read.cfg"));
        for unit in [1, 16, 17, 32] {
            let unit = format!("krnl_read_{unit}");
            let line = format!("sp={unit}.m_axi_gmem0:");
            let wanted = cfg.lines().find_map(|one| one.strip_prefix(&line)).unwrap();
            for argument in [0, 1] {
                let place = connected_bank(&design, &unit, argument).unwrap();
                assert_eq!(design.banks[place as usize].tag, wanted, "{unit} {argument}");
            }
        }
        assert_eq!(connected_bank(&design, "krnl_read_33", 0), None);
        assert_eq!(connected_bank(&design, "krnl_read_1", 2), None);
    }

    /// What no section says is not known: neither the requested clock nor the one of the catalogue replaces it.
    #[test]
    fn what_a_design_does_not_say_is_left_out() {
        let mut design = read();
        assert_eq!(port_bits(&design, "krnl_read")[0], Some(512));
        assert_eq!(port_bits(&design, "krnl_other"), []);
        assert!(design.kernel_clock.is_some());
        assert_eq!((kernel_clock(&design), memory_clock(&design, "HBM")), (None, None));
        let clock = |name: &str, megahertz, kind: &str| Clock {
            name: name.to_owned(),
            megahertz,
            kind: kind.to_owned(),
        };
        design.clocks = vec![
            clock("DATA_CLK", 287, "data"),
            clock("KERNEL_CLK", 500, "kernel"),
            clock("hbm_aclk", 410, "system"),
        ];
        assert_eq!(kernel_clock(&design), Some(Hertz(287e6)));
        assert_eq!(memory_clock(&design, "HBM"), Some(Hertz(410e6)));
        assert_eq!(memory_clock(&design, "DDR"), None);
        design.kernels[0].ports.clear();
        assert_eq!(port_bits(&design, "krnl_read")[0], None);
    }
}

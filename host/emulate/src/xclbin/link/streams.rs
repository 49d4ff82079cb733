//! Which stream of which unit goes where.

use derate_hls::{Located, Span, StreamLink};

use super::linker::Linker;
use crate::xclbin::kernel::{ArgumentKind, DesignKernel};
use crate::xclbin::{LinkError, Streamed};

/// Elements that v++ lets a connection hold where `sc=` gives no depth: the FIFOs of the two ports (assumed; UG1393 gives none).
const DEPTH: u32 = 32;
/// No connection holds more.
const DEEPEST: u64 = 1 << 20;

impl Linker<'_> {
    /// The connections of `stream_connect=` and `sc=`.
    pub(super) fn connect_streams(
        &mut self,
        kernels: &[DesignKernel],
    ) -> Result<Vec<Streamed>, LinkError> {
        let configurations = self.configurations;
        let links = configurations.iter().flat_map(|one| &one.streams);
        let links: Vec<Streamed> =
            links.map(|link| self.connect_stream(kernels, link)).collect::<Result<_, _>>()?;
        for kernel in kernels {
            for unit in &kernel.instances {
                for one in kernel.arguments.iter().filter(|one| one.kind == ArgumentKind::Stream) {
                    let id = one.id.unwrap_or_default();
                    let end = (unit.name.clone(), id);
                    if !links.iter().any(|link| link.from == end || link.to == end) {
                        self.add_note(format!(
                            "{}.{} is a stream that no sc= connects: whatever waits on it waits forever",
                            unit.name, one.name
                        ));
                    }
                }
            }
        }
        Ok(links)
    }

    fn connect_stream(
        &self,
        kernels: &[DesignKernel],
        link: &StreamLink,
    ) -> Result<Streamed, LinkError> {
        let end = |end: &Located<String>| self.find_stream(kernels, &end.value, link.span);
        let depth = link.depth.as_ref().map_or(u64::from(DEPTH), |depth| depth.value);
        let depth = depth.clamp(1, DEEPEST);
        Ok(Streamed {
            from: end(&link.from)?,
            to: end(&link.to)?,
            depth: u32::try_from(depth).unwrap_or(DEPTH),
        })
    }

    /// `unit.argument` as the unit and the argument's position.
    fn find_stream(
        &self,
        kernels: &[DesignKernel],
        name: &str,
        span: Span,
    ) -> Result<(String, u32), LinkError> {
        let fail = |reason| LinkError::Configuration { place: self.place_of(span), reason };
        let (unit, argument) = name
            .split_once('.')
            .ok_or_else(|| fail(format!("`{name}` is not written unit.argument")))?;
        let kernel = kernels.iter().find(|one| one.instances.iter().any(|one| one.name == unit));
        let kernel = kernel.ok_or_else(|| fail(format!("there is no compute unit `{unit}`")))?;
        let known = kernel.arguments.iter().find(|one| {
            one.kind == ArgumentKind::Stream && one.name.eq_ignore_ascii_case(argument)
        });
        let known = known.ok_or_else(|| {
            fail(format!("`{argument}` is not a stream of kernel `{}`", kernel.name))
        })?;
        Ok((unit.to_owned(), known.id.unwrap_or_default()))
    }
}

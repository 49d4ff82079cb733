//! Calls in integer expressions: casts that look like calls, the library's few, and constexpr functions.

use super::Resolver;
use super::context::Context;
use super::trail::Trail;
use super::value::convert;
use crate::HlsType;
use crate::path::Path;

impl Resolver<'_> {
    pub(super) fn call(
        &self,
        path: &Path,
        arguments: &[i128],
        context: &Context,
        trail: &mut Trail,
    ) -> Result<i128, String> {
        let unknown = || format!("`{path}(...)` is not computed");
        match (path.plain().as_str(), arguments) {
            ("std::max" | "max" | "hls::max", [left, right]) => Ok(*left.max(right)),
            ("std::min" | "min" | "hls::min", [left, right]) => Ok(*left.min(right)),
            ("std::abs" | "abs", [only]) => only.checked_abs().ok_or_else(unknown),
            (_, [only]) => match trail.within(|trail| self.entity(path, context, trail)) {
                Ok(super::entity::Entity::Kind(HlsType::Scalar(scalar))) => convert(*only, &scalar),
                _ => Err(unknown()),
            },
            _ => Err(unknown()),
        }
    }
}

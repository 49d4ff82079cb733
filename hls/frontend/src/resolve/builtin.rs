//! Types that the language, its library and the HLS vendors declare.

use super::Resolver;
use super::context::Context;
use super::vendor::{Arguments, build_template, class, is_template};
use crate::hls_type::Field;
use crate::path::Path;
use crate::{HlsType, NumberLibrary, ScalarType, Settled};

impl Resolver<'_> {
    /// The type that a path names in the language or at a vendor, if it does.
    pub(super) fn builtin_type(&self, path: &Path, context: &Context) -> Option<Settled<HlsType>> {
        let name = path.plain();
        let scalar = plain_type(&name).or_else(|| self.counted_integer(&name));
        if let Some(scalar) = scalar.or_else(|| self.type_of_header(&name)) {
            return Some(Ok(HlsType::Scalar(scalar)));
        }
        if name == "std::string" {
            return Some(Err("`std::string` has no fixed size".into()));
        }
        if let Some(kind) = self.plain_class(&name) {
            return Some(Ok(kind));
        }
        let (last, before) = path.segments.split_last()?;
        let member = ["type", "value_type"].contains(&last.name.as_str()) && !before.is_empty();
        if member {
            let owner = Path { global: path.global, segments: before.to_vec() };
            return self.member_of_builtin(&owner, &last.name, context);
        }
        if before.iter().any(|segment| segment.arguments.is_some()) {
            return None;
        }
        let list = last.arguments.as_deref()?;
        let mut arguments = Arguments { list, resolver: self, context };
        build_template(&name, &mut arguments).transpose()
    }

    /// `std::conditional<C, A, B>::type`, `hls::vector<T, N>::value_type`.
    fn member_of_builtin(
        &self,
        owner: &Path,
        member: &str,
        context: &Context,
    ) -> Option<Settled<HlsType>> {
        let list = owner.segments.last()?.arguments.as_deref()?;
        let mut arguments = Arguments { list, resolver: self, context };
        match (owner.plain().as_str(), member) {
            (name, "type") => build_template(&format!("{name}_t"), &mut arguments).transpose(),
            (_, "value_type") => match self.builtin_type(owner, context)? {
                Ok(HlsType::Vector { element, .. } | HlsType::Array { element, .. }) => {
                    Some(Ok(*element))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Classes of the library that need no declaration, and the handles of `OpenCL`: each points to a struct of the driver.
    fn plain_class(&self, name: &str) -> Option<HlsType> {
        let is_in = |list: &str, name: &str| list.split(' ').any(|one| one == name);
        if let Some(handle) = name.strip_prefix("cl_").filter(|name| is_in(HANDLES, name)) {
            let included = self.is_any_included(|file| OPENCL_HEADERS.contains(&file));
            let driver = || Box::new(class(&format!("_cl_{handle}"), Vec::new()));
            return included.then(|| HlsType::Pointer(driver()));
        }
        let own = name.strip_prefix("std::")?;
        if own == "nullptr_t" {
            return Some(HlsType::Pointer(Box::new(HlsType::Void)));
        }
        let count = HlsType::Scalar(ScalarType::Int { bits: 64, signed: true });
        let field = Field { name: "count".to_owned(), kind: count, bit_field: None };
        let is_time = own.strip_prefix("chrono::").is_some_and(|own| is_in(TIMES, own));
        let fields = if is_time { vec![field] } else { Vec::new() };
        (is_time || is_in(EMPTY, own)).then(|| class(name, fields))
    }

    /// `uint5` and `int17` of Vivado's C library or of Catapult's, where one of them is included.
    fn counted_integer(&self, name: &str) -> Option<ScalarType> {
        let (digits, signed) = match name.strip_prefix("uint") {
            Some(digits) => (digits, false),
            None => (name.strip_prefix("int")?, true),
        };
        let bits = digits.parse::<u32>().ok().filter(|_| !digits.starts_with('0'))?;
        let has = |files: &[&str]| self.is_any_included(|file| files.contains(&file));
        if (1..=1024).contains(&bits) && has(&["ap_cint.h"]) {
            return Some(ScalarType::ap_int(bits, signed));
        }
        let mut defines = self.headers.iter().flat_map(|header| &header.defines);
        let is_catapult = (1..64).contains(&bits) && has(&CATAPULT_INTEGERS);
        let is_known = is_catapult && !defines.any(|(name, _)| name == "AC_NOT_USING_INTN");
        is_known.then_some(ScalarType::FreeInt { library: NumberLibrary::Ac, bits, signed })
    }

    /// `u32` of the drivers of Xilinx and `cl_uint` of `OpenCL`, where a header that declares them is included.
    fn type_of_header(&self, name: &str) -> Option<ScalarType> {
        let int = |bits, signed| Some(ScalarType::Int { bits, signed });
        if let Some(name) = name.strip_prefix("cl_") {
            let scalar = match name {
                "char" => int(8, true),
                "uchar" => int(8, false),
                "short" => int(16, true),
                "ushort" | "half" => int(16, false),
                "int" => int(32, true),
                "uint" | "bool" => int(32, false),
                "long" => int(64, true),
                "ulong"
                | "bitfield"
                | "mem_flags"
                | "map_flags"
                | "device_type"
                | "command_queue_properties" => int(64, false),
                "float" => Some(ScalarType::Float),
                "double" => Some(ScalarType::Double),
                _ => None,
            };
            return scalar.filter(|_| self.is_any_included(|file| OPENCL_HEADERS.contains(&file)));
        }
        let digits = name.strip_prefix(['u', 's'])?;
        let bits = [8, 16, 32, 64].into_iter().find(|bits| bits.to_string() == digits)?;
        let scalar = int(bits, name.starts_with('s'));
        scalar.filter(|_| self.is_any_included(|file| file.starts_with("xil_")))
    }

    /// Whether a header with such a name is included, at hand or not.
    fn is_any_included(&self, is_one: impl Fn(&str) -> bool) -> bool {
        let mut includes = self.headers.iter().flat_map(|header| &header.includes);
        includes.any(|one| is_one(one.path.rsplit('/').next().unwrap_or(&one.path)))
    }
}

/// The handles of `OpenCL`, without `cl_`.
const HANDLES: &str =
    "platform_id device_id context command_queue mem program kernel event sampler";
/// Classes of `std` without data.
const EMPTY: &str = "true_type false_type input_iterator_tag output_iterator_tag forward_iterator_tag \
    bidirectional_iterator_tag random_access_iterator_tag";
/// Durations and times of `std::chrono`, which the compilers keep in a signed integer of 64 bits.
const TIMES: &str = "nanoseconds microseconds milliseconds seconds minutes hours system_clock::time_point \
    steady_clock::time_point high_resolution_clock::time_point";

/// The headers of Khronos that declare `cl_int` and its like, or include the one that does.
const OPENCL_HEADERS: [&str; 7] =
    ["cl.h", "opencl.h", "cl_platform.h", "cl_ext.h", "cl.hpp", "cl2.hpp", "opencl.hpp"];

/// The headers of Catapult that declare `int1` to `uint63`, or include the one that does.
const CATAPULT_INTEGERS: [&str; 4] = ["ac_int.h", "ac_fixed.h", "ac_float.h", "ac_std_float.h"];

/// Whether a path names a type that no text needs to declare.
pub(super) fn is_builtin(path: &Path) -> bool {
    let name = path.plain();
    plain_type(&name).is_some() || is_template(&name)
}

/// Types without template arguments.
fn plain_type(name: &str) -> Option<ScalarType> {
    let int = |bits, signed| Some(ScalarType::Int { bits, signed });
    let short = name.strip_prefix("std::").unwrap_or(name);
    match short {
        "int8_t" | "int_least8_t" | "int_fast8_t" => return int(8, true),
        "uint8_t" | "uint_least8_t" | "uint_fast8_t" | "u_int8_t" | "byte" if short != "byte" => {
            return int(8, false);
        }
        "int16_t" | "int_least16_t" => return int(16, true),
        "uint16_t" | "uint_least16_t" | "u_int16_t" | "ushort" => return int(16, false),
        "int32_t" | "int_least32_t" => return int(32, true),
        "uint32_t" | "uint_least32_t" | "u_int32_t" | "uint" => return int(32, false),
        "int64_t" | "int_least64_t" | "intmax_t" | "ssize_t" | "ptrdiff_t" | "intptr_t" => {
            return int(64, true);
        }
        "uint64_t" | "uint_least64_t" | "u_int64_t" | "uintmax_t" | "size_t" | "uintptr_t"
        | "ulong" => return int(64, false),
        "float32_t" if name.starts_with("std::") => return Some(ScalarType::Float),
        "float64_t" if name.starts_with("std::") => return Some(ScalarType::Double),
        "float16_t" if name.starts_with("std::") => return Some(ScalarType::Half),
        "bfloat16_t" if name.starts_with("std::") => return Some(ScalarType::BFloat16),
        _ => {}
    }
    match name {
        "half" | "hls::half" | "half_float::half" => Some(ScalarType::Half),
        "ac::bfloat16" | "hls::bfloat16" => Some(ScalarType::BFloat16),
        _ => None,
    }
}

//! Types that the language, its library and the HLS vendors declare.

use super::Resolver;
use super::context::Context;
use super::trail::Trail;
use crate::hls_type::Field;
use crate::path::Path;
use crate::token::Token;
use crate::{HlsType, ScalarType};

/// No vendor builds a number wider than this.
const WIDEST: i128 = 1 << 20;

/// Template arguments, to be taken as types or as values.
struct Arguments<'r, 't> {
    list: &'r [Vec<Token>],
    resolver: &'r Resolver<'r>,
    context: &'r Context,
    trail: &'t mut Trail,
}

impl Arguments<'_, '_> {
    fn kind(&mut self, index: usize) -> Result<HlsType, String> {
        let tokens = self.list.get(index).ok_or("a template argument is missing")?;
        let (resolver, context) = (self.resolver, self.context);
        self.trail.within(|trail| resolver.kind(tokens, context, trail))
    }

    fn value(&mut self, index: usize) -> Result<i128, String> {
        let tokens = self.list.get(index).ok_or("a template argument is missing")?;
        let (resolver, context) = (self.resolver, self.context);
        self.trail.within(|trail| resolver.value(tokens, context, trail))
    }

    fn width(&mut self, index: usize) -> Result<u32, String> {
        let value = self.value(index)?;
        let fits = (1..=WIDEST).contains(&value);
        let width = u32::try_from(value).ok().filter(|_| fits);
        width.ok_or_else(|| format!("no number is {value} bits wide"))
    }

    /// A width that may be zero, and is where it is left out.
    fn side(&mut self, index: usize) -> Result<u32, String> {
        if self.list.len() <= index {
            return Ok(0);
        }
        if self.value(index)? == 0 { Ok(0) } else { self.width(index) }
    }

    fn point(&mut self, index: usize) -> Result<i32, String> {
        let value = self.value(index)?;
        let fits = (-WIDEST..=WIDEST).contains(&value);
        let point = i32::try_from(value).ok().filter(|_| fits);
        point.ok_or_else(|| format!("no number has {value} integer bits"))
    }

    fn flag(&mut self, index: usize, default: bool) -> Result<bool, String> {
        if self.list.len() <= index { Ok(default) } else { Ok(self.value(index)? != 0) }
    }

    fn count(&mut self, index: usize) -> Result<u64, String> {
        let value = self.value(index)?;
        u64::try_from(value).map_err(|_| format!("no array has {value} elements"))
    }

    fn boxed(&mut self, index: usize) -> Result<Box<HlsType>, String> {
        self.kind(index).map(Box::new)
    }
}

impl Resolver<'_> {
    /// The type that a path names in the language or at a vendor, if it does.
    pub(super) fn builtin(
        &self,
        path: &Path,
        context: &Context,
        trail: &mut Trail,
    ) -> Option<Result<HlsType, String>> {
        let name = path.plain();
        if let Some(scalar) = plain(&name).or_else(|| self.vivado_c(&name)) {
            return Some(Ok(HlsType::Scalar(scalar)));
        }
        let (last, before) = path.segments.split_last()?;
        let member = ["type", "value_type"].contains(&last.name.as_str()) && !before.is_empty();
        if member {
            let owner = Path { global: path.global, segments: before.to_vec() };
            return self.member_of_builtin(&owner, &last.name, context, trail);
        }
        if before.iter().any(|segment| segment.arguments.is_some()) {
            return None;
        }
        let list = last.arguments.as_deref()?;
        let mut arguments = Arguments { list, resolver: self, context, trail };
        template(&name, &mut arguments).transpose()
    }

    /// `std::conditional<C, A, B>::type`, `hls::vector<T, N>::value_type`.
    fn member_of_builtin(
        &self,
        owner: &Path,
        member: &str,
        context: &Context,
        trail: &mut Trail,
    ) -> Option<Result<HlsType, String>> {
        let list = owner.segments.last()?.arguments.as_deref()?;
        let mut arguments = Arguments { list, resolver: self, context, trail };
        match (owner.plain().as_str(), member) {
            ("std::conditional", "type") => Some(choose(&mut arguments)),
            (_, "value_type") => match self.builtin(owner, context, trail)? {
                Ok(HlsType::Vector { element, .. } | HlsType::Array { element, .. }) => {
                    Some(Ok(*element))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// `uint5` and `int17` of Vivado's C library, where that is included.
    fn vivado_c(&self, name: &str) -> Option<ScalarType> {
        let (digits, signed) = match name.strip_prefix("uint") {
            Some(digits) => (digits, false),
            None => (name.strip_prefix("int")?, true),
        };
        let bits = digits.parse::<u32>().ok().filter(|bits| (1..=1024).contains(bits))?;
        let includes = self.headers.iter().flat_map(|header| &header.includes);
        let included = includes.into_iter().any(|include| include.path.ends_with("ap_cint.h"));
        (included && !digits.starts_with('0')).then_some(ScalarType::ApInt { bits, signed })
    }
}

/// Whether a path names a type that no text needs to declare.
pub(super) fn is_builtin(path: &Path) -> bool {
    let name = path.plain();
    plain(&name).is_some() || TEMPLATES.contains(&bare(&name))
}

fn choose(arguments: &mut Arguments<'_, '_>) -> Result<HlsType, String> {
    let index = if arguments.value(0)? == 0 { 2 } else { 1 };
    arguments.kind(index)
}

/// A name without the namespaces that vendors put it in.
fn bare(name: &str) -> &str {
    ["std::", "hls::", "ac::", "sc_dt::", "tapa::", "hlslib::", "nnet::"]
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix))
        .unwrap_or(name)
}

/// Types without template arguments.
fn plain(name: &str) -> Option<ScalarType> {
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

/// The templates that [`template`] knows, so that they need no declaration.
const TEMPLATES: [&str; 45] = [
    "Scalar",
    "ap_int",
    "ap_uint",
    "ap_fixed",
    "ap_ufixed",
    "ap_float",
    "ap_int_base",
    "ap_fixed_base",
    "ac_int",
    "ac_fixed",
    "ac_float",
    "ac_std_float",
    "ac_ieee_float",
    "ac_complex",
    "ac_channel",
    "sc_int",
    "sc_uint",
    "sc_bigint",
    "sc_biguint",
    "sc_fixed",
    "sc_ufixed",
    "vector",
    "stream",
    "stream_of_blocks",
    "axis",
    "array",
    "complex",
    "x_complex",
    "ap_axis",
    "ap_axiu",
    "qdma_axis",
    "istream",
    "ostream",
    "istreams",
    "ostreams",
    "mmap",
    "async_mmap",
    "vec_t",
    "burst_maxi",
    "DataPack",
    "Stream",
    "pair",
    "conditional",
    "conditional_t",
    "decay_t",
];

/// Types with template arguments; `None` for a name that is not known.
fn template(name: &str, a: &mut Arguments<'_, '_>) -> Result<Option<HlsType>, String> {
    if let Some(scalar) = number(name, a)? {
        return Ok(Some(HlsType::Scalar(scalar)));
    }
    let kind = match name {
        "hls::vector" | "tapa::vec_t" | "hlslib::DataPack" => {
            HlsType::Vector { element: a.boxed(0)?, lanes: a.count(1)? }
        }
        "std::complex" | "hls::x_complex" | "ac_complex" => {
            HlsType::Vector { element: a.boxed(0)?, lanes: 2 }
        }
        "std::array" | "nnet::array" => {
            HlsType::Array { element: a.boxed(0)?, extent: a.count(1)? }
        }
        "hls::Scalar" => HlsType::Array { element: a.boxed(1)?, extent: a.count(0)? },
        "std::pair" => {
            let field = |name: &str, kind| Field { name: name.to_owned(), kind, bit_field: None };
            let fields = vec![field("first", a.kind(0)?), field("second", a.kind(1)?)];
            HlsType::Struct {
                name: "std::pair".to_owned(),
                fields,
                overlaid: false,
                adjusted: false,
            }
        }
        "hls::stream"
        | "hls::stream_of_blocks"
        | "tapa::stream"
        | "tapa::istream"
        | "tapa::ostream"
        | "hlslib::Stream"
        | "ac_channel" => HlsType::Stream(a.boxed(0)?),
        "tapa::mmap" | "tapa::async_mmap" | "hls::burst_maxi" => HlsType::Pointer(a.boxed(0)?),
        "hls::axis" => {
            HlsType::Packet { data: a.boxed(0)?, sides: [a.side(1)?, a.side(2)?, a.side(3)?] }
        }
        "ap_axis" | "ap_axiu" | "qdma_axis" => {
            let data = ScalarType::ApInt { bits: a.width(0)?, signed: name == "ap_axis" };
            let data = Box::new(HlsType::Scalar(data));
            HlsType::Packet { data, sides: [a.side(1)?, a.side(2)?, a.side(3)?] }
        }
        "std::conditional_t" => choose(a)?,
        "std::decay_t" | "std::remove_reference_t" | "std::remove_const_t" => a.kind(0)?,
        "std::vector" | "std::map" | "std::list" | "std::deque" => {
            return Err(format!("`{name}` has no fixed size"));
        }
        _ => return Ok(None),
    };
    Ok(Some(kind))
}

/// Number templates.
fn number(name: &str, a: &mut Arguments<'_, '_>) -> Result<Option<ScalarType>, String> {
    let name = name.strip_prefix("sc_dt::").unwrap_or(name);
    Ok(Some(match name {
        "ap_int" | "ap_uint" => ScalarType::ApInt { bits: a.width(0)?, signed: name == "ap_int" },
        "sc_int" | "sc_bigint" => ScalarType::ApInt { bits: a.width(0)?, signed: true },
        "sc_uint" | "sc_biguint" => ScalarType::ApInt { bits: a.width(0)?, signed: false },
        // Both are signed unless the second argument says no.
        "ap_int_base" | "ac_int" => {
            ScalarType::ApInt { bits: a.width(0)?, signed: a.flag(1, true)? }
        }
        "ap_fixed" | "ap_ufixed" | "sc_fixed" | "sc_ufixed" => {
            let signed = !name.contains('u');
            ScalarType::ApFixed { width: a.width(0)?, integer: a.point(1)?, signed }
        }
        "ac_fixed" | "ap_fixed_base" => {
            let signed = a.flag(2, true)?;
            ScalarType::ApFixed { width: a.width(0)?, integer: a.point(1)?, signed }
        }
        "ap_float" | "ac_std_float" => float(a.width(0)?, a.width(1)?),
        "ac_float" => {
            let (mantissa, integer) = (a.width(0)?, a.point(1)?);
            ScalarType::AcFloat { mantissa, integer, exponent: a.width(2)? }
        }
        "ac_ieee_float" => {
            let format = a.list.first().map(|tokens| crate::token::spell(tokens));
            match format.as_deref().map(|format| format.rsplit("::").next().unwrap_or(format)) {
                Some("binary16") => ScalarType::Half,
                Some("binary32") => ScalarType::Float,
                Some("binary64") => ScalarType::Double,
                Some("binary128") => ScalarType::ApFloat { width: 128, exponent: 15 },
                _ => return Err("the format of `ac_ieee_float` is not known".to_owned()),
            }
        }
        _ => return Ok(None),
    }))
}

/// A float of free width that happens to be one of the usual ones is that one.
fn float(width: u32, exponent: u32) -> ScalarType {
    match (width, exponent) {
        (16, 5) => ScalarType::Half,
        (16, 8) => ScalarType::BFloat16,
        (32, 8) => ScalarType::Float,
        (64, 11) => ScalarType::Double,
        _ => ScalarType::ApFloat { width, exponent },
    }
}

//! Templates of the library and the vendors: what each makes of its arguments.

use super::Resolver;
use super::context::Context;
use crate::NumberLibrary::{self, Ac, Ap, Sc, ScBig};
use crate::hls_type::{Field, StreamForm, VectorForm};
use crate::token::Token;
use crate::{HlsType, ScalarType, Settled};

/// No vendor builds a number wider than this.
const WIDEST: i128 = 1 << 20;

/// Template arguments, to be taken as types or as values.
pub(super) struct Arguments<'r> {
    pub(super) list: &'r [Vec<Token>],
    pub(super) resolver: &'r Resolver<'r>,
    pub(super) context: &'r Context,
}

impl Arguments<'_> {
    fn type_at(&mut self, index: usize) -> Settled<HlsType> {
        let tokens = self.list.get(index).ok_or("a template argument is missing")?;
        let (resolver, context) = (self.resolver, self.context);
        self.context.trail.run_aside(|| resolver.resolve_kind(tokens, context))
    }

    fn value_at(&mut self, index: usize) -> Settled<i128> {
        let tokens = self.list.get(index).ok_or("a template argument is missing")?;
        let (resolver, context) = (self.resolver, self.context);
        self.context.trail.run_aside(|| resolver.compute_value(tokens, context))
    }

    fn width_at(&mut self, index: usize) -> Settled<u32> {
        let value = self.value_at(index)?;
        let fits = (1..=WIDEST).contains(&value);
        let width = u32::try_from(value).ok().filter(|_| fits);
        width.ok_or_else(|| format!("no number is {value} bits wide").into())
    }

    /// A width that may be zero; a missing one is zero.
    fn side_width(&mut self, index: usize) -> Settled<u32> {
        if self.list.len() <= index {
            return Ok(0);
        }
        if self.value_at(index)? == 0 { Ok(0) } else { self.width_at(index) }
    }

    fn point_at(&mut self, index: usize) -> Settled<i32> {
        let value = self.value_at(index)?;
        let fits = (-WIDEST..=WIDEST).contains(&value);
        let point = i32::try_from(value).ok().filter(|_| fits);
        point.ok_or_else(|| format!("no number has {value} integer bits").into())
    }

    fn flag_at(&mut self, index: usize, default: bool) -> Settled<bool> {
        if self.list.len() <= index { Ok(default) } else { Ok(self.value_at(index)? != 0) }
    }

    fn count_at(&mut self, index: usize) -> Settled<u64> {
        let value = self.value_at(index)?;
        u64::try_from(value).map_err(|_| format!("no array has {value} elements").into())
    }

    fn note_open_size(&self) {
        self.resolver.open_sizes.set(self.resolver.open_sizes.get() + 1);
    }

    fn boxed_at(&mut self, index: usize) -> Settled<Box<HlsType>> {
        self.type_at(index).map(Box::new)
    }
}

pub(super) fn choose_branch(arguments: &mut Arguments<'_>) -> Settled<HlsType> {
    let index = if arguments.value_at(0)? == 0 { 2 } else { 1 };
    arguments.type_at(index)
}

/// What a template makes of its arguments.
#[derive(Copy, Clone)]
enum Template {
    /// An integer with or without a sign.
    Integer(NumberLibrary, bool),
    /// An integer whose second argument says whether it has a sign; without one it has a sign.
    SignedOrNot(NumberLibrary),
    /// Fixed point with or without a sign.
    Fixed(NumberLibrary, bool),
    /// Fixed point whose third argument says whether it has a sign.
    FixedSignedOrNot(NumberLibrary),
    Float(NumberLibrary),
    AcFloat,
    IeeeFloat,
    Vector(VectorForm),
    Complex(VectorForm),
    Array,
    /// Channels of a pixel: how many, then of what.
    Scalar,
    Pair,
    Stream(StreamForm),
    /// A stream whose first argument is its name.
    Pipe,
    /// Streams of one type, so many.
    Streams(StreamForm),
    Pointer,
    Pointers,
    Axis,
    /// An AXI packet of raw bits, with or without a sign.
    RawAxis(bool),
    Conditional,
    /// The type between the brackets.
    Same,
    Unsized,
    /// A class without data.
    Empty,
    /// The integer of the same width, with or without a sign.
    Sign(bool),
    /// Bits that are no number.
    Bits(VectorForm),
    /// Known by name only.
    Opaque,
}

/// Every template that needs no declaration.
const TEMPLATES: [(&str, Template); 80] = [
    ("ap_int", Template::Integer(Ap, true)),
    ("ap_uint", Template::Integer(Ap, false)),
    ("sc_int", Template::Integer(Sc, true)),
    ("sc_bigint", Template::Integer(ScBig, true)),
    ("sc_uint", Template::Integer(Sc, false)),
    ("sc_biguint", Template::Integer(ScBig, false)),
    ("sc_bv", Template::Bits(VectorForm::ScBits)),
    ("sc_lv", Template::Bits(VectorForm::ScLogic)),
    ("ap_int_base", Template::SignedOrNot(Ap)),
    ("ac_int", Template::SignedOrNot(Ac)),
    ("ap_fixed", Template::Fixed(Ap, true)),
    ("ap_ufixed", Template::Fixed(Ap, false)),
    ("sc_fixed", Template::Fixed(Sc, true)),
    ("sc_ufixed", Template::Fixed(Sc, false)),
    ("ac_fixed", Template::FixedSignedOrNot(Ac)),
    ("ap_fixed_base", Template::FixedSignedOrNot(Ap)),
    ("ap_float", Template::Float(Ap)),
    ("ac_std_float", Template::Float(Ac)),
    ("ac_float", Template::AcFloat),
    ("ac_ieee_float", Template::IeeeFloat),
    ("hls::vector", Template::Vector(VectorForm::Hls)),
    ("tapa::vec_t", Template::Vector(VectorForm::Tapa)),
    ("hlslib::DataPack", Template::Vector(VectorForm::DataPack)),
    ("std::complex", Template::Complex(VectorForm::StdComplex)),
    ("hls::x_complex", Template::Complex(VectorForm::HlsComplex)),
    ("ac_complex", Template::Complex(VectorForm::AcComplex)),
    ("std::array", Template::Array),
    ("nnet::array", Template::Array),
    ("hls::Scalar", Template::Scalar),
    ("std::pair", Template::Pair),
    ("hls::stream", Template::Stream(StreamForm::Hls)),
    ("hls::stream_of_blocks", Template::Stream(StreamForm::HlsBlocks)),
    ("tapa::stream", Template::Stream(StreamForm::Tapa)),
    ("tapa::istream", Template::Stream(StreamForm::TapaIn)),
    ("tapa::ostream", Template::Stream(StreamForm::TapaOut)),
    ("hlslib::Stream", Template::Stream(StreamForm::Hlslib)),
    ("ac_channel", Template::Stream(StreamForm::Ac)),
    ("ihc::stream", Template::Stream(StreamForm::Ihc)),
    ("ihc::stream_in", Template::Stream(StreamForm::IhcIn)),
    ("ihc::stream_out", Template::Stream(StreamForm::IhcOut)),
    ("ihc::mm_master", Template::Pointer),
    ("sycl::pipe", Template::Pipe),
    ("sycl::ext::intel::pipe", Template::Pipe),
    ("sycl::ext::intel::experimental::pipe", Template::Pipe),
    ("sycl::INTEL::pipe", Template::Pipe),
    ("hls::ap_int", Template::Integer(Ap, true)),
    ("hls::ap_uint", Template::Integer(Ap, false)),
    ("hls::ap_fixpt", Template::Fixed(Ap, true)),
    ("hls::ap_ufixpt", Template::Fixed(Ap, false)),
    ("hls::FIFO", Template::Stream(StreamForm::Smart)),
    ("tapa::streams", Template::Streams(StreamForm::Tapa)),
    ("tapa::istreams", Template::Streams(StreamForm::TapaIn)),
    ("tapa::ostreams", Template::Streams(StreamForm::TapaOut)),
    ("tapa::mmap", Template::Pointer),
    ("tapa::async_mmap", Template::Pointer),
    ("hls::burst_maxi", Template::Pointer),
    ("hls::axis", Template::Axis),
    ("ap_axis", Template::RawAxis(true)),
    ("ap_axiu", Template::RawAxis(false)),
    ("qdma_axis", Template::RawAxis(false)),
    ("std::conditional", Template::Opaque),
    ("std::integral_constant", Template::Empty),
    ("std::integer_sequence", Template::Empty),
    ("std::index_sequence", Template::Empty),
    ("std::make_signed_t", Template::Sign(true)),
    ("std::make_unsigned_t", Template::Sign(false)),
    ("std::conditional_t", Template::Conditional),
    ("std::decay_t", Template::Same),
    ("std::remove_reference_t", Template::Same),
    ("std::remove_const_t", Template::Same),
    ("std::remove_cv_t", Template::Same),
    ("std::remove_cvref_t", Template::Same),
    ("hls::ap_none", Template::Same),
    ("hls::ap_vld", Template::Same),
    ("hls::ap_ack", Template::Same),
    ("hls::ap_hs", Template::Same),
    ("hls::ap_ovld", Template::Same),
    ("tapa::mmaps", Template::Pointers),
    ("tapa::immap", Template::Pointer),
    ("tapa::ommap", Template::Pointer),
];

/// Containers of the library and what else of it has its data elsewhere.
const UNSIZED: &str =
    "queue set unordered_map unordered_set function shared_ptr unique_ptr vector map list deque";

fn is_unsized(name: &str) -> bool {
    UNSIZED.split(' ').any(|one| one == name)
}

fn template_named(name: &str) -> Option<Template> {
    if name.strip_prefix("std::").is_some_and(is_unsized) {
        return Some(Template::Unsized);
    }
    let name = name.strip_prefix("sc_dt::").unwrap_or(name);
    TEMPLATES.iter().find(|(known, _)| *known == name).map(|(_, template)| *template)
}

/// Whether that is the whole name of a template whose arguments give its type.
pub(super) fn is_sized_template(name: &str) -> bool {
    let is_sized = |one| !matches!(one, Template::Opaque | Template::Unsized | Template::Empty);
    template_named(name).is_some_and(is_sized)
}

/// Whether a vendor has a template of that name in some namespace, or in the one that is named.
pub(super) fn is_template(name: &str) -> bool {
    let is_known = |known: &str| known.rsplit_once("::").is_some_and(|(_, bare)| bare == name);
    template_named(name).is_some()
        || is_unsized(name)
        || TEMPLATES.iter().any(|(known, _)| is_known(known))
}

/// Types with template arguments; `None` for a name that is not known.
pub(super) fn build_template(name: &str, a: &mut Arguments<'_>) -> Settled<Option<HlsType>> {
    let Some(template) = template_named(name) else { return Ok(None) };
    let scalar = |scalar| Ok(Some(HlsType::Scalar(scalar)));
    let kind = match template {
        Template::Integer(library, signed) => {
            return scalar(ScalarType::FreeInt { library, bits: a.width_at(0)?, signed });
        }
        Template::SignedOrNot(library) => {
            let (bits, signed) = (a.width_at(0)?, a.flag_at(1, true)?);
            return scalar(ScalarType::FreeInt { library, bits, signed });
        }
        Template::Fixed(library, signed) => {
            let (width, integer) = (a.width_at(0)?, a.point_at(1)?);
            return scalar(ScalarType::Fixed { library, width, integer, signed });
        }
        Template::FixedSignedOrNot(library) => {
            let (signed, width, integer) = (a.flag_at(2, true)?, a.width_at(0)?, a.point_at(1)?);
            return scalar(ScalarType::Fixed { library, width, integer, signed });
        }
        Template::Float(library) => {
            return scalar(float_type(library, a.width_at(0)?, a.width_at(1)?));
        }
        Template::AcFloat => {
            let (mantissa, integer, exponent) = (a.width_at(0)?, a.point_at(1)?, a.width_at(2)?);
            return scalar(ScalarType::AcFloat { mantissa, integer, exponent });
        }
        Template::IeeeFloat => return scalar(ieee_float(a)?),
        Template::Vector(form) => {
            HlsType::Vector { form, element: a.boxed_at(0)?, lanes: a.count_at(1)? }
        }
        Template::Complex(form) => HlsType::Vector { form, element: a.boxed_at(0)?, lanes: 2 },
        Template::Array => HlsType::Array { element: a.boxed_at(0)?, extent: a.count_at(1)? },
        Template::Scalar => HlsType::Array { element: a.boxed_at(1)?, extent: a.count_at(0)? },
        Template::Pair => {
            let field = |name: &str, kind| Field { name: name.to_owned(), kind, bit_field: None };
            let fields = vec![field("first", a.type_at(0)?), field("second", a.type_at(1)?)];
            class(name, fields)
        }
        Template::Stream(form) => HlsType::Stream { form, element: a.boxed_at(0)? },
        Template::Pipe => HlsType::Stream { form: StreamForm::Sycl, element: a.boxed_at(1)? },
        Template::Streams(form) => {
            let element = Box::new(HlsType::Stream { form, element: a.boxed_at(0)? });
            HlsType::Array { element, extent: a.count_at(1)? }
        }
        Template::Pointer => {
            a.note_open_size();
            HlsType::Pointer(a.boxed_at(0)?)
        }
        Template::Pointers => {
            a.note_open_size();
            let element = Box::new(HlsType::Pointer(a.boxed_at(0)?));
            HlsType::Array { element, extent: a.count_at(1)? }
        }
        Template::Axis => HlsType::Packet {
            data: a.boxed_at(0)?,
            sides: [a.side_width(1)?, a.side_width(2)?, a.side_width(3)?],
        },
        Template::RawAxis(signed) => {
            let data = Box::new(HlsType::Scalar(ScalarType::ap_int(a.width_at(0)?, signed)));
            HlsType::Packet { data, sides: [a.side_width(1)?, a.side_width(2)?, a.side_width(3)?] }
        }
        Template::Conditional => choose_branch(a)?,
        Template::Same => a.type_at(0)?,
        Template::Empty => class(name, Vec::new()),
        Template::Bits(form) => {
            let element = Box::new(HlsType::Scalar(ScalarType::Bool));
            HlsType::Vector { form, element, lanes: a.width_at(0)?.into() }
        }
        Template::Sign(signed) => match a.type_at(0)? {
            HlsType::Scalar(ScalarType::Int { bits, .. }) => {
                return scalar(ScalarType::Int { bits, signed });
            }
            other => return Err(format!("`{name}` of `{other}` is not known").into()),
        },
        Template::Unsized => return Err(format!("`{name}` has no fixed size").into()),
        Template::Opaque => return Ok(None),
    };
    Ok(Some(kind))
}

/// A class of the library with these data members.
pub(super) fn class(name: &str, fields: Vec<Field>) -> HlsType {
    HlsType::Struct { name: name.to_owned(), fields, overlaid: false, adjusted: false }
}

fn ieee_float(a: &Arguments<'_>) -> Settled<ScalarType> {
    let format = a.list.first().map(|tokens| crate::token::spell(tokens));
    match format.as_deref().map(|format| format.rsplit("::").next().unwrap_or(format)) {
        Some("binary16") => Ok(float_type(Ac, 16, 5)),
        Some("binary32") => Ok(ScalarType::Float),
        Some("binary64") => Ok(ScalarType::Double),
        Some("binary128") => Ok(ScalarType::ApFloat { library: Ac, width: 128, exponent: 15 }),
        _ => Err("the format of `ac_ieee_float` is not known".into()),
    }
}

/// A float of free width that happens to be one of the usual ones is that one; Catapult keeps 16 bits in an `int`.
fn float_type(library: NumberLibrary, width: u32, exponent: u32) -> ScalarType {
    match (width, exponent) {
        (16, _) if library == Ac => ScalarType::ApFloat { library, width, exponent },
        (16, 5) => ScalarType::Half,
        (16, 8) => ScalarType::BFloat16,
        (32, 8) => ScalarType::Float,
        (64, 11) => ScalarType::Double,
        _ => ScalarType::ApFloat { library, width, exponent },
    }
}

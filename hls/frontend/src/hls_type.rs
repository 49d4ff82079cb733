//! Resolved types: a scalar, or something made of scalars.

use crate::ScalarType;
use std::fmt::{self, Write as _};

/// A type after every alias, macro and template argument is gone.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum HlsType {
    /// One number.
    Scalar(ScalarType),
    /// `hls::vector<T, N>`, `tapa::vec_t<T, N>`, `std::complex<T>`: lanes that move together.
    Vector {
        /// Whose it is: that decides how it lies in memory.
        form: VectorForm,
        /// How many elements.
        lanes: u64,
        /// What each one is.
        element: Box<HlsType>,
    },
    /// `hls::stream<T>`, `ac_channel<T>`: a FIFO of elements.
    Stream {
        /// Whose it is.
        form: StreamForm,
        /// What each element is.
        element: Box<HlsType>,
    },
    /// `T[N]`, `std::array<T, N>`.
    Array {
        /// What each element is.
        element: Box<HlsType>,
        /// How many.
        extent: u64,
    },
    /// `T*`, or an array parameter without an extent: how far it reaches is not in the type.
    Pointer(Box<HlsType>),
    /// `struct` or `class`, members in the order of their declaration; a union has `overlaid` set.
    Struct {
        /// The name, if it has one.
        name: String,
        /// The data members.
        fields: Vec<Field>,
        /// Whether the members share their storage.
        overlaid: bool,
        /// Whether packing or alignment is set by hand: its size in memory is then not known.
        adjusted: bool,
    },
    /// `hls::axis<T, ...>`, `ap_axiu<D, ...>`: a payload with AXI4-Stream side channels.
    Packet {
        /// The payload.
        data: Box<HlsType>,
        /// The widths of `user`, `id` and `dest`.
        sides: [u32; 3],
    },
    /// `void`.
    Void,
}

/// The templates whose elements move together.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum VectorForm {
    /// `hls::vector<T, N>`, aligned to the largest power of two that divides its size.
    Hls,
    /// `tapa::vec_t<T, N>`, an array.
    Tapa,
    /// `hlslib::DataPack<T, N>`, one wide integer.
    DataPack,
    /// `std::complex<T>`, two numbers.
    StdComplex,
    /// `hls::x_complex<T>`, two numbers.
    HlsComplex,
    /// `ac_complex<T>`, two numbers.
    AcComplex,
    /// `sc_bv<N>` of `SystemC`, bits without a number.
    ScBits,
    /// `sc_lv<N>` of `SystemC`, bits that may be unknown too.
    ScLogic,
}

/// The templates that are a FIFO.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum StreamForm {
    /// `hls::stream<T>`
    Hls,
    /// `hls::stream_of_blocks<T>`
    HlsBlocks,
    /// `hlslib::Stream<T>`
    Hlslib,
    /// `tapa::stream<T>`
    Tapa,
    /// `tapa::istream<T>`, the end that reads.
    TapaIn,
    /// `tapa::ostream<T>`, the end that writes.
    TapaOut,
    /// `ac_channel<T>`
    Ac,
    /// `ihc::stream<T>` of Intel HLS.
    Ihc,
    /// `ihc::stream_in<T>`, the end that reads.
    IhcIn,
    /// `ihc::stream_out<T>`, the end that writes.
    IhcOut,
    /// `sycl::ext::intel::pipe<ID, T>`
    Sycl,
    /// `hls::FIFO<T>` of `SmartHLS`.
    Smart,
}

impl StreamForm {
    fn name(self) -> &'static str {
        match self {
            Self::Hls => "hls::stream",
            Self::HlsBlocks => "hls::stream_of_blocks",
            Self::Hlslib => "hlslib::Stream",
            Self::Tapa => "tapa::stream",
            Self::TapaIn => "tapa::istream",
            Self::TapaOut => "tapa::ostream",
            Self::Ac => "ac_channel",
            Self::Ihc => "ihc::stream",
            Self::IhcIn => "ihc::stream_in",
            Self::IhcOut => "ihc::stream_out",
            Self::Sycl => "sycl::ext::intel::pipe",
            Self::Smart => "hls::FIFO",
        }
    }
}

impl VectorForm {
    fn name(self) -> &'static str {
        match self {
            Self::Hls => "hls::vector",
            Self::Tapa => "tapa::vec_t",
            Self::DataPack => "hlslib::DataPack",
            Self::StdComplex => "std::complex",
            Self::HlsComplex => "hls::x_complex",
            Self::AcComplex => "ac_complex",
            Self::ScBits => "sc_bv",
            Self::ScLogic => "sc_lv",
        }
    }

    /// Whether the number of elements is part of the name: `std::complex` always has two.
    fn is_counted(self) -> bool {
        matches!(self, Self::Hls | Self::Tapa | Self::DataPack)
    }
}

/// A data member of a resolved struct.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: HlsType,
    /// Its width if it is a bit field.
    pub bit_field: Option<u32>,
}

impl HlsType {
    /// Packed bits of one object. A stream counts one element, a packet its payload. `None` where
    /// the type does not say: pointers, `void`, structs without data, or a product that no machine holds.
    pub fn bits(&self) -> Option<u64> {
        self.count_bits(None)
    }

    /// The same where an address has 64 bits, as on the host, and where a struct without data has none.
    pub fn bits_on_host(&self) -> Option<u64> {
        self.count_bits(Some(64))
    }

    /// Whether its width on the host is that of addresses, all or in part.
    pub fn holds_addresses(&self) -> bool {
        self.count_bits(Some(64)) != self.count_bits(Some(0))
    }

    fn count_bits(&self, address: Option<u64>) -> Option<u64> {
        match self {
            Self::Scalar(scalar) => Some(u64::from(scalar.bits())),
            Self::Vector { lanes: count, element, .. } | Self::Array { element, extent: count } => {
                element.count_bits(address)?.checked_mul(*count)
            }
            Self::Stream { element, .. } | Self::Packet { data: element, .. } => {
                element.count_bits(address)
            }
            // Members that are not known, or none at all: a bundle of constants and typedefs.
            Self::Struct { fields, .. } if fields.is_empty() && address.is_none() => None,
            Self::Struct { fields, overlaid, .. } => {
                let widths = fields.iter().map(|field| match field.bit_field {
                    Some(bits) => Some(u64::from(bits)),
                    None => field.kind.count_bits(address),
                });
                fold(widths, *overlaid)
            }
            Self::Pointer(_) => address,
            Self::Void => None,
        }
    }

    /// Bytes of one object in memory, padding included: what `sizeof` says in C simulation.
    /// `None` for streams, pointers, bit fields, `void`, and structs that are packed or aligned by hand.
    pub fn bytes_in_memory(&self) -> Option<u64> {
        match self {
            Self::Scalar(scalar) => Some(u64::from(scalar.bytes_in_memory())),
            Self::Vector { lanes, element, form }
                if !matches!(form, VectorForm::ScBits | VectorForm::ScLogic) =>
            {
                let size = element.bytes_in_memory()?.checked_mul(*lanes)?;
                size.checked_next_multiple_of(self.alignment()?)
            }
            Self::Array { element, extent } => element.bytes_in_memory()?.checked_mul(*extent),
            Self::Struct { fields, overlaid, adjusted, .. } => {
                if *adjusted
                    || fields.is_empty()
                    || fields.iter().any(|field| field.bit_field.is_some())
                {
                    return None;
                }
                let kinds = fields.iter().map(|field| &field.kind);
                layout(kinds, *overlaid)?.checked_next_multiple_of(self.alignment()?)
            }
            Self::Packet { data, sides } => {
                let bytes = u32::try_from(data.bits()?.div_ceil(8)).ok()?;
                let side = |bits| Self::Scalar(ScalarType::ap_int(bits, false));
                let mut members = vec![(**data).clone(), side(bytes), side(bytes)];
                members.extend(sides.iter().filter(|&&bits| bits > 0).map(|&bits| side(bits)));
                members.push(side(1));
                layout(members.iter(), false)?.checked_next_multiple_of(self.alignment()?)
            }
            Self::Vector { .. } | Self::Stream { .. } | Self::Pointer(_) | Self::Void => None,
        }
    }

    /// The boundary in bytes that an object is aligned to.
    pub fn alignment(&self) -> Option<u64> {
        match self {
            Self::Scalar(scalar) => Some(u64::from(scalar.alignment())),
            Self::Vector { form: VectorForm::Hls, lanes, element } => {
                let size = element.bytes_in_memory()?.checked_mul(*lanes)?;
                Some(if size == 0 { 1 } else { 1 << size.trailing_zeros().min(62) })
            }
            Self::Vector { form: VectorForm::DataPack, lanes, element } => {
                let size = element.bytes_in_memory()?.checked_mul(*lanes)?;
                let bits = u32::try_from(size.checked_mul(8)?).ok()?;
                Some(u64::from(ScalarType::ap_int(bits, false).alignment()))
            }
            Self::Vector { element, .. } | Self::Array { element, .. } => element.alignment(),
            Self::Packet { data, .. } => data.alignment(),
            Self::Struct { adjusted: false, fields, .. } => {
                fields.iter().try_fold(1, |most, field| Some(field.kind.alignment()?.max(most)))
            }
            Self::Struct { .. } | Self::Stream { .. } | Self::Pointer(_) | Self::Void => None,
        }
    }

    /// The number that this type is made of, if it is made of one kind only.
    pub fn scalar(&self) -> Option<&ScalarType> {
        match self {
            Self::Scalar(scalar) => Some(scalar),
            Self::Vector { element, .. }
            | Self::Stream { element, .. }
            | Self::Array { element, .. }
            | Self::Pointer(element)
            | Self::Packet { data: element, .. } => element.scalar(),
            Self::Struct { fields, .. } => {
                let mut scalars = fields.iter().map(|field| field.kind.scalar());
                let first = scalars.next()??;
                scalars.all(|other| other == Some(first)).then_some(first)
            }
            Self::Void => None,
        }
    }

    /// How many scalars one object holds: the lanes of a vector, the elements of an array.
    pub fn lanes(&self) -> Option<u64> {
        match self {
            Self::Scalar(_) => Some(1),
            Self::Vector { lanes: count, element, .. } | Self::Array { element, extent: count } => {
                element.lanes()?.checked_mul(*count)
            }
            Self::Stream { element, .. } | Self::Packet { data: element, .. } => element.lanes(),
            Self::Struct { fields, overlaid, .. } => {
                fold(fields.iter().map(|field| field.kind.lanes()), *overlaid)
            }
            Self::Pointer(_) | Self::Void => None,
        }
    }
}

/// Sum of the parts, or their maximum where they lie over one another.
fn fold(mut parts: impl Iterator<Item = Option<u64>>, overlaid: bool) -> Option<u64> {
    parts.try_fold(
        0_u64,
        |total, part| {
            if overlaid { Some(total.max(part?)) } else { total.checked_add(part?) }
        },
    )
}

/// Bytes of members laid out one after another, without the tail padding.
fn layout<'a>(members: impl Iterator<Item = &'a HlsType>, overlaid: bool) -> Option<u64> {
    let mut size = 0_u64;
    for member in members {
        let bytes = member.bytes_in_memory()?;
        size = if overlaid {
            size.max(bytes)
        } else {
            size.checked_next_multiple_of(member.alignment()?)?.checked_add(bytes)?
        };
    }
    Some(size)
}

impl fmt::Display for HlsType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scalar(scalar) => scalar.fmt(f),
            Self::Vector { form, lanes, element } if form.is_counted() => {
                write!(f, "{}<{element}, {lanes}>", form.name())
            }
            Self::Vector {
                form: form @ (VectorForm::ScBits | VectorForm::ScLogic), lanes, ..
            } => {
                write!(f, "{}<{lanes}>", form.name())
            }
            Self::Vector { form, element, .. } => write!(f, "{}<{element}>", form.name()),
            Self::Stream { form, element } => write!(f, "{}<{element}>", form.name()),
            Self::Array { .. } => {
                let mut innermost = self;
                let mut extents = String::new();
                while let Self::Array { element, extent } = innermost {
                    let _ = write!(extents, "[{extent}]");
                    innermost = element;
                }
                write!(f, "{innermost}{extents}")
            }
            Self::Pointer(element) => write!(f, "{element}*"),
            Self::Struct { name, fields, .. } if fields.is_empty() => write!(f, "struct {name}"),
            Self::Struct { fields, overlaid, .. } => {
                f.write_str(if *overlaid { "union{" } else { "struct{" })?;
                for (index, field) in fields.iter().enumerate() {
                    if index > 0 {
                        f.write_str("; ")?;
                    }
                    write!(f, "{}", field.kind)?;
                    if let Some(bits) = field.bit_field {
                        write!(f, ":{bits}")?;
                    }
                }
                f.write_str("}")
            }
            Self::Packet { data, sides: [user, id, dest] } => {
                write!(f, "hls::axis<{data}, {user}, {id}, {dest}>")
            }
            Self::Void => f.write_str("void"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixed(width: u32) -> HlsType {
        HlsType::Scalar(ScalarType::ap_fixed(width, 2, true))
    }

    /// DDR traffic follows bytes, a stream follows bits: 288 against 512 here.
    #[test]
    fn a_vector_of_odd_width_has_two_sizes() {
        let vector = vector(VectorForm::Hls, 16, fixed(18));
        assert_eq!((vector.bits(), vector.bytes_in_memory()), (Some(288), Some(64)));
    }

    fn vector(form: VectorForm, lanes: u64, element: HlsType) -> HlsType {
        HlsType::Vector { form, lanes, element: Box::new(element) }
    }

    /// `hls::vector` carries its own alignment; a complex number and a vector of TAPA are arrays.
    #[test]
    fn vectors_lie_in_memory_as_their_templates_say() {
        let float = || HlsType::Scalar(ScalarType::Float);
        for (form, lanes, text, bytes, alignment) in [
            (VectorForm::Hls, 16, "hls::vector<float, 16>", 64, 64),
            (VectorForm::Hls, 3, "hls::vector<float, 3>", 12, 4),
            (VectorForm::Tapa, 16, "tapa::vec_t<float, 16>", 64, 4),
            (VectorForm::DataPack, 16, "hlslib::DataPack<float, 16>", 64, 8),
            (VectorForm::StdComplex, 2, "std::complex<float>", 8, 4),
            (VectorForm::HlsComplex, 2, "hls::x_complex<float>", 8, 4),
            (VectorForm::AcComplex, 2, "ac_complex<float>", 8, 4),
        ] {
            let kind = vector(form, lanes, float());
            let figures = (kind.bytes_in_memory(), kind.alignment());
            assert_eq!(
                (kind.to_string().as_str(), figures),
                (text, (Some(bytes), Some(alignment)))
            );
        }
    }

    #[test]
    fn a_packet_carries_its_payload_and_pads_its_side_channels() {
        let packet = HlsType::Packet { data: Box::new(fixed(16)), sides: [0; 3] };
        assert_eq!((packet.bits(), packet.bytes_in_memory()), (Some(16), Some(6)));
        let wide = ScalarType::ap_int(128, false);
        let wide = HlsType::Packet { data: Box::new(HlsType::Scalar(wide)), sides: [0; 3] };
        assert_eq!(wide.bytes_in_memory(), Some(24));
    }

    #[test]
    fn a_struct_pads_and_a_union_overlays() {
        let field =
            |name: &str, width| Field { name: name.into(), kind: fixed(width), bit_field: None };
        let fields = vec![field("a", 8), field("b", 32)];
        let shape = |overlaid, adjusted| {
            let (name, fields) = ("s".into(), fields.clone());
            HlsType::Struct { name, fields, overlaid, adjusted }
        };
        let both = shape(false, false);
        assert_eq!((both.bits(), both.bytes_in_memory()), (Some(40), Some(8)));
        let packed = shape(false, true);
        assert_eq!((packed.bits(), packed.bytes_in_memory()), (Some(40), None));
        let either = shape(true, false);
        assert_eq!((either.bits(), either.bytes_in_memory()), (Some(32), Some(4)));
    }

    #[test]
    fn an_impossible_size_is_unknown() {
        let mut huge = fixed(32);
        for _ in 0..8 {
            huge = HlsType::Array { element: Box::new(huge), extent: 1 << 40 };
        }
        assert_eq!((huge.bits(), huge.lanes()), (None, None));
    }
}

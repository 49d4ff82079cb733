//! A kernel as the host sees it: its ports, and what each argument is and where its register lies.

use std::collections::BTreeMap;

use derate_hls::{Function, HlsType, Parameter, Resolver, ScalarType};
use thiserror::Error;

use super::Control;
use super::kernel::{ArgumentKind, DesignArgument, DesignKernel, KernelPort, PortMode};
use crate::emulator::{FIRST_ARGUMENT, register_span, result_span};
use crate::interfaces::Interfaces;

/// The addresses of a block that v++ gives to a unit at least.
const LEAST_RANGE: u64 = 0x1000;
/// Registers of one unit reach no further: the units lie this far apart.
pub(super) const WINDOW: u64 = 0x1_0000;

/// Why a kernel has no layout, as a clause about it.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum LayoutError {
    /// A host reads no result.
    #[error("it returns `{0}`, and a kernel that a host starts returns void")]
    Returns(String),
    /// There are more arguments than numbers for them.
    #[error("it has too many arguments")]
    TooManyArguments,
    /// The registers do not fit a unit.
    #[error("its registers reach beyond the {WINDOW} bytes of a unit")]
    TooManyRegisters,
    /// An argument without a name.
    #[error("an argument has no name")]
    NoName,
    /// A pointer to a register of unknown size.
    #[error("`{0}` is a pointer to a register of a size that derate does not know")]
    UnknownRegister(String),
    /// A buffer without an address register.
    #[error("`{0}` has offset=off, so no host can give it a buffer")]
    NoOffset(String),
    /// A type that is not known.
    #[error(
        "the type of `{name}` is unknown, so the places of its register and those after it are too: {reason}"
    )]
    UnknownType {
        /// The argument.
        name: String,
        /// Why the type is not known.
        reason: String,
    },
    /// A type whose size is not known.
    #[error("the size of `{name}` ({kind}) is unknown")]
    UnknownSize {
        /// The argument.
        name: String,
        /// Its type.
        kind: String,
    },
    /// v++ takes one bundle of registers.
    #[error("its registers are in several s_axilite bundles, `{0}` and `{1}`: v++ takes one")]
    SeveralBundles(String, String),
}

/// A kernel as the host sees it, without compute units.
pub(super) fn lay_out_kernel(
    resolver: &Resolver<'_>,
    function: &Function,
) -> Result<DesignKernel, LayoutError> {
    if function.returns != "void" {
        return Err(LayoutError::Returns(function.returns.clone()));
    }
    let interfaces = Interfaces::of(function);
    let control_port = control_port(&interfaces)?;
    let mut offset = u64::from(FIRST_ARGUMENT);
    let mut arguments = Vec::new();
    let mut bundles: BTreeMap<String, Option<u64>> = BTreeMap::new();
    for (index, parameter) in function.parameters.iter().enumerate() {
        let id = u32::try_from(index).map_err(|_| LayoutError::TooManyArguments)?;
        let value = host_value(resolver, function, parameter, &interfaces)?;
        let is_result = matches!(value, Value::Result { .. });
        let (kind, size, port, type_name) = match value {
            Value::Buffer { bundle, bits, type_name } => {
                let widest = bundles.entry(bundle.clone()).or_insert(Some(32));
                *widest = widest.zip(bits).map(|(known, bits)| known.max(bits));
                (ArgumentKind::Global, 8, master_port(&bundle), type_name)
            }
            Value::Scalar { bytes, type_name } | Value::Result { bytes, type_name } => {
                (ArgumentKind::Scalar, bytes, control_port.clone(), type_name)
            }
            Value::Stream { type_name } => {
                (ArgumentKind::Stream, 8, parameter.name.clone(), type_name)
            }
        };
        let at = if kind == ArgumentKind::Stream { 0 } else { offset };
        if kind != ArgumentKind::Stream {
            let span = if is_result { result_span(size) } else { register_span(size) };
            offset = offset.saturating_add(span);
        }
        if offset > WINDOW {
            return Err(LayoutError::TooManyRegisters);
        }
        let (name, port) = (parameter.name.clone(), Some(port));
        arguments.push(DesignArgument {
            name,
            id: Some(id),
            kind,
            port,
            size,
            offset: at,
            type_name,
        });
    }
    let mut ports: Vec<KernelPort> = bundles
        .into_iter()
        .map(|(bundle, bits)| KernelPort {
            name: master_port(&bundle),
            mode: PortMode::Master,
            bits: bits.map(u64::next_power_of_two),
            range: Some(u64::MAX),
        })
        .collect();
    ports.push(KernelPort {
        name: control_port,
        mode: PortMode::Slave,
        bits: Some(32),
        range: Some(offset.next_power_of_two().max(LEAST_RANGE)),
    });
    let control = Some(control_protocol(&interfaces).to_string());
    Ok(DesignKernel {
        name: function.name.clone(),
        control,
        ports,
        arguments,
        instances: Vec::new(),
    })
}

fn master_port(bundle: &str) -> String {
    format!("M_AXI_{}", bundle.to_uppercase())
}

/// What the host passes for one parameter.
enum Value {
    Buffer { bundle: String, bits: Option<u64>, type_name: String },
    Scalar { bytes: u64, type_name: String },
    Result { bytes: u64, type_name: String },
    Stream { type_name: String },
}

fn host_value(
    resolver: &Resolver<'_>,
    function: &Function,
    parameter: &Parameter,
    interfaces: &Interfaces,
) -> Result<Value, LayoutError> {
    let name = &parameter.name;
    if name.is_empty() {
        return Err(LayoutError::NoName);
    }
    let resolution = resolver.parameter(function, parameter);
    let modes = interfaces.modes_of(name);
    let spelt = |mark: &str| format!("{}{mark}", parameter.element);
    if modes.contains(&"axis") || matches!(resolution.known(), Some(HlsType::Stream { .. })) {
        return Ok(Value::Stream { type_name: spelt("") });
    }
    let pointer = matches!(resolution.known(), Some(HlsType::Pointer(_) | HlsType::Array { .. }));
    if pointer || parameter.pointer || !parameter.dims.is_empty() {
        let registers = !modes.is_empty() && !modes.contains(&"m_axi");
        if registers {
            let element = resolution.known().map(pointed_element);
            let bytes = element.and_then(HlsType::bytes_in_memory).filter(|&bytes| bytes > 0);
            let bytes = bytes.ok_or_else(|| LayoutError::UnknownRegister(name.clone()))?;
            return Ok(Value::Result { bytes, type_name: spelt("") });
        }
        if interfaces.offset_of(name).is_some_and(|offset| offset.eq_ignore_ascii_case("off")) {
            return Err(LayoutError::NoOffset(name.clone()));
        }
        let bundle = interfaces.bundle_of(name).to_owned();
        let element = resolution.known().map(pointed_element);
        let bits = element.and_then(HlsType::bits).filter(|&bits| bits > 0);
        let type_name = element.map_or_else(|| spelt("*"), |element| format!("{element}*"));
        return Ok(Value::Buffer { bundle, bits, type_name });
    }
    let Some(kind) = resolution.known() else {
        let reason = resolution.unknown().unwrap_or_default().to_owned();
        return Err(LayoutError::UnknownType { name: name.clone(), reason });
    };
    let bytes = kind.bytes_in_memory().filter(|&bytes| bytes > 0);
    let bytes = bytes
        .ok_or_else(|| LayoutError::UnknownSize { name: name.clone(), kind: kind.to_string() })?;
    let type_name = plain_name(kind).map_or_else(|| spelt(""), str::to_owned);
    if parameter.reference && !parameter.constant {
        return Ok(Value::Result { bytes, type_name });
    }
    Ok(Value::Scalar { bytes, type_name })
}

/// The words by which XRT knows how a caller passes a value; an alias would hide that.
fn plain_name(kind: &HlsType) -> Option<&'static str> {
    match kind {
        HlsType::Scalar(ScalarType::Float) => Some("float"),
        HlsType::Scalar(ScalarType::Double) => Some("double"),
        HlsType::Scalar(ScalarType::Int { bits: 32, signed: true }) => Some("int"),
        HlsType::Scalar(ScalarType::Int { bits: 32, signed: false }) => Some("unsigned int"),
        _ => None,
    }
}

/// What a pointer points at.
fn pointed_element(kind: &HlsType) -> &HlsType {
    let mut kind = kind;
    while let HlsType::Pointer(inner) | HlsType::Array { element: inner, .. } = kind {
        kind = inner;
    }
    kind
}

/// How a unit is started: what a pragma on `return` says, else by start and done.
fn control_protocol(interfaces: &Interfaces) -> Control {
    let named = interfaces.modes_of("return").into_iter().find_map(Control::named);
    // The default of the Vitis kernel flow (UG1399, Block-Level Control Protocols); `ap_ctrl_hs` is that of IP for Vivado.
    named.unwrap_or(Control::CHAIN)
}

/// The port of all registers.
fn control_port(interfaces: &Interfaces) -> Result<String, LayoutError> {
    match interfaces.register_bundles()[..] {
        [] => Ok("S_AXI_CONTROL".to_owned()),
        [one] => Ok(format!("S_AXI_{}", one.to_uppercase())),
        [one, other, ..] => Err(LayoutError::SeveralBundles(one.to_owned(), other.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use derate_hls::{Sources, parse_all};

    fn laid_out(text: &str) -> Result<DesignKernel, LayoutError> {
        let mut sources = Sources::default();
        let file = sources.add("kernel.cpp", text);
        let headers = parse_all(&sources, &[file]);
        let resolver = Resolver::new(&headers, &sources);
        lay_out_kernel(&resolver, &headers[0].functions[0])
    }

    fn offsets(text: &str) -> Vec<(String, u64, u64)> {
        let kernel = laid_out(text).unwrap();
        kernel.arguments.into_iter().map(|one| (one.name, one.offset, one.size)).collect()
    }

    /// The map of a published design, and the one that the emulation of XRT was tried with.
    #[test]
    fn every_argument_has_its_words_and_a_free_one() {
        let gemm = "void gemm(const float *a, const float *b, float *c, int m, int n, int k, float alpha) {\n\
            #pragma HLS interface m_axi port=a bundle=gmem0\n}";
        let places: Vec<u64> = offsets(gemm).into_iter().map(|(_, offset, _)| offset).collect();
        assert_eq!(places, [0x10, 0x1c, 0x28, 0x34, 0x3c, 0x44, 0x4c]);
        let mixed = "#include <ap_int.h>\nvoid f(char a, long long b, ap_uint<128> c, short d[4], double e) {}";
        let expected =
            [("a", 0x10, 1), ("b", 0x18, 8), ("c", 0x24, 16), ("d", 0x38, 8), ("e", 0x44, 8)];
        let expected: Vec<(String, u64, u64)> =
            expected.into_iter().map(|(name, at, size)| (name.to_owned(), at, size)).collect();
        assert_eq!(offsets(mixed), expected);
    }

    #[test]
    fn ports_are_as_wide_as_their_widest_element() {
        let kernel = laid_out(
            "void f(const float *a, double *b, char *c) {\n\
             #pragma HLS interface m_axi port=a bundle=x\n#pragma HLS interface m_axi port=b bundle=x\n\
             #pragma HLS interface m_axi port=c bundle=y\n}",
        );
        let ports: Vec<(String, Option<u64>)> =
            kernel.unwrap().ports.into_iter().map(|port| (port.name, port.bits)).collect();
        let expected = [("M_AXI_X", 64), ("M_AXI_Y", 32), ("S_AXI_CONTROL", 32)];
        assert_eq!(ports, expected.map(|(name, bits)| (name.to_owned(), Some(bits))));
    }

    /// A register that the kernel writes has two words more: whether it is new, and one that stays free.
    #[test]
    fn what_a_kernel_writes_into_registers_has_room() {
        let text = "void f(int &a, short *b, long long &c, const int &d, int e) {\n\
            #pragma HLS interface s_axilite port=b\n}";
        let places: Vec<u64> = offsets(text).into_iter().map(|(_, offset, _)| offset).collect();
        assert_eq!(places, [0x10, 0x20, 0x30, 0x40, 0x48]);
    }

    /// A kernel's own name for a pointer is a pointer.
    #[test]
    fn an_alias_of_a_pointer_is_a_buffer() {
        let text = "template <class T> using port = T *;\nusing word = float;\n\
            void f(port<const word> a, int n) {\n#pragma HLS interface m_axi port = a bundle = x\n}";
        let kernel = laid_out(text).unwrap();
        let a = &kernel.arguments[0];
        assert_eq!(
            (a.kind, a.type_name.as_str(), a.offset),
            (ArgumentKind::Global, "float*", 0x10)
        );
        assert_eq!(kernel.arguments[1].offset, 0x1c);
    }

    #[test]
    fn what_has_no_layout_says_why() {
        for (text, word) in [
            ("int f(int *a) {}", "returns void"),
            ("void f(strange_t a, int b) {}", "`strange_t` is not declared"),
            ("void f(int *a) {\n#pragma HLS interface m_axi port=a offset=off\n}", "offset=off"),
            (
                "void f(int a, int b) {\n#pragma HLS interface s_axilite port=a bundle=x\n#pragma HLS interface s_axilite port=b bundle=y\n}",
                "several s_axilite bundles",
            ),
        ] {
            let reason = laid_out(text).unwrap_err();
            assert!(reason.to_string().contains(word), "{text}: {reason}");
        }
    }

    #[test]
    fn streams_have_no_register_and_return_names_the_protocol() {
        let kernel = laid_out(
            "#include <hls_stream.h>\nvoid f(hls::stream<int> &in, int n) {\n#pragma HLS interface ap_ctrl_chain port=return\n}",
        )
        .unwrap();
        let kinds: Vec<(ArgumentKind, u64)> =
            kernel.arguments.iter().map(|one| (one.kind, one.offset)).collect();
        assert_eq!(kinds, [(ArgumentKind::Stream, 0), (ArgumentKind::Scalar, 0x10)]);
        assert_eq!(kernel.control.as_deref(), Some("ap_ctrl_chain"));
    }
}

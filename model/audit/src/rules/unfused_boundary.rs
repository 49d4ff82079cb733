//! One step of a kernel writes its result to external memory, and the next one reads it from there.
//!
//! ## What it does
//!
//! Follows the memory arguments (`m_axi`) of a function through the calls of its body. An argument that one callee writes
//! and a later one reads is reported, with both calls and the bytes that this moves, where the loops of the callees tell
//! how many elements they touch. An argument that is used in any other way, or whose use is unknown, is not reported.
//! Where they do not, the elements are those that the port's `depth=N` gives. A buffer that moves less than 4,096 B is a note, or less than
//! 2 % of the bytes that the largest argument which the function uses has, such as the map of a layer beside its weights, and so is one that a step repeats with another in turn in a loop, or whose elements
//! only a name gives (`depth=N`) that has no value.
//!
//! What a call in a loop moves is counted once, and the finding says so.
//!
//! ## Why it matters
//!
//! The intermediate crosses the memory's boundary twice, and the steps cannot overlap. A roofline of the fused layer
//! counts neither the bytes nor the wait.
//!
//! ## Example
//!
//! ```cpp
//! gemm(input, weight, product, rows, inner, columns); // writes product
//! add_bias(product, bias, output, rows, columns);     // reads it back
//! ```
//!
//! ## How to fix
//!
//! Fuse the steps: apply the second one as soon as the first one has its element, or put an `hls::stream` between them
//! in a `dataflow` region. A map that is read tile by tile, with a halo or once for each group of outputs, stays on chip instead. If the host needs the buffer, count its bytes.

use std::collections::BTreeMap;

use derate_estimate::find_slight_buffer;
use derate_hls::{
    AccessForm, AccessKind, Call, Count, DirectiveKind, Function, HlsType, Parameter, Reason,
    Resolver,
};
use serde::Serialize;

use crate::AuditInput;
use crate::{Finding, Label, Level};
use derate_machine::m_axi::m_axi_ports;
use derate_units::figures::grouped;

/// A buffer of less than one part in so many of the largest argument is small.
const SMALL: u64 = 50;

#[derive(Debug, Serialize)]
struct Intermediate {
    function: String,
    buffer: String,
    written_by: String,
    read_by: Vec<String>,
    /// Bytes written and read.
    bytes: Option<u64>,
    why_not: Option<String>,
    element_bytes: Option<u64>,
    elements_written: Option<u64>,
}

/// A call with a buffer as its argument.
struct Use<'a> {
    call: &'a Call,
    callee: &'a Function,
    parameter: &'a Parameter,
    kind: AccessKind,
}

struct CallView<'a> {
    resolver: Resolver<'a>,
    /// The functions with a body, by their own names.
    functions: BTreeMap<&'a str, Vec<&'a Function>>,
}

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let resolver = Resolver::new(input.code.all_headers(), input.sources);
    let headers = input.code.headers();
    let all = || {
        let functions = headers.iter().flat_map(|header| &header.functions);
        functions.filter(|function| function.body.is_some())
    };
    let mut functions: BTreeMap<&str, Vec<&Function>> = BTreeMap::new();
    for function in all() {
        functions.entry(&function.name).or_default().push(function);
    }
    let view = CallView { resolver, functions };
    let report_function = |function| {
        let ports = m_axi_ports(function).into_iter();
        ports
            .filter_map(|port| view.report_intermediate(function, port.parameter))
            .collect::<Vec<_>>()
    };
    all().flat_map(report_function).collect()
}

/// What a body does with a parameter; `None` where it passes it on, or does nothing with it.
fn find_role(function: &Function, parameter: &str) -> Option<AccessKind> {
    let mut role = None;
    for access in function.accesses.iter().filter(|access| access.array == parameter) {
        if matches!(access.form, AccessForm::Whole | AccessForm::Address) {
            return None;
        }
        role = Some(match role {
            Some(before) if before != access.kind => AccessKind::ReadWrite,
            _ => access.kind,
        });
    }
    role
}

fn element_bytes(kind: &HlsType) -> Option<u64> {
    match kind {
        HlsType::Pointer(element) => element.bytes_in_memory(),
        HlsType::Array { element, .. } => match &**element {
            inner @ HlsType::Array { .. } => element_bytes(inner),
            scalar => scalar.bytes_in_memory(),
        },
        _ => None,
    }
}

impl<'a> CallView<'a> {
    /// The one function with a body that a call can mean.
    fn find_callee(&self, call: &Call) -> Option<&'a Function> {
        let plain = call.callee.split('<').next()?.trim();
        let name = plain.rsplit("::").next()?;
        let named = self.functions.get(name)?.iter();
        let mut all = named.filter(|function| function.parameters.len() == call.arguments.len());
        let only = all.next()?;
        all.next().is_none().then_some(*only)
    }

    /// The calls that take a buffer, in the order of the text; `None` if it is used in another way too.
    fn find_uses(&self, function: &'a Function, buffer: &str) -> Option<Vec<Use<'a>>> {
        let own: Vec<_> = function.accesses.iter().filter(|one| one.array == buffer).collect();
        if own.iter().any(|one| one.form != AccessForm::Whole || one.conditional) {
            return None;
        }
        let mut uses = Vec::new();
        for call in &function.calls {
            for (at, argument) in call.arguments.iter().enumerate() {
                if argument.trim() != buffer {
                    continue;
                }
                let callee = self.find_callee(call)?;
                let parameter = callee.parameters.get(at)?;
                let kind = find_role(callee, &parameter.name)?;
                uses.push(Use { call, callee, parameter, kind });
            }
        }
        (uses.len() == own.len()).then_some(uses)
    }

    /// Elements that a call touches of a buffer.
    fn count_elements(&self, function: &Function, one: &Use<'_>) -> Result<u64, Reason> {
        if is_in_loop(function, one.call) {
            return Err(format!("`{}` is called in a loop", one.callee.name).into());
        }
        let none = BTreeMap::new();
        let values = self.resolver.call_values(function, one.call, one.callee, &none);
        let footprint = self.resolver.footprint(one.callee, &one.parameter.name, &values)?;
        Ok(footprint.elements)
    }

    fn report_intermediate(
        &self,
        function: &'a Function,
        parameter: &'a Parameter,
    ) -> Option<Finding> {
        let uses = self.find_uses(function, &parameter.name)?;
        let (writer, later) = uses.split_first()?;
        if writer.kind != AccessKind::Write {
            return None;
        }
        let readers: Vec<&Use<'_>> =
            later.iter().filter(|one| one.kind == AccessKind::Read).collect();
        // What a step writes again is another intermediate.
        if readers.is_empty() || readers.len() != later.len() {
            return None;
        }
        let name = &parameter.name;
        let resolution = self.resolver.parameter(function, parameter);
        let size = resolution.known().and_then(element_bytes);
        let sized = size.ok_or_else(|| {
            Reason::from(format!("the size of an element of `{name}` is not known"))
        });
        let total = sized.and_then(|size| {
            uses.iter().try_fold(0_u64, |sum, one| {
                let elements = self.count_elements(function, one)?;
                let bytes = elements.checked_mul(size).and_then(|bytes| sum.checked_add(bytes));
                bytes.ok_or_else(|| Reason::from("the bytes are too many to count"))
            })
        });
        let depth = self.find_depth(function, name);
        let given = depth.as_ref().and_then(|depth| depth.as_ref().ok().copied());
        let times = u64::try_from(uses.len()).ok();
        let by_depth = || given?.checked_mul(size?)?.checked_mul(times?);
        let is_given = total.is_err() && by_depth().is_some();
        let total = total.or_else(|why| by_depth().ok_or(why));
        let buffer = Intermediate {
            function: function.qualified(),
            buffer: name.clone(),
            written_by: writer.callee.qualified(),
            read_by: readers.iter().map(|one| one.callee.qualified()).collect(),
            bytes: total.as_ref().ok().copied(),
            why_not: total.err().map(String::from),
            element_bytes: size,
            elements_written: self.count_elements(function, writer).ok().or(given),
        };
        // A call in a loop moves its part in each iteration: how much all of them move is not known.
        let is_once = !uses.iter().any(|one| is_in_loop(function, one.call));
        let moved = buffer.bytes.filter(|_| is_once);
        let doubt = doubt_buffer(function, writer, &readers, moved)
            .or_else(|| depth.and_then(Result::err).filter(|_| buffer.bytes.is_none()))
            .or_else(|| self.find_larger(function, buffer.bytes?, is_once));
        let is_tiled = readers.iter().any(|one| is_in_loop(function, one.call));
        let labels = std::iter::once(writer).chain(readers).map(|one| {
            let does = if one.kind == AccessKind::Write { "writes" } else { "reads" };
            Label::new(one.call.span, format!("`{}` {does} `{name}`", one.callee.name))
        });
        let finding = report_buffer(function, &buffer, is_tiled)
            .with_labels(labels)
            .with_notes(is_given.then_some("how many elements it has is what `depth=` says"))
            .with_notes((is_given && !is_once).then_some("a call in a loop is counted once"));
        Some(match doubt {
            Some(doubt) => Finding { level: Level::Note, ..finding }.with_note(doubt),
            None => finding,
        })
    }

    /// An argument that takes far longer to read or write once than what a buffer moves, or than one pass over it in a loop.
    fn find_larger(&self, function: &Function, own: u64, is_once: bool) -> Option<String> {
        let is_used =
            |one: &Parameter| function.accesses.iter().any(|access| access.array == one.name);
        let bytes = |one: &Parameter| {
            let resolution = self.resolver.parameter(function, one);
            let kind = resolution.known()?;
            let depth = || {
                let elements = self.find_depth(function, &one.name)?.ok()?;
                elements.checked_mul(element_bytes(kind)?)
            };
            kind.bytes_in_memory().filter(|_| matches!(kind, HlsType::Array { .. })).or_else(depth)
        };
        let ports = m_axi_ports(function).into_iter().map(|port| port.parameter);
        let ports = ports.filter(|one| is_used(one));
        let sized = ports.filter_map(|one| Some((bytes(one)?, one.name.as_str())));
        let (largest, name) = sized.max()?;
        let largest = (own < largest / SMALL).then(|| grouped(largest as f64))?;
        let share = format!("less than 2 % of the {largest} B that `{name}` has");
        Some(if is_once {
            format!("it moves {share}: little where the kernel goes through that")
        } else {
            format!("one pass over it moves {share}; what its loop repeats is not counted")
        })
    }

    /// The elements that `depth=` gives a buffer; a reason where a name gives them and has no value.
    fn find_depth(&self, function: &Function, buffer: &str) -> Option<Result<u64, String>> {
        let mut depths = function.pragmas.iter().filter_map(|pragma| {
            let DirectiveKind::Interface(one) = pragma.directive()?.kind else { return None };
            (one.port.as_deref() == Some(buffer)).then_some((pragma.span, one.depth?))
        });
        let (at, text) = match depths.next_back()? {
            // `depth=1` says only that it is a pointer.
            (_, Count::Number(number)) => return (number > 1).then_some(Ok(number)),
            (at, Count::Text(text)) => (at, text),
        };
        let value = self.resolver.value_within(function, at, &text, &BTreeMap::new());
        let elements = value.ok().and_then(|value| u64::try_from(value).ok());
        Some(
            elements.ok_or_else(|| {
                format!("it has `{text}` elements, of which the value is not known")
            }),
        )
    }
}

/// Why a buffer costs little, or has to go through memory.
fn doubt_buffer(
    function: &Function,
    writer: &Use<'_>,
    readers: &[&Use<'_>],
    bytes: Option<u64>,
) -> Option<String> {
    let is_same = readers.iter().all(|one| one.callee.span == writer.callee.span);
    let is_repeated = function.loops.iter().any(|one| one.body.contains(writer.call.span));
    if is_same && is_repeated {
        let name = &writer.callee.name;
        return Some(format!(
            "`{name}` is repeated on two buffers in turn: each step needs all of the one before"
        ));
    }
    find_slight_buffer(bytes?)
}

fn is_in_loop(function: &Function, call: &Call) -> bool {
    function.loops.iter().any(|one| one.body.contains(call.span))
}

fn report_buffer(function: &Function, buffer: &Intermediate, is_tiled: bool) -> Finding {
    let (subject, name) = (format!("{}::{}", buffer.function, buffer.buffer), &function.name);
    let bytes = buffer.bytes.map_or(String::new(), |b| format!(": {} B", grouped(b as f64)));
    Finding::new("kernel/unfused-boundary", Level::Warning, subject)
        .in_group(buffer.function.clone())
        .with_message(format!(
            "the intermediate `{}` of `{name}` goes through external memory{bytes}",
            buffer.buffer
        ))
        .with_note(describe_buffer(buffer))
        .with_help(if is_tiled {
            "keep the buffer on chip: it is read in parts, in a loop, and a stream gives each element once; if the \
             host needs the buffer, count its bytes"
        } else {
            "fuse the steps, or put a stream between them in a dataflow region; if the host needs \
             the buffer, count its bytes"
        })
        .with_evidence(buffer)
}

/// What one buffer costs, or why that is not known.
fn describe_buffer(buffer: &Intermediate) -> String {
    let Intermediate { buffer: name, written_by, read_by, .. } = buffer;
    let readers = read_by.iter().map(|reader| format!("`{reader}`")).collect::<Vec<_>>().join(", ");
    let way = format!("`{name}`: written by `{written_by}`, read by {readers}");
    match (buffer.bytes, buffer.elements_written, buffer.element_bytes) {
        (Some(bytes), Some(elements), Some(size)) => format!(
            "{way}: {} B ({} elements of {size} B written)",
            grouped(bytes as f64),
            grouped(elements as f64)
        ),
        _ => format!(
            "{way}: bytes unknown: {}",
            buffer.why_not.as_deref().unwrap_or("the buffer's extent is not in the code")
        ),
    }
}

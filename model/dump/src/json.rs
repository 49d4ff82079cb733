//! The header of a safetensors file, and any other JSON that gives each tensor a shape.
//!
//! ```json
//! {"__metadata__":{"format":"pt"},"model.norm.weight":{"dtype":"BF16","shape":[960],"data_offsets":[0,1920]}}
//! ```
//!
//! Also read: lists of objects with a `name`, nested objects whose keys make the path, and plain
//! `"name": [960]`.

use super::builder::{ByteRange, DumpBuilder, FoundTensor, LONGEST_NAME};
use super::dims::{DimsError, clip_text};
use super::dtype::{self, Dtype};
use super::error::{DumpExcess, DumpRefusal};
use super::grouping::Grouping;
use super::json_token::{JsonToken, JsonTokens};
use super::{ProblemKind, cell};

/// Deeper than any header.
const DEEPEST: usize = 128;

/// Containers whose key is not part of a parameter's path.
const WRAPPERS: [&str; 8] = [
    "tensors",
    "parameters",
    "params",
    "state_dict",
    "model_state_dict",
    "weights",
    "records",
    "layers_info",
];

/// An object or a list that is being read.
#[derive(Debug, Default)]
struct JsonFrame<'a> {
    is_list: bool,
    /// The key of this value, and its place.
    key: Option<(&'a str, ByteRange)>,
    /// The key whose value comes next.
    next: Option<(&'a str, ByteRange)>,
    name: Option<(&'a str, ByteRange)>,
    dtype: Option<&'a str>,
    shape: Option<Result<Vec<u64>, DimsError>>,
    offsets: Option<Vec<u64>>,
    /// The numbers of a list; `None` once it holds anything else.
    numbers: Option<Vec<u64>>,
}

/// Whether a text is a recorded workload: that is its first key.
fn is_workload(text: &str) -> bool {
    let mut texts = JsonTokens::new(text).filter_map(|token| match token {
        JsonToken::Text(text, _) => Some(text),
        _ => None,
    });
    texts.next() == Some("schema")
        && texts.next().is_some_and(|schema| schema.starts_with("derate.workload/"))
}

/// Whether a text is JSON by its look.
pub(super) fn is_json(text: &str) -> bool {
    let text = text.trim_start_matches(['\u{feff}', ' ', '\n', '\r', '\t']);
    let mut tokens = JsonTokens::new(text);
    matches!(
        (tokens.next(), tokens.next(), tokens.next()),
        (Some(JsonToken::OpenObject), Some(JsonToken::Text(..)), Some(JsonToken::Colon))
            | (Some(JsonToken::OpenArray), Some(JsonToken::OpenObject), Some(JsonToken::Text(..)))
    )
}

/// Reads the whole text.
pub(super) fn read_json<'a>(text: &'a str, builder: &mut DumpBuilder) -> Result<(), DumpRefusal> {
    let mut stack: Vec<JsonFrame<'a>> = Vec::new();
    let is_workload = is_workload(text);
    for token in JsonTokens::new(text) {
        match token {
            JsonToken::OpenObject | JsonToken::OpenArray => {
                if stack.len() == DEEPEST {
                    return Err(DumpRefusal { offset: 0, what: DumpExcess::Levels(DEEPEST) });
                }
                let key = stack.last_mut().and_then(|frame| frame.next.take());
                let is_list = token == JsonToken::OpenArray;
                stack.push(JsonFrame {
                    is_list,
                    key,
                    numbers: is_list.then(Vec::new),
                    ..JsonFrame::default()
                });
            }
            JsonToken::Close => close_frame(&mut stack, is_workload, builder),
            JsonToken::Text(text, place) => take_text(stack.last_mut(), text, place),
            JsonToken::Word(word) => take_word(stack.last_mut(), word),
            JsonToken::Comma | JsonToken::Colon => {}
            JsonToken::Bad((start, end)) => {
                let end = text[start..end].find('\n').map_or(end, |at| start + at);
                let reason = "the JSON breaks off or is damaged here: what follows was not read";
                builder.add_problem(ProblemKind::Incomplete, (start, end), reason);
            }
        }
    }
    if let Some(frame) = stack.last() {
        let place = frame.key.map_or((0, 0), |(_, place)| place);
        builder.add_problem(ProblemKind::Incomplete, place, "the JSON ends before this value does");
    }
    Ok(())
}

fn take_text<'a>(frame: Option<&mut JsonFrame<'a>>, text: &'a str, place: ByteRange) {
    let Some(frame) = frame else { return };
    frame.numbers = None;
    if frame.is_list {
        return;
    }
    match frame.next.take().map(|(key, _)| key) {
        None => frame.next = Some((text, place)),
        Some("name" | "key" | "tensor" | "parameter") => frame.name = Some((text, place)),
        Some("dtype" | "type" | "torch_dtype" | "data_type") => frame.dtype = Some(text),
        Some("shape" | "dims" | "size") => {
            frame.shape = Some(cell::read_stated_shape(text, Grouping::Unknown));
        }
        Some(_) => {}
    }
}

fn take_word(frame: Option<&mut JsonFrame<'_>>, word: &str) {
    let Some(frame) = frame else { return };
    frame.next = None;
    if let Some(numbers) = &mut frame.numbers {
        match word.parse() {
            Ok(number) => numbers.push(number),
            Err(_) => frame.numbers = None,
        }
    }
}

fn close_frame(stack: &mut Vec<JsonFrame<'_>>, is_workload: bool, builder: &mut DumpBuilder) {
    let Some(frame) = stack.pop() else { return };
    // A recorded workload has values that are not parameters.
    if is_workload && !frame.is_list && frame.name.is_none() {
        return;
    }
    if frame.is_list {
        return close_list(frame, stack, builder);
    }
    let Some(shape) = frame.shape else { return };
    let Some((name, place)) = frame.name.or(frame.key) else {
        return builder.add_problem(ProblemKind::Unread, (0, 0), "a shape has no name");
    };
    let path = if frame.name.is_some() { Some(name.to_owned()) } else { find_path(stack, name) };
    let Some(path) = path else {
        return builder.add_problem(
            ProblemKind::Unread,
            place,
            format!("the path of `{}` is too long", clip_text(name)),
        );
    };
    let dtype = frame.dtype.map_or(Dtype::No, dtype::read_stated);
    match shape {
        Ok(dims) => {
            check_offsets(&path, &dims, dtype, frame.offsets.as_deref(), place, builder);
            builder.add_tensor(&FoundTensor { name: &path, dims, dtype, shape_known: true, place });
        }
        Err(error) => builder.add_dims_problem(error, place),
    }
}

fn close_list(list: JsonFrame<'_>, stack: &mut [JsonFrame<'_>], builder: &mut DumpBuilder) {
    let Some(((key, place), owner)) = list.key.zip(stack.last_mut()) else { return };
    let not_numbers =
        || DimsError::Other("the shape holds something else than numbers of 64 bits".to_owned());
    match key {
        "shape" | "dims" | "size" => owner.shape = Some(list.numbers.ok_or_else(not_numbers)),
        "data_offsets" => owner.offsets = list.numbers,
        _ if key.contains('.') => {
            if let Some(dims) = list.numbers {
                let name = unescape_text(key);
                builder.add_tensor(&FoundTensor {
                    name: &name,
                    dims,
                    dtype: Dtype::No,
                    shape_known: true,
                    place,
                });
            }
        }
        _ => {}
    }
}

/// The name of an object: its key where that is a path, else the keys down to it.
fn find_path(stack: &[JsonFrame<'_>], key: &str) -> Option<String> {
    if key.contains('.') {
        return Some(unescape_text(key));
    }
    let above = stack
        .iter()
        .filter_map(|frame| frame.key)
        .map(|(key, _)| key)
        .filter(|key| !WRAPPERS.contains(key));
    let keys: Vec<_> = above.chain([key]).collect();
    let length: usize = keys.iter().map(|key| key.len()).sum();
    (length <= LONGEST_NAME).then(|| unescape_text(&keys.join(".")))
}

fn unescape_text(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    serde_json::from_str(&format!("\"{text}\"")).unwrap_or_else(|_| text.to_owned())
}

/// safetensors says where each tensor lies, so also how long it is.
fn check_offsets(
    name: &str,
    dims: &[u64],
    dtype: Dtype<'_>,
    offsets: Option<&[u64]>,
    place: ByteRange,
    builder: &mut DumpBuilder,
) {
    let (Some(&[start, end]), Dtype::Known(precision, _)) = (offsets, dtype) else { return };
    let elements = dims.iter().try_fold(1_u64, |product, &dim| product.checked_mul(dim));
    let bits = elements.and_then(|elements| elements.checked_mul(u64::from(precision.bits())));
    let stated = end.checked_sub(start);
    if let Some(bits) = bits
        && stated != Some(bits.div_ceil(8))
    {
        let reason = format!(
            "the offsets of `{}` do not span the {} bytes that its shape and dtype need",
            clip_text(name),
            bits.div_ceil(8)
        );
        builder.add_problem(ProblemKind::Incomplete, place, reason);
    }
}

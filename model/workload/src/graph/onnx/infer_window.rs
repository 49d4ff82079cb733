//! Shapes of what moves a window: convolutions and pools.

use super::proto::NodeProto;

/// A list with one number a dimension, or a default.
fn each(list: &[u64], index: usize, default: u64) -> u64 {
    list.get(index).copied().unwrap_or(default)
}

/// Padding at all beginnings and then at all ends, what `auto_pad` asks for included.
pub(super) fn find_padding(node: &NodeProto, spatial: &[u64], window: &[u64]) -> Vec<u64> {
    let rank = window.len();
    let auto = node.text("auto_pad");
    if !auto.starts_with("SAME") {
        let given = node.counts("pads");
        return if given.len() == 2 * rank { given } else { vec![0; 2 * rank] };
    }
    let (stride, dilation) = (node.counts("strides"), node.counts("dilations"));
    let mut padding = vec![0; 2 * rank];
    for (index, (&size, &kernel)) in spatial.iter().zip(window).enumerate() {
        let step = each(&stride, index, 1).max(1);
        let reach =
            each(&dilation, index, 1).saturating_mul(kernel.saturating_sub(1)).saturating_add(1);
        let made = size.div_ceil(step);
        let all =
            made.saturating_sub(1).saturating_mul(step).saturating_add(reach).saturating_sub(size);
        let (less, more) = (all / 2, all - all / 2);
        let is_upper = auto == "SAME_UPPER";
        padding[index] = if is_upper { less } else { more };
        padding[rank + index] = if is_upper { more } else { less };
    }
    padding
}

/// Extents of the result of a window that moves over `spatial`; `None` where it does not fit.
pub(super) fn move_window(node: &NodeProto, spatial: &[u64], window: &[u64]) -> Option<Vec<u64>> {
    if spatial.len() != window.len() {
        return None;
    }
    let padding = find_padding(node, spatial, window);
    let (stride, dilation) = (node.counts("strides"), node.counts("dilations"));
    let rounds_up = node.int("ceil_mode", 0) == 1;
    let extent = |(index, (&size, &kernel)): (usize, (&u64, &u64))| {
        let step = each(&stride, index, 1);
        let reach =
            each(&dilation, index, 1).checked_mul(kernel.checked_sub(1)?)?.checked_add(1)?;
        let begin = padding[index];
        let padded = size.checked_add(begin)?.checked_add(padding[window.len() + index])?;
        let free = padded.checked_sub(reach)?;
        if step == 0 {
            return None;
        }
        let mut made = if rounds_up { free.div_ceil(step) } else { free / step }.checked_add(1)?;
        // A last window that begins in the padding at the end is left out.
        if rounds_up && (made - 1).checked_mul(step)? >= size.checked_add(begin)? {
            made -= 1;
        }
        Some(made)
    };
    spatial.iter().zip(window).enumerate().map(extent).collect()
}

/// Extents of the result of a transposed convolution.
pub(super) fn spread_window(node: &NodeProto, spatial: &[u64], window: &[u64]) -> Option<Vec<u64>> {
    if let Some(shape) = node.attribute("output_shape") {
        return shape.ints.iter().map(|&size| u64::try_from(size).ok()).collect();
    }
    if spatial.len() != window.len() {
        return None;
    }
    let padding = find_padding(node, spatial, window);
    let (stride, dilation) = (node.counts("strides"), node.counts("dilations"));
    let more = node.counts("output_padding");
    let extent = |(index, (&size, &kernel)): (usize, (&u64, &u64))| {
        let spread = size.checked_sub(1)?.checked_mul(each(&stride, index, 1))?;
        let reach =
            each(&dilation, index, 1).checked_mul(kernel.checked_sub(1)?)?.checked_add(1)?;
        let all = spread.checked_add(reach)?.checked_add(each(&more, index, 0))?;
        all.checked_sub(padding[index].checked_add(padding[window.len() + index])?)
    };
    spatial.iter().zip(window).enumerate().map(extent).collect()
}

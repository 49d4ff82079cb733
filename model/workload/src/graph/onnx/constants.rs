//! Whole numbers that are known when a file is read: sizes, axes and places.

use super::proto::{NodeProto, TensorProto};

/// More numbers than these are no shape.
const MOST: usize = 1024;

/// The whole numbers of a tensor; `None` for others, and for data that is not in the file.
pub(super) fn read_ints(tensor: &TensorProto) -> Option<Vec<i64>> {
    let count =
        tensor.dims.iter().try_fold(1_usize, |a, &b| a.checked_mul(usize::try_from(b).ok()?))?;
    if count > MOST {
        return None;
    }
    let numbers: Vec<i64> = match tensor.data_type {
        7 if !tensor.int64_data.is_empty() => tensor.int64_data.clone(),
        7 => {
            tensor.raw_data.as_chunks::<8>().0.iter().map(|one| i64::from_le_bytes(*one)).collect()
        }
        6 if !tensor.int32_data.is_empty() => {
            tensor.int32_data.iter().map(|&one| i64::from(one)).collect()
        }
        6 => {
            let all = tensor.raw_data.as_chunks::<4>().0;
            all.iter().map(|one| i64::from(i32::from_le_bytes(*one))).collect()
        }
        _ => return None,
    };
    (numbers.len() == count).then_some(numbers)
}

/// A place in a list of `length`, counted from its end where it is below zero.
pub(super) fn wrap(index: i64, length: usize) -> Option<usize> {
    let length = i64::try_from(length).ok()?;
    let at = if index < 0 { index + length } else { index };
    (0..length).contains(&at).then(|| usize::try_from(at).ok())?
}

/// What a node of numbers makes of the numbers that it reads; `None` where one is not known, or for another operator.
pub(super) fn compute_ints(node: &NodeProto, inputs: &[Option<&[i64]>]) -> Option<Vec<i64>> {
    let first = || inputs.first().copied().flatten();
    let second = || inputs.get(1).copied().flatten();
    let each = |apply: fn(i64, i64) -> Option<i64>| {
        let (a, b) = (first()?, second()?);
        let length = if a.len() == 1 { b.len() } else { a.len() };
        let at = |list: &[i64], index: usize| {
            if list.len() == 1 { list.first().copied() } else { list.get(index).copied() }
        };
        (0..length).map(|index| apply(at(a, index)?, at(b, index)?)).collect()
    };
    match node.op_type.as_str() {
        "Identity" | "Cast" | "Unsqueeze" | "Squeeze" | "Reshape" | "Flatten" => {
            first().map(<[i64]>::to_vec)
        }
        "Gather" => {
            let (list, places) = (first()?, second()?);
            places.iter().map(|&place| list.get(wrap(place, list.len())?).copied()).collect()
        }
        "Concat" => {
            let all: Option<Vec<&[i64]>> = inputs.iter().copied().collect();
            Some(all?.concat()).filter(|list| list.len() <= MOST)
        }
        "Add" => each(i64::checked_add),
        "Sub" => each(i64::checked_sub),
        "Mul" => each(i64::checked_mul),
        "Div" => each(i64::checked_div),
        "Mod" => each(|a, b| if b > 0 { a.checked_rem_euclid(b) } else { None }),
        "Min" => each(|a, b| Some(a.min(b))),
        "Max" => each(|a, b| Some(a.max(b))),
        "Equal" => each(|a, b| Some(i64::from(a == b))),
        "Where" => {
            let third = inputs.get(2).copied().flatten()?;
            let (choice, yes) = (first()?, second()?);
            let at = |list: &[i64], index: usize| {
                if list.len() == 1 { list.first().copied() } else { list.get(index).copied() }
            };
            let length = choice.len().max(yes.len()).max(third.len());
            let one = |index: usize| at(if at(choice, index)? == 0 { third } else { yes }, index);
            (0..length).map(one).collect()
        }
        "ConstantOfShape" => {
            let count =
                first()?.iter().try_fold(1_usize, |a, &b| a.checked_mul(usize::try_from(b).ok()?));
            let value = node.attribute("value").and_then(|one| one.t.as_ref());
            let number = match value {
                Some(tensor) => *read_ints(tensor)?.first()?,
                None => return None,
            };
            Some(vec![number; count.filter(|count| *count <= MOST)?])
        }
        "Range" => {
            let step = *inputs.get(2).copied().flatten()?.first()?;
            let (start, end) = (*first()?.first()?, *second()?.first()?);
            let count = usize::try_from(end.checked_sub(start)?.checked_div(step)?).ok()?;
            let is_whole = step == 1 && count <= MOST;
            is_whole.then(|| (start..end).collect())
        }
        "Slice" => slice(node, inputs),
        "ReduceProd" => {
            let product = first()?.iter().try_fold(1_i64, |a, &b| a.checked_mul(b))?;
            Some(vec![product])
        }
        _ => None,
    }
}

fn slice(node: &NodeProto, inputs: &[Option<&[i64]>]) -> Option<Vec<i64>> {
    let list = inputs.first().copied().flatten()?;
    let one = |at: usize, name: &str| {
        let given = inputs.get(at).copied().flatten().map(<[i64]>::to_vec);
        given.or_else(|| node.ints(name))
    };
    let (start, end) = (*one(1, "starts")?.first()?, *one(2, "ends")?.first()?);
    let step = one(4, "steps").and_then(|steps| steps.first().copied()).unwrap_or(1);
    let length = i64::try_from(list.len()).ok()?;
    let clip = |at: i64| if at < 0 { (at.saturating_add(length)).max(0) } else { at.min(length) };
    if step != 1 {
        return None;
    }
    let range = usize::try_from(clip(start)).ok()?..usize::try_from(clip(end)).ok()?;
    Some(list.get(range).unwrap_or_default().to_vec())
}

//! What the columns of a table hold.

/// The meaning of a column.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum ColumnRole {
    /// The parameter's path.
    Name,
    /// Its dimensions.
    Shape,
    /// Its element type.
    Dtype,
    /// Its number of elements.
    Count,
    /// The number of equal tensors in a row.
    Times,
    /// Something else.
    Other,
}

fn column_role(heading: &str) -> ColumnRole {
    let heading = super::cell::strip_marks(heading).to_ascii_lowercase();
    match heading.as_str() {
        "name" | "tensor" | "parameter" | "param" | "key" | "weight" | "layer" | "module"
        | "path" | "weight name" | "tensor name" | "parameter name" | "param name"
        | "layer name" | "state dict key" | "tensors" | "weights" | "layers" | "example tensor"
        | "张量" | "张量名" | "参数名" | "名称" => ColumnRole::Name,
        "shape" | "size" | "dims" | "dim" | "dimensions" | "dimension" | "tensor shape"
        | "weight shape" | "形状" => ColumnRole::Shape,
        "dtype" | "type" | "data type" | "datatype" | "precision" | "format" | "tensor type"
        | "数据类型" => ColumnRole::Dtype,
        "params" | "parameters" | "# params" | "#params" | "numel" | "elements" | "# elements"
        | "count" | "param count" | "num params" | "param #" | "# parameters" | "numbers"
        | "参数量" => ColumnRole::Count,
        "tensor count" | "times" | "copies" | "instances" | "repeats" | "# tensors" | "数量" => {
            ColumnRole::Times
        }
        other if other.starts_with("shape (") => ColumnRole::Shape,
        _ => ColumnRole::Other,
    }
}

/// The roles in a heading row; `None` where the cells head no table of tensors.
pub(super) fn read_heading(cells: &[&str]) -> Option<Vec<ColumnRole>> {
    let mut roles: Vec<_> = cells.iter().map(|cell| column_role(cell)).collect();
    let names: Vec<_> = (0..roles.len()).filter(|&at| roles[at] == ColumnRole::Name).collect();
    // Of `Layer | Weight name | Shape`, the column that says "name" is meant.
    let best =
        names.iter().find(|&&at| cells[at].to_ascii_lowercase().contains("name")).or(names.first());
    // Without a column of names, each row shows by its form which cell is the name.
    if best.is_none() && !roles.contains(&ColumnRole::Shape) {
        return None;
    }
    for &at in names.iter().filter(|at| Some(*at) != best) {
        roles[at] = ColumnRole::Other;
    }
    let known = roles.iter().filter(|role| **role != ColumnRole::Other).count();
    (known > 1).then_some(roles)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_column_that_says_name_is_the_name() {
        use ColumnRole::{Count, Name, Other, Shape};
        assert_eq!(
            read_heading(&["Layer", "Weight name", "Shape", "Params"]),
            Some(vec![Other, Name, Shape, Count])
        );
        assert_eq!(read_heading(&["Metric", "Value"]), None);
    }
}

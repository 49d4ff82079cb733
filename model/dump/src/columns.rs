//! What the columns of a table hold.

/// The meaning of a column.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Role {
    /// The parameter's path.
    Name,
    /// Its dimensions.
    Shape,
    /// Its element type.
    Dtype,
    /// Its number of elements.
    Count,
    /// How many equal tensors a row stands for.
    Times,
    /// Something else.
    Other,
}

fn role(heading: &str) -> Role {
    let heading = super::cell::plain(heading).to_ascii_lowercase();
    match heading.as_str() {
        "name" | "tensor" | "parameter" | "param" | "key" | "weight" | "layer" | "module"
        | "path" | "weight name" | "tensor name" | "parameter name" | "param name"
        | "layer name" | "state dict key" | "tensors" | "weights" | "layers" | "example tensor"
        | "张量" | "张量名" | "参数名" | "名称" => Role::Name,
        "shape" | "size" | "dims" | "dim" | "dimensions" | "dimension" | "tensor shape"
        | "weight shape" | "形状" => Role::Shape,
        "dtype" | "type" | "data type" | "datatype" | "precision" | "format" | "tensor type"
        | "数据类型" => Role::Dtype,
        "params" | "parameters" | "# params" | "#params" | "numel" | "elements" | "# elements"
        | "count" | "param count" | "num params" | "param #" | "# parameters" | "numbers"
        | "参数量" => Role::Count,
        "tensor count" | "times" | "copies" | "instances" | "repeats" | "# tensors" | "数量" => {
            Role::Times
        }
        other if other.starts_with("shape (") => Role::Shape,
        _ => Role::Other,
    }
}

/// The roles in a heading row; `None` where the cells head no table of tensors.
pub(super) fn heading(cells: &[&str]) -> Option<Vec<Role>> {
    let mut roles: Vec<_> = cells.iter().map(|cell| role(cell)).collect();
    let names: Vec<_> = (0..roles.len()).filter(|&at| roles[at] == Role::Name).collect();
    // Of `Layer | Weight name | Shape`, the column that says "name" is meant.
    let best =
        names.iter().find(|&&at| cells[at].to_ascii_lowercase().contains("name")).or(names.first());
    // Without a column of names, each row shows by its form which cell is the name.
    if best.is_none() && !roles.contains(&Role::Shape) {
        return None;
    }
    for &at in names.iter().filter(|at| Some(*at) != best) {
        roles[at] = Role::Other;
    }
    let known = roles.iter().filter(|role| **role != Role::Other).count();
    (known > 1).then_some(roles)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_column_that_says_name_is_the_name() {
        use Role::{Count, Name, Other, Shape};
        assert_eq!(
            heading(&["Layer", "Weight name", "Shape", "Params"]),
            Some(vec![Other, Name, Shape, Count])
        );
        assert_eq!(heading(&["Metric", "Value"]), None);
    }
}

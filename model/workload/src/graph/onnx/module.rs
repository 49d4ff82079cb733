//! The module path of a node, as exporters write it down.

use super::proto::NodeProto;

/// `PyTorch`'s exporter on top of torch.export says the scopes of a node.
const SCOPES: &str = "pkg.torch.onnx.name_scopes";

/// The module of a node: of its scopes, of a name such as `/blocks/blocks.0/attn/qkv/MatMul`, or the node's own name.
pub(super) fn find_module(node: &NodeProto) -> String {
    if let Some(scopes) = node.metadata.iter().find(|entry| entry.key == SCOPES) {
        // The last is the node's own name.
        let mut all: Vec<&str> = scopes.value.split('\'').skip(1).step_by(2).collect();
        all.pop();
        return all.pop().unwrap_or_default().to_owned();
    }
    if !node.name.starts_with('/') {
        return node.name.clone();
    }
    let mut segments: Vec<&str> = node.name.split('/').filter(|one| !one.is_empty()).collect();
    segments.pop();
    let mut path: Vec<&str> = Vec::new();
    for segment in segments {
        // A numbered module repeats the name of its list.
        let list = segment.split_once('.').map(|(list, _)| list);
        if list.is_some() && path.last().copied() == list {
            path.pop();
        }
        path.push(segment);
    }
    path.join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_become_a_path() {
        let named =
            |name: &str| find_module(&NodeProto { name: name.to_owned(), ..NodeProto::default() });
        assert_eq!(named("/blocks/blocks.0/attn/qkv/MatMul"), "blocks.0.attn.qkv");
        assert_eq!(named("/Conv"), "");
        assert_eq!(named("Conv_3"), "Conv_3");
    }
}

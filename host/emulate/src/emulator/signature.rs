use derate_hls::{Function, Header};

use crate::interfaces::Interfaces;

/// A parameter of a kernel, as its source says.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct KernelParameter {
    /// Its name.
    pub name: String,
    /// The bundle of its `m_axi` port, if it has one.
    pub bundle: Option<String>,
}

/// A kernel's name and parameters, which the compiled code no longer has.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Signature {
    /// The function.
    pub name: String,
    /// Its parameters in order.
    pub parameters: Vec<KernelParameter>,
}

/// The kernels of a source: functions with a body that say how at least one of their arguments is reached, or that are
/// among the named.
pub fn read_signatures(header: &Header, named: &[String]) -> Vec<Signature> {
    let kernels = header.functions.iter().filter(|one| one.body.is_some() && !one.is_template());
    kernels.filter_map(|function| read_signature(function, named)).collect()
}

fn read_signature(function: &Function, named: &[String]) -> Option<Signature> {
    let interfaces = Interfaces::of(function);
    if !interfaces.make_a_kernel() && !named.contains(&function.name) {
        return None;
    }
    let parameters = function.parameters.iter().map(|one| KernelParameter {
        name: one.name.clone(),
        bundle: interfaces.is_memory(&one.name).then(|| interfaces.bundle_of(&one.name).to_owned()),
    });
    Some(Signature { name: function.name.clone(), parameters: parameters.collect() })
}

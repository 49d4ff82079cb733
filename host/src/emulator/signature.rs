use derate_hls::{DirectiveKind, Function, Header};

/// A parameter of a kernel, as its source says.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Parameter {
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
    pub parameters: Vec<Parameter>,
}

/// The kernels of a source: functions with a body that say how at least one of their arguments is reached.
pub fn signatures(header: &Header) -> Vec<Signature> {
    let kernels = header.functions.iter().filter(|one| one.body.is_some() && !one.is_template());
    kernels.filter_map(signature).collect()
}

fn signature(function: &Function) -> Option<Signature> {
    let interfaces: Vec<_> = function
        .pragmas
        .iter()
        .filter_map(|pragma| match pragma.directive()?.kind {
            DirectiveKind::Interface(interface) => Some(interface),
            _ => None,
        })
        .collect();
    let is = |mode: &Option<String>, wanted| {
        mode.as_ref().is_some_and(|mode| mode.eq_ignore_ascii_case(wanted))
    };
    let outer = |one: &derate_hls::Interface| is(&one.mode, "m_axi") || is(&one.mode, "s_axilite");
    if !interfaces.iter().any(outer) {
        return None;
    }
    let parameters = function.parameters.iter().map(|parameter| {
        let own = interfaces
            .iter()
            .find(|one| is(&one.mode, "m_axi") && one.port.as_ref() == Some(&parameter.name));
        // HLS calls the bundle of ports that name none `gmem`.
        let bundle = own.map(|one| one.bundle.clone().unwrap_or_else(|| "gmem".to_owned()));
        Parameter { name: parameter.name.clone(), bundle }
    });
    Some(Signature { name: function.name.clone(), parameters: parameters.collect() })
}

//! What is predicted and measured: the fields of a request as an operator's shape.

use derate_host::cuda::{self, CudaName};
use derate_model::operator::{
    Attention, AttentionError, GivenPeaks, Mlp, OperatorFormats, OperatorKind, RoofOverrides, Shape,
};
use derate_model::predict::{
    Operators, Prediction, PredictionError, PredictionSetup, join_command,
};
use derate_model::quantity::ParseQuantity;
use derate_model::units::BytesPerSecond;
use derate_model::{Encoding, Mixture, Target};

use crate::fields::Fields;
use crate::platforms::NamedPlatform;
use crate::unknown_name::UnknownName;

fn read_attention(fields: &Fields) -> Option<Shape> {
    let of = |name| fields.needed_extent(name);
    let (heads, head_dim, queries) = (of("heads"), of("head_dim"), of("queries"));
    let kv_heads = fields.extent_or("kv_heads", heads.unwrap_or(1));
    let keys = fields.extent_or("keys", queries.unwrap_or(1));
    let (batch, causal) = (fields.extent_or("batch", 1), fields.optional_flag("causal"));
    let extents = [batch?, heads?, kv_heads?, head_dim?, queries?, keys?];
    let own = Attention { causal, ..Attention::fused(extents) };
    if let Err(error) = own.check_heads() {
        let field = match error {
            AttentionError::Heads { .. } => "kv_heads",
            AttentionError::Causal { .. } => "keys",
        };
        fields.refuse_field(field, error.to_string());
        return None;
    }
    Some(Shape::Attention(own))
}

/// From the fields of a request; `None` where one was refused.
pub(crate) fn read_shape(kind: OperatorKind, fields: &Fields) -> Option<Shape> {
    let of = |name| fields.needed_extent(name);
    match kind {
        OperatorKind::Gemv => {
            let (n, k) = (of("n"), of("k"));
            Some(Shape::Gemv { n: n?, k: k? })
        }
        OperatorKind::Gemm => {
            let (m, n, k) = (of("m"), of("n"), of("k"));
            Some(Shape::Gemm { m: m?, n: n?, k: k? })
        }
        OperatorKind::Attention => read_attention(fields),
        OperatorKind::Mlp => {
            let (width, batch, layers) = (of("width"), of("batch"), fields.extent_or("layers", 1));
            let backward = !fields.optional_flag("forward");
            let (width, batch, layers) = (width?, batch?, layers?);
            Some(Shape::Mlp(Mlp { batch, width, layers, backward, apart: false }))
        }
    }
}

/// The operator as a device runs it that measures: what a GPU writes between its kernels counts in what is predicted, too.
pub(crate) fn as_run(device: &str, shape: Shape) -> Shape {
    if CudaName::is_meant(device) { cuda::as_run(&shape) } else { shape }
}

/// The field of its largest extent, which is to blame where it is too large.
pub(crate) fn widest_field(shape: &Shape) -> &'static str {
    let extents: &[(&'static str, u64)] = match *shape {
        Shape::Gemv { n, k } => &[("n", n), ("k", k)],
        Shape::Gemm { m, n, k } => &[("m", m), ("n", n), ("k", k)],
        Shape::Attention(of) => &[
            ("queries", of.queries),
            ("keys", of.keys),
            ("head_dim", of.head_dim),
            ("heads", of.heads),
            ("batch", of.batch),
        ],
        Shape::Mlp(of) => &[("width", of.width), ("batch", of.batch), ("layers", of.layers)],
    };
    // The first of several that are alike.
    let largest = extents.iter().rev().max_by_key(|(_, extent)| *extent);
    largest.map_or("workload", |(field, _)| field)
}

/// Roofs that a request gives in place of the platform's, and the words of a command that give them.
#[derive(Clone, Debug, Default)]
pub(crate) struct GivenRoofs {
    overrides: RoofOverrides,
    words: Vec<String>,
}

/// The fields `bandwidth` and `peak`: one rate of every arithmetic, or `fp8=124 TFLOP/s; int8=200 TOP/s`.
pub(crate) fn read_roofs(fields: &Fields) -> GivenRoofs {
    let mut words = Vec::new();
    let bandwidth = fields.given_by("bandwidth", |text| {
        words.extend(["--bandwidth".to_owned(), text.to_owned()]);
        BytesPerSecond::parse_quantity(text)
    });
    let peak = fields.given_by("peak", |text| {
        let each: Vec<&str> =
            text.split([';', ',']).map(str::trim).filter(|t| !t.is_empty()).collect();
        words.extend(each.iter().flat_map(|own| ["--peak".to_owned(), (*own).to_owned()]));
        GivenPeaks::parse(&each)
    });
    let peak = peak.unwrap_or_default();
    GivenRoofs { overrides: RoofOverrides { bandwidth, peak, ..RoofOverrides::default() }, words }
}

/// What the roofline gives.
pub(crate) fn predict_shape(
    shape: &Shape,
    on: &NamedPlatform,
    mixture: Mixture,
    precision: &str,
    given: &GivenRoofs,
) -> Result<Prediction, PredictionError> {
    let mut words = vec!["predict".to_owned()];
    words.extend(shape.command_words());
    words.extend(["--platform".to_owned(), on.word.clone()]);
    words.extend(["--precision".to_owned(), precision.to_owned()]);
    Operators(&operator_setting(&on.target, &OperatorFormats::new(mixture), words, given))
        .predict_shape(shape)
}

/// The platform, formats and command of a prediction.
pub(crate) fn operator_setting(
    on: &Target,
    formats: &OperatorFormats,
    mut words: Vec<String>,
    given: &GivenRoofs,
) -> PredictionSetup {
    words.extend(given.words.iter().cloned());
    PredictionSetup {
        target: on.clone(),
        formats: *formats,
        given: given.overrides.clone(),
        command: join_command(words),
    }
}

/// The kind of operator of a name; the error lists all of them, and `more`.
pub(crate) fn parse_kind(name: &str, more: &[&str]) -> Result<OperatorKind, UnknownName> {
    OperatorKind::named(name).ok_or_else(|| {
        let names = OperatorKind::ALL.map(OperatorKind::name);
        let known = names.iter().chain(more).map(|&name| name.to_owned()).collect();
        UnknownName::Listed { noun: "workload", name: name.to_owned(), known }
    })
}

/// One encoding of all tensors.
pub(crate) fn parse_encoding(name: &str) -> Result<Encoding, UnknownName> {
    Encoding::parse(name).ok_or_else(|| UnknownName::Encoding(Encoding::describe_unknown(name)))
}

//! The words of `derate predict` that ask for an operator.

use super::{Scores, Shape};

fn write_options(pairs: &[(&str, u64)]) -> Vec<String> {
    let words = pairs.iter().flat_map(|(name, value)| [format!("--{name}"), value.to_string()]);
    words.collect()
}

impl Shape {
    /// The words after `derate predict` that ask for it, before platform and precision: `gemv --shape 8x4`.
    pub fn command_words(&self) -> Vec<String> {
        let mut words = vec![self.kind().name().to_owned()];
        match *self {
            Self::Gemv { n, k } => words.extend(["--shape".to_owned(), format!("{n}x{k}")]),
            Self::Gemm { m, n, k } => words.extend(["--shape".to_owned(), format!("{m}x{n}x{k}")]),
            Self::Attention(of) => {
                words.extend(write_options(&[
                    ("batch", of.batch),
                    ("heads", of.heads),
                    ("kv-heads", of.kv_heads),
                    ("head-dim", of.head_dim),
                    ("queries", of.queries),
                    ("keys", of.keys),
                ]));
                words.extend(of.causal.then(|| "--causal".to_owned()));
                words.extend(
                    of.window.iter().flat_map(|&window| write_options(&[("window", window)])),
                );
                let scores = match of.scores {
                    Scores::Fused => None,
                    Scores::Written => Some("written"),
                    Scores::Apart => Some("apart"),
                };
                words.extend(scores.iter().flat_map(|&own| ["--scores", own].map(str::to_owned)));
            }
            Self::Mlp(of) => {
                words.extend(write_options(&[
                    ("width", of.width),
                    ("layers", of.layers),
                    ("batch", of.batch),
                ]));
                words.extend((!of.backward).then(|| "--forward".to_owned()));
                words.extend(of.apart.then(|| "--eager".to_owned()));
            }
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::{Attention, Mlp, OperatorKind};

    #[test]
    fn whatever_is_not_usual_is_asked_for() {
        let said = |shape: Shape| shape.command_words().join(" ");
        assert_eq!(said(Shape::Gemm { m: 8, n: 4, k: 2 }), "gemm --shape 8x4x2");
        assert_eq!(said(Shape::Gemv { n: 4, k: 2 }), "gemv --shape 4x2");
        let Ok(Shape::Attention(attention)) = Shape::parse(OperatorKind::Attention, "1x6x3x8x2x9")
        else {
            unreachable!()
        };
        let plain = "attention --batch 1 --heads 6 --kv-heads 3 --head-dim 8 --queries 2 --keys 9";
        assert_eq!(said(Shape::Attention(attention)), plain);
        let window =
            Attention { causal: true, window: Some(4), scores: Scores::Written, ..attention };
        let more = format!("{plain} --causal --window 4 --scores written");
        assert_eq!(said(Shape::Attention(window)), more);
        let apart = Attention { scores: Scores::Apart, ..attention };
        assert_eq!(said(Shape::Attention(apart)), format!("{plain} --scores apart"));
        let mlp = Mlp { batch: 4, width: 8, layers: 2, backward: true, apart: false };
        let plain = "mlp --width 8 --layers 2 --batch 4";
        assert_eq!(said(Shape::Mlp(mlp)), plain);
        let eager = Mlp { backward: false, apart: true, ..mlp };
        assert_eq!(said(Shape::Mlp(eager)), format!("{plain} --forward --eager"));
    }
}

//! A convolution: its geometry, and the matrix product that it is.

use super::misfit::Misfit;
use crate::matmul::Matmul;

/// How the window of a convolution moves; an empty list is the default in every dimension.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Convolution {
    /// Steps of the window; 1.
    pub stride: Vec<u64>,
    /// Elements added around the input: one number a dimension, or those of all beginnings and then of all ends; 0.
    pub padding: Vec<u64>,
    /// Steps within the window; 1.
    pub dilation: Vec<u64>,
    /// Elements added at the end of a transposed convolution's result; 0.
    pub output_padding: Vec<u64>,
    /// Groups of channels that do not see one another.
    pub groups: u64,
    /// Whether it is the transposed form, which spreads each input over a window.
    pub transposed: bool,
}

fn at(list: &[u64], index: usize, default: u64) -> u64 {
    match list {
        [] => default,
        [one] => *one,
        more => more.get(index).copied().unwrap_or(default),
    }
}

fn multiply(sizes: &[u64]) -> u64 {
    sizes.iter().fold(1, |a: u64, &b| a.saturating_mul(b))
}

impl Convolution {
    /// Padding at the beginning and at the end of dimension `index`, of `rank`.
    fn pad(&self, index: usize, rank: usize) -> u64 {
        if self.padding.len() == 2 * rank && rank > 0 {
            return self.padding[index].saturating_add(self.padding[rank + index]);
        }
        at(&self.padding, index, 0).saturating_mul(2)
    }

    /// The extent of the result in dimension `index` for an input of `size` and a window of `kernel`.
    fn extent(&self, index: usize, rank: usize, size: u64, kernel: u64) -> Option<u64> {
        let (stride, dilation) = (at(&self.stride, index, 1), at(&self.dilation, index, 1));
        let reach = dilation.checked_mul(kernel.checked_sub(1)?)?;
        let pad = self.pad(index, rank);
        if stride == 0 {
            return None;
        }
        if self.transposed {
            let spread = size.checked_sub(1)?.checked_mul(stride)?.checked_add(reach)?;
            let made = spread.checked_add(at(&self.output_padding, index, 0))?.checked_add(1)?;
            return made.checked_sub(pad);
        }
        let free = size.checked_add(pad)?.checked_sub(reach.checked_add(1)?)?;
        (free / stride).checked_add(1)
    }

    /// The product that a convolution of these shapes is: a batch of `groups`, the positions of the result as rows (of the
    /// input, where it is transposed), the window and its channels contracted. The error says which shape does not fit.
    pub(crate) fn measure(
        &self,
        input: &[u64],
        weight: &[u64],
        made: &[u64],
    ) -> Result<Matmul, Misfit> {
        let shapes =
            || format!("its input is {input:?}, its weight {weight:?}, its result {made:?}");
        let (&[images, channels, ref spatial @ ..], &[outer, inner, ref window @ ..]) =
            (input, weight)
        else {
            return Err(Misfit::new(format!(
                "{}: an input has a batch and channels first",
                shapes()
            )));
        };
        let &[made_images, made_channels, ref positions @ ..] = made else {
            return Err(Misfit::new(format!(
                "{}: a result has a batch and channels first",
                shapes()
            )));
        };
        let rank = window.len();
        if spatial.len() != rank || positions.len() != rank || rank == 0 {
            return Err(Misfit::new(format!("{}: these have different dimensions", shapes())));
        }
        let groups = self.groups;
        if groups == 0 || channels % groups != 0 || made_channels % groups != 0 {
            return Err(Misfit::new(format!(
                "{}: channels do not divide into {groups} groups",
                shapes()
            )));
        }
        let (wanted, found) = if self.transposed {
            ([channels, made_channels / groups], [outer, inner])
        } else {
            ([made_channels, channels / groups], [outer, inner])
        };
        if wanted != found || images != made_images {
            return Err(Misfit::new(format!("{}: the channels or the batch do not fit", shapes())));
        }
        for (index, (&size, &kernel)) in spatial.iter().zip(window).enumerate() {
            let extent = self.extent(index, rank, size, kernel);
            if extent != Some(positions[index]) {
                return Err(Misfit::new(format!(
                    "{}: with stride, padding and dilation the result would have {} in dimension {}",
                    shapes(),
                    extent.map_or_else(|| "nothing".to_owned(), |extent| extent.to_string()),
                    index + 2
                )));
            }
        }
        let (window, inputs, outputs) =
            (multiply(window), channels / groups, made_channels / groups);
        Ok(if self.transposed {
            Matmul {
                batch: groups,
                m: images.saturating_mul(multiply(spatial)),
                k: inputs,
                n: outputs.saturating_mul(window),
            }
        } else {
            Matmul {
                batch: groups,
                m: images.saturating_mul(multiply(positions)),
                k: inputs.saturating_mul(window),
                n: outputs,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conv(stride: u64, padding: u64, groups: u64) -> Convolution {
        Convolution {
            stride: vec![stride],
            padding: vec![padding],
            groups,
            ..Convolution::default()
        }
    }

    #[test]
    fn the_first_layer_of_resnet_has_118_million_multiply_adds() {
        let product =
            conv(2, 3, 1).measure(&[1, 3, 224, 224], &[64, 3, 7, 7], &[1, 64, 112, 112]).unwrap();
        assert_eq!(product, Matmul { batch: 1, m: 12544, k: 147, n: 64 });
    }

    #[test]
    fn depthwise_is_a_batch_of_channels() {
        let product =
            conv(1, 1, 32).measure(&[1, 32, 56, 56], &[32, 1, 3, 3], &[1, 32, 56, 56]).unwrap();
        assert_eq!(product, Matmul { batch: 32, m: 3136, k: 9, n: 1 });
    }

    #[test]
    fn a_transposed_one_counts_its_inputs() {
        let conv = Convolution { transposed: true, ..conv(2, 0, 1) };
        let product = conv.measure(&[1, 8, 10, 10], &[8, 4, 2, 2], &[1, 4, 20, 20]).unwrap();
        assert_eq!(product, Matmul { batch: 1, m: 100, k: 8, n: 16 });
    }

    #[test]
    fn a_result_of_another_size_is_refused() {
        assert!(
            conv(2, 3, 1).measure(&[1, 3, 224, 224], &[64, 3, 7, 7], &[1, 64, 111, 112]).is_err()
        );
        assert!(conv(1, 0, 3).measure(&[1, 4, 8, 8], &[3, 1, 1, 1], &[1, 3, 8, 8]).is_err());
    }
}

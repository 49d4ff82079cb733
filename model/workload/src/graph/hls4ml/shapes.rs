//! The sizes of a layer, as its struct has them.

use super::error::ProjectError;
use super::settings::Settings;
use crate::graph::Convolution;

/// The settings of one layer.
pub(super) struct Layer<'a> {
    pub(super) settings: &'a Settings<'a>,
    /// The name of its struct.
    pub(super) config: &'a str,
    /// The layer for people, with its file and line.
    pub(super) title: &'a str,
}

/// A convolution: shapes of its input, weight and result.
pub(super) struct Window {
    pub(super) input: Vec<u64>,
    pub(super) weight: Vec<u64>,
    pub(super) made: Vec<u64>,
    pub(super) own: Convolution,
}

impl Layer<'_> {
    pub(super) fn find(&self, key: &str) -> Option<u64> {
        self.settings.count(self.config, key)
    }

    pub(super) fn count(&self, key: &str) -> Result<u64, ProjectError> {
        self.find(key).ok_or_else(|| ProjectError::NoSetting {
            layer: self.title.to_owned(),
            config: self.config.to_owned(),
            key: key.to_owned(),
        })
    }

    /// One number for each dimension: `in_height` and `in_width` of two, `in_width` of one.
    fn extents(&self, rank: usize, prefix: &str) -> Result<Vec<u64>, ProjectError> {
        let names: &[&str] = if rank == 2 { &["height", "width"] } else { &["width"] };
        names.iter().map(|name| self.count(&format!("{prefix}_{name}"))).collect()
    }

    /// The padding at all beginnings, then at all ends.
    fn padding(&self, rank: usize) -> Vec<u64> {
        let names: &[&str] = if rank == 2 {
            &["pad_top", "pad_left", "pad_bottom", "pad_right"]
        } else {
            &["pad_left", "pad_right"]
        };
        names.iter().map(|name| self.find(name).unwrap_or(0)).collect()
    }

    fn dilation(&self, rank: usize) -> Vec<u64> {
        let one = self.find("dilation").filter(|_| rank == 1);
        let of = |name: &str| self.find(name).or(one).unwrap_or(1).max(1);
        if rank == 2 {
            vec![of("dilation_height"), of("dilation_width")]
        } else {
            vec![of("dilation_width")]
        }
    }

    pub(super) fn convolution(
        &self,
        rank: usize,
        is_depthwise: bool,
    ) -> Result<Window, ProjectError> {
        let (channels, filters) = (self.count("n_chan")?, self.count("n_filt")?);
        let (groups, inner) = if is_depthwise { (channels, 1) } else { (1, channels) };
        let with = |first: u64, second: u64, sizes: Vec<u64>| [vec![first, second], sizes].concat();
        Ok(Window {
            input: with(1, channels, self.extents(rank, "in")?),
            weight: with(filters, inner, self.extents(rank, "filt")?),
            made: with(1, filters, self.extents(rank, "out")?),
            own: Convolution {
                stride: self.extents(rank, "stride")?,
                padding: self.padding(rank),
                dilation: self.dilation(rank),
                output_padding: Vec::new(),
                groups,
                transposed: false,
            },
        })
    }

    /// Shapes of the input and the result of a pool, and the elements of its window.
    pub(super) fn pool(
        &self,
        rank: usize,
        is_global: bool,
    ) -> Result<(Vec<u64>, Vec<u64>, u64), ProjectError> {
        let channels = self.count("n_filt")?;
        let spatial = if rank == 2 { self.extents(2, "in")? } else { vec![self.count("n_in")?] };
        let multiply = |sizes: &[u64]| sizes.iter().fold(1_u64, |a, &b| a.saturating_mul(b));
        let input = [&[1, channels], spatial.as_slice()].concat();
        if is_global {
            return Ok((input, vec![1, channels], multiply(&spatial)));
        }
        let made = if rank == 2 { self.extents(2, "out")? } else { vec![self.count("n_out")?] };
        let window = self.extents(rank, "pool")?;
        Ok((input, [&[1, channels], made.as_slice()].concat(), multiply(&window)))
    }

    /// Shapes before and after a layer that adds or removes borders.
    pub(super) fn border(&self, rank: usize) -> Result<(Vec<u64>, Vec<u64>), ProjectError> {
        let channels = self.count("n_chan")?;
        let (before, after) = (self.extents(rank, "in")?, self.extents(rank, "out")?);
        let with = |sizes: Vec<u64>| [vec![1, channels], sizes].concat();
        Ok((with(before), with(after)))
    }

    /// Shapes before and after a layer that repeats or interpolates pixels.
    pub(super) fn resize(&self) -> Result<(Vec<u64>, Vec<u64>), ProjectError> {
        let channels = self.count("n_chan")?;
        let (height, width) = (self.find("height"), self.find("width"));
        let before = (
            height.map_or_else(|| self.count("in_height"), Ok)?,
            width.map_or_else(|| self.count("in_width"), Ok)?,
        );
        let after = (self.find("new_height"), self.find("new_width"));
        let after = (
            after.0.map_or_else(|| self.count("out_height"), Ok)?,
            after.1.map_or_else(|| self.count("out_width"), Ok)?,
        );
        Ok((vec![1, channels, before.0, before.1], vec![1, channels, after.0, after.1]))
    }
}

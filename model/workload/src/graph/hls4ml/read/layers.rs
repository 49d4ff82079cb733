//! What each layer of `nnet_utils` is in the words of `derate.workload/1`.

use super::{MERGES, POINTWISE, ProjectError, Reader, Step, find, multiply};
use crate::graph::OperationKind;
use crate::graph::hls4ml::folding::{Flow, fold_stream};
use crate::graph::hls4ml::shapes::{Layer, Window};

impl Reader<'_> {
    pub(super) fn add_layer(&mut self, step: &Step<'_>) -> Result<(), ProjectError> {
        let name = step.call.function;
        // Data in the order channels last, and channels first.
        let base = name.strip_suffix("_cl").or_else(|| name.strip_suffix("_cf")).unwrap_or(name);
        match base {
            "dense" => self.add_dense(step),
            "conv_1d" | "pointwise_conv_1d" => self.add_convolution(step, 1, false),
            "conv_2d" | "pointwise_conv_2d" => self.add_convolution(step, 2, false),
            "depthwise_conv_1d" => self.add_convolution(step, 1, true),
            "depthwise_conv_2d" => self.add_convolution(step, 2, true),
            "separable_conv_1d" => self.add_separable(step, 1),
            "separable_conv_2d" => self.add_separable(step, 2),
            "pooling1d" => self.add_pool(step, 1, false),
            "pooling2d" => self.add_pool(step, 2, false),
            "global_pooling1d" => self.add_pool(step, 1, true),
            "global_pooling2d" => self.add_pool(step, 2, true),
            "zeropad1d" => self.add_border(step, 1, "pad"),
            "zeropad2d" => self.add_border(step, 2, "pad"),
            "cropping1d" => self.add_border(step, 1, "slice"),
            "cropping2d" => self.add_border(step, 2, "slice"),
            "resize_nearest" => self.add_resize(step, OperationKind::Copy, "upsample_nearest2d"),
            "resize_bilinear" => {
                self.add_resize(step, OperationKind::Elementwise, "upsample_bilinear2d")
            }
            "normalize" => self.add_scale(step),
            "layernormalize" => self.add_pointwise(step, OperationKind::Norm, "layer_norm"),
            "softmax" | "softmax_multidim" => {
                self.add_pointwise(step, OperationKind::Softmax, "softmax")
            }
            "transpose" | "transpose_2d" | "transpose_3d" => {
                self.add_pointwise(step, OperationKind::Copy, "transpose")
            }
            "concatenate1d" | "concatenate2d" | "concatenate3d" => self.add_concatenation(step),
            "embedding" => self.add_embedding(step),
            _ => match (find(&POINTWISE, name), find(&MERGES, name)) {
                (Some(function), _) => {
                    self.add_pointwise(step, OperationKind::Elementwise, function)
                }
                (None, Some(function)) => self.add_merge(step, function),
                (None, None) => self.add_unknown(step),
            },
        }
    }

    fn add_dense(&mut self, step: &Step<'_>) -> Result<(), ProjectError> {
        let (inputs, outputs) = (step.layer.count("n_in")?, step.layer.count("n_out")?);
        let read = self.read(step, 0, Some(&[1, inputs]))?;
        let weight = self.store(step, "weight_t", "weight", vec![inputs, outputs])?;
        let bias = self.store(step, "bias_t", "bias", vec![outputs])?;
        let folding = step.layer.fold_matrix(inputs, outputs, self.flow(step));
        let all = vec![read, weight, bias];
        self.write(step, 1, vec![1, outputs], (OperationKind::Product, "matmul"), all, folding)?;
        Ok(())
    }

    fn add_convolution(
        &mut self,
        step: &Step<'_>,
        rank: usize,
        is_depthwise: bool,
    ) -> Result<(), ProjectError> {
        let Window { input, weight, made, own } = step.layer.convolution(rank, is_depthwise)?;
        let read = self.read(step, 0, Some(&input))?;
        let stored = self.store(step, "weight_t", "weight", weight.clone())?;
        let bias = self.store(step, "bias_t", "bias", vec![made[1]])?;
        let folding = step.layer.fold_convolution([&input, &weight, &made], self.flow(step));
        let (kind, all) = (OperationKind::Convolution(own), vec![read, stored, bias]);
        self.write(step, 1, made, (kind, "convolution"), all, folding)?;
        Ok(())
    }

    /// A depthwise convolution and a pointwise one on its result, each with its own settings.
    fn add_separable(&mut self, step: &Step<'_>, rank: usize) -> Result<(), ProjectError> {
        let inner = |key: &str| {
            let config = step.layer.settings.alias(step.layer.config, key);
            config.ok_or_else(|| ProjectError::NoSetting {
                layer: step.layer.title.to_owned(),
                config: step.layer.config.to_owned(),
                key: key.to_owned(),
            })
        };
        for (key, is_depthwise) in [("depthwise_config", true), ("pointwise_config", false)] {
            let layer = Layer { config: inner(key)?, ..Layer { ..step.layer } };
            let part = Step { layer, ..*step };
            if is_depthwise {
                self.add_convolution(&part, rank, true)?;
            } else {
                // The first part has left its result under the name of the layer's.
                let Window { input, weight, made, own } = part.layer.convolution(rank, false)?;
                let name = step.call.arguments.get(1).copied().unwrap_or_default();
                let from = self.entries.get(name).copied().unwrap_or_default();
                let stored = self.store(&part, "weight_t", "pointwise", weight.clone())?;
                let bias = self.store(&part, "bias_t", "bias", vec![made[1]])?;
                let folding =
                    part.layer.fold_convolution([&input, &weight, &made], self.flow(step));
                let all = vec![from, stored, bias];
                self.write(
                    &part,
                    1,
                    made,
                    (OperationKind::Convolution(own), "convolution"),
                    all,
                    folding,
                )?;
            }
        }
        Ok(())
    }

    fn add_pool(
        &mut self,
        step: &Step<'_>,
        rank: usize,
        is_global: bool,
    ) -> Result<(), ProjectError> {
        let (input, made, window) = step.layer.pool(rank, is_global)?;
        let read = self.read(step, 0, Some(&input))?;
        let folding = fold_stream(multiply(&input), step.layer.interval(), self.flow(step));
        let is_mean = step.layer.settings.word(step.layer.config, "pool_op") == Some("Average");
        let function = if is_mean { "avg_pool" } else { "max_pool" };
        self.write(step, 1, made, (OperationKind::Pool { window }, function), vec![read], folding)?;
        Ok(())
    }

    fn add_border(
        &mut self,
        step: &Step<'_>,
        rank: usize,
        function: &str,
    ) -> Result<(), ProjectError> {
        let (before, after) = step.layer.border(rank)?;
        let read = self.read(step, 0, Some(&before))?;
        let flow = self.flow(step);
        // It reads what is inside and writes all.
        let all = multiply(&before).max(multiply(&after));
        let folding = if flow == Flow::Parallel { None } else { fold_stream(all, None, flow) };
        self.write(step, 1, after, (OperationKind::Copy, function), vec![read], folding)?;
        Ok(())
    }

    fn add_resize(
        &mut self,
        step: &Step<'_>,
        kind: OperationKind,
        function: &str,
    ) -> Result<(), ProjectError> {
        let (before, after) = step.layer.resize()?;
        let read = self.read(step, 0, Some(&before))?;
        self.write(step, 1, after, (kind, function), vec![read], None)?;
        Ok(())
    }

    /// The shape of the first input, which the settings give where nothing before does.
    fn read_whole(&mut self, step: &Step<'_>, at: usize, key: &str) -> Result<usize, ProjectError> {
        let name = step.call.arguments.get(at).copied().unwrap_or_default();
        let is_open = self.entries.get(name).is_some_and(|value| self.open.contains(value));
        let wanted = match step.layer.find(key) {
            Some(elements) if is_open => Some(vec![1, elements]),
            _ => None,
        };
        self.read(step, at, wanted.as_deref())
    }

    fn add_pointwise(
        &mut self,
        step: &Step<'_>,
        kind: OperationKind,
        function: &str,
    ) -> Result<(), ProjectError> {
        let read = self.read_whole(step, 0, "n_in")?;
        let shape = self.graph.values[read].shape.clone();
        let flow = self.flow(step);
        let folding = match (&kind, flow) {
            (OperationKind::Elementwise, _) => fold_stream(multiply(&shape), Some(1), flow),
            _ => None,
        };
        // A parameter of the function, such as its slope, is between input and result.
        let output = step.call.arguments.len().saturating_sub(1).clamp(1, 2);
        let output =
            if matches!(kind, OperationKind::Norm) || function == "unary_lut" { 1 } else { output };
        self.write(step, output, shape, (kind, function), vec![read], folding)?;
        Ok(())
    }

    /// A batch normalisation: a product and a sum with numbers of the channel.
    fn add_scale(&mut self, step: &Step<'_>) -> Result<(), ProjectError> {
        let read = self.read_whole(step, 0, "n_in")?;
        let shape = self.graph.values[read].shape.clone();
        let elements = multiply(&shape);
        // Where there are no filters, hls4ml writes -1.
        let filters = step.layer.find("n_filt").filter(|&one| (1..elements).contains(&one));
        let size = filters.unwrap_or(elements);
        let scale = self.store(step, "scale_t", "scale", vec![size])?;
        let bias = self.store(step, "bias_t", "bias", vec![size])?;
        let flow = self.flow(step);
        let folding = match flow {
            Flow::Parallel => fold_stream(elements, step.layer.interval(), flow),
            // The interval of a packet follows from its size and the reuse factor.
            _ => None,
        };
        let all = vec![read, scale, bias];
        self.write(step, 1, shape, (OperationKind::Norm, "batch_norm"), all, folding)?;
        Ok(())
    }

    fn add_merge(&mut self, step: &Step<'_>, function: &str) -> Result<(), ProjectError> {
        let first = self.read_whole(step, 0, "n_elem")?;
        let mut second = self.read_whole(step, 1, "n_elem")?;
        let shape = self.graph.values[first].shape.clone();
        if self.graph.values[second].elements() == multiply(&shape) {
            second = self.read(step, 1, Some(&shape))?;
        }
        let flow = self.flow(step);
        let is_parallel = flow == Flow::Parallel || matches!(function, "add" | "sub");
        let folding = is_parallel.then(|| fold_stream(multiply(&shape), Some(1), flow)).flatten();
        self.write(
            step,
            2,
            shape,
            (OperationKind::Elementwise, function),
            vec![first, second],
            folding,
        )?;
        Ok(())
    }

    fn add_concatenation(&mut self, step: &Step<'_>) -> Result<(), ProjectError> {
        let (first, second) = (self.read(step, 0, None)?, self.read(step, 1, None)?);
        let sizes = [first, second].map(|at| self.graph.values[at].elements());
        let shape = vec![1, sizes[0].saturating_add(sizes[1])];
        self.write(step, 2, shape, (OperationKind::Copy, "concat"), vec![first, second], None)?;
        Ok(())
    }

    fn add_embedding(&mut self, step: &Step<'_>) -> Result<(), ProjectError> {
        let sizes = (
            step.layer.count("n_in")?,
            step.layer.count("vocab_size")?,
            step.layer.count("n_out")?,
        );
        let rows = self.read(step, 0, Some(&[1, sizes.0]))?;
        let table = self.store(step, "embeddings_t", "weight", vec![sizes.1, sizes.2])?;
        let (made, all) = (vec![1, sizes.0, sizes.2], vec![table, rows]);
        self.write(step, 1, made, (OperationKind::Embedding, "embedding"), all, None)?;
        Ok(())
    }

    /// A layer that derate has no words for: the leading arguments that are known are read, the next one is written.
    fn add_unknown(&mut self, step: &Step<'_>) -> Result<(), ProjectError> {
        let known = |name: &&&str| self.entries.contains_key(**name);
        let count = step.call.arguments.iter().take_while(known).count().max(1);
        let mut inputs = Vec::new();
        for at in 0..count {
            inputs.push(self.read_whole(step, at, "n_in")?);
        }
        let function = step.call.function;
        let made =
            self.write(step, count, Vec::new(), (OperationKind::Unknown, function), inputs, None)?;
        self.open.insert(made);
        Ok(())
    }
}

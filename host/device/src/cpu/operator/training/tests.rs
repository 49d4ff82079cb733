use half::{bf16, f16};

use super::*;
use crate::oracle::exact_gelu;

const EXTENTS: [Extent; 3] = [3, 7, 3];

fn trained<E: Real>() -> Training<E> {
    let mut training = Training::<E>::new(EXTENTS, 2, &|| false).unwrap();
    training.wipe_result();
    training.run(&Stop::new(&|| false));
    training
}

/// The sum of `dh h` over the last result, in f64 and without a matrix: its slopes are what a backward pass gives.
fn loss(input: &[f64], weights: &[Vec<f64>], scales: &[f64], given: &[f64]) -> f64 {
    let [batch, width, _] = EXTENTS;
    let mut flow = input.to_vec();
    for (weights, scale) in weights.iter().zip(scales) {
        let mut next = vec![0.0; batch * width];
        for row in 0..batch {
            for to in 0..width {
                let terms = (0..width).map(|at| flow[row * width + at] * weights[to * width + at]);
                next[row * width + to] = exact_gelu(terms.sum::<f64>() * scale);
            }
        }
        flow = next;
    }
    flow.iter().zip(given).map(|(h, dh)| h * dh).sum()
}

/// The quotient of differences over the whole stack, of every element of the input and of all weights.
#[test]
fn gradients_are_the_slopes_of_the_whole_stack() {
    let training = trained::<f32>();
    let wide = |all: &[f32]| all.iter().map(|&one| f64::from(one)).collect::<Vec<f64>>();
    let (input, given) = (wide(&training.input), wide(&training.given));
    let weights: Vec<_> = training.layers.iter().map(|layer| wide(&layer.weights)).collect();
    let scales: Vec<_> = training.layers.iter().map(|layer| f64::from(layer.scale)).collect();
    let step = 1e-5;
    let slope = |of: &dyn Fn(f64) -> f64| (of(step) - of(-step)) / (2.0 * step);
    for (at, &got) in training.input_gradient.iter().enumerate() {
        let wanted = slope(&|step| {
            let mut moved = input.clone();
            moved[at] += step;
            loss(&moved, &weights, &scales, &given)
        });
        assert!(
            (f64::from(got) - wanted).abs() < 1e-5 * (1.0 + wanted.abs()),
            "input {at}: {got} {wanted}"
        );
    }
    for (at, layer) in training.layers.iter().enumerate() {
        for (place, &got) in layer.weight_gradient.iter().enumerate() {
            let wanted = slope(&|step| {
                let mut moved = weights.clone();
                moved[at][place] += step;
                loss(&input, &moved, &scales, &given)
            });
            assert!(
                (f64::from(got) - wanted).abs() < 1e-5 * (1.0 + wanted.abs()),
                "{at}, {place}: {got} {wanted}"
            );
        }
    }
}

#[test]
fn one_wrong_element_of_anything_is_found() {
    let passes =
        |training: &Training<bf16>| training.check_result(&mut None, &|| false).unwrap().passed;
    assert!(passes(&trained()));
    for what in 0..5 {
        for layer in 0..EXTENTS[2] {
            let mut training = trained::<bf16>();
            let Layer { arguments, result, gradient, weight_gradient, .. } =
                &mut training.layers[layer];
            let made = [arguments, result, gradient, weight_gradient, &mut training.input_gradient];
            let one = made.into_iter().nth(what).unwrap().last_mut().unwrap();
            *one = bf16::from_f32(one.to_f32() + 0.5);
            assert!(!passes(&training), "{what} of layer {layer}");
        }
    }
}

/// Shared among threads, by rows and by columns, and the first gradient, too.
#[test]
fn threads_share_both_passes() {
    for extents in [[300, 100, 2], [20, 300, 2], [3000, 40, 1]] {
        let mut training = Training::<f32>::new(extents, 3, &|| false).unwrap();
        training.run(&Stop::new(&|| false));
        assert!(training.check_result(&mut None, &|| false).unwrap().passed, "{extents:?}");
    }
}

/// Down to the input, in the least range that there is, gradients are of a size that their numbers hold.
#[test]
fn gradients_of_a_deep_stack_keep_their_size() {
    for [batch, width, layers] in [[6, 64, 64], [40, 128, 32], [4, 32, MOST_LAYERS]] {
        let mut training = Training::<f16>::new([batch, width, layers], 1, &|| false).unwrap();
        training.wipe_result();
        training.run(&Stop::new(&|| false));
        let mean = |all: &[f16]| {
            all.iter().map(|one| one.to_f64().powi(2)).sum::<f64>() / all.len() as f64
        };
        let size = mean(&training.input_gradient).sqrt();
        eprintln!("{batch}x{width}x{layers}: {size}");
        assert!(size > 0.01 && size < 100.0, "{batch}x{width}x{layers}: {size}");
        assert!(training.check_result(&mut None, &|| false).unwrap().passed);
    }
}

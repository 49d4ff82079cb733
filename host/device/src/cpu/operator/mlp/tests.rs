use half::f16;

use super::*;

fn layers(extents: [Extent; 3]) -> Mlp<f16> {
    let mut layers = Mlp::<f16>::new(extents, 1, &|| false).unwrap();
    layers.wipe_result();
    layers.run(&Stop::new(&|| false));
    layers
}

fn passes(layers: &Mlp<f16>) -> bool {
    layers.check_result(&mut None, &|| false).unwrap().passed
}

/// In the format of the least range, and where more rows are than tell the scales.
#[test]
fn results_keep_their_size_however_many_layers_there_are() {
    for extents in [[1, 64, 64], [40, 64, 64], [3, 256, 64], [20, 32, 512]] {
        let made = layers(extents);
        for (at, flow) in made.flows.iter().enumerate() {
            let squares: f64 = flow.iter().map(|one| one.to_f64().powi(2)).sum();
            let size = (squares / flow.len() as f64).sqrt();
            assert!((0.1..=10.0).contains(&size), "{extents:?}, layer {at}: {size}");
        }
        assert!(passes(&made), "{extents:?}");
    }
}

#[test]
fn a_layer_that_is_left_out_is_found_however_deep_it_is() {
    for skipped in [0, 1, 31, 63] {
        let mut made = layers([3, 32, 64]);
        assert!(passes(&made));
        let kept = made.flows[skipped + 1].clone();
        made.wipe_result();
        let spoiled = made.flows[skipped + 1].clone();
        made.run(&Stop::new(&|| false));
        assert_eq!(made.flows[skipped + 1], kept, "each run gives the same");
        made.flows[skipped + 1] = spoiled;
        assert!(!passes(&made), "{skipped}");
        // What a result of nothing would be.
        made.flows[skipped + 1].fill(f16::ZERO);
        assert!(!passes(&made), "{skipped}");
    }
}

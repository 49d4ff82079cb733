//! Known figures of decoders and operators, and the mistakes that such calculators make.
#![allow(clippy::float_cmp, reason = "counts of operations and bytes are exact below 2^53")]
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use derate_model::language::{
    AchievedRates, Biases, Decoder, Deployment, Generation, GenerationCase, Logits, MemoryFit, Step,
};
use derate_model::operator::{
    Attention, Mlp, Operation, OperationRecord, OperationTotals, OperatorFormats, OperatorRoofs,
    RoofOverrides, Scores, TargetRoofs, gemm, gemv,
};
use derate_model::quantity::ParseQuantity;
use derate_model::units::{Bytes, BytesPerSecond, Ops, OpsPerSecond, Seconds};
use derate_model::{Bound, Encoding, Mixture, Precision, Target};

fn formats(mixture: &str) -> OperatorFormats {
    OperatorFormats::new(Mixture::parse(mixture).unwrap())
}

fn ground(on: &str, mixture: &str) -> TargetRoofs {
    TargetRoofs::new(&Target::named(on).unwrap(), &formats(mixture), &RoofOverrides::default())
        .unwrap()
}

fn roofs(tera: f64, giga: f64) -> OperatorRoofs {
    let peak = Some(OpsPerSecond(tera * 1e12));
    let bandwidth = BytesPerSecond(giga * 1e9);
    OperatorRoofs { weights: peak, table: peak, activations: peak, cache: peak, bandwidth }
}

fn deployed<'a>(model: &'a Decoder, on: &str, mixture: &str) -> Deployment<'a> {
    Deployment {
        model,
        formats: formats(mixture),
        roofs: ground(on, mixture).roofs,
        scores: Scores::Fused,
    }
}

/// The layer that peers were measured on: hidden 960, 15 and 5 heads, feed-forward 2,560, 16 layers.
fn llama_like() -> Decoder {
    Decoder {
        name: "llama-like".to_owned(),
        title: "a Llama-like decoder".to_owned(),
        source: "a test".to_owned(),
        hidden: 960,
        layers: 16,
        heads: 15,
        kv_heads: 5,
        head_dim: 64,
        ffn: 2560,
        vocabulary: 49_280,
        tied: true,
        positions: None,
        window: None,
        biases: Biases::default(),
        head_norms: false,
        dtype: Some(Precision::BF16),
        notes: Vec::new(),
    }
}

fn step(queries: u64, causal: bool, logits: Logits) -> Step {
    Step { batch: 1, queries, keys: queries, causal, logits }
}

/// Seven GEMMs and the two products of attention, each reading its operands and writing its result; scores are written.
#[test]
fn sixteen_llama_like_layers_at_50_tokens() {
    let model = llama_like();
    let written = Deployment {
        model: &model,
        formats: formats("bf16"),
        roofs: roofs(1.0, 1.0),
        scores: Scores::Written,
    };
    let layer = written.layer_records(&step(50, false, Logits::All));
    let names: Vec<&str> = layer.all().iter().map(|record| record.name).collect();
    assert_eq!(
        names,
        [
            "q_proj",
            "k_proj",
            "v_proj",
            "scores",
            "values",
            "o_proj",
            "gate_proj",
            "up_proj",
            "down_proj"
        ]
    );
    let totals = layer.totals().times(16.0);
    assert_eq!(totals.flops, Ops(15_882_240_000.0));
    assert_eq!(totals.bytes, Bytes(348_204_800.0));
    // The attention is in the FLOPs, and the head over all positions comes on top of them, counted in full.
    let attention: f64 = layer.all()[3..5].iter().map(|record| record.flops.0).sum();
    assert_eq!(attention, 4.0 * 15.0 * 50.0 * 50.0 * 64.0);
    let whole = written.pass_records(&step(50, false, Logits::All)).totals();
    assert_eq!(whole.flops, Ops(15_882_240_000.0 + 4_730_880_000.0));
}

#[test]
fn a_head_over_the_last_position_is_counted_once_a_sequence() {
    let model = llama_like();
    let deployment = deployed(&model, "a100-80", "bf16");
    let head = |batch, logits| {
        let pass = deployment.prefill(batch, 50, logits);
        *pass.all().last().unwrap()
    };
    assert_eq!(head(1, Logits::All).flops, Ops(4_730_880_000.0));
    assert_eq!(head(1, Logits::Last).flops, Ops(4_730_880_000.0 / 50.0));
    assert_eq!(head(3, Logits::Last).flops, Ops(3.0 * 2.0 * 960.0 * 49_280.0));
    // Its table is read whole, whatever the positions.
    assert!(head(1, Logits::Last).bytes.0 > 2.0 * 960.0 * 49_280.0);
}

/// An embedding is neither a GEMM nor a read of the whole table: so many rows are read and written.
#[test]
fn an_embedding_reads_its_rows() {
    let model = Decoder::named("llama-3-8b").unwrap();
    let pass = deployed(&model, "a100-80", "bf16").decode(4, 100);
    let embedding = pass.all().first().unwrap();
    assert_eq!((embedding.name, embedding.flops), ("embedding", Ops(0.0)));
    assert_eq!(embedding.bytes, Bytes(2.0 * 4.0 * 4096.0 * 2.0));
    assert_eq!(embedding.bound(), Some(Bound::Memory));
}

#[test]
fn elements_are_not_bytes_and_multiply_adds_are_two_operations() {
    let record = |mixture: &str| {
        OperationRecord::new(&gemv(4096, 4096), 1, &formats(mixture), &roofs(62.0, 287.0))
    };
    let elements = 4096.0 * 4096.0 + 2.0 * 4096.0;
    assert_eq!(record("fp16").bytes, Bytes(2.0 * elements));
    assert_eq!(record("int8").bytes, Bytes(elements));
    assert_eq!(record("int4").bytes, Bytes(elements / 2.0));
    // FLOP/byte of an FP16 GEMV is near 1; multiply-adds by bytes would be near a half.
    assert!((record("fp16").intensity().0 - 1.0).abs() < 1e-3);
    assert_eq!(gemm(512, 1024, 2048).flops, Ops(2.0 * 512.0 * 1024.0 * 2048.0));
}

/// 1 GB/s is 1e9 B/s: read as GiB/s, every time of a memory-bound operation is 7.4 % short.
#[test]
fn a_gigabyte_is_no_gibibyte() {
    let time = |rate: &str| {
        let bandwidth = BytesPerSecond::parse_quantity(rate).unwrap();
        let roofs = OperatorRoofs { bandwidth, ..roofs(62.0, 1.0) };
        OperationRecord::new(&gemv(4096, 4096), 1, &formats("fp16"), &roofs).seconds()
    };
    assert_eq!(format!("{:.1}", time("287 GB/s").0 * 1e6), "117.0");
    assert_eq!(format!("{:.3}", time("287 GB/s") / time("287 GiB/s")), "1.074");
    let h200 = ground("h200", "fp16").bandwidth.value;
    assert_eq!(h200, BytesPerSecond(4.8e12));
}

/// Seed 002's table at its own inputs, 287 GB/s and 62 TFLOP/s, and at the 273 GB/s of the product.
#[test]
fn seed_002_gemv_table() {
    let micro = |mixture: &str, giga: f64| {
        let record =
            OperationRecord::new(&gemv(4096, 4096), 1, &formats(mixture), &roofs(62.0, giga));
        assert_eq!(record.bound(), Some(Bound::Memory));
        format!("{:.1}", record.seconds().0 * 1e6)
    };
    assert_eq!(micro("fp16", 287.0), "117.0");
    assert_eq!(micro("fp8", 287.0), "58.5");
    // The seed says about 30 and 4.0 times; its own 4.53 bits give 33.1, and the format's 4.5 give 32.9: 3.56 times.
    let own = Encoding::NVFP4.bits_per_element(1, 1024);
    let bytes = Bytes(4096.0 * 4096.0 * own / 8.0);
    assert_eq!(format!("{own:.2}"), "4.53");
    assert_eq!(format!("{:.1}", (bytes / roofs(62.0, 287.0).bandwidth).0 * 1e6), "33.1");
    assert_eq!(micro("nvfp4", 287.0), "32.9");
    let speed_up =
        gemv(4096, 4096).bytes(&formats("fp16")) / gemv(4096, 4096).bytes(&formats("nvfp4"));
    assert_eq!(format!("{speed_up:.2}"), "3.56");
    for (mixture, at_273) in [("fp16", "123.0"), ("fp8", "61.5"), ("nvfp4", "34.6")] {
        assert_eq!(micro(mixture, 273.0), at_273, "{mixture}");
    }
}

/// Seed 003's table, with the model and the lengths that it leaves out: Mistral 7B in FP16, one sequence.
#[test]
fn seed_003_ranges() {
    let mistral = Decoder::named("mistral-7b").unwrap();
    let on = deployed(&mistral, "t4", "fp16");
    let prefill = |tokens| on.prefill(1, tokens, Logits::Last).totals().intensity().0;
    // "Prefill (short), ~50 to 100 F/B": prompts of 53 to 105 tokens.
    assert!(prefill(53) > 50.0 && prefill(105) < 100.0, "{} {}", prefill(53), prefill(105));
    // "Prefill (long), ~200 to 2000 F/B": prompts of about 240 to 4,096 tokens.
    assert!((195.0..230.0).contains(&prefill(240)), "{}", prefill(240));
    assert!((1400.0..2100.0).contains(&prefill(4096)), "{}", prefill(4096));
    // "Decode, ~1 to 2 F/B": one sequence stays near 1 at any context; four heads share a cache, so it rises a little.
    for context in [1, 128, 2048, 8192] {
        let decode = on.decode(1, context).totals();
        assert!((0.99..1.15).contains(&decode.intensity().0), "{}", decode.intensity().0);
        assert_eq!(decode.bound(), Some(Bound::Memory));
    }
    // The 2 needs a second sequence, or weights of 8 bits.
    let two = on.decode(2, 128).totals().intensity().0;
    assert!((1.9..2.05).contains(&two), "{two}");
    let int8 = deployed(&mistral, "t4", "int8").decode(1, 128).totals().intensity().0;
    assert!((1.9..2.05).contains(&int8), "{int8}");
}

/// "Weights loaded once, used for 4 requests: 4x better weight reuse": true of the weights, less of the whole once the
/// context is long, because every sequence reads a cache of its own.
#[test]
fn seed_003_batch_scaling() {
    let llama = Decoder::named("llama-2-7b").unwrap();
    let on = deployed(&llama, "a100-80", "fp16");
    let tokens_per_second =
        |batch: u64, context| batch as f64 / on.decode(batch, context).totals().seconds.0;
    let gain = |context| tokens_per_second(4, context) / tokens_per_second(1, context);
    assert!((3.9..4.0).contains(&gain(64)), "{}", gain(64));
    assert!((2.7..2.9).contains(&gain(4096)), "{}", gain(4096));
    // "A100 is ~4.7x faster than T4": 1,555 by 320 GB/s is 4.86.
    let mistral = Decoder::named("mistral-7b").unwrap();
    let time = |on| deployed(&mistral, on, "fp16").decode(1, 512).totals().seconds;
    assert_eq!(format!("{:.2}", time("t4") / time("a100-40")), "4.86");
}

/// A time is that of the roofs, and it has no constant: it falls to nothing with the work.
#[test]
fn no_constant_hides_in_a_latency() {
    let model = llama_like();
    let at = |bandwidth: f64, peak: f64| {
        let deployment = Deployment {
            model: &model,
            formats: formats("bf16"),
            roofs: roofs(peak, bandwidth),
            scores: Scores::Fused,
        };
        deployment
            .sum_run(&Generation { batch: 1, prompt: 10, generate: 10 }, Logits::Last)
            .seconds
            .0
    };
    let (slow, fast) = (at(100.0, 1.0), at(100_000.0, 1000.0));
    assert!((slow / fast / 1000.0 - 1.0).abs() < 1e-12);
    assert!(fast < 1e-4);
}

/// A U280's peak is derived from its DSP slices; its memory's pins carry 460.8 GB/s, of which streams reach 91 %.
#[test]
fn a_card_has_roofs_too() {
    let ground = ground("u280", "bf16");
    assert_eq!(ground.bandwidth.value, BytesPerSecond(460.8e9));
    assert_eq!(ground.peaks[0].peak.as_ref().unwrap().value, OpsPerSecond(1.0824e12));
    let reached = ground.reached_roofs().unwrap();
    assert_eq!(format!("{:.1}", reached.bandwidth.0 / 1e9), "419.8");
    let smollm = Decoder::named("smollm2-360m").unwrap();
    let on = deployed(&smollm, "u280", "bf16");
    let decode = on.decode(1, 512).totals();
    assert_eq!(decode.bound(), Some(Bound::Memory));
    let capacity = ground.capacity.map(|capacity| capacity.value);
    assert!(matches!(on.footprint(1, 512).check_fit(capacity), MemoryFit::Fits { .. }));
    let mistral = Decoder::named("mistral-7b").unwrap();
    let held = deployed(&mistral, "u280", "bf16").footprint(1, 512);
    assert!(matches!(held.check_fit(capacity), MemoryFit::Short { .. }), "14.5 GB in 8 GiB of HBM");
}

/// GB10's FP16 peak is not published: a GEMV's time is known, since its bytes alone take that long; the bound does not.
#[test]
fn an_unknown_peak_leaves_the_time_of_the_bytes() {
    let ground = ground("gb10", "fp16");
    assert!(ground.peaks[0].peak.as_ref().unwrap_err().contains("not published"));
    let record = OperationRecord::new(&gemv(4096, 4096), 1, &formats("fp16"), &ground.roofs);
    assert_eq!((record.bound(), record.compute), (None, None));
    assert_eq!(format!("{:.1}", record.seconds().0 * 1e6), "123.0");
    let given = RoofOverrides { peak: OpsPerSecond(62e12).into(), ..RoofOverrides::default() };
    let target = Target::named("gb10").unwrap();
    let own = TargetRoofs::new(&target, &formats("fp16"), &given).unwrap();
    let record = OperationRecord::new(&gemv(4096, 4096), 1, &formats("fp16"), &own.roofs);
    assert_eq!(record.bound(), Some(Bound::Memory));
}

/// A token more than the memory less what its driver keeps, and it does not fit.
#[test]
fn both_sides_of_what_fits() {
    let llama = Decoder::named("llama-2-13b").unwrap();
    for (name, usable, tokens) in
        [("a100-40", 42.41, 19_996), ("a100-80", 84.99, 71_966), ("h100-sxm", 84.94, 71_914)]
    {
        let of = ground(name, "fp16").usable_capacity();
        assert_eq!(format!("{:.2}", of.unwrap().0 / 1e9), format!("{usable:.2}"), "{name}");
        let on = deployed(&llama, name, "fp16");
        let fits = |tokens: u64| on.footprint(1, tokens).check_fit(of);
        assert!(matches!(fits(tokens), MemoryFit::Fits { .. }), "{name} {:?}", fits(tokens));
        assert!(matches!(fits(tokens + 1), MemoryFit::Short { .. }), "{name} {:?}", fits(tokens));
    }
    // 41.1 GB on a card that is sold as one of 40 GB.
    let held = deployed(&llama, "a100-40", "fp16").footprint(1, 18_394);
    assert_eq!(format!("{:.1}", held.total().0 / 1e9), "41.1");
    let usable = ground("a100-40", "fp16").usable_capacity();
    assert!(matches!(held.check_fit(usable), MemoryFit::Fits { .. }));
    assert!(matches!(held.check_fit(Some(Bytes(40e9))), MemoryFit::Short { .. }));
}

/// Keys and values: 2 x layers x heads x width x bytes a token.
#[test]
fn caches_and_weights_of_known_models() {
    let held = |name: &str, mixture: &str, batch, tokens| {
        deployed(&Decoder::named(name).unwrap(), "a100-80", mixture).footprint(batch, tokens)
    };
    let llama2 = held("llama-2-7b", "fp16", 1, 4096);
    assert_eq!(llama2.cache_of_token, Bytes(524_288.0));
    assert_eq!(llama2.cache, Bytes(2_147_483_648.0));
    assert_eq!(llama2.weights, Bytes(13_476_831_232.0));
    assert_eq!(held("llama-3-8b", "bf16", 1, 1).cache_of_token, Bytes(131_072.0));
    assert_eq!(held("llama-3-70b", "bf16", 32, 8192).cache, Bytes(85_899_345_920.0));
    assert_eq!(held("llama-3-8b", "w=bf16,kv=fp8", 1, 1).cache_of_token, Bytes(65_536.0));
    // Of NVFP4, 4.5 bits an element; the scale of a tensor is held once, whatever the tokens.
    let nvfp4 = held("llama-3-8b", "nvfp4", 1, 1000);
    assert_eq!(nvfp4.cache_of_token, Bytes(65_536.0 * 4.5 / 8.0));
    assert_eq!(nvfp4.cache, nvfp4.cache_of_token * 1000.0 + Bytes(2.0 * 32.0 * 4.0));
    // A sliding window of 4,096 tokens holds no more.
    let mistral = |tokens| held("mistral-7b", "bf16", 1, tokens).cache;
    assert_eq!(mistral(32_768), mistral(4096));
}

#[test]
fn a_table_that_stays_wide_is_counted_so() {
    let model = Decoder::named("llama-3-8b").unwrap();
    let int4 = deployed(&model, "a100-80", "int4-g128");
    let wide = Deployment {
        formats: formats("int4-g128").with_table(Precision::FP16.into()),
        ..int4.clone()
    };
    let table = 128_256.0 * 4096.0;
    let more = wide.weight_bytes().0 - int4.weight_bytes().0;
    assert_eq!(more, 2.0 * table * (2.0 - 4.125 / 8.0));
    let scale = Encoding::parse("int4-g128").unwrap().bits_per_element(4096, 4096);
    assert_eq!(scale, 4.125);
}

#[test]
fn a_measured_run_is_held_against_the_roofline() {
    let model = Decoder::named("mistral-7b").unwrap();
    let on = deployed(&model, "t4", "fp16");
    let generation = Generation { batch: 1, prompt: 100, generate: 100 };
    let case = GenerationCase { generation, context: None, logits: Logits::Last };
    let totals = on.sum_run(&generation, case.logits);
    let chip = ground("t4", "fp16").on_chip.map(|on_chip| on_chip.value);
    let floor = on.find_floor(&case, &totals, chip);
    // 14.2 GB of weights at 320 GB/s for each of 99 tokens, and the prompt's pass.
    assert!((4.4..4.6).contains(&totals.seconds.0), "{:?}", totals.seconds);
    assert_eq!(totals.bound(), Some(Bound::Memory));
    let achieved = AchievedRates::new(&generation, &totals, floor, Seconds(9.0));
    assert!((0.49..0.51).contains(&achieved.of_roofline.unwrap()) && !achieved.impossible);
    assert!((11.1..11.2).contains(&achieved.tokens_per_second));
    assert!((155e9..165e9).contains(&achieved.bandwidth.0), "{:?}", achieved.bandwidth);
    assert!(AchievedRates::new(&generation, &totals, floor, Seconds(4.0)).impossible);
}

#[test]
fn attention_reads_fewer_keys_than_queries_and_skips_what_is_hidden() {
    let attention = Attention {
        batch: 1,
        heads: 32,
        kv_heads: 8,
        head_dim: 128,
        queries: 1024,
        keys: 4096,
        causal: false,
        window: None,
        scores: Scores::Fused,
    };
    let of = |attention: Attention| {
        let mut all: Vec<Operation> = Vec::new();
        attention.operations(|operation| all.push(operation));
        let formats = formats("fp16");
        let flops: f64 = all.iter().map(|one| one.flops.0).sum();
        (flops, all.iter().map(|one| one.bytes(&formats).0).sum::<f64>())
    };
    let (flops, bytes) = of(attention);
    // Seed 002 counts 4 x B x heads x S x d bytes, as if queries and keys were as many and every head had keys of its own.
    assert_eq!(flops, 4.0 * 32.0 * 1024.0 * 4096.0 * 128.0);
    assert_eq!(bytes, 2.0 * (2.0 * 32.0 * 1024.0 + 2.0 * 8.0 * 4096.0) * 128.0);
    let (causal, same) = of(Attention { causal: true, ..attention });
    assert_eq!(same, bytes);
    assert_eq!(causal, 4.0 * 32.0 * 128.0 * (1024.0 * 3072.0 + 1024.0 * 1025.0 / 2.0));
    let (_, written) = of(Attention { scores: Scores::Written, ..attention });
    assert_eq!(written - bytes, 2.0 * 2.0 * 32.0 * 1024.0 * 4096.0);
}

/// Seed 004's MLP: 2,048 wide, 4 layers, 512 rows.
#[test]
fn an_mlp_forward_and_backward() {
    let mlp = Mlp { batch: 512, width: 2048, layers: 4, backward: true, apart: false };
    let records = |mixture: &str| -> Vec<OperationRecord> {
        let formats = formats(mixture);
        let operations = mlp.operations();
        let each = operations
            .iter()
            .map(|o| OperationRecord::new(o, mlp.layers, &formats, &roofs(1.0, 1.0)));
        each.collect()
    };
    let totals = OperationTotals::of(&records("fp16"));
    assert_eq!(totals.flops, Ops(51_539_607_552.0));
    // Three products a layer, each with two operands of 512 x 2,048 and one of 2,048 x 2,048.
    let elements = 2.0 * 512.0 * 2048.0 + 2048.0 * 2048.0;
    assert_eq!(totals.bytes, Bytes(4.0 * 3.0 * elements * 2.0));
    assert_eq!(OperationTotals::of(&records("fp32")).bytes, totals.bytes * 2.0);
}

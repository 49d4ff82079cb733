// What a form asks for each workload, and shapes that are often asked for.

const WORKLOADS = {
  gemm: {
    title: "GEMM: M×K times K×N",
    fields: [["m", "M"], ["n", "N"], ["k", "K"]],
    presets: {
      "512 cubed": [512, 512, 512], "1024 cubed": [1024, 1024, 1024], "2048 cubed": [2048, 2048, 2048], "4096 cubed": [4096, 4096, 4096],
      "One token, 4096 wide": [1, 4096, 4096], "smolVLA FFN, 50 tokens": [50, 2560, 960],
    },
    form: "MxNxK", shapes: "64x64x64, 128x128x128, 256x256x256, 384x384x384, 512x512x512",
    shape: ({ m, n, k }) => `${m}×${n}×${k}`,
  },
  gemv: {
    title: "GEMV: N×K times K",
    fields: [["n", "N"], ["k", "K"]],
    presets: { "4096 square": [4096, 4096], "1024 square": [1024, 1024], "11008 × 4096": [11008, 4096] },
    form: "NxK", shapes: "256x256, 512x512, 1024x1024, 2048x2048, 4096x4096",
    shape: ({ n, k }) => `${n}×${k}`,
  },
  attention: {
    title: "Attention: softmax(Q Kᵀ) V",
    fields: [["batch", "Batch", 1], ["heads", "Heads"], ["kv_heads", "KV heads", "as heads"], ["head_dim", "Head width"], ["queries", "Queries"], ["keys", "Keys", "as queries"]],
    flags: [["causal", "Causal"]],
    presets: { "Llama-like prefill, 2048": [1, 32, 8, 128, 2048, 2048], "Decode step at 8192": [1, 32, 8, 128, 1, 8192], "smolVLA layer": [1, 15, 5, 64, 50, 50] },
    form: "BATCHxHEADSxKV_HEADSxHEAD_DIMxQUERIESxKEYS, no mask", shapes: "1x15x5x64x50x50, 1x8x8x64x128x128, 1x8x2x64x1x1024",
    shape: ({ heads, queries, keys, scores }) => `${heads} heads, ${queries}×${keys}${scores === "apart" ? ", softmax apart" : ""}`,
  },
  mlp: {
    title: "MLP: layers of one width",
    fields: [["width", "Width"], ["layers", "Layers", 1], ["batch", "Rows"]],
    flags: [["forward", "Forward only"]],
    presets: { "2048 × 4, batch 512": [2048, 4, 512] },
    form: "BATCHxWIDTHxLAYERS, forward", shapes: "32x128x2, 64x256x2, 128x512x2",
    shape: ({ width, layers, batch, backward, apart }) => `${layers}×${width}, ${batch} rows${backward ? "" : ", forward"}${apart ? ", GELU apart" : ""}`,
  },
  llm: {
    title: "Language model: prefill and decode",
    fields: [["prompt", "Prompt", 512], ["generate", "Generate", 128], ["batch", "Batch", 1]],
    presets: { "512 in, 128 out": [512, 128, 1], "8192 in, batch 32": [8192, 128, 32] },
    shape: ({ model }) => model,
  },
};

/** What a subject of the API is called. */
function shapeName(workload) {
  return (WORKLOADS[workload.kind]?.shape ?? (() => workload.kind))(workload);
}

/** A precision's name, as people write it. */
function precisionName(name) {
  return name.toUpperCase().replace("FP8_E4M3", "FP8").replace("-ROW", " row").replace("-DOUBLE", " double").replace("-G", " g").replace("-ZP", " zp");
}

/** How points in a precision look; one without a colour of its own looks like all others. */
function precisionLook(name) {
  return `precision-other precision-${name}`;
}

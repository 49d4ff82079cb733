// What a form asks for each workload, and shapes that are often asked for.

const WORKLOADS = {
  gemm: {
    title: "GEMM: M×K times K×N",
    fields: [["m", "M"], ["n", "N"], ["k", "K"]],
    presets: {
      "512 cubed": [512, 512, 512], "1024 cubed": [1024, 1024, 1024], "2048 cubed": [2048, 2048, 2048], "4096 cubed": [4096, 4096, 4096],
      "One token, 4096 wide": [1, 4096, 4096], "smolVLA FFN, 50 tokens": [50, 2560, 960],
    },
    shape: ({ m, n, k }) => `${m}×${n}×${k}`,
  },
  gemv: {
    title: "GEMV: N×K times K",
    fields: [["n", "N"], ["k", "K"]],
    presets: { "4096 square": [4096, 4096], "1024 square": [1024, 1024], "11008 × 4096": [11008, 4096] },
    shape: ({ n, k }) => `${n}×${k}`,
  },
  attention: {
    title: "Attention: softmax(Q Kᵀ) V",
    fields: [["batch", "Batch", 1], ["heads", "Heads"], ["kv_heads", "KV heads", "as heads"], ["head_dim", "Head width"], ["queries", "Queries"], ["keys", "Keys", "as queries"]],
    flags: [["causal", "Causal"]],
    presets: { "Llama-like prefill, 2048": [1, 32, 8, 128, 2048, 2048], "Decode step at 8192": [1, 32, 8, 128, 1, 8192], "smolVLA layer": [1, 15, 5, 64, 50, 50] },
    shape: ({ heads, queries, keys }) => `${heads} heads, ${queries}×${keys}`,
  },
  mlp: {
    title: "MLP, forward and backward",
    fields: [["width", "Width"], ["layers", "Layers", 1], ["batch", "Rows"]],
    presets: { "2048 × 4, batch 512": [2048, 4, 512] },
    shape: ({ width, layers, batch }) => `${layers}×${width}, ${batch} rows`,
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

/** How points in a precision look; one that has no colour of its own looks as all others. */
function precisionLook(name) {
  return `precision-other precision-${name}`;
}

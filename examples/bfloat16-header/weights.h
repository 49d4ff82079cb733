#pragma once

using bfloat16_t = float;  // 16-bit brain floating point; float for C simulation

namespace embed {
extern bfloat16_t weight[512][256];
}
namespace layers_0 {
namespace q_proj { extern bfloat16_t weight[256][256]; }
namespace k_proj { extern bfloat16_t weight[256][256]; }
namespace v_proj { extern bfloat16_t weight[256][256]; }
namespace o_proj { extern bfloat16_t weight[256][256]; }
namespace up_proj { extern bfloat16_t weight[1024][256]; }
namespace down_proj { extern bfloat16_t weight[256][1024]; }
}
namespace lm_head {
extern bfloat16_t weight[512][256];
}

typedef float bfloat16_t;

void filter(bfloat16_t x[8]) {
#pragma HLS interface ap_memory port=x
    x[0] = 0;
}

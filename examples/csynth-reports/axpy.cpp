// y = a x + y, with both vectors behind one port.
extern "C" void axpy(const float *x, float *y, float a, unsigned size) {
#pragma HLS interface m_axi port = x bundle = gmem
#pragma HLS interface m_axi port = y bundle = gmem
MAIN:
    for (unsigned i = 0; i < size; ++i) {
#pragma HLS pipeline II = 1
        y[i] = a * x[i] + y[i];
    }
}

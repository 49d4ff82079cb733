#include <ap_int.h>
#include "port.h"
using word = ap_uint<512>;
#include <hls_fft.h>
void k(port<word> a) { (void)a; }

#include <ap_int.h>
#include "port.h"
using word = ap_uint<512>;
extern "C" void k(port<const word> a, port<word> b, unsigned n) { memcpy(b, a, (a - port<const word>(b)) * sizeof(word)); (void)n; }

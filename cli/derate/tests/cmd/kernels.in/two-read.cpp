#include <ap_int.h>
#include "port.h"
using word = ap_uint<512>;
extern "C" void k(port<const word> a, port<const word> b, unsigned n) {}

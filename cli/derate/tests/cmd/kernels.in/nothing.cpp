#include <ap_int.h>
#include "port.h"
using word = ap_uint<512>;
extern "C" void k() {}

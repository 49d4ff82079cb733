// Where older sources look for it.
#pragma once

#include "../ap_utils.h"

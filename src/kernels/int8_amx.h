// The kernel of int8_panel.h for processors with AMX.
#pragma once

#include "int8_panel.h"

namespace tfm {

/// Computes the product (multiply_panels) with AMX, for CpuFeatures::amx.
void multiply_amx(const Int8Product& product);

}  // namespace tfm

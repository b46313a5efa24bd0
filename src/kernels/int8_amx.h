// The kernel of int8_panel.h for processors with AMX.
#pragma once

#include "int8_panel.h"

namespace tfm {

/// Does what multiply_panels does with AMX, for CpuFeatures::amx.
void multiply_amx(const Int8Product& product);

}  // namespace tfm

#include "tfm/core/version.h"

namespace tfm {

const char* version() { return TFM_VERSION; }

}  // namespace tfm

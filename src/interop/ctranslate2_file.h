// model.bin of CTranslate2, binary version 6, little-endian: the version, the specification's name
// and revision, then the variables (name, shape, type, bytes), then the aliases (name, name). A
// name is its length with the closing zero (16 bits) and its bytes.
#pragma once

#include <filesystem>

#include "ctranslate2_variables.h"

namespace tfm {

/// Throws ModelError where the file can't be written, or where a tensor has 4 GiB or more, which
/// the format has no number for.
void write_ctranslate2_file(const std::filesystem::path& file,
                            const CTranslate2Variables& variables);

}  // namespace tfm

// Writes CTranslate2's model.bin, binary version 6, little-endian. The file consists of the
// version, the name and revision of the specification, the variables (name, shape, type, bytes) and
// the aliases (name, name). A name is stored as its length including the final zero (16 bits),
// followed by its bytes.
#pragma once

#include <filesystem>

#include "ctranslate2_variables.h"

namespace tfm {

/// Writes the file. Throws ModelError if the file cannot be written, or if a tensor has 4 GiB or
/// more, which the format cannot represent.
void write_ctranslate2_file(const std::filesystem::path& file,
                            const CTranslate2Variables& variables);

}  // namespace tfm

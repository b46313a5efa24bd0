// Writes the JSON files of exported models.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tfm/core/atomic_file.h"

namespace tfm {

/// Writes a value as indented JSON in ASCII. Throws ModelError if the file can't be written.
inline void write_json(const std::filesystem::path& file, const nlohmann::json& value) {
  write_file(file, value.dump(2, ' ', /*ensure_ascii=*/true) + "\n");
}

}  // namespace tfm

// Damages a file of the cache, as a fault of the disk or an interrupted copy does.
#pragma once

#include <filesystem>
#include <string>

#include "tfm/core/atomic_file.h"

namespace tfm {

enum class Damage { changed_byte, truncation };

/// Changes the last byte of the file, or removes it.
inline void damage_file(const std::filesystem::path& file, Damage damage) {
  auto content = read_file(file);
  if (damage == Damage::truncation) {
    content.pop_back();
  } else {
    content.back() = static_cast<char>(content.back() + 1);
  }
  write_file(file, content);
}

}  // namespace tfm

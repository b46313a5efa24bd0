// A folder that goes, with all that is in it, when whoever made it is done.
#pragma once

#include <filesystem>
#include <system_error>

#include "tfm/core/files.h"

namespace tfm {

class ScratchFolder {
 public:
  /// In place of one that a killed process may have left. Throws ModelError.
  explicit ScratchFolder(std::filesystem::path folder) : folder_(std::move(folder)) {
    remove_tree(folder_);
    make_folder(folder_);
  }
  ~ScratchFolder() {
    std::error_code none;
    std::filesystem::remove_all(folder_, none);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

}  // namespace tfm

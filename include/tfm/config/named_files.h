// The files that a config names and that training reads, in one list, so that a missing file is
// found before any text is read.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tfm/config/config.h"

namespace tfm {

/// A file or a model folder, with the field that names it.
struct NamedFile {
  std::string key;  ///< "data.weights"
  std::filesystem::path path;
  bool is_folder = false;
};

/// Returns the files that a new run reads, in the order of the fields. A resumed run has its own
/// vocabulary and weights, so its list lacks the files that these come from.
std::vector<NamedFile> list_named_files(const Config& config, bool resumes = false);

/// Returns "data.weights: bt.weights does not exist" for each file that can't be read.
std::vector<std::string> describe_unreadable(const std::vector<NamedFile>& files);

/// Throws DataError, with the fields, if files can't be read.
void require_readable(const std::vector<NamedFile>& files);

/// Throws DataError, with the field, if a file is a pipe or a device, which only one process can
/// read. `processes` is the number of processes of the run; nothing is wrong if it is 1.
void require_shareable(const std::vector<NamedFile>& files, int processes);

}  // namespace tfm

// Converts a config of OpusTrainer (its YAML of version 1) into tfm's: datasets become data.sets,
// stages data.stages, modifiers data.modifiers. Whatever tfm has no field for is named in a warning
// with its line.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tfm/config/config.h"

namespace tfm {

struct OpusTrainerImport {
  Config config;                      ///< its other fields have their defaults
  std::vector<std::string> warnings;  ///< "train.yml:12: ...", in the order of the file's keys
};

/// Reads a file. Paths in it are relative to its folder, as in OpusTrainer. Throws ConfigError,
/// with file and line, if it is not a config of OpusTrainer.
OpusTrainerImport read_opustrainer(const std::filesystem::path& file);

/// Returns the YAML text of the fields that read_opustrainer sets, with comments.
std::string write_opustrainer_import(const OpusTrainerImport& import,
                                     const std::filesystem::path& file);

}  // namespace tfm

// YAML <-> Config. A file holds the sections model, tokenizer, data, training and decoding; a
// missing key keeps its default. model.preset is applied first, wherever it stands, then the file,
// then the overrides of the command line. Every fault in file and overrides is reported at once.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tfm/config/config.h"

namespace tfm {

/// Reads and validates a config. Relative data paths stay as they are (relative to where tfm runs).
/// overrides: "section.key=value", `-` and `_` alike.
/// Throws ConfigError that lists every unknown key (file, line, nearest key), every bad value and
/// every violated rule.
Config load_config(const std::filesystem::path& file,
                   const std::vector<std::string>& overrides = {});

/// The same from text; name stands for the file in errors.
Config parse_config(std::string_view yaml, std::string_view name,
                    const std::vector<std::string>& overrides = {});

/// Every field with its value, sections and keys in the table's order: what is saved with a model.
/// parse_config(write_config(c)) is c.
std::string write_config(const Config& config);

/// What `tfm config explain KEY` prints: type, default, range or choices, explanation. A section's
/// name explains all its keys. Throws ConfigError with the nearest key where there is none.
std::string explain(std::string_view key);

/// JSON Schema (draft 2020-12) of the config file, for editors.
std::string json_schema();

}  // namespace tfm

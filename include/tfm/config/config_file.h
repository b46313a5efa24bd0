// Reads and writes a Config as YAML. A file has the sections model, tokenizer, data, training and
// decoding; a missing key keeps its default. model.preset is applied first, then the other keys of
// the file, then the overrides of the command line. All errors are reported together.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tfm/config/config.h"

namespace tfm {

/// Reads and validates a config. Relative paths in it stay relative to the working directory.
/// Each override has the form "section.key=value". In keys, `-` is read as `_`.
/// Throws a ConfigError that lists every unknown key (file, line, nearest key), every bad value and
/// every violated rule. Rules about fields with bad values are not checked.
Config load_config(const std::filesystem::path& file,
                   const std::vector<std::string>& overrides = {});

/// Reads a config from text. `name` is the file name for errors. Throws as load_config does.
Config parse_config(std::string_view yaml, std::string_view name,
                    const std::vector<std::string>& overrides = {});

/// Returns the config with the fields of the overrides changed ("decoding.beam_size=4"). Throws as
/// load_config does.
Config with_overrides(Config config, const std::vector<std::string>& overrides);

/// Returns the fields that the file sets in the section decoding, as overrides
/// "decoding.key=value". Values in other sections are ignored. Throws ConfigError as load_config
/// does, but does not check rules.
std::vector<std::string> read_decoding(const std::filesystem::path& file);

/// Returns the YAML text of all fields, in the order of the field table, to be saved with a model.
/// parse_config reads the text back as the same config.
std::string write_config(const Config& config);

/// Returns the text that `tfm config explain KEY` prints: type, default, range or choices, and help
/// text. If `key` is the name of a section, all its fields are explained. For any other word, the
/// fields whose name contains the word are explained, and the other fields whose help text contains
/// the word are listed. If there are none, but another toolkit uses the word as a name, tfm's field
/// for this name is explained. Throws ConfigError, with the nearest key, if nothing is found.
std::string explain(std::string_view key);

/// Returns the JSON Schema (draft 2020-12) of the config file, for editors.
std::string json_schema();

}  // namespace tfm

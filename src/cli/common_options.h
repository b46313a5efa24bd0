// Options that several commands have. Those that are config fields take their names, ranges and
// help from the field table.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "runtime_options.h"
#include "tfm/config/fields.h"

namespace tfm {

inline constexpr const char* model_folder_help =
    "Model folder; default: $TFM_MODEL, else the newest run under runs/";

/// An option for a config field, kept as "section.key=value"; names: CLI11's, e.g.
/// "-b,--beam-size".
void add_field_option(CLI::App& app, const Field& field, const std::string& names,
                      std::vector<std::string>& overrides);
/// An option for every field of decoding that has the effect.
void add_decoding_options(CLI::App& app, std::vector<std::string>& overrides, Effect effect);
/// --device and --threads.
void add_runtime_options(CLI::App& app, RuntimeOptions& runtime);
/// -m, once.
void add_model_option(CLI::App& app, std::filesystem::path& model);
/// -m, which may be given several times.
void add_model_options(CLI::App& app, std::vector<std::filesystem::path>& models);
/// -o, a file.
void add_output_option(CLI::App& app, std::filesystem::path& output, const std::string& help);
/// -o, a folder, which must be given.
void add_output_folder_option(CLI::App& app, std::filesystem::path& output,
                              const std::string& help);

/// --format, one of the names.
template <class Format>
CLI::Option* add_format_option(CLI::App& app, Format& format,
                               const std::map<std::string, Format>& names,
                               const std::string& help) {
  return app.add_option("--format", format, help)
      ->transform(CLI::CheckedTransformer(names, CLI::ignore_case).description(""))
      ->type_name("");
}

}  // namespace tfm

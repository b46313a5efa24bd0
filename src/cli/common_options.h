// Options that several commands share. Options for config fields take their choices, defaults and
// help texts from the field table.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "report_format.h"
#include "runtime_options.h"
#include "tfm/config/fields.h"
#include "tfm/help/help_page.h"

namespace tfm {

// The headings of option groups on help pages.
inline constexpr const char* input_group = "Input and output";
inline constexpr const char* device_group = "Device";
inline constexpr const char* decoding_group =
    "Decoding (the model's config may set other defaults)";

inline constexpr const char* model_folder_help =
    "Model folder, run folder or checkpoint of a run; without it, $TFM_MODEL or the newest run in "
    "runs/";

/// Adds an option for a config field. Its value is appended to `overrides` as "section.key=value".
/// `names` has the names of the option as CLI11 expects them ("-b,--beam-size"). Returns the
/// option, whose description is the field's help text.
CLI::Option* add_field_option(CLI::App& app, const Field& field, const std::string& names,
                              const std::string& group, std::vector<std::string>& overrides);
/// Adds the positional arguments "section.key=value", which override config fields.
CLI::Option* add_overrides(CLI::App& app, std::vector<std::string>& overrides);
/// Adds an option for every decoding field that has this effect.
void add_decoding_options(CLI::App& app, std::vector<std::string>& overrides, Effect effect);
/// Adds --threads.
void add_threads_option(CLI::App& app, std::int64_t& threads);
/// Adds --device and --threads.
void add_runtime_options(CLI::App& app, RuntimeOptions& runtime);
/// Adds -m for a single model.
void add_model_option(CLI::App& app, std::filesystem::path& model);
/// Adds -m, which may be repeated to name an ensemble.
void add_model_options(CLI::App& app, std::vector<std::filesystem::path>& models);
/// Adds an option for a file that is read once, from start to end. The file name "-" stands for
/// standard input.
CLI::Option* add_input_option(CLI::App& app, const std::string& names, std::filesystem::path& file,
                              const std::string& help);
/// Makes an option read the value "-" as the path of standard input. Returns the option.
CLI::Option* accept_standard_input(CLI::Option* option);
/// Throws ConfigError if several of the files are standard input.
void require_one_standard_input(const std::vector<std::filesystem::path>& files);
/// Adds -o for a file.
void add_output_option(CLI::App& app, std::filesystem::path& output, const std::string& help);
/// Adds the required option -o for a folder.
void add_output_folder_option(CLI::App& app, std::filesystem::path& output,
                              const std::string& help);

/// Adds --trace, the name of a file for the operations of `what`. The folder must exist.
CLI::Option* add_trace_option(CLI::App& app, std::filesystem::path& file, const std::string& what);

/// Returns a check that refuses a value that is not a whole number from `least` to `most`.
CLI::Validator whole_number(std::int64_t least, std::int64_t most);
/// Returns a check that refuses a value that is not one of the names. In the error, `kind` says
/// what the names stand for ("preset").
CLI::Validator one_of(const std::vector<std::string>& names, const std::string& kind);
/// Returns a check that refuses a value that is not a number from `least` to `most`.
CLI::Validator real_number(double least, double most);

/// Replaces `name` with its number, ignoring case, and returns an empty text. If the name is
/// unknown, returns an error message, in which `kind` says what the names stand for ("format").
std::string to_named_number(std::string& name, const std::map<std::string, int>& numbers,
                            const std::string& kind);

/// Adds an option whose value is one of `names`. If `target` is a vector, the option takes several
/// values. In the error about an unknown name, `kind` says what the names stand for ("format").
template <class Value, class Target>
CLI::Option* add_named_option(CLI::App& app, const std::string& kind, const std::string& option,
                              Target& target, const std::map<std::string, Value>& names,
                              const std::string& help) {
  std::map<std::string, int> numbers;
  std::vector<std::string> choices;
  for (const auto& [name, each] : names) {
    numbers[name] = static_cast<int>(each);
    choices.push_back(name);
  }
  return app.add_option(option, target, help)
      ->transform(CLI::Validator(
          [numbers, kind](std::string& name) { return to_named_number(name, numbers, kind); }, ""))
      ->type_name(value_type(std::is_same_v<Target, Value> ? "NAME" : "NAME...", choices));
}

/// Adds --format with the given names.
template <class Format>
CLI::Option* add_format_option(CLI::App& app, Format& format,
                               const std::map<std::string, Format>& names,
                               const std::string& help) {
  return add_named_option(app, "format", "--format", format, names, help);
}

/// Adds --format for a report.
inline CLI::Option* add_report_format(CLI::App& app, ReportFormat& format,
                                      const std::string& help) {
  return add_format_option<ReportFormat>(
             app, format, {{"text", ReportFormat::text}, {"json", ReportFormat::json}}, help)
      ->default_str("text");
}

}  // namespace tfm

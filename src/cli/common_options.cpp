#include "common_options.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>

#include "field_options.h"
#include "tfm/config/reference.h"
#include "tfm/core/error.h"
#include "tfm/core/input_file.h"
#include "tfm/core/spelling.h"

namespace tfm {
namespace {

/// Returns the placeholder for the value of a field in help texts.
const char* value_name(FieldType type) {
  switch (type) {
    case FieldType::integer:
      return "N";
    case FieldType::real:
      return "NUMBER";
    case FieldType::choice:
    case FieldType::boolean:
    case FieldType::text:
    case FieldType::list:
      break;
  }
  return "TEXT";
}

/// Returns the error about a name that is not one of the known names.
std::string unknown_name(const std::string& name, const std::string& kind,
                         const std::vector<std::string>& known) {
  return fmt::format("'{}' is not a known {} ({})", name, kind, fmt::join(known, ", "));
}

/// Returns a check that refuses a value that is not a number in the range. In the error, `kind`
/// says which numbers are meant ("a whole number").
template <class Number>
CLI::Validator in_range(Number least, Number most, const std::string& kind) {
  return {[=](const std::string& value) {
            Number number{};
            const bool fits =
                CLI::detail::lexical_cast(value, number) && number >= least && number <= most;
            return fits ? ""
                        : fmt::format("'{}' is not {} from {} to {}", value, kind, least, most);
          },
          ""};
}

/// Returns a check that refuses a value that the field does not take.
CLI::Validator allowed_value(const Field& field) {
  return {[&field](const std::string& value) {
            Config scratch;
            return field.set(scratch, value).value_or("");
          },
          ""};
}

}  // namespace

CLI::Validator one_of(const std::vector<std::string>& names, const std::string& kind) {
  return {[names, kind](const std::string& name) {
            return std::ranges::find(names, name) == names.end() ? unknown_name(name, kind, names)
                                                                 : std::string();
          },
          ""};
}

CLI::Option* add_trace_option(CLI::App& app, std::filesystem::path& file, const std::string& what) {
  const auto has_folder = [](const std::string& name) {
    const auto folder = std::filesystem::path(name).parent_path();
    return folder.empty() || std::filesystem::is_directory(folder)
               ? ""
               : "there is no folder " + folder.string();
  };
  return app
      .add_option("--trace", file,
                  "Write the operations of " + what +
                      " on the CPU and the GPU, with their times, to a Chrome trace (.json), which "
                      "ui.perfetto.dev shows")
      ->type_name("FILE")
      ->check(CLI::Validator(has_folder, ""));
}

CLI::Validator whole_number(std::int64_t least, std::int64_t most) {
  return in_range(least, most, "a whole number");
}

CLI::Validator real_number(double least, double most) { return in_range(least, most, "a number"); }

CLI::Option* add_field_option(CLI::App& app, const Field& field, const std::string& names,
                              const std::string& group, std::vector<std::string>& overrides) {
  const auto take = [&field, &overrides](const std::string& value) {
    overrides.push_back(field.key() + "=" + value);
  };
  CLI::Option* option = nullptr;
  if (field.type == FieldType::boolean) {
    option = app.add_flag_function(
        names, [take](std::int64_t count) { take(count > 0 ? "true" : "false"); }, field.doc);
  } else {
    option = app.add_option_function<std::string>(names, take, field.doc)
                 ->type_name(field.choices.empty() ? value_name(field.type)
                                                   : value_type("NAME", field.choices))
                 ->default_str(default_value(field))
                 ->check(allowed_value(field));
  }
  // The option of a list field may be repeated. Its values are joined with ';'.
  if (field.type == FieldType::list)
    option->multi_option_policy(CLI::MultiOptionPolicy::Join)->delimiter(';');
  return option->group(group);
}

CLI::Option* add_overrides(CLI::App& app, std::vector<std::string>& overrides) {
  std::vector<std::string> choices;
  for (const Field& field : fields()) choices.push_back(field.key() + "=");
  return app.add_option("overrides", overrides, "Config fields that override those of the file")
      ->type_name(value_type("section.key=value", choices));
}

void add_decoding_options(CLI::App& app, std::vector<std::string>& overrides, Effect effect) {
  const auto has_option = [effect](const Field& field) { return field.effects.contains(effect); };
  for (const Field& field : fields() | std::views::filter(has_option)) {
    const std::string names = option_name(field) + (field.alias.empty() ? "" : "," + field.alias);
    add_field_option(app, field, names, decoding_group, overrides)
        ->description(option_help(field, has_option));
  }
}

std::string to_named_number(std::string& name, const std::map<std::string, int>& numbers,
                            const std::string& kind) {
  const auto found = numbers.find(to_lower(name));
  if (found != numbers.end()) {
    name = std::to_string(found->second);
    return "";
  }
  const auto known = numbers | std::views::keys;
  return unknown_name(name, kind, {known.begin(), known.end()});
}

void add_threads_option(CLI::App& app, std::int64_t& threads) {
  app.add_option("--threads", threads, "CPU threads; 0 means one per CPU that this process may use")
      ->check(whole_number(0, 4096))
      ->type_name("N")
      ->capture_default_str()
      ->group(device_group);
}

void add_runtime_options(CLI::App& app, RuntimeOptions& runtime) {
  app.add_option("--device", runtime.device, "auto (a GPU if there is any), cpu, cuda or cuda:N")
      ->type_name("NAME")
      ->capture_default_str()
      ->group(device_group);
  add_threads_option(app, runtime.threads);
}

void add_model_option(CLI::App& app, std::filesystem::path& model) {
  app.add_option("-m,--model", model, model_folder_help)->type_name("FOLDER")->group(input_group);
}

void add_model_options(CLI::App& app, std::vector<std::filesystem::path>& models) {
  app.add_option("-m,--model", models,
                 std::string(model_folder_help) + ". Repeat the option for an ensemble")
      ->allow_extra_args(false)  // the word after the folder is a text to translate
      ->type_name("FOLDER")
      ->group(input_group);
}

CLI::Option* accept_standard_input(CLI::Option* option) {
  return option->transform(CLI::Validator(
      [](std::string& file) {
        if (file == "-") file = standard_input;
        return std::string();
      },
      ""));
}

CLI::Option* add_input_option(CLI::App& app, const std::string& names, std::filesystem::path& file,
                              const std::string& help) {
  return accept_standard_input(app.add_option(names, file, help + "; - is standard input")
                                   ->type_name("FILE")
                                   ->group(input_group));
}

void require_one_standard_input(const std::vector<std::filesystem::path>& files) {
  if (std::ranges::count(files, std::filesystem::path(standard_input)) > 1)
    throw ConfigError("-", "standard input is given for several files",
                      "It can be read once: write the other texts to files.");
}

void add_output_option(CLI::App& app, std::filesystem::path& output, const std::string& help) {
  app.add_option("-o,--output", output, help)->type_name("FILE")->group(input_group);
}

void add_output_folder_option(CLI::App& app, std::filesystem::path& output,
                              const std::string& help) {
  app.add_option("-o,--output", output, help)->required()->type_name("FOLDER")->group(input_group);
}

}  // namespace tfm

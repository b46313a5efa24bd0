#include "common_options.h"

#include <algorithm>

namespace tfm {
namespace {

std::string dashed(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

}  // namespace

void add_field_option(CLI::App& app, const Field& field, const std::string& names,
                      std::vector<std::string>& overrides) {
  const auto take = [&field, &overrides](const std::string& value) {
    overrides.push_back(field.key() + "=" + value);
  };
  CLI::Option* option = nullptr;
  if (field.type == FieldType::boolean) {
    option = app.add_flag_function(
        names, [take](std::int64_t count) { take(count > 0 ? "true" : "false"); }, field.doc);
  } else {
    option = app.add_option_function<std::string>(names, take, field.doc)->type_name("");
  }
  // The entries of a list may come one by one.
  if (field.type == FieldType::list)
    option->multi_option_policy(CLI::MultiOptionPolicy::Join)->delimiter(';');
  option->group(field.effects.contains(Effect::decoding_output) ? "Decoding" : "Options");
}

void add_decoding_options(CLI::App& app, std::vector<std::string>& overrides, Effect effect) {
  for (const Field& field : fields()) {
    if (!field.effects.contains(effect)) continue;
    add_field_option(app, field,
                     (field.alias.empty() ? "" : field.alias + ",") + "--" + dashed(field.name),
                     overrides);
  }
}

void add_runtime_options(CLI::App& app, RuntimeOptions& runtime) {
  app.add_option("--device", runtime.device, "auto (CUDA where there is one), cpu, cuda or cuda:N")
      ->type_name("");
  app.add_option("--threads", runtime.threads, "CPU threads; 0: all cores")
      ->check(CLI::Range(0, 4096))
      ->type_name("");
}

void add_model_option(CLI::App& app, std::filesystem::path& model) {
  app.add_option("-m,--model", model, model_folder_help)->type_name("FOLDER");
}

void add_model_options(CLI::App& app, std::vector<std::filesystem::path>& models) {
  app.add_option(
         "-m,--model", models,
         std::string(model_folder_help) + ". Given several times: the models translate together")
      ->allow_extra_args(false)  // the word after the folder is text
      ->type_name("FOLDER");
}

void add_output_option(CLI::App& app, std::filesystem::path& output, const std::string& help) {
  app.add_option("-o,--output", output, help)->type_name("FILE");
}

void add_output_folder_option(CLI::App& app, std::filesystem::path& output,
                              const std::string& help) {
  app.add_option("-o,--output", output, help)->required()->type_name("FOLDER");
}

}  // namespace tfm

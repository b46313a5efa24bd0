#include "config_init_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <iterator>

#include "common_options.h"
#include "config_command.h"
#include "output.h"
#include "tfm/core/error.h"
#include "tfm/core/input_file.h"
#include "tfm/core/log.h"
#include "tfm/core/output_name.h"
#include "tfm/data/text_overlap.h"

namespace tfm {
namespace {

void add_options(CLI::App& app, ConfigInitOptions& options) {
  const auto add_file = [&](const char* name, std::filesystem::path& file, const char* help) {
    return app.add_option(name, file, help)->type_name("FILE")->group(input_group);
  };
  auto& [train, valid] = options.files;
  auto* source = add_file("--source,source", train.source,
                          "Training data, source side, plain or compressed; also as --source FILE");
  add_file("--target,target", train.target,
           "Training data, target side, line by line; also as --target FILE");
  add_file("--tsv", train.tsv, "Training data, both sides: source, tab, target in each line")
      ->excludes(source);
  auto* valid_source = add_file("--valid-source", valid.source, "Validation set, source side");
  auto* valid_target = add_file("--valid-target", valid.target, "Validation set, target side");
  valid_source->needs(valid_target);
  valid_target->needs(valid_source);
  add_file("--valid-tsv", valid.tsv, "Validation set, both sides, as --tsv")
      ->excludes(valid_source);
  add_output_option(app, options.output, "Write the config to this file; without it, stdout");
  app.add_option("--minutes", options.minutes,
                 "Minutes that training may take at most; it makes no more updates than suit the "
                 "amount of text")
      ->check(real_number(0.01, 1e6))
      ->type_name("N")
      ->group(input_group);
  app.add_flag("--force", options.force, "Replace the output file if it exists")
      ->group(input_group);
  app.add_option("--preset", options.preset,
                 "Size of the model: tiny, base or big; without it, chosen by the amount of text")
      ->check(one_of(starting_presets(), "preset"))
      ->type_name(value_type("NAME", starting_presets()));
}

std::string ask(const std::string& question) {
  std::cerr << question << ": " << std::flush;
  std::string answer;
  if (std::getline(std::cin, answer)) return answer;
  std::cerr << "\n";
  throw Interrupted("the input ended: no config was written");
}

/// Returns what is wrong with an answer, or an empty string.
using Check = std::function<std::string(const std::filesystem::path& answer)>;

/// Asks the question until the check accepts the answer, so that a mistake costs one answer and not
/// all of them.
std::string ask_until_valid(const std::string& question, const Check& check) {
  for (;;) {
    auto answer = ask(question);
    const auto problem = check(answer);
    if (problem.empty()) return answer;
    std::cerr << "  " << problem << "\n";
  }
}

/// Returns why the file can't be read, or an empty string.
std::string unreadable(const std::filesystem::path& file) {
  try {
    const InputFile input(file);
    return "";
  } catch (const DataError& error) {
    const auto nearest = std::filesystem::exists(file) ? "" : nearest_file(file);
    return fmt::format("{} {}.{}", file.string(), error.problem(),
                       nearest.empty() ? "" : " Did you mean " + nearest.string() + "?");
  }
}

/// Returns a check of a file to read. `if_empty` is what is wrong with an empty answer.
Check readable_or(const std::string& if_empty) {
  return [if_empty](const auto& answer) { return answer.empty() ? if_empty : unreadable(answer); };
}

std::string ask_for_file(const std::string& question, const std::string& why) {
  return ask_until_valid(question, readable_or(why + "; name the file, or stop with Ctrl-C"));
}

/// Returns a check of the file to write.
Check writable(bool force) {
  return [force](const std::filesystem::path& file) -> std::string {
    const auto folder = file.parent_path();
    if (!folder.empty() && !std::filesystem::is_directory(folder))
      return "the folder " + folder.string() + " does not exist";
    if (!force && std::filesystem::exists(file))
      return file.string() + " exists; name another file";
    return "";
  };
}

/// Returns the error about missing files where tfm can't ask for them.
ConfigError missing_sides(const ParallelFiles& files) {
  const std::string remedy = ", or run the command on a terminal to be asked for what is missing.";
  if (files.source.empty() && files.target.empty())
    return {"--source, --target", "are required", "Give both files, or --tsv FILE" + remedy};
  const bool has_source = !files.source.empty();
  const auto& given = has_source ? files.source : files.target;
  return {has_source ? "--target" : "--source",
          "is required, too: the other side of " + given.string(),
          "Give both files, or --tsv FILE if it has both sides" + remedy};
}

/// Asks the user for all files that the command line does not name. Asks nothing if both training
/// files are named. Throws ConfigError if it must ask but stdin or stderr is not a terminal, and
/// Interrupted if the input ends.
ConfigInitOptions ask_for_files(ConfigInitOptions options) {
  auto& [train, valid] = options.files;
  if (!train.tsv.empty() || (!train.source.empty() && !train.target.empty())) return options;
  if (::isatty(STDIN_FILENO) != 1 || ::isatty(STDERR_FILENO) != 1) {
    throw missing_sides(train);
  }
  const std::string why = "training needs both sides";
  if (train.source.empty())
    train.source = ask_for_file("Training data, source side (one sentence per line)", why);
  if (train.target.empty()) train.target = ask_for_file("Training data, target side", why);
  if (valid.empty()) {
    valid.source = ask_until_valid("Validation set, source side (empty for none)", readable_or(""));
    if (!valid.source.empty())
      valid.target = ask_for_file("Validation set, target side", "a validation set has two sides");
  }
  if (options.output.empty())
    options.output =
        ask_until_valid("Config file to write (empty to print it)", writable(options.force));
  return options;
}

}  // namespace

int run_config_init(const ConfigInitOptions& given) {
  if (!given.force && std::filesystem::exists(given.output)) {
    throw ConfigError("--output", given.output.string() + " exists",
                      "Give another file name, or replace the file with --force.");
  }
  const ConfigInitOptions options = ask_for_files(given);
  const auto& [train, valid] = options.files;
  auto read = train.all();
  std::ranges::copy(valid.all(), std::back_inserter(read));
  check_output_name(options.output, read);
  const CorpusSize size = measure_corpus(train);
  if (!valid.empty()) measure_corpus(valid);
  const auto shared = describe_shared_files(valid, train);
  if (!shared.empty()) log_warn("{}", shared);
  Output output(options.output);
  output.write(starting_config(options.files, size, {options.preset, options.minutes}));
  output.finish();
  if (!options.output.empty() && options.output != "-") {
    log_info("wrote {0}; next: tfm train --config {0} --dry-run", options.output.string());
  }
  return 0;
}

Command config_init_command(Run<ConfigInitOptions> run) {
  return {
      .name = "init",
      .group = config_group(),
      .section = "Train",
      .summary = "Writes a commented starting config for parallel text",
      .details =
          "The amount of text decides the size of the model, the vocabulary and the "
          "number of updates, which --minutes limits; comments in the file explain each choice. On "
          "a terminal, files that are not given as options are asked for.",
      .examples = {"tfm config init train.de train.en -o my.yaml",
                   "tfm config init train.de train.en --minutes 30 -o my.yaml"},
      .read_more = "docs/training.md, docs/configuration.md",
      .prepare = with_options<ConfigInitOptions>(add_options, std::move(run))};
}

}  // namespace tfm

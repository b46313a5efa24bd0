#include "tfm/config/opustrainer.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <sstream>

#include "opustrainer_modifiers.h"
#include "opustrainer_notes.h"
#include "tfm/config/commented_config.h"
#include "tfm/config/data_sets.h"
#include "tfm/config/validate.h"
#include "tfm/core/error.h"
#include "tfm/core/input_file.h"
#include "values.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

class OpusTrainerReader {
 public:
  explicit OpusTrainerReader(const fs::path& file) : notes_(file) {}

  OpusTrainerImport read(const YAML::Node& root) {
    if (!root.IsMap() || !root["datasets"] || !root["stages"])
      fail(root, "is not a config of OpusTrainer, which has datasets and stages");
    read_datasets(root["datasets"]);
    read_stages(root);
    if (root["modifiers"]) read_opustrainer_modifiers(root["modifiers"], notes_, import_.config);
    if (const auto seed = root["seed"])
      import_.config.training.seed = read_whole_number(seed, "seed");
    warn_of_other_keys(root);
    import_.warnings = notes_.warnings();
    return std::move(import_);
  }

 private:
  static std::string scalar(const YAML::Node& node) { return scalar_text(node); }
  [[noreturn]] void fail(const YAML::Node& node, const std::string& what) const {
    notes_.fail(node, what);
  }
  void warn(const YAML::Node& node, const std::string& what) { notes_.warn(node, what); }

  std::int64_t read_whole_number(const YAML::Node& node, std::string_view name) const {
    constexpr double most = 1e9;
    const auto number = parse_number(scalar(node));
    if (!number || *number != std::floor(*number) || *number > most)
      fail(node, fmt::format("{} is not a whole number from 0 to 1,000,000,000", name));
    return static_cast<std::int64_t>(*number);
  }

  void read_datasets(const YAML::Node& datasets) {
    if (!datasets.IsMap()) fail(datasets, "datasets does not map names to files");
    for (const auto& entry : datasets) {
      const std::string name = scalar(entry.first);
      YAML::Node path = entry.second;
      if (path.IsSequence() && path.size() > 0) {
        if (path.size() > 1)
          warn(path, fmt::format("the dataset {} has {} files, of which data.sets has the first; "
                                 "concatenate them",
                                 name, path.size()));
        path.reset(entry.second[0]);
      }
      if (scalar(path).empty()) fail(entry.first, "a dataset has no file");
      const fs::path from = notes_.file().parent_path() / scalar(path);
      const auto set = fmt::format("{}={}", name, from.lexically_normal().string());
      const auto named = parse_named_set(set);
      if (!named || named->tsv.empty() || set.find(';') != std::string::npos)
        fail(entry.first, fmt::format("'{}' can't be an entry of data.sets: use letters, digits, "
                                      "'_', '.' and '-' in its name, and a path without , and ;",
                                      set));
      import_.config.data.sets.push_back(set);
      datasets_.insert(name);
    }
  }

  void read_stages(const YAML::Node& root) {
    std::vector<DataStage> stages;
    for (const auto& entry : root["stages"]) {
      const std::string name = scalar(entry);
      const YAML::Node content = root[name];
      if (!content) fail(entry, fmt::format("the stage {} is not described", name));
      stage_names_.insert(name);
      if (!stages.empty() && stages.back().epochs == 0) {
        warn(entry, fmt::format("the stage {} is never reached, because the stage before it has "
                                "no end",
                                name));
        continue;
      }
      stages.push_back(read_stage(name, content));
    }
    if (stages.empty()) fail(root["stages"], "there are no stages");
    write_stages(stages);
  }

  DataStage read_stage(const std::string& name, const YAML::Node& content) {
    if (content.IsMap() && content["modifiers"])
      warn(content["modifiers"],
           fmt::format("the stage {} has modifiers of its own, but data.modifiers is the same in "
                       "all stages",
                       name));
    const YAML::Node mix = content.IsMap() ? content["mix"] : content;
    if (!mix || !mix.IsSequence()) fail(content, fmt::format("the stage {} has no list", name));
    DataStage stage;
    for (const auto& line : mix) read_stage_line(stage, line);
    if (stage.until.empty()) fail(content, fmt::format("the stage {} has no until", name));
    if (std::ranges::count(stage.shares, stage.until, &StageShare::set) == 0)
      fail(content, fmt::format("the stage {} lasts until {}, which it does not draw from", name,
                                stage.until));
    return stage;
  }

  /// Reads "clean 0.8" or "until clean 2".
  void read_stage_line(DataStage& stage, const YAML::Node& line) {
    std::istringstream text(scalar(line));
    const std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
    if (words.size() == 3 && words[0] == "until") {
      stage.until = words[1];
      if (words[2] == "inf") return;
      const auto epochs = parse_number(words[2]);
      if (!epochs || *epochs < 1 || *epochs != std::floor(*epochs) || *epochs > 1e6)
        fail(line, fmt::format("'{}' has no whole number of epochs", scalar(line)));
      stage.epochs = static_cast<std::int64_t>(*epochs);
      return;
    }
    const auto weight = words.size() == 2 ? parse_number(words[1]) : std::nullopt;
    if (!weight)
      fail(line,
           fmt::format("'{}' is neither DATASET WEIGHT nor until DATASET EPOCHS", scalar(line)));
    if (!datasets_.contains(words[0])) fail(line, fmt::format("there is no dataset {}", words[0]));
    if (*weight > 0) stage.shares.push_back({words[0], *weight});
  }

  /// Sets data.stages and training.max_epochs. The last stage of tfm has no end, and an epoch of it
  /// is a visit of its first set.
  void write_stages(std::vector<DataStage>& stages) {
    auto& last = stages.back();
    const auto until = std::ranges::find(last.shares, last.until, &StageShare::set);
    std::rotate(last.shares.begin(), until, until + 1);
    std::int64_t epochs = 0;
    for (const DataStage& stage : stages) {
      std::string text;
      for (const auto& [set, weight] : stage.shares)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", set, weight);
      if (&stage != &last) text += fmt::format(" until {} {}", stage.until, stage.epochs);
      import_.config.data.stages.push_back(text);
      epochs += stage.epochs;
    }
    if (last.epochs == 0) return;
    import_.config.training.max_epochs = epochs;
    import_.config.training.max_steps = 0;
  }

  void warn_of_other_keys(const YAML::Node& root) {
    const std::set<std::string> read{"datasets", "stages", "modifiers", "seed"};
    for (const auto& entry : root) {
      const std::string key = scalar(entry.first);
      if (read.contains(key) || stage_names_.contains(key)) continue;
      if (key == "trainer") continue;  // tfm trains by itself
      if (key == "version" && scalar(entry.second) == "1") continue;
      if (key == "num_fields") {
        const bool has_links = !import_.config.data.alignments.empty();  // in the third field
        if (scalar(entry.second) == (has_links ? "3" : "2")) continue;
        warn(entry.first,
             "tfm skips lines with more than two fields; cut the first two with cut -f 1,2");
      } else {
        warn(entry.first, fmt::format("{} is left out: it is neither a stage nor known", key));
      }
    }
  }

  OpusTrainerNotes notes_;
  OpusTrainerImport import_;
  std::set<std::string> datasets_;
  std::set<std::string> stage_names_;
};

}  // namespace

OpusTrainerImport read_opustrainer(const fs::path& file) {
  const std::string text = read_text_file(file);
  try {
    auto import = OpusTrainerReader(file).read(YAML::Load(text));
    if (const auto broken = violations(import.config); !broken.empty())
      throw ConfigError(file.string(), to_text(broken.front()), "Correct the file.");
    return import;
  } catch (const YAML::Exception& error) {
    throw ConfigError(fmt::format("{}:{}", file.string(), error.mark.line + 1),
                      "not valid YAML: " + error.msg, "Check the indentation of this line.");
  }
}

std::string write_opustrainer_import(const OpusTrainerImport& import, const fs::path& file) {
  const Config& config = import.config;
  std::vector<CommentedField> entries;
  const auto add = [&](const Field& field, const std::string& reason = "") {
    if (field.get(config) != field.get(Config())) entries.push_back({&field, reason});
  };
  add(field_of(&Config::tokenizer, &TokenizerConfig::byte_fallback),
      "the characters of noise are those of all scripts.");
  add(field_of(&Config::data, &DataConfig::sets));
  add(field_of(&Config::data, &DataConfig::stages));
  add(field_of(&Config::data, &DataConfig::alignments), "the third fields of the sets.");
  add(field_of(&Config::data, &DataConfig::modifiers));
  add(field_of(&Config::data, &DataConfig::term_template));
  add(field_of(&Config::training, &TrainingConfig::seed));
  add(field_of(&Config::training, &TrainingConfig::max_epochs), "the epochs of all stages.");
  add(field_of(&Config::training, &TrainingConfig::max_steps), "the stages end the run.");
  return write_commented_config(
      config,
      "Made from " + file.string() +
          " of OpusTrainer. Add a validation set (data.valid_source and data.valid_target), and "
          "choose the model: all other fields have their defaults.",
      entries);
}

}  // namespace tfm

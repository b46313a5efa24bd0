#include "translation_job.h"

#include <fmt/format.h>

#include <set>

#include "tfm/config/fields.h"
#include "tfm/core/checksum.h"
#include "tfm/core/error.h"
#include "tfm/core/format.h"
#include "tfm/model/model_files.h"
#include "tfm/tensor/runtime.h"
#include "tfm/translate/alignment.h"
#include "tfm/translate/shortlist.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

std::string describe_file(const fs::path& file) {
  const auto [bytes, crc32] = fingerprint(file);
  return fmt::format("{} bytes, CRC-32 {}", bytes, crc32);
}

/// Describes the weights and vocabularies, but not config.yaml, whose fields are listed separately.
std::string describe_model(const fs::path& folder) {
  std::set<fs::path> files{folder / weights_file};
  for (const auto& entry : fs::directory_iterator(description_folder(folder))) {
    const auto ending = entry.path().extension();
    if (ending == ".vocab" || ending == ".model") files.insert(entry.path());
  }
  std::string text;
  for (const auto& file : files)
    text += (text.empty() ? "" : "; ") + file.filename().string() + " " + describe_file(file);
  return text;
}

/// Returns whether a field outside the section decoding changes the output. Such fields define the
/// network and the vocabulary, or determine where long lines are split.
bool changes_translation(const Field& field) {
  return field.effects.contains(Effect::shapes_model) ||
         &field == &field_of(&Config::data, &DataConfig::max_length) ||
         &field == &field_of(&Config::data, &DataConfig::fixed_length);
}

/// decoding.alignment_head may be auto, and the model's best head is in its report.json.
std::string describe_alignment_head(const Model& model) {
  const auto head = resolve_alignment_head(model, model.config().decoding);
  return to_string(head) + (head.shifted ? ", shifted" : "");
}

void add_fields(JobFingerprint& job, const std::vector<Model>& models) {
  const auto& first = models.front().config();
  for (const auto& field : fields()) {
    if (field.effects.contains(Effect::decoding_output))
      job.emplace_back(field.key(), field.get(first));
  }
  for (std::size_t i = 0; i < models.size(); ++i) {
    const auto suffix = i == 0 ? "" : fmt::format(" of model {}", i + 1);
    for (const auto& field : fields()) {
      if (changes_translation(field))
        job.emplace_back(field.key() + suffix, field.get(models[i].config()));
    }
  }
}

}  // namespace

JobFingerprint job_fingerprint(const TranslateOptions& options, const std::vector<Model>& models) {
  JobFingerprint job{{"version of tfm", TFM_VERSION}, {"input file", describe_file(options.input)}};
  if (!options.prefixes.empty())
    job.emplace_back("target prefix file", describe_file(options.prefixes));
  if (!options.phrases.empty())
    job.emplace_back("forced phrases file", describe_file(options.phrases));
  for (const auto& model : models) job.emplace_back("model", describe_model(model.folder()));
  const auto& first = models.front();
  if (const auto file = shortlist_path(first.folder(), first.config().decoding))
    job.emplace_back("shortlist", describe_file(*file));
  if (const fs::path dictionary = first.config().decoding.unknown_dictionary; !dictionary.empty())
    job.emplace_back("dictionary", describe_file(dictionary));
  job.emplace_back("alignment head", describe_alignment_head(first));
  add_fields(job, models);
  // Earlier versions numbered JSON lines from 0. They described the format differently, so a file
  // that they began cannot be resumed with the new numbering.
  job.emplace_back(
      "output format",
      fmt::format("{}{}, {} alignment, {} explanation", static_cast<int>(options.format),
                  options.format == OutputFormat::jsonl ? ", lines from 1" : "",
                  options.alignment ? "with" : "no", options.explain ? "with" : "no"));
  job.emplace_back("device",
                   fmt::format("{}, {}", first.device(), with_noun(thread_count(), "thread")));
  return job;
}

void check_resume_options(const TranslateOptions& options) {
  if (!options.resume) return;
  if (options.input.empty() || options.output.empty()) {
    throw ConfigError("--resume", "needs an input file and an output file",
                      "Give them with -i FILE and -o FILE.");
  }
  for (const auto& file : {options.input, options.prefixes, options.phrases}) {
    if (file.empty() || fs::is_regular_file(file)) continue;
    throw ConfigError("--resume",
                      file.string() + " is not a regular file, so it can't be read again",
                      "Save its content to a regular file and give that.");
  }
  if (!options.attention.empty()) {
    throw ConfigError("--resume",
                      "can't be combined with --attention, which shows one session only",
                      "Leave out --resume or --attention.");
  }
}

}  // namespace tfm

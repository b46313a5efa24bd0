#include "resume_check.h"

#include <fmt/format.h>

#include <set>

#include "tfm/config/fields.h"
#include "tfm/core/checksum.h"
#include "tfm/core/error.h"
#include "tfm/model/model_files.h"
#include "tfm/tensor/runtime.h"
#include "tfm/translate/shortlist.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

std::string described(const fs::path& file) {
  const auto [bytes, crc32] = fingerprint(file);
  return fmt::format("{} bytes, CRC-32 {}", bytes, crc32);
}

/// Weights and vocabularies: config.yaml's decoding section is told by its fields, and the rest of
/// it by the weights.
std::string description_of_model(const fs::path& folder) {
  std::set<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const auto ending = entry.path().extension();
    if (entry.path().filename() == weights_file || ending == ".vocab" || ending == ".model")
      files.insert(entry.path());
  }
  std::string text;
  for (const auto& file : files)
    text += (text.empty() ? "" : "; ") + file.filename().string() + " " + described(file);
  return text;
}

}  // namespace

JobFingerprint job_fingerprint(const TranslateOptions& options, const std::vector<Model>& models) {
  JobFingerprint identity{{"version of tfm", TFM_VERSION},
                          {"input file", described(options.input)}};
  if (!options.prefixes.empty())
    identity.emplace_back("target prefix file", described(options.prefixes));
  if (!options.phrases.empty())
    identity.emplace_back("forced phrases file", described(options.phrases));
  for (const auto& model : models)
    identity.emplace_back("model", description_of_model(model.folder()));
  const auto& first = models.front();
  if (const auto file = shortlist_path(first.folder(), first.config().decoding))
    identity.emplace_back("shortlist", described(*file));
  for (const auto& field : fields()) {
    if (field.effects.contains(Effect::decoding_output))
      identity.emplace_back(field.key(), field.get(first.config()));
  }
  identity.emplace_back(
      "output format",
      fmt::format("{}, {} alignment, {} explanation", static_cast<int>(options.format),
                  options.alignment ? "with" : "no", options.explain ? "with" : "no"));
  identity.emplace_back("device", fmt::format("{}, {} threads", first.device(), thread_count()));
  return identity;
}

void check_continue(const TranslateOptions& options) {
  if (!options.go_on) return;
  if (options.input.empty() || options.output.empty()) {
    throw ConfigError("--continue", "needs an input file and an output file",
                      "Give -i FILE and -o FILE.");
  }
  for (const auto& file : {options.input, options.prefixes, options.phrases}) {
    if (file.empty() || fs::is_regular_file(file)) continue;
    throw ConfigError("--continue",
                      file.string() + " is no regular file, so it can't be read again",
                      "Write it to a file first.");
  }
  if (!options.attention.empty()) {
    throw ConfigError("--continue", "--attention shows sentences of one session only",
                      "Leave one of them out.");
  }
}

}  // namespace tfm

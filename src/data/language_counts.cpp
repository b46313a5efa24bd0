#include "tfm/data/language_counts.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/input_file.h"
#include "tfm/data/pair_stream.h"
#include "tfm/data/tagged_pairs.h"

namespace tfm {
namespace {

using nlohmann::json;

constexpr std::int64_t most_pairs = 10'000;  // of all texts together; half a second

bool is_count(const json& value) {
  constexpr std::int64_t highest = std::numeric_limits<std::uint32_t>::max();
  return value.is_number_unsigned() && value > 0 && value <= highest;
}

/// Returns the languages of a text. Without tags, they are the one pair that the model is served
/// for (resolve_tagged_pairs).
std::optional<LanguagePair> served_languages(const TrainingSet& set, const DataConfig& config) {
  const auto pair = resolve_languages(config);
  const bool is_known = !pair.source.empty() && !pair.target.empty();
  return config.tags.empty() && is_known ? std::optional(pair) : find_languages(set, config);
}

}  // namespace

LanguageCounts count_languages(const DataConfig& config) {
  LanguageCounts languages;
  const auto sets = training_sets(config);
  for (const TrainingSet& set : sets) {
    const auto pair = served_languages(set, config);
    if (!pair || std::ranges::any_of(set.files.all(), is_stream)) continue;
    PairStream pairs(set.files, BadLines::skip);
    std::string source;
    std::string target;
    for (auto left = most_pairs / std::ssize(sets); left > 0 && pairs.next(source, target);
         --left) {
      languages[pair->source].add(source);
      languages[pair->target].add(target);
    }
  }
  for (auto& [code, counts] : languages) counts.keep_most_frequent(most_ngrams);
  return languages;
}

void write_language_counts(const std::filesystem::path& folder, const LanguageCounts& languages) {
  if (languages.empty()) return;
  json file;
  for (const auto& [code, counts] : languages) {
    json& ngrams = file[code] = json::object();
    for (const auto& [ngram, count] : counts.counts()) ngrams[ngram_text(ngram)] = count;
  }
  write_file(folder / languages_file, file.dump() + "\n");
}

LanguageCounts read_language_counts(const std::filesystem::path& folder) {
  const auto path = folder / languages_file;
  if (!std::filesystem::exists(path)) return {};
  LanguageCounts languages;
  const auto file = json::parse(read_file(path), nullptr, /*allow_exceptions=*/false);
  bool is_valid = file.is_object();
  for (const auto& [code, counts] : file.items()) {
    is_valid = is_valid && counts.is_object();
    for (const auto& [text, count] : counts.items()) {
      const auto ngram = ngram_from(text);
      is_valid = is_valid && ngram && is_count(count);
      if (is_valid) languages[code].add(*ngram, count.get<std::int64_t>());
    }
  }
  if (!is_valid)
    throw ModelError(path.string(), "is malformed",
                     "Remove the file: CLD2 then identifies the languages.");
  return languages;
}

}  // namespace tfm

#include "tfm/data/tagged_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <regex>

#include "tfm/core/error.h"
#include "tfm/data/corpus.h"
#include "tfm/text/language_codes.h"
#include "tfm/tokenizer/language_tags.h"

namespace tfm {
namespace {

/// The tags of the sets of a pair, in the order of the config.
struct PairTags {
  LanguagePair languages;
  std::vector<std::string> trained;
  std::vector<std::string> validated;
};

bool has_same_bases(const LanguagePair& a, const LanguagePair& b) {
  return base_language(a.source) == base_language(b.source) &&
         base_language(a.target) == base_language(b.target);
}

bool is_known(const std::string& code) { return language_name(code) != code; }
bool is_known(const LanguagePair& pair) { return is_known(pair.source) && is_known(pair.target); }

/// Returns the languages of a name such as de-en, de_en or en-pt_BR.
std::optional<LanguagePair> languages_in_name(const std::string& name) {
  static const std::regex form(
      "([a-z]{2,3}([-_]([A-Z]{2}|[A-Z][a-z]{3}))?)[-_]([a-z]{2,3}([-_]([A-Z]{2}|[A-Z][a-z]{3}))?)");
  std::smatch parts;
  if (!std::regex_match(name, parts, form)) return std::nullopt;
  LanguagePair pair{parts[1], parts[4]};
  std::ranges::replace(pair.source, '_', '-');
  std::ranges::replace(pair.target, '_', '-');
  return pair;
}

std::optional<LanguagePair> languages_of_files(const ParallelFiles& files) {
  LanguagePair pair{language_in_name(files.source), language_in_name(files.target)};
  if (pair.source.empty() || pair.target.empty() || pair.source == pair.target) return std::nullopt;
  return pair;
}

/// Returns the languages of a set. A name adds a variant to the languages of the files; otherwise,
/// the files decide. A code without a well-known name is only the second choice, because parts
/// of names may look like codes.
std::optional<LanguagePair> languages_of_set(const std::string& name, const ParallelFiles& files) {
  const auto by_name = languages_in_name(name);
  const auto by_files = languages_of_files(files);
  if (by_name && by_files && has_same_bases(*by_name, *by_files)) return by_name;
  for (const auto& pair : {by_files, by_name}) {
    if (pair && is_known(*pair)) return pair;
  }
  return by_files ? by_files : by_name;
}

/// Returns data.source_language and data.target_language if both are set.
std::optional<LanguagePair> named_languages(const DataConfig& config) {
  if (config.source_language.empty() || config.target_language.empty()) return std::nullopt;
  return LanguagePair{config.source_language, config.target_language};
}

PairTags& find_or_add(std::vector<PairTags>& pairs, const LanguagePair& languages) {
  const auto found = std::ranges::find(pairs, languages, &PairTags::languages);
  return found == pairs.end() ? pairs.emplace_back(PairTags{languages, {}, {}}) : *found;
}

std::vector<PairTags> collect_pairs(const DataConfig& config, const std::filesystem::path& file) {
  std::vector<PairTags> pairs;
  for (const auto& set : training_sets(config)) {
    const auto languages = find_languages(set, config);
    if (!languages)
      throw ConfigError(
          file.string(),
          fmt::format("the languages of the set '{}' (data.sets) are not known", set.name),
          "Name it after its languages, such as de-en, in data.sets and data.tags, "
          "or set data.source_language and data.target_language.");
    find_or_add(pairs, *languages).trained.push_back(set.tag);
  }
  auto validation = extra_valid_files(config);
  validation.emplace(validation.begin(), "valid", valid_files(config));
  for (const auto& [name, files] : validation) {
    if (const auto languages = languages_of_set(name, files))
      find_or_add(pairs, *languages).validated.push_back(tag_of(config, name));
  }
  return pairs;
}

bool contains(const std::vector<std::string>& tags, const std::string& tag) {
  return std::ranges::find(tags, tag) != tags.end();
}

/// Returns the tag that genuine text of a pair has.
std::string choose_tag(const PairTags& pair) {
  for (const auto& tag : pair.validated) {
    if (pair.trained.empty() || contains(pair.trained, tag)) return tag;
  }
  return contains(pair.trained, "") ? "" : pair.trained.front();
}

/// Returns the tag of a pair that decoding names, or nullopt if it names another.
std::optional<std::string> find_tag(const PairTags& pair, const DecodingConfig& decoding) {
  for (const auto* tags : {&pair.trained, &pair.validated}) {
    for (const auto& tag : *tags) {
      const auto& target = decoding.target_language;
      const bool is_wanted = target.empty()
                                 ? tag == decoding.source_tag
                                 : is_tag_of_language(tag, TagKind::target_in_source, target);
      if (is_wanted) return tag;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<LanguagePair> find_languages(const TrainingSet& set, const DataConfig& config) {
  const auto languages = languages_of_set(set.name, set.files);
  return languages ? languages : named_languages(config);
}

std::vector<TaggedPair> resolve_tagged_pairs(const Config& config,
                                             const std::filesystem::path& file) {
  const auto& data = config.data;
  const auto& decoding = config.decoding;
  const bool is_limited = !decoding.source_tag.empty() || !decoding.target_language.empty();
  std::vector<TaggedPair> all;
  if (!data.tags.empty()) {
    auto pairs = collect_pairs(data, file);
    if (pairs.size() == 1 && !data.source_language.empty())
      pairs.front().languages.source = data.source_language;
    if (pairs.size() == 1 && !data.target_language.empty())
      pairs.front().languages.target = data.target_language;
    for (const auto& pair : pairs) {
      if (!is_limited) {
        all.push_back({pair.languages, {choose_tag(pair)}});
      } else if (const auto tag = find_tag(pair, decoding)) {
        all.push_back({pair.languages, {*tag}});
      }
    }
  }
  if (all.empty()) all.push_back({require_languages(data, file), {decoding.source_tag}});
  return all;
}

}  // namespace tfm

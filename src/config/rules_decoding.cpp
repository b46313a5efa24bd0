#include <regex>

#include "rules.h"

namespace tfm {
namespace {

void check_beam(const DecodingConfig& decoding, Violations& found) {
  if (decoding.n_best > decoding.beam_size && !decoding.sampling) {
    found.push_back({{"decoding.n_best", "decoding.beam_size"},
                     "a beam of " + std::to_string(decoding.beam_size) + " does not hold " +
                         std::to_string(decoding.n_best) + " translations",
                     "raise beam_size or lower n_best"});
  }
  if (decoding.beam_size % decoding.beam_groups != 0) {
    found.push_back({{"decoding.beam_groups", "decoding.beam_size"},
                     "a beam of " + std::to_string(decoding.beam_size) + " is not divided by " +
                         std::to_string(decoding.beam_groups) + " groups",
                     "make beam_size a multiple of beam_groups"});
  }
  if (decoding.min_length > decoding.max_length) {
    found.push_back({{"decoding.min_length", "decoding.max_length"},
                     "no translation is as long as " + std::to_string(decoding.min_length) +
                         " and no longer than " + std::to_string(decoding.max_length),
                     "lower min_length or raise max_length"});
  }
}

void check_files(const DecodingConfig& decoding, Violations& found) {
  if (!decoding.unknown_dictionary.empty() && !decoding.replace_unknown) {
    found.push_back({{"decoding.unknown_dictionary", "decoding.replace_unknown"},
                     "no unknown word is replaced",
                     "set replace_unknown to true, or name no dictionary"});
  }
  if (decoding.shortlist != "none" && decoding.reproducible) {
    found.push_back({{"decoding.shortlist", "decoding.reproducible"},
                     "what a shortlist offers a line depends on the lines translated with it",
                     "set shortlist to none or reproducible to false"});
  }
}

/// Fields that nothing is drawn by.
void check_search(const DecodingConfig& decoding, Violations& found) {
  const auto refuse = [&](const char* key) {
    found.push_back({{key, "decoding.sampling"},
                     "nothing is drawn, so it has no effect",
                     "set sampling to true"});
  };
  if (decoding.sampling_topk > 0) refuse("decoding.sampling_topk");
  if (decoding.sampling_topp < 1) refuse("decoding.sampling_topp");
  if (decoding.temperature != 1) refuse("decoding.temperature");
}

/// Fields that only a search can follow.
void check_sampling(const DecodingConfig& decoding, Violations& found) {
  if (decoding.beam_groups > 1) {
    found.push_back({{"decoding.beam_groups", "decoding.sampling"},
                     "sampling has no beam to divide",
                     "set one of them to its default"});
  }
  if (decoding.coverage_penalty > 0) {
    found.push_back({{"decoding.coverage_penalty", "decoding.sampling"},
                     "sampling compares no hypotheses",
                     "set one of them to its default"});
  }
  if (!decoding.forced_phrases.empty()) {
    found.push_back({{"decoding.forced_phrases", "decoding.sampling"},
                     "only beam search can force phrases",
                     "set sampling to false or force none"});
  }
}

}  // namespace

void check_decoding(const DecodingConfig& decoding, Violations& found) {
  static const std::regex head("auto|mean|[0-9]{1,9}(:[0-9]{1,9})?");
  if (!std::regex_match(decoding.alignment_head, head)) {
    found.push_back({{"decoding.alignment_head"},
                     "'" + decoding.alignment_head + "' is no choice of heads",
                     "use auto, mean, LAYER or LAYER:HEAD"});
  }
  check_beam(decoding, found);
  check_files(decoding, found);
  decoding.sampling ? check_sampling(decoding, found) : check_search(decoding, found);
}

}  // namespace tfm

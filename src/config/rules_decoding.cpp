#include <regex>

#include "rules.h"

namespace tfm {
namespace {

void check_beam(const DecodingConfig& decoding, Violations& found) {
  if (decoding.n_best > decoding.beam_size && !decoding.sampling) {
    found.push_back({{"decoding.n_best", "decoding.beam_size"},
                     "a beam of " + std::to_string(decoding.beam_size) + " cannot give " +
                         std::to_string(decoding.n_best) + " translations",
                     "raise beam_size or lower n_best"});
  }
  if (decoding.beam_size % decoding.beam_groups != 0) {
    found.push_back({{"decoding.beam_groups", "decoding.beam_size"},
                     "a beam of " + std::to_string(decoding.beam_size) +
                         " cannot be divided into " + std::to_string(decoding.beam_groups) +
                         " groups",
                     "make beam_size a multiple of beam_groups"});
  }
  if (decoding.min_length > decoding.max_length) {
    found.push_back({{"decoding.min_length", "decoding.max_length"},
                     "the shortest length, " + std::to_string(decoding.min_length) +
                         ", is above the longest, " + std::to_string(decoding.max_length),
                     "lower min_length or raise max_length"});
  }
}

void check_files(const DecodingConfig& decoding, Violations& found) {
  if (!decoding.unknown_dictionary.empty() && !decoding.replace_unknown) {
    found.push_back({{"decoding.unknown_dictionary", "decoding.replace_unknown"},
                     "the dictionary is not used, because unknown words are not replaced",
                     "set replace_unknown to true, or remove unknown_dictionary"});
  }
  if (decoding.shortlist != "none" && decoding.reproducible) {
    found.push_back(
        {{"decoding.shortlist", "decoding.reproducible"},
         "the tokens that a shortlist allows for a line depend on the other lines of the batch",
         "set shortlist to none or reproducible to false"});
  }
}

/// Rejects sampling fields that differ from their defaults, because they have no effect on beam
/// search. The exception is decoding.seed, which may be set but is ignored.
void reject_sampling_fields(const DecodingConfig& decoding, Violations& found) {
  const auto refuse = [&](const char* key) {
    found.push_back(
        {{key, "decoding.sampling"}, "it has an effect only on sampling", "set sampling to true"});
  };
  if (decoding.sampling_topk > 0) refuse("decoding.sampling_topk");
  if (decoding.sampling_topp < 1) refuse("decoding.sampling_topp");
  if (decoding.temperature != 1) refuse("decoding.temperature");
}

/// Rejects beam groups, a coverage penalty and forced phrases, which sampling does not support.
void reject_beam_fields(const DecodingConfig& decoding, Violations& found) {
  if (decoding.beam_groups > 1) {
    found.push_back({{"decoding.beam_groups", "decoding.sampling"},
                     "sampling has no beam that could be divided into groups",
                     "set one of them to its default"});
  }
  if (decoding.coverage_penalty > 0) {
    found.push_back({{"decoding.coverage_penalty", "decoding.sampling"},
                     "sampling does not compare hypotheses",
                     "set one of them to its default"});
  }
  if (!decoding.forced_phrases.empty()) {
    found.push_back({{"decoding.forced_phrases", "decoding.sampling"},
                     "only beam search can force phrases",
                     "set sampling to false, or remove forced_phrases"});
  }
}

}  // namespace

void check_decoding(const DecodingConfig& decoding, Violations& found) {
  static const std::regex head("auto|mean|[0-9]{1,9}(:[0-9]{1,9})?");
  if (!std::regex_match(decoding.alignment_head, head)) {
    found.push_back({{"decoding.alignment_head"},
                     "'" + decoding.alignment_head + "' does not select attention heads",
                     "use auto, mean, LAYER or LAYER:HEAD"});
  }
  check_beam(decoding, found);
  check_files(decoding, found);
  decoding.sampling ? reject_beam_fields(decoding, found) : reject_sampling_fields(decoding, found);
}

}  // namespace tfm

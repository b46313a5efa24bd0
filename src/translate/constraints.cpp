#include "tfm/translate/constraints.h"

#include "tfm/core/error.h"

namespace tfm {
namespace {

/// Encodes a text. Throws E with the location `where` if the vocabulary does not cover all of the
/// text.
template <class E>
TokenIds encode_known(const Tokenizer& target, const std::string& text, const std::string& where) {
  std::vector<std::string> unknown;
  auto ids = target.encode(text, &unknown);
  if (unknown.empty()) return ids;
  throw E(where, "'" + unknown.front() + "' is not in the target vocabulary",
          "Write the text as it is written in the training data, or remove it.");
}

template <class E>
void add_phrases(const Tokenizer& target, const std::vector<std::string>& texts,
                 const std::string& where, Constraints& constraints) {
  for (const std::string& text : texts) {
    auto ids = encode_known<E>(target, text, where);
    if (!ids.empty()) constraints.forced.push_back(std::move(ids));
  }
}

}  // namespace

ConstraintEncoder::ConstraintEncoder(const Tokenizer& target, const DecodingConfig& decoding)
    : target_(target) {
  general_.prefix =
      encode_known<ConfigError>(target, decoding.target_prefix, "decoding.target_prefix");
  add_phrases<ConfigError>(target, decoding.forced_phrases, "decoding.forced_phrases", general_);
  for (const std::string& text : decoding.forbidden_phrases) {
    std::vector<std::string> unknown;
    auto ids = target.encode(text, &unknown);
    if (unknown.empty() && !ids.empty()) general_.forbidden.push_back(std::move(ids));
  }
}

Constraints ConstraintEncoder::encode(const LineConstraints& constraints, std::int64_t line) const {
  Constraints result = general_;
  const std::string where = "line " + std::to_string(line);
  if (!constraints.prefix.empty())
    result.prefix = encode_known<DataError>(target_, constraints.prefix, where + ", target prefix");
  add_phrases<DataError>(target_, constraints.forced_phrases, where + ", forced phrases", result);
  return result;
}

}  // namespace tfm

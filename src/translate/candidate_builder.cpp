#include "candidate_builder.h"

#include <algorithm>

#include "tfm/text/sentences.h"

namespace tfm {
namespace {

void append_explanation(Candidate& candidate, const Hypothesis& hypothesis,
                        const Tokenizer& target) {
  for (std::size_t i = 0; i < hypothesis.alternatives.size(); ++i) {
    const TokenId id = i < hypothesis.tokens.size() ? hypothesis.tokens[i] : target.special().eos;
    ExplainedToken& token = candidate.explanation.emplace_back(
        ExplainedToken{target.piece(id), hypothesis.token_log_probs[i], {}});
    for (const ScoredToken& other : hypothesis.alternatives[i])
      token.alternatives.emplace_back(target.piece(other.token), other.log_prob);
  }
}

}  // namespace

void append_segment(Translation& result, const Segment& segment,
                    const std::vector<Hypothesis>& hypotheses, const Tokenizer& target) {
  const bool first = result.candidates.empty();
  if (first) result.candidates.resize(hypotheses.size());
  result.candidates.resize(std::min(result.candidates.size(), hypotheses.size()));
  for (std::size_t i = 0; i < result.candidates.size(); ++i) {
    auto& candidate = result.candidates[i];
    const auto text = target.decode(hypotheses[i].tokens);
    const auto separator = sentence_separator(candidate.text, segment.gap, text);
    const bool joined = separator.empty() && !candidate.text.empty();
    candidate.text.append(separator).append(text);
    candidate.log_prob += hypotheses[i].log_prob;
    candidate.score = first ? hypotheses[i].score : std::min(candidate.score, hypotheses[i].score);
    for (const TokenId id : hypotheses[i].tokens) candidate.tokens.push_back(target.piece(id));
    // The last one may be that of eos; there are none without scores.
    const auto& log_probs = hypotheses[i].token_log_probs;
    const auto count = std::min(std::ssize(log_probs), std::ssize(hypotheses[i].tokens));
    candidate.token_log_probs.insert(candidate.token_log_probs.end(), log_probs.begin(),
                                     log_probs.begin() + count);
    append_explanation(candidate, hypotheses[i], target);
    candidate.parts.push_back({segment.source, hypotheses[i].tokens, segment.target_tag,
                               segment.part > 0 && segment.gap.empty(), joined});
  }
}

}  // namespace tfm

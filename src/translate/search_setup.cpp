#include "search_setup.h"

#include "tfm/model/model_files.h"
#include "tfm/search/penalties.h"
#include "tfm/tokenizer/required_piece.h"

namespace tfm {
namespace {

/// Returns true if the keys and values of the model can be in an IndirectKvCache. A coverage
/// penalty requires another cache.
bool has_indirect_cache(TranslationModel& model, const DecodingConfig& decoding) {
  return decoding.coverage_penalty == 0 && model.network->supports_indirect_cache();
}

}  // namespace

SearchSetup::SearchSetup(const std::vector<TranslationModel*>& models,
                         const DecodingConfig& decoding, const SentenceFrame& frame)
    : models_(models),
      model_(*models_.front()),
      decoding_(decoding),
      frame_(frame),
      stop_(require_piece(*model_.tokenizers.target, decoding.stop_token, stop_token_field)
                .value_or(-1)),
      shortlist_(load_shortlist(model_.folder, model_.tokenizers, decoding)),
      inference_(
          models_, decoding,
          {.batch_invariant = decoding.reproducible, .selects_tokens = shortlist_.has_value()}) {
  // Kernels that process several sentences may choose their algorithm by batch size and padding.
  // With such kernels, only batches of one segment are reproducible. An IndirectKvCache computes
  // the attention of each row separately, and PackedWeights multiplies each row alike.
  for (TranslationModel* model : models_)
    one_segment_per_batch_ |= decoding.reproducible && !has_indirect_cache(*model, decoding);
}

bool SearchSetup::can_join() const {
  // A shortlist holds the tokens that the sentences of a batch need at its start.
  return !shortlist_ && std::ranges::all_of(models_, [this](TranslationModel* model) {
    return has_indirect_cache(*model, decoding_);
  });
}

/// Returns SearchRequest::forbidden.
TokenIds SearchSetup::forbidden_tokens() const {
  const auto& special = model_.tokenizers.target->special();
  TokenIds tokens = frame_.target_tags();
  for (const TokenId id :
       {special.pad, special.bos, decoding_.replace_unknown ? -1 : special.unk}) {
    if (id >= 0) tokens.push_back(id);
  }
  return tokens;
}

TokenIds SearchSetup::banned_after_prefix(const Segment& segment) const {
  const auto& constraints = segment.constraints;
  TokenIds banned = forbidden_tokens();
  ban_phrases(constraints.prefix, constraints.forbidden, banned);
  ban_repeated_ngrams(constraints.prefix, decoding_.no_repeat_ngram_size, banned);
  if (stop_ >= 0) banned.push_back(stop_);
  return banned;
}

SearchRequest SearchSetup::make_search_request(std::span<const Segment* const> segments,
                                               const TranslationRequest& request) const {
  SearchRequest result;
  const auto& special = model_.tokenizers.target->special();
  result.bos = special.bos;
  result.eos = special.eos;
  result.stop = stop_;
  result.alternatives = request.alternatives;
  result.scores = request.scores || request.words || request.next_words > 0;
  result.forbidden = forbidden_tokens();
  bool constraints = false;
  for (const Segment* segment : segments) {
    result.max_lengths.push_back(segment->max_length);
    if (segment->target_tag) result.target_tags.push_back(*segment->target_tag);
    result.source_lengths.push_back(std::ssize(segment->source.ids));
    const auto line = static_cast<std::uint64_t>(request.first_line) + segment->line;
    result.streams.push_back((line << 16) + segment->part);  // one stream per segment
    result.constraints.push_back(segment->constraints);
    constraints |= !(segment->constraints.prefix.empty() && segment->constraints.forced.empty() &&
                     segment->constraints.forbidden.empty());
  }
  if (!constraints) result.constraints.clear();
  return result;
}

std::string SearchSetup::weights_files() const {
  std::string files;
  for (const TranslationModel* model : models_) {
    if (model->folder.empty()) continue;
    files += (files.empty() ? "" : ", ") + (model->folder / weights_file).string();
  }
  return files;
}

}  // namespace tfm

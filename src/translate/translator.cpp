#include "tfm/translate/translator.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/data/batcher.h"
#include "tfm/model/batch.h"
#include "tfm/search/ensemble.h"
#include "tfm/search/search.h"
#include "tfm/text/line_breaks.h"
#include "tfm/text/sentences.h"
#include "tfm/text/utf8.h"
#include "tfm/translate/batch_workers.h"
#include "tfm/translate/ensemble.h"
#include "tfm/translate/postprocessor.h"
#include "tfm/translate/shortlist_vocabulary.h"
#include "tfm/translate/transformer_step_model.h"

namespace tfm {
namespace {

/// Tokens of a piece, its end mark not counted: what every model takes.
int64_t source_limit(const std::vector<TranslationModel*>& models) {
  auto limit = std::numeric_limits<int64_t>::max();
  for (const TranslationModel* model : models) {
    const auto& data = model->config.data;
    limit = std::min(limit,
                     std::max<int64_t>(1, data.resolved_max_length() - (data.source_eos ? 1 : 0)));
  }
  return limit;
}

/// Whether the network translates each row on the CPU by itself but for its products, which
/// PackedWeights makes batch-invariant.
bool is_batch_invariant(TranslationModel& model, const DecodingConfig& decoding) {
  return decoding.coverage_penalty == 0 &&
         model.network->supports_indirect_cache(
             torch::empty({1, 0}, torch::TensorOptions(model.device).dtype(torch::kInt64)));
}

/// -1 where none is named.
TokenId stop_token(const Tokenizer& target, const std::string& piece) {
  if (piece.empty()) return -1;
  if (const auto id = find_piece(target, piece)) return *id;
  throw ConfigError("decoding.stop_token", "the target vocabulary has no token '" + piece + "'",
                    "Name a token as the vocabulary file spells it.");
}

std::vector<TranslationModel*> checked(std::vector<TranslationModel*> models) {
  check_ensemble(models);
  return models;
}

}  // namespace

Translator::Translator(TranslationModel& model, const DecodingConfig& decoding)
    : Translator(std::vector{&model}, decoding) {}

Translator::Translator(std::vector<TranslationModel*> models, const DecodingConfig& decoding)
    : models_(checked(std::move(models))),
      model_(*models_.front()),
      decoding_(decoding),
      stop_(stop_token(*model_.tokenizers.target, decoding.stop_token)),
      wishes_(*model_.tokenizers.target, decoding),
      finisher_(std::make_unique<Postprocessor>(decoding, *model_.tokenizers.target)),
      divider_(*model_.tokenizers.source, source_limit(models_), decoding.split_sentences),
      target_limit_(decoding.max_length),
      inference_(models_, decoding, decoding.reproducible),
      shortlist_(load_shortlist(model_.folder, model_.tokenizers, decoding)) {
  for (TranslationModel* model : models_) {
    const auto& config = model->config;
    // A kernel that sees several sentences may choose its way by their number and their padding.
    alone_ |= decoding.reproducible && !is_batch_invariant(*model, decoding);
    // Learned positions have max_positions rows, one of them taken by bos.
    if (config.model.positions == Positions::learned)
      target_limit_ = std::min(target_limit_, config.model.max_positions - 1);
  }
}

Translator::~Translator() = default;

std::vector<Translator::Segment> Translator::encode(const std::vector<std::string>& lines,
                                                    const TranslationRequest& request,
                                                    std::vector<Translation>& results) const {
  std::vector<Segment> pieces;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    auto& result = results[i];
    result.repaired = invalid_utf8(lines[i]).has_value();
    auto divided = divider_.divide(result.repaired ? repair_utf8(lines[i]) : lines[i]);
    auto& parts = divided.parts;
    result.unknown = std::move(divided.unknown);
    result.too_long = divided.too_long;
    result.parts = std::max<int64_t>(1, std::ssize(parts));
    if (parts.empty()) result.candidates.emplace_back();
    for (std::size_t part = 0; part < parts.size(); ++part) {
      Segment piece{i, part, std::move(parts[part].gap), std::move(parts[part].ids), {}, 0};
      if (model_.config.data.source_eos)
        piece.ids.push_back(model_.tokenizers.source->special().eos);
      add_wishes(piece, request);
      pieces.push_back(std::move(piece));
    }
  }
  return pieces;
}

/// A long line's first part begins as the line shall, and holds what it shall.
void Translator::add_wishes(Segment& piece, const TranslationRequest& request) const {
  const int64_t number = request.first_line + static_cast<int64_t>(piece.line) + 1;
  if (piece.part > 0) {
    piece.constraints.forbidden = wishes_.general().forbidden;
  } else {
    piece.constraints = request.constraints.empty()
                            ? wishes_.general()
                            : wishes_.of(request.constraints[piece.line], number);
  }
  TokenIds wanted = piece.constraints.prefix;
  for (const auto& phrase : piece.constraints.forced)
    wanted.insert(wanted.end(), phrase.begin(), phrase.end());
  if (stop_ >= 0 && std::ranges::find(wanted, stop_) != wanted.end()) {
    throw DataError("line " + std::to_string(number),
                    "target prefix or forced phrases hold the stop token, which would end the "
                    "translation there",
                    "Leave it out of them, or set another decoding.stop_token.");
  }
  const auto needed = std::ssize(wanted);
  if (needed > target_limit_) {
    throw DataError("line " + std::to_string(number),
                    "target prefix and forced phrases have " + std::to_string(needed) +
                        " tokens, and a translation at most " + std::to_string(target_limit_),
                    "Ask for less, or raise decoding.max_length.");
  }
  const auto by_source =
      static_cast<int64_t>(decoding_.max_length_factor * static_cast<double>(piece.ids.size())) +
      10;
  piece.max_length = std::min(target_limit_, std::max(by_source, needed));
}

SearchRequest Translator::make_search_request(const std::vector<const Segment*>& batch,
                                              const TranslationRequest& request) const {
  SearchRequest spec;
  const auto& special = model_.tokenizers.target->special();
  spec.bos = special.bos;
  spec.eos = special.eos;
  spec.stop = stop_;
  spec.alternatives = request.alternatives;
  for (const TokenId id :
       {special.pad, special.bos, decoding_.replace_unknown ? -1 : special.unk}) {
    if (id >= 0) spec.forbidden.push_back(id);
  }
  bool constraints = false;
  for (const Segment* piece : batch) {
    spec.max_lengths.push_back(piece->max_length);
    spec.source_lengths.push_back(static_cast<int64_t>(piece->ids.size()));
    const auto line = static_cast<uint64_t>(request.first_line) + piece->line;
    spec.streams.push_back((line << 16) + piece->part);  // parts of a line draw differently
    spec.constraints.push_back(piece->constraints);
    constraints |= !(piece->constraints.prefix.empty() && piece->constraints.forced.empty() &&
                     piece->constraints.forbidden.empty());
  }
  if (!constraints) spec.constraints.clear();
  return spec;
}

SearchResult Translator::search(const std::vector<const Segment*>& batch,
                                const TranslationRequest& request) {
  std::vector<TokenIds> rows;
  rows.reserve(batch.size());
  for (const Segment* piece : batch) rows.push_back(piece->ids);
  const auto source = pad_sequences(rows, model_.tokenizers.source->special().pad);
  auto spec = make_search_request(batch, request);
  std::optional<ShortlistVocabulary> local;
  if (shortlist_) {
    local.emplace(shortlist_->of(rows), spec, model_.tokenizers.target->size());
    spec = local->local(std::move(spec));
  }
  std::vector<std::unique_ptr<StepModel>> steps;
  const StepOptions options{
      .wants_attention = decoding_.coverage_penalty > 0,
      .tokens = local ? std::span(local->tokens()) : std::span<const TokenId>()};
  for (TranslationModel* model : models_)
    steps.push_back(
        std::make_unique<TransformerStepModel>(model->network, source.to(model->device), options));
  auto found = run_search(std::move(steps), spec);
  return local ? local->global(std::move(found)) : found;
}

SearchResult Translator::run_search(std::vector<std::unique_ptr<StepModel>> steps,
                                    const SearchRequest& spec) const {
  if (steps.size() == 1) return tfm::search(*steps.front(), spec, decoding_);
  EnsembleStepModel together(std::move(steps), decoding_.ensemble_mean);
  return tfm::search(together, spec, decoding_);
}

/// The parts of a long line are joined candidate by candidate; their log-probabilities add up.
void Translator::append_segment(Translation& result, const Segment& piece,
                                const std::vector<Hypothesis>& hypotheses) const {
  const auto& tokenizer = *model_.tokenizers.target;
  const bool first = result.candidates.empty();
  if (first) result.candidates.resize(hypotheses.size());
  result.candidates.resize(std::min(result.candidates.size(), hypotheses.size()));
  for (std::size_t i = 0; i < result.candidates.size(); ++i) {
    auto& candidate = result.candidates[i];
    // a byte token may spell a line's end
    const auto text = replace_line_breaks(tokenizer.decode(hypotheses[i].tokens));
    const auto separator = sentence_separator(candidate.text, piece.gap, text);
    const bool joined = separator.empty() && !candidate.text.empty();
    candidate.text.append(separator).append(text);
    candidate.log_prob += hypotheses[i].log_prob;
    candidate.score = first ? hypotheses[i].score : std::min(candidate.score, hypotheses[i].score);
    for (const TokenId id : hypotheses[i].tokens) candidate.tokens.push_back(tokenizer.piece(id));
    explain(candidate, hypotheses[i]);
    candidate.parts.push_back(
        {piece.ids, hypotheses[i].tokens, piece.part > 0 && piece.gap.empty(), joined});
  }
}

void Translator::explain(Candidate& candidate, const Hypothesis& hypothesis) const {
  const auto& tokenizer = *model_.tokenizers.target;
  for (std::size_t i = 0; i < hypothesis.alternatives.size(); ++i) {
    const TokenId id =
        i < hypothesis.tokens.size() ? hypothesis.tokens[i] : tokenizer.special().eos;
    ExplainedToken& token = candidate.explanation.emplace_back(
        ExplainedToken{tokenizer.piece(id), hypothesis.token_log_probs[i], {}});
    for (const ScoredToken& other : hypothesis.alternatives[i])
      token.alternatives.emplace_back(tokenizer.piece(other.token), other.log_prob);
  }
}

/// Numbers of pieces, those of like length together.
std::vector<std::vector<int64_t>> Translator::batches(const std::vector<Segment>& pieces) const {
  std::vector<int64_t> lengths;
  lengths.reserve(pieces.size());
  for (const auto& piece : pieces) lengths.push_back(static_cast<int64_t>(piece.ids.size()));
  return alone_ ? length_sorted_batches(lengths, BatchType::sentences, 1)
                : length_sorted_batches(lengths, decoding_.batch_type, decoding_.batch_size);
}

std::vector<Translation> Translator::translate(const std::vector<std::string>& lines,
                                               const TranslationRequest& request) {
  const auto plain = finisher_->plain(lines);
  auto results = translate_segments(plain, request);
  finisher_->finish(model_, plain, results);
  return results;
}

std::vector<Translation> Translator::translate_segments(const std::vector<std::string>& lines,
                                                        const TranslationRequest& request) {
  const Inference::Use use(inference_);
  std::vector<Translation> results(lines.size());
  const auto pieces = encode(lines, request, results);

  std::vector<std::vector<Hypothesis>> found(pieces.size());
  const auto all = batches(pieces);
  for_each_batch(all.size(), inference_, [&](std::size_t number) {
    if (request.interruptible) throw_if_interrupted("translating");
    const auto& batch = all[number];
    std::vector<const Segment*> members;
    members.reserve(batch.size());
    for (const int64_t i : batch) members.push_back(&pieces[static_cast<std::size_t>(i)]);
    auto result = search(members, request);
    for (std::size_t i = 0; i < batch.size(); ++i)
      found[static_cast<std::size_t>(batch[i])] = std::move(result[i]);
  });
  for (std::size_t i = 0; i < pieces.size(); ++i)
    append_segment(results[pieces[i].line], pieces[i], found[i]);
  return results;
}

}  // namespace tfm

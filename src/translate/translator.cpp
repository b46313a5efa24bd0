#include "tfm/translate/translator.h"

#include <algorithm>

#include "tfm/core/error.h"
#include "tfm/data/batch.h"
#include "tfm/data/batcher.h"
#include "tfm/nn/evaluation_mode.h"
#include "tfm/nn/ops/precision.h"
#include "tfm/search/beam_search.h"
#include "tfm/search/greedy.h"
#include "tfm/text/utf8.h"
#include "tfm/translate/transformer_step.h"

namespace tfm {
namespace {

/// Parts of nearly equal length, none longer than limit.
std::vector<TokenIds> split_evenly(const TokenIds& ids, int64_t limit) {
  const auto size = static_cast<int64_t>(ids.size());
  const int64_t parts = std::max<int64_t>(1, (size + limit - 1) / limit);
  std::vector<TokenIds> result;
  for (int64_t i = 0; i < parts; ++i) result.emplace_back(ids.begin() + size * i / parts, ids.begin() + size * (i + 1) / parts);
  return result;
}

/// -1 where none is named.
TokenId stop_token(const Tokenizer& target, const std::string& piece) {
  if (piece.empty()) return -1;
  if (const auto id = find_piece(target, piece)) return *id;
  throw ConfigError("decoding.stop_token", "the target vocabulary has no token '" + piece + "'", "Name a token as the vocabulary file spells it.");
}

/// What decoding.precision means for this model where it is.
ProductFormat product_format(const DecodingConfig& decoding, const TranslationModel& model) {
  switch (decoding.precision) {
    case DecodingPrecision::automatic:
      return wants_bf16(Precision::automatic, model.device, model.config.model.hidden_size) ? ProductFormat::bf16 : ProductFormat::fp32;
    case DecodingPrecision::fp32:
      return ProductFormat::fp32;
    case DecodingPrecision::bf16:
      return ProductFormat::bf16;
    case DecodingPrecision::int8:
      break;
  }
  if (!model.device.is_cpu()) throw ConfigError("decoding.precision", "int8 runs on the CPU only", "Use bf16, or --device cpu.");
  return ProductFormat::int8;
}

}  // namespace

std::string repair_utf8(std::string_view text) {
  std::string result;
  while (true) {
    const auto bad = invalid_utf8(text);
    if (!bad.has_value()) break;
    result.append(text.substr(0, bad.value())).append("\xEF\xBF\xBD");
    text.remove_prefix(bad.value() + 1);
  }
  return result.append(text);
}

Translator::Translator(TranslationModel& model, const DecodingConfig& decoding)
    : model_(model), decoding_(decoding), stop_(stop_token(*model.tokenizers.target, decoding.stop_token)) {
  const auto format = product_format(decoding, model);
  bf16_on_device_ = !model.device.is_cpu() && format == ProductFormat::bf16;
  if (model.device.is_cpu()) weights_.emplace(format);
}

std::vector<Translator::Piece> Translator::encode(const std::vector<std::string>& lines, std::vector<Translation>& results) const {
  const auto& tokenizer = *model_.tokenizers.source;
  const bool eos = model_.config.data.source_eos;
  const int64_t limit = std::max<int64_t>(1, model_.config.data.resolved_max_length() - (eos ? 1 : 0));
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    auto& result = results[i];
    result.repaired = invalid_utf8(lines[i]).has_value();
    const auto ids = tokenizer.encode(result.repaired ? repair_utf8(lines[i]) : lines[i], &result.unknown);
    if (ids.empty()) {
      result.candidates.emplace_back();
      continue;
    }
    auto parts = split_evenly(ids, limit);
    result.parts = static_cast<int64_t>(parts.size());
    for (auto& part : parts) {
      if (eos) part.push_back(tokenizer.special().eos);
      pieces.push_back({i, std::move(part)});
    }
  }
  return pieces;
}

SearchResult Translator::search(const std::vector<const Piece*>& batch) {
  std::vector<TokenIds> rows;
  SearchSpec spec;
  const auto& special = model_.tokenizers.target->special();
  spec.bos = special.bos;
  spec.eos = special.eos;
  spec.stop = stop_;
  for (const TokenId id : {special.pad, special.bos, special.unk}) {
    if (id >= 0) spec.forbidden.push_back(id);
  }
  // Learned positions have max_positions rows, one of them taken by bos.
  const int64_t cap = model_.config.model.positions == Positions::learned ? model_.config.model.max_positions - 1 : decoding_.max_length;
  for (const Piece* piece : batch) {
    const auto by_source = static_cast<int64_t>(decoding_.max_length_factor * static_cast<double>(piece->ids.size())) + 10;
    spec.max_lengths.push_back(std::min({decoding_.max_length, by_source, cap}));
    rows.push_back(piece->ids);
  }
  const auto source = pad_rows(rows, model_.tokenizers.source->special().pad).to(model_.device);
  TransformerStep step(model_.network, source, model_.tokenizers.target->size());
  return decoding_.beam_size == 1 ? greedy_search(step, spec, decoding_) : beam_search(step, spec, decoding_);
}

/// The parts of a long line are joined candidate by candidate; their log-probabilities add up.
void Translator::add_part(Translation& result, const Piece& piece, const std::vector<Hypothesis>& hypotheses) const {
  const auto& tokenizer = *model_.tokenizers.target;
  const bool first = result.candidates.empty();
  if (first) result.candidates.resize(hypotheses.size());
  result.candidates.resize(std::min(result.candidates.size(), hypotheses.size()));
  for (std::size_t i = 0; i < result.candidates.size(); ++i) {
    auto& candidate = result.candidates[i];
    auto text = tokenizer.decode(hypotheses[i].tokens);
    std::replace(text.begin(), text.end(), '\n', ' ');  // a byte token may spell one: a line stays a line
    if (!first && !candidate.text.empty() && !text.empty()) candidate.text += ' ';
    candidate.text += text;
    candidate.log_prob += hypotheses[i].log_prob;
    candidate.score = first ? hypotheses[i].score : std::min(candidate.score, hypotheses[i].score);
    for (const TokenId id : hypotheses[i].tokens) candidate.tokens.push_back(tokenizer.piece(id));
    candidate.parts.push_back({piece.ids, hypotheses[i].tokens});
  }
}

std::vector<Translation> Translator::translate(const std::vector<std::string>& lines) {
  const torch::InferenceMode inference;
  const EvaluationMode evaluation(*model_.network);
  std::optional<InferenceWeights::Use> laid_out;
  if (weights_) laid_out.emplace(*weights_);
  const Bf16Products products(bf16_on_device_);
  std::vector<Translation> results(lines.size());
  const auto pieces = encode(lines, results);

  std::vector<int64_t> lengths;
  lengths.reserve(pieces.size());
  for (const auto& piece : pieces) lengths.push_back(static_cast<int64_t>(piece.ids.size()));
  std::vector<std::vector<Hypothesis>> found(pieces.size());
  for (const auto& batch : batches_by_length(lengths, decoding_.batch_type, decoding_.batch_size)) {
    std::vector<const Piece*> members;
    members.reserve(batch.size());
    for (const int64_t i : batch) members.push_back(&pieces[i]);
    auto result = search(members);
    for (std::size_t i = 0; i < batch.size(); ++i) found[batch[i]] = std::move(result[i]);
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) add_part(results[pieces[i].line], pieces[i], found[i]);
  return results;
}

}  // namespace tfm

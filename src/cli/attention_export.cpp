#include "attention_export.h"

#include <utility>

#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/translate/alignment.h"
#include "tfm/translate/attention.h"

namespace tfm {
namespace {

constexpr std::size_t most_sentences = 100;

std::string supported_ending(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  if (ending == ".html" || ending == ".svg" || ending == ".json") return ending;
  throw ConfigError("--attention", "'" + file.string() + "' has no known file format",
                    "Give a file name that ends in .html, .svg or .json.");
}

AttentionWeights to_page(AttentionArray array) {
  return {array.layers, array.heads, array.rows, array.columns, std::move(array.values)};
}

std::vector<std::string> pieces(const Tokenizer& tokenizer, const TokenIds& ids) {
  std::vector<std::string> result;
  for (const TokenId id : ids) result.push_back(tokenizer.piece(id));
  return result;
}

}  // namespace

SentenceAttention sentence_attention(Model& model, const EncodedPair& pair) {
  const auto& target = *model.tokenizers().target;
  auto attention = compute_pair_attention(model, pair);
  SentenceAttention sentence;
  sentence.source = pieces(*model.tokenizers().source, pair.source.ids);
  sentence.target_input = pieces(target, decoder_input(pair, target.special().bos));
  sentence.target_output.assign(sentence.target_input.begin() + 1, sentence.target_input.end());
  sentence.target_output.push_back(target.piece(target.special().eos));
  sentence.encoder = to_page(std::move(attention.encoder));
  sentence.decoder = to_page(std::move(attention.decoder));
  sentence.cross = to_page(std::move(attention.cross));
  return sentence;
}

AttentionSelection first_shown_attention(const Model& model) {
  const auto head = resolve_alignment_head(model, model.config().decoding);
  return {.layer = head.layer, .head = head.head};
}

AttentionExport::AttentionExport(Model& model, const std::filesystem::path& file)
    : model_(model), ending_(supported_ending(file)), output_(file) {
  first_shown_attention(model);  // throws if the head does not exist, before anything is translated
}

void AttentionExport::add(const std::string& source, const Translation& translation) {
  const auto& best = translation.candidates.front();
  for (const auto& part : best.parts) {
    if (sentences_.size() >= most_sentences) {
      ++skipped_;
      continue;
    }
    sentences_.push_back(sentence_attention(model_, part));
    const bool whole = best.parts.size() == 1;
    sentences_.back().source_text =
        whole ? source : model_.tokenizers().source->decode(source_text(part));
    sentences_.back().target_text =
        whole ? best.text : model_.tokenizers().target->decode(part.target);
  }
}

std::string AttentionExport::render() const {
  if (ending_ == ".html") {
    const auto name = std::filesystem::weakly_canonical(model_.folder()).filename().string();
    return attention_html(sentences_, first_shown_attention(model_), name);
  }
  if (ending_ == ".json") return attention_json(sentences_);
  return attention_svg(sentences_.front(), first_shown_attention(model_));
}

void AttentionExport::finish() {
  if (skipped_ > 0)
    log_warn("attention: only the first {} sentences are shown, {} more were skipped",
             most_sentences, skipped_);
  if (sentences_.empty())
    throw DataError("--attention", "has nothing to show, because no text was translated",
                    "Give at least one sentence.");
  if (ending_ == ".svg" && sentences_.size() > 1)
    log_warn("attention: the figure shows only the first of {} sentences", sentences_.size());
  output_.write(render());
  output_.finish();
}

}  // namespace tfm

#include "tfm/cli/attention_export.h"

#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/translate/alignment.h"

namespace tfm {
namespace {

constexpr std::size_t most_sentences = 100;

std::string checked_ending(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  if (ending == ".html" || ending == ".svg" || ending == ".json") return ending;
  throw ConfigError("--attention", "'" + file.string() + "' tells no format",
                    "Give a file that ends in .html, .svg or .json.");
}

/// One sentence's maps, [1, H, T, S] a layer.
AttentionWeights weights_of(const std::vector<torch::Tensor>& layers) {
  // [L, H, T, S]
  const auto all = torch::cat(layers).to(torch::kCPU, torch::kFloat32).contiguous();
  const auto* values = all.const_data_ptr<float>();
  return {.layers = all.size(0),
          .heads = all.size(1),
          .rows = all.size(2),
          .columns = all.size(3),
          .values = {values, values + all.numel()}};
}

std::vector<std::string> pieces(const Tokenizer& tokenizer, const TokenIds& ids) {
  std::vector<std::string> result;
  for (const TokenId id : ids) result.push_back(tokenizer.piece(id));
  return result;
}

AttentionSelection first_shown(const TranslationModel& model) {
  const auto head = resolve_alignment_head(model);
  return {.layer = head.layer, .head = head.head};
}

}  // namespace

AttentionExport::AttentionExport(TranslationModel& model, const std::filesystem::path& file)
    : model_(model), ending_(checked_ending(file)), output_(file) {
  first_shown(model);  // a head that does not exist is said before the work
}

void AttentionExport::add(const std::string& source, const Translation& translation) {
  const auto& best = translation.candidates.front();
  for (const auto& part : best.parts) {
    if (sentences_.size() >= most_sentences) {
      ++left_out_;
      continue;
    }
    sentences_.push_back(attention_of_part(part));
    const bool whole = best.parts.size() == 1;
    sentences_.back().source_text = whole ? source : model_.tokenizers.source->decode(part.source);
    sentences_.back().target_text =
        whole ? best.text : model_.tokenizers.target->decode(part.target);
  }
}

SentenceAttention AttentionExport::attention_of_part(const EncodedPair& part) const {
  const auto& target = *model_.tokenizers.target;
  const auto maps = compute_attention(model_, {&part, 1});
  SentenceAttention sentence;
  sentence.source = pieces(*model_.tokenizers.source, part.source);
  sentence.target_output = pieces(target, part.target);
  sentence.target_input = sentence.target_output;
  sentence.target_input.insert(sentence.target_input.begin(), target.piece(target.special().bos));
  sentence.target_output.push_back(target.piece(target.special().eos));
  sentence.encoder = weights_of(maps.encoder);
  sentence.decoder = weights_of(maps.decoder.self_attention);
  sentence.cross = weights_of(maps.decoder.cross_attention);
  return sentence;
}

std::string AttentionExport::render() const {
  if (ending_ == ".html") return attention_html(sentences_, first_shown(model_));
  if (ending_ == ".json") return attention_json(sentences_);
  return attention_svg(sentences_.front(), first_shown(model_));
}

void AttentionExport::finish() {
  if (left_out_ > 0)
    spdlog::warn("attention: the first {} sentences are shown, {} more are left out",
                 most_sentences, left_out_);
  if (sentences_.empty())
    throw DataError("--attention", "no text was translated, so there is nothing to show",
                    "Give at least one sentence.");
  if (ending_ == ".svg" && sentences_.size() > 1)
    spdlog::warn("attention: the figure shows the first of {} sentences", sentences_.size());
  output_.write(render());
  output_.finish();
}

}  // namespace tfm

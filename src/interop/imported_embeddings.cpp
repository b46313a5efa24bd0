#include "imported_embeddings.h"

#include "tfm/core/error.h"

namespace tfm {
namespace {

void add_row(torch::Tensor& matrix, const torch::Tensor& row) {
  if (matrix.defined()) matrix = torch::cat({matrix, row.unsqueeze(0)});
}

}  // namespace

void ImportedEmbeddings::append(const std::string& token, const torch::Tensor& embedding) {
  source_tokens.push_back(token);
  target_tokens.push_back(token);
  add_row(source, embedding);
  add_row(target, embedding);
  add_row(output, torch::zeros_like(embedding));
  bias = torch::cat({bias, torch::full({1}, impossible_logit)});
}

void ImportedEmbeddings::add_to(StateDict& weights, Config& config,
                                const std::filesystem::path& origin) const {
  const bool shared = !target.defined();
  const bool tied = !output.defined();
  if (shared && source_tokens != target_tokens) {
    throw ModelError(origin.string(),
                     "source and target share their embeddings, but their vocabularies differ",
                     "Name the vocabulary that both were trained with.");
  }
  config.model.tied_embeddings = shared && tied ? TiedEmbeddings::all
                                 : tied         ? TiedEmbeddings::decoder
                                                : TiedEmbeddings::none;
  config.model.tied_output_bias = tied;
  config.tokenizer.joint = shared && tied;
  weights["source_embedding.weight"] = source;
  if (!(shared && tied)) weights["target_embedding.weight"] = target_or_source();
  if (!tied) weights["output.weight"] = output;
  weights[tied ? "output_bias" : "output.bias"] = bias;
}

}  // namespace tfm

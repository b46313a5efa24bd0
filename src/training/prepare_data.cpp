#include "tfm/training/prepare_data.h"

#include "session_data.h"
#include "tfm/data/shard_folder.h"
#include "tfm/tensor/runtime.h"
#include "vocabulary.h"

namespace tfm {

PreparedData prepare_data(const Config& config) {
  training_sets(config.data);  // throws if there are none
  if (!shard_folder(config.data)) return {};
  set_threads(config.training.threads);
  TranslationModel model;
  model.config = config;
  auto text = load_text(config, learns_vocabulary(config));
  model.tokenizers = make_vocabulary(model.config, text);
  const Corpus corpus = load_shards(text, model, ProcessGroup());
  describe_corpus(corpus);
  return {.folder = *text.shards,
          .pairs = static_cast<std::int64_t>(corpus.examples.size()),
          .source_tokens = corpus.source_tokens,
          .target_tokens = corpus.target_tokens};
}

}  // namespace tfm

#include "tfm/training/data_preview.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "session_data.h"
#include "tfm/config/config_file.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/log.h"
#include "tfm/data/batcher.h"
#include "tfm/model/model_folder.h"
#include "tfm/run/fitted_numbers.h"
#include "tfm/tensor/runtime.h"
#include "tfm/training/update_batches.h"
#include "vocabulary.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

/// Returns the config of the run that has begun in the config's run folder, or nullopt.
std::optional<Config> begun_run(const Config& config) {
  const fs::path folder = config.training.run_folder;
  if (folder.empty() || !fs::exists(folder / config_file)) return std::nullopt;
  return load_config(folder / config_file);
}

/// Replaces `batch_size: auto` by the number of the begun run, or by the default.
void resolve_batch_size(TrainingConfig& training, const std::optional<Config>& begun) {
  if (!is_auto_batch_size(training)) return;
  training.batch_size = TrainingConfig().batch_size;
  if (begun && !is_auto_batch_size(begun->training)) {
    training.batch_size = begun->training.batch_size;
    return;
  }
  log_warn(
      "training.batch_size is auto, which a run determines when it begins: the order is that of "
      "batches of {} tokens",
      training.batch_size);
}

/// The training data of a config, with the run's batches.
class PreviewedData {
 public:
  explicit PreviewedData(const Config& config) {
    const auto begun = begun_run(config);
    model_.config = config;
    resolve_batch_size(model_.config.training, begun);
    text_ = load_text(model_.config, !begun && learns_vocabulary(config));
    model_.tokenizers = begun ? load_tokenizers(begun->tokenizer, config.training.run_folder)
                              : make_vocabulary(model_.config, text_);
    complete_text(text_, model_, ProcessGroup());
    sets_ = training_sets(config.data);
  }

  const TranslationModel& model() const { return model_; }
  TrainingCorpus make_corpus() { return make_training_corpus(text_, model_); }

  /// Returns example `index` of the corpus, which make_corpus has returned.
  PreviewedPair pair(const TrainingCorpus& corpus, std::size_t index) const {
    const Example example = corpus.corpus().examples[index];
    const TrainingSet& set = set_with(corpus.corpus(), index);
    const auto& files = set.files;
    const std::string name =
        set.name.empty() ? (files.tsv.empty() ? files.source : files.tsv).string() : set.name;
    PreviewedPair pair{.place = LinePlace{name, example.line}.text(), .tag = set.tag};
    const auto pieces = [](const Tokenizer& tokenizer, const TokenIds& ids) {
      std::vector<std::string> texts;
      for (const TokenId id : ids) texts.push_back(tokenizer.piece(id));
      return texts;
    };
    const auto& [source, target] = model_.tokenizers;
    pair.source_tokens = pieces(*source, example.source);
    pair.target_tokens = pieces(*target, example.target);
    if (const auto text = corpus.text_of(index)) {
      pair.original_source = text->original.source;
      pair.original_target = text->original.target;
      pair.source = text->modified.pair.source;
      pair.target = text->modified.pair.target;
      pair.changed_by = text->modified.changed_by;
      pair.is_used = text->is_used;
    } else {
      pair.source = pair.original_source = source->decode(example.source);
      pair.target = pair.original_target = target->decode(example.target);
    }
    return pair;
  }

 private:
  const TrainingSet& set_with(const Corpus& corpus, std::size_t index) const {
    const auto* set = find_set(corpus.sets, static_cast<std::int64_t>(index));
    return set != nullptr ? sets_[static_cast<std::size_t>(set - corpus.sets.data())]
                          : sets_.front();
  }

  TranslationModel model_;
  SessionText text_;
  std::vector<TrainingSet> sets_;
};

/// Counts the changes of the pairs of an epoch.
class ChangeCounter {
 public:
  explicit ChangeCounter(const DataConfig& data) {
    for (const ModifierSetting& setting : modifier_settings(data)) counts_.push_back({setting});
  }

  /// Returns whether the config has modifiers, which may change a pair.
  bool is_needed() const { return !counts_.empty(); }
  const std::vector<ModifierCount>& counts() const { return counts_; }

  /// Counts the changes of an example in the epoch that the corpus has begun.
  void add(const TrainingCorpus& corpus, std::size_t index) {
    if (!is_needed()) return;
    const auto text = corpus.text_of(index);
    if (!text) return;
    for (const Modifier modifier : text->modified.changed_by) {
      const auto count = std::ranges::find(
          counts_, modifier, [](const ModifierCount& c) { return c.setting.modifier; });
      ++count->changed;
      count->unused += text->is_used ? 0 : 1;
    }
  }

 private:
  std::vector<ModifierCount> counts_;
};

bool is_shown(const PreviewedPair& pair, const PreviewRequest& request) {
  if (request.only_changed && pair.changed_by.empty()) return false;
  return !request.only_by || std::ranges::count(pair.changed_by, *request.only_by) > 0;
}

}  // namespace

DataPreview preview_data(const Config& config, const PreviewRequest& request) {
  set_threads(config.training.threads);
  PreviewedData data(config);
  TrainingCorpus corpus = data.make_corpus();
  const std::int64_t epoch = request.epoch - 1;
  const BatcherOptions options = batcher_options(data.model().config, corpus.corpus());
  const auto begin_window = [&corpus](const EpochWindows& windows, Window window) {
    corpus.begin_window(windows, window);
  };
  Batcher batcher(corpus.corpus(), options, begin_window, {.epoch = epoch});
  DataPreview preview{.epoch = request.epoch,
                      .pairs = mixture_of(corpus.corpus(), options).size(epoch)};
  ChangeCounter changes(config.data);
  const auto needs_more = [&] { return std::ssize(preview.shown) < request.pairs; };
  // The first batch of the next epoch would change the text of this one.
  while (batcher.position().epoch == epoch && (needs_more() || changes.is_needed())) {
    throw_if_interrupted("the preview");
    for (const auto item : batcher.next()) {
      const auto index = static_cast<std::size_t>(item);
      changes.add(corpus, index);
      if (!needs_more()) continue;
      auto pair = data.pair(corpus, index);
      if (is_shown(pair, request)) preview.shown.push_back(std::move(pair));
    }
  }
  preview.modifiers = changes.counts();
  return preview;
}

}  // namespace tfm

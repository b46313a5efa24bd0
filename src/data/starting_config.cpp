#include "tfm/data/starting_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "tfm/config/commented_config.h"
#include "tfm/core/error.h"
#include "tfm/core/format.h"
#include "tfm/data/pair_stream.h"

namespace tfm {
namespace {

/// A rough estimate of the number of UTF-8 bytes per subword of a large vocabulary.
constexpr std::int64_t most_bytes_per_token = 5;

/// The number of entries that tokenizer.byte_fallback takes.
constexpr std::int64_t byte_entries = 256;
/// The smallest vocabulary that gets them. A smaller one suits a text so short that its model is
/// too weak for rare characters.
constexpr std::int64_t fewest_for_bytes = 4000;

/// The settings to train a preset with. The learning rate of tiny is that of
/// configs/multi30k_de_en.yaml.
struct Recipe {
  const char* preset;
  std::int64_t most_pairs;  ///< the largest number of sentence pairs that the preset suits
  double learning_rate;
  /// The number of epochs to train if the vocabulary is large. The tokens of a small vocabulary are
  /// shorter, so the same number of updates covers fewer epochs.
  std::int64_t epochs;
  const char* reason;
};

constexpr std::array<Recipe, 3> recipes = {{
    {"tiny", 200'000, 0.002, 50, "larger models overfit corpora of up to 200,000 pairs"},
    {"base", 5'000'000, 0.001, 20, "the size for 200,000 to 5,000,000 pairs"},
    {"big", INT64_MAX, 0.0005, 10, "more than 5,000,000 pairs are enough for the largest preset"},
}};

const Recipe& choose_recipe(const std::string& preset, std::int64_t pairs) {
  return *std::ranges::find_if(recipes, [&](const Recipe& recipe) {
    return preset.empty() ? pairs <= recipe.most_pairs : preset == recipe.preset;
  });
}

/// Rounds to two significant digits.
std::int64_t rounded(double value) {
  const double unit = std::pow(10, std::floor(std::log10(std::max(value, 10.0))) - 1);
  return static_cast<std::int64_t>(std::round(value / unit) * unit);
}

/// Returns a rough estimate of the number of UTF-8 bytes per token of a vocabulary. A `vocab_size`
/// of 0 stands for a vocabulary of words.
double bytes_per_token(std::int64_t vocab_size) {
  if (vocab_size == 0) return 6;
  if (vocab_size <= 500) return 2.4;
  if (vocab_size <= 1500) return 3.5;
  return vocab_size <= 4000 ? 4.2 : static_cast<double>(most_bytes_per_token);
}

/// The estimated size of an epoch.
struct EpochEstimate {
  std::int64_t tokens = 0;  ///< sum of max(S, T) over the pairs
  std::int64_t batches = 0;
};

/// Fills batches with pairs of increasing length, as Batcher does.
EpochEstimate estimate_epoch(const CorpusSize& size, double token_bytes, std::int64_t batch_size) {
  EpochEstimate epoch;
  std::int64_t in_batch = 0;
  for (const auto& [bytes, pairs] : size.pairs_by_bytes) {
    const auto text_tokens = std::ceil(static_cast<double>(bytes) / token_bytes);
    const auto length = static_cast<std::int64_t>(text_tokens) + 1;  // with EOS
    if (length > DataConfig{}.max_length) break;                     // these pairs are skipped
    epoch.tokens += length * pairs;
    for (std::int64_t left = pairs; left > 0;) {
      if (epoch.batches == 0 || (in_batch + 1) * length > batch_size) {
        ++epoch.batches;
        in_batch = 0;
      }
      const auto added = std::clamp<std::int64_t>(batch_size / length - in_batch, 1, left);
      in_batch += added;
      left -= added;
    }
  }
  epoch.batches = std::max<std::int64_t>(1, epoch.batches);
  return epoch;
}

/// Collects the fields of the config with their values and the reasons for the values.
class ConfigDraft {
 public:
  template <class Part, class Value>
  void add(Part Config::* part, Value Part::* member, const std::string& value,
           std::string reason = "", bool is_active = true) {
    const Field& field = field_of(part, member);
    if (const auto problem = field.set(config_, value)) throw ConfigError(field.key(), *problem);
    entries_.push_back({&field, std::move(reason), is_active});
  }

  std::string text(const std::string& heading) const {
    return write_commented_config(config_, heading, entries_);
  }

 private:
  Config config_;
  std::vector<CommentedField> entries_;
};

void add_tokenizer(ConfigDraft& draft, const CorpusSize& size) {
  const auto bytes = size.source_bytes + size.target_bytes;
  const auto vocab_size = choose_vocab_size(bytes);
  if (vocab_size == 0) {
    draft.add(&Config::tokenizer, &TokenizerConfig::kind, "word",
              "the corpus is too small to learn subwords from.");
    return;
  }
  const bool bytes_as_entries = vocab_size >= fewest_for_bytes;
  draft.add(&Config::tokenizer, &TokenizerConfig::vocab_size,
            std::to_string(choose_vocab_size(bytes, bytes_as_entries)),
            fmt::format("chosen for {} bytes of text; a small corpus has too few examples of the "
                        "tokens of a large vocabulary.",
                        group_digits(bytes)));
  if (bytes_as_entries)
    draft.add(&Config::tokenizer, &TokenizerConfig::byte_fallback, "true",
              fmt::format("translates digits and names with characters that the training text "
                          "lacks; {} entries of the vocabulary are for it.",
                          byte_entries));
}

void add_data(ConfigDraft& draft, const StartingFiles& files) {
  const auto& [train, valid] = files;
  if (train.tsv.empty()) {
    draft.add(&Config::data, &DataConfig::train_source, train.source.string());
    draft.add(&Config::data, &DataConfig::train_target, train.target.string());
  } else {
    draft.add(&Config::data, &DataConfig::train_tsv, train.tsv.string());
  }
  if (!valid.tsv.empty())
    return draft.add(&Config::data, &DataConfig::valid_tsv, valid.tsv.string());
  const bool has_validation = !valid.empty();
  const std::string reason =
      has_validation ? "" : "no validation set was given; fill in both files.";
  draft.add(&Config::data, &DataConfig::valid_source, valid.source.string(), reason,
            has_validation);
  draft.add(&Config::data, &DataConfig::valid_target, valid.target.string(), "", has_validation);
}

/// The numbers of updates of a training without a time limit.
struct UpdateCounts {
  std::int64_t batch_size = 0;
  std::int64_t steps = 0;
  EpochEstimate epoch;
};

constexpr std::int64_t fewest_steps = 500;
constexpr std::int64_t most_steps = 100'000;

UpdateCounts count_updates(const CorpusSize& size, const Recipe& recipe) {
  const auto bytes = std::max(size.source_bytes, size.target_bytes);
  const auto fewest_tokens = std::max<std::int64_t>(1, bytes / most_bytes_per_token);
  const std::int64_t batch_size = fewest_tokens < 200'000 ? 1024 : 4096;
  const auto vocab_size = choose_vocab_size(size.source_bytes + size.target_bytes);
  const auto steps =
      rounded(static_cast<double>(fewest_tokens * recipe.epochs) / static_cast<double>(batch_size));
  return {.batch_size = batch_size,
          .steps = std::clamp(steps, fewest_steps, most_steps),
          .epoch = estimate_epoch(size, bytes_per_token(vocab_size), batch_size)};
}

/// The time limit decides max_steps when training starts, and with it the fields that depend on it.
/// max_epochs keeps a long time from giving more updates than suit the text.
void add_time_limit(ConfigDraft& draft, const UpdateCounts& counts, double minutes) {
  draft.add(&Config::training, &TrainingConfig::max_steps, "auto",
            "as many updates as fit into max_minutes and max_epochs. warmup_steps and valid_steps "
            "follow.");
  const auto batches = counts.epoch.batches;
  const auto epochs = std::max<std::int64_t>(1, (counts.steps + batches / 2) / batches);
  draft.add(&Config::training, &TrainingConfig::max_epochs, std::to_string(epochs),
            fmt::format("about {} updates, which suit this amount of text; a fast machine may need "
                        "less time than max_minutes.",
                        group_digits(epochs * batches)));
  draft.add(&Config::training, &TrainingConfig::max_minutes, fmt::format("{}", minutes),
            "chosen on the command line.");
}

void add_update_limit(ConfigDraft& draft, const UpdateCounts& counts) {
  const auto steps = counts.steps;
  const auto batches = counts.epoch.batches;
  draft.add(
      &Config::training, &TrainingConfig::warmup_steps,
      std::to_string(std::clamp<std::int64_t>(rounded(static_cast<double>(steps) / 6), 50, 4000)),
      "a sixth of max_steps, at most 4000.");
  draft.add(&Config::training, &TrainingConfig::max_steps, std::to_string(steps),
            fmt::format(
                "about {} epochs of {} updates each. `tfm config init` chooses from {} to {} "
                "updates by the amount of text; with --minutes N, it limits the time instead.",
                (steps + batches - 1) / batches, batches, fewest_steps, group_digits(most_steps)));
  draft.add(&Config::training, &TrainingConfig::valid_steps, std::to_string(steps / 10),
            "ten validations in all.");
}

void add_training(ConfigDraft& draft, const CorpusSize& size, const Recipe& recipe,
                  double minutes) {
  const auto counts = count_updates(size, recipe);
  draft.add(&Config::training, &TrainingConfig::batch_size, std::to_string(counts.batch_size),
            fmt::format("the corpus has about {} tokens per side.",
                        group_digits(rounded(static_cast<double>(counts.epoch.tokens)))));
  draft.add(&Config::training, &TrainingConfig::learning_rate,
            fmt::format("{}", recipe.learning_rate),
            fmt::format("a usual value for the preset {}.", recipe.preset));
  draft.add(&Config::training, &TrainingConfig::schedule, "cosine",
            "the learning rate reaches its minimum at max_steps.");
  minutes > 0 ? add_time_limit(draft, counts, minutes) : add_update_limit(draft, counts);
}

}  // namespace

std::int64_t choose_vocab_size(std::int64_t bytes, bool byte_fallback) {
  struct Step {
    std::int64_t bytes, vocab_size;
  };
  constexpr std::array<Step, 6> steps = {{{20'000, 0},
                                          {100'000, 500},
                                          {500'000, 1500},
                                          {2'000'000, 4000},
                                          {50'000'000, 10000},
                                          {500'000'000, 16000}}};
  const auto* step = std::ranges::find_if(steps, [&](const Step& s) { return bytes < s.bytes; });
  const auto size = step == steps.end() ? std::int64_t{32000} : step->vocab_size;
  return byte_fallback && size > 0 ? size + byte_entries : size;
}

CorpusSize measure_corpus(const ParallelFiles& files) {
  PairStream reader(files, BadLines::skip);
  CorpusSize size;
  std::string source_line;
  std::string target_line;
  while (reader.next(source_line, target_line)) {
    ++size.pairs;
    size.source_bytes += std::ssize(source_line);
    size.target_bytes += std::ssize(target_line);
    ++size.pairs_by_bytes[std::max(std::ssize(source_line), std::ssize(target_line))];
  }
  require_pairs(size.pairs, files, reader.take_skipped());
  return size;
}

std::vector<std::string> starting_presets() {
  std::vector<std::string> names;
  for (const Recipe& recipe : recipes) names.emplace_back(recipe.preset);
  return names;
}

std::string choose_preset(std::int64_t pairs) { return choose_recipe("", pairs).preset; }

std::string starting_config(const StartingFiles& files, const CorpusSize& size,
                            const StartingOptions& options) {
  const Recipe& recipe = choose_recipe(options.preset, size.pairs);
  ConfigDraft draft;
  draft.add(&Config::model, &ModelConfig::preset, recipe.preset,
            options.preset.empty() ? fmt::format("the corpus has {} sentence pairs; {}.",
                                                 group_digits(size.pairs), recipe.reason)
                                   : "chosen on the command line.");
  draft.add(&Config::model, &ModelConfig::norm_order, "pre",
            "it trains stably even with a short warmup.");
  add_tokenizer(draft, size);
  add_data(draft, files);
  add_training(draft, size, recipe, options.minutes);
  draft.add(&Config::decoding, &DecodingConfig::beam_size, "4");
  return draft.text(fmt::format(
      "A starting config for {} sentence pairs, written by `tfm config init`. `tfm train --config "
      "FILE --dry-run` tests it and estimates time, memory and disk space. Fields that are not "
      "here have their defaults; `tfm config explain` lists them.",
      group_digits(size.pairs)));
}

}  // namespace tfm

#include "tfm/run/fingerprint_text.h"

#include <algorithm>
#include <vector>

#include "tfm/config/config_diff.h"
#include "tfm/config/fields.h"

namespace tfm {
namespace {

bool is_one_of(const Field& field, std::initializer_list<const Field*> fields) {
  return std::find(fields.begin(), fields.end(), &field) != fields.end();
}

/// Returns whether earlier versions did not have the field. The fingerprint text names such a field
/// only if it is set.
bool is_later(const Field& field) {
  return is_one_of(field, {&field_of(&Config::data, &DataConfig::stages),
                           &field_of(&Config::data, &DataConfig::tags),
                           &field_of(&Config::data, &DataConfig::weights),
                           &field_of(&Config::data, &DataConfig::alignments),
                           &field_of(&Config::data, &DataConfig::temperature),
                           &field_of(&Config::data, &DataConfig::language_tags),
                           &field_of(&Config::data, &DataConfig::modifiers),
                           &field_of(&Config::data, &DataConfig::term_template)});
}

/// Returns whether the field is bpe_dropout or unigram_alpha. The fingerprint text does not list
/// these two fields; it contains one number for both, DataConfig::subword_sampling_strength, if it
/// is above 0.
bool is_sampling(const Field& field) {
  return is_one_of(field, {&field_of(&Config::data, &DataConfig::bpe_dropout),
                           &field_of(&Config::data, &DataConfig::unigram_alpha)});
}

/// Returns the sort key of a field. Fields of `training` come before those of `data`, and the seed
/// is the last of `training`. Saved fingerprints depend on this order.
int batch_content_order(const Field* field) {
  const Field& seed = field_of(&Config::training, &TrainingConfig::seed);
  if (field == &seed) return 1;
  return field->section == seed.section ? 0 : 2;
}

}  // namespace

std::string batch_content_text(const Config& config) {
  std::vector<const Field*> ordered;
  for (const Field& field : fields()) {
    if (field.effects.contains(Effect::batch_content) && !is_sampling(field) && !is_later(field))
      ordered.push_back(&field);
  }
  std::ranges::stable_sort(ordered, {}, batch_content_order);
  std::string text;
  for (const Field* field : ordered) text += field->get(config) + "\n";
  for (const Field& field : fields()) {
    if (is_later(field) && field.get(config) != field.get(Config{}))
      text += field.key() + " " + field.get(config) + "\n";
  }
  if (config.data.subword_sampling_strength() > 0)
    text += "subword sampling " + std::to_string(config.data.subword_sampling_strength()) + "\n";
  return text;
}

std::string metric_text(const Config& config) {
  const Field& best_by = field_of(&Config::training, &TrainingConfig::best_by);
  const Field& tokenizer = field_of(&Config::training, &TrainingConfig::bleu_tokenizer);
  const Field& sentences = field_of(&Config::training, &TrainingConfig::valid_sentences);
  const bool by_loss = config.training.best_by == BestBy::loss;
  const Effect effect = by_loss ? Effect::loss_score : Effect::score;
  // The loss does not depend on valid_sentences, so the text always contains its default. Without
  // the field, the checksums of existing runs would change.
  std::string text = best_by.get(config) + "\n" + sentences.get(by_loss ? Config{} : config);
  for (const FieldDiff& change : diff_configs(Config{}, config, [&](const Field& field) {
         return field.effects.contains(effect) &&
                !is_one_of(field, {&best_by, &sentences, &tokenizer});
       })) {
    text += "\n" + change.key + " " + change.after;
  }
  // Earlier versions always used the tokenizer 13a and did not name it. The text therefore names
  // the tokenizer only if another one is set, so that the fingerprints of existing runs do not
  // change.
  const bool is_13a = config.training.bleu_tokenizer == BleuTokenizer::mteval_13a ||
                      config.training.bleu_tokenizer == BleuTokenizer::automatic;
  if (config.training.best_by == BestBy::bleu && !is_13a)
    text += "\n" + tokenizer.key() + " " + tokenizer.get(config);
  return text;
}

}  // namespace tfm

#include "model_rules.h"

#include <string>
#include <utility>
#include <vector>

#include "load.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/data/language_pair.h"
#include "tfm/tensor/runtime.h"
#include "tfm/tokenizer/language_tags.h"
#include "tfm/translate/pair_quality.h"

namespace tfm {
namespace {

/// Scores pairs by models that it owns.
class ModelPairScorer : public PairScorer {
 public:
  ModelPairScorer(std::vector<Model> models, PairQualityScorer::Measures measures)
      : models_(std::move(models)),
        spin_limiter_(thread_count()),
        scorer_(models_.front(), models_.size() > 1 ? pointers(models_).back() : nullptr,
                measures) {}

  std::vector<PairScores> score(std::span<const CorpusPair* const> pairs,
                                const std::function<void(double)>& on_share) override {
    std::vector<SentencePair> sentences;
    for (const CorpusPair* pair : pairs) sentences.push_back({pair->source, pair->target});
    std::vector<PairScores> scores;
    for (const PairQuality& quality : scorer_.measure(sentences, on_share))
      scores.push_back(
          {.score = quality.score, .attention = quality.attention, .unaligned = quality.unaligned});
    return scores;
  }

 private:
  std::vector<Model> models_;
  SpinLimiter spin_limiter_;
  PairQualityScorer scorer_;
};

/// Returns what the rules that are on measure.
PairQualityScorer::Measures needed_measures(const RuleValues& values) {
  PairQualityScorer::Measures needed{.score = false, .alignment = false};
  for (std::size_t i = 0; i < rules().size(); ++i) {
    const Rule& rule = rules()[i];
    if (!values[i] || !needs_model(rule)) continue;
    (rule.at_least == &PairScores::score ? needed.score : needed.alignment) = true;
  }
  return needed;
}

/// Makes a model with tags of languages score this pair of languages, and warns if the model
/// translates between others. Other tags, such as that of back-translations, name no language.
void set_languages(Model& model, const LanguagePair& expected) {
  auto& decoding = model.config().decoding;
  const bool reads_source = model.config().data.language_tags != LanguageTags::none;
  const bool reads_target =
      reads_source ||
      !list_language_tags(*model.tokenizers().source, TagKind::target_in_source).empty();
  if (reads_source && !expected.source.empty()) decoding.source_language = expected.source;
  if (reads_target && !expected.target.empty()) decoding.target_language = expected.target;
  const auto languages = resolve_languages(model.config().data);
  const bool differs = (!expected.source.empty() && !languages.source.empty() &&
                        languages.source != expected.source) ||
                       (!expected.target.empty() && !languages.target.empty() &&
                        languages.target != expected.target);
  if (differs)
    log_warn("{} translates from {} to {}, but scores from {} to {} here", model.folder().string(),
             languages.source, languages.target, expected.source, expected.target);
}

}  // namespace

std::unique_ptr<PairScorer> make_pair_scorer(const ModelRuleOptions& options,
                                             const RuleValues& values, const PairFiles& files) {
  const auto needed = needed_measures(values);
  const bool is_needed = needed.score || needed.alignment;
  if (options.model.empty() && (is_needed || !options.reverse_model.empty()))
    throw ConfigError("--model",
                      "is missing: the rules min_score, min_alignment and max_unaligned "
                      "need a model from the source to the target language",
                      "Name its folder.");
  if (!is_needed && !options.model.empty())
    throw ConfigError("--model", "is given, but no rule uses the model",
                      "Add --min-score, --min-alignment or --max-unaligned with a number.");
  if (!is_needed) return nullptr;
  std::vector<std::filesystem::path> folders{options.model};
  if (!options.reverse_model.empty()) folders.push_back(options.reverse_model);
  auto models = load_models(folders, options.runtime, {});
  set_languages(models.front(), {files.source_language, files.target_language});
  if (models.size() > 1)
    set_languages(models.back(), {files.target_language, files.source_language});
  return std::make_unique<ModelPairScorer>(std::move(models), needed);
}

}  // namespace tfm

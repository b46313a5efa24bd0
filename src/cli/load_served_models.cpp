#include "load_served_models.h"

#include <utility>

#include "attention_export.h"
#include "field_options.h"
#include "load.h"
#include "tfm/core/error.h"
#include "tfm/data/language_counts.h"
#include "tfm/model/model_files.h"
#include "tfm/serve/sentence_cache.h"
#include "tfm/tokenizer/language_tags.h"
#include "tfm/translate/attention.h"
#include "tfm/translate/encoded_pair.h"
#include "tfm/translate/sentence_frame.h"
#include "tfm/translate/translated_pairs.h"
#include "tfm/translate/translator.h"

namespace tfm {
namespace {

/// A model with what translates with it.
struct LoadedModel {
  std::vector<Model> models;  // one
  std::vector<TaggedPair> pairs;
  Translator translator;

  LoadedModel(std::vector<Model> loaded, const LanguagePair& only, const SharedBatches& sharing)
      : models(std::move(loaded)),
        pairs(list_translated_pairs(models.front(), only)),
        // Each line names its tags, but an imported model needs some here.
        translator(models.front(), with_tags(models.front().config().decoding, pairs.front().tags),
                   sharing) {}
};

std::int64_t count_weights(const ModelConfig& config, const EncodedPair& pair) {
  const auto source = std::ssize(pair.source.ids);
  const auto target = std::ssize(pair.target) + 2;  // a start token and a tag
  return config.heads * (config.encoder_layers * source * source +
                         config.decoder_layers * target * (target + source));
}

/// Returns LineTranslation::attention. Throws DataError if the line or its translation is too long
/// for the model or has more weights than the limit.
std::string read_attention(LoadedModel& loaded, const LaneLine& line, std::int64_t most_weights) {
  auto& model = loaded.models.front();
  const SentenceFrame frame(model, with_tags(model.config().decoding, line.tags));
  const auto pair = encode_pair(model, line.text, line.details.attention_target, frame);
  if (!pair || count_weights(model.config().model, *pair) > most_weights)
    throw DataError("q", "the line or its translation is empty or too long to show attention");
  auto sentence = sentence_attention(model, *pair);
  sentence.source_text = line.text;
  sentence.target_text = line.details.attention_target;
  return attention_page_data(sentence, first_shown_attention(model));
}

/// Returns the languages of --from and --to.
LanguagePair named_languages(const ServeOptions& options) {
  Config config;
  // The other options are for the models' own configs, which may allow them.
  auto languages = options.decoding;
  std::erase_if(languages, [](const std::string& assignment) {
    const auto key = assignment.substr(0, assignment.find('='));
    return key != source_language_field && key != target_language_field;
  });
  apply_options(config, languages);
  return {config.decoding.source_language, config.decoding.target_language};
}

}  // namespace

std::shared_ptr<const ServedModels> load_served_models(const ServeOptions& options,
                                                       const std::string& device,
                                                       const SharedBatches& sharing,
                                                       ServiceMetrics& metrics) {
  SentenceCache cache(static_cast<std::size_t>(options.limits.cache_bytes),
                      [&metrics] { metrics.add_cached_line(); });
  auto folders = options.models;
  if (folders.empty()) folders.emplace_back();
  std::vector<ServedModel> served;
  LanguageCounts languages;
  for (const auto& folder : folders) {
    const auto named = folder.empty() ? std::vector<std::filesystem::path>() : std::vector{folder};
    const auto loaded = std::make_shared<LoadedModel>(load_models(named, device, options.decoding),
                                                      named_languages(options), sharing);
    const auto& model = loaded->models.front();
    auto lanes = make_lanes(
        {loaded, &loaded->translator},
        {.on_tokens = [&metrics](const TokenCount& tokens) { metrics.add_tokens(tokens); },
         .attention = [loaded, most = options.limits.attention_weights](
                          const LaneLine& line) { return read_attention(*loaded, line, most); }});
    if (options.limits.cache_bytes > 0 && !model.config().decoding.sampling)
      lanes = {cache.remember(lanes.text), cache.remember(lanes.html)};
    for (auto& added : make_served_models(loaded->pairs, lanes)) served.push_back(std::move(added));
    for (const auto& [code, counts] : read_language_counts(description_folder(model.folder())))
      languages[code].add(counts);
  }
  return std::make_shared<const ServedModels>(std::move(served), LanguageIdentifier(languages));
}

}  // namespace tfm

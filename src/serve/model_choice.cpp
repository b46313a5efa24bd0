#include "model_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "tfm/serve/http_message.h"
#include "translate_request.h"

namespace tfm {
namespace {

HttpError unsupported(const LanguageRouter& router, const std::string& source,
                      const std::string& target) {
  return {400, fmt::format("{} to {} is not supported; the models translate {}", source, target,
                           router.describe())};
}

/// Returns the languages that a text may be in. The first is the one that is assumed of a text that
/// suggests none, so those come first that a model translates into the target.
std::vector<std::string> detectable_languages(const LanguageRouter& router,
                                              const std::string& target) {
  auto languages = router.sources();
  const auto others = std::ranges::stable_partition(languages, [&](const std::string& source) {
    return router.find(source, target).has_value();
  });
  if (others.begin() == languages.begin()) throw unsupported(router, detected_source, target);
  if (std::ranges::find(languages, target) == languages.end()) languages.push_back(target);
  return languages;
}

}  // namespace

void check_languages(const LanguageRouter& router, const std::string& source,
                     const std::string& target) {
  if (source == detected_source) {
    detectable_languages(router, target);
  } else if (!router.find(source, target) && !router.needs_no_model(source, target)) {
    throw unsupported(router, source, target);
  }
}

ModelChoice choose_model(const ServedModels& models, const LanguagePair& languages,
                         const std::function<std::string()>& text) {
  const auto& router = models.router();
  ModelChoice choice;
  if (languages.source == detected_source)
    choice.detected = detect_language(models.known_languages(), text(),
                                      detectable_languages(router, languages.target));
  const auto& source = choice.detected ? choice.detected->language : languages.source;
  if (const auto found = router.find(source, languages.target)) {
    choice.model = &models.at(*found);
  } else if (!router.needs_no_model(source, languages.target)) {
    throw unsupported(router, source, languages.target);
  }
  return choice;
}

}  // namespace tfm

#include "pending_translation.h"

#include <fmt/format.h>

#include <algorithm>

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
  languages.push_back(target);
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

std::vector<Engine::Line> PendingTranslation::take_lines(const ServedModels& models) {
  const auto& router = models.router();
  check_languages(router, request_.source, request_.target);
  if (request_.detects_source()) detectable_ = detectable_languages(router, request_.target);
  std::vector<Engine::Line> lines;
  for (const auto& text : request_.texts) add_text(models, text, lines);
  return lines;
}

void PendingTranslation::add_text(const ServedModels& models, const std::string& text,
                                  std::vector<Engine::Line>& lines) {
  auto& translation = translations_.emplace_back();
  if (request_.detects_source()) translation.detected = detect_language(text, detectable_);
  const auto& source = translation.detected ? translation.detected->language : request_.source;
  const auto found = models.router().find(source, request_.target);
  if (!found) {
    if (!models.router().needs_no_model(source, request_.target))
      throw unsupported(models.router(), source, request_.target);
    parts_.push_back({{text, false}});
    return;
  }
  const auto& model = models.at(*found);
  translation.pivot = model.pivot;
  const auto& lane = request_.format == TextFormat::html ? model.html : model.text;
  for (const auto& part : parts_.emplace_back(split_text(text, request_.format))) {
    if (part.is_line) lines.push_back({lane, part.text, model.tag});
  }
}

void PendingTranslation::set_candidates(const std::vector<LineCandidates>& lines) {
  auto next = lines.begin();
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const auto count = std::ranges::count_if(parts_[i], &TextPart::is_line);
    translations_[i].candidates = join_translations(parts_[i], {next, next + count});
    next += count;
  }
}

}  // namespace tfm

#include "pending_translation.h"

#include <algorithm>
#include <utility>

#include "model_choice.h"

namespace tfm {

std::vector<Engine::Line> PendingTranslation::take_lines(const ServedModels& models) {
  check_languages(models.router(), request_.source, request_.target);
  std::vector<Engine::Line> lines;
  for (const auto& text : request_.texts) add_text(models, text, lines);
  return lines;
}

void PendingTranslation::add_text(const ServedModels& models, const std::string& text,
                                  std::vector<Engine::Line>& lines) {
  auto parts = split_text(text, request_.format);
  auto choice = choose_model(models, {request_.source, request_.target},
                             [&] { return visible_text(parts, request_.format); });
  auto& translation = translations_.emplace_back();
  translation.detected = std::move(choice.detected);
  if (choice.model == nullptr) {
    parts_.push_back({{text, false}});
    return;
  }
  const ServedModel& model = *choice.model;
  if (!model.pivot.empty() && !request_.details.attention_target.empty())
    throw HttpError(400, "two models translate one after the other, so there is no attention");
  translation.pivot = model.pivot;
  const auto& lane = request_.format == TextFormat::html ? model.html : model.text;
  for (const auto& part : parts_.emplace_back(std::move(parts))) {
    if (part.is_line) lines.push_back({lane, part.text, model.tags, request_.details});
  }
}

std::vector<TextTranslation> PendingTranslation::join(std::vector<LineTranslation> lines) {
  auto next = lines.begin();
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const auto count = std::ranges::count_if(parts_[i], &TextPart::is_line);
    translations_[i].candidates = join_translations(parts_[i], {next, next + count});
    for (const auto& part : parts_[i]) {
      if (!part.is_line) continue;
      if (request_.details != LineDetails{})
        translations_[i].lines.push_back({part.text, std::move(*next)});
      ++next;
    }
  }
  return std::move(translations_);
}

}  // namespace tfm

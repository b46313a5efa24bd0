// A request that is being translated: finds the model of each text, splits the texts into the lines
// of the engine, and joins their translations. A text that already is in the target language stays
// as it is.
#pragma once

#include <string>
#include <vector>

#include "text_parts.h"
#include "tfm/serve/engine.h"
#include "tfm/serve/served_models.h"
#include "translate_request.h"

namespace tfm {

class PendingTranslation {
 public:
  explicit PendingTranslation(TranslateRequest request) : request_(std::move(request)) {}

  const TranslateRequest& request() const { return request_; }
  /// Returns the lines of all texts. Throws HttpError 400 if no model translates the languages,
  /// even if there is no text, or if two models would have to give attention. Is called once.
  std::vector<Engine::Line> take_lines(const ServedModels& models);
  /// Returns the translations of the texts from those of the lines. Is called once.
  std::vector<TextTranslation> join(std::vector<LineTranslation> lines);

 private:
  void add_text(const ServedModels& models, const std::string& text,
                std::vector<Engine::Line>& lines);

  TranslateRequest request_;
  std::vector<std::vector<TextPart>> parts_;   // of each text
  std::vector<TextTranslation> translations_;  // without candidates
};

}  // namespace tfm

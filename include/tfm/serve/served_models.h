// What the service translates with: for each pair of languages, the lanes of the engine that
// translate it. The pairs of one model have the same lanes, and differ in the tags of their lines.
// The value never changes; a reload makes a new one (TranslationService::replace).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tfm/data/language_pair.h"
#include "tfm/data/tagged_pairs.h"
#include "tfm/serve/engine.h"
#include "tfm/serve/language_router.h"
#include "tfm/text/language_identifier.h"

namespace tfm {

class Translator;

struct ServedModel {
  LanguagePair languages;
  LanePointer text;  ///< translates lines of plain text
  LanePointer html;  ///< translates lines of HTML, whose tags are kept
  /// the language between, if two models translate one after the other; its lanes give no attention
  std::string pivot;
  SentenceTags tags{};  ///< of the lines that the lanes get (LaneLine::tags)
};

/// Lanes for plain text and for HTML.
struct ModelLanes {
  LanePointer text;
  LanePointer html;
};

/// Numbers of tokens, of a line and of its best translation.
struct TokenCount {
  std::int64_t source = 0;
  std::int64_t target = 0;
};

/// What lanes call besides their translator. The functions are called by several threads at once,
/// and may be empty.
struct LaneFunctions {
  /// after each line, with its tokens
  std::function<void(const TokenCount&)> on_tokens{};
  /// returns LineTranslation::attention
  std::function<std::string(const LaneLine&)> attention{};
};

/// Returns the lanes of a translator, which share its ownership. A line whose details cannot be
/// given has the error 400.
ModelLanes make_lanes(std::shared_ptr<const Translator> translator, LaneFunctions functions = {});
/// Returns an entry for each pair, all with these lanes.
std::vector<ServedModel> make_served_models(const std::vector<TaggedPair>& pairs,
                                            const ModelLanes& lanes);

class ServedModels {
 public:
  /// Adds a pivot for each pair that no model translates, but two models one after the other: for
  /// de to fr, a model for de to en and one for en to fr. `known` identifies the languages of
  /// texts. Throws as LanguageRouter does.
  explicit ServedModels(std::vector<ServedModel> models, LanguageIdentifier known = {});

  /// Its models are those of this object, with the same indices. Given models precede pivots.
  const LanguageRouter& router() const { return router_; }
  const ServedModel& at(std::size_t index) const { return models_.at(index); }
  const LanguageIdentifier& known_languages() const { return known_; }

 private:
  std::vector<ServedModel> models_;
  LanguageRouter router_;
  LanguageIdentifier known_;
};

}  // namespace tfm

// Shows what a run of a config trains on: the pairs of an epoch in the order of training, after all
// modifiers, with their tokens. The run is not begun.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/config/modifiers.h"

namespace tfm {

struct PreviewRequest {
  std::int64_t pairs = 10;    ///< the number of pairs to show
  std::int64_t epoch = 1;     ///< counted from 1
  bool only_changed = false;  ///< whether only pairs that modifiers changed are shown
  /// If set, only pairs that this modifier changed are shown.
  std::optional<Modifier> only_by{};
};

/// A pair of the training data as the model sees it.
struct PreviewedPair {
  std::string place{};  ///< its set or file, with the line: "train.de:881"
  std::string tag{};    ///< may be empty
  std::string source{};
  std::string target{};
  std::string original_source{};  ///< in the text; equal to `source` if no modifier changed it
  std::string original_target{};
  std::vector<Modifier> changed_by{};
  /// If false, the model sees the unmodified text, because the modified one would be too long or
  /// have more unknown tokens. `source` and `target` are nevertheless the modified ones.
  bool is_used = true;
  std::vector<std::string> source_tokens{};  ///< as the vocabulary stores them
  std::vector<std::string> target_tokens{};
};

/// How many pairs of an epoch a modifier changed. A pair that is drawn twice counts twice.
struct ModifierCount {
  ModifierSetting setting;
  std::int64_t changed = 0;
  std::int64_t unused = 0;  ///< of these, how many keep their unmodified text
};

struct DataPreview {
  std::int64_t epoch = 1;
  std::int64_t pairs = 0;  ///< all pairs that the epoch draws
  std::vector<ModifierCount> modifiers{};
  std::vector<PreviewedPair> shown{};
};

/// Reads and encodes the training data as a run does. The vocabulary is that of training.run_folder
/// if a run has begun there, otherwise it is learnt. Without modifiers and subword sampling, text
/// in shards is decoded from its tokens. Throws what the start of a run throws, and Interrupted if
/// a signal arrives.
DataPreview preview_data(const Config& config, const PreviewRequest& request);

/// Returns the preview for a terminal of 80 columns; the tokens are optional.
std::string preview_text(const DataPreview& preview, bool with_tokens);
/// Returns the preview as a JSON object, in one line.
std::string preview_json(const DataPreview& preview);

}  // namespace tfm

// The texts of a run that trains on several (data.sets), the tags that mark their sentences
// (data.tags), how much their pairs count (data.weights), the links between their words
// (data.alignments), and the stages in which the run mixes them (data.stages), as OpusTrainer does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tfm {

/// A set as a config names it: NAME=SOURCE,TARGET or NAME=TSV.
struct NamedSet {
  std::string name;
  std::string source;
  std::string target;
  std::string tsv;  ///< not empty if one file has both sides
};

/// Returns nullopt if the text has another form.
std::optional<NamedSet> parse_named_set(std::string_view text);

/// A tag as a config gives it to a set: SET=<TAG>.
struct NamedTag {
  std::string set;
  std::string tag;  ///< with < and >
};

/// Returns nullopt if the text has another form.
std::optional<NamedTag> parse_named_tag(std::string_view text);

/// The weight of the pairs of a set as a config gives it: SET=NUMBER or SET=FILE.
struct NamedWeight {
  std::string set;
  std::optional<double> number;  ///< the weight of every pair; at least 0
  std::string file;              ///< the file with the weight of each pair, if there is no number
};

/// The file of word alignments of a set as a config gives it: SET=FILE.
struct NamedAlignments {
  std::string set;
  std::string file;
};

/// Returns nullopt if the text has another form.
std::optional<NamedAlignments> parse_named_alignments(std::string_view text);

/// What data.weights and data.alignments call the training data if there are no sets.
inline constexpr std::string_view only_text_name = "train";

/// Returns nullopt if the text has another form, or the number is below 0 or not finite.
std::optional<NamedWeight> parse_named_weight(std::string_view text);

/// A set in a stage, with its share of the pairs. Only the ratios of weights count.
struct StageShare {
  std::string set;
  double weight = 1;
};

/// A stage as a config describes it: "clean 0.8, backtranslated 0.2 until clean 2". Its epochs end
/// when the set `until` has been visited once, and the stage ends after `epochs` epochs.
struct DataStage {
  std::vector<StageShare> shares;
  std::string until;        ///< the first set, if the text names none
  std::int64_t epochs = 0;  ///< 0: the stage lasts until the run ends
};

/// Returns nullopt if the text has another form, a weight is not above 0, or `until` names a set
/// that the stage does not draw from.
std::optional<DataStage> parse_stage(std::string_view text);

}  // namespace tfm

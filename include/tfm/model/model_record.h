// The record of how a model came to be, report.json of its folder: by training, as the mean of
// other models, or by an import. A model without a record, or with one that says less, is whole all
// the same, so reading is lenient.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tfm/model/validation_metrics.h"

namespace tfm {

/// What identifies a parallel text.
struct CorpusSummary {
  std::size_t pairs = 0;
  std::uint32_t checksum = 0;  ///< CRC-32
};

struct RecordedValidation {
  CorpusSummary text{};
  ValidationScores scores{};
  std::vector<std::pair<std::string, ValidationScores>> sets{};  ///< further sets, by name
};

struct TrainingRecord {
  std::string libtorch{};
  std::string finished{};  ///< why training ended
  std::int64_t steps = -1;
  std::int64_t epochs = 0;
  double seconds = 0;
  std::int64_t best_step = 0;
  std::int64_t parameters = 0;
  std::int64_t seed = 0;
  std::string device{};
  CorpusSummary text{};
  std::optional<RecordedValidation> validation{};
};

struct ImportRecord {
  std::string imported_from{};
  std::string format{};
};

/// The attention head that aligns words best.
struct AlignmentRecord {
  std::string head = "mean";  ///< as decoding.alignment_head spells it
  bool after_reading = false;
  std::optional<double> dice{};
  std::optional<double> error_rate{};  ///< if the validation text has true alignments
};

struct ModelRecord {
  std::string tfm{};  ///< the version that made the model
  std::optional<TrainingRecord> training{};
  std::vector<std::string> average_of{};  ///< folders
  std::optional<ImportRecord> import{};
  std::optional<AlignmentRecord> alignment{};
};

/// Writes report_file. Throws ModelError if it can't be written.
void write_record(const std::filesystem::path& folder, const ModelRecord& record);

/// Returns nothing if the folder has no record, or one that is damaged. Members that the file lacks
/// keep their defaults; a training without its end counts as none.
std::optional<ModelRecord> read_record(const std::filesystem::path& folder);

/// The record as text for a person: a name and its values per line, in the order of the file.
/// Returns nothing if the record is damaged; the file must exist.
std::optional<std::vector<std::pair<std::string, std::string>>> list_record(
    const std::filesystem::path& folder);

}  // namespace tfm

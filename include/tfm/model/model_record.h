// The record of how a model was made (by training, by averaging other models, or by an import): the
// file report.json in the model folder. Incomplete and malformed records are accepted, because a
// model works without its record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tfm/model/validation_metrics.h"

namespace tfm {

/// The size and checksum that identify a parallel corpus.
struct CorpusSummary {
  std::size_t pairs = 0;
  std::uint32_t checksum = 0;  ///< CRC-32
};

struct RecordedValidation {
  CorpusSummary text{};
  ValidationScores scores{};
  /// scores on the extra validation sets, by name
  std::vector<std::pair<std::string, ValidationScores>> sets{};
};

struct TrainingRecord {
  std::string libtorch{};
  std::string finished{};   ///< the reason why training ended
  std::string schedule{};   ///< how the schedule of the learning rate was cut short; may be empty
  std::int64_t steps = -1;  ///< number of updates; -1 if the file does not contain it
  std::int64_t epoch = 0;   ///< the number, from 1, of the epoch of the last update, as in the log
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

/// The attention head that gives the best word alignments.
struct AlignmentRecord {
  std::string head = "mean";  ///< a value of decoding.alignment_head
  bool shifted = false;
  std::optional<double> dice{};
  std::optional<double> error_rate{};  ///< set if there were gold alignments
};

struct ModelRecord {
  std::string tfm{};  ///< the version of tfm that made the model
  std::optional<TrainingRecord> training{};
  std::vector<std::string> average_of{};  ///< folders of the averaged models
  std::optional<ImportRecord> import{};
  std::optional<AlignmentRecord> alignment{};
};

/// Writes report_file. Throws ModelError if it cannot be written.
void write_record(const std::filesystem::path& folder, const ModelRecord& record);

/// Returns the content of report_file, or a discarded value if that is not JSON or is nested more
/// deeply than any record. Throws ModelError if the file can't be read.
nlohmann::ordered_json read_report(const std::filesystem::path& folder);

/// Reads the parts of the record that tfm uses: the alignment, and why and after how many steps and
/// seconds training ended. Returns nullopt if the folder has no record or the file is corrupt.
/// Fields that are missing in the file keep their defaults. A training record without "finished" is
/// ignored.
std::optional<ModelRecord> read_record(const std::filesystem::path& folder);

/// Returns the record for display: one pair of a name and a value per entry, in the order of the
/// file, with rounded numbers; the alignment is described in words. Returns nullopt if the record
/// is corrupt; the file must exist.
std::optional<std::vector<std::pair<std::string, std::string>>> list_record(
    const std::filesystem::path& folder);

}  // namespace tfm

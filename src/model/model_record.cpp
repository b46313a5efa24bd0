#include "tfm/model/model_record.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "scores_to_json.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/json_nesting.h"
#include "tfm/model/model_files.h"

namespace tfm {
namespace {

using nlohmann::ordered_json;

ordered_json corpus_to_json(const CorpusSummary& text) {
  return {{"pairs", text.pairs}, {"crc32", fmt::format("{:08x}", text.checksum)}};
}

void add_training(ordered_json& report, const TrainingRecord& training) {
  report["libtorch"] = training.libtorch;
  report["finished"] = training.finished;
  if (!training.schedule.empty()) report["schedule"] = training.schedule;
  report["steps"] = training.steps;
  report["epoch"] = training.epoch;
  report["seconds"] = training.seconds;
  report["best_step"] = training.best_step;
  report["parameters"] = training.parameters;
  report["seed"] = training.seed;
  report["device"] = training.device;
  report["training_text"] = corpus_to_json(training.text);
  if (!training.validation) return;
  report["validation_text"] = corpus_to_json(training.validation->text);
  report["validation"] = training.validation->scores;
  for (const auto& [name, scores] : training.validation->sets)
    report["validation_sets"][name] = scores;
}

ordered_json alignment_to_json(const AlignmentRecord& alignment) {
  ordered_json object = {{"head", alignment.head}, {"after_reading", alignment.shifted}};
  if (alignment.dice) object["dice"] = *alignment.dice;
  if (alignment.error_rate) object["error_rate"] = *alignment.error_rate;
  return object;
}

std::optional<double> read_number(const ordered_json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

/// Reads only the fields of a training record that tfm uses itself.
std::optional<TrainingRecord> read_training(const ordered_json& report) {
  const auto finished = report.find("finished");
  if (finished == report.end() || !finished->is_string()) return std::nullopt;
  TrainingRecord training;
  training.finished = finished->get<std::string>();
  if (const auto schedule = report.find("schedule");
      schedule != report.end() && schedule->is_string())
    training.schedule = schedule->get<std::string>();
  if (const auto steps = read_number(report, "steps"))
    training.steps = static_cast<std::int64_t>(*steps);
  training.seconds = read_number(report, "seconds").value_or(0);
  return training;
}

std::optional<AlignmentRecord> read_alignment(const ordered_json& report) {
  const auto found = report.find("alignment");
  if (found == report.end() || !found->is_object()) return std::nullopt;
  try {
    return AlignmentRecord{.head = found->value("head", "mean"),
                           .shifted = found->value("after_reading", false),
                           .dice = read_number(*found, "dice"),
                           .error_rate = read_number(*found, "error_rate")};
  } catch (const nlohmann::json::exception&) {  // a field has an unexpected type
    return std::nullopt;
  }
}

/// Formats a value for display. Floating-point numbers below 1000 are rounded to four significant
/// digits, larger ones to an integer, which is precise enough to compare models.
std::string display(const ordered_json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_number_float()) return value.dump();
  const double number = value.get<double>();
  return std::abs(number) < 1000 ? fmt::format("{:.4g}", number) : fmt::format("{:.0f}", number);
}

/// Describes a value of decoding.alignment_head.
std::string describe_head(const std::string& head) {
  if (head == "mean") return "mean of all heads";
  const auto colon = head.find(':');
  if (colon == head.npos)
    return fmt::format("mean of the heads of decoder layer {} (counted from 0)", head);
  return fmt::format("head {} of decoder layer {} (both counted from 0)", head.substr(colon + 1),
                     head.substr(0, colon));
}

/// Describes how words are aligned if decoding.alignment_head is auto, for readers who do not know
/// the keys of report.json.
std::string describe(const AlignmentRecord& alignment) {
  auto text = fmt::format("{}, at the step that {} each word", describe_head(alignment.head),
                          alignment.shifted ? "reads" : "predicts");
  if (alignment.dice)
    text += fmt::format("; mean Dice coefficient of the linked words {}", display(*alignment.dice));
  if (alignment.error_rate)
    text += fmt::format("; alignment error rate {}", display(*alignment.error_rate));
  return text;
}

}  // namespace

ordered_json read_report(const std::filesystem::path& folder) {
  constexpr std::size_t deepest = 64;  // tfm itself writes a few levels
  const auto text = read_file(folder / report_file);
  if (json_nesting(text) > deepest) return ordered_json(ordered_json::value_t::discarded);
  return ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
}

void write_record(const std::filesystem::path& folder, const ModelRecord& record) {
  ordered_json report = {{"tfm", record.tfm}};
  if (record.training) add_training(report, *record.training);
  if (!record.average_of.empty()) report["average_of"] = record.average_of;
  if (record.import) {
    report["imported_from"] = record.import->imported_from;
    report["format"] = record.import->format;
  }
  if (record.alignment) {
    const auto alignment = alignment_to_json(*record.alignment);
    // In the record of an averaged model, the keys of this object are in alphabetical order.
    report["alignment"] =
        record.average_of.empty() ? alignment : ordered_json(nlohmann::json(alignment));
  }
  write_file(folder / report_file, report.dump(2) + "\n");
}

std::optional<ModelRecord> read_record(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(folder / report_file)) return std::nullopt;
  const auto report = read_report(folder);
  if (!report.is_object()) return std::nullopt;
  ModelRecord record;
  record.training = read_training(report);
  record.alignment = read_alignment(report);
  return record;
}

std::optional<std::vector<std::pair<std::string, std::string>>> list_record(
    const std::filesystem::path& folder) {
  const auto report = read_report(folder);
  if (!report.is_object()) return std::nullopt;
  std::vector<std::pair<std::string, std::string>> lines;
  for (const auto& [name, value] : report.items()) {
    if (const auto alignment = read_alignment(report); alignment && name == "alignment") {
      lines.emplace_back(name, describe(*alignment));
      continue;
    }
    std::string whole = display(value);
    if (value.is_object()) {
      whole.clear();
      for (const auto& [part, number] : value.items())
        whole += fmt::format("{}{} {}", whole.empty() ? "" : "  ", part, display(number));
    }
    lines.emplace_back(name, whole);
  }
  return lines;
}

}  // namespace tfm

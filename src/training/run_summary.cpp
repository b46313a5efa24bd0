#include "tfm/training/run_summary.h"

#include <fmt/format.h>

#include <vector>

#include "tfm/core/format.h"
#include "tfm/optim/schedule.h"
#include "tfm/run/run_page_file.h"
#include "tfm/run/validation.h"

namespace tfm {
namespace {

/// Returns the path, quoted for a shell if necessary.
std::string shell_word(const std::filesystem::path& path) {
  constexpr const char* plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-=:@,";
  auto text = path.string();
  if (text.find_first_not_of(plain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char letter : text) quoted += letter == '\'' ? "'\\''" : std::string(1, letter);
  return quoted + "'";
}

std::string summary_line(const char* name, const std::string& text) {
  return fmt::format("\n    {:<11}{}", name, text);
}

/// Returns whether `max_steps: auto` took its number of updates from max_epochs, because the time
/// allowed more.
bool is_number_of_epochs(const TrainingConfig& config, const TrainerState& state) {
  return config.max_epochs > 0 && state.position.epoch + 1 >= config.max_epochs;
}

std::string describe_source_of_steps(const TrainingConfig& config, bool by_epochs) {
  return fmt::format("{}, from which max_steps: auto took the {} updates,",
                     by_epochs ? fmt::format("training.max_epochs ({})", config.max_epochs)
                               : fmt::format("training.max_minutes ({})", config.max_minutes),
                     config.max_steps);
}

}  // namespace

std::string continue_advice(const TrainingConfig& config, const TrainerState& state,
                            bool has_fitted_steps) {
  std::vector<std::string> limits;
  const bool all_steps = config.max_steps > 0 && state.step >= config.max_steps;
  const bool fitted = all_steps && has_fitted_steps;
  const bool by_epochs = is_number_of_epochs(config, state);
  if (fitted) limits.push_back(describe_source_of_steps(config, by_epochs));
  if (all_steps && !fitted) {
    const bool is_passed = state.step > config.max_steps;
    limits.push_back(fmt::format("training.max_steps ({}){}", config.max_steps,
                                 is_passed ? fmt::format(" above {}", state.step) : ""));
  }
  if (config.max_epochs > 0 && state.position.epoch >= config.max_epochs && !fitted)
    limits.push_back(fmt::format("training.max_epochs ({})", config.max_epochs));
  const bool all_time = config.max_minutes > 0 && state.seconds >= 60 * config.max_minutes;
  if (all_time && (!fitted || by_epochs))
    limits.push_back(fmt::format("training.max_minutes ({})", config.max_minutes));
  if (config.early_stopping > 0 && state.validations_without_improvement >= config.early_stopping)
    limits.push_back(fmt::format("training.early_stopping ({})", config.early_stopping));
  const char* plan = all_time && has_fitted_steps ? " The number of updates then follows from the "
                                                    "time that those of this run took."
                                                  : "";
  return fmt::format("Raise {} and use --resume to continue.{}", fmt::join(limits, " and "), plan);
}

std::optional<std::string> describe_unused_time(const TrainingConfig& config,
                                                const RunResult& result) {
  const auto& state = result.end.state;
  const double limit = 60 * config.max_minutes;
  if (!result.has_fitted_steps || state.step >= config.max_steps || state.seconds >= limit)
    return std::nullopt;
  return fmt::format("{} of the {} minutes, because another limit ended the run",
                     format_duration(limit - state.seconds), config.max_minutes);
}

std::optional<std::string> describe_cut_schedule(const TrainingConfig& config,
                                                 const TrainerState& state) {
  const auto end = config.decay_steps > 0 ? config.decay_steps : config.max_steps;
  if (config.schedule != ScheduleKind::cosine || end <= 0 || state.step >= end) return std::nullopt;
  const double factor = state.divergence.learning_rate_factor;
  const double reached = learning_rate_at(config, state.step) * factor;
  const double last = learning_rate_at(config, end) * factor;
  return fmt::format(
      "cut short at step {} of {}: the learning rate was {:.2e} ({:.0f}% of the highest), and "
      "would have ended at {}",
      state.step, end, reached, 100 * reached / config.learning_rate,
      last == 0 ? "0" : fmt::format("{:.2e}", last));
}

std::string summarize_run(const Config& config, const RunResult& result,
                          const std::optional<ValidationScores>& best) {
  const auto& state = result.end.state;
  const auto folder = shell_word(result.folder);
  auto text =
      fmt::format("finished: {} after {}", result.end.reason, format_duration(state.seconds));
  text +=
      best ? summary_line("best model",
                          fmt::format("step {}, validation {}", state.best_step, describe(*best)))
           : summary_line("model",
                          fmt::format("step {}, the last (no validation text)", state.best_step));
  text += summary_line("folder", result.folder.string());
  text += summary_line("page", (result.folder / page_file).string());
  if (const auto cut = describe_cut_schedule(config.training, state))
    text += summary_line("schedule", *cut);
  if (const auto unused = describe_unused_time(config.training, result))
    text += summary_line("unused", *unused);
  text += summary_line("translate", fmt::format("tfm translate -m {} \"...\"", folder));
  return text +
         summary_line("continue", continue_advice(config.training, state, result.has_fitted_steps));
}

}  // namespace tfm

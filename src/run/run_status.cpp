#include "tfm/run/run_status.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <ctime>
#include <nlohmann/json.hpp>
#include <utility>

#include "fingerprint_hex.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/clock.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

std::optional<StartChecks> checks_from(const ordered_json& object) {
  const auto found = object.find("start_checks");
  if (found == object.end()) return std::nullopt;
  return StartChecks{
      .circumstances = from_hex(found->at("circumstances").get<std::string>()).value_or(0),
      .memory = found->at("memory")};
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

std::string to_json(const StatusRecord& state) {
  ordered_json object = {{"state", state.state},  {"step", state.step}, {"epoch", state.epoch},
                         {"checkpoint", nullptr}, {"pid", state.pid},   {"changed", state.changed}};
  if (state.checkpoint >= 0) object["checkpoint"] = state.checkpoint;
  if (state.state != "running") {
    object["reason"] = state.reason;
    object["exit_code"] = state.exit_code;
  }
  if (state.checks)
    object["start_checks"] = {{"circumstances", to_hex(state.checks->circumstances)},
                              {"memory", state.checks->memory}};
  return object.dump(2, ' ', /*ensure_ascii=*/false, ordered_json::error_handler_t::replace) + "\n";
}

/// Creates the folder, because a lock file can only be opened in an existing folder. Returns the
/// folder.
const fs::path& create_folder(const fs::path& folder) {
  make_folder(folder);
  return folder;
}

}  // namespace

Interrupted make_interrupted_error(const std::string& where, const fs::path& run_folder) {
  return Interrupted(
      fmt::format("interrupted {}; everything is saved in {}", where, run_folder.string()),
      "Resume with the same command and --resume.");
}

std::optional<StatusRecord> read_status(const fs::path& run_folder) {
  const auto file = run_folder / status_file;
  if (!fs::exists(file)) return std::nullopt;
  const auto object = ordered_json::parse(read_file(file), nullptr, /*allow_exceptions=*/false);
  try {
    StatusRecord state{.state = object.at("state"),
                       .reason = object.value("reason", ""),
                       .step = object.at("step"),
                       .epoch = object.at("epoch"),
                       .checkpoint = object.at("checkpoint").is_null()
                                         ? -1
                                         : object.at("checkpoint").get<std::int64_t>(),
                       .pid = object.at("pid"),
                       .exit_code = object.value("exit_code", 0),
                       .changed = object.at("changed"),
                       .checks = checks_from(object)};
    if (state.state == "running" && !FileLock::holder(run_folder / lock_file)) state.state = "died";
    return state;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

RunStatus::RunStatus(fs::path run_folder)
    : folder_(std::move(run_folder)), lock_(create_folder(folder_) / lock_file) {
  previous_ = read_status(folder_);
  if (previous_ && previous_->state == "running")
    previous_->state = "died";  // the lock that read_status found is held by this process
  remove_stale_temporaries(folder_);
}

void RunStatus::start(std::int64_t checkpoint) {
  if (previous_ && previous_->state == "died") {
    log_warn(
        "the previous session (process {}) ended unexpectedly at step {} or later: it was killed, "
        "or the machine went down",
        previous_->pid, previous_->step);
  }
  now_ = {.state = "running",
          .reason = "",
          .step = std::max<std::int64_t>(0, checkpoint),
          .epoch = previous_ && checkpoint >= 0 ? previous_->epoch : 0,
          .checkpoint = checkpoint,
          .pid = ::getpid(),
          .exit_code = 0,
          .changed = "",
          .checks = std::nullopt};
  write();
}

void RunStatus::set(const TrainerState& state) {
  now_.step = state.step;
  now_.epoch = state.epoch_number();
}

void RunStatus::update(const TrainerState& state) {
  set(state);
  if (steady_seconds() - written_at_ < 1) return;
  try {
    write();
    warned_ = false;
  } catch (const Error& error) {
    // A disk that is only briefly full must not end a run between two checkpoints.
    if (!std::exchange(warned_, true)) log_warn("{}", error.what());
    written_at_ = steady_seconds();
  }
}

void RunStatus::saved(const TrainerState& state) {
  set(state);
  now_.checkpoint = state.step;
  write();
}

void RunStatus::finished(const TrainerState& state, const std::string& reason) {
  set(state);
  now_.state = "finished";
  now_.reason = reason;
  write();
}

void RunStatus::record_exception() noexcept {
  if (!started()) return;
  try {
    now_.state = "failed";
    now_.exit_code = 1;
    try {
      throw;
    } catch (const Error& error) {
      now_.reason = error.what();
      now_.exit_code = error.exit_code();
      if (dynamic_cast<const Interrupted*>(&error) != nullptr) now_.state = "interrupted";
    } catch (const std::exception& error) {
      now_.reason = error.what();
    } catch (...) {
      now_.reason = "unknown";
    }
    // Keeps only the first line, which states the cause; the other lines are hints.
    now_.reason = now_.reason.substr(0, now_.reason.find('\n'));
    if (now_.state == "failed" && now_.checkpoint >= 0) {
      log_warn(
          "the checkpoint of step {} is complete: once the cause is removed, the same command with "
          "--resume continues from it",
          now_.checkpoint);
    }
    write();
  } catch (const std::exception& error) {
    log_warn("{} could not be written: {}", status_file, error.what());
  }
}

void RunStatus::write() {
  now_.changed = utc_now();
  write_file(folder_ / status_file, to_json(now_));
  written_at_ = steady_seconds();
}

}  // namespace tfm

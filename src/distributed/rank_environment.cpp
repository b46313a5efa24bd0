#include "tfm/distributed/rank_environment.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <thread>

#include "tfm/core/error.h"

namespace tfm {
namespace {

constexpr const char* hint =
    "Start the ranks with tfm launch, torchrun or srun (docs/scaling.md), or unset WORLD_SIZE to "
    "train with one process.";

struct Variable {
  const char* name;
  std::string value;
};

std::string text_of(const Variables& variables, const char* name) {
  const char* value = variables(name);
  return value == nullptr ? "" : value;
}

/// The first of these variables that is set: the standard name, then (where allowed) those of Open
/// MPI and Slurm.
std::optional<Variable> first_set(const Variables& variables,
                                  std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (auto value = text_of(variables, name); !value.empty())
      return Variable{name, std::move(value)};
  }
  return std::nullopt;
}

int number_in(const Variable& variable, int least, int most) {
  int number = 0;
  const char* end = variable.value.data() + variable.value.size();
  const auto [stopped, error] = std::from_chars(variable.value.data(), end, number);
  if (error != std::errc() || stopped != end || number < least || number > most) {
    throw ConfigError(variable.name,
                      "'" + variable.value + "' is no number from " + std::to_string(least) +
                          " to " + std::to_string(most),
                      hint);
  }
  return number;
}

constexpr int most_ranks = 1 << 20;

std::optional<Variable> world_variable(const Variables& variables, bool scheduled) {
  if (!scheduled) return first_set(variables, {"WORLD_SIZE"});
  return first_set(variables, {"WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_NTASKS"});
}

}  // namespace

RankEnvironment rank_environment(const Variables& variables) {
  RankEnvironment environment;
  const auto address = first_set(variables, {"MASTER_ADDR"});
  const auto port = first_set(variables, {"MASTER_PORT"});
  const auto size = world_variable(variables, address && port);
  if (!size) return environment;
  environment.size = number_in(*size, 1, most_ranks);
  if (environment.size == 1) return environment;

  const auto rank = first_set(variables, {"RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID"});
  const auto missing = !rank ? "RANK" : !address ? "MASTER_ADDR" : !port ? "MASTER_PORT" : nullptr;
  if (missing != nullptr)
    throw ConfigError(missing, "is not set, but " + std::string(size->name) + " is " + size->value,
                      hint);
  environment.rank = number_in(*rank, 0, environment.size - 1);
  environment.master_address = address->value;
  environment.master_port = static_cast<std::uint16_t>(number_in(*port, 1, 65535));
  if (const auto local =
          first_set(variables, {"LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID"})) {
    environment.local_rank = number_in(*local, 0, environment.size - 1);
  }
  if (const auto local = first_set(
          variables, {"LOCAL_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", "SLURM_NTASKS_PER_NODE"})) {
    environment.local_size = number_in(*local, 1, environment.size);
  }
  environment.use_agent_store = text_of(variables, "TORCHELASTIC_USE_AGENT_STORE") == "True";
  if (const auto restarts = first_set(variables, {"TORCHELASTIC_RESTART_COUNT"}))
    environment.attempt = restarts->value;
  return environment;
}

RankEnvironment rank_environment() {
  return rank_environment([](const char* name) { return std::getenv(name); });
}

std::int64_t threads_per_rank(const RankEnvironment& environment, std::int64_t asked) {
  if (asked > 0 || environment.size == 1) return asked;
  return std::max<std::int64_t>(
      1, std::thread::hardware_concurrency() / static_cast<unsigned>(environment.local_size));
}

std::string local_device(const RankEnvironment& environment, const std::string& asked, int gpus) {
  const bool any = asked == "auto" || asked == "cuda";
  return any && environment.size > 1 && gpus > 0 ? "cuda:" + std::to_string(environment.local_rank)
                                                 : asked;
}

}  // namespace tfm

#include "tfm/distributed/rank_environment.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <initializer_list>
#include <optional>

#include "tfm/core/cpu.h"
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

/// Returns the first of these variables that is set and not empty.
std::optional<Variable> first_set(const Variables& variables,
                                  std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (auto value = variable_text(variables, name); !value.empty())
      return Variable{name, std::move(value)};
  }
  return std::nullopt;
}

int parse_number(const Variable& variable, int least, int most) {
  int number = 0;
  const char* end = variable.value.data() + variable.value.size();
  const auto [stopped, error] = std::from_chars(variable.value.data(), end, number);
  if (error != std::errc() || stopped != end || number < least || number > most) {
    throw ConfigError(variable.name,
                      "'" + variable.value + "' is not a number from " + std::to_string(least) +
                          " to " + std::to_string(most),
                      hint);
  }
  return number;
}

constexpr int most_ranks = 1 << 20;

std::optional<Variable> find_world_size(const Variables& variables, bool has_master) {
  if (!has_master) return first_set(variables, {"WORLD_SIZE"});
  return first_set(variables, {"WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_NTASKS"});
}

}  // namespace

RankEnvironment rank_environment(const Variables& variables) {
  RankEnvironment environment;
  const auto address = first_set(variables, {"MASTER_ADDR"});
  const auto port = first_set(variables, {"MASTER_PORT"});
  const auto size = find_world_size(variables, address && port);
  if (!size) return environment;
  environment.size = parse_number(*size, 1, most_ranks);
  if (environment.size == 1) return environment;

  const auto rank = first_set(variables, {"RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID"});
  if (!rank || !address || !port) {
    throw ConfigError(!rank      ? "RANK"
                      : !address ? "MASTER_ADDR"
                                 : "MASTER_PORT",
                      "is not set, but " + std::string(size->name) + " is " + size->value, hint);
  }
  environment.rank = parse_number(*rank, 0, environment.size - 1);
  environment.master_address = address->value;
  environment.master_port = static_cast<std::uint16_t>(parse_number(*port, 1, 65535));
  if (const auto local =
          first_set(variables, {"LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID"})) {
    environment.local_rank = parse_number(*local, 0, environment.size - 1);
  }
  if (const auto local = first_set(
          variables, {"LOCAL_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", "SLURM_NTASKS_PER_NODE"})) {
    environment.local_size = parse_number(*local, 1, environment.size);
  }
  environment.use_agent_store = variable_text(variables, "TORCHELASTIC_USE_AGENT_STORE") == "True";
  if (const auto restarts = first_set(variables, {"TORCHELASTIC_RESTART_COUNT"}))
    environment.restart_count = restarts->value;
  environment.started_by_tfm = variable_text(variables, launched_variable) == "1";
  return environment;
}

RankEnvironment rank_environment() {
  return rank_environment([](const char* name) { return std::getenv(name); });
}

std::int64_t threads_per_rank(const RankEnvironment& environment, std::int64_t requested) {
  if (requested > 0 || environment.size == 1) return requested;
  return std::max<std::int64_t>(1, available_cpus() / environment.local_size);
}

std::string local_device(const RankEnvironment& environment, const std::string& requested,
                         int gpus) {
  const bool any_gpu = requested == "auto" || requested == "cuda";
  return any_gpu && environment.size > 1 && gpus > 0
             ? "cuda:" + std::to_string(environment.local_rank)
             : requested;
}

}  // namespace tfm

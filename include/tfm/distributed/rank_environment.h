// Reads the rank of this process in a distributed run from environment variables that the launcher
// sets. torchrun and `tfm launch` set RANK, WORLD_SIZE, LOCAL_RANK, LOCAL_WORLD_SIZE, MASTER_ADDR
// and MASTER_PORT. The variables of Open MPI and Slurm are used only if MASTER_ADDR and MASTER_PORT
// are set, because job steps that are not distributed runs have such variables, too.
#pragma once

#include <cstdint>
#include <string>

#include "tfm/core/environment.h"

namespace tfm {

struct RankEnvironment {
  int rank = 0;  ///< from 0 to size - 1
  int size = 1;
  int local_rank = 0;          ///< rank among the ranks of this machine, and the number of its GPU
  int local_size = 1;          ///< number of ranks on this machine
  std::string master_address;  ///< the host of rank 0
  std::uint16_t master_port = 0;
  /// true if torchrun's agent already listens on master_port, so that rank 0 must not listen there
  bool use_agent_store = false;
  /// torchrun's number of restarts; each restart uses separate keys in the store
  std::string restart_count = "0";
  /// true if `tfm launch` started this rank and reports which rank failed first (launcher.h)
  bool started_by_tfm = false;
};

/// The environment variable that `tfm launch` sets in the ranks that it starts.
inline constexpr const char* launched_variable = "TFM_LAUNCHED";

/// Reads the rank from these variables. Without them, the process is the only rank. Throws a
/// ConfigError that names the missing or invalid variable.
RankEnvironment rank_environment(const Variables& variables);
/// Reads the rank from the environment of this process.
RankEnvironment rank_environment();

/// Returns the number of CPU threads per operation. This is `requested`, unless `requested` is 0
/// and there are several ranks: then it is this rank's share of the machine's cores.
std::int64_t threads_per_rank(const RankEnvironment& environment, std::int64_t requested);

/// Returns "cuda:LOCAL_RANK" if `requested` is "auto" or "cuda" and there are several ranks and at
/// least one GPU. Otherwise returns `requested`.
std::string local_device(const RankEnvironment& environment, const std::string& requested,
                         int gpus);

}  // namespace tfm

// Who this process is among the ranks of a distributed run, as its starter says in the environment:
// torchrun and `tfm launch` set RANK, WORLD_SIZE, LOCAL_RANK, LOCAL_WORLD_SIZE, MASTER_ADDR and
// MASTER_PORT. Open MPI's and Slurm's own variables count where MASTER_ADDR and MASTER_PORT are
// set: only then is a job step meant as one run.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace tfm {

struct RankEnvironment {
  int rank = 0;  ///< 0 to size - 1
  int size = 1;
  int local_rank = 0;  ///< among the ranks of this machine: the number of its GPU
  int local_size = 1;
  std::string master_address;  ///< where rank 0 is found
  std::uint16_t master_port = 0;
  /// torchrun's agent listens on master_port already, so rank 0 must not
  bool use_agent_store = false;
  /// torchrun's count of restarts: each has keys of its own in the store
  std::string attempt = "0";
};

/// A variable's value, or nullptr: std::getenv.
using Variables = std::function<const char*(const char*)>;

/// A group of one where nothing says otherwise. Throws ConfigError naming the variable that is
/// missing or wrong.
RankEnvironment rank_environment(const Variables& variables);
/// Of this process's environment.
RankEnvironment rank_environment();

/// CPU threads of one operation: those asked for, or (0) this rank's share of the machine's cores.
std::int64_t threads_per_rank(const RankEnvironment& environment, std::int64_t asked);

/// "auto" and "cuda" mean the GPU of this rank (cuda:LOCAL_RANK) where there are several ranks and
/// `gpus` were found; all else stays.
std::string local_device(const RankEnvironment& environment, const std::string& asked, int gpus);

}  // namespace tfm

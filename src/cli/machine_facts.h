// What `tfm doctor` finds on this machine, as values. machine_check.h judges them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tfm/tensor/capabilities.h"
#include "tfm/tensor/cuda_state.h"

namespace tfm {

/// A folder that commands write to.
struct FolderFacts {
  std::string use;  ///< what is written there: "runs"
  std::filesystem::path path;
  bool writable = false;
  std::string problem;     ///< the system's message if the folder can't be written
  double free_bytes = 0;   ///< free space of the disk; 0 if unknown
  bool in_memory = false;  ///< whether the folder is in memory (tmpfs) instead of on a disk
};

/// The model that commands use if none is named.
struct DefaultModel {
  std::string folder;   ///< empty if there is none
  std::string problem;  ///< why it can't be used; empty if it can
};

struct MachineFacts {
  std::string processor;  ///< the name that the system gives it; empty if unknown
  InstructionSets instructions;
  std::string kernels;  ///< describe_kernels() (tensor/capabilities.h)
  /// environment variables that limit kernels, as "NAME=value"
  std::vector<std::string> limiting_variables;
  std::string libtorch;  ///< its version
  int cpus = 0;          ///< the CPUs of the machine that the process may run on
  int usable_cpus = 0;   ///< available_cpus() (core/cpu.h), which also counts a container's limit
  /// mean number of threads that ran or waited during the last minute, those of all programs
  std::optional<double> load;
  double total_memory = 0;      ///< bytes; 0 if unknown
  double available_memory = 0;  ///< available_memory() (core/memory.h)
  std::int64_t open_files = 0;  ///< the hard limit of open files
  CudaState cuda;
  bool has_nvidia_gpu = false;  ///< whether the system's driver lists a GPU
  std::string distributed;      ///< describe_distributed() (distributed/support.h)
  std::vector<FolderFacts> folders;
  DefaultModel default_model;
};

/// Looks at this machine. Writes a file to each folder to see whether that is possible, and removes
/// the file.
MachineFacts find_machine_facts();

/// Looks at the folder, or at the nearest folder above it that exists.
FolderFacts find_folder_facts(const std::string& use, const std::filesystem::path& folder);

}  // namespace tfm

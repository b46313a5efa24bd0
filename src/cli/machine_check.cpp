#include "machine_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tfm/core/format.h"

namespace tfm {
namespace {

constexpr double gigabyte = 1e9;
/// Below this, even a tiny model does not train (docs/training.md).
constexpr double least_memory = 0.7 * gigabyte;
/// What training a base model needs.
constexpr double ample_memory = 4 * gigabyte;
constexpr double ample_disk = 2 * gigabyte;
/// A corpus of many shards opens this many files (core/open_files.h).
constexpr std::int64_t ample_files = 1024;
/// Other programs disturb tfm if they use more than this share of the CPUs.
constexpr double quiet_share = 0.25;

Finding good(std::string subject, std::string text) {
  return {std::move(subject), Judgement::good, std::move(text), ""};
}

Finding check_processor(const MachineFacts& facts) {
  const auto& has = facts.instructions;
  const auto found = [&](std::string remedy) {
    return Finding{"processor", remedy.empty() ? Judgement::good : Judgement::slow,
                   facts.processor.empty() ? "unknown" : facts.processor, std::move(remedy)};
  };
  if (!has.avx2)
    return found(
        "It has no AVX2, so all kernels use registers of 128 bits. Expect a quarter of "
        "the speed of a processor with AVX2, or less.");
  if (!has.avx512)
    return found(
        "It has no AVX-512. Translation in int8 is fast, but training is in fp32, at "
        "about half the speed of processors with bf16.");
  if (!has.bf16)
    return found(
        "It does not multiply in bf16, so training is in fp32, at about half the speed of "
        "processors with bf16.");
  if (!has.vnni) return found("It has no VNNI, so int8 products take the kernels for AVX2.");
  return found("");
}

Finding check_kernels(const MachineFacts& facts) {
  if (facts.limiting_variables.empty()) return good("kernels", facts.kernels);
  return {"kernels", Judgement::slow, facts.kernels,
          fmt::format("{} may exclude the fastest kernels. Unset it, unless you test them.",
                      fmt::join(facts.limiting_variables, " and "))};
}

Finding check_cpus(const MachineFacts& facts) {
  auto text = fmt::format("{} of {} usable", facts.usable_cpus, facts.cpus);
  if (facts.usable_cpus < facts.cpus) text += " (the container's limit)";
  if (facts.load) text += fmt::format(", load {:.1f}", *facts.load);
  if (!facts.load || *facts.load <= quiet_share * facts.cpus) return good("CPUs", text);
  return {"CPUs", Judgement::slow, text,
          "Other programs use the CPUs. Timings are not reliable while they do, and tfm gets only "
          "its share."};
}

Finding check_memory(const MachineFacts& facts) {
  const auto text = facts.available_memory <= 0
                        ? std::string("unknown")
                        : fmt::format("{} free of {}", format_bytes(facts.available_memory),
                                      format_bytes(facts.total_memory));
  if (facts.available_memory <= 0 || facts.available_memory >= ample_memory)
    return good("memory", text);
  if (facts.available_memory < least_memory)
    return {"memory", Judgement::problem, text,
            "Too little for training; a tiny model can be used for translation in int8. Close "
            "other programs, or raise the container's limit."};
  return {"memory", Judgement::slow, text,
          "Enough for small models. For larger ones, lower training.batch_size, or set it to auto; "
          "`tfm train --dry-run` says what a run needs."};
}

Finding check_files(const MachineFacts& facts) {
  const auto text = fmt::format("at most {}", group_digits(facts.open_files));
  if (facts.open_files >= ample_files) return good("open files", text);
  return {"open files", Judgement::slow, text,
          "Large training data and servers with many clients need more: raise the limit "
          "(ulimit -Hn)."};
}

Finding check_gpu(const MachineFacts& facts) {
  const auto text = describe_cuda(facts.cuda);
  if (facts.cuda.gpus > 0) return good("GPU", text);
  if (facts.cuda.built_version > 0) {
    const auto cause = explain_missing_gpu(facts.cuda, 0);
    return {"GPU", Judgement::slow, text, cause.remedy};
  }
  if (!facts.has_nvidia_gpu) return good("GPU", text);
  return {"GPU", Judgement::slow, text,
          "This machine has an NVIDIA GPU, which this build cannot use. Build tfm with a LibTorch "
          "for CUDA (docs/scaling.md)."};
}

Finding check_folder(const FolderFacts& folder) {
  const auto space = folder.free_bytes > 0 ? format_bytes(folder.free_bytes) : "unknown space";
  const auto text = fmt::format("{}, {} free{}", folder.path.string(), space,
                                folder.in_memory ? ", in memory" : "");
  if (!folder.writable)
    return {folder.use, Judgement::problem, folder.path.string(),
            fmt::format("It can't be written: {}. Change to another folder or its permissions.",
                        folder.problem)};
  if (folder.free_bytes > 0 && folder.free_bytes < ample_disk)
    return {folder.use, Judgement::slow, text,
            "Little space: each checkpoint of a run takes three times the size of its model."};
  return good(folder.use, text);
}

Finding check_model(const DefaultModel& model) {
  if (model.folder.empty()) return good("model", "none yet: tfm train makes one in runs/");
  if (model.problem.empty()) return good("model", model.folder);
  return {"model", Judgement::problem, model.folder + " " + model.problem,
          "Set TFM_MODEL to a model folder, or unset it."};
}

}  // namespace

std::vector<Finding> check_machine(const MachineFacts& facts) {
  std::vector<Finding> findings{
      check_processor(facts), good("instructions", describe(facts.instructions)),
      check_kernels(facts),   good("LibTorch", facts.libtorch),
      check_cpus(facts),      check_memory(facts),
      check_gpu(facts),       good("distributed", facts.distributed),
      check_files(facts)};
  for (const auto& folder : facts.folders) findings.push_back(check_folder(folder));
  findings.push_back(check_model(facts.default_model));
  return findings;
}

}  // namespace tfm

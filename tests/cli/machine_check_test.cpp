#include "cli/machine_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace tfm {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// A machine on which everything works at full speed.
MachineFacts fast_machine() {
  return {.processor = "A processor",
          .instructions = {.avx2 = true, .avx512 = true, .vnni = true, .bf16 = true, .amx = true},
          .kernels = "fp32: AVX-512",
          .limiting_variables = {},
          .libtorch = "2.13.0",
          .cpus = 8,
          .usable_cpus = 8,
          .load = 0.1,
          .total_memory = 32e9,
          .available_memory = 30e9,
          .open_files = 1 << 20,
          .cuda = {},
          .has_nvidia_gpu = false,
          .distributed = "Gloo",
          .folders = {{.use = "runs",
                       .path = "runs",
                       .writable = true,
                       .problem = "",
                       .free_bytes = 1e12,
                       .in_memory = false}},
          .default_model = {}};
}

Finding finding(const MachineFacts& facts, const std::string& subject) {
  const auto findings = check_machine(facts);
  const auto found = std::ranges::find(findings, subject, &Finding::subject);
  EXPECT_NE(found, findings.end()) << subject;
  return found == findings.end() ? Finding{} : *found;
}

/// Expects this judgement, with a remedy that contains the text if it is not good.
void expect_judgement(const MachineFacts& facts, const std::string& subject, Judgement judgement,
                      const std::string& remedy) {
  const auto found = finding(facts, subject);
  EXPECT_EQ(found.judgement, judgement) << subject << ": " << found.text;
  EXPECT_THAT(found.remedy, HasSubstr(remedy));
}

TEST(CheckMachine, FindsNothingToRemedyOnAFastMachine) {
  for (const auto& found : check_machine(fast_machine())) {
    EXPECT_EQ(found.judgement, Judgement::good) << found.subject;
    EXPECT_THAT(found.remedy, IsEmpty());
    EXPECT_FALSE(found.text.empty()) << found.subject;
  }
}

TEST(CheckMachine, NamesTheInstructionsThatTheProcessorLacks) {
  auto facts = fast_machine();
  facts.instructions.amx = false;
  EXPECT_EQ(finding(facts, "processor").judgement, Judgement::good);
  facts.instructions.vnni = false;
  expect_judgement(facts, "processor", Judgement::slow, "VNNI");
  facts.instructions.bf16 = false;
  expect_judgement(facts, "processor", Judgement::slow, "bf16");
  facts.instructions.avx512 = false;
  expect_judgement(facts, "processor", Judgement::slow, "no AVX-512");
  facts.instructions.avx2 = false;
  expect_judgement(facts, "processor", Judgement::slow, "no AVX2");
}

TEST(CheckMachine, NamesTheVariablesThatLimitKernels) {
  auto facts = fast_machine();
  facts.limiting_variables = {"TFM_CPU_FEATURES=avx2", "ATEN_CPU_CAPABILITY=default"};
  expect_judgement(facts, "kernels", Judgement::slow,
                   "TFM_CPU_FEATURES=avx2 and ATEN_CPU_CAPABILITY=default");
}

TEST(CheckMachine, SaysThatOtherProgramsUseTheCpus) {
  auto facts = fast_machine();
  facts.load = 2.0;  // a quarter of 8 CPUs
  EXPECT_EQ(finding(facts, "CPUs").judgement, Judgement::good);
  facts.load = 2.1;
  expect_judgement(facts, "CPUs", Judgement::slow, "Other programs");
  facts.load.reset();
  EXPECT_EQ(finding(facts, "CPUs").judgement, Judgement::good);
}

TEST(CheckMachine, ReportsTheLimitOfAContainer) {
  auto facts = fast_machine();
  facts.usable_cpus = 2;
  EXPECT_THAT(finding(facts, "CPUs").text, HasSubstr("2 of 8 usable (the container's limit)"));
}

TEST(CheckMachine, JudgesTheFreeMemory) {
  auto facts = fast_machine();
  facts.available_memory = 3e9;
  expect_judgement(facts, "memory", Judgement::slow, "training.batch_size");
  facts.available_memory = 0.5e9;
  expect_judgement(facts, "memory", Judgement::problem, "Too little");
  facts.available_memory = 0;  // the system does not say
  EXPECT_EQ(finding(facts, "memory").judgement, Judgement::good);
}

TEST(CheckMachine, SaysWhyAGpuIsNotUsed) {
  auto facts = fast_machine();
  facts.has_nvidia_gpu = true;
  expect_judgement(facts, "GPU", Judgement::slow, "Build tfm with a LibTorch for CUDA");
  facts.cuda = {.built_version = 13000, .gpus = 0};
  EXPECT_EQ(finding(facts, "GPU").judgement, Judgement::slow);
  EXPECT_FALSE(finding(facts, "GPU").remedy.empty());
  facts.cuda.gpus = 1;
  EXPECT_EQ(finding(facts, "GPU").judgement, Judgement::good);
}

TEST(CheckMachine, ReportsFoldersThatAreFullOrCannotBeWritten) {
  auto facts = fast_machine();
  facts.folders[0].free_bytes = 1e8;
  expect_judgement(facts, "runs", Judgement::slow, "Little space");
  facts.folders[0].writable = false;
  facts.folders[0].problem = "Permission denied";
  expect_judgement(facts, "runs", Judgement::problem, "Permission denied");
}

TEST(CheckMachine, ReportsAModelThatCannotBeUsed) {
  auto facts = fast_machine();
  facts.default_model = {"runs/a", ""};
  EXPECT_EQ(finding(facts, "model").judgement, Judgement::good);
  facts.default_model = {"none", "is not a model folder"};
  expect_judgement(facts, "model", Judgement::problem, "TFM_MODEL");
}

TEST(CheckMachine, ReportsALowLimitOfOpenFiles) {
  auto facts = fast_machine();
  facts.open_files = 256;
  expect_judgement(facts, "open files", Judgement::slow, "ulimit");
}

}  // namespace
}  // namespace tfm

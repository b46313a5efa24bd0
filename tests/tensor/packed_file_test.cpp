#include "tfm/tensor/packed_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "captured_log.h"
#include "temporary_folder.h"
#include "tfm/core/error.h"
#include "tfm/tensor/linear.h"
#include "tfm/tensor/packed_weights.h"
#include "tfm/tensor/safetensors.h"

namespace tfm {
namespace {

using testing::HasSubstr;

/// Two weights, one smaller and one larger than is_small_weight. The first has two slots.
struct PackedFile : testing::Test {
  PackedFile() {
    torch::manual_seed(1);
    small = torch::randn({96, 70});
    large = torch::randn({301, 512});
    parts.add(small, torch::randn({96}), 0, 32);
    parts.add(small, torch::Tensor(), 32, 96);
    parts.add(large, torch::randn({301}));
  }

  std::optional<std::vector<PackedWeight>> read() const {
    return read_packed_file(file, parts.all());
  }

  /// Writes the file with other tensors or metadata.
  void edit(const std::function<void(SafetensorsFile&)>& change) const {
    auto content = read_safetensors(file);
    change(content);
    write_safetensors(file, content.tensors, content.metadata);
  }

  void expect_ignored(const char* reason) const {
    const CapturedLog log;
    EXPECT_FALSE(read());
    EXPECT_THAT(log.text(), HasSubstr(file.string() + " is not used: "));
    EXPECT_THAT(log.text(), HasSubstr(reason));
  }

  torch::InferenceMode inference;
  TemporaryFolder folder;
  std::filesystem::path file = folder.path("int8.safetensors");
  torch::Tensor small, large;
  LinearParts parts;
};

TEST_F(PackedFile, MultipliesBitForBitLikeWeightsPackedInMemory) {
  const PackedWeights expected(parts.all(), {.format = WeightFormat::int8});
  write_packed_file(file, parts.all());
  const auto weights = read();
  ASSERT_TRUE(weights);
  const PackedWeights found(parts.all(), {.format = WeightFormat::int8, .packed_int8 = &*weights});
  for (const auto& part : parts.all()) {
    const auto x = torch::randn({5, part.weight.size(1)});
    EXPECT_TRUE(linear(found.context(), x, part).equal(linear(expected.context(), x, part)))
        << part.slot;
  }
}

TEST_F(PackedFile, ReadsNothingAndWarnsOfNothingIfThereIsNoFile) {
  const CapturedLog log;
  EXPECT_FALSE(read());
  EXPECT_EQ(log.text(), "");
}

TEST_F(PackedFile, IsIgnoredIfTheWeightsHaveBeenTrainedSince) {
  write_packed_file(file, parts.all());
  EXPECT_TRUE(read());
  large.add_(1e-3);
  expect_ignored("it was made from other weights");
}

TEST_F(PackedFile, IsIgnoredOnAProcessorWithOtherKernels) {
  write_packed_file(file, parts.all());
  edit([](SafetensorsFile& content) { content.metadata["kernels"] = "int8: another"; });
  expect_ignored("it is for a processor with the kernels \"int8: another\"");
}

TEST_F(PackedFile, IsIgnoredIfAnotherVersionWroteIt) {
  write_packed_file(file, parts.all());
  edit([](SafetensorsFile& content) { content.metadata["format"] = "tfm int8 0"; });
  expect_ignored("another version of tfm wrote it");
}

TEST_F(PackedFile, IsIgnoredIfAWeightIsMissingOrHasAWrongShape) {
  write_packed_file(file, parts.all());
  edit([](SafetensorsFile& content) { content.tensors.erase("panels.1"); });
  expect_ignored("weight 1 is missing or has a wrong shape");
  write_packed_file(file, parts.all());
  edit([](SafetensorsFile& content) { content.tensors["panels.0"] = torch::zeros({2, 2}); });
  expect_ignored("weight 0 is missing or has a wrong shape");
}

TEST_F(PackedFile, IsIgnoredIfAScaleHasChanged) {
  write_packed_file(file, parts.all());
  edit([](SafetensorsFile& content) { content.tensors["scales.0"][0] = 1e38; });
  expect_ignored("its scales are corrupt");
}

TEST_F(PackedFile, IsIgnoredIfItIsTruncated) {
  write_packed_file(file, parts.all());
  std::filesystem::resize_file(file, 5000);
  expect_ignored("is not a valid safetensors file");
}

TEST_F(PackedFile, IsNotWrittenIfAWeightIsNotFinite) {
  large[300][0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(write_packed_file(file, parts.all()), ModelError);
  EXPECT_FALSE(std::filesystem::exists(file));
}

}  // namespace
}  // namespace tfm

#include "tfm/tensor/safetensors.h"

#include <gtest/gtest.h>

#include <fstream>

#include "nn/model_fixture.h"
#include "temporary_folder.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

class Safetensors : public testing::Test {
 protected:
  TemporaryFolder folder;
  std::filesystem::path file = folder.path("t.safetensors");

  void write_raw(const std::string& header, const std::string& data) const {
    std::string bytes(8, '\0');
    for (size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>((header.size() >> (8 * i)) & 0xFF);
    write_file(file, bytes + header + data);
  }
};

TEST_F(Safetensors, ReadsBackTheWrittenTensorsAndMetadata) {
  const StateDict tensors{{"a", torch::randn({3, 4})},
                          {"b", torch::arange(5)},
                          {"c", torch::randn({2, 2}).to(torch::kBFloat16)},
                          {"empty", torch::zeros({0, 3})},
                          {"scalar", torch::tensor(2.5)},
                          {"transposed", torch::randn({3, 2}).t()}};
  write_safetensors(file, tensors, {{"made", "here"}});
  const auto read = read_safetensors(file);
  ASSERT_EQ(read.tensors.size(), tensors.size());
  for (const auto& [name, tensor] : tensors) {
    EXPECT_EQ(read.tensors.at(name).scalar_type(), tensor.scalar_type()) << name;
    EXPECT_TRUE(read.tensors.at(name).equal(tensor)) << name;
  }
  EXPECT_EQ(read.metadata.at("made"), "here");
}

TEST_F(Safetensors, ChangingATensorThatWasReadDoesNotChangeTheFile) {
  write_safetensors(file, {{"a", torch::ones({4})}});
  auto tensor = read_safetensors(file).tensors.at("a");
  tensor.mul_(5);
  EXPECT_TRUE(read_safetensors(file).tensors.at("a").equal(torch::ones({4})));
}

TEST_F(Safetensors, ReleasedPagesAreReadAgainFromTheFile) {
  const auto values = torch::randn({300, 300});
  write_safetensors(file, {{"a", values}});
  auto tensor = read_safetensors(file).tensors.at("a");
  release_pages(tensor);
  EXPECT_TRUE(tensor.equal(values));
}

TEST_F(Safetensors, ReadsAFileThatPythonWrote) {
  const auto golden = read_safetensors(std::filesystem::path(TFM_SOURCE_DIR) /
                                       "tests/nn/golden/post_norm.safetensors");
  EXPECT_EQ(golden.tensors.at("source").scalar_type(), torch::kInt64);
  EXPECT_EQ(golden.tensors.at("losses").numel(), 10);
}

TEST_F(Safetensors, RejectsEveryTruncatedFile) {
  write_safetensors(file, {{"a", torch::randn({4, 4})}, {"b", torch::arange(3)}});
  const auto whole = read_file(file);
  for (size_t length = 0; length < whole.size(); ++length) {
    write_file(file, whole.substr(0, length));
    EXPECT_THROW(read_safetensors(file), ModelError) << length;
  }
}

TEST_F(Safetensors, RejectsInconsistentHeaders) {
  const std::string data(16, 'x');
  const std::vector<std::string> headers = {
      "[]", "not json", R"({"a":1})",
      R"({"a":{"dtype":"F32","shape":[5],"data_offsets":[0,20]}})",  // past the end of the file
      R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,16]}})",  // shape and size do not match
      R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})",  // negative extent
      R"({"a":{"dtype":"Q4","shape":[4],"data_offsets":[0,16]}})",   // unknown type
      R"({"a":{"dtype":"F32","shape":[4],"data_offsets":[16,0]}})",  // reversed offsets
      // overflow of the number of elements
      R"({"a":{"dtype":"F32","shape":[4294967296,4294967296,4],"data_offsets":[0,16]}})",
      // overflow of the strides of an empty tensor
      R"({"a":{"dtype":"F32","shape":[0,4611686018427387904,4],"data_offsets":[0,0]}})",
      R"({"a":{"dtype":"F32","shape":[4]}})"};
  for (const auto& header : headers) {
    write_raw(header, data);
    EXPECT_THROW(read_safetensors(file), ModelError) << header;
  }
  write_raw(R"({"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})", data);
  EXPECT_NO_THROW(read_safetensors(file));
}

TEST(LoadStateDict, ListsEveryWeightThatDoesNotMatch) {
  auto model = make_model(small_config());
  auto weights = state_dict(*model);
  weights.erase("source_embedding.weight");
  weights["output.weight"] = torch::zeros({2, 2});
  weights["stray"] = torch::zeros({1});
  try {
    load_state_dict(*model, weights, "x/model.safetensors");
    FAIL();
  } catch (const ModelError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("missing: source_embedding.weight"), std::string::npos) << text;
    EXPECT_NE(text.find("output.weight: [2, 2]"), std::string::npos) << text;
    EXPECT_NE(text.find("unexpected: stray"), std::string::npos) << text;
  }
}

TEST(LoadStateDict, RejectsWeightsOfAnIntegerType) {
  auto model = make_model(small_config());
  auto weights = state_dict(*model);
  weights["output.weight"] = weights["output.weight"].to(torch::kInt64);
  const auto message =
      message_of<ModelError>([&] { load_state_dict(*model, weights, "x/model.safetensors"); });
  EXPECT_NE(message.find("output.weight: Long instead of a floating-point type"), std::string::npos)
      << message;
}

TEST(NonFiniteWeights, ListsTensorsWithInfinityOrNan) {
  const auto infinity = std::numeric_limits<double>::infinity();
  const StateDict good{{"a", torch::ones({2})}, {"empty", torch::zeros({0, 3})}};
  EXPECT_TRUE(non_finite_weights(good).empty());
  for (const double value : {infinity, -infinity, std::nan("")}) {
    auto bad = good;
    bad["b"] = torch::tensor({0.0, value}).to(torch::kBFloat16);
    EXPECT_EQ(non_finite_weights(bad), std::vector<std::string>{"b"}) << value;
  }
}

}  // namespace
}  // namespace tfm

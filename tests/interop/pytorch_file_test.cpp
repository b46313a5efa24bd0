#include "interop/pytorch_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "imported.h"
#include "pickle_parts.h"
#include "property.h"
#include "temporary_folder.h"
#include "tfm/core/error.h"
#include "tfm/tensor/safetensors.h"

namespace tfm {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::vector<float> six_floats{1, 2, 3, 4, 5, 6};

/// Reads files from a temporary folder. Tensors refer to the mapped file, which may be replaced.
class ReadPyTorchFile : public testing::Test {
 protected:
  StateDict read(const std::string& bytes) {
    std::filesystem::remove(folder.path("a.bin"));
    folder.write("a.bin", bytes);
    return read_pytorch_file(folder.path("a.bin"));
  }
  std::string error_message(const std::string& bytes) {
    return message_of<ModelError>([&] { read(bytes); });
  }
  /// Returns the message for a dictionary with this tensor, in both containers.
  std::string tensor_error(const TensorParts& parts) {
    const auto pickle = pickled_dictionary({{"w", pickled_tensor(parts)}});
    const auto message = error_message(pytorch_zip(pickle, {{"0", six_floats}}));
    EXPECT_EQ(error_message(pytorch_legacy(pickle, {{"0", six_floats}})), message);
    return message;
  }

  TemporaryFolder folder;
};

const std::vector<std::string> golden_files{"pytorch_zip.bin", "pytorch_legacy.bin",
                                            "pytorch_protocol4.bin"};

TEST_F(ReadPyTorchFile, ReadsWhatPyTorchWroteInBothContainers) {
  const auto expected = read_safetensors(interop_golden("pytorch.safetensors")).tensors;
  for (const auto& name : golden_files) {
    const auto found = read_pytorch_file(interop_golden(name));
    EXPECT_EQ(found.size(), expected.size()) << name;
    for (const auto& [tensor, value] : expected) {
      ASSERT_TRUE(found.contains(tensor)) << name << " " << tensor;
      EXPECT_EQ(found.at(tensor).scalar_type(), value.scalar_type()) << name << " " << tensor;
      EXPECT_TRUE(found.at(tensor).equal(value)) << name << " " << tensor;
    }
  }
}

TEST_F(ReadPyTorchFile, TensorsShareStoragesAndKeepStrides) {
  for (const auto& name : golden_files) {
    const auto found = read_pytorch_file(interop_golden(name));
    EXPECT_EQ(found.at("tied").data_ptr(), found.at("weight").data_ptr()) << name;
    EXPECT_EQ(found.at("transposed").strides(), (std::vector<std::int64_t>{1, 4})) << name;
    EXPECT_EQ(found.at("last").data_ptr<float>(), found.at("transposed").data_ptr<float>() + 11);
  }
}

TEST_F(ReadPyTorchFile, ReadsFilesMadeByHand) {
  const auto pickle = pickled_dictionary(
      {{"a", pickled_tensor()},
       {"b", pickled_tensor({.offset = 1, .sizes = {2}, .strides = {3}})},
       {"c", pickled_tensor({.key = "1", .storage_size = 1, .sizes = {}, .strides = {}})}});
  const StorageParts storages{{"0", six_floats}, {"1", {7}}};
  for (const auto& bytes : {pytorch_zip(pickle, storages), pytorch_legacy(pickle, storages)}) {
    const auto found = read(bytes);
    EXPECT_TRUE(found.at("a").equal(torch::tensor({{1.F, 2.F, 3.F}, {4.F, 5.F, 6.F}})));
    EXPECT_TRUE(found.at("b").equal(torch::tensor({2.F, 5.F})));
    EXPECT_TRUE(found.at("c").equal(torch::tensor(7.F)));
  }
}

TEST_F(ReadPyTorchFile, RefusesCodeByNameInBothContainers) {
  const auto pickle = pickled_dictionary(
      {{"w", pickled_name("os", "system") + pickled_tuple(pickled_text("touch gone")) + "R"}});
  for (const auto& bytes : {pytorch_zip(pickle), pytorch_legacy(pickle)})
    EXPECT_THAT(error_message(bytes), AllOf(HasSubstr("a.bin"), HasSubstr("refers to os.system")));
}

TEST_F(ReadPyTorchFile, ThrowsWhenATensorReachesPastItsStorage) {
  const auto past = HasSubstr("tensor 'w' reaches past the end of its storage");
  EXPECT_THAT(tensor_error({.offset = 1}), past);
  EXPECT_THAT(tensor_error({.strides = {4, 1}}), past);
  EXPECT_THAT(tensor_error({.strides = {std::numeric_limits<std::int64_t>::max(), 1}}), past);
  EXPECT_THAT(tensor_error({.offset = std::numeric_limits<std::int64_t>::max()}), past);
  EXPECT_THAT(tensor_error({.offset = 6, .sizes = {}, .strides = {}}), past);
  EXPECT_THAT(tensor_error({.storage_size = 0, .sizes = {}, .strides = {}}), HasSubstr("'w'"));
}

TEST_F(ReadPyTorchFile, ThrowsWhenAShapeIsImpossible) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const auto larger = HasSubstr("tensor 'w' has more elements than its storage");
  EXPECT_THAT(tensor_error({.sizes = {7}, .strides = {0}}), larger);
  EXPECT_THAT(tensor_error({.sizes = {most, most}, .strides = {0, 0}}), larger);
  EXPECT_THAT(tensor_error({.sizes = {std::int64_t{1} << 32, std::int64_t{1} << 32}}), larger);
  EXPECT_THAT(tensor_error({.sizes = {-1, 3}}), HasSubstr("is negative"));
  EXPECT_THAT(tensor_error({.strides = {-3, 1}}), HasSubstr("is negative"));
  EXPECT_THAT(tensor_error({.offset = -1}), HasSubstr("is negative"));
  EXPECT_THAT(tensor_error({.storage_size = -6}), HasSubstr("is negative"));
  EXPECT_THAT(tensor_error({.storage_size = most / 2}), HasSubstr("storage of an impossible size"));
  EXPECT_THAT(tensor_error({.sizes = {6}}), HasSubstr("more sizes than strides, or fewer"));
  EXPECT_THAT(tensor_error({.sizes = {0, most, most}, .strides = {1, 1, 1}}),
              HasSubstr("impossible shape"));
  EXPECT_THAT(tensor_error({.sizes = std::vector<std::int64_t>(65, 1),
                            .strides = std::vector<std::int64_t>(65, 1)}),
              HasSubstr("impossible shape"));
}

TEST_F(ReadPyTorchFile, ThrowsWhenAStorageIsMissingOrTooSmall) {
  const auto pickle = pickled_dictionary({{"w", pickled_tensor()}});
  EXPECT_THAT(error_message(pytorch_zip(pickle)), HasSubstr("storage '0', which is missing"));
  EXPECT_THAT(error_message(pytorch_legacy(pickle)), HasSubstr("storage '0', which is missing"));
  EXPECT_THAT(error_message(pytorch_zip(pickle, {{"0", {1}}})), HasSubstr("has 4 bytes"));
  EXPECT_THAT(error_message(pytorch_legacy(pickle, {{"0", {1}}})), HasSubstr("has 1 elements"));
  auto cut = pytorch_legacy(pickle, {{"0", six_floats}});
  cut.pop_back();
  EXPECT_THAT(error_message(cut), HasSubstr("ends within a storage"));
}

TEST_F(ReadPyTorchFile, ThrowsWhenSomethingIsThereTwice) {
  const auto pickle = pickled_dictionary({{"w", pickled_tensor()}});
  EXPECT_THAT(error_message(pytorch_zip(
                  pickled_dictionary({{"w", pickled_tensor()}, {"w", pickled_tensor()}}),
                  {{"0", six_floats}})),
              HasSubstr("tensor 'w' is there twice"));
  EXPECT_THAT(error_message(pytorch_zip(pickle, {{"0", six_floats}, {"0", six_floats}})),
              HasSubstr("twice"));
  EXPECT_THAT(error_message(pytorch_legacy(pickle, {{"0", six_floats}, {"0", six_floats}})),
              HasSubstr("twice"));
  ZipWriter zip;
  zip.add("a/data.pkl", pickle);
  zip.add("b/data.pkl", pickle);
  EXPECT_THAT(error_message(zip.bytes()), HasSubstr("two files data.pkl"));
}

TEST_F(ReadPyTorchFile, ThrowsWhenTheFileIsNotAStateDict) {
  const auto error = [&](const std::string& pickle) { return error_message(pytorch_zip(pickle)); };
  EXPECT_THAT(error("K\x01."),
              AllOf(HasSubstr("dictionary of tensors"), HasSubstr("state_dict()")));
  EXPECT_THAT(error(pickled_dictionary({{"epoch", "K\x01"}})),
              HasSubstr("entry 'epoch' is not a tensor"));
  EXPECT_THAT(error("}K\x01K\x02s."), HasSubstr("a key that is not a text"));
  EXPECT_THAT(error(pickled_dictionary({{"w", pickled_tensor() + "}b"}})),
              HasSubstr("has attributes"));
  EXPECT_THAT(error_message(""), HasSubstr("a.bin"));
  ZipWriter zip;
  zip.add("readme.txt", "hello");
  EXPECT_THAT(error_message(zip.bytes()), HasSubstr("no file data.pkl"));
  EXPECT_THAT(message_of<ModelError>([&] { read_pytorch_file(folder.path("none.bin")); }),
              HasSubstr("none.bin"));
}

TEST_F(ReadPyTorchFile, ThrowsWhenNumbersAreBigEndian) {
  const auto pickle = pickled_dictionary({});
  ZipWriter zip;
  zip.add("a/data.pkl", pickle);
  zip.add("a/byteorder", "big");
  EXPECT_THAT(error_message(zip.bytes()), HasSubstr("not little-endian"));
  auto legacy = pytorch_legacy(pickle);
  const auto system = legacy.find("}.");
  legacy.replace(system, 1, "}" + pickled_text("little_endian") + "\x89s");
  EXPECT_THAT(error_message(legacy), HasSubstr("not little-endian"));
}

TEST_F(ReadPyTorchFile, ErrorNamesTheFileForEveryTruncation) {
  const auto pickle = pickled_dictionary({{"w", pickled_tensor()}});
  std::vector<std::string> wholes{pytorch_zip(pickle, {{"0", six_floats}}),
                                  pytorch_legacy(pickle, {{"0", six_floats}})};
  for (const auto& name : golden_files) wholes.push_back(read_file(interop_golden(name)));
  for (const auto& whole : wholes) {
    ASSERT_NO_THROW(read(whole));
    for (std::size_t size = 0; size < whole.size(); ++size)
      ASSERT_THAT(error_message(whole.substr(0, size)), HasSubstr("a.bin")) << size;
  }
}

/// Reads every element, so that a sanitizer finds one outside the file.
void read_all(const StateDict& tensors) {
  for (const auto& [name, tensor] : tensors) tensor.to(torch::kFloat64).sum();
}

TEST_F(ReadPyTorchFile, ThrowsOnlyModelErrorForAnyCorruption) {
  std::vector<std::string> wholes;
  for (const auto& name : golden_files) wholes.push_back(read_file(interop_golden(name)));
  check_property(
      [&] {
        auto damaged = *rc::gen::elementOf(wholes);
        const int changes = *rc::gen::inRange(1, 4);
        for (int i = 0; i < changes; ++i)
          damaged[*rc::gen::inRange<std::size_t>(0, damaged.size())] = *rc::gen::arbitrary<char>();
        try {
          read_all(read(damaged));
        } catch (const ModelError&) {
        }
      },
      1000);
}

TEST_F(ReadPyTorchFile, ThrowsOnlyModelErrorForAnySequenceOfOpcodes) {
  const auto part = rc::gen::elementOf(
      std::vector<std::string>{"(",
                               "t",
                               ")",
                               "]",
                               "}",
                               "a",
                               "e",
                               "s",
                               "u",
                               "N",
                               "R",
                               "Q",
                               "b",
                               "\x85",
                               "\x86",
                               "\x87",
                               "\x88",
                               "\x93",
                               "\x94",
                               std::string("h\0", 2),
                               "h\x01",
                               std::string("q\0", 2),
                               std::string("K\0", 2),
                               "K\x01",
                               "M\xFF\xFF",
                               "J\xFF\xFF\xFF\xFF",
                               pickled_text("storage"),
                               pickled_text("0"),
                               pickled_name("torch", "FloatStorage"),
                               pickled_name("collections", "OrderedDict"),
                               pickled_tensor(),
                               pickled_name("torch._utils", "_rebuild_parameter"),
                               pickled_int(1 << 30)});
  check_property(
      [&] {
        std::string pickle = "}(";
        for (const auto& opcodes : *rc::gen::container<std::vector<std::string>>(part))
          pickle += opcodes;
        for (const char* end : {"u.", "."}) {
          try {
            read_all(read(pytorch_zip(pickle + end, {{"0", six_floats}})));
          } catch (const ModelError&) {
          }
        }
      },
      1000);
}

}  // namespace
}  // namespace tfm

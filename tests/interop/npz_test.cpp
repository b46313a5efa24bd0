#include "tfm/interop/npz.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "npz_file.h"
#include "temporary_folder.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::HasSubstr;

const std::vector<float> six{1, 2, 3, 4, 5, 6};

class ReadNpz : public testing::Test {
 protected:
  StateDict read(const std::string& bytes) { return read_npz(folder.write("a.npz", bytes)); }
  StateDict read_entry(const std::string& array) {
    ZipWriter zip;
    zip.add("x.npy", array);
    return read(zip.bytes());
  }
  std::string error_message(const std::string& bytes) {
    return message_of<ModelError>([&] { read(bytes); });
  }

  TemporaryFolder folder;
};

TEST_F(ReadNpz, ReadsStoredAndDeflatedArrays) {
  ZipWriter zip;
  zip.add("a.npy", npy("<f4", "(2, 3)", bytes_of(six)));
  zip.add("special:b.npy", npy("|i1", "(4,)", "text"), /*deflate=*/true);
  const auto arrays = read(zip.bytes());
  EXPECT_TRUE(arrays.at("a").equal(torch::tensor({{1.F, 2.F, 3.F}, {4.F, 5.F, 6.F}})));
  EXPECT_EQ(arrays.at("special:b").scalar_type(), torch::kInt8);
  EXPECT_EQ(arrays.at("special:b")[0].item<int>(), 't');
}

TEST_F(ReadNpz, ReadsHalfPrecisionArraysScalarsAndFortranOrder) {
  EXPECT_TRUE(read_entry(npy("<f2", "(2,)", std::string("\x00\x3C\x00\xC0", 4)))
                  .at("x")
                  .to(torch::kFloat32)
                  .equal(torch::tensor({1.F, -2.F})));
  EXPECT_EQ(
      read_entry(npy("<i8", "()", bytes_of(std::vector<int64_t>{42}))).at("x").item<int64_t>(), 42);
  EXPECT_TRUE(read_entry(npy("<f4", "(2, 3)", bytes_of(six), true))
                  .at("x")
                  .equal(torch::tensor({{1.F, 3.F, 5.F}, {2.F, 4.F, 6.F}})));
  EXPECT_EQ(read_entry(npy("<f4", "(0, 3)", "")).at("x").sizes(), (std::vector<int64_t>{0, 3}));
}

TEST_F(ReadNpz, ErrorNamesTheUnsupportedPartOrTheMissingFile) {
  EXPECT_THAT(error_message("hello"), HasSubstr("not a zip archive"));
  EXPECT_THAT(error_message(""), HasSubstr("not a zip archive"));
  ZipWriter zip;
  zip.add("x.npy", npy(">f4", "(2, 3)", bytes_of(six)));
  EXPECT_THAT(error_message(zip.bytes()), HasSubstr("array 'x.npy' has the type >f4"));
  ZipWriter text;
  text.add("readme.txt", "not an array, but text");
  EXPECT_THAT(error_message(text.bytes()), HasSubstr("is not an .npy array"));
  EXPECT_THAT(message_of<ModelError>([&] { read_npz(folder.path("none.npz")); }),
              HasSubstr("none.npz"));
}

TEST_F(ReadNpz, ReadsEmptyArraysInBothOrders) {
  for (const bool fortran_order : {false, true}) {
    EXPECT_EQ(read_entry(npy("<f4", "(3, 0, 5)", "", fortran_order)).at("x").sizes(),
              (std::vector<int64_t>{3, 0, 5}));
  }
}

TEST_F(ReadNpz, ThrowsForShapesThatNumPyCannotWrite) {
  const auto ones = [](int dimensions) {
    std::string shape = "(";
    for (int i = 0; i < dimensions; ++i) shape += "1,";
    return shape + ")";
  };
  for (const bool fortran_order : {false, true}) {
    EXPECT_EQ(read_entry(npy("<f4", ones(64), bytes_of(std::vector<float>{7}), fortran_order))
                  .at("x")
                  .numel(),
              1);
    for (const auto& [shape, data] : {std::pair{ones(65), bytes_of(std::vector<float>{7})},
                                      {"(0, 4611686018427387904, 4)", ""},
                                      {"(9223372036854775807, 9223372036854775807, 0)", ""},
                                      {"(4611686018427387904, 0)", ""}}) {
      ZipWriter zip;
      zip.add("x.npy", npy("<f4", shape, data, fortran_order));
      EXPECT_THAT(error_message(zip.bytes()), HasSubstr("impossible shape")) << shape;
    }
  }
}

TEST_F(ReadNpz, ThrowsWhenEntriesOverlap) {
  ZipWriter zip;
  const auto array = npy("<f4", "(2500,)", std::string(10000, '\0'));
  zip.add("a.npy", array, /*deflate=*/true);
  EXPECT_EQ(read(zip.bytes()).size(), 1U);
  for (int i = 0; i < 20; ++i) zip.mention_again("a.npy" + std::to_string(i));
  EXPECT_THAT(error_message(zip.bytes()), HasSubstr("overlap"));
}

TEST_F(ReadNpz, ThrowsWhenTheSizeOfTheDataDoesNotMatchTheShape) {
  for (const char* shape : {"(2, 4)", "(5,)", "(99999999999999999999,)", "(4611686018427387904, 4)",
                            "(4294967296, 4294967296)"}) {
    ZipWriter zip;
    zip.add("x.npy", npy("<f4", shape, bytes_of(six)));
    EXPECT_THAT(error_message(zip.bytes()), HasSubstr("shape")) << shape;
  }
}

/// Returns a small archive with a stored and a deflated entry.
std::string small_archive() {
  ZipWriter zip;
  zip.add("a.npy", npy("<f4", "(2, 3)", bytes_of(six)));
  zip.add("b.npy", npy("<f4", "(2, 3)", bytes_of(six)), /*deflate=*/true);
  return zip.bytes();
}

TEST_F(ReadNpz, ErrorNamesTheFileForEveryTruncation) {
  const auto whole = small_archive();
  ASSERT_EQ(read(whole).size(), 2U);
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_THAT(error_message(whole.substr(0, size)), HasSubstr("a.npz")) << size;
}

TEST_F(ReadNpz, ThrowsForEveryCorruptionThatChangesAnArray) {
  const auto whole = small_archive();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char flip : {'\x01', '\x80', '\xFF'}) {
      auto damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ flip);
      try {
        for (const auto& [name, array] : read(damaged))
          EXPECT_EQ(array.sum().item<float>(), 21) << at;
      } catch (const ModelError& error) {
        EXPECT_THAT(error.what(), HasSubstr("a.npz")) << at;
      }
    }
  }
}

TEST(WriteNpz, WritesStoredArraysAsNumpyDoes) {
  const TemporaryFolder folder;
  const StateDict arrays{{"matrix", torch::tensor({{1.F, 2.F, 3.F}, {4.F, 5.F, 6.F}}).t()},
                         {"special:model.yml", torch::tensor({104, 105, 0}, torch::kInt8)}};
  const auto file = folder.path("a.npz");
  write_npz(file, arrays);
  const auto bytes = folder.read("a.npz");
  for (const char* header : {"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }",
                             "{'descr': '|i1', 'fortran_order': False, 'shape': (3,), }"})
    EXPECT_NE(bytes.find(header), bytes.npos) << "not stored, or of another form: " << header;
  const auto read = read_npz(file);
  ASSERT_EQ(read.size(), 2U);
  for (const auto& [name, array] : arrays) EXPECT_TRUE(torch::equal(read.at(name), array)) << name;
}

TEST(WriteNpz, ThrowsWithTheNameOfTheFile) {
  const auto message =
      message_of<ModelError>([] { write_npz("/nowhere/a.npz", {{"a", torch::zeros({1})}}); });
  EXPECT_THAT(message, testing::HasSubstr("/nowhere/a.npz: can't be written: "));
}

}  // namespace
}  // namespace tfm

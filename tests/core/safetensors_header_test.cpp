#include "tfm/core/safetensors_header.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "property.h"
#include "temporary_folder.h"

namespace tfm {
namespace {

using testing::HasSubstr;

/// Returns a file with this JSON as its header.
std::string make_file(const std::string& json, const std::string& data) {
  std::string length(8, '\0');
  for (std::size_t i = 0; i < 8; ++i)
    length[i] = static_cast<char>((json.size() >> (8 * i)) & 0xFF);
  return length + json + data;
}

std::string parse_error(const std::string& json, const std::string& data) {
  return message_of<MalformedSafetensors>([&] { parse_safetensors_header(make_file(json, data)); });
}

/// Returns a header of arrays with these numbers of 16-bit integers, named a, b and so on.
SafetensorsHeader make_header(const std::vector<std::int64_t>& sizes) {
  SafetensorsHeader header;
  for (const std::int64_t size : sizes)
    header.append(std::string(1, static_cast<char>('a' + header.entries.size())), "U16", {size});
  return header;
}

TEST(SafetensorsHeader, HasTheBytesOfTheFormat) {
  SafetensorsHeader header{.entries = {}, .metadata = {{"made", "here"}}};
  header.append("b", "F32", {2, 3});
  header.append("a", "I64", {});
  const std::string json = R"({"__metadata__":{"made":"here"},)"
                           R"("a":{"data_offsets":[24,32],"dtype":"I64","shape":[]},)"
                           R"("b":{"data_offsets":[0,24],"dtype":"F32","shape":[2,3]}})";
  const auto padding = 64 - (8 + json.size()) % 64;
  EXPECT_EQ(format_safetensors_header(header), make_file(json + std::string(padding, ' '), ""));
}

TEST(SafetensorsHeader, WithoutMetadataHasNoEntryForIt) {
  EXPECT_EQ(format_safetensors_header({}), make_file("{}" + std::string(54, ' '), ""));
}

TEST(SafetensorsHeaderProperty, IsReadAsItWasWritten) {
  check_property([] {
    const auto size = rc::gen::inRange<std::int64_t>(0, 100);
    auto header =
        make_header(*rc::gen::resize(20, rc::gen::container<std::vector<std::int64_t>>(size)));
    const auto text_generator = text_from({"a", "B", "\"", "\\", "{", "ü", "\n"});
    header.metadata = {{*text_generator, *text_generator}, {"made", *text_generator}};
    const std::string text = format_safetensors_header(header);
    std::size_t bytes = 0;
    for (const auto& [name, entry] : header.entries) bytes = std::max(bytes, entry.end());
    const auto parsed = parse_safetensors_header(text + std::string(bytes, 'x'));
    RC_ASSERT(parsed.header == header);
    RC_ASSERT(parsed.data_begin == text.size());
    RC_ASSERT(parsed.data_begin % 64 == 0U);
  });
}

TEST(SafetensorsHeader, IsRejectedIfTheFileIsTruncatedAnywhere) {
  const auto header = make_header({5, 3});
  const std::string file = format_safetensors_header(header) + std::string(16, 'x');
  EXPECT_EQ(parse_safetensors_header(file).header, header);
  for (std::size_t size = 0; size < file.size(); ++size)
    EXPECT_THROW(parse_safetensors_header(file.substr(0, size)), MalformedSafetensors) << size;
}

TEST(SafetensorsHeader, IsRejectedIfItIsLongerThanTheFile) {
  const std::string file = make_file("{}", "");
  EXPECT_THAT(message_of<MalformedSafetensors>(
                  [&] { parse_safetensors_header(file.substr(0, file.size() - 1)); }),
              HasSubstr("its header reaches past the end of the file"));
  EXPECT_THAT(message_of<MalformedSafetensors>([&] { parse_safetensors_header("1234567"); }),
              HasSubstr("it has only 7 bytes"));
}

TEST(SafetensorsHeader, IsRejectedIfItIsLongerThanTheFormatAllows) {
  const std::string limit("\x00\xE1\xF5\x05\x00\x00\x00\x00", 8);  // 100 million
  const std::string above("\x01\xE1\xF5\x05\x00\x00\x00\x00", 8);
  EXPECT_THAT(message_of<MalformedSafetensors>([&] { parse_safetensors_header(limit); }),
              HasSubstr("past the end"));
  EXPECT_THAT(message_of<MalformedSafetensors>([&] { parse_safetensors_header(above); }),
              HasSubstr("would have 100000001 bytes"));
}

TEST(SafetensorsHeader, IsRejectedIfANameIsThereTwice) {
  const std::string entry = R"({"dtype":"F32","shape":[1],"data_offsets":[0,4]})";
  EXPECT_THAT(
      parse_error(R"({"a":)" + entry + R"(,"b":)" + entry + R"(,"a":)" + entry + "}", "1234"),
      HasSubstr("the name 'a' twice"));
  EXPECT_THAT(parse_error(R"({"a":{"dtype":"F32","dtype":"I32","shape":[1],)"
                          R"("data_offsets":[0,4]}})",
                          "1234"),
              HasSubstr("the name 'dtype' twice"));
}

TEST(SafetensorsHeader, IsRejectedIfTensorsShareBytes) {
  const auto json = [](const char* begin, const char* end) {
    return fmt::format(R"({{"b":{{"dtype":"U8","shape":[4],"data_offsets":[0,4]}},)"
                       R"("a":{{"dtype":"U8","shape":[4],"data_offsets":[{},{}]}}}})",
                       begin, end);
  };
  EXPECT_THAT(parse_error(json("3", "7"), "12345678"), HasSubstr("'b' and 'a' overlap"));
  EXPECT_THAT(parse_error(json("0", "4"), "12345678"), HasSubstr("overlap"));
  EXPECT_NO_THROW(parse_safetensors_header(make_file(json("4", "8"), "12345678")));
}

TEST(SafetensorsHeader, AcceptsEmptyTensorsAnywhere) {
  const std::string json = R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)"
                           R"("b":{"dtype":"U8","shape":[0,7],"data_offsets":[2,2]}})";
  const auto parsed = parse_safetensors_header(make_file(json, "1234"));
  EXPECT_EQ(parsed.header.entries.at("b").bytes, 0U);
}

struct Inconsistent {
  const char* json;
  const char* error;
};

TEST(SafetensorsHeader, IsRejectedIfItIsInconsistent) {
  const Inconsistent headers[] = {
      {"[]", "is not JSON"},
      {"not json", "is not JSON"},
      {R"({"a":1})", "cannot use at()"},
      {R"({"a":{"dtype":"U8","shape":[4]}})", "key 'data_offsets' not found"},
      {R"({"__metadata__":{"a":1}})", "type must be string"},
      {R"({"a":{"dtype":"F32","shape":[5],"data_offsets":[0,20]}})", "past the end"},
      {R"({"a":{"dtype":"F32","shape":[4],"data_offsets":[16,0]}})", "past the end"},
      {R"({"a":{"dtype":"F32","shape":[4],"data_offsets":[16]}})", "past the end"},
      {R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,16]}})", "do not match"},
      {R"({"a":{"dtype":"U16","shape":[4],"data_offsets":[0,16]}})", "do not match"},
      {R"({"a":{"dtype":"Q4","shape":[4],"data_offsets":[0,16]}})", "unknown data type Q4"},
      {R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", "its shape does not consist"},
      {R"({"a":{"dtype":"F32","shape":[1e30],"data_offsets":[0,4]}})", "whole numbers"},
      {R"({"a":{"dtype":"F32","shape":4,"data_offsets":[0,16]}})", "type must be array"},
      {R"({"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16.0]}})", "its data_offsets"},
      {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,18446744073709551615]}})",
       "its data_offsets"},
      {R"({"a":{"dtype":"F32","shape":[4294967296,4294967296,4],"data_offsets":[0,16]}})",
       "an impossible shape"},
      {R"({"a":{"dtype":"F32","shape":[0,4611686018427387904,4],"data_offsets":[0,0]}})",
       "an impossible shape"}};
  for (const auto& [json, error] : headers)
    EXPECT_THAT(parse_error(json, std::string(16, 'x')), HasSubstr(error)) << json;
}

TEST(SafetensorsHeader, AppendsOnlyWhatTheFormatHas) {
  SafetensorsHeader header = make_header({4});
  EXPECT_THAT(message_of<MalformedSafetensors>([&] { header.append("a", "U16", {1}); }),
              HasSubstr("the name 'a' is taken"));
  EXPECT_THAT(message_of<MalformedSafetensors>([&] { header.append("__metadata__", "U16", {1}); }),
              HasSubstr("is taken"));
  EXPECT_THAT(message_of<MalformedSafetensors>([&] { header.append("b", "F31", {1}); }),
              HasSubstr("unknown data type F31"));
  EXPECT_THAT(message_of<MalformedSafetensors>([&] { header.append("b", "U16", {-1}); }),
              HasSubstr("impossible shape"));
  EXPECT_EQ(header, make_header({4}));
}

}  // namespace
}  // namespace tfm

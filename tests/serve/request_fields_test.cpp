#include "serve/request_fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_folder.h"

namespace tfm {
namespace {

using nlohmann::json;
using testing::HasSubstr;

HttpRequest request_with(const std::string& body, const std::string& type = "",
                         const std::string& query = "") {
  HttpRequest request{.method = "POST", .target = "/x" + query, .headers = {}, .body = body};
  if (!type.empty()) request.headers["content-type"] = type;
  return request;
}

const std::string form = "application/x-www-form-urlencoded";

TEST(ReadFields, ReadsFormsAndQueries) {
  EXPECT_EQ(read_fields(request_with("q=a+b%C3%A4%26&source=de", form)),
            json({{"q", "a bä&"}, {"source", "de"}}));
  EXPECT_EQ(read_fields(request_with("", "", "?q=1&&x")), json({{"q", "1"}, {"x", ""}}));
  EXPECT_EQ(read_fields(request_with("q=a&q=b&q=c", form))["q"], json({"a", "b", "c"}));
  EXPECT_EQ(read_fields(request_with("q=100%&r=%zz%4", form)),
            json({{"q", "100%"}, {"r", "%zz%4"}}));
  EXPECT_EQ(read_fields(request_with("q=body", form, "?q=query&r=1")),
            json({{"q", "body"}, {"r", "1"}}));
}

TEST(ReadFields, CountsOnlyBracketsOutsideOfTextsAsNesting) {
  const std::string brackets(100, '[');
  const json texts = {brackets, "\"" + brackets + "\\", "}"};
  EXPECT_EQ(read_fields(request_with(json{{"q", texts}}.dump(), "application/json"))["q"], texts);
  // Many small objects side by side take no longer than other bodies of this size.
  std::string objects = "{\"q\": [{}";
  for (int i = 0; i < 200'000; ++i) objects += ",{}";
  EXPECT_EQ(read_fields(request_with(objects + "]}", "application/json"))["q"].size(), 200'001U);
}

TEST(ReadFields, ReadsJson) {
  const std::string body = R"({"q": ["a", "b\u0000c"], "alternatives": 2})";
  const json expected = {{"q", {"a", std::string("b\0c", 3)}}, {"alternatives", 2}};
  EXPECT_EQ(read_fields(request_with(body, "application/json; charset=utf-8")), expected);
  EXPECT_EQ(read_fields(request_with(body, form)), expected) << "curl -d names this type";
  EXPECT_EQ(read_fields(request_with(body)), expected);
}

TEST(ReadFields, RefusesBodiesThatAreNotValid) {
  struct Case {
    std::string body;
    std::string type;
    std::string message;
  };
  const std::string deep(10'000, '[');
  for (const auto& [body, type, message] : std::vector<Case>{
           {"{\"q\": ", "application/json", "not valid JSON"},
           {"[]", "application/json", "not an object"},
           {"{\"q\": \"\xff\"}", "application/json", "not valid JSON"},
           {"{\"q\": " + deep, "application/json", "nested more than 16"},
           {deep, "application/json", "nested more than 16"},
           {"q=%ff", form, "not valid UTF-8"},
           {"x", "text/csv", "'text/csv'"},
           {"x", "multipart/form-data", "names no boundary"},
           {"--x\r\n\r\n\xFF\r\n--x--", "multipart/form-data; boundary=x", "no header"},
           {"--x\r\nContent-Disposition: form-data; name=a\r\n\r\n\xFF\r\n--x--",
            "multipart/form-data; boundary=x", "not valid UTF-8"},
       }) {
    const auto request = request_with(body, type);
    const auto read = [&request] { read_fields(request); };
    EXPECT_THAT(message_of<HttpError>(read), HasSubstr(message));
  }
}

}  // namespace
}  // namespace tfm

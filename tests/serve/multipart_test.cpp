#include "serve/multipart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tfm/serve/http_message.h"

namespace tfm {
namespace {

constexpr const char* form_type = "multipart/form-data; boundary=\"a b\"";

/// Returns a part of a form as clients write it.
std::string form_part(const std::string& disposition, const std::string& content) {
  return "--a b\r\nContent-Disposition: form-data; " + disposition +
         "\r\nContent-Type: text/plain\r\n\r\n" + content + "\r\n";
}

TEST(ReadMultipart, ReadsFieldsAndFiles) {
  const std::string bytes("x\r\n--a\0\xFF", 8);
  const auto body = form_part("name=\"source\"", "de") +
                    form_part("name=file; filename=\"a \\\"b\\\".txt\"", bytes) + "--a b--\r\n";
  const auto parts = read_multipart(form_type, body);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].name, "source");
  EXPECT_EQ(parts[0].content, "de");
  EXPECT_EQ(parts[0].file_name, "");
  EXPECT_EQ(parts[1].name, "file");
  EXPECT_EQ(parts[1].file_name, "a \"b\".txt");
  EXPECT_EQ(parts[1].content, bytes);
}

TEST(ReadMultipart, RefusesWhatIsNotComplete) {
  const auto body = form_part("name=a", "b") + "--a b--";
  EXPECT_EQ(read_multipart(form_type, body).size(), 1U);
  for (std::size_t length = 0; length < body.size(); ++length)
    EXPECT_THROW(read_multipart(form_type, body.substr(0, length)), HttpError) << length;
  EXPECT_THROW(read_multipart("multipart/form-data", body), HttpError);
  std::string many;
  for (int i = 0; i < 100; ++i) many += form_part("name=a", "b");
  EXPECT_THROW(read_multipart(form_type, many + "--a b--"), HttpError);
}

}  // namespace
}  // namespace tfm

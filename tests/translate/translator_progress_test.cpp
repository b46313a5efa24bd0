#include <gtest/gtest.h>

#include <algorithm>

#include "tfm/translate/translator.h"
#include "tiny_model.h"

namespace tfm {
namespace {

/// The third line is split into segments, and the second has no text.
TEST(Translator, ReportsProgressInLines) {
  auto model = tiny_model();
  auto decoding = model.config.decoding;
  decoding.batch_size = 40;  // several batches
  std::vector<std::string> lines(30, "a b c");
  lines[1] = "";
  for (int word = 0; word < 100; ++word) lines[2] += " a";
  TranslationRequest request;
  std::vector<std::size_t> done;
  request.on_progress = [&](std::size_t count, std::size_t total) {
    EXPECT_EQ(total, 29U);
    done.push_back(count);
  };
  Translator(model, decoding).translate(lines, request);
  EXPECT_GT(done.size(), 2U);
  EXPECT_TRUE(std::ranges::is_sorted(done));
  EXPECT_EQ(done.back(), 29U);
}

}  // namespace
}  // namespace tfm

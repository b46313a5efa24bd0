#include <gtest/gtest.h>

#include "property.h"
#include "tfm/text/sentences.h"

namespace tfm {
namespace {

TEST(SplitSentencesProperty, SentencesContainAllTextExceptWhiteSpace) {
  check_property([] {
    const std::string text =
        *text_from({"Das", "Er", "Dr.", "z. B.", "3.", "J.", "ja", ".", "!", "?", " ", "  ", "\t",
                    "\u3000", "\u4f60", "\u3002", "\"", ")", "\u201c"});
    const char* end = text.data();
    for (const std::string_view sentence : split_sentences(text)) {
      RC_ASSERT(sentence.data() >= end);
      RC_ASSERT(is_blank({end, static_cast<std::size_t>(sentence.data() - end)}));
      RC_ASSERT(!is_blank(sentence));
      end = sentence.data() + sentence.size();
    }
    RC_ASSERT(is_blank(std::string_view(text).substr(static_cast<std::size_t>(end - text.data()))));
  });
}

}  // namespace
}  // namespace tfm

// Tests what a user sees while a vocabulary is learnt from a text that takes its time: progress on
// a terminal, and an end a moment after Ctrl-C.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "program.h"
#include "terminal.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string random_words(std::mt19937_64& random, int count) {
  std::string line;
  for (int i = 0; i < count; ++i) {
    if (i > 0) line += ' ';
    for (auto letters = 3 + random() % 9; letters > 0; --letters)
      line += static_cast<char>('a' + random() % 26);
  }
  return line;
}

/// A folder with a config and a text of random words, which takes several seconds to learn from.
class LearnVocabulary : public testing::Test {
 protected:
  void SetUp() override {
    std::mt19937_64 random(1);
    std::string text;
    for (int i = 0; i < 15'000; ++i)
      text += random_words(random, 15) + "\t" + random_words(random, 15) + "\n";
    place.folder.write("train.tsv", text);
    place.folder.write("my.yaml",
                       "data:\n  train_tsv: train.tsv\n  cache: cache\n"
                       "tokenizer:\n  vocab_size: 30000\n");
  }

  /// Returns true if the cache has a vocabulary, complete or not.
  bool has_vocabulary() const {
    if (!fs::exists(place.folder.path("cache"))) return false;
    for (const auto& entry : fs::directory_iterator(place.folder.path("cache")))
      if (entry.path().filename().string().find("vocabulary") != std::string::npos) return true;
    return false;
  }

  Workplace place;
};

TEST_F(LearnVocabulary, ShowsProgressAndEndsAtCtrlC) {
  for (const std::string algorithm : {"bpe", "unigram"}) {
    Terminal terminal(place, "data prepare my.yaml tokenizer.algorithm=" + algorithm);
    EXPECT_THAT(terminal.show_until("learning the vocabulary: "),
                HasSubstr("learning the vocabulary from 15000 pairs"));
    terminal.answer("\x03");  // Ctrl-C
    EXPECT_THAT(terminal.show_until("interrupted during the learning of the vocabulary"),
                HasSubstr("interrupted during the learning of the vocabulary"));
    EXPECT_EQ(terminal.end(), 130);
    EXPECT_FALSE(has_vocabulary());
  }
}

TEST_F(LearnVocabulary, CountsSubwords) {
  Terminal terminal(place, "data prepare my.yaml");
  EXPECT_THAT(terminal.show_until(" subwords/s, "), HasSubstr("learning the vocabulary: "));
  terminal.answer("\x03");
  EXPECT_EQ(terminal.end(), 130);
}

TEST_F(LearnVocabulary, OfWordsShowsProgressAndEndsAtCtrlC) {
  Terminal terminal(place, "train data.train_tsv=train.tsv tokenizer.kind=word");
  EXPECT_THAT(terminal.show_until("learning the vocabulary: "), HasSubstr("reading train.tsv: "));
  terminal.answer("\x03");
  EXPECT_EQ(terminal.end(), 130);
}

}  // namespace
}  // namespace tfm

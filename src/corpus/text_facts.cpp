#include "tfm/corpus/text_facts.h"

#include <algorithm>
#include <memory>

#include "character_table.h"
#include "tfm/text/utf8.h"

namespace tfm {
namespace {

/// Counts words and their lengths. Characters of Southeast Asian scripts, which are written without
/// spaces, count as a quarter of a word.
class WordCounter {
 public:
  void add_space() {
    in_word_ = false;
    length_ = 0;
  }

  void add(SpacelessScript script) {
    if (script == SpacelessScript::han || script == SpacelessScript::kana) {
      add_space();
      ++words_;
      return;
    }
    if (script == SpacelessScript::southeast_asian) {
      add_space();
      ++southeast_asian_;
      return;
    }
    words_ += in_word_ ? 0 : 1;
    in_word_ = true;
    longest_ = std::max(longest_, ++length_);
  }

  std::int64_t words() const { return words_ + (southeast_asian_ + 3) / 4; }
  std::int64_t longest() const { return longest_; }

 private:
  bool in_word_ = false;
  std::int64_t words_ = 0;
  std::int64_t southeast_asian_ = 0;
  std::int64_t length_ = 0;
  std::int64_t longest_ = 0;
};

}  // namespace

TextFacts count_facts(std::string_view text) {
  TextFacts facts;
  WordCounter words;
  char32_t previous = 0;
  std::int64_t run = 0;
  for (std::size_t position = 0; position < text.size();) {
    const std::size_t before = position;
    const char32_t c = next_code_point(text, position);
    // a malformed byte is decoded as U+FFFD, whose own encoding has three bytes
    if (c == U'\uFFFD' && position - before == 1) facts.valid_utf8 = false;
    const CharacterClass& known = character_class(c);
    facts.controls += known.control ? 1 : 0;
    if (known.space) {
      words.add_space();
      previous = 0;
      continue;
    }
    ++facts.characters;
    words.add(known.spaceless);
    if (known.letter) {
      ++facts.letters;
      ++facts.scripts[static_cast<std::size_t>(known.script)];
    }
    run = c == previous ? run + 1 : 1;
    previous = c;
    if (!known.digit) facts.longest_run = std::max(facts.longest_run, run);
  }
  facts.words = words.words();
  facts.longest_word = words.longest();
  return facts;
}

std::vector<std::string_view> find_words(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t begin = 0;  // of the word at `position`, or `position` if there is none
  for (std::size_t position = 0; position < text.size();) {
    const std::size_t before = position;
    const CharacterClass& known = character_class(next_code_point(text, position));
    const bool alone =
        known.spaceless == SpacelessScript::han || known.spaceless == SpacelessScript::kana;
    if (!known.space && !alone) continue;
    if (before > begin) words.push_back(text.substr(begin, before - begin));
    if (alone) words.push_back(text.substr(before, position - before));
    begin = position;
  }
  if (text.size() > begin) words.push_back(text.substr(begin));
  return words;
}

}  // namespace tfm

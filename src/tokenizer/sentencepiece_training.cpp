#include "tfm/tokenizer/sentencepiece_training.h"

#include <sentencepiece_trainer.h>

#include <algorithm>
#include <ranges>
#include <regex>
#include <stdexcept>
#include <unordered_map>

#include "tfm/core/error.h"
#include "tfm/core/forked_work.h"
#include "tfm/core/work_progress.h"
#include "tfm/text/words.h"
#include "trainer_log.h"

namespace tfm {
namespace {

// SentencePiece aborts the process on a word of more than 65535 characters, and normalisation can
// make up to 18 characters out of 3 bytes. A word of 8192 bytes therefore becomes at most 49152
// characters.
constexpr std::size_t longest_word = 8192;  // bytes
// SentencePiece skips every line that contains the character that it uses for the unknown token.
constexpr std::string_view reserved_character = "\u2585";

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

std::string without_reserved(std::string text) {
  for (auto at = text.find(reserved_character); at != std::string::npos;
       at = text.find(reserved_character, at)) {
    text.erase(at, reserved_character.size());
  }
  return text;
}

/// Returns the length in bytes of the longest prefix of the word that has at most longest_word
/// bytes and does not split a character.
std::size_t prefix_length(std::string_view word) {
  if (word.size() <= longest_word) return word.size();
  std::size_t length = longest_word;
  while (length > longest_word - 4 && continues_character(word[length])) --length;
  return length;
}

/// Returns the line in a form that the trainer accepts: without the reserved character, and with
/// overlong words split.
std::string make_trainable(const std::string& line) {
  const std::string clean = without_reserved(line);
  std::string text;
  for (std::string_view word : split_words(clean)) {
    while (!word.empty()) {
      const std::size_t length = prefix_length(word);
      text.append(text.empty() ? "" : " ").append(word.substr(0, length));
      word.remove_prefix(length);
    }
  }
  return text;
}

/// Passes the lines to the trainer one by one and skips those without text. At least one line must
/// have text: unigram training otherwise aborts the process.
class LineIterator : public sentencepiece::SentenceIterator {
 public:
  explicit LineIterator(const Texts& texts) : texts_(texts) { Next(); }

  bool done() const override { return done_; }
  const std::string& value() const override { return line_; }
  sentencepiece::util::Status status() const override { return {}; }

  void Next() override {
    for (; text_ < texts_.size(); ++text_, next_ = 0) {
      while (next_ < texts_[text_].size()) {
        line_ = make_trainable(texts_[text_][next_++]);
        if (!line_.empty()) return;
      }
    }
    done_ = true;
  }

 private:
  const Texts& texts_;
  std::size_t text_ = 0;
  std::size_t next_ = 0;
  std::string line_;
  bool done_ = false;
};

using Options = std::unordered_map<std::string, std::string>;

/// Sets how text is normalised: by the name of a rule or by a file.
void set_normalization(const TokenizerConfig& config, Options& options) {
  options[config.has_normalization_file() ? "normalization_rule_tsv" : "normalization_rule_name"] =
      config.normalization;
}

/// Joins symbols as SentencePiece reads them: with commas. A symbol that contains a comma or a
/// quotation mark is in quotation marks.
std::string join_symbols(const std::vector<std::string>& symbols) {
  std::string text;
  for (const std::string& symbol : symbols) {
    std::string quoted;
    for (const char c : symbol) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    const bool is_plain = symbol.find_first_of(",\"") == std::string::npos;
    text += (text.empty() ? "" : ",") + (is_plain ? symbol : '"' + quoted + '"');
  }
  return text;
}

Options trainer_options(const TokenizerConfig& config, std::size_t longest_line) {
  Options options{
      {"model_type", config.algorithm == SubwordAlgorithm::bpe ? "bpe" : "unigram"},
      {"vocab_size", std::to_string(config.vocab_size)},
      {"character_coverage", std::to_string(config.character_coverage)},
      {"byte_fallback", config.byte_fallback ? "true" : "false"},
      {"pad_id", "0"},
      {"bos_id", "1"},
      {"eos_id", "2"},
      {"unk_id", "3"},
      {"pad_piece", config.pad_token},
      {"bos_piece", config.bos_token},
      {"eos_piece", config.eos_token},
      {"unk_piece", config.unk_token},
      // The trainer skips longer lines. The limit is twice the length of the longest line, because
      // splitting overlong words makes lines longer.
      {"max_sentence_length", std::to_string(std::max<std::size_t>(2 * longest_line, 4192))},
      // The number of threads is fixed, because unigram training sums its statistics per thread.
      // With another number of threads, rounding differs, and so does the model.
      {"num_threads", "4"},
      {"minloglevel", "0"},  // TrainerLog reads all messages
  };
  // Options with their defaults are left out, so that the model's file stays the same.
  if (config.split_digits) options["split_digits"] = "true";
  if (config.normalization != TokenizerConfig{}.normalization) set_normalization(config, options);
  if (!config.symbols.empty()) options["user_defined_symbols"] = join_symbols(config.symbols);
  if (!config.control_symbols.empty())
    options["control_symbols"] = join_symbols(config.control_symbols);
  return options;
}

void check_names(const TokenizerConfig& config) {
  const std::vector<std::pair<std::string, std::string>> names{{"pad_token", config.pad_token},
                                                               {"bos_token", config.bos_token},
                                                               {"eos_token", config.eos_token},
                                                               {"unk_token", config.unk_token}};
  for (const auto& [key, name] : names) {
    if (name.empty())
      throw ConfigError("tokenizer." + key, "is empty",
                        "A SentencePiece vocabulary needs a name for each special token.");
  }
}

/// Converts a message of SentencePiece to an error. If the vocabulary size is the cause, the error
/// suggests a size that works.
DataError training_error(const std::string& message, const TokenizerConfig& config) {
  const std::string size = std::to_string(config.vocab_size);
  std::smatch match;
  if (std::regex_search(message, match, std::regex(R"(size too high.*<= (\d+))"))) {
    return {"tokenizer.vocab_size", "the text is too small for a vocabulary of " + size,
            "Set it to " + match.str(1) + " or less, or use more text."};
  }
  if (std::regex_search(message, match,
                        std::regex(R"(smaller than required_chars\. \d+ vs (\d+))"))) {
    return {"tokenizer.vocab_size",
            "a vocabulary of " + size +
                " is too small for the characters of the text and the special tokens",
            "Set it to " + match.str(1) + " or more, or lower tokenizer.character_coverage."};
  }
  return {"tokenizer", "SentencePiece can't train a vocabulary: " + message,
          "Check the tokenizer section of the config. If memory is short, lower "
          "tokenizer.sample_pairs."};
}

/// Shows what SentencePiece's log says.
class TrainingDisplay {
 public:
  explicit TrainingDisplay(const TokenizerConfig& config)
      : log_(config.vocab_size),
        progress_("learning the vocabulary",
                  config.algorithm == SubwordAlgorithm::bpe ? "subword" : "iteration") {}

  void read(std::string_view line) {
    const bool counted = log_.share().has_value();
    log_.read(line);
    if (!counted && log_.share()) progress_.begin_count();
  }

  void show() {
    log_.part().empty() ? progress_.show(log_.count(), log_.share()) : progress_.show(log_.part());
  }

 private:
  TrainerLog log_;
  WorkProgress progress_;
};

/// Returns the model. Throws std::runtime_error with SentencePiece's message.
std::string train_in_fork(const Options& options, LineIterator& lines) {
  std::string model;
  const auto status = sentencepiece::SentencePieceTrainer::Train(options, &lines, &model);
  if (!status.ok()) throw std::runtime_error(status.ToString());
  return model;
}

}  // namespace

std::string train_sentencepiece(const Texts& texts, const TokenizerConfig& config) {
  check_names(config);
  LineIterator lines(texts);
  if (lines.done())
    throw DataError("tokenizer", "the training data has no text to train a vocabulary on",
                    "Check the training files.");
  std::size_t longest_line = 0;
  for (const std::string& line : texts | std::views::join)
    longest_line = std::max(longest_line, line.size());
  const auto options = trainer_options(config, longest_line);
  TrainingDisplay display(config);
  // The trainer takes minutes, and sorts all substrings of the text without a call from which it
  // could be stopped. Its log goes to stderr, which only a process of its own can redirect.
  auto result = run_forked({.work = [&] { return train_in_fork(options, lines); },
                            .on_line = [&](std::string_view line) { display.read(line); },
                            .on_tick = [&] { display.show(); }},
                           "the learning of the vocabulary");
  if (result.error) throw training_error(*result.error, config);
  return std::move(result.text);
}

}  // namespace tfm

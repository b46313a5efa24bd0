#include "trainer_log.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace tfm {
namespace {

// The beginning of a log message, and what the trainer does from then on. The last that fits
// counts.
constexpr std::array parts{
    std::pair{std::string_view("Normalizing sentences"), std::string_view("normalising the text")},
    std::pair{std::string_view("all chars count="), std::string_view("choosing the characters")},
    std::pair{std::string_view("Making suffix array"), std::string_view("sorting all substrings")},
    std::pair{std::string_view("Extracting frequent sub strings"),
              std::string_view("choosing frequent substrings")},
    std::pair{std::string_view("Tokenizing input sentences"),
              std::string_view("counting the words")},
    std::pair{std::string_view("Done! "), std::string_view("counting pairs of characters")},
    std::pair{std::string_view("Done! preprocessed"), std::string_view("counting the words")},
    std::pair{std::string_view("Using "), std::string_view("estimating probabilities")}};

/// Returns the message without the place in SentencePiece's sources before it:
/// "trainer_interface.cc(411) LOG(INFO) Loaded all 400 sentences".
std::string_view message_of(std::string_view line) {
  constexpr std::string_view before = "LOG(INFO) ";
  const auto at = line.find(before);
  return at == line.npos ? std::string_view{} : line.substr(at + before.size());
}

/// Returns the number after `name` in the message.
std::optional<std::int64_t> number_after(std::string_view message, std::string_view name) {
  const auto at = message.find(name);
  if (at == message.npos) return std::nullopt;
  const char* begin = message.data() + at + name.size();
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(begin, message.data() + message.size(), number);
  return error == std::errc{} ? std::optional(number) : std::nullopt;
}

}  // namespace

void TrainerLog::read(std::string_view line) {
  const std::string_view message = message_of(line);
  const auto number = [&](std::string_view start, std::string_view name) {
    return message.starts_with(start) ? number_after(message, name) : std::nullopt;
  };
  for (const auto& [start, part] : parts)
    if (message.starts_with(start)) part_ = part;
  if (message.starts_with("Adding meta_piece: ")) ++given_tokens_;
  if (const auto characters = number("Alphabet size=", "=")) given_tokens_ += *characters;
  if (const auto seeds = number("Initialized ", " ")) seeds_ = *seeds;
  if (const auto size = number("Added: freq=", " size=")) count_subword(*size);
  if (const auto size = number("EM sub_iter=", " size=")) count_iteration(*size);
}

void TrainerLog::count_subword(std::int64_t size) {
  part_ = {};
  count_ = size;
  const auto wanted = std::max<std::int64_t>(1, vocab_size_ - given_tokens_);
  share_ = std::min(1.0, static_cast<double>(size) / static_cast<double>(wanted));
}

/// Unigram training makes iterations in pairs and keeps three quarters of the subwords after each
/// pair, until 1.1 times the wanted number is left.
void TrainerLog::count_iteration(std::int64_t size) {
  constexpr double kept = 0.75;
  part_ = {};
  ++count_;
  seeds_ = std::max(seeds_, size);
  const double wanted = 1.1 * static_cast<double>(std::max<std::int64_t>(1, vocab_size_));
  const double prunings =
      std::ceil(std::log(wanted / static_cast<double>(seeds_)) / std::log(kept));
  share_ = std::min(1.0, static_cast<double>(count_) / (2 * (1 + std::max(0.0, prunings))));
}

}  // namespace tfm

#include "tfm/serve/sentence_cache.h"

#include <fmt/format.h>

#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "tfm/serve/recently_used.h"

namespace tfm {
namespace {

/// Returns about how much memory an entry takes: its texts, and the nodes of RecentlyUsed.
std::size_t size_of(const std::string& key, const LineTranslation& translation) {
  constexpr std::size_t nodes = 160;
  std::size_t bytes = nodes + key.size();
  for (const auto& text : translation.candidates) bytes += sizeof(std::string) + text.size();
  for (const auto& words : translation.words) {
    bytes += sizeof(words);
    for (const auto& word : words) bytes += sizeof(word) + word.text.size();
  }
  bytes += translation.attention.size();
  return bytes;
}

/// Returns the key of a line. The text may contain a line feed, but nothing before it does.
std::string make_key(const std::string& lane, const LaneLine& line) {
  const auto& [words, next_words, prefix, attention_of] = line.details;
  return fmt::format("{}\n{}\n{:d} {} {}\n{}\n{}", lane, line.tag, words, next_words, prefix,
                     attention_of, line.text);
}

}  // namespace

class SentenceCache::Memory {
 public:
  Memory(std::size_t bytes, std::function<void(std::size_t)> on_found)
      : most_bytes_(bytes), on_found_(std::move(on_found)) {}

  /// Has `lane` translate the lines that are not remembered. `prefix` keeps lanes apart.
  std::vector<LineTranslation> translate(const Lane& lane, const std::string& prefix,
                                         const std::vector<LaneLine>& lines) {
    std::vector<LineTranslation> results(lines.size());
    std::vector<std::string> keys;
    keys.reserve(lines.size());
    std::vector<LaneLine> missing;
    std::unordered_map<std::string_view, std::size_t> places;  // of lines in `missing`, by key
    std::size_t found_lines = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto& key = keys.emplace_back(make_key(prefix, lines[i]));
      if (auto found = find(key)) {
        results[i] = std::move(*found);
        ++found_lines;
      } else if (places.emplace(key, missing.size()).second) {
        missing.push_back(lines[i]);
      }
    }
    if (on_found_ && found_lines > 0) on_found_(found_lines);
    if (missing.empty()) return results;
    const auto translated = lane(missing);
    for (std::size_t i = 0; i < missing.size(); ++i)
      add(make_key(prefix, missing[i]), translated[i]);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (results[i].candidates.empty()) results[i] = translated[places.at(keys[i])];
    }
    return results;
  }

  std::size_t bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
  }

 private:
  std::optional<LineTranslation> find(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto* found = entries_.find(key);
    return found == nullptr ? std::nullopt : std::optional(*found);
  }

  void add(const std::string& key, const LineTranslation& translation) {
    const std::lock_guard lock(mutex_);
    // Another thread may have translated the same line meanwhile.
    if (entries_.find(key) != nullptr) return;
    entries_.add(key, translation);
    bytes_ += size_of(key, translation);
    while (bytes_ > most_bytes_) {
      const auto oldest = entries_.take_oldest();
      bytes_ -= size_of(oldest.key, oldest.value);
    }
  }

  const std::size_t most_bytes_;
  const std::function<void(std::size_t)> on_found_;
  mutable std::mutex mutex_;
  RecentlyUsed<LineTranslation> entries_;
  std::size_t bytes_ = 0;
};

SentenceCache::SentenceCache(std::size_t bytes, std::function<void(std::size_t)> on_found)
    : memory_(std::make_shared<Memory>(bytes, std::move(on_found))) {}

LanePointer SentenceCache::remember(LanePointer lane) {
  return std::make_shared<Lane>(
      [memory = memory_, lane = std::move(lane), prefix = std::to_string(lanes_++)](
          const std::vector<LaneLine>& lines) { return memory->translate(*lane, prefix, lines); });
}

std::size_t SentenceCache::bytes() const { return memory_->bytes(); }

}  // namespace tfm

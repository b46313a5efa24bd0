#include "tfm/serve/sentence_cache.h"

#include <fmt/format.h>

#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "tfm/serve/recently_used.h"

namespace tfm {
namespace {

/// Returns about how much memory an entry takes: its texts, and the nodes of RecentlyUsed.
std::size_t entry_bytes(const std::string& key, const LineTranslation& translation) {
  constexpr std::size_t nodes = 160;
  std::size_t bytes = nodes + key.size();
  for (const auto& text : translation.candidates) bytes += sizeof(std::string) + text.size();
  for (const auto& words : translation.words) {
    bytes += sizeof(words);
    for (const auto& word : words) bytes += sizeof(word) + word.text.size();
  }
  return bytes;
}

/// Returns the key of a line. The text may contain a line feed, but nothing before it does.
std::string make_key(const std::string& lane, const LaneLine& line) {
  const auto& details = line.details;
  return fmt::format("{}\n{} {}\n{:d} {} {}\n{}", lane, line.tags.source, line.tags.target,
                     details.words, details.next_words, details.prefix, line.text);
}

/// Attention is much larger than a translation, and few clients ask for the same.
bool is_remembered(const LaneLine& line) { return line.details.attention_target.empty(); }

}  // namespace

class SentenceCache::Memory {
 public:
  Memory(std::size_t bytes, std::function<void()> on_found)
      : most_bytes_(bytes), on_found_(std::move(on_found)) {}

  /// Has `lane` translate a line that is not remembered. `prefix` keeps lanes apart.
  LineTranslation translate(const Lane& lane, const std::string& prefix, const LaneLine& line) {
    if (!is_remembered(line)) return lane(line);
    const auto key = make_key(prefix, line);
    if (auto found = find(key)) {
      if (on_found_) on_found_();
      return *std::move(found);
    }
    auto translation = lane(line);
    if (!translation.error) add(key, translation);
    return translation;
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
    bytes_ += entry_bytes(key, translation);
    while (bytes_ > most_bytes_) {
      const auto oldest = entries_.take_oldest();
      bytes_ -= entry_bytes(oldest.key, oldest.value);
    }
  }

  const std::size_t most_bytes_;
  const std::function<void()> on_found_;
  mutable std::mutex mutex_;
  RecentlyUsed<LineTranslation> entries_;
  std::size_t bytes_ = 0;
};

SentenceCache::SentenceCache(std::size_t bytes, std::function<void()> on_found)
    : memory_(std::make_shared<Memory>(bytes, std::move(on_found))) {}

LanePointer SentenceCache::remember(LanePointer lane) {
  return std::make_shared<Lane>([memory = memory_, lane = std::move(lane),
                                 prefix = std::to_string(lanes_++)](const LaneLine& line) {
    return memory->translate(*lane, prefix, line);
  });
}

std::size_t SentenceCache::bytes() const { return memory_->bytes(); }

}  // namespace tfm

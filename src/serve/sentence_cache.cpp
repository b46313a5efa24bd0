#include "tfm/serve/sentence_cache.h"

#include <fmt/format.h>

#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
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
  return fmt::format("{}\n{}\n{:d} {} {}\n{}", lane, line.tag, details.words, details.next_words,
                     details.prefix, line.text);
}

/// Attention is much larger than a translation, and few clients ask for the same.
bool is_remembered(const LaneLine& line) { return line.details.attention_target.empty(); }

/// The lines of a batch that a lane has to translate.
struct MissingLines {
  std::vector<LaneLine> lines;
  std::vector<std::string> keys;  // of the lines; empty for a line that is not remembered
  std::unordered_map<std::string, std::size_t> places;  // of the keys

  /// Returns the place of a line with this key, which is added unless an equal line has been.
  std::size_t add(const LaneLine& line, std::string key) {
    if (!key.empty()) {
      const auto [found, is_new] = places.emplace(key, lines.size());
      if (!is_new) return found->second;
    }
    lines.push_back(line);
    keys.push_back(std::move(key));
    return lines.size() - 1;
  }
};

}  // namespace

class SentenceCache::Memory {
 public:
  Memory(std::size_t bytes, std::function<void(std::size_t)> on_found)
      : most_bytes_(bytes), on_found_(std::move(on_found)) {}

  /// Has `lane` translate the lines that are not remembered. `prefix` keeps lanes apart.
  std::vector<LineTranslation> translate(const Lane& lane, const std::string& prefix,
                                         const std::vector<LaneLine>& lines) {
    std::vector<LineTranslation> results(lines.size());
    std::vector<std::optional<std::size_t>> places(lines.size());  // in `missing`
    MissingLines missing;
    std::size_t found_lines = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      auto key = is_remembered(lines[i]) ? make_key(prefix, lines[i]) : "";
      auto found = key.empty() ? std::nullopt : find(key);
      if (found) {
        results[i] = std::move(*found);
        ++found_lines;
      } else {
        places[i] = missing.add(lines[i], std::move(key));
      }
    }
    if (on_found_ && found_lines > 0) on_found_(found_lines);
    if (missing.lines.empty()) return results;
    auto translated = lane(missing.lines);
    for (std::size_t i = 0; i < translated.size(); ++i) {
      if (!missing.keys[i].empty() && !translated[i].error) add(missing.keys[i], translated[i]);
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (!places[i]) continue;
      auto& translation = translated[*places[i]];
      if (is_remembered(lines[i])) {
        results[i] = translation;  // equal lines share it
      } else {
        results[i] = std::move(translation);
      }
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
    bytes_ += entry_bytes(key, translation);
    while (bytes_ > most_bytes_) {
      const auto oldest = entries_.take_oldest();
      bytes_ -= entry_bytes(oldest.key, oldest.value);
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

// A map from texts to values that knows which value was used longest ago, so that a bounded memory
// can forget it.
#pragma once

#include <cstddef>
#include <iterator>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace tfm {

template <class Value>
class RecentlyUsed {
 public:
  struct Entry {
    std::string key;
    Value value;
  };

  RecentlyUsed() = default;
  // The keys of places_ are parts of entries_.
  RecentlyUsed(const RecentlyUsed&) = delete;
  RecentlyUsed& operator=(const RecentlyUsed&) = delete;

  /// Uses a value. Returns nullptr if the key has none.
  Value* find(std::string_view key) {
    const auto found = places_.find(key);
    if (found == places_.end()) return nullptr;
    entries_.splice(entries_.end(), entries_, found->second);
    return &found->second->value;
  }
  /// Adds, and thereby uses, the value of a key that has none yet.
  Value& add(std::string key, Value value) {
    auto& entry = entries_.emplace_back(Entry{std::move(key), std::move(value)});
    places_.emplace(entry.key, std::prev(entries_.end()));
    return entry.value;
  }
  /// Removes and returns the entry that was used longest ago. The map must not be empty.
  Entry take_oldest() {
    places_.erase(entries_.front().key);
    Entry oldest = std::move(entries_.front());
    entries_.pop_front();
    return oldest;
  }
  std::size_t size() const { return entries_.size(); }

 private:
  std::list<Entry> entries_;  // the entry that was used longest ago is first
  std::unordered_map<std::string_view, typename std::list<Entry>::iterator> places_;
};

}  // namespace tfm

#include "tfm/serve/file_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace tfm {
namespace {

/// Returns 128 bits of the system's random numbers as hexadecimal digits.
std::string random_name() {
  std::random_device random;
  std::string name;
  for (int i = 0; i < 4; ++i) name += fmt::format("{:08x}", random());
  return name;
}

}  // namespace

std::optional<std::string> FileStore::add(StoredFile file, std::string_view ending, double now) {
  if (file.bytes.size() > limits_.bytes || limits_.files == 0) return std::nullopt;
  auto name = random_name().append(ending);
  const std::lock_guard lock(mutex_);
  bytes_ += file.bytes.size();
  entries_.push_back({name, now, std::make_shared<const StoredFile>(std::move(file))});
  forget_old(now);
  return name;
}

std::shared_ptr<const StoredFile> FileStore::find(std::string_view name, double now) {
  const std::lock_guard lock(mutex_);
  forget_old(now);
  const auto found = std::ranges::find(entries_, name, &Entry::name);
  return found == entries_.end() ? nullptr : found->file;
}

std::size_t FileStore::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

void FileStore::forget_old(double now) {
  while (!entries_.empty() && (entries_.size() > limits_.files || bytes_ > limits_.bytes ||
                               now - entries_.front().time >= limits_.seconds)) {
    bytes_ -= entries_.front().file->bytes.size();
    entries_.pop_front();
  }
}

}  // namespace tfm

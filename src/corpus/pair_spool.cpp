#include "pair_spool.h"

#include <cmath>
#include <limits>
#include <utility>

#include "tfm/core/atomic_file.h"

namespace tfm {
namespace {

/// What precedes the text of a pair. The sides follow, the source first.
struct SpoolHeader {
  std::int64_t number;
  std::int64_t line;
  std::int64_t source_bytes;
  std::int64_t target_bytes;
  double score;  // NaN: none
};

}  // namespace

PairSpool::PairSpool(std::filesystem::path file)
    : file_(std::move(file)),
      stream_(file_, std::ios::binary | std::ios::in | std::ios::out | std::ios::trunc) {
  check();
}

void PairSpool::check() {
  if (!stream_) throw_unwritable(file_, "can't be written");
}

void PairSpool::write(const CorpusPair& pair, std::int64_t number) {
  const SpoolHeader header{number, pair.line, std::ssize(pair.source), std::ssize(pair.target),
                           pair.score.value_or(std::numeric_limits<double>::quiet_NaN())};
  stream_.write(reinterpret_cast<const char*>(&header), sizeof(header));
  stream_.write(pair.source.data(), std::ssize(pair.source));
  stream_.write(pair.target.data(), std::ssize(pair.target));
  check();
}

void PairSpool::rewind() {
  stream_.flush();
  check();
  stream_.seekg(0);
}

bool PairSpool::read(CorpusPair& pair, std::int64_t& number) {
  SpoolHeader header;
  if (!stream_.read(reinterpret_cast<char*>(&header), sizeof(header))) return false;
  number = header.number;
  pair.line = header.line;
  pair.score = std::isnan(header.score) ? std::nullopt : std::optional(header.score);
  pair.source.resize(static_cast<std::size_t>(header.source_bytes));
  pair.target.resize(static_cast<std::size_t>(header.target_bytes));
  stream_.read(pair.source.data(), header.source_bytes);
  stream_.read(pair.target.data(), header.target_bytes);
  return static_cast<bool>(stream_);
}

}  // namespace tfm

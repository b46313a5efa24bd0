#include "pair_spool.h"

#include <array>
#include <utility>

#include "tfm/core/atomic_file.h"

namespace tfm {
namespace {

/// The number, the line, and the sizes of both sides, which follow.
using SpoolHeader = std::array<std::int64_t, 4>;

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
  const SpoolHeader header{number, pair.line, std::ssize(pair.source), std::ssize(pair.target)};
  stream_.write(reinterpret_cast<const char*>(header.data()), sizeof(header));
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
  if (!stream_.read(reinterpret_cast<char*>(header.data()), sizeof(header))) return false;
  number = header[0];
  pair.line = header[1];
  pair.source.resize(static_cast<std::size_t>(header[2]));
  pair.target.resize(static_cast<std::size_t>(header[3]));
  stream_.read(pair.source.data(), header[2]);
  stream_.read(pair.target.data(), header[3]);
  return static_cast<bool>(stream_);
}

}  // namespace tfm

#include "tfm/search/forced_phrases.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace tfm {
namespace {

using Phrase = std::span<const std::int32_t>;

/// Returns the length of the phrase's longest prefix that the hypothesis ends with after `token`
/// has been added. Before, the hypothesis ended with the phrase's first `matched` tokens.
std::int32_t continued_match(Phrase phrase, std::int32_t matched, std::int32_t token) {
  for (std::int32_t length = matched + 1; length > 0; --length) {
    const auto before = static_cast<std::size_t>(length - 1);
    const Phrase read = phrase.first(static_cast<std::size_t>(matched));
    if (phrase[before] == token && std::ranges::equal(phrase.first(before), read.last(before)))
      return length;
  }
  return 0;
}

struct Banked {
  Continuation continuation;
  std::int64_t missing = 0;
};

/// Returns the number of beam places of each bank. Each bank gets an equal share, and the bank of
/// complete hypotheses also gets the remainder. Places that a bank cannot fill go to other banks,
/// to those with the fewest missing tokens first. `available` maps a number of missing tokens to a
/// number of continuations.
std::map<std::int64_t, std::size_t> allocate_places(
    const std::map<std::int64_t, std::size_t>& available, std::size_t banks, std::size_t places) {
  std::map<std::int64_t, std::size_t> allocated;
  std::size_t left = places;
  for (const auto& [missing, count] : available) {
    const std::size_t extra = missing == 0 ? places % banks : 0;
    allocated[missing] = std::min({count, places / banks + extra, left});
    left -= allocated[missing];
  }
  for (const auto& [missing, count] : available) {
    const std::size_t more = std::min(left, count - allocated[missing]);
    allocated[missing] += more;
    left -= more;
  }
  return allocated;
}

/// Takes the best continuations of each bank. `pool` must be sorted by log-probability; the result
/// keeps its order.
std::vector<Continuation> take_by_bank(std::span<const Banked> pool, std::size_t banks,
                                       std::size_t places) {
  std::map<std::int64_t, std::size_t> available;
  for (const Banked& entry : pool) ++available[entry.missing];
  auto allocated = allocate_places(available, banks, places);
  std::vector<Continuation> taken;
  for (const Banked& entry : pool) {
    if (allocated[entry.missing] == 0) continue;
    --allocated[entry.missing];
    taken.push_back(entry.continuation);
  }
  return taken;
}

/// Collects the most probable continuations of all rows, the two most probable of each row, and all
/// that advance a phrase. Continuations that advance a phrase may take forbidden or banned tokens,
/// but a row with a forced token has only the continuation with that token.
std::vector<Continuation> gather(const CandidateSelector& selector,
                                 std::span<const CandidateRow> rows,
                                 const BeamAllocationInput& search) {
  auto found = selector.top_k(rows, 3 * search.beam_size);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto row = static_cast<std::int32_t>(r);
    for (Continuation own : selector.top_k(rows.subspan(r, 1), 2))
      found.push_back({row, own.token, own.log_prob});
    if (rows[r].forced_token >= 0) continue;
    for (const std::int32_t token : search.phrases.next_tokens(*search.progress[r])) {
      const double log_prob = rows[r].log_prob + rows[r].next_log_prob(token);
      if (std::isfinite(log_prob)) found.push_back({row, token, log_prob});
    }
  }
  std::set<std::pair<std::int32_t, std::int32_t>> seen;
  std::erase_if(
      found, [&](const Continuation& each) { return !seen.emplace(each.row, each.token).second; });
  std::ranges::sort(found, comes_before);
  return found;
}

}  // namespace

ForcedPhrases::Progress ForcedPhrases::advance(Progress progress, std::int32_t token) const {
  for (std::size_t i = 0; i < phrases_.size(); ++i) {
    if (progress[i] < std::ssize(phrases_[i]))
      progress[i] = continued_match(phrases_[i], progress[i], token);
  }
  return progress;
}

std::int64_t ForcedPhrases::tokens_remaining(const Progress& progress) const {
  std::int64_t incomplete = 0;
  std::int64_t longest_match = 0;
  for (std::size_t i = 0; i < phrases_.size(); ++i) {
    if (progress[i] >= std::ssize(phrases_[i])) continue;
    incomplete += std::ssize(phrases_[i]);
    longest_match = std::max<std::int64_t>(longest_match, progress[i]);
  }
  return incomplete - longest_match;
}

std::vector<std::int32_t> ForcedPhrases::next_tokens(const Progress& progress) const {
  std::vector<std::int32_t> tokens;
  for (std::size_t i = 0; i < phrases_.size(); ++i) {
    if (progress[i] < std::ssize(phrases_[i]))
      tokens.push_back(phrases_[i][static_cast<std::size_t>(progress[i])]);
  }
  return tokens;
}

std::vector<Continuation> allocate_beam(const CandidateSelector& selector,
                                        std::span<const CandidateRow> rows,
                                        const BeamAllocationInput& search) {
  std::vector<Banked> continuing;
  std::vector<Banked> all;
  for (const Continuation& each : gather(selector, rows, search)) {
    const auto row = static_cast<std::size_t>(each.row);
    if (each.token == search.eos) {
      all.push_back({each, 0});  // eos is banned while tokens are missing
      continue;
    }
    const std::int64_t missing =
        search.phrases.tokens_remaining(search.phrases.advance(*search.progress[row], each.token));
    if (rows[row].forced_token < 0 && missing > search.tokens_left - 1) continue;
    if (each.token == search.stop && missing > 0) continue;
    all.push_back({each, missing});
    if (each.token != search.stop) continuing.push_back({each, missing});
  }
  const auto banks =
      static_cast<std::size_t>(search.phrases.tokens_remaining(search.phrases.start())) + 1;
  auto taken = take_by_bank(all, banks, search.beam_size);
  std::erase_if(taken, [&](const Continuation& each) {
    return each.token != search.eos && each.token != search.stop;
  });
  for (const Continuation& each : take_by_bank(continuing, banks, search.beam_size))
    taken.push_back(each);
  return taken;
}

}  // namespace tfm

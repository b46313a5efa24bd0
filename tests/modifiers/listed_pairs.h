// The pairs of a text for tests of modifiers.
#pragma once

#include <span>
#include <string>

#include "tfm/modifiers/text_modifiers.h"

namespace tfm {

/// Views the lines of both sides, and the links of each pair in Pharaoh format if there are some.
struct ListedPairs final : TextPairs {
  explicit ListedPairs(std::span<const std::string> source, std::span<const std::string> target,
                       std::span<const std::string> links = {})
      : sources(source), targets(target), alignments(links) {}

  std::size_t size() const override { return sources.size(); }
  TextPair operator[](std::size_t i) const override {
    return {sources[i], targets[i],
            alignments.empty() ? WordAlignment() : parse_word_links(alignments[i], "test")};
  }

  std::span<const std::string> sources;
  std::span<const std::string> targets;
  std::span<const std::string> alignments;
};

}  // namespace tfm

#include <algorithm>

#include "modifier_functions.h"

namespace tfm {
namespace {

using CaseConversion = std::string (*)(std::string_view, DottedI);

TextPair convert_case(const TextPair& pair, const ModifierInput& input, CaseConversion convert) {
  const auto side = [&](const std::string& text, DottedI rule) {
    std::string result;
    for_each_part(text, input.context.symbols, [&](std::string_view part, bool is_symbol) {
      result += is_symbol ? std::string(part) : convert(part, rule);
    });
    return result;
  };
  return {side(pair.source, input.original.source_i), side(pair.target, input.original.target_i),
          pair.links};
}

}  // namespace

void for_each_part(std::string_view text, std::span<const std::string> symbols,
                   const std::function<void(std::string_view part, bool is_symbol)>& visit) {
  std::size_t begin = 0;  // of the part since the last symbol
  for (std::size_t at = 0; at < text.size();) {
    std::size_t length = 0;  // of the longest symbol at this place
    for (const std::string& symbol : symbols)
      if (text.substr(at).starts_with(symbol)) length = std::max(length, symbol.size());
    if (length == 0) {
      ++at;
      continue;
    }
    visit(text.substr(begin, at - begin), false);
    visit(text.substr(at, length), true);
    begin = at += length;
  }
  visit(text.substr(begin), false);
}

TextPair to_upper_case(TextPair pair, const ModifierInput& input, RandomStream& /*random*/) {
  return convert_case(pair, input, uppercase);
}

TextPair to_title_case(TextPair pair, const ModifierInput& input, RandomStream& /*random*/) {
  return convert_case(pair, input, titlecase);
}

}  // namespace tfm

#include "text_document.h"
#include "tfm/markup/html_pieces.h"

namespace tfm {

std::vector<TextSlot> html_slots(std::string_view text) {
  std::vector<TextSlot> slots;
  std::size_t at = 0;
  for (auto& piece : split_html(text)) {
    const auto end = at + piece.text.size();
    if (piece.is_text && segment_has_letters(piece.text))
      slots.push_back({at, end, {std::move(piece.text)}, [](auto translations) {
                         return translations.front();
                       }});
    at = end;
  }
  return slots;
}

}  // namespace tfm

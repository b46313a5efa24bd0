#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "attention_map.h"

namespace tfm {
namespace {

// In pixels of the SVG's own coordinates.
constexpr double cell = 16, font = 11, gap = 8, margin = 16, title_height = 44, legend_height = 44;
constexpr double character = 0.62 * font;  // wider than the average of common sans-serif fonts
constexpr double slant = 0.7071;           // of a column's label, at 45 degrees

// Lightness falls along the ramp, so the order of weights survives colour blindness and grey print. Spaced evenly from no weight to the largest.
constexpr std::array<std::array<int, 3>, 4> ramp = {{{243, 246, 251}, {150, 193, 228}, {42, 113, 184}, {11, 41, 84}}};

struct Panel {
  AttentionKind kind = AttentionKind::cross;
  std::string title;
  const std::vector<std::string>* rows = nullptr;
  const std::vector<std::string>* columns = nullptr;
  std::vector<float> map;        // [rows, columns]
  double left = 0, top = 0;      // room for the labels
  double width = 0, height = 0;  // with labels, without the title
};

/// Text for XML: well-formed UTF-8, no character that XML forbids, markup escaped.
std::string escaped(const std::string& text) {
  using nlohmann::json;
  const std::string valid = json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
  std::string result;
  for (std::size_t i = 0; i < valid.size(); ++i) {
    const char c = valid[i];
    const std::string_view three = std::string_view(valid).substr(i, 3);
    if (three == "\xEF\xBF\xBE" || three == "\xEF\xBF\xBF") {  // U+FFFE and U+FFFF
      result += "\uFFFD";
      i += 2;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      result += "\uFFFD";
    } else if (c == '<' || c == '>' || c == '&' || c == '"' || c == '\'') {
      result += fmt::format("&#{};", static_cast<int>(c));
    } else {
      result += c;
    }
  }
  return result;
}

/// About how wide the text is drawn: characters from U+3000 on (CJK, emoji) count double.
double width_of(const std::string& text) {
  double width = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) != 0x80) width += byte >= 0xE3 ? 2 * character : character;
  }
  return width;
}

double widest(const std::vector<std::string>& tokens) {
  double width = 0;
  for (const std::string& token : tokens) width = std::max(width, width_of(token));
  return width;
}

std::string colour(double share) {
  const double place = std::clamp(share, 0.0, 1.0) * (ramp.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(place), ramp.size() - 2);
  const double part = place - static_cast<double>(low);
  const auto channel = [&](std::size_t i) { return std::lround(ramp[low][i] + part * (ramp[low + 1][i] - ramp[low][i])); };
  return fmt::format("#{:02x}{:02x}{:02x}", channel(0), channel(1), channel(2));
}

Panel panel_of(const SentenceAttention& sentence, AttentionKind kind, const AttentionChoice& choice) {
  Panel panel{kind, "Encoder self-attention", &sentence.source, &sentence.source, attention_map(sentence.weights(kind), choice)};
  if (kind == AttentionKind::decoder) {
    panel.title = "Decoder self-attention";
    panel.rows = panel.columns = &sentence.target_input;
  } else if (kind == AttentionKind::cross) {
    panel.title = "Cross-attention";
    panel.rows = &sentence.target_output;
  }
  panel.left = widest(*panel.rows) + gap;
  panel.top = widest(*panel.columns) * slant + gap;
  double drawn = static_cast<double>(panel.columns->size()) * cell;  // and what slanted labels reach beyond it
  for (std::size_t i = 0; i < panel.columns->size(); ++i) {
    drawn = std::max(drawn, (static_cast<double>(i) + 1) * cell + width_of((*panel.columns)[i]) * slant);
  }
  panel.width = std::max(panel.left + drawn, width_of(panel.title) * 1.2);
  panel.height = panel.top + static_cast<double>(panel.rows->size()) * cell;
  return panel;
}

std::string labels(const Panel& panel) {
  std::string svg;
  for (std::size_t i = 0; i < panel.rows->size(); ++i) {
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", panel.left - gap / 2,
                       panel.top + (static_cast<double>(i) + 0.5) * cell + font * 0.35, escaped((*panel.rows)[i]));
  }
  for (std::size_t i = 0; i < panel.columns->size(); ++i) {
    svg += fmt::format("<text transform=\"translate({:.1f} {:.1f}) rotate(-45)\">{}</text>\n",
                       panel.left + (static_cast<double>(i) + 0.5) * cell + font * 0.2, panel.top - gap / 2, escaped((*panel.columns)[i]));
  }
  return svg;
}

/// Cells that the causal mask hides are left blank.
std::string cells(const Panel& panel, double largest) {
  std::string svg;
  for (std::size_t row = 0; row < panel.rows->size(); ++row) {
    const std::size_t visible = panel.kind == AttentionKind::decoder ? row + 1 : panel.columns->size();
    for (std::size_t column = 0; column < visible; ++column) {
      const float weight = panel.map[row * panel.columns->size() + column];
      svg +=
          fmt::format("<rect class=\"cell\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" fill=\"{}\"><title>{} → {}: {:.3f}</title></rect>\n",
                      panel.left + static_cast<double>(column) * cell, panel.top + static_cast<double>(row) * cell, cell - 1, cell - 1,
                      colour(weight / largest), escaped((*panel.rows)[row]), escaped((*panel.columns)[column]), weight);
    }
  }
  return svg;
}

std::string name_of(const AttentionWeights& weights, const AttentionChoice& choice) {
  const auto part = [](const char* what, const std::optional<std::int64_t>& index, std::int64_t count) {
    return index ? fmt::format("{} {}", what, *index + 1) : fmt::format("mean of {} {}{}", count, what, count == 1 ? "" : "s");
  };
  return part("layer", choice.layer, weights.layers) + ", " + part("head", choice.head, weights.heads);
}

std::string legend(double left, double top, double largest) {
  constexpr double width = 180, height = 10;
  std::string svg = fmt::format("<g transform=\"translate({:.1f} {:.1f})\">\n<defs><linearGradient id=\"ramp\">", left, top);
  for (int i = 0; i <= 3; ++i) svg += fmt::format("<stop offset=\"{:.4f}\" stop-color=\"{}\"/>", i / 3.0, colour(i / 3.0));
  svg += fmt::format("</linearGradient></defs>\n<rect width=\"{}\" height=\"{}\" fill=\"url(#ramp)\" stroke=\"#8893a2\" stroke-width=\"0.5\"/>\n",
                     width, height);
  for (int i = 0; i <= 4; ++i) {
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{:.3g}</text>\n", width * i / 4, height + font + 3, largest * i / 4);
  }
  return svg + fmt::format("<text x=\"{}\" y=\"{}\">attention weight</text>\n</g>\n", width + 18, height);
}

}  // namespace

std::string attention_svg(const SentenceAttention& sentence, const AttentionChoice& choice) {
  check_sentence(sentence);
  check_choice(sentence, choice);
  std::string body;
  double x = margin, height = 0;
  std::vector<Panel> panels;
  for (const AttentionKind kind : all_attention_kinds) {
    if (has_choice(sentence.weights(kind), choice)) panels.push_back(panel_of(sentence, kind, choice));
  }
  double largest = 0;
  for (const Panel& panel : panels) {
    for (const float weight : panel.map) largest = std::max(largest, static_cast<double>(weight));
  }
  largest = std::max(std::ceil(largest * 20 - 1e-4) / 20, 0.05);  // a round number for the legend
  for (const Panel& panel : panels) {
    body += fmt::format(
        "<g transform=\"translate({:.1f} {:.1f})\">\n<text class=\"title\" y=\"0\">{}</text>\n<text class=\"choice\" y=\"15\">{}</text>\n", x,
        margin + font, panel.title, name_of(sentence.weights(panel.kind), choice));
    body += fmt::format("<g transform=\"translate(0 {})\">\n{}{}</g>\n</g>\n", title_height - font, labels(panel), cells(panel, largest));
    x += panel.width + 2 * margin;
    height = std::max(height, panel.height);
  }
  const double full_width = std::max(x - margin, 340.0), legend_top = margin + title_height + height + margin;
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\" "
      "font-family=\"sans-serif\" font-size=\"{2}\" fill=\"#1b2430\">\n"
      "<title>{3} → {4}</title>\n"
      "<style>text {{ unicode-bidi: plaintext; white-space: pre; }} .title {{ font-size: 13px; font-weight: bold; }} .choice {{ fill: #5b6675; "
      "}}</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{5}{6}</svg>\n",
      full_width, legend_top + legend_height, font, escaped(sentence.source_text), escaped(sentence.target_text), body,
      legend(margin, legend_top, largest));
}

}  // namespace tfm

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "attention_map.h"

namespace tfm {
namespace {

// sizes in user units of the SVG
constexpr double cell = 20, font = 11, gap = 8, margin = 16, title_height = 44, legend_height = 44;
// the estimated width of a character, which is above the average of common sans-serif fonts
constexpr double character = 0.62 * font;
constexpr double slant = 0.7071;  // sine and cosine of 45 degrees, the angle of column labels

// The colours (red, green, blue) of evenly spaced weights, from 0 to the maximum. Lightness
// decreases along the ramp, so the order of weights is visible to the colour-blind and in greyscale
// print.
constexpr std::array<std::array<int, 3>, 4> ramp = {
    {{243, 246, 251}, {150, 193, 228}, {42, 113, 184}, {11, 41, 84}}};

struct Panel {
  AttentionMapKind kind = AttentionMapKind::cross;
  std::string title;
  std::vector<std::string> rows, columns;  // the labels of rows and columns
  std::vector<float> map;                  // the weights, [rows, columns]
  std::string name;                        // the description of the selected layer and head
  double left = 0, top = 0;                // the space left of and above the cells, for labels
  double width = 0;                        // the width of the panel including labels
};

/// Returns text for XML: valid UTF-8 without forbidden characters, with markup escaped.
std::string escape_xml(const std::string& text) {
  using nlohmann::json;
  const std::string valid =
      json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace))
          .get<std::string>();
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

/// Replaces SentencePiece's word-start symbol, which would look like a tick of the axis.
std::vector<std::string> to_labels(std::vector<std::string> tokens) {
  constexpr std::string_view mark = "▁", dot = "·";
  for (auto& token : tokens) {
    for (auto at = token.find(mark); at != std::string::npos; at = token.find(mark, at))
      token.replace(at, mark.size(), dot);
  }
  return tokens;
}

/// Estimates the width of a text. Characters from U+3000 on (CJK, emoji) count double.
double text_width(const std::string& text) {
  double width = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) != 0x80) width += byte >= 0xE3 ? 2 * character : character;
  }
  return width;
}

double widest(const std::vector<std::string>& tokens) {
  double width = 0;
  for (const std::string& token : tokens) width = std::max(width, text_width(token));
  return width;
}

std::string colour(double share) {
  const double place = std::clamp(share, 0.0, 1.0) * (ramp.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(place), ramp.size() - 2);
  const double part = place - static_cast<double>(low);
  const auto channel = [&](std::size_t i) {
    return std::lround(ramp[low][i] + part * (ramp[low + 1][i] - ramp[low][i]));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", channel(0), channel(1), channel(2));
}

std::string describe_selection(const AttentionWeights& weights,
                               const AttentionSelection& selection) {
  const auto part = [](const char* what, const std::optional<std::int64_t>& index,
                       std::int64_t count) {
    return index ? fmt::format("{} {}", what, *index)
                 : fmt::format("mean of {} {}{}", count, what, count == 1 ? "" : "s");
  };
  return part("layer", selection.layer, weights.layers) + ", " +
         part("head", selection.head, weights.heads);
}

Panel make_panel(const SentenceAttention& sentence, AttentionMapKind kind,
                 const AttentionSelection& selection) {
  const AttentionWeights& weights = sentence.weights(kind);
  Panel panel{kind,
              "Encoder self-attention",
              to_labels(sentence.source),
              to_labels(sentence.source),
              attention_map(weights, selection),
              describe_selection(weights, selection)};
  if (kind == AttentionMapKind::decoder) {
    panel.title = "Decoder self-attention";
    panel.rows = panel.columns = to_labels(sentence.target_input);
  } else if (kind == AttentionMapKind::cross) {
    panel.title = "Cross-attention";
    panel.rows = to_labels(sentence.target_output);
  }
  panel.left = widest(panel.rows) + gap;
  panel.top = widest(panel.columns) * slant + gap;
  // The drawn width includes the parts of slanted labels to the right of the cells.
  double drawn = static_cast<double>(panel.columns.size()) * cell;
  for (std::size_t i = 0; i < panel.columns.size(); ++i) {
    drawn =
        std::max(drawn, (static_cast<double>(i) + 1) * cell + text_width(panel.columns[i]) * slant);
  }
  panel.width =
      std::max({panel.left + drawn, text_width(panel.title) * 1.2, text_width(panel.name)});
  return panel;
}

/// Returns the panels of the kinds that contain the selection, with their cells aligned at the top.
std::vector<Panel> make_panels(const SentenceAttention& sentence,
                               const AttentionSelection& selection) {
  std::vector<Panel> panels;
  double top = 0;
  for (const AttentionMapKind kind : all_attention_kinds) {
    if (!has_selection(sentence.weights(kind), selection)) continue;
    panels.push_back(make_panel(sentence, kind, selection));
    top = std::max(top, panels.back().top);
  }
  for (Panel& panel : panels) panel.top = top;
  return panels;
}

/// Returns the largest weight, rounded up to a multiple of 0.05 for the legend.
double find_scale_maximum(const std::vector<Panel>& panels) {
  float largest = 0;
  for (const Panel& panel : panels) {
    for (const float weight : panel.map) largest = std::max(largest, weight);
  }
  return std::max(std::ceil(largest * 20 - 1e-4) / 20, 0.05);
}

std::string labels(const Panel& panel) {
  std::string svg;
  for (std::size_t i = 0; i < panel.rows.size(); ++i) {
    svg += fmt::format(R"svg(<text x="{:.1f}" y="{:.1f}" text-anchor="end">{}</text>)svg",
                       panel.left - gap / 2,
                       panel.top + (static_cast<double>(i) + 0.5) * cell + font * 0.35,
                       escape_xml(panel.rows[i])) +
           "\n";
  }
  for (std::size_t i = 0; i < panel.columns.size(); ++i) {
    svg += fmt::format(R"svg(<text transform="translate({:.1f} {:.1f}) rotate(-45)">{}</text>)svg",
                       panel.left + (static_cast<double>(i) + 0.5) * cell + font * 0.2,
                       panel.top - gap / 2, escape_xml(panel.columns[i])) +
           "\n";
  }
  return svg;
}

/// Draws the cells, except those that the causal mask hides.
std::string cells(const Panel& panel, double largest) {
  std::string svg;
  for (std::size_t row = 0; row < panel.rows.size(); ++row) {
    const std::size_t visible =
        panel.kind == AttentionMapKind::decoder ? row + 1 : panel.columns.size();
    for (std::size_t column = 0; column < visible; ++column) {
      const float weight = panel.map[row * panel.columns.size() + column];
      svg +=
          fmt::format(
              R"svg(<rect class="cell" x="{:.1f}" y="{:.1f}" width="{}" height="{}" fill="{}">)svg"
              R"svg(<title>{} → {}: {:.3f}</title></rect>)svg",
              panel.left + static_cast<double>(column) * cell,
              panel.top + static_cast<double>(row) * cell, cell - 1, cell - 1,
              colour(weight / largest), escape_xml(panel.rows[row]),
              escape_xml(panel.columns[column]), weight) +
          "\n";
    }
  }
  return svg;
}

std::string legend(double left, double top, double largest) {
  constexpr double width = 180, height = 10;
  std::string svg = fmt::format(
      R"svg(<g transform="translate({:.1f} {:.1f})"><defs><linearGradient id="ramp">)svg", left,
      top);
  for (std::size_t i = 0; i < ramp.size(); ++i) {
    const double share = static_cast<double>(i) / (ramp.size() - 1);
    svg += fmt::format(R"svg(<stop offset="{:.4f}" stop-color="{}"/>)svg", share, colour(share));
  }
  svg += "</linearGradient></defs>";
  svg += fmt::format(R"svg(<rect width="{}" height="{}" fill="url(#ramp)" stroke="#8893a2" )svg"
                     R"svg(stroke-width="0.5"/>)svg",
                     width, height);
  for (int i = 0; i <= 4; ++i) {
    svg += fmt::format(R"svg(<text x="{}" y="{}" text-anchor="middle">{:.3g}</text>)svg",
                       width * i / 4, height + font + 3, largest * i / 4);
  }
  return svg +
         fmt::format(R"svg(<text x="{}" y="{}">attention weight</text></g>)svg", width + 18,
                     height) +
         "\n";
}

std::string document(double width, double height, const std::string& title,
                     const std::string& body) {
  return fmt::format(R"svg(<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}" )svg"
                     R"svg(viewBox="0 0 {0:.0f} {1:.0f}" role="img"
 font-family="sans-serif" font-size="{2}" fill="#1b2430">
<title>{3}</title>
<style>
text {{ unicode-bidi: plaintext; white-space: pre; }}
.title {{ font-size: 13px; font-weight: bold; }}
.choice {{ fill: #5b6675; }}
</style>
<rect width="100%" height="100%" fill="#ffffff"/>
{4}</svg>
)svg",
                     width, height, font, title, body);
}

}  // namespace

std::string attention_svg(const SentenceAttention& sentence, const AttentionSelection& selection) {
  check_sentence(sentence);
  check_selection(sentence, selection);
  const std::vector<Panel> panels = make_panels(sentence, selection);
  const double largest = find_scale_maximum(panels);
  std::string body;
  double x = margin, bottom = 0;
  for (const Panel& panel : panels) {
    body += fmt::format(
        R"svg(<g transform="translate({:.1f} {})"><text class="title" y="{}">{}</text>)svg"
        R"svg(<text class="choice" y="{}">{}</text>)svg",
        x, margin, font, panel.title, font + 15, panel.name);
    body += fmt::format(R"svg(<g transform="translate(0 {})">{}{}</g></g>)svg", title_height,
                        labels(panel), cells(panel, largest));
    x += panel.width + 2 * margin;
    bottom = std::max(
        bottom, margin + title_height + panel.top + static_cast<double>(panel.rows.size()) * cell);
  }
  body += legend(margin, bottom + margin, largest);
  const double legend_width = 340;
  return document(std::max(x - margin, legend_width), bottom + margin + legend_height,
                  escape_xml(sentence.source_text + " → " + sentence.target_text), body);
}

}  // namespace tfm

#include "tfm/model/batch.h"

#include <algorithm>
#include <utility>

#include "tfm/tensor/device.h"

namespace tfm {

namespace {

/// Returns the batch with the result of move(tensor, device) in place of each tensor.
template <class Move>
Batch move_tensors(Batch batch, torch::Device device, const Move& move) {
  for (auto* tensor : {&batch.source, &batch.target_input, &batch.target_output})
    *tensor = move(*tensor, device);
  if (batch.weights.defined()) batch.weights = move(batch.weights, device);
  return batch;
}

}  // namespace

Batch Batch::to(torch::Device device) const { return move_tensors(*this, device, upload); }

Batch Batch::staged(torch::Device device) const {
  return move_tensors(*this, device, stage_upload);
}

torch::Tensor pad_sequences(std::span<const TokenIds> rows, TokenId pad, std::int64_t min_width) {
  auto width = static_cast<std::size_t>(min_width);
  for (const TokenIds& row : rows) width = std::max(width, row.size());
  auto padded = torch::full({std::ssize(rows), static_cast<std::int64_t>(width)},
                            static_cast<std::int64_t>(pad), torch::kInt64);
  auto* next = padded.mutable_data_ptr<std::int64_t>();
  for (const TokenIds& row : rows) {
    std::copy(row.begin(), row.end(), next);
    next += width;
  }
  return padded;
}

Batch collate(const Corpus& corpus, std::span<const std::int64_t> indices,
              const CollateOptions& format) {
  Batch batch;
  batch.indices.assign(indices.begin(), indices.end());
  batch.sets = corpus.sets;
  std::vector<TokenIds> sources;
  std::vector<TokenIds> inputs;
  std::vector<TokenIds> outputs;
  std::vector<float> weights;
  for (const std::int64_t index : indices) {
    const Example example = corpus.examples[static_cast<std::size_t>(index)];
    sources.push_back(example.source);
    inputs.push_back({format.target.bos});
    inputs.back().insert(inputs.back().end(), example.target.begin(), example.target.end());
    outputs.push_back(example.target);
    outputs.back().push_back(format.target.eos);
    batch.lines.push_back(example.line);
    if (!corpus.weights.empty())
      weights.push_back(corpus.weight(static_cast<std::size_t>(index), example.line));
    batch.source_tokens += std::ssize(example.source);
    batch.target_tokens += std::ssize(outputs.back());
  }
  batch.source = pad_sequences(sources, format.source.pad, format.fixed_length);
  batch.target_input = pad_sequences(inputs, format.target.pad, format.fixed_length);
  batch.target_output = pad_sequences(outputs, format.target.pad, format.fixed_length);
  if (!corpus.weights.empty()) batch.weights = torch::tensor(weights);
  return batch;
}

namespace {

/// Returns rows [begin, end) of ids [B, T]. Columns at the end that contain only padding are
/// removed, unless keep_width is set.
torch::Tensor trim_rows(const torch::Tensor& ids, std::size_t begin, std::size_t end, TokenId pad,
                        bool keep_width) {
  auto rows = ids.slice(0, static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end));
  if (keep_width) return rows;
  const auto used = rows.ne(pad).any(0).nonzero();  // columns with tokens
  return rows.slice(1, 0, used.numel() > 0 ? used[-1].item<std::int64_t>() + 1 : 0);
}

}  // namespace

Batch slice_rows(const Batch& batch, std::size_t begin, std::size_t end,
                 const CollateOptions& format) {
  const bool keep_width = format.fixed_length > 0;
  Batch part;
  part.source = trim_rows(batch.source, begin, end, format.source.pad, keep_width);
  part.target_output = trim_rows(batch.target_output, begin, end, format.target.pad, keep_width);
  part.target_input =
      batch.target_input.slice(0, static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end))
          .slice(1, 0, part.target_output.size(1));
  const auto cut = [&](const std::vector<std::int64_t>& all) {
    return std::vector(all.begin() + static_cast<std::ptrdiff_t>(begin),
                       all.begin() + static_cast<std::ptrdiff_t>(end));
  };
  part.indices = cut(batch.indices);
  part.lines = cut(batch.lines);
  part.sets = batch.sets;
  if (batch.weights.defined())
    part.weights =
        batch.weights.slice(0, static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end));
  part.source_tokens = part.source.ne(format.source.pad).sum().item<std::int64_t>();
  part.target_tokens = part.target_output.ne(format.target.pad).sum().item<std::int64_t>();
  return part;
}

std::string describe_lines(const Batch& batch) {
  constexpr std::size_t named = 10;
  std::vector<LinePlace> lines;
  for (std::size_t i = 0; i < batch.lines.size(); ++i) {
    const auto* set = batch.sets.empty() ? nullptr : find_set(batch.sets, batch.indices[i]);
    lines.push_back({set != nullptr ? set->name : "", batch.lines[i]});
  }
  std::ranges::sort(
      lines, {}, [](const LinePlace& place) { return std::pair(place.file.native(), place.line); });
  std::string text = lines.size() == 1 ? "line" : "lines";
  for (std::size_t i = 0; i < std::min(named, lines.size()); ++i) {
    const auto& place = lines[i];
    text += (i > 0 ? ", " : " ") + (place.file.empty() ? std::to_string(place.line) : place.text());
  }
  if (lines.size() > named) text += " and " + std::to_string(lines.size() - named) + " more";
  return text;
}

}  // namespace tfm

#include "tfm/translate/shortlist.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <unordered_map>

#include "sort_unique.h"
#include "tfm/core/error.h"
#include "tfm/data/lexical_table.h"
#include "tfm/data/text_checksum.h"
#include "tfm/model/model_files.h"
#include "tfm/tensor/safetensors.h"

namespace tfm {
namespace {

constexpr const char* format_name = "tfm shortlist";

/// Returns the special tokens, which a search request must be able to refer to.
TokenIds special_token_ids(const SpecialTokens& special) {
  TokenIds ids;
  for (const TokenId id : {special.pad, special.bos, special.eos, special.unk}) {
    if (id >= 0) ids.push_back(id);
  }
  return ids;
}

/// Returns at most 200,000 examples, evenly spread over the corpus. Learning a table from them
/// takes only seconds.
std::vector<Example> evenly_spread(const ExampleList& examples) {
  constexpr std::size_t most = 200'000;
  const std::size_t stride = (examples.size() + most - 1) / most;
  std::vector<Example> chosen;
  for (std::size_t i = 0; i < examples.size(); i += stride) chosen.push_back(examples[i]);
  return chosen;
}

TokenIds most_frequent(const Corpus& corpus, std::int64_t vocab_size, std::int64_t count) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(vocab_size), 0);
  for (const Example& example : corpus.examples) {
    for (const TokenId token : example.target) ++counts[static_cast<std::size_t>(token)];
  }
  TokenIds order(counts.size());
  std::iota(order.begin(), order.end(), TokenId{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, [&counts](TokenId token) {
    return counts[static_cast<std::size_t>(token)];
  });
  order.resize(std::min(order.size(), static_cast<std::size_t>(count)));
  return order;
}

/// Returns, for each source token, the target token with the same spelling, or -1 if there is none.
TokenIds same_pieces(const TokenizerPair& tokenizers) {
  TokenIds same(static_cast<std::size_t>(tokenizers.source->size()), -1);
  if (tokenizers.is_joint()) {
    std::iota(same.begin(), same.end(), TokenId{0});
    return same;
  }
  std::unordered_map<std::string, TokenId> targets;
  for (TokenId id = 0; id < tokenizers.target->size(); ++id)
    targets.emplace(tokenizers.target->piece(id), id);
  for (std::size_t id = 0; id < same.size(); ++id) {
    const auto found = targets.find(tokenizers.source->piece(static_cast<TokenId>(id)));
    if (found != targets.end()) same[id] = found->second;
  }
  return same;
}

/// Reads the token ids at indices begin to end - 1 of `tensor`. Throws ModelError if an id is not
/// in the vocabulary.
TokenIds read_ids(const torch::Tensor& tensor, std::int64_t begin, std::int64_t end,
                  std::int64_t vocab_size, const std::filesystem::path& file) {
  const auto* values = tensor.const_data_ptr<TokenId>();
  TokenIds ids(values + begin, values + end);
  if (std::ranges::any_of(ids, [vocab_size](TokenId id) { return id < 0 || id >= vocab_size; })) {
    throw ModelError(file.string(), "contains tokens that the target vocabulary does not have",
                     "Create it again with tfm shortlist.");
  }
  return ids;
}

/// Returns the metadata of a shortlist file for these vocabularies.
std::map<std::string, std::string> make_metadata(const TokenizerPair& tokenizers) {
  return {{"format", format_name},
          {"version", "1"},
          {"source_vocabulary", fmt::format("{:08x}", checksum(*tokenizers.source))},
          {"target_vocabulary", fmt::format("{:08x}", checksum(*tokenizers.target))}};
}

/// Returns a copy of a tensor, because a mapped tensor may be misaligned for its data type. Throws
/// ModelError if the tensor is missing, is not one-dimensional or has another type.
torch::Tensor copy_tensor(const SafetensorsFile& content, const char* name, torch::ScalarType type,
                          const std::filesystem::path& file) {
  const auto found = content.tensors.find(name);
  if (found != content.tensors.end() && found->second.dim() == 1 &&
      found->second.scalar_type() == type)
    return found->second.clone();
  throw ModelError(
      file.string(),
      "is not a shortlist: tensor '" + std::string(name) + "' is missing or has the wrong type",
      "Create one with tfm shortlist.");
}

}  // namespace

Shortlist::Shortlist(std::vector<TokenIds> of_source, TokenIds always)
    : of_source_(std::move(of_source)), always_(std::move(always)) {}

TokenIds Shortlist::allowed_tokens(std::span<const TokenIds> sources) const {
  TokenIds source_tokens;
  for (const TokenIds& source : sources)
    source_tokens.insert(source_tokens.end(), source.begin(), source.end());
  sort_unique(source_tokens);
  TokenIds tokens = always_;
  for (const TokenId source : source_tokens) {
    const auto& list = of_source_.at(static_cast<std::size_t>(source));
    tokens.insert(tokens.end(), list.begin(), list.end());
  }
  sort_unique(tokens);
  return tokens;
}

void Shortlist::write(const std::filesystem::path& file, const TokenizerPair& tokenizers) const {
  std::vector<std::int64_t> offsets{0};
  TokenIds tokens;
  for (const TokenIds& list : of_source_) {
    tokens.insert(tokens.end(), list.begin(), list.end());
    offsets.push_back(std::ssize(tokens));
  }
  write_safetensors(file,
                    {{"offsets", torch::tensor(offsets, torch::kInt64)},
                     {"tokens", torch::tensor(tokens, torch::kInt32)},
                     {"always", torch::tensor(always_, torch::kInt32)}},
                    make_metadata(tokenizers));
}

Shortlist Shortlist::read(const std::filesystem::path& file, const TokenizerPair& tokenizers) {
  const auto content = read_safetensors(file);
  if (content.metadata != make_metadata(tokenizers)) {
    throw ModelError(file.string(), "is not a shortlist for this model's vocabularies",
                     "Create it again with tfm shortlist.");
  }
  const auto offsets = copy_tensor(content, "offsets", torch::kInt64, file);
  const auto tokens = copy_tensor(content, "tokens", torch::kInt32, file);
  const auto always = copy_tensor(content, "always", torch::kInt32, file);
  if (offsets.numel() != tokenizers.source->size() + 1) {
    throw ModelError(file.string(),
                     "has " + std::to_string(offsets.numel() - 1) +
                         " source tokens, but the model's vocabulary has " +
                         std::to_string(tokenizers.source->size()),
                     "Create it again with tfm shortlist.");
  }
  const auto* ends = offsets.const_data_ptr<std::int64_t>();
  if (ends[0] != 0 || !std::is_sorted(ends, ends + offsets.numel()) ||
      ends[offsets.numel() - 1] != tokens.numel()) {
    throw ModelError(file.string(), "has offsets that do not fit its tokens",
                     "Create it again with tfm shortlist.");
  }
  const auto vocab_size = tokenizers.target->size();
  std::vector<TokenIds> of_source;
  for (std::int64_t i = 0; i + 1 < offsets.numel(); ++i)
    of_source.push_back(read_ids(tokens, ends[i], ends[i + 1], vocab_size, file));
  return {std::move(of_source), read_ids(always, 0, always.numel(), vocab_size, file)};
}

Shortlist learn_shortlist(const Corpus& corpus, const TokenizerPair& tokenizers,
                          const ShortlistLimits& size) {
  const auto source_size = tokenizers.source->size();
  const LexicalTable lexicon(evenly_spread(corpus.examples), source_size);
  const auto same = same_pieces(tokenizers);
  std::vector<TokenIds> of_source;
  for (TokenId source = 0; source < source_size; ++source) {
    auto list = lexicon.best(source, size.per_token);
    // Translations often copy names and numbers from the source.
    if (const auto id = same[static_cast<std::size_t>(source)]; id >= 0) list.push_back(id);
    sort_unique(list);
    of_source.push_back(std::move(list));
  }
  auto always = most_frequent(corpus, tokenizers.target->size(), size.frequent);
  const auto special = special_token_ids(tokenizers.target->special());
  always.insert(always.end(), special.begin(), special.end());
  sort_unique(always);
  return {std::move(of_source), std::move(always)};
}

double coverage(const Shortlist& shortlist, const Corpus& corpus) {
  std::int64_t tokens = 0;
  std::int64_t covered = 0;
  for (const Example& example : evenly_spread(corpus.examples)) {
    const auto list = shortlist.allowed_tokens({&example.source, 1});
    tokens += std::ssize(example.target);
    covered += std::ranges::count_if(
        example.target, [&list](TokenId token) { return std::ranges::binary_search(list, token); });
  }
  return tokens > 0 ? static_cast<double>(covered) / static_cast<double>(tokens) : 1;
}

std::optional<std::filesystem::path> shortlist_path(const std::filesystem::path& model,
                                                    const DecodingConfig& decoding) {
  if (decoding.shortlist == "none") return std::nullopt;
  const auto description = description_folder(model);
  auto file = decoding.shortlist == "auto" ? description / shortlist_file
                                           : std::filesystem::path(decoding.shortlist);
  if (std::filesystem::exists(file)) return file;
  throw ModelError(file.string(), "this shortlist does not exist",
                   "It is decoding.shortlist of " + (description / config_file).string() +
                       ", or --shortlist. Create one from the training data: tfm shortlist -m " +
                       description.string() + ".");
}

std::optional<Shortlist> load_shortlist(const std::filesystem::path& model,
                                        const TokenizerPair& tokenizers,
                                        const DecodingConfig& decoding) {
  const auto file = shortlist_path(model, decoding);
  return file ? std::optional(Shortlist::read(*file, tokenizers)) : std::nullopt;
}

}  // namespace tfm

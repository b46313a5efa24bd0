#include "marian_config.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <optional>
#include <regex>
#include <string_view>
#include <utility>
#include <vector>

#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/text/words.h"

namespace tfm {
namespace {

/// Reads options, and collects those that are not supported, so that one error reports all of them.
class MarianReader {
 public:
  explicit MarianReader(const YAML::Node& options) : options_(options) {}

  template <class Value>
  Value get(const char* option, Value otherwise) const {
    const YAML::Node node = options_[option];  // options_ is const, so no missing key is added
    return node && !node.IsNull() ? node.as<Value>() : std::move(otherwise);
  }

  void require(const char* option, const std::string& otherwise, const std::string& wanted) {
    if (const auto value = get(option, otherwise); value != wanted)
      refuse(option, "'" + value + "', not '" + wanted + "'");
  }

  void refuse_if_true(const char* option) {
    if (get(option, false)) refuse(option, "true");
  }

  void refuse(const std::string& option, const std::string& why) {
    problems_ += "\n  " + option + ": " + why;
  }
  const std::string& problems() const { return problems_; }

 private:
  const YAML::Node options_;
  std::string problems_;
};

/// Writes options as YAML.
class MarianWriter {
 public:
  MarianWriter() { yaml_ << YAML::BeginMap; }

  template <class Value>
  void put(const char* option, const Value& value) {
    yaml_ << YAML::Key << option << YAML::Value << value;
  }

  std::string yaml() {
    yaml_ << YAML::EndMap;
    return yaml_.c_str() + std::string("\n");
  }

 private:
  YAML::Emitter yaml_;
};

/// Removes dropout ("d") from Marian's letters for the operations around a block, because dropout
/// does not affect translation.
std::string without_dropout(std::string operations) {
  std::erase(operations, 'd');
  return operations;
}

/// Parses "v1.10.24 ..." as (1, 10). Returns nullopt if the text does not start with a version
/// number.
std::optional<std::pair<int, int>> parse_release(const std::string& version) {
  static const std::regex form("^v?([0-9]{1,4})\\.([0-9]{1,4})");
  std::smatch found;
  if (!std::regex_search(version, found, form)) return std::nullopt;
  return std::pair(std::stoi(found[1]), std::stoi(found[2]));
}

/// Checks that a pre-norm model normalises the keys and values of self-attention. Before version
/// 1.10, Marian normalised only the queries (marian-dev, issue 699). If the version is unknown, a
/// final norm shows that it is at least 1.10, which introduced final norms.
void check_normalized_keys(MarianReader& reader, bool has_top_norm) {
  constexpr std::pair first_fixed{1, 10};
  const auto version = reader.get<std::string>("version", "");
  const auto release = parse_release(version);
  if (release ? *release >= first_fixed : has_top_norm) return;
  reader.refuse("version",
                (release ? version : std::string("unknown")) +
                    "; before 1.10, pre-norm did not normalise keys and values of self-attention");
}

void read_norms(MarianReader& reader, ModelConfig& model) {
  const auto before = without_dropout(reader.get<std::string>("transformer-preprocess", ""));
  const auto after = without_dropout(reader.get<std::string>("transformer-postprocess", "dan"));
  const auto top = without_dropout(reader.get<std::string>("transformer-postprocess-top", ""));
  const bool post = before.empty() && after == "an";
  const bool pre = before == "n" && after == "a";
  if (!post && !pre) {
    reader.refuse("transformer-preprocess, transformer-postprocess",
                  "'" + before + "' and '" + after + "', not '' and 'an', or 'n' and 'a'");
  }
  if (pre) check_normalized_keys(reader, top == "n");
  if (!top.empty() && top != "n") reader.refuse("transformer-postprocess-top", top);
  if (!without_dropout(reader.get<std::string>("transformer-postprocess-emb", "d")).empty())
    reader.refuse("transformer-postprocess-emb", "a norm");
  model.norm_order = pre ? NormOrder::pre : NormOrder::post;
  model.final_norm = top == "n" ? FinalNorm::always : FinalNorm::never;
  model.norm_epsilon = 1e-6;
}

/// Reads the number of tokens per side, which must agree with the shapes of the tensors.
void read_sizes(MarianReader& reader, MarianConfig& config) {
  const auto sizes = reader.get<std::vector<std::int64_t>>("dim-vocabs", {});
  if (sizes.size() != 2)
    return reader.refuse("dim-vocabs", std::to_string(sizes.size()) + " vocabularies, not 2");
  if (std::ranges::min(sizes) < 1)
    return reader.refuse("dim-vocabs", "a vocabulary without tokens");
  config.source_size = sizes[0];
  config.target_size = sizes[1];
}

void read_feed_forward(MarianReader& reader, ModelConfig& model) {
  model.transformer_ff = reader.get<std::int64_t>("transformer-dim-ffn", 2048);
  const auto of_decoder = reader.get<std::int64_t>("transformer-decoder-dim-ffn", 0);
  if (of_decoder != 0 && of_decoder != model.transformer_ff)
    reader.refuse("transformer-decoder-dim-ffn", "differs from transformer-dim-ffn");
  for (const char* option : {"transformer-ffn-depth", "transformer-decoder-ffn-depth"}) {
    const auto depth = reader.get<std::int64_t>(option, 2);
    if (depth != 2 && depth != 0) reader.refuse(option, std::to_string(depth) + ", not 2");
  }
  const auto activation = reader.get<std::string>("transformer-ffn-activation", "swish");
  model.activation = activation == "relu" ? Activation::relu : Activation::silu;
  if (activation != "relu" && activation != "swish")
    reader.refuse("transformer-ffn-activation", activation + ", not relu or swish");
}

MarianConfig translate(MarianReader& reader) {
  MarianConfig result;
  reader.require("type", "amun", "transformer");
  reader.require("transformer-decoder-autoreg", "self-attention", "self-attention");
  for (const char* option :
       {"transformer-no-projection", "transformer-no-bias", "transformer-no-affine",
        "transformer-disable-position-embeddings", "ulr", "right-left"}) {
    reader.refuse_if_true(option);
  }
  if (!reader.get<std::vector<std::int64_t>>("transformer-tied-layers", {}).empty())
    reader.refuse("transformer-tied-layers", "layers share weights");
  if (reader.get<std::int64_t>("lemma-dim-emb", 0) != 0)
    reader.refuse("lemma-dim-emb", "factored vocabularies");
  result.model.encoder_layers = reader.get<std::int64_t>("enc-depth", 6);
  result.model.decoder_layers = reader.get<std::int64_t>("dec-depth", 6);
  result.model.hidden_size = reader.get<std::int64_t>("dim-emb", 512);
  result.model.heads = reader.get<std::int64_t>("transformer-heads", 8);
  if (const auto heads = reader.get<std::int64_t>("transformer-decoder-heads", 0);
      heads != 0 && heads != result.model.heads) {
    reader.refuse("transformer-decoder-heads", "differs from transformer-heads");
  }
  read_norms(reader, result.model);
  read_feed_forward(reader, result.model);
  read_sizes(reader, result);
  return result;
}

/// Returns whether an option has a value that switches off what it stands for.
bool is_off(const YAML::Node& value) {
  if (value.IsNull() || (value.IsSequence() && value.size() == 0)) return true;
  if (!value.IsScalar()) return false;
  return value.Scalar().empty() || value.as<double>(1) == 0 || !value.as<bool>(true);
}

/// The options of Marian's decoder that are read, and those about speed, logs and output.
constexpr std::string_view harmless_options =
    "relative-paths models vocabs beam-size normalize max-length-factor "
    "mini-batch mini-batch-words maxi-batch maxi-batch-sort workspace devices num-devices "
    "cpu-threads data-threads precision fp16 gemm-precision gemm-type optimize skip-cost "
    "quiet quiet-translation log log-level log-time-zone stat-freq version seed "
    "input output tsv alignment n-best word-scores";

/// Returns the names of the other options that are on.
std::vector<std::string> list_unused(const YAML::Node& options) {
  const auto harmless = split_words(harmless_options);
  std::vector<std::string> unused;
  for (const auto& option : options) {
    auto name = option.first.as<std::string>();
    const bool is_harmless = std::ranges::find(harmless, name) != harmless.end();
    if (!is_harmless && !is_off(option.second)) unused.push_back(std::move(name));
  }
  return unused;
}

/// Returns the files that an option names. Marian's trainer writes the paths of the machine that it
/// runs on, so a file that is not there is expected beside the options.
std::vector<std::filesystem::path> named_files(const MarianReader& reader, const char* option,
                                               const std::filesystem::path& folder) {
  const bool is_relative = reader.get("relative-paths", false);
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path named : reader.get<std::vector<std::string>>(option, {})) {
    auto file = is_relative ? folder / named : named;
    const bool is_there = std::filesystem::is_regular_file(file);
    files.push_back(is_there ? std::move(file) : folder / named.filename());
  }
  return files;
}

MarianDecoderConfig read_decoder(const YAML::Node& options, const std::filesystem::path& folder) {
  const MarianReader reader(options);
  MarianDecoderConfig result{.models = named_files(reader, "models", folder),
                             .vocabularies = named_files(reader, "vocabs", folder),
                             .decoding = {},
                             .unused = list_unused(options)};
  auto& decoding = result.decoding;
  decoding.beam_size = reader.get("beam-size", decoding.beam_size);
  decoding.length_penalty = reader.get("normalize", decoding.length_penalty);
  decoding.max_length_factor = reader.get("max-length-factor", decoding.max_length_factor);
  return result;
}

}  // namespace

MarianConfig parse_marian_config(const std::string& yaml, const std::filesystem::path& origin) {
  try {
    const auto options = YAML::Load(yaml);
    if (!options.IsMap())
      throw ModelError(origin.string(), "its special:model.yml is not a YAML map");
    MarianReader reader(options);
    const auto result = translate(reader);
    if (reader.problems().empty()) return result;
    throw ModelError(origin.string(),
                     "was trained with options that tfm does not support:" + reader.problems(),
                     "Such a model cannot be imported.");
  } catch (const YAML::Exception& error) {
    throw ModelError(origin.string(), "its special:model.yml cannot be parsed: " + error.msg);
  }
}

std::string write_marian_config(const MarianConfig& config) {
  const auto& model = config.model;
  const bool is_pre = model.norm_order == NormOrder::pre;
  const bool has_learned_positions = model.positions == Positions::learned;
  MarianWriter options;
  options.put("version", "v1.12.0");  // the first with all of these options
  options.put("type", "transformer");
  options.put("dim-emb", model.hidden_size);
  options.put("dim-vocabs", std::vector{config.source_size, config.target_size});
  options.put("enc-depth", model.encoder_layers);
  options.put("dec-depth", model.decoder_layers);
  options.put("transformer-heads", model.heads);
  options.put("transformer-dim-ffn", model.transformer_ff);
  options.put("transformer-ffn-depth", 2);
  options.put("transformer-ffn-activation",
              model.activation == Activation::relu ? "relu" : "swish");
  options.put("transformer-preprocess", is_pre ? "n" : "");
  options.put("transformer-postprocess", is_pre ? "da" : "dan");
  options.put("transformer-postprocess-top", model.has_final_norm() ? "n" : "");
  options.put("transformer-postprocess-emb", "d");
  options.put("transformer-decoder-autoreg", "self-attention");
  options.put("transformer-train-position-embeddings", has_learned_positions);
  if (has_learned_positions) options.put("max-length", model.max_positions);
  options.put("tied-embeddings-all", model.tied_embeddings == TiedEmbeddings::all);
  options.put("tied-embeddings", model.tied_embeddings == TiedEmbeddings::decoder);
  options.put("tied-embeddings-src", false);
  return options.yaml();
}

MarianDecoderConfig read_decoder_config(const std::filesystem::path& file) {
  const auto text = read_file(file);
  try {
    const auto options = YAML::Load(text);
    if (!options.IsMap()) throw ModelError(file.string(), "is not a YAML map", "Use another copy.");
    return read_decoder(options, file.parent_path());
  } catch (const YAML::Exception& error) {
    throw ModelError(file.string() + ":" + std::to_string(error.mark.line + 1),
                     "cannot be read: " + error.msg, "Correct it, or name Marian's .npz file.");
  }
}

std::string write_decoder_config(const DecodingConfig& decoding,
                                 const std::vector<std::string>& vocabularies) {
  MarianWriter options;
  options.put("relative-paths", true);
  options.put("models", std::vector<std::string>{"model.npz"});
  options.put("vocabs", vocabularies);
  options.put("beam-size", decoding.beam_size);
  options.put("normalize", fmt::format("{}", decoding.length_penalty));
  options.put("max-length-factor", fmt::format("{}", decoding.max_length_factor));
  return options.yaml();
}

}  // namespace tfm

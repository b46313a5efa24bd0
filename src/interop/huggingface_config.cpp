#include "huggingface_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "json_file.h"
#include "tfm/config/fields.h"
#include "tfm/config/validate.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using nlohmann::json;

/// Reads fields, and collects those that are not supported, so that one error reports all of them.
class HuggingFaceReader {
 public:
  HuggingFaceReader(std::filesystem::path file, json document)
      : file_(std::move(file)), document_(std::move(document)) {}

  /// Throws ModelError if the field has another type.
  template <class Value>
  Value get(const char* field, Value otherwise) const {
    const auto found = document_.find(field);
    if (found == document_.end() || found->is_null()) return otherwise;
    try {
      return found->get<Value>();
    } catch (const json::exception&) {
      throw ModelError(file_.string(),
                       fmt::format("has a field of an unexpected type: '{}' is of type {}", field,
                                   found->type_name()));
    }
  }

  void refuse(const std::string& field, const std::string& why) {
    problems_ += "\n  " + field + ": " + why;
  }

  void refuse_if_true(const char* field) {
    if (get(field, false)) refuse(field, "true");
  }

  /// Returns the common value of a field of the encoder and one of the decoder, which must agree
  /// because tfm has one field for both stacks.
  std::int64_t common(const char* encoder, const char* decoder) {
    const auto value = get<std::int64_t>(encoder, 0);
    if (get<std::int64_t>(decoder, 0) != value)
      refuse(std::string(encoder) + ", " + decoder, "they differ");
    return value;
  }

  const std::string& problems() const { return problems_; }

 private:
  std::filesystem::path file_;
  json document_;
  std::string problems_;
};

Activation read_activation(HuggingFaceReader& reader) {
  const auto& known = huggingface_activations();
  const auto name = reader.get<std::string>("activation_function", "gelu");
  const auto found = known.find(name);
  if (found != known.end()) return found->second;
  reader.refuse("activation_function", name);
  return Activation::relu;
}

void read_model(HuggingFaceReader& reader, ModelConfig& model) {
  model.encoder_layers = reader.get<std::int64_t>("encoder_layers", 12);
  model.decoder_layers = reader.get<std::int64_t>("decoder_layers", 12);
  model.hidden_size = reader.get<std::int64_t>("d_model", 1024);
  model.heads = reader.common("encoder_attention_heads", "decoder_attention_heads");
  model.transformer_ff = reader.common("encoder_ffn_dim", "decoder_ffn_dim");
  model.activation = read_activation(reader);
  model.embedding_scale = reader.get("scale_embedding", false);
  model.norm_epsilon = 1e-5;
  constexpr double most = 0.95;
  model.dropout = std::clamp(reader.get("dropout", 0.1), 0.0, most);
  model.attention_dropout = std::clamp(reader.get("attention_dropout", 0.0), 0.0, most);
  model.activation_dropout = std::clamp(reader.get("activation_dropout", 0.0), 0.0, most);
}

/// Reads the search options, which older models store in config.json instead of
/// generation_config.json.
void read_search(const HuggingFaceReader& generation, HuggingFaceConfig& result) {
  auto& decoding = result.config.decoding;
  constexpr std::int64_t longest = 512;
  constexpr std::int64_t widest = 64;
  constexpr std::int64_t largest_ngram = 1024;
  constexpr double largest_penalty = 10;
  // The lengths of Transformers include the start token, the tag of the target language and, if
  // they are a maximum, the end-of-sentence token.
  const std::int64_t begin = result.multilingual ? 2 : 1;
  decoding.max_length =
      std::clamp<std::int64_t>(generation.get("max_length", longest) - begin - 1, 1,
                               std::max<std::int64_t>(1, result.config.data.max_length));
  decoding.min_length = std::clamp<std::int64_t>(
      generation.get("min_length", decoding.min_length + begin) - begin, 0, decoding.max_length);
  decoding.beam_size =
      std::clamp<std::int64_t>(generation.get<std::int64_t>("num_beams", 4), 1, widest);
  decoding.length_penalty =
      std::clamp(generation.get("length_penalty", decoding.length_penalty), 0.0, largest_penalty);
  decoding.no_repeat_ngram_size = std::clamp<std::int64_t>(
      generation.get("no_repeat_ngram_size", decoding.no_repeat_ngram_size), 0, largest_ngram);
  result.forced_target = generation.get<std::int64_t>("forced_bos_token_id", -1);
}

/// Returns the code of a language, or nothing for a name that is not one, such as ROMANCE, a group
/// of languages of OPUS-MT.
std::string read_language(const HuggingFaceReader& tokenizer, const char* field) {
  auto code = tokenizer.get<std::string>(field, "");
  std::ranges::replace(code, '_', '-');
  return is_language_code(code) ? code : "";
}

/// Reads the languages and the length of a sentence. A model without a limit states 10^30.
void read_tokenizer(const HuggingFaceReader& tokenizer, DataConfig& data) {
  data.source_language = read_language(tokenizer, "source_lang");
  data.target_language = read_language(tokenizer, "target_lang");
  const double shortest = field_of(&Config::data, &DataConfig::max_length).range.low;
  const double longest = std::max(shortest, static_cast<double>(data.max_length));
  data.max_length = static_cast<std::int64_t>(
      std::clamp(tokenizer.get("model_max_length", longest), shortest, longest));
}

json read_object(const std::filesystem::path& file) {
  auto document = json::parse(read_file(file), nullptr, /*allow_exceptions=*/false);
  if (!document.is_object())
    throw ModelError(file.string(), "is not a JSON object",
                     "Give the folder that save_pretrained wrote.");
  return document;
}

/// Checks the type of the model and reads what depends on it.
void read_type(HuggingFaceReader& reader, HuggingFaceConfig& result) {
  const auto type = reader.get<std::string>("model_type", "none");
  if (type != "marian" && type != "pegasus" && type != "m2m_100")
    reader.refuse("model_type", type + ", not marian, pegasus or m2m_100");
  reader.refuse_if_true("normalize_embedding");
  result.multilingual = type == "m2m_100";
  auto& model = result.config.model;
  if (result.multilingual) {
    model.positions = Positions::sinusoidal_halves;
    model.first_position = reader.get<std::int64_t>("pad_token_id", 1) + 1;
  }
  if (result.multilingual || type == "pegasus") {
    model.norm_order = NormOrder::pre;
    return;
  }
  for (const char* field : {"normalize_before", "add_final_layer_norm"})
    reader.refuse_if_true(field);
}

/// Checks that the sizes are possible, that ids are in the vocabulary, and that sides with one
/// matrix have one size.
void check_vocabulary(HuggingFaceReader& reader, const HuggingFaceConfig& result) {
  const Range sizes = field_of(&Config::tokenizer, &TokenizerConfig::vocab_size).range;
  for (const auto& [field, size] :
       {std::pair{"vocab_size", result.source_size}, {"decoder_vocab_size", result.target_size}}) {
    const auto value = static_cast<double>(size);
    if (value < sizes.low || value > sizes.high) reader.refuse(field, std::to_string(size));
  }
  for (const auto& [field, id] : {std::pair{"pad_token_id", result.pad},
                                  {"eos_token_id", result.eos},
                                  {"decoder_start_token_id", result.start}}) {
    if (id < 0 || id >= result.target_size)
      reader.refuse(field, std::to_string(id) + " is outside the vocabulary");
  }
  if (result.shared && result.source_size != result.target_size)
    reader.refuse("decoder_vocab_size", "differs from vocab_size, but embeddings are shared");
}

HuggingFaceConfig translate(HuggingFaceReader& reader) {
  HuggingFaceConfig result;
  read_type(reader, result);
  read_model(reader, result.config.model);
  result.config.data.max_length = reader.get<std::int64_t>("max_position_embeddings", 1024);
  result.source_size = reader.get<std::int64_t>("vocab_size", 58101);
  result.target_size = reader.get<std::int64_t>("decoder_vocab_size", result.source_size);
  result.pad = reader.get<std::int64_t>("pad_token_id", result.source_size - 1);
  result.eos = reader.get<std::int64_t>("eos_token_id", 0);
  result.start = reader.get<std::int64_t>("decoder_start_token_id", result.pad);
  result.shared = reader.get("share_encoder_decoder_embeddings", true);
  result.tied = reader.get("tie_word_embeddings", true);
  check_vocabulary(reader, result);
  return result;
}

}  // namespace

const std::map<std::string, Activation>& huggingface_activations() {
  static const std::map<std::string, Activation> names{{"relu", Activation::relu},
                                                       {"gelu", Activation::gelu},
                                                       {"swish", Activation::silu},
                                                       {"silu", Activation::silu}};
  return names;
}

HuggingFaceConfig read_huggingface_config(const std::filesystem::path& folder) {
  const auto file = folder / "config.json";
  const auto generation = folder / "generation_config.json";
  const auto tokenizer = folder / "tokenizer_config.json";
  HuggingFaceReader reader(file, read_object(file));
  auto result = translate(reader);
  const bool search_apart = std::filesystem::exists(generation);
  read_search(search_apart ? HuggingFaceReader(generation, read_object(generation)) : reader,
              result);
  read_tokenizer({tokenizer, read_optional_object(tokenizer)}, result.config.data);
  if (reader.problems().empty()) return result;
  throw ModelError(file.string(), "has fields that tfm does not support:" + reader.problems(),
                   "Only standard MarianMT, M2M-100 and NLLB-200 models, and those that tfm "
                   "exported, can be imported.");
}

}  // namespace tfm

#include "tfm/config/validate.h"

#include <algorithm>
#include <array>
#include <regex>
#include <set>
#include <utility>

namespace tfm {
namespace {

using Violations = std::vector<std::string>;

std::string number(std::int64_t value) { return std::to_string(value); }

void check_model(const ModelConfig& model, Violations& found) {
  if (model.head_size == 0 && model.hidden_size % model.heads != 0) {
    found.push_back("model.hidden_size, model.heads: " + number(model.hidden_size) +
                    " is not a multiple of " + number(model.heads) +
                    " heads; change one of them, or set model.head_size");
  }
  if (model.cross_attention == CrossAttention::layerwise &&
      model.encoder_layers != model.decoder_layers) {
    found.push_back(
        "model.cross_attention, model.encoder_layers, model.decoder_layers: layerwise needs as "
        "many encoder as decoder layers, not " +
        number(model.encoder_layers) + " and " + number(model.decoder_layers) +
        "; make them equal, or set cross_attention to top");
  }
  if (model.positions == Positions::rotary && model.resolved_head_size() % 2 != 0) {
    found.push_back(
        "model.head_size, model.positions: rotary positions need an even head size, not " +
        number(model.resolved_head_size()) + "; change hidden_size, heads or head_size");
  }
  const bool halves = model.positions == Positions::sinusoidal_halves;
  const bool sines =
      halves || model.positions == Positions::sinusoidal || model.positions == Positions::by_token;
  if (halves && model.hidden_size < 4) {
    found.push_back(
        "model.hidden_size, model.positions: sinusoidal_halves needs two frequencies at least; "
        "make it 4 or more, or use sinusoidal");
  }
  if (sines && model.hidden_size % 2 != 0) {
    found.push_back(
        "model.hidden_size, model.positions: sinusoidal positions need an even size, not " +
        number(model.hidden_size) + "; make it even, or use learned positions");
  }
}

void check_positions(const Config& config, Violations& found) {
  if (config.model.positions == Positions::learned &&
      config.data.max_length > config.model.max_positions) {
    found.push_back("data.max_length, model.max_positions: " + number(config.data.max_length) +
                    " tokens do not fit into " + number(config.model.max_positions) +
                    " learned positions; lower data.max_length or raise model.max_positions");
  }
}

void check_data(const DataConfig& data, Violations& found) {
  if (data.fixed_length == 1 || data.fixed_length > data.max_length) {
    found.push_back("data.fixed_length, data.max_length: sentences of " +
                    number(data.fixed_length) + " tokens are not possible here; give 2 to " +
                    number(data.max_length) + ", or 0");
  }
  if (!data.valid_alignment.empty() && data.valid_source.empty() && data.valid_tsv.empty()) {
    found.push_back(
        "data.valid_alignment, data.valid_source: the alignments have no validation text; name it, "
        "or leave them out");
  }
}

void check_valid_sets(const DataConfig& data, Violations& found) {
  static const std::regex form("([A-Za-z0-9_.-]+)=[^,]+(,[^,]+)?");
  std::set<std::string> names;
  for (const std::string& set : data.valid_sets) {
    std::smatch parts;
    if (!std::regex_match(set, parts, form)) {
      found.push_back(
          "data.valid_sets: '" + set +
          "' is not NAME=SOURCE,TARGET nor NAME=TSV; a name has letters, digits, '_', '.', '-'");
    } else if (!names.insert(parts[1]).second) {
      found.push_back("data.valid_sets: two sets are named '" + parts[1].str() +
                      "'; make their names differ");
    }
  }
  if (!data.valid_sets.empty() && data.valid_source.empty() && data.valid_tsv.empty()) {
    found.push_back(
        "data.valid_sets, data.valid_source: these are further sets, and the first, which decides, "
        "is missing; name it in valid_source");
  }
}

void check_vocabularies(const Config& config, Violations& found) {
  const TokenizerConfig& tokenizer = config.tokenizer;
  const bool source = !tokenizer.source_vocab.empty();
  const bool target = !tokenizer.target_vocab.empty();
  if (config.model.tied_embeddings == TiedEmbeddings::all && !tokenizer.joint) {
    found.push_back(
        "model.tied_embeddings, tokenizer.joint: source and target embeddings can only be one "
        "matrix over one vocabulary; set "
        "tokenizer.joint to true, or tied_embeddings to decoder");
  }
  // each side has a file of its own
  const bool of_pieces = tokenizer.kind == TokenizerKind::pieces;
  if (tokenizer.joint && !of_pieces && source && target &&
      tokenizer.source_vocab != tokenizer.target_vocab) {
    found.push_back(
        "tokenizer.source_vocab, tokenizer.target_vocab, tokenizer.joint: a joint vocabulary is "
        "one file, these are two; name the same "
        "file twice, or set tokenizer.joint to false");
  }
  if (source != target && !(source && tokenizer.joint && !of_pieces)) {
    found.push_back(
        "tokenizer.source_vocab, tokenizer.target_vocab: only one of them is given; give both or "
        "neither");
  }
}

void check_subword_regularization(const Config& config, Violations& found) {
  const TokenizerConfig& tokenizer = config.tokenizer;
  const auto require = [&](const char* key, SubwordAlgorithm algorithm, const char* name,
                           const char* other) {
    if (tokenizer.kind == TokenizerKind::sentencepiece && tokenizer.algorithm == algorithm) return;
    const bool words = tokenizer.kind == TokenizerKind::word;
    if (tokenizer.kind == TokenizerKind::pieces) {
      found.push_back(std::string(key) +
                      ", tokenizer.kind: pieces are divided in one way only; set it to 0");
      return;
    }
    found.push_back(
        std::string(key) +
        ", tokenizer.kind, tokenizer.algorithm: it divides words into the subwords of " + name +
        (words ? ", and there are none; set it to 0"
               : std::string("; set it to 0, use ") + other + ", or set the algorithm to " + name));
  };
  if (config.data.bpe_dropout > 0)
    require("data.bpe_dropout", SubwordAlgorithm::bpe, "bpe", "data.unigram_alpha");
  if (config.data.unigram_alpha > 0)
    require("data.unigram_alpha", SubwordAlgorithm::unigram, "unigram", "data.bpe_dropout");
  if (config.data.bidirectional && !tokenizer.joint) {
    found.push_back(
        "data.bidirectional, tokenizer.joint: one model for both directions needs one vocabulary; "
        "set tokenizer.joint to true");
  }
}

void check_regularisers(const Config& config, Violations& found) {
  const TrainingConfig& training = config.training;
  const ModelConfig& model = config.model;
  if (training.r_drop > 0 && training.simcut > 0) {
    found.push_back(
        "training.r_drop, training.simcut: each predicts a batch twice in its own way; set one of "
        "them to 0");
  }
  if (training.simcut > 0 && training.cut_probability == 0) {
    found.push_back(
        "training.simcut, training.cut_probability: nothing would be cut; set cut_probability "
        "above 0 (0.05), or simcut to 0");
  }
  const bool random = model.dropout > 0 || model.resolved_embedding_dropout() > 0 ||
                      model.attention_dropout > 0 || model.activation_dropout > 0 ||
                      training.token_dropout > 0;
  if (training.r_drop > 0 && !random) {
    found.push_back(
        "training.r_drop, model.dropout: without dropout both predictions are the same; set "
        "dropout above 0, or r_drop to 0");
  }
  if (training.ema_decay > 0 && training.average_checkpoints > 0) {
    found.push_back(
        "training.ema_decay, training.average_checkpoints: both average the last updates' weights; "
        "set one of them to 0");
  }
}

void check_special_tokens(const TokenizerConfig& tokenizer, Violations& found) {
  const std::array<std::pair<std::string, std::string>, 4> tokens = {
      {{"tokenizer.pad_token", tokenizer.pad_token},
       {"tokenizer.bos_token", tokenizer.bos_token},
       {"tokenizer.eos_token", tokenizer.eos_token},
       {"tokenizer.unk_token", tokenizer.unk_token}}};
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto& [key, token] = tokens[i];
    // a closed vocabulary has none
    if (token.empty() && key == "tokenizer.unk_token" && tokenizer.kind == TokenizerKind::word)
      continue;
    if (token.empty() || token.find_first_of(" \t\r\n") != std::string::npos) {
      found.push_back(key + ": '" + token + "' is no token; give one word without whitespace");
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (tokens[j].second == token)
        found.push_back(tokens[j].first + ", " + key + ": both are '" + token +
                        "'; make them differ");
    }
  }
}

struct TextFiles {
  std::string name;  // "data.train"
  const std::string& source;
  const std::string& target;
  const std::string& tsv;
};

void check_text_files(const TextFiles& files, Violations& found) {
  const std::string source = files.name + "_source";
  const std::string target = files.name + "_target";
  const std::string tsv = files.name + "_tsv";
  if (files.source.empty() != files.target.empty()) {
    found.push_back(source + ", " + target + ": " + (files.source.empty() ? source : target) +
                    " is missing; give both or neither");
  }
  if (!files.tsv.empty() && !(files.source.empty() && files.target.empty())) {
    found.push_back(tsv + ", " + source + ", " + target +
                    ": the text is given twice; keep either " + tsv + " or the two files");
  }
}

void check_schedule(const TrainingConfig& training, Violations& found) {
  if (training.schedule == ScheduleKind::inverse_sqrt && training.warmup_steps == 0) {
    found.push_back(
        "training.warmup_steps, training.schedule: inverse_sqrt is scaled by its warmup; give at "
        "least 1 step");
  }
  if (training.schedule == ScheduleKind::cosine && training.decay_steps == 0 &&
      training.max_steps == 0) {
    found.push_back(
        "training.decay_steps, training.max_steps, training.schedule: nothing says when cosine "
        "ends; set one of the two above 0");
  }
  const std::int64_t cosine_end =
      training.decay_steps > 0 ? training.decay_steps : training.max_steps;
  if (training.schedule == ScheduleKind::cosine && cosine_end > 0 &&
      cosine_end <= training.warmup_steps) {
    const std::string key =
        training.decay_steps > 0 ? "training.decay_steps" : "training.max_steps";
    found.push_back(key +
                    ", training.warmup_steps, training.schedule: the cosine would end at step " +
                    number(cosine_end) + ", before the warmup does; raise it above " +
                    number(training.warmup_steps));
  }
  const bool falls =
      training.schedule == ScheduleKind::cosine || training.schedule == ScheduleKind::sgdr;
  if (falls && training.min_learning_rate > training.learning_rate) {
    found.push_back(
        "training.min_learning_rate, training.learning_rate: the schedule would rise to its "
        "minimum; lower min_learning_rate");
  }
}

void check_run(const Config& config, Violations& found) {
  const TrainingConfig& training = config.training;
  static const std::regex device("auto|cpu|cuda(:[0-9]{1,3})?");
  if (!std::regex_match(training.device, device)) {
    found.push_back("training.device: '" + training.device +
                    "' is no device; use auto, cpu, cuda or cuda:N");
  }
  if (training.max_steps == 0 && training.max_epochs == 0 && training.max_minutes == 0) {
    found.push_back(
        "training.max_steps, training.max_epochs, training.max_minutes: training would never end; "
        "set one of them above 0");
  }
  if (training.max_steps == TrainingConfig::automatic_steps && training.max_minutes == 0) {
    found.push_back(
        "training.max_steps, training.max_minutes: auto takes as many steps as there is time for; "
        "set max_minutes above 0");
  }
  if (training.average_checkpoints > training.keep_checkpoints) {
    found.push_back("training.average_checkpoints, training.keep_checkpoints: only " +
                    number(training.keep_checkpoints) + " checkpoints are kept, " +
                    number(training.average_checkpoints) +
                    " can't be averaged; raise keep_checkpoints");
  }
  if (training.early_stopping > 0 && training.valid_steps == 0) {
    found.push_back(
        "training.early_stopping, training.valid_steps: early stopping counts validations, and "
        "there are none; set valid_steps above 0");
  }
  if (training.early_stopping > 0 && config.data.valid_source.empty() &&
      config.data.valid_tsv.empty()) {
    found.push_back(
        "training.early_stopping, data.valid_source: early stopping needs validation text; name "
        "it, or set early_stopping to 0");
  }
  static const std::regex head("auto|mean|[0-9]{1,9}(:[0-9]{1,9})?");
  if (!std::regex_match(config.decoding.alignment_head, head)) {
    found.push_back("decoding.alignment_head: '" + config.decoding.alignment_head +
                    "' is no choice of heads; use auto, mean, LAYER or LAYER:HEAD");
  }
}

void check_beam(const DecodingConfig& decoding, Violations& found) {
  if (decoding.n_best > decoding.beam_size && !decoding.sampling) {
    found.push_back("decoding.n_best, decoding.beam_size: a beam of " + number(decoding.beam_size) +
                    " does not hold " + number(decoding.n_best) +
                    " translations; raise beam_size or lower n_best");
  }
  if (decoding.beam_size % decoding.beam_groups != 0) {
    found.push_back("decoding.beam_groups, decoding.beam_size: a beam of " +
                    number(decoding.beam_size) + " is not divided by " +
                    number(decoding.beam_groups) +
                    " groups; make beam_size a multiple of beam_groups");
  }
  if (decoding.min_length > decoding.max_length) {
    found.push_back("decoding.min_length, decoding.max_length: no translation is as long as " +
                    number(decoding.min_length) + " and no longer than " +
                    number(decoding.max_length) + "; lower min_length or raise max_length");
  }
}

void check_unknown_words(const DecodingConfig& decoding, Violations& found) {
  if (decoding.unknown_dictionary.empty() || decoding.replace_unknown) return;
  found.push_back(
      "decoding.unknown_dictionary, decoding.replace_unknown: no unknown word is replaced; set "
      "replace_unknown to true, or name no dictionary");
}

void check_shortlist(const DecodingConfig& decoding, Violations& found) {
  if (decoding.shortlist == "none" || !decoding.reproducible) return;
  found.push_back(
      "decoding.shortlist, decoding.reproducible: what a shortlist offers a line depends on the "
      "lines translated with it; set shortlist to none or "
      "reproducible to false");
}

void check_sampling_options(const DecodingConfig& decoding, Violations& found) {
  const auto refuse = [&](const char* key, const char* reason) {
    found.push_back(std::string("decoding.") + key + ", decoding.sampling: " + reason);
  };
  if (!decoding.sampling) {
    constexpr const char* no_effect = "nothing is drawn, so it has no effect; set sampling to true";
    if (decoding.sampling_topk > 0) refuse("sampling_topk", no_effect);
    if (decoding.sampling_topp < 1) refuse("sampling_topp", no_effect);
    if (decoding.temperature != 1) refuse("temperature", no_effect);
    return;
  }
  if (decoding.beam_groups > 1)
    refuse("beam_groups", "sampling has no beam to divide; set one of them to its default");
  if (decoding.coverage_penalty > 0)
    refuse("coverage_penalty", "sampling compares no hypotheses; set one of them to its default");
  if (!decoding.forced_phrases.empty())
    refuse("forced_phrases",
           "only beam search can force phrases; set sampling to false or force none");
}

}  // namespace

std::vector<std::string> violations(const Config& config) {
  Violations found;
  check_model(config.model, found);
  check_positions(config, found);
  check_data(config.data, found);
  check_valid_sets(config.data, found);
  check_vocabularies(config, found);
  check_subword_regularization(config, found);
  check_regularisers(config, found);
  check_special_tokens(config.tokenizer, found);
  const DataConfig& data = config.data;
  check_text_files({"data.train", data.train_source, data.train_target, data.train_tsv}, found);
  check_text_files({"data.valid", data.valid_source, data.valid_target, data.valid_tsv}, found);
  check_schedule(config.training, found);
  check_run(config, found);
  check_beam(config.decoding, found);
  check_unknown_words(config.decoding, found);
  check_shortlist(config.decoding, found);
  check_sampling_options(config.decoding, found);
  return found;
}

}  // namespace tfm

// Provides a training run small enough for a unit test. Its data is an artificial language pair in
// which every word has one translation.
#pragma once

#include <random>
#include <string>

#include "temporary_folder.h"
#include "tfm/training/run.h"

namespace tfm {

inline std::string made_up_text(char first_letter, std::size_t lines) {
  // Both sides use the same seed, so line i of both has the same words, in two alphabets.
  std::mt19937 random(11);
  std::string text;
  for (std::size_t i = 0; i < lines; ++i) {
    for (auto words = 1 + random() % 5; words > 0; --words)
      text +=
          std::string(3, static_cast<char>(first_letter + random() % 8)) + (words > 1 ? " " : "");
    text += "\n";
  }
  return text;
}

/// Returns the config of a run with 40 sentence pairs, 10 of which are also the validation set. A
/// step takes milliseconds.
inline Config small_run(const TemporaryFolder& folder) {
  Config config;
  config.model.encoder_layers = config.model.decoder_layers = 1;
  config.model.hidden_size = 32;
  config.model.heads = 2;
  config.model.transformer_ff = 64;
  config.model.norm_order = NormOrder::pre;
  config.tokenizer.kind = TokenizerKind::word;
  config.tokenizer.joint = false;
  config.data.train_source = folder.write("train.src", made_up_text('a', 40));
  config.data.train_target = folder.write("train.tgt", made_up_text('m', 40));
  config.data.valid_source = folder.write("valid.src", made_up_text('a', 10));
  config.data.valid_target = folder.write("valid.tgt", made_up_text('m', 10));
  config.training.run_folder = folder.path("run");
  config.training.device = "cpu";
  config.training.threads = 1;
  // Tests compare weights of different runs closely, so bf16 would be too coarse.
  config.training.precision = Precision::fp32;
  config.training.batch_size = 60;
  config.training.learning_rate = 0.01;
  config.training.warmup_steps = 5;
  config.training.max_steps = 12;
  config.training.valid_steps = 4;
  config.training.log_every = 5;
  config.decoding.beam_size = 1;
  return config;
}

}  // namespace tfm

// Defines the arguments with which tfm trains a small model in seconds. The model has subwords and
// byte fallback. It translates badly but fast.
#pragma once

#include "program.h"

namespace tfm {

constexpr const char* train_small_translator =
    "train -q --config configs/demo.yaml model.hidden_size=16 model.heads=2 "
    "model.transformer_ff=32 model.encoder_layers=1 model.decoder_layers=1 "
    "tokenizer.vocab_size=700 tokenizer.byte_fallback=true data.max_length=64 "
    "training.run_folder=runs/small training.batch_size=1024 "
    "training.valid_sentences=4 training.max_minutes=0 training.max_epochs=0 "
    "training.warmup_steps=20 training.max_steps=60 "
    "training.average_checkpoints=0 "
    "decoding.beam_size=2 "
    "decoding.max_length=12";

}  // namespace tfm

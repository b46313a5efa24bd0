#include "section.h"

namespace tfm {
namespace {

constexpr Section<TrainingConfig> training("training", &Config::training);

std::vector<Field> run_fields() {
  return {
      training.text("run_folder", &TrainingConfig::run_folder, {},
                    "Folder that receives checkpoints, the finished model and its config. Empty: "
                    "runs/NAME of the config file NAME.yaml, or the first free of "
                    "runs/NAME-2, runs/NAME-3, ..."),
      training.text("init_from", &TrainingConfig::init_from, {},
                    "A model folder whose weights and vocabularies a new run begins with, in place "
                    "of random weights: fine-tuning. The config must "
                    "describe the same model and tokenizer. Empty: random weights."),
      training.integer("seed", &TrainingConfig::seed, {0, 4294967295.0}, {Effect::batch_content},
                       "Seed of every random draw: initial weights, dropout, order of the batches. "
                       "The same seed, threads and build give the same "
                       "run on the CPU; a GPU adds numbers up in varying order."),
      training.text("device", &TrainingConfig::device, {},
                    "Where to compute: cpu, cuda, cuda:N for GPU number N, or auto, a GPU where "
                    "there is one."),
      training.integer("threads", &TrainingConfig::threads, {0, 4096}, {},
                       "CPU threads of one operation. 0: all cores."),
      training.choice("precision", &TrainingConfig::precision, {},
                      "The numbers that matrix products are computed in while training. bf16: "
                      "weights, norms, sums and gradients of weights stay fp32 "
                      "(mixed precision, Micikevicius et al. 2018). auto: bf16 on a GPU, and on a "
                      "CPU that multiplies it in hardware where hidden_size is at "
                      "least 128; else fp32."),
  };
}

std::vector<Field> batch_fields() {
  return {
      training.choice("batch_type", &TrainingConfig::batch_type, {Effect::batch_content},
                      "What batch_size counts: tokens or sentence pairs."),
      training.integer_or("batch_size", &TrainingConfig::batch_size, {at_least(1), "auto", 0},
                          {Effect::batch_content},
                          "Size of a batch. tokens: B x max(S, T) of the padded batch of B pairs "
                          "with sources of length S and targets of length T is "
                          "at most this; a single longer pair makes a batch of its own. sentences: "
                          "B is at most this. auto: a new run tries how "
                          "large a batch fits into four fifths of the free memory, takes at most a "
                          "sixteenth of the training text, and writes the "
                          "number into its config."),
      training.integer("accum_count", &TrainingConfig::accum_count, {1, 100000}, {},
                       "Batches whose gradients make up one optimizer step: the effective batch is "
                       "accum_count times as large, at the memory of one."),
      training.boolean("shuffle", &TrainingConfig::shuffle, {Effect::batch_content},
                       "Whether each epoch groups pairs of like length and draws the batches in a "
                       "new order. false: corpus order, every epoch."),
      training.boolean("gradient_checkpointing", &TrainingConfig::gradient_checkpointing, {},
                       "Whether layers are computed again in the backward pass instead of being "
                       "kept from the forward pass (Chen et al. 2016): the same "
                       "gradients in less memory, an update in about a third more time."),
  };
}

std::vector<Field> optimizer_fields() {
  return {
      training.choice("optimizer", &TrainingConfig::optimizer, {Effect::fixed_in_run},
                      "adam (Kingma and Ba 2015), adamw with decoupled weight decay (Loshchilov "
                      "and Hutter 2019), or sgd with momentum."),
      training.real("learning_rate", &TrainingConfig::learning_rate, {1e-12, 1000}, {},
                    "The highest learning rate; schedule says how it is reached and left."),
      training.real("beta1", &TrainingConfig::beta1, {0, 0.999999}, {},
                    "Decay of Adam's average of gradients. Only for adam and adamw."),
      training.real("beta2", &TrainingConfig::beta2, {0, 0.999999}, {},
                    "Decay of Adam's average of squared gradients. Only for adam and adamw."),
      training.real("epsilon", &TrainingConfig::epsilon, {1e-16, 1}, {},
                    "Added to the denominator of Adam's step, so that it never divides by zero. "
                    "Only for adam and adamw."),
      training.real("momentum", &TrainingConfig::momentum, {0, 0.999999}, {},
                    "Share of the previous step that is kept. 0: none. Only for sgd."),
      training.real("weight_decay", &TrainingConfig::weight_decay, {0, 10}, {},
                    "Pull of the weights towards zero: an L2 penalty in adam and sgd, decoupled "
                    "from the gradient in adamw. 0: none."),
      training.real("clip_norm", &TrainingConfig::clip_norm, at_least(0), {},
                    "Gradients are scaled down where their global L2 norm is above this (Pascanu "
                    "et al. 2013). 0: never."),
      training.real("label_smoothing", &TrainingConfig::label_smoothing, {0, 0.95}, {},
                    "Share of the target probability that is spread evenly over the vocabulary "
                    "instead of lying on the right token (Szegedy et al. "
                    "2016). 0: plain cross-entropy."),
  };
}

std::vector<Field> regulariser_fields() {
  return {
      training.real(
          "r_drop", &TrainingConfig::r_drop, at_least(0), {},
          "Weight of R-Drop (Liang et al. 2021): each batch is predicted twice under different "
          "dropout, and the two are drawn together. The "
          "loss is half that of their section 2, so that it stays comparable: mean cross-entropy "
          "of the two + r_drop / 4 (KL(1 || 2) + KL(2 || "
          "1)). They use 5 for translation. An update takes about twice the time. 0: off."),
      training.real("simcut", &TrainingConfig::simcut, at_least(0), {},
                    "Weight of SimCut (Gao et al. 2022): each batch is predicted once as it is and "
                    "once with tokens cut out of source and target "
                    "(cut_probability), and KL(whole || cut), with the gradient of both sides, is "
                    "added to the whole one's loss. They use 3. An update "
                    "takes about twice the time. 0: off."),
      training.real("cut_probability", &TrainingConfig::cut_probability, {0, 0.95}, {},
                    "Probability that simcut sets a token's embedding to zero; its position "
                    "remains. Only where simcut is above 0."),
      training.real("token_dropout", &TrainingConfig::token_dropout, {0, 0.95}, {},
                    "Dropout of whole tokens: probability that a token's embedding, in source or "
                    "target, is zeroed in training; the others are divided "
                    "by 1 - p (word dropout, Sennrich et al. 2016, Edinburgh's systems for WMT16; "
                    "0.1 there). 0: off."),
      training.real("ema_decay", &TrainingConfig::ema_decay, {0, 0.999999}, {},
                    "Where above 0, validation and the finished model use a moving average of the "
                    "weights: after each update it keeps this share of "
                    "itself, without bias towards the beginning (Kingma and Ba 2015, section 7.2). "
                    "0.999 averages about the last thousand updates. 0: "
                    "off."),
      training.real("embedding_rate_factor", &TrainingConfig::embedding_rate_factor, {0, 1000}, {},
                    "The learning rate of embeddings (and of an output layer tied to them) is this "
                    "many times that of the other weights. 0: they stay "
                    "as they are."),
  };
}

std::vector<Field> schedule_fields() {
  return {
      training.choice(
          "schedule", &TrainingConfig::schedule, {},
          "The learning rate after the warmup. constant: learning_rate. inverse_sqrt: with the "
          "warmup, learning_rate x min(step / "
          "warmup_steps, sqrt(warmup_steps / step)), the shape of Vaswani et al. 2017, section "
          "5.3. cosine: half a cosine wave down to "
          "min_learning_rate. sgdr: such waves with warm restarts (Loshchilov and Hutter 2017)."),
      training.integer("warmup_steps", &TrainingConfig::warmup_steps, at_least(0), {},
                       "First steps, over which every schedule raises the learning rate linearly "
                       "from 0 to learning_rate. 0: no warmup."),
      training.integer("decay_steps", &TrainingConfig::decay_steps, at_least(0), {},
                       "The step, counted from the start of training, at which cosine reaches "
                       "min_learning_rate. 0: max_steps."),
      training.real("min_learning_rate", &TrainingConfig::min_learning_rate, {0, 1000}, {},
                    "The learning rate that cosine and sgdr fall to."),
      training.integer("sgdr_period", &TrainingConfig::sgdr_period, at_least(1), {},
                       "Steps from the end of the warmup to the first warm restart of sgdr."),
      training.real("sgdr_factor", &TrainingConfig::sgdr_factor, {1, 1000}, {},
                    "Each period of sgdr is this many times as long as the one before it."),
  };
}

std::vector<Field> limit_fields() {
  return {
      training.integer_or("max_steps", &TrainingConfig::max_steps,
                          {at_least(0), "auto", TrainingConfig::automatic_steps}, {},
                          "Optimizer steps after which training ends. 0: no limit. auto: a new run "
                          "times some updates, takes as many as nine tenths of "
                          "max_minutes are enough for at that pace, and writes the number into its "
                          "config; so cosine comes to its end in the time "
                          "there is, on any machine."),
      training.integer("max_epochs", &TrainingConfig::max_epochs, at_least(0), {},
                       "Passes over the training text after which training ends. 0: no limit."),
      training.real("max_minutes", &TrainingConfig::max_minutes, at_least(0), {},
                    "Minutes of wall clock after which training ends. 0: no limit."),
  };
}

std::vector<Field> progress_fields() {
  return {
      training.choice("log_unit", &TrainingConfig::log_unit, {},
                      "What log_every counts. steps: lines with loss, learning rate and speed. "
                      "epochs: lines with the mean loss of an epoch; an "
                      "update that spans two epochs counts to the first."),
      training.integer("log_every", &TrainingConfig::log_every, at_least(1), {},
                       "Steps, or epochs, from one line of the log to the next."),
      training.integer("valid_steps", &TrainingConfig::valid_steps, at_least(0), {},
                       "Steps from one validation to the next; the end of training is always "
                       "validated. 0: only there."),
      training.integer("valid_sentences", &TrainingConfig::valid_sentences, at_least(0),
                       {Effect::score, Effect::loss_score},
                       "Only the first so many validation lines are translated for BLEU and chrF; "
                       "the loss is taken over all within data.max_length. 0: all."),
      training.integer("valid_samples", &TrainingConfig::valid_samples, {0, 1000}, {},
                       "How many validation lines are shown with their translation at each "
                       "validation: on the log, in metrics.jsonl and in "
                       "report.html. The same lines each time, spread over the text."),
      training.boolean("valid_at_start", &TrainingConfig::valid_at_start, {},
                       "Whether a new run is validated before its first step: what a model that "
                       "learnt nothing yet, or one of init_from, scores."),
      training.choice("best_by", &TrainingConfig::best_by, {Effect::score, Effect::loss_score},
                      "What makes a checkpoint the best: highest bleu (Papineni et al. 2002) or "
                      "chrf (Popovic 2015) of its validation translations, or "
                      "lowest loss on the validation text."),
      training.integer("early_stopping", &TrainingConfig::early_stopping, at_least(0), {},
                       "Training ends after this many validations in a row without a better one. "
                       "0: never for this reason."),
      training.integer("save_steps", &TrainingConfig::save_steps, at_least(0), {},
                       "Steps from one checkpoint to the next. 0: one at each validation."),
      training.real("save_minutes", &TrainingConfig::save_minutes, at_least(0), {},
                    "Minutes of wall clock from one checkpoint to the next, beside those of "
                    "save_steps. 0: none by the clock."),
      training.integer("keep_checkpoints", &TrainingConfig::keep_checkpoints, {1, 100000}, {},
                       "How many of the last checkpoints are kept."),
      training.integer("average_checkpoints", &TrainingConfig::average_checkpoints, {0, 100000}, {},
                       "At the end, the average of the last N kept checkpoints becomes the model "
                       "if it scores better on validation, or where there is none "
                       "(Vaswani et al. 2017, section 6.1). 0: no averaging."),
  };
}

std::vector<Field> divergence_fields() {
  return {
      training.integer("divergence_patience", &TrainingConfig::divergence_patience, at_least(1), {},
                       "Updates in a row whose loss or gradient is not finite, after which "
                       "training counts as diverged. Each of them is left out."),
      training.choice("on_divergence", &TrainingConfig::on_divergence, {},
                      "What to do then. rollback: back to the last good checkpoint and on with a "
                      "lower learning rate (rollback_factor); after three "
                      "rollbacks without progress, stop. stop: end with an error. ignore: go on "
                      "leaving out updates."),
      training.real("rollback_factor", &TrainingConfig::rollback_factor, {1e-100, 1}, {},
                    "What the learning rate is multiplied by at each rollback, from then on."),
  };
}

}  // namespace

std::vector<Field> training_fields() {
  std::vector<Field> table;
  for (const auto& part :
       {run_fields(), batch_fields(), optimizer_fields(), regulariser_fields(), schedule_fields(),
        limit_fields(), progress_fields(), divergence_fields()}) {
    table.insert(table.end(), part.begin(), part.end());
  }
  return table;
}

}  // namespace tfm

#include "section.h"

namespace tfm {
namespace {

constexpr Section<TrainingConfig> training("training", &Config::training);

std::vector<Field> run_fields() {
  return {
      training.text(
          "run_folder", &TrainingConfig::run_folder, {},
          "Folder for the checkpoints, the finished model and its config. Empty: runs/NAME for the "
          "config file NAME.yaml, or the first free one of runs/NAME-2, runs/NAME-3, ... Without a "
          "config file, NAME is train."),
      training.text(
          "init_from", &TrainingConfig::init_from, {},
          "Model folder or checkpoint from which a new run takes its initial weights and "
          "vocabularies, for fine-tuning. The config must describe the same model and tokenizer. "
          "Empty: random weights."),
      training.integer("seed", &TrainingConfig::seed, {0, 4294967295.0}, {Effect::batch_content},
                       "Seed of all random numbers: initial weights, dropout, order of the "
                       "batches. On the CPU, the same seed, number of threads and build give the "
                       "same run; a GPU adds numbers in varying order."),
      training.text("device", &TrainingConfig::device, {},
                    "Device for training: cpu, cuda, cuda:N for GPU number N, or auto, which is a "
                    "GPU if there is one and otherwise the CPU."),
      training.integer("threads", &TrainingConfig::threads, {0, 4096}, {},
                       "Number of CPU threads per operation. 0: one per CPU that this process may "
                       "use (affinity mask, control group), divided among the ranks of the "
                       "machine."),
      training.choice("precision", &TrainingConfig::precision, {},
                      "Data type of matrix multiplications in training. bf16: mixed precision, in "
                      "which weights, norms, sums and weight gradients stay fp32 (Micikevicius et "
                      "al. 2018). fp16: the same with a scaled loss, for GPUs without bf16 "
                      "(compute capability below 8.0). auto: bf16 on a GPU, or fp16 if it has no "
                      "bf16; bf16 on a CPU that multiplies bf16 in hardware if model.hidden_size "
                      "is at least 128; otherwise fp32."),
  };
}

std::vector<Field> batch_fields() {
  return {
      training.choice("batch_type", &TrainingConfig::batch_type, {Effect::batch_content},
                      "Unit of batch_size: tokens or sentence pairs."),
      training.integer_or_keyword(
          "batch_size", &TrainingConfig::batch_size, {at_least(1), "auto", 0},
          {Effect::batch_content},
          "Size of a batch. tokens: limit of B x max(S, T) for B pairs padded to source length S "
          "and target length T; a longer single pair forms its own batch. sentences: limit of B. "
          "auto: a new run finds the largest batch that fits into four fifths of the free memory, "
          "but at most a sixteenth of the training data, and writes the number to its config."),
      training.integer(
          "accum_count", &TrainingConfig::accum_count, {1, 100000}, {},
          "Number of batches whose gradients are added up for one update (gradient accumulation). "
          "The effective batch is accum_count times as large, with the memory of one batch."),
      training.boolean(
          "shuffle", &TrainingConfig::shuffle, {Effect::batch_content},
          "If true, each epoch groups pairs of similar length into batches and takes the batches "
          "in a new random order. If false, every epoch keeps the order of the corpus."),
      training.boolean("gradient_checkpointing", &TrainingConfig::gradient_checkpointing, {},
                       "If true, the backward pass computes layers again instead of keeping their "
                       "activations from the forward pass (Chen et al. 2016). The gradients are "
                       "the same, need less memory, and an update takes about a third more time."),
  };
}

std::vector<Field> optimizer_fields() {
  return {
      training.choice("optimizer", &TrainingConfig::optimizer, {Effect::fixed_in_run},
                      "Optimizer: adam (Kingma and Ba 2015), adamw with decoupled weight decay "
                      "(Loshchilov and Hutter 2019), or sgd with momentum."),
      training.real(
          "learning_rate", &TrainingConfig::learning_rate, {1e-12, 1000}, {},
          "Highest learning rate. The schedule determines how it is reached and how it falls."),
      training.real("beta1", &TrainingConfig::beta1, {0, 0.999999}, {},
                    "Decay rate of Adam's moving average of gradients. Only for adam and adamw."),
      training.real("beta2", &TrainingConfig::beta2, {0, 0.999999}, {},
                    "Decay rate of Adam's moving average of squared gradients. Only for adam and "
                    "adamw. The default is that of Vaswani et al. 2017, section 5.3."),
      training.real("epsilon", &TrainingConfig::epsilon, {1e-16, 1}, {},
                    "Constant in the denominator of Adam's update, against division by zero. Only "
                    "for adam and adamw. The default is that of Vaswani et al. 2017, section 5.3."),
      training.real("momentum", &TrainingConfig::momentum, {0, 0.999999}, {},
                    "Share of the previous update that is added to the next one. 0: no momentum. "
                    "Only for sgd."),
      training.real("weight_decay", &TrainingConfig::weight_decay, {0, 10}, {},
                    "Strength with which weights are pulled towards zero: an L2 penalty for adam "
                    "and sgd, decoupled from the gradient for adamw. 0: off."),
      training.real("clip_norm", &TrainingConfig::clip_norm, at_least(0), {},
                    "Gradients are scaled down if their global L2 norm is above this value "
                    "(Pascanu et al. 2013). 0: no clipping."),
      training.real("label_smoothing", &TrainingConfig::label_smoothing, {0, 0.95}, {},
                    "Share of the target probability that is spread evenly over the vocabulary "
                    "instead of being on the correct token (Szegedy et al. 2016). The default is "
                    "that of Vaswani et al. 2017, section 5.4. 0: plain cross-entropy."),
  };
}

std::vector<Field> regulariser_fields() {
  return {
      training.real("r_drop", &TrainingConfig::r_drop, at_least(0), {},
                    "Weight of R-Drop (Liang et al. 2021): each batch is predicted twice with "
                    "different dropout, and the loss adds the divergence of the two predictions. "
                    "The loss is half that of their section 2, so that losses stay comparable: "
                    "mean cross-entropy of both + r_drop / 4 (KL(1 || 2) + KL(2 || 1)). The paper "
                    "uses 5 for translation; an update takes about twice the time. 0: off."),
      training.real(
          "simcut", &TrainingConfig::simcut, at_least(0), {},
          "Weight of SimCut (Gao et al. 2022): each batch is predicted twice, complete and with "
          "tokens of source and target cut out (simcut_probability). The loss of the complete "
          "batch plus simcut x KL(complete || cut) is minimised, with gradients through both. The "
          "paper uses 3; an update takes about twice the time. 0: off."),
      training.real("simcut_probability", &TrainingConfig::simcut_probability, {0, 0.95}, {},
                    "Probability that simcut sets the embedding of a token to zero; its position "
                    "is kept. Only used if simcut is above 0."),
      training.real("token_dropout", &TrainingConfig::token_dropout, {0, 0.95}, {},
                    "Probability that training sets the embedding of a source or target token to "
                    "zero; the others are divided by 1 - p (word dropout, Sennrich et al. 2016, "
                    "Edinburgh's WMT16 systems, which use 0.1). 0: off."),
      training.real(
          "ema_decay", &TrainingConfig::ema_decay, {0, 0.999999}, {},
          "Decay rate of an exponential moving average of the weights, which validation and the "
          "finished model use instead of the weights. Its initial bias is corrected (Kingma and Ba "
          "2015, section 7.2); 0.999 averages about the last thousand updates. 0: off."),
      training.real("embedding_rate_factor", &TrainingConfig::embedding_rate_factor, {0, 1000}, {},
                    "Factor of the learning rate for embeddings and for an output layer that "
                    "shares their matrix. 0: they are not trained."),
  };
}

std::vector<Field> schedule_fields() {
  return {
      training.choice("schedule", &TrainingConfig::schedule, {},
                      "Learning rate after the warmup. constant: learning_rate. inverse_sqrt: "
                      "learning_rate x sqrt(warmup_steps / step), the shape of Vaswani et al. "
                      "2017, section 5.3. cosine: half a cosine wave down to min_learning_rate. "
                      "sgdr: such waves with warm restarts (Loshchilov and Hutter 2017)."),
      training.integer(
          "warmup_steps", &TrainingConfig::warmup_steps, at_least(0), {},
          "Number of updates over which every schedule raises the learning rate linearly from 0 to "
          "learning_rate. The default is that of Vaswani et al. 2017, section 5.3. 0: no warmup."),
      training.integer("decay_steps", &TrainingConfig::decay_steps, at_least(0), {},
                       "Update, counted from the start of training, at which cosine reaches "
                       "min_learning_rate. 0: max_steps."),
      training.real("min_learning_rate", &TrainingConfig::min_learning_rate, {0, 1000}, {},
                    "Lowest learning rate of cosine and sgdr."),
      training.integer(
          "sgdr_period", &TrainingConfig::sgdr_period, at_least(1), {},
          "Number of updates from the end of the warmup to the first restart of sgdr."),
      training.real("sgdr_factor", &TrainingConfig::sgdr_factor, {1, 1000}, {},
                    "Length of each period of sgdr, relative to the period before it."),
  };
}

std::vector<Field> limit_fields() {
  return {
      training.integer_or_keyword(
          "max_steps", &TrainingConfig::max_steps,
          {at_least(0), "auto", TrainingConfig::automatic_steps}, {},
          "Number of updates after which training ends. 0: no limit. auto: a new run measures the "
          "time of updates, a validation and a checkpoint, computes how many updates fit into "
          "max_minutes and max_epochs, and writes the number to its config, so that cosine ends in "
          "time on any machine. It corrects the number before its first validation if updates take "
          "longer or shorter than measured. If valid_steps and warmup_steps have their defaults "
          "and the run is too short "
          "for them, they become a tenth and a sixth of the number."),
      training.integer("max_epochs", &TrainingConfig::max_epochs, at_least(0), {},
                       "Number of epochs after which training ends. 0: no limit."),
      training.real("max_minutes", &TrainingConfig::max_minutes, at_least(0), {},
                    "Minutes of wall-clock time after which training ends. 0: no limit."),
  };
}

std::vector<Field> progress_fields() {
  return {
      training.choice("log_unit", &TrainingConfig::log_unit, {},
                      "Unit of log_every. steps: log lines with loss, learning rate and speed. "
                      "epochs: log lines with the mean loss of the epoch; an update that spans two "
                      "epochs counts towards the first."),
      training.integer("log_every", &TrainingConfig::log_every, at_least(1), {},
                       "Number of updates, or epochs, between two log lines."),
      training.integer("valid_steps", &TrainingConfig::valid_steps, at_least(0), {},
                       "Number of updates between two validations. The end of training is always "
                       "validated. 0: only the end."),
      training.integer(
          "valid_sentences", &TrainingConfig::valid_sentences, at_least(0), {Effect::score},
          "Number of validation lines, from the first, that are translated for BLEU and chrF. The "
          "loss is always that of all lines within data.max_length. 0: all."),
      training.integer("valid_samples", &TrainingConfig::valid_samples, {0, 1000}, {},
                       "Number of validation lines whose translations each validation writes to "
                       "train.log, metrics.jsonl and report.html. The terminal shows the first, "
                       "and with --verbose all. The lines are the same each time, spread over the "
                       "validation set."),
      training.boolean("valid_at_start", &TrainingConfig::valid_at_start, {},
                       "If true, a new run validates its initial model before the first update: "
                       "random weights, or those of init_from."),
      training.choice(
          "best_by", &TrainingConfig::best_by, {Effect::score, Effect::loss_score},
          "Metric that selects the best checkpoint: the highest bleu (Papineni et al. 2002) or "
          "chrf (Popovic 2015) of the validation translations, or the lowest loss."),
      training.choice(
          "bleu_tokenizer", &TrainingConfig::bleu_tokenizer, {Effect::score},
          "Tokenizer of BLEU in validations, as in sacreBLEU. 13a: separates punctuation. zh: also "
          "each Chinese character. char: each character. intl: separates punctuation and symbols "
          "of all of Unicode. none: only white space separates tokens. auto: depends on the "
          "references. If at least a quarter of their characters belongs to scripts without spaces "
          "between words, it is zh for Han, and char if there are Hiragana, Katakana, Thai, Lao, "
          "Khmer or Myanmar; otherwise it is 13a."),
      training.integer("early_stopping", &TrainingConfig::early_stopping, at_least(0), {},
                       "Number of validations in a row without improvement after which training "
                       "ends. 0: no early stopping."),
      training.integer(
          "save_steps", &TrainingConfig::save_steps, at_least(0), {},
          "Number of updates between two checkpoints. 0: a checkpoint at each validation."),
      training.real("save_minutes", &TrainingConfig::save_minutes, at_least(0), {},
                    "Minutes of wall-clock time between two checkpoints, in addition to those of "
                    "save_steps. 0: off."),
      training.integer("keep_checkpoints", &TrainingConfig::keep_checkpoints, {1, 100000}, {},
                       "Number of checkpoints that are kept, the newest ones."),
      training.integer(
          "average_checkpoints", &TrainingConfig::average_checkpoints, {0, 100000}, {},
          "Number of last checkpoints whose weights are averaged at the end (Vaswani et al. 2017, "
          "section 6.1). The average becomes the model if it has a better validation score, or "
          "without a validation set. 0: no averaging."),
  };
}

std::vector<Field> divergence_fields() {
  return {
      training.integer("divergence_patience", &TrainingConfig::divergence_patience, at_least(1), {},
                       "Number of updates in a row with an infinite or NaN loss or gradient after "
                       "which training counts as diverged. Each such update is skipped."),
      training.choice(
          "on_divergence", &TrainingConfig::on_divergence, {},
          "Action when training has diverged. rollback: continue from the last good checkpoint "
          "with a lower learning rate (rollback_factor), and stop after three rollbacks without "
          "progress. stop: end with an error. skip: continue, and skip such updates."),
      training.real(
          "rollback_factor", &TrainingConfig::rollback_factor, {1e-100, 1}, {},
          "Factor of the learning rate at each rollback. It applies until the end of training."),
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

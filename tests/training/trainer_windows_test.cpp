// Training waits for the text of a window, and a signal ends the wait.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

#include "run_fixture.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/model/model_folder.h"
#include "tfm/training/trainer.h"

namespace tfm {
namespace {

/// Pairs of which the first is read slowly when it is read for the second time, in the second
/// epoch; then a signal arrives.
class InterruptingPairs final : public NumberedPairs {
 public:
  explicit InterruptingPairs(std::shared_ptr<const NumberedPairs> pairs)
      : pairs_(std::move(pairs)) {}

  std::size_t size() const override { return pairs_->size(); }
  std::size_t index_of(std::int64_t line) const override { return pairs_->index_of(line); }
  TextPair operator[](std::size_t i) const override {
    if (i == 0 && ++reads_ == 2) {
      std::this_thread::sleep_for(std::chrono::seconds(2));
      std::raise(SIGINT);
    }
    return (*pairs_)[i];
  }

 private:
  std::shared_ptr<const NumberedPairs> pairs_;
  mutable std::atomic<int> reads_ = 0;
};

using TrainerOfWindows = Run;

TEST_F(TrainerOfWindows, SavesTheLastUpdateIfASignalInterruptsTheWaitForText) {
  go();
  auto model = load_model(folder.path("run"), torch::kCPU);
  model.config.training.max_steps = 1000;
  model.config.data.modifiers = {"title_case=1"};
  const auto text = read_parallel(train_files(model.config.data), BadLines::skip);
  auto examples = encode_texts({&text, 1}, model.tokenizers, model.config);
  examples.texts[0].pairs = std::make_shared<InterruptingPairs>(examples.texts[0].pairs);
  TrainingCorpus corpus(std::move(examples), model.tokenizers, model.config);
  const auto place = folder.path("interrupted");
  std::filesystem::create_directory(place);
  install_signal_handlers();
  const ProcessGroup alone;
  Trainer trainer(model, corpus, nullptr, place, alone);
  trainer.begin({});
  EXPECT_THAT(message_of<Interrupted>([&] { trainer.run(); }),
              testing::HasSubstr("everything is saved"));
  clear_interrupt();
  const auto state = read_state(CheckpointStore(place).list().back() / state_file);
  EXPECT_EQ(state.position, (DataPosition{.epoch = 1, .next = 0, .window = 0}));
  EXPECT_EQ(state.step, static_cast<std::int64_t>(batches_in_an_epoch()));
}

}  // namespace
}  // namespace tfm

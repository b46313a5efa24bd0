#include "tfm/training/update_input.h"

#include <utility>

namespace tfm {

UpdateInput::UpdateInput(Batcher batcher, const UpdateInputOptions& options, Collate collate)
    : batcher_(std::move(batcher)), options_(options), collate_(std::move(collate)) {
  read_position();
}

std::vector<BatchIndices> UpdateInput::plan() {
  return next_update_batches(batcher_, options_.accum_count, options_.rank, options_.ranks);
}

void UpdateInput::read_position() {
  position_ = batcher_.position();
  share_of_epoch_ = batcher_.share_of_epoch();
}

/// Returns true if the batcher can return the batches of another update without planning another
/// window. A new window may belong to an epoch that is not needed, or change the corpus.
bool UpdateInput::has_planned_another_update() {
  const auto next = batcher_.position().next;
  return next > 0 && next + options_.accum_count * options_.ranks <= batcher_.batches_in_window();
}

std::vector<Batch> UpdateInput::next() {
  auto batches = next_.valid() ? next_.get() : collate_(plan());
  read_position();
  if (options_.ahead && has_planned_another_update()) {
    next_ = std::async(std::launch::async, [this, indices = plan()] { return collate_(indices); });
  }
  return batches;
}

void UpdateInput::seek(DataPosition position) {
  discard();
  batcher_.seek(position);
  read_position();
}

void UpdateInput::discard() {
  if (next_.valid()) next_.wait();
  next_ = {};
}

}  // namespace tfm

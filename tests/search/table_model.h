// A StepModel whose probabilities are a function of the sentence and the tokens so far, from
// hand-written or random tables. The model checks that searches call it as StepModel requires, and
// records which sentences had rows in each call.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "tfm/search/hypothesis.h"
#include "tfm/search/search_request.h"
#include "tfm/search/step_model.h"

namespace tfm {

inline constexpr float infinity = std::numeric_limits<float>::infinity();

using Prefix = std::vector<std::int32_t>;

inline bool contains(const Prefix& tokens, const Prefix& phrase) {
  return !std::ranges::search(tokens, phrase).empty();
}

constexpr std::int32_t table_bos = 0;
constexpr std::int32_t table_eos = 1;

class TableModel : public StepModel {
 public:
  /// Returns the log-probabilities [V] of the token that follows a prefix (without bos) of a
  /// sentence's translation.
  using Table = std::function<std::vector<float>(std::int32_t sentence, const Prefix& prefix)>;

  TableModel(std::int64_t vocab_size, std::int32_t sentences, Table table)
      : vocab_size_(vocab_size), table_(std::move(table)) {
    for (std::int32_t i = 0; i < sentences; ++i) join();
  }

  /// Adds a sentence.
  void join() { rows_.push_back({sentences_++, {}, true}); }

  std::int64_t vocab_size() const override { return vocab_size_; }

  StepOutput advance(std::span<const std::int32_t> parents,
                     std::span<const std::int32_t> tokens) override {
    EXPECT_EQ(parents.size(), tokens.size());
    EXPECT_FALSE(parents.empty()) << "a call without rows";
    std::vector<Row> next;
    for (std::size_t i = 0; i < parents.size(); ++i)
      next.push_back(continued(parents[i], tokens[i]));
    rows_ = std::move(next);

    std::set<std::int32_t> present;
    log_probs_.assign(rows_.size() * static_cast<std::size_t>(vocab_size_), 0);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      present.insert(rows_[i].sentence);
      std::ranges::copy(table_(rows_[i].sentence, rows_[i].prefix),
                        log_probs_.begin() + static_cast<std::ptrdiff_t>(i) * vocab_size_);
    }
    calls.push_back(present);
    attention_.clear();
    for (const Row& row : rows_) {
      if (attention_table)
        std::ranges::copy(attention_table(row.sentence, row.prefix),
                          std::back_inserter(attention_));
    }
    return {.rows = parents.size(), .logits = log_probs_, .attention = attention_};
  }

  Table attention_table;  ///< attention [S] after a prefix; unset for a model without attention

  std::vector<std::set<std::int32_t>> calls;  ///< for each call, the sentences that had rows

 private:
  struct Row {
    std::int32_t sentence = 0;
    Prefix prefix;
    bool is_new = false;  // has not read bos
  };

  Row continued(std::int32_t parent, std::int32_t token) const {
    const auto limit = static_cast<std::int32_t>(rows_.size());
    if (parent < 0 || parent >= limit) {
      ADD_FAILURE() << "row " << parent << " of " << limit << " continued";
      return {};
    }
    Row row = rows_[static_cast<std::size_t>(parent)];
    if (std::exchange(row.is_new, false)) {
      EXPECT_EQ(token, table_bos);
      return row;
    }
    EXPECT_TRUE(token >= 0 && token < vocab_size_) << token;
    EXPECT_NE(token, table_eos) << "a finished hypothesis was continued";
    row.prefix.push_back(token);
    return row;
  }

  std::int64_t vocab_size_;
  std::int32_t sentences_ = 0;
  Table table_;
  std::vector<Row> rows_;
  std::vector<float> log_probs_;
  std::vector<float> attention_;
};

inline SearchRequest make_request(std::vector<std::int64_t> max_lengths) {
  SearchRequest request;
  request.bos = table_bos;
  request.eos = table_eos;
  request.max_lengths = std::move(max_lengths);
  request.forbidden = {table_bos};
  return request;
}

inline void expect_same(const Hypothesis& a, const Hypothesis& b) {
  EXPECT_EQ(a.tokens, b.tokens);
  EXPECT_EQ(a.token_log_probs, b.token_log_probs);
  EXPECT_EQ(a.log_prob, b.log_prob);
  EXPECT_EQ(a.penalty, b.penalty);
  EXPECT_EQ(a.score, b.score);
  EXPECT_EQ(a.finished, b.finished);
}

inline void expect_same_alternatives(const Hypothesis& a, const Hypothesis& b) {
  ASSERT_EQ(a.alternatives.size(), b.alternatives.size());
  for (std::size_t i = 0; i < a.alternatives.size(); ++i) {
    ASSERT_EQ(a.alternatives[i].size(), b.alternatives[i].size());
    for (std::size_t j = 0; j < a.alternatives[i].size(); ++j)
      EXPECT_EQ(a.alternatives[i][j].token, b.alternatives[i][j].token);
  }
}

inline void expect_same(const std::vector<Hypothesis>& a, const std::vector<Hypothesis>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) expect_same(a[i], b[i]);
}

/// Returns a table that gives the logarithms of the listed probabilities [V] of each prefix. After
/// a prefix that is not listed, eos has probability 1.
inline TableModel::Table written_table(std::map<Prefix, std::vector<double>> probabilities,
                                       std::size_t vocab_size) {
  return [=](std::int32_t, const Prefix& prefix) {
    const auto found = probabilities.find(prefix);
    std::vector<double> row(vocab_size, 0.0);
    if (found != probabilities.end()) {
      row = found->second;
    } else {
      row[table_eos] = 1;
    }
    std::vector<float> log_probs;
    for (const double p : row) log_probs.push_back(static_cast<float>(std::log(p)));
    return log_probs;
  };
}

/// Returns a table with a random distribution for every sentence and prefix, fixed by the seed.
/// About one token in eight is impossible; eos is always possible.
inline TableModel::Table random_table(std::uint32_t seed, std::size_t vocab_size) {
  return [=](std::int32_t sentence, const Prefix& prefix) {
    std::vector<std::uint32_t> key{seed, static_cast<std::uint32_t>(sentence)};
    key.insert(key.end(), prefix.begin(), prefix.end());
    std::seed_seq sequence(key.begin(), key.end());
    std::mt19937 random(sequence);
    std::exponential_distribution<double> weight(1.0);
    std::vector<double> weights;
    double sum = 0;
    for (std::size_t token = 0; token < vocab_size; ++token) {
      weights.push_back(token != table_eos && random() % 8 == 0 ? 0.0 : weight(random));
      sum += weights.back();
    }
    std::vector<float> log_probs;
    for (const double w : weights) log_probs.push_back(static_cast<float>(std::log(w / sum)));
    return log_probs;
  };
}

/// A model that sends only the `count` most probable tokens of each row at once, as models on a
/// device do.
class TopTokensModel : public StepModel, private LogProbRows {
 public:
  TopTokensModel(StepModel& model, std::int64_t count)
      : model_(model), count_(std::min(count, model.vocab_size())) {}

  std::int64_t vocab_size() const override { return model_.vocab_size(); }

  StepOutput advance(std::span<const std::int32_t> parents,
                     std::span<const std::int32_t> tokens) override {
    whole_ = model_.advance(parents, tokens);
    top_.clear();
    for (std::size_t i = 0; i < whole_.rows; ++i) {
      const auto log_probs = row_of(i);
      std::vector<ScoredToken> sorted;
      // Equally probable tokens are in descending order, the wrong one, to see that it is not used.
      for (auto token = static_cast<std::int32_t>(log_probs.size()) - 1; token >= 0; --token)
        sorted.push_back({token, log_probs[static_cast<std::size_t>(token)]});
      std::ranges::stable_sort(sorted, std::ranges::greater{}, &ScoredToken::log_prob);
      top_.insert(top_.end(), sorted.begin(), sorted.begin() + count_);
    }
    return {.rows = whole_.rows,
            .attention = whole_.attention,
            .top = top_,
            .rest = this,
            .vocab_size = static_cast<std::int32_t>(vocab_size())};
  }

  std::size_t whole_rows = 0;  ///< how often a search asked for a whole row

 private:
  std::span<const float> row_of(std::size_t index) const {
    const auto width = static_cast<std::size_t>(vocab_size());
    return whole_.logits.subspan(index * width, width);
  }
  std::span<const float> row(std::size_t index) override {
    ++whole_rows;
    return row_of(index);
  }

  StepModel& model_;
  std::int64_t count_;
  StepOutput whole_;
  std::vector<ScoredToken> top_;
};

}  // namespace tfm

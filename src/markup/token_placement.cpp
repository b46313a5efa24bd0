#include "token_placement.h"

#include <algorithm>
#include <map>

namespace tfm {
namespace {

struct Run {
  std::size_t begin = 0;
  std::size_t end = 0;

  bool empty() const { return begin >= end; }
};

constexpr std::size_t no_mark = static_cast<std::size_t>(-1);

/// A node of the markup tree: an element, from its start tag to its end tag, of which one may be in
/// another line; a standalone token; or the root, which has no token.
struct Node {
  std::size_t first = no_mark;  // index of the start tag or standalone token
  std::size_t last = no_mark;   // index of the end tag
  Run covered;                  // the units of the source inside the node
  std::vector<std::size_t> children{};
  bool begins_before = false;  // the line
  bool ends_after = false;     // the line
};

class Placement {
 public:
  Placement(std::span<const MarkupToken> marks, const std::vector<Unit>& source,
            std::span<const std::int64_t> aligned)
      : marks_(marks),
        source_(source),
        targets_(source.size()),
        aligned_before_(aligned.size() + 1) {
    for (std::size_t t = 0; t < aligned.size(); ++t) {
      if (aligned[t] >= 0) targets_[static_cast<std::size_t>(aligned[t])].push_back(t);
      aligned_before_[t + 1] = aligned_before_[t] + (aligned[t] >= 0 ? 1 : 0);
    }
    build();
  }

  std::vector<Written> write() {
    write_children(nodes_.front(), {0, aligned_before_.size() - 1});
    return std::move(written_);
  }

 private:
  struct Item {
    std::size_t node = 0;
    Run run;  // if empty, the node goes before unit run.begin
  };
  using Taken = std::map<std::size_t, Item>;  // placed siblings by the start of their runs

  void build() {
    nodes_.push_back({no_mark, no_mark, {0, source_.size()}});
    std::vector<std::size_t> open{0};
    const auto add = [&](Node node, bool is_element) {
      nodes_[open.back()].children.push_back(nodes_.size());
      if (is_element) open.push_back(nodes_.size());
      nodes_.push_back(std::move(node));
    };
    for (auto i = marks_.size(); i-- > 0;) {  // the element that ends last is the outermost
      if (marks_[i].kind == MarkupToken::Kind::unopened)
        add({no_mark, i, {0, 0}, {}, true, false}, true);
    }
    for (std::size_t i = 0; i < marks_.size(); ++i) {
      const std::size_t unit = unit_after(source_, marks_[i]);
      switch (marks_[i].kind) {
        case MarkupToken::Kind::closing:
        case MarkupToken::Kind::unopened:
          nodes_[open.back()].covered.end = unit;
          open.pop_back();
          break;
        case MarkupToken::Kind::opening:
          add({i, marks_[i].partner, {unit, unit}}, true);
          break;
        case MarkupToken::Kind::unclosed:
          add({i, no_mark, {unit, source_.size()}, {}, false, true}, true);
          break;
        default:
          add({i, no_mark, {unit, unit}}, false);
      }
    }
  }

  /// Returns the run of the translation's units with the highest score inside `within` and outside
  /// `taken`. A unit scores +1 if it is aligned to the element's content, -1 if it is aligned to
  /// other units. Of runs with equal scores, the longest wins.
  Run best_run(const Node& node, Run within, const Taken& taken) const {
    std::vector<std::size_t> own;
    for (std::size_t s = node.covered.begin; s < node.covered.end; ++s)
      own.insert(own.end(), targets_[s].begin(), targets_[s].end());
    std::sort(own.begin(), own.end());
    Run best;
    Run run;
    std::int64_t most = 0;
    std::int64_t points = 0;
    for (const std::size_t t : own) {
      const auto next_taken = taken.upper_bound(t);
      const bool is_taken =
          next_taken != taken.begin() && std::prev(next_taken)->second.run.end > t;
      if (t < within.begin || t >= within.end || is_taken) continue;
      const bool apart =
          run.empty() || (next_taken != taken.begin() && std::prev(next_taken)->first >= run.end);
      const std::int64_t between = apart ? 0 : aligned_before_[t] - aligned_before_[run.end];
      const bool extends = !apart && points - between >= 0;
      run = {extends ? run.begin : t, t + 1};
      points = extends ? points - between + 1 : 1;
      if (points > most || (points == most && run.end - run.begin > best.end - best.begin)) {
        most = points;
        best = run;
      }
    }
    return best;
  }

  /// Returns the position in `within` of a node that has no run. A node at the start or end of its
  /// parent stays there. Any other node goes next to the translation of the nearest unit that is
  /// aligned inside `within`, at most 16 units away: before it if the unit followed the node in the
  /// source, otherwise after it. Without such a unit, the node goes to the end of `within`.
  std::size_t position_without_run(const Node& node, const Node& parent, Run within) const {
    constexpr std::size_t farthest = 16;
    const std::size_t here = node.covered.begin;
    if (here >= parent.covered.end) return within.end;
    if (here <= parent.covered.begin) return within.begin;
    for (std::size_t step = 0; step < farthest; ++step) {
      if (here + step < parent.covered.end) {
        for (const std::size_t t : targets_[here + step]) {
          if (t >= within.begin && t < within.end) return t;
        }
      }
      if (here >= parent.covered.begin + step + 1) {
        const auto& before = targets_[here - step - 1];
        for (auto t = before.rbegin(); t != before.rend(); ++t) {
          if (*t >= within.begin && *t < within.end) return *t + 1;
        }
      }
    }
    return within.end;
  }

  /// Returns the run of a child in the translation. It is empty if no unit is aligned.
  Run child_run(const Node& node, const Node& parent, Run within, const Taken& taken) const {
    if (node.covered.empty()) return {};
    const bool whole = node.covered.begin == parent.covered.begin &&
                       node.covered.end == parent.covered.end && taken.empty();
    auto run = whole ? within : best_run(node, within, taken);
    if (run.empty()) return run;
    if (node.begins_before) run.begin = within.begin;
    if (node.ends_after) run.end = within.end;
    return run;
  }

  std::vector<Item> placed_children(const Node& parent, Run within) const {
    std::vector<Item> items;
    Taken taken;
    for (const std::size_t child : parent.children) items.push_back({child, {}});
    const auto place = [&](Item& item) {
      item.run = child_run(nodes_[item.node], parent, within, taken);
      if (!item.run.empty()) taken.emplace(item.run.begin, item);
    };
    // An element that reaches the begin or the end of the line is the first or the last child. The
    // others are placed in between.
    const bool has_last = !items.empty() && nodes_[items.back().node].ends_after;
    const bool has_first = !items.empty() && nodes_[items.front().node].begins_before;
    if (has_first) place(items.front());
    if (has_last) place(items.back());
    for (auto i = has_first ? 1U : 0U; i + (has_last ? 1 : 0) < items.size(); ++i) place(items[i]);
    for (auto& [child, run] : items) {
      if (!run.empty()) continue;
      std::size_t position = position_without_run(nodes_[child], parent, within);
      const auto next = taken.lower_bound(position);
      // Places the node next to a sibling instead of inside it, on the same side of the sibling as
      // in the source.
      if (next != taken.begin() && std::prev(next)->second.run.end > position) {
        const Item& sibling = std::prev(next)->second;
        position = child < sibling.node ? sibling.run.begin : sibling.run.end;
      }
      if (has_first && child != items.front().node)
        position = std::max(position, items.front().run.end);
      run = {position, position};
    }
    std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
      return a.run.begin != b.run.begin ? a.run.begin < b.run.begin
                                        : a.run.empty() && !b.run.empty();
    });
    return items;
  }

  void write_children(const Node& parent, Run within) {
    std::size_t next = within.begin;
    const auto units_to = [&](std::size_t end) {
      for (; next < end; ++next) written_.push_back({false, next});
    };
    for (const auto& [child, run] : placed_children(parent, within)) {
      units_to(run.begin);
      const Node& node = nodes_[child];
      if (node.first != no_mark) written_.push_back({true, node.first});
      write_children(node, run);
      if (node.last != no_mark) written_.push_back({true, node.last});
      next = std::max(next, run.end);
    }
    units_to(within.end);
  }

  std::span<const MarkupToken> marks_;
  const std::vector<Unit>& source_;
  // for each unit of the source, the aligned units of the translation in ascending order
  std::vector<std::vector<std::size_t>> targets_;
  // [t] is the number of aligned units among the first t units of the translation
  std::vector<std::int64_t> aligned_before_;
  std::vector<Node> nodes_;  // the first is the root
  std::vector<Written> written_;
};

}  // namespace

std::size_t unit_after(const std::vector<Unit>& source, const MarkupToken& mark) {
  const auto found = std::ranges::lower_bound(source, mark.at, {}, &Unit::begin);
  return static_cast<std::size_t>(found - source.begin());
}

std::vector<std::int64_t> element_depths(std::span<const MarkupToken> marks,
                                         const std::vector<Unit>& source) {
  std::vector<std::int64_t> change(source.size() + 1);
  for (const MarkupToken& mark : marks) {
    const auto unit = unit_after(source, mark);
    if (mark.kind == MarkupToken::Kind::opening || mark.kind == MarkupToken::Kind::unclosed)
      ++change[unit];
    if (mark.kind == MarkupToken::Kind::closing || mark.kind == MarkupToken::Kind::unopened)
      --change[unit];
    if (mark.kind == MarkupToken::Kind::unopened) ++change.front();
  }
  for (std::size_t i = 1; i < change.size(); ++i) change[i] += change[i - 1];
  return change;
}

std::vector<Written> place_marks(std::span<const MarkupToken> marks,
                                 const std::vector<Unit>& source,
                                 std::span<const std::int64_t> aligned) {
  return Placement(marks, source, aligned).write();
}

}  // namespace tfm

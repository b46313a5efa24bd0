#include "tfm/metrics/alignment_error_rate.h"

#include <set>

namespace tfm {

double alignment_error_rate(const std::vector<WordAlignment>& found,
                            const std::vector<GoldAlignment>& gold) {
  std::size_t both = 0;  // |A and S| + |A and P|
  std::size_t all = 0;   // |A| + |S|
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::set<WordLink> links(found[i].begin(), found[i].end());
    const std::set<WordLink> sure(gold[i].sure.begin(), gold[i].sure.end());
    std::set<WordLink> possible(gold[i].possible.begin(), gold[i].possible.end());
    possible.insert(sure.begin(), sure.end());
    all += links.size() + sure.size();
    for (const auto& link : links)
      both += (sure.contains(link) ? 1 : 0) + (possible.contains(link) ? 1 : 0);
  }
  return all == 0 ? 0 : 1 - static_cast<double>(both) / static_cast<double>(all);
}

}  // namespace tfm

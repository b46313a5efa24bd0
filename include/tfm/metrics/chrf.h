// chrF2 (Popovic 2015): character n-gram F-score, n 1..6, beta 2, whitespace removed, as sacreBLEU 2.6 computes it.
#pragma once

#include <string>
#include <vector>

namespace tfm {

/// 0..100. Throws DataError where the counts differ.
double corpus_chrf(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references);

/// "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:tfm-..." in sacreBLEU's form.
std::string chrf_signature();

}  // namespace tfm

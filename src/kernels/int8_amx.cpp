#include "kernels/int8_amx.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include "kernels/int8_panel_task.h"

#define TFM_AMX \
  __attribute__((target("amx-tile,amx-int8,avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")))

namespace tfm {
namespace {

// A tile is a register with up to 16 rows of 64 bytes. Tiles 0 to 3 hold sums, those of some rows
// of x times 16 columns, tiles 4 and 5 hold rows of x, and tiles 6 and 7 the left and the right
// columns of 16 groups of a panel. An instruction takes the numbers of its tiles as constants.
constexpr int64_t tile_rows = 16;
constexpr int64_t tile_columns = 16;
constexpr int64_t tile_row_bytes = 64;
constexpr int64_t tile_groups = int8_group_multiple;
constexpr int64_t group_bytes = int8_panel_width * int8_group;

/// The operand of ldtilecfg, which sets the shapes of the tiles (Intel 64 and IA-32 Architectures
/// Software Developer's Manual, volume 1, section 18.2).
struct alignas(64) TileShapes {
  uint8_t palette = 1;
  uint8_t start_row = 0;
  uint8_t reserved[14] = {};
  uint16_t row_bytes[16] = {};
  uint8_t rows[16] = {};
};

/// Has the compiler store everything before what follows. GCC does not know that instructions on
/// tiles read memory.
inline void complete_stores(const void* anything) { asm volatile("" : : "r"(anything) : "memory"); }

/// Sets the shapes for `upper` rows of x in the tiles 0, 1 and 4, and `lower` rows in the tiles 2,
/// 3 and 5.
TFM_AMX void set_shapes(int64_t upper, int64_t lower) {
  TileShapes shapes;
  for (int tile = 0; tile < 8; ++tile) shapes.row_bytes[tile] = tile_row_bytes;
  for (const int tile : {0, 1, 4}) shapes.rows[tile] = static_cast<uint8_t>(upper);
  for (const int tile : {2, 3, 5}) shapes.rows[tile] = static_cast<uint8_t>(lower);
  for (const int tile : {6, 7}) shapes.rows[tile] = tile_groups;
  complete_stores(&shapes);
  _tile_loadconfig(&shapes);
}

/// Loads the next panel into the cache. The calls for one panel load a part each, so that none of
/// them waits for memory alone.
class PanelPrefetch {
 public:
  TFM_AMX PanelPrefetch(const Int8PanelTask& task, int64_t calls)
      : next_(task.next_panel), lines_(tile_groups * group_bytes / tile_row_bytes / calls) {}

  /// Is called once for each 16 groups.
  TFM_AMX void load() {
    for (int64_t line = 0; line < lines_; ++line)
      __builtin_prefetch(next_ + line * tile_row_bytes, 0, 2);
    next_ += lines_ * tile_row_bytes;
  }

 private:
  const int8_t* next_;
  int64_t lines_;
};

/// Multiplies two tiles of rows of x by a panel: 16 rows from row `first`, and the `lower` after
/// them.
TFM_AMX void multiply_two_tiles(const Int8PanelTask& task, int64_t first, int64_t lower,
                                PanelPrefetch& prefetch) {
  const int64_t x_row = task.groups * int8_group;
  const int8_t* x = task.x + first * x_row;
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  for (int64_t k = 0; k < task.groups; k += tile_groups) {
    const int8_t* panel = task.panel + k * group_bytes;
    _tile_loadd(6, panel, group_bytes);
    _tile_loadd(7, panel + tile_row_bytes, group_bytes);
    _tile_loadd(4, x + k * int8_group, x_row);
    _tile_dpbssd(0, 4, 6);
    _tile_dpbssd(1, 4, 7);
    _tile_loadd(5, x + tile_rows * x_row + k * int8_group, x_row);
    _tile_dpbssd(2, 5, 6);
    _tile_dpbssd(3, 5, 7);
    prefetch.load();
  }
  alignas(64) Int8RowSums sums[2 * tile_rows];
  _tile_stored(0, sums, sizeof(Int8RowSums));
  _tile_stored(1, &sums[0][tile_columns], sizeof(Int8RowSums));
  _tile_stored(2, sums + tile_rows, sizeof(Int8RowSums));
  _tile_stored(3, &sums[tile_rows][tile_columns], sizeof(Int8RowSums));
  write_rows_avx512(task, first, sums, tile_rows + lower);
}

/// Multiplies all rows of the task, at most 16, by its panel. Every second 16 groups have sums of
/// their own, so that an instruction need not wait for the previous one.
TFM_AMX void multiply_one_tile(const Int8PanelTask& task) {
  PanelPrefetch prefetch(task, 1);
  const int64_t x_row = task.groups * int8_group;
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  for (int64_t k = 0; k < task.groups; k += 2 * tile_groups) {
    const int8_t* panel = task.panel + k * group_bytes;
    _tile_loadd(4, task.x + k * int8_group, x_row);
    _tile_loadd(6, panel, group_bytes);
    _tile_dpbssd(0, 4, 6);
    _tile_loadd(7, panel + tile_row_bytes, group_bytes);
    _tile_dpbssd(1, 4, 7);
    prefetch.load();
    if (k + tile_groups == task.groups) break;
    panel += tile_groups * group_bytes;
    _tile_loadd(5, task.x + (k + tile_groups) * int8_group, x_row);
    _tile_loadd(6, panel, group_bytes);
    _tile_dpbssd(2, 5, 6);
    _tile_loadd(7, panel + tile_row_bytes, group_bytes);
    _tile_dpbssd(3, 5, 7);
    prefetch.load();
  }
  alignas(64) Int8RowSums sums[tile_rows];
  alignas(64) Int8RowSums more[tile_rows];
  _tile_stored(0, sums, sizeof(Int8RowSums));
  _tile_stored(1, &sums[0][tile_columns], sizeof(Int8RowSums));
  _tile_stored(2, more, sizeof(Int8RowSums));
  _tile_stored(3, &more[0][tile_columns], sizeof(Int8RowSums));
  for (int64_t row = 0; row < task.rows; ++row) {
    for (int64_t j = 0; j < int8_panel_width; ++j) sums[row][j] += more[row][j];
  }
  write_rows_avx512(task, 0, sums, task.rows);
}

TFM_AMX void multiply_pairs_of_tiles(const Int8PanelTask& task) {
  constexpr int64_t pair_rows = 2 * tile_rows;
  PanelPrefetch prefetch(task, (task.rows + pair_rows - 1) / pair_rows);
  for (int64_t first = 0; first < task.rows; first += pair_rows)
    multiply_two_tiles(task, first, std::min(pair_rows, task.rows - first) - tile_rows, prefetch);
}

}  // namespace

TFM_AMX void multiply_amx(const Int8Product& product) {
  complete_stores(product.x);
  const int64_t rest = product.rows % (2 * tile_rows);
  const int64_t pairs_end = product.rows - rest;
  if (pairs_end > 0) {
    set_shapes(tile_rows, tile_rows);
    for_each_task(product, 0, pairs_end, multiply_pairs_of_tiles);
  }
  if (rest > tile_rows) {
    set_shapes(tile_rows, rest - tile_rows);
    for_each_task(product, pairs_end, product.rows, multiply_pairs_of_tiles);
  } else if (rest > 0) {
    set_shapes(rest, rest);
    for_each_task(product, pairs_end, product.rows, multiply_one_tile);
  }
  _tile_release();
}

}  // namespace tfm

#endif

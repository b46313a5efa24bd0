// Finds out what a terminal can show: its size, and whether it allows colour.
#pragma once

#include <cstddef>
#include <optional>

namespace tfm {

struct TerminalSize {
  std::size_t rows;
  std::size_t columns;
};

/// Returns the size of the terminal behind a file descriptor, or nullopt if the descriptor is not a
/// terminal or the size is unknown.
std::optional<TerminalSize> terminal_size(int descriptor);

/// Returns the number of columns of the terminal, or nullopt if terminal_size returns nullopt.
std::optional<std::size_t> terminal_columns(int descriptor);

/// Returns true if the descriptor is a terminal that understands control sequences.
bool understands_control_sequences(int descriptor);

/// Returns true if text for the descriptor may be coloured: the descriptor is a terminal that
/// understands control sequences, and NO_COLOR is unset or empty (no-color.org).
bool allows_color(int descriptor);

}  // namespace tfm

// What a terminal can show: its width, and whether to use colour.
#pragma once

#include <cstddef>
#include <optional>

namespace tfm {

/// The columns of the terminal behind a file descriptor; nullopt if it is not a terminal or
/// its size is unknown.
std::optional<std::size_t> terminal_columns(int descriptor);

/// Returns true if the descriptor is a terminal that understands control sequences.
bool understands_control_sequences(int descriptor);

/// Returns true if text for the descriptor may be coloured: it understands control sequences, and
/// NO_COLOR is unset or empty (no-color.org).
bool allows_color(int descriptor);

}  // namespace tfm

#!/usr/bin/env python3
"""Writes src/metrics/unicode_ranges.h: Unicode's properties that the metrics need, as ranges.

Categories and scripts come from the module regex, because sacreBLEU's tokenizer `intl` uses it. Its
tables are newer than those of Python's unicodedata:

    pip install regex==2026.11.19
    python scripts/make_unicode_categories.py
"""

from importlib.metadata import version
from pathlib import Path

import regex

OUTPUT = Path(__file__).resolve().parent.parent / "src" / "metrics" / "unicode_ranges.h"
WIDTH = 100

HEAD = """\
// Ranges of code points with a property of Unicode, in ascending order. Written by
// scripts/make_unicode_categories.py from the tables of the Python module regex {version}.
#pragma once

#include <array>

#include "unicode_categories.h"

namespace tfm {{

// clang-format off
"""
FOOT = """\
// clang-format on

}  // namespace tfm
"""

PROPERTIES = [
    ("number_ranges", "General category N", r"\p{N}"),
    ("punctuation_ranges", "General category P", r"\p{P}"),
    ("symbol_ranges", "General category S", r"\p{S}"),
    ("han_ranges", "Script Han", r"\p{Script=Han}"),
    ("kana_ranges", "Scripts Hiragana and Katakana", r"[\p{Script=Hiragana}\p{Script=Katakana}]"),
    ("southeast_asian_ranges", "Scripts Thai, Lao, Khmer and Myanmar",
     r"[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]"),
]  # fmt: skip


def ranges(members):
    """Returns [first, last] of each run of consecutive numbers."""
    result = []
    for c in members:
        if result and result[-1][1] == c - 1:
            result[-1][1] = c
        else:
            result.append([c, c])
    return result


def table(name, comment, entries):
    lines = [f"/// {comment}", f"inline constexpr auto {name} = std::to_array<CodePointRange>({{"]
    line = "   "
    for first, last in entries:
        entry = f" {{0x{first:X}, 0x{last:X}}},"
        if len(line) + len(entry) > WIDTH:
            lines.append(line)
            line = "   "
        line += entry
    return "\n".join(lines + [line, "});"]) + "\n"


def main():
    tables = []
    for name, comment, pattern in PROPERTIES:
        member = regex.compile(pattern)
        tables.append(table(name, comment,
                            ranges(c for c in range(0x110000) if member.match(chr(c)))))
    OUTPUT.write_text(HEAD.format(version=version("regex")) + "\n".join(tables) + FOOT)
    print(f"{OUTPUT}: {OUTPUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()

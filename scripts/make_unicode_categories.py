#!/usr/bin/env python3
"""Writes the Unicode properties that tfm needs, as ranges of code points.

src/text/unicode_ranges.h has categories, and src/text/script_ranges.h scripts. They come from the
module regex, because sacreBLEU's tokenizer `intl` uses it; its tables are newer than those of
Python's unicodedata. src/text/lowercase_ranges.h has the mapping of Python's str.lower(), which
sacreBLEU's --lowercase uses, and src/text/uppercase_ranges.h that of str.upper():

    pip install regex==2026.11.19
    python scripts/make_unicode_categories.py
"""

import unicodedata
from importlib.metadata import version
from pathlib import Path

import regex

FOLDER = Path(__file__).resolve().parent.parent / "src" / "text"
WIDTH = 100

RANGES_HEAD = """\
// Ranges of code points with a property of Unicode, in ascending order. Written by
// scripts/make_unicode_categories.py from the tables of the Python module regex {version}.
#pragma once

#include <array>

#include "tfm/text/unicode_categories.h"

namespace tfm {{

// clang-format off
"""
SCRIPTS_HEAD = RANGES_HEAD.replace("with a property of Unicode", "of each script").replace(
    "// clang-format off", """\
struct ScriptRange {{
  char32_t first;
  char32_t last;
  Script script;
}};

// clang-format off""")
LOWERCASE_HEAD = """\
// The lower-case letters of Unicode {version}, in ascending order of the upper-case letters.
// Written by scripts/make_unicode_categories.py from str.lower() of Python.
#pragma once

#include <array>
#include <cstdint>

#include "tfm/text/unicode_categories.h"

namespace tfm {{

/// Every `step`-th code point from `first` to `last` is `delta` below its letter of the other case.
struct CaseRange {{
  char32_t first;
  char32_t last;
  std::uint32_t step;
  std::int32_t delta;
}};

// clang-format off
"""
UPPERCASE_HEAD = """\
// The upper-case letters of Unicode {version}, in ascending order of the lower-case letters.
// Written by scripts/make_unicode_categories.py from str.upper() of Python.
#pragma once

#include <array>
#include <string_view>

#include "lowercase_ranges.h"

namespace tfm {{

/// A character whose upper case is several characters, such as the sharp s.
struct LongUppercase {{
  char32_t letter;
  std::string_view uppercase;
}};

// clang-format off
"""
FOOT = """\
// clang-format on

}  // namespace tfm
"""

PROPERTIES = [
    ("number_ranges", "The code points of general category N.", r"\p{N}"),
    ("punctuation_ranges", "The code points of general category P.", r"\p{P}"),
    ("symbol_ranges", "The code points of general category S.", r"\p{S}"),
]  # fmt: skip
SCRIPTS = """Latin Greek Cyrillic Armenian Hebrew Arabic Devanagari Bengali Gurmukhi Gujarati Oriya
    Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Georgian Hangul Ethiopic Khmer
    Mongolian Han""".split()


def ranges(members):
    """Returns [first, last] of each run of consecutive numbers."""
    result = []
    for c in members:
        if result and result[-1][1] == c - 1:
            result[-1][1] = c
        else:
            result.append([c, c])
    return result


def members_of(pattern):
    member = regex.compile(pattern)
    return [c for c in range(0x110000) if member.match(chr(c))]


def script_ranges():
    """Returns [first, last, script] of each run of one script."""
    patterns = {name: rf"\p{{Script={name}}}" for name in SCRIPTS}
    patterns["kana"] = r"[\p{Script=Hiragana}\p{Script=Katakana}]"
    return sorted([*bounds, f"Script::{name.lower()}"] for name, pattern in patterns.items()
                  for bounds in ranges(members_of(pattern)))


def case_ranges(convert):
    """Returns [first, last, step, delta] of the letters with one letter of the other case."""
    result = []
    for c in range(0x110000):
        other = convert(chr(c))
        if len(other) != 1 or ord(other) == c:
            continue
        delta = ord(other) - c
        last = result[-1] if result else [0, 0, 0, 0]
        step = c - last[1]
        if delta == last[3] and step in (1, 2) and (step == last[2] or last[0] == last[1]):
            last[1:3] = c, step
        else:
            result.append([c, c, 1, delta])
    return result


def is_final(before, after=""):
    """Returns whether a capital sigma between these texts becomes the final small sigma."""
    return "\u03c2" in (before + "\u03a3" + after).lower()


def long_uppercase_table():
    letters = [c for c in range(0x110000) if len(chr(c).upper()) > 1]
    entries = [f'    {{0x{c:X}, "{chr(c).upper()}"}},' for c in letters]
    return "\n".join(["/// In ascending order of the letters.",
                      "inline constexpr auto long_uppercases = std::to_array<LongUppercase>({",
                      *entries, "});"]) + "\n"


def table(name, comment, entries, kind="CodePointRange"):
    lines = [f"/// {comment}", f"inline constexpr auto {name} = std::to_array<{kind}>({{"]
    line = "   "
    for first, last, *numbers in entries:
        entry = f" {{{', '.join([f'0x{first:X}', f'0x{last:X}', *map(str, numbers)])}}},"
        if len(line) + len(entry) > WIDTH:
            lines.append(line)
            line = "   "
        line += entry
    return "\n".join(lines + [line, "});"]) + "\n"


def write(name, head, tables):
    path = FOLDER / name
    path.write_text(head + "\n".join(tables) + FOOT)
    print(f"{path}: {path.stat().st_size} bytes")


def main():
    tables = [table(name, comment, ranges(members_of(pattern)))
              for name, comment, pattern in PROPERTIES]
    write("unicode_ranges.h", RANGES_HEAD.format(version=version("regex")), tables)
    write("script_ranges.h", SCRIPTS_HEAD.format(version=version("regex")), [
        table("script_ranges", "The code points of the scripts that the enum Script names.",
              script_ranges(), "ScriptRange")
    ])

    # A sigma is final after a cased letter and not before one, without regard to the characters
    # that Unicode calls case-ignorable.
    cased = [c for c in range(0x110000) if is_final(chr(c))]
    ignorable = [c for c in range(0x110000) if not is_final(chr(c)) and is_final("a" + chr(c))]
    write("lowercase_ranges.h", LOWERCASE_HEAD.format(version=unicodedata.unidata_version), [
        table("lowercase_ranges", "The letters whose lower case is a single other letter.",
              case_ranges(str.lower), "CaseRange"),
        table("cased_ranges", "The cased code points that are not case-ignorable.", ranges(cased)),
        table("case_ignorable_ranges",
              "The code points with the property Case_Ignorable, which the rule for the final "
              "sigma skips.", ranges(ignorable)),
    ])
    write("uppercase_ranges.h", UPPERCASE_HEAD.format(version=unicodedata.unidata_version), [
        table("uppercase_ranges", "The letters whose upper case is a single other letter.",
              case_ranges(str.upper), "CaseRange"),
        long_uppercase_table(),
    ])


if __name__ == "__main__":
    main()

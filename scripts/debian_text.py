"""Extracts parallel text from Debian's packages, for scripts/get_debian_text:
debian_text.py LANGUAGE FOLDER TARGET
"""
import gzip
import io
import itertools
import re
import subprocess
import sys
import tarfile
import tempfile
import zlib
from pathlib import Path

import polib

# One of this many English lines goes to the validation set, and one to the test set.
HELD_OUT = 80


def one_line(text):
    return " ".join(text.split())


def paragraphs(description):
    """Returns the synopsis of a package's description, its paragraphs, and the items of its lists.
    """
    parts = [[]]
    for number, line in enumerate(description):
        is_item = line.startswith("  ")
        if number == 1 or line.strip() == "." or is_item:
            parts.append([])
        if line.strip() != ".":
            parts[-1].append(line)
    return [one_line(" ".join(part)) for part in parts if part]


def descriptions(file):
    """Returns the description of each package, as lines, by the checksum of the English one."""
    found = {}
    for stanza in file.read_text(encoding="utf-8").split("\n\n"):
        key = re.search(r"^Description-md5: (\w+)", stanza, re.M)
        text = re.search(r"^Description-(?!md5)[^:]*: (.*(?:\n .*)*)", stanza, re.M)
        if key and text:
            found[key.group(1)] = text.group(1).split("\n")
    return found


def description_pairs(folder, language):
    english = descriptions(folder / "descriptions.en")
    for key, lines in descriptions(folder / f"descriptions.{language}").items():
        source, target = paragraphs(english.get(key, [])), paragraphs(lines)
        if len(source) == len(target):
            yield from zip(source, target)


def catalogues(archive, pattern):
    """Reads the message catalogues (.po) of an archive whose paths match the pattern."""
    with tarfile.open(archive) as files:
        for member in files:
            if member.isfile() and re.search(pattern, member.name):
                yield polib.pofile(files.extractfile(member).read().decode("utf-8"))


def catalogue_pairs(archive, pattern, plain=lambda text: text):
    for catalogue in catalogues(archive, pattern):
        for entry in catalogue:
            if entry.msgstr and not entry.fuzzy and not entry.obsolete:
                yield one_line(plain(entry.msgid)), one_line(plain(entry.msgstr))


def program_pairs(package, language):
    """Reads the compiled catalogues (.mo) of an installable package."""
    unpacked = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], check=True,
                              stdout=subprocess.PIPE).stdout
    with tarfile.open(fileobj=io.BytesIO(unpacked)) as files:
        for member in files:
            if re.search(rf"/locale/{language}/LC_MESSAGES/.*\.mo$", member.name):
                yield from compiled_pairs(files.extractfile(member).read())


def compiled_pairs(catalogue):
    with tempfile.NamedTemporaryFile(suffix=".mo") as file:
        file.write(catalogue)
        file.flush()
        for entry in polib.mofile(file.name):
            yield one_line(entry.msgid), one_line(entry.msgstr)


def plain_manual(text):
    """Removes the letters of fonts of manual pages: B<ls> becomes ls, E<lt> becomes <."""
    before = None
    while before != text:
        before = text
        text = re.sub(r"\b[BICRSFLX]<+([^<>]*)>+", r"\1", text)
    for name, character in (("lt", "<"), ("gt", ">"), ("bar", "|"), ("sol", "/")):
        text = text.replace(f"E<{name}>", character)
    return text.replace("\\-", "-").replace("\\&", "")


def sources(folder, language):
    """Returns the name, the file and the pairs of each source that is there."""
    catalogues_of = [
        ("manual pages", "manpages-l10n_*.orig.tar.*", rf"/po/{language}/.*\.po$", plain_manual),
        ("LibreOffice", "libreoffice_*.orig-translations.tar.*", rf"/source/{language}/.*\.po$",
         str),
        ("GNOME user guide", "gnome-user-docs_*.orig.tar.*", rf"/{language}/{language}\.po$", str),
    ]
    yield ("package descriptions", next(folder.glob("lists/*_InRelease")),
           description_pairs(folder, language))
    for name, files, path, plain in catalogues_of:
        for archive in sorted(folder.glob(files)):
            yield name, archive, catalogue_pairs(archive, path, plain)
    for package in sorted(folder.glob("*.deb")):
        yield "messages of programs", package, program_pairs(package, language)


def is_sentence(text):
    return 3 <= len(text.split()) <= 60 and not re.search(r"[<>\\%]", text)


class Corpus:
    """Writes the pairs to the training, validation and test files. All pairs with the same English
    text go to the same files, and those of the held-out files differ and are plain sentences.
    """

    def __init__(self, target, language):
        self.files = {
            part: [gzip.open(target / f"{part}.{side}.gz", "wt", encoding="utf-8", newline="\n")
                   for side in ("en", language)]
            for part in ("train", "val", "test")
        }
        self.held_out = set()

    def add(self, pair):
        """Returns the part to which the pair was written, or None."""
        source, target = pair
        if not source or not target:
            return None
        place = zlib.crc32(source.encode()) % HELD_OUT
        part = {0: "val", 1: "test"}.get(place, "train")
        if part != "train":
            if source in self.held_out or not all(map(is_sentence, pair)):
                return None
            self.held_out.add(source)
        for file, text in zip(self.files[part], pair):
            file.write(text + "\n")
        return part

    def close(self):
        for file in itertools.chain(*self.files.values()):
            file.close()


def main():
    language, folder, target = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    corpus = Corpus(target, language)
    table = ["source\tfile\ttraining\tvalidation\ttest"]
    for name, archive, pairs in sources(folder, language):
        counts = {"train": 0, "val": 0, "test": 0, None: 0}
        for pair in pairs:
            counts[corpus.add(pair)] += 1
        table.append("\t".join(map(str, [name, archive.name, counts["train"], counts["val"],
                                         counts["test"]])))
        print(f"[get_debian_text] {name}, {archive.name}: {counts['train']:,} pairs",
              file=sys.stderr, flush=True)
    corpus.close()
    # Complete only now: scripts/get_debian_text looks for this file.
    (target / "sources.tsv").write_text("\n".join(table) + "\n", encoding="utf-8")
    print("\n".join(table))


main()

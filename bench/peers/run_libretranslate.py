"""Runs LibreTranslate without its splitter of sentences, whose model has to be fetched: each line
is one sentence. This makes LibreTranslate faster. Its arguments are those of `libretranslate`.
"""
import sys

from argostranslate import sbd, translate


class WholeLine:
    def __init__(self, package):
        pass

    def split_sentences(self, text):
        return [text]


sbd.MiniSBDSentencizer = translate.MiniSBDSentencizer = WholeLine

from libretranslate.main import main

if __name__ == "__main__":
    sys.exit(main())

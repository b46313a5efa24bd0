#!/usr/bin/env python3
"""Checks tfm serve with clients that others wrote, for scripts/check clients.

The clients of LibreTranslate and DeepL must get what `tfm translate` prints. Documents in the
formats of Word, Excel and PowerPoint are written, sent, and read again by Python's libraries for
them and by LibreOffice. schemathesis makes requests from /spec, valid and invalid ones, and
compares each reply with /spec; scripts/schemathesis.toml has what a schema cannot say. The exit
code is 1 if one of these fails.

Usage: PYTHON scripts/check_clients.py [build/release/tfm [MODEL [EXAMPLES]]]
(from the repository's root, with the packages that scripts/check installs). MODEL translates from
German to English; EXAMPLES is how many requests schemathesis makes for each operation and phase.
"""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, "bench")
from processes import running_service

TFM = sys.argv[1] if len(sys.argv) > 1 else "build/release/tfm"
MODEL = sys.argv[2] if len(sys.argv) > 2 else "runs/cafe"
EXAMPLES = sys.argv[3] if len(sys.argv) > 3 else "100"
LINES = Path("data/cafe/test.de").read_text(encoding="utf-8").splitlines()[:40]
DECODING = ["-m", MODEL, "--reproducible", "--beam-size", "4"]


def translate(lines):
    text = "".join(f"{line}\n" for line in lines)
    done = subprocess.run([TFM, "translate", "-q", *DECODING], input=text, encoding="utf-8",
                          stdout=subprocess.PIPE, check=True)
    return done.stdout.split("\n")[:-1]


class Clients(unittest.TestCase):
    port = None  # of the service
    expected = None  # the translations of LINES

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def test_client_of_libretranslate(self):
        from libretranslatepy import LibreTranslateAPI

        client = LibreTranslateAPI(f"{self.address}/")
        found = [client.translate(line, "de", "en") for line in LINES]
        self.assertEqual(found, self.expected)
        self.assertEqual(client.translate(LINES[0], "auto", "en"), self.expected[0])
        self.assertEqual(client.detect(LINES[0])[0]["language"], "de")
        self.assertIn("de", [language["code"] for language in client.languages()])

    def test_client_of_deepl(self):
        import deepl

        client = deepl.DeepLClient("any key", server_url=self.address)
        found = client.translate_text(LINES, source_lang="DE", target_lang="EN-US")
        self.assertEqual([result.text for result in found], self.expected)
        markup = client.translate_text(f"<p>{LINES[0]}</p>", target_lang="EN-US",
                                       tag_handling="html").text
        self.assertEqual(markup, f"<p>{self.expected[0]}</p>")
        self.assertIn("DE", [language.code for language in client.get_source_languages()])
        self.assertTrue(client.get_usage().character.valid)

    def test_curl(self):
        command = ["curl", "-sf", f"{self.address}/translate", "--data-urlencode",
                   f"q={LINES[0]}", "-d", "source=de", "-d", "target=en"]
        reply = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
        self.assertIn(self.expected[0], reply)

    def send(self, file):
        """Returns the file that the service makes of this one."""
        import requests

        reply = requests.post(f"{self.address}/translate_file", timeout=60,
                              data={"source": "de", "target": "en"},
                              files={"file": (file.name, file.read_bytes())})
        reply.raise_for_status()
        translated = file.with_name(f"translated-{file.name}")
        content = requests.get(reply.json()["translatedFileUrl"], timeout=60).content
        translated.write_bytes(content)
        return translated

    def check_office(self, file, text):
        """LibreOffice opens the file and finds the text."""
        output = file.parent / "converted"
        subprocess.run(["soffice", f"-env:UserInstallation=file://{file.parent}/office",
                        "--headless", "--convert-to", "pdf", "--outdir", output, file],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        found = subprocess.run(["pdftotext", output / f"{file.stem}.pdf", "-"],
                               stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
        self.assertIn(text, found.replace("\n", " "))

    def test_docx(self):
        import docx

        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "letter.docx"
            document = docx.Document()
            for line in LINES[:5]:
                document.add_paragraph(line)
            document.save(file)
            translated = self.send(file)
            found = [paragraph.text for paragraph in docx.Document(translated).paragraphs]
            self.assertEqual(found, self.expected[:5])
            self.check_office(translated, self.expected[0])

    def test_xlsx(self):
        import openpyxl

        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "table.xlsx"
            book = openpyxl.Workbook()
            for row, line in enumerate(LINES[:5], 1):
                book.active.cell(row=row, column=1, value=line)
                book.active.cell(row=row, column=2, value=row)
            book.save(file)
            translated = self.send(file)
            rows = [tuple(row) for row in openpyxl.load_workbook(translated).active.values]
            self.assertEqual(rows, [(self.expected[i], i + 1) for i in range(5)])
            self.check_office(translated, self.expected[0].split()[0])

    def test_pptx(self):
        import pptx

        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "slides.pptx"
            slides = pptx.Presentation()
            slide = slides.slides.add_slide(slides.slide_layouts[1])
            slide.shapes.title.text = LINES[0]
            slide.placeholders[1].text = LINES[1]
            slides.save(file)
            translated = self.send(file)
            shapes = pptx.Presentation(translated).slides[0].shapes
            found = [shape.text_frame.text for shape in shapes]
            self.assertEqual(found, self.expected[:2])
            self.check_office(translated, self.expected[0])

    def test_schema(self):
        # Not its program, which contains the path of the environment before its renaming.
        command = [sys.executable, "-m", "schemathesis.cli", "--config-file",
                   Path("scripts/schemathesis.toml").resolve(), "run", f"{self.address}/spec",
                   "--max-examples", EXAMPLES]
        with tempfile.TemporaryDirectory() as folder:  # for its database of requests
            self.assertEqual(subprocess.run(command, cwd=folder, check=False).returncode, 0)


def main():
    Clients.expected = translate(LINES)
    command = [TFM, "serve", *DECODING, "--n-best", "4"]
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        with running_service(command, log) as (_, Clients.port):
            result = unittest.main(argv=sys.argv[:1], exit=False, verbosity=2).result
            print(log.read_text(errors="replace")[-2000:], end="")
    sys.exit(0 if result.wasSuccessful() else 1)


if __name__ == "__main__":
    main()

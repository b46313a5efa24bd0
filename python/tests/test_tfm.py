"""Tests of the Python package as it is installed: python -m unittest discover python/tests

The results are compared with those of the program `tfm` in the same package.
"""

import json
import logging
import math
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import tfm

CAFE = Path(__file__).resolve().parents[2] / "data" / "cafe"


def program(*arguments, text=""):
    done = subprocess.run(
        [sys.executable, "-m", "tfm_program", "-q", *map(str, arguments)],
        input=text, capture_output=True, text=True, check=True,
    )
    return done.stdout


def config(folder, **training):
    return {
        "model": {"preset": "tiny"},
        "tokenizer": {"vocab_size": 600, "joint": True},
        "data": {"train_source": CAFE / "train.de", "train_target": CAFE / "train.en"},
        "training": {"max_steps": 60, "batch_size": 1024, "run_folder": folder, **training},
    }


def steps_of(folder):
    lines = (folder / "metrics.jsonl").read_text().splitlines()
    return [entry["step"] for entry in map(json.loads, lines) if entry["event"] == "step"]


class TestTfm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name) / "run"
        with cls.assert_log(cls) as messages:
            cls.trained = tfm.train(config(cls.folder), training__seed=3)
        cls.messages = messages
        cls.lines = (CAFE / "test.de").read_text().splitlines()[:64]

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @staticmethod
    def assert_log(_):
        class Messages(logging.Handler):
            def __enter__(self):
                self.texts = []
                logging.getLogger("tfm").addHandler(self)
                logging.getLogger("tfm").setLevel(logging.INFO)
                return self.texts

            def __exit__(self, *_):
                logging.getLogger("tfm").removeHandler(self)

            def emit(self, record):
                self.texts.append((record.levelname, record.getMessage()))

        return Messages()

    def test_train_returns_the_run_folder_and_logs_to_python(self):
        self.assertEqual(Path(self.trained), self.folder)
        self.assertTrue((self.folder / "model.safetensors").exists())
        self.assertIn("seed: 3", (self.folder / "config.yaml").read_text())
        self.assertTrue(any(level == "INFO" and "run folder" in text
                            for level, text in self.messages))

    def test_translations_equal_those_of_the_program(self):
        for beam in (1, 4):
            expected = program("translate", "-m", self.folder, "--beam-size", beam,
                               text="\n".join(self.lines) + "\n").splitlines()
            found = tfm.Translator(self.folder, beam_size=beam).translate(self.lines)
            self.assertEqual(found, expected)

    def test_settings_of_a_call_take_precedence(self):
        translator = tfm.Translator(self.folder, beam_size=4)
        self.assertEqual(translator.translate(self.lines, beam_size=1),
                         tfm.Translator(self.folder, beam_size=1).translate(self.lines))

    def test_a_string_gives_a_string(self):
        translator = tfm.Translator(str(self.folder))
        first = self.lines[0]
        self.assertEqual(translator.translate(first), translator.translate([first])[0])
        self.assertEqual(translator.translate([]), [])
        self.assertEqual(translator.translate(["", "a"])[0], "")

    def test_one_string_is_not_taken_for_a_list_of_lines(self):
        translator = tfm.Translator(self.folder)
        for call in (lambda: translator.explain("ein bier"), lambda: translator.translate(b"bier"),
                     lambda: tfm.bleu("a b", "a b")):
            with self.assertRaisesRegex(TypeError, "list of lines"):
                call()

    def test_none_leaves_a_field_and_lists_have_no_semicolons(self):
        translator = tfm.Translator(self.folder, beam_size=None)
        self.assertEqual(translator.translate(self.lines[:4], min_length=None),
                         tfm.Translator(self.folder).translate(self.lines[:4]))
        with self.assertRaisesRegex(ValueError, "contains ';'"):
            translator.translate(self.lines[:1], forced_phrases=["a;b"])

    def test_explain_gives_candidates_tokens_and_alignments(self):
        found = tfm.Translator(self.folder).explain(self.lines[:2], beam_size=3, n_best=3)
        self.assertEqual([len(each.candidates) for each in found], [3, 3])
        best = found[0].candidates[0]
        self.assertEqual(best.text, found[0].text)
        self.assertLess(best.log_prob, 0)
        self.assertEqual(len(best.explanation[0].alternatives), 3)
        self.assertTrue(all(link.source >= 0 for link in best.alignment))

    def test_scores_equal_those_of_the_program(self):
        translations = tfm.Translator(self.folder).translate(self.lines[:8])
        with tempfile.TemporaryDirectory() as folder:
            for name, lines in (("s", self.lines[:8]), ("t", translations)):
                Path(folder, name).write_text("\n".join(lines) + "\n")
            expected = program("score", "-m", self.folder, "--source", Path(folder, "s"),
                               "--target", Path(folder, "t")).splitlines()
        found = tfm.Scorer(self.folder).score(zip(self.lines[:8], translations))
        for line, score in zip(expected, found):
            self.assertAlmostEqual(float(line.split()[0]), score.log_prob, places=3)
            self.assertAlmostEqual(sum(score.log_probs), score.log_prob, places=4)
            self.assertFalse(math.isnan(score.log_prob))

    def test_models_are_shared_and_form_ensembles(self):
        model = tfm.Model(str(self.folder))
        self.assertEqual(model.device, "cpu")
        self.assertIn("decoding:", model.config)
        one = tfm.Translator(model).translate(self.lines[:4])
        self.assertEqual(tfm.Translator([model, model]).translate(self.lines[:4]), one)

    def test_metrics_equal_known_values(self):
        hypotheses, references = ["the cat sat on the mat"], ["the cat sat on a mat"]
        self.assertAlmostEqual(tfm.bleu(hypotheses, hypotheses), 100)
        self.assertAlmostEqual(tfm.bleu(hypotheses, references), 53.7285, places=3)
        self.assertAlmostEqual(tfm.chrf(hypotheses, hypotheses), 100)
        self.assertAlmostEqual(tfm.ter(hypotheses, references), 100 / 6)
        with self.assertRaises(tfm.DataError):
            tfm.bleu(hypotheses, [])

    def test_errors_are_typed_and_say_what_to_do(self):
        with self.assertRaisesRegex(tfm.ModelError, "nowhere"):
            tfm.Model("nowhere")
        with self.assertRaisesRegex(tfm.ConfigError, "beam_size"):
            tfm.Translator(self.folder, beam_sise=4)
        with self.assertRaises(tfm.ConfigError):
            tfm.train({"training": {"max_steps": -1}})
        self.assertTrue(issubclass(tfm.ConfigError, tfm.Error))

    def test_other_threads_run_while_a_translation_computes(self):
        translator = tfm.Translator(self.folder)
        counts, done = [], threading.Event()

        def count():
            while not done.is_set():
                counts.append(time.perf_counter())
                time.sleep(0.001)

        thread = threading.Thread(target=count)
        begin = time.perf_counter()
        thread.start()
        translator.translate(self.lines * 20, beam_size=8)
        end = time.perf_counter()
        done.set()
        thread.join()
        inside = sum(begin < each < end for each in counts)
        self.assertGreater(inside, 5)

    def test_translators_can_be_called_by_several_threads(self):
        translator = tfm.Translator(self.folder, reproducible=True)
        expected = translator.translate(self.lines)
        found = [None] * 3

        def translate(index):
            found[index] = translator.translate(self.lines)

        threads = [threading.Thread(target=translate, args=(i,)) for i in range(3)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        self.assertEqual(found, [expected] * 3)

    def test_ctrl_c_saves_the_training_which_can_be_resumed(self):
        with tempfile.TemporaryDirectory() as parent:
            folder = Path(parent, "run")
            given = config(folder, max_steps=100000, log_every=1)
            handler = signal.getsignal(signal.SIGINT)  # a job in the background ignores SIGINT
            deadline = time.monotonic() + 600

            metrics = folder / "metrics.jsonl"

            def interrupt():  # after the first update; the file begins with another event
                while time.monotonic() < deadline and not (
                        metrics.exists() and '"event":"step"' in metrics.read_text()):
                    time.sleep(0.05)
                os.kill(os.getpid(), signal.SIGINT)

            thread = threading.Thread(target=interrupt)
            thread.start()
            with self.assertRaises(KeyboardInterrupt):
                tfm.train(given)
            thread.join()
            self.assertIs(signal.getsignal(signal.SIGINT), handler)
            done = steps_of(folder)[-1]
            given["training"]["max_steps"] = done + 3
            tfm.train(given, resume=True)
            self.assertEqual(steps_of(folder), list(range(1, done + 4)))


if __name__ == "__main__":
    unittest.main()

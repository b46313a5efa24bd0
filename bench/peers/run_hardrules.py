"""Runs bicleaner-hardrules without its language identifier (fastspell) and language model (kenlm),
which are not installed: the program imports them even if --disable_lang_ident and
--disable_lm_filter switch them off.
"""
import sys
from types import ModuleType

for name in ("fastspell", "kenlm"):
    sys.modules[name] = ModuleType(name)
sys.modules["fastspell"].FastSpell = None

from hardrules.bicleaner_hardrules import main

if __name__ == "__main__":
    sys.exit(main())

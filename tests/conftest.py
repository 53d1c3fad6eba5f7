"""Settings that hold for the whole suite."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["LANG"] = os.environ["LC_ALL"] = "C.UTF-8"

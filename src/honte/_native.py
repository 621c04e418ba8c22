"""Becomes the native module of the processor level that was chosen."""

import sys

from honte.core.processor import load

sys.modules[__name__] = load(__name__)

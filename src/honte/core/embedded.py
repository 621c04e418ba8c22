"""Binary data in C++ source, which native/core/embedded.hpp decodes.

The build makes a header by running this file: ``embedded.py NAME FILE HEADER``.
"""

import base64
import sys
from pathlib import Path

LINE = 8000
"""Characters in a string: whole groups of five, and fewer than any compiler's limit."""


def embedded(name: str, data: bytes) -> str:
    """The definition of an array of strings in base 85.

    >>> print(embedded("kAnswer", b"forty-two"))
    constexpr std::string_view kAnswer[] = {
        "W^ZzIc`bBzZv"};
    """
    text = base64.b85encode(data).decode("ascii").replace("?", ",")  # no trigraphs
    lines = [f'    "{text[at : at + LINE]}"' for at in range(0, len(text), LINE)]
    return f"constexpr std::string_view {name}[] = {{\n" + ",\n".join(lines) + "};"


def embedded_header(name: str, data: bytes) -> str:
    """A header with an array of strings in base 85."""
    return (
        "#pragma once\n\n#include <string_view>\n\nnamespace honte {\n\n"
        f"inline {embedded(name, data)}\n\n}}  // namespace honte\n"
    )


if __name__ == "__main__":
    name, file, header = sys.argv[1:]
    Path(header).parent.mkdir(parents=True, exist_ok=True)
    Path(header).write_text(embedded_header(name, Path(file).read_bytes()), encoding="utf-8")

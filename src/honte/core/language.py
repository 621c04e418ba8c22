"""The language of messages: English in the source, others from a gettext catalogue.

A message is English text that knows its translation. Programs, stores and protocols see English;
a command line or a terminal shows it through `tr`:

>>> told = Message("there is no game {name}", name="chess")
>>> told == "there is no game chess", tr(told)
(True, 'there is no game chess')

`tools/messages` collects the texts into the catalogue and compiles it.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from gettext import NullTranslations

LANGUAGES = ("en", "zh")
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""The environment variables in which gettext looks for the preferred languages."""
OPTION, VARIABLE = "--lang", "HONTE_LANG"
FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "locale")

_language = "en"
_catalogue: NullTranslations | None = None


class Message(str):
    """English text with its gaps filled, and what a translation needs.

    >>> Message("{n} of {total:,} games", n=3, total=4000)
    '3 of 4,000 games'
    """

    text: str
    values: Mapping[str, Any]
    many: str = ""
    """The plural text, if it differs; `n` selects it."""

    def __new__(cls, text: str, /, **values: Any) -> Self:
        for name, value in values.items():
            if isinstance(value, BaseException):  # keep only its text, which can be pickled
                values[name] = str(value)
        self = super().__new__(cls, text.format_map(values) if values else text)
        self.text, self.values = text, values
        return self

    def __str__(self) -> str:  # so that str(error) is still a Message
        return self

    def translated(self) -> str:
        if _catalogue is None:
            return plain(self)
        if self.many:
            found = _catalogue.ngettext(self.text, self.many, self.values["n"])
        else:
            found = _catalogue.gettext(self.text)
        if not self.values:
            return found
        return found.format_map({name: tr_value(value) for name, value in self.values.items()})


class Worded(Message):
    """A message that a game translates itself: see `GameDescriptor.words`."""

    words: Mapping[str, Mapping[str, str]]

    def translated(self) -> str:
        text = self.words.get(_language, {}).get(self.text)
        if text is None:
            return super().translated()
        return text.format_map(self.values) if self.values else text


def plural(one: str, many: str, n: int, /, **values: Any) -> Message:
    """A message about `n` things, which its text may name as ``{n}``.

    >>> plural("{n} game", "{n} games", 1), plural("{n} game", "{n} games", 20)
    ('1 game', '20 games')
    """
    values["n"] = n
    self = Message(one if n == 1 else many, **values)
    self.text, self.many = one, many
    return self


def message(text: str) -> Message:
    """A text that is marked for translation where it is declared."""
    return text if isinstance(text, Message) else Message(text)


def tr(text: str, /, **values: Any) -> str:
    """A text or a message in the chosen language.

    >>> tr("{n} games", n=3)
    '3 games'
    """
    if isinstance(text, Message):
        return text.translated()
    if _catalogue is not None and text:
        text = _catalogue.gettext(text)
        values = {name: tr_value(value) for name, value in values.items()}
    return text.format_map(values) if values else text


def tr_value(value: Any) -> Any:
    """A message, or an error, in the chosen language; anything else as it is."""
    if isinstance(value, BaseException):
        value = str(value)
    return value.translated() if isinstance(value, Message) else value


def plain(text: object) -> str:
    """A message as an ordinary string, for encoders that take no other."""
    if isinstance(text, Message):
        return str.__str__(text)
    raise TypeError(f"{type(text).__name__} cannot be encoded")


def language() -> str:
    return _language


# -- choosing the language -------------------------------------------------------------


def split(arguments: Sequence[str]) -> tuple[str | None, list[str]]:
    """The ``--lang`` given before the command, if any, and the other arguments.

    >>> split(["--lang", "zh", "best", "--lang"]), split(["--lang=en"]), split(["best"])
    (('zh', ['best', '--lang']), ('en', []), (None, ['best']))
    """
    before, asked, rest = list[str](), None, list(arguments)
    while rest and rest[0].startswith("-"):
        word = rest.pop(0)
        if word == OPTION and rest:
            asked = rest.pop(0)
        elif word.startswith(OPTION + "="):
            asked = word.partition("=")[2]
        else:
            before.append(word)
    return asked, [*before, *rest]


def wanted(arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """The language from the arguments, from HONTE_LANG, or from the locale as gettext reads it.

    >>> wanted([], {"LANG": "zh_CN.UTF-8"}), wanted(["--lang", "en"], {"LANG": "zh_CN.UTF-8"})
    ('zh', 'en')
    """
    asked = split(arguments)[0] or environment.get(VARIABLE)
    if asked:
        if (code := code_of(asked)) not in LANGUAGES:
            known = " and ".join(LANGUAGES)
            raise ValueError(f"there is no language {asked[:40]!r}; there are {known}")
        return code
    for name in VARIABLES:
        if found := environment.get(name):
            codes = (code_of(locale) for locale in found.split(":"))
            return next((code for code in codes if code in LANGUAGES), "en")
    return "en"


def code_of(locale: str) -> str:
    """The language code of a locale: ``zh`` for ``zh_CN.UTF-8``."""
    for end in "._-@":
        locale = locale.partition(end)[0]
    return locale.lower()


def use(code: str) -> None:
    """Switch to a language. English needs no catalogue."""
    global _language, _catalogue
    _language, _catalogue = code, None
    if code == "en":
        return
    import gettext

    _catalogue = gettext.translation("honte", FOLDER, [code])
    # typer reads its texts from here when it is imported.
    vars(gettext).update(gettext=_catalogue.gettext, ngettext=_catalogue.ngettext)
    for stream in (sys.stdout, sys.stderr):  # show ? for letters the encoding lacks
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")

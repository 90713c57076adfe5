"""What the page says: the texts of its catalogues, as `web/src/lib/words.svelte.ts` forms them."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import fogline

LOCALES = Path(fogline.__file__).parent / "locales"
LANGUAGES = ("en", *sorted({path.stem for path in LOCALES.glob("*.json")} - {"en"}))

Message = str | dict[str, str]


@cache
def catalogue(language: str) -> dict[str, Message]:
    found: dict[str, Message] = json.loads((LOCALES / f"{language}.json").read_text(encoding="utf-8"))
    return found


def said(key: str, language: str = "en", **values: object) -> str:
    """The text of a key. What counts is asked for in languages that only tell one from all the rest."""
    message = catalogue(language)[key]
    if isinstance(message, dict):
        assert message.keys() == {"one", "other"}
        message = message["one" if values["count"] == 1 else "other"]
    return re.sub(r"\{(\w+)\}", lambda place: str(values[place[1]]), message)


def like(key: str, language: str = "en") -> re.Pattern[str]:
    """Whatever a key's text may say, with anything in its places."""
    message = catalogue(language)[key]
    forms = message.values() if isinstance(message, dict) else [message]
    parts = (".+".join(re.escape(part) for part in re.split(r"\{\w+\}", form)) for form in forms)
    return re.compile(f"^(?:{'|'.join(parts)})$")

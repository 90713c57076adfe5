"""The sounds: what they are like, when they are heard, and that nobody hears them who does not want to."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

from fogline.server.http.web import CLIENT
from tests.page.hands import Mouse
from tests.page.screens import Visit
from tests.page.visitor import Visitor
from tests.page.words import said

RATE = 44_100
LONGEST = 1.5
"""Seconds that a sound may take."""

_RENDER = """async ([module, name, rate, seconds]) => {
    const sounds = await import(module);
    const context = new OfflineAudioContext(1, seconds * rate, rate);
    sounds[name](context, 0);
    return [...(await context.startRendering()).getChannelData(0)];
}"""

# What would be heard is kept, and nothing is heard.
_TAPE = """{
    window.tapes = [];
    window.AudioContext = class extends OfflineAudioContext {
        constructor() { super(1, 441000, 44100); tapes.push(this); }
    };
}"""
_LOUDEST = """async () => {
    const heard = await Promise.all(tapes.map((tape) => tape.startRendering()));
    const loudest = (samples) => samples.reduce((most, now) => Math.max(most, Math.abs(now)), 0);
    return Math.max(0, ...heard.map((one) => loudest(one.getChannelData(0))));
}"""


@pytest.mark.parametrize("name", ["bell", "foghorn", "tick"])
def test_a_sound_is_quiet_short_and_clean(name: str, visit: Visit) -> None:
    samples = rendered(visit(), name)
    loud = np.abs(samples)
    assert 0.05 < loud.max() < 0.5, "there is room for three at once"
    assert abs(samples.mean()) < 1e-4, "no direct current"
    assert loud[int(LONGEST * RATE) :].max() == 0
    ends = np.flatnonzero(loud > 1e-3)[-1]
    assert np.abs(np.diff(samples[ends - 100 : ends + 100])).max() < 0.01, "it does not break off"


def test_the_bell_is_struck_twice_and_is_no_chord(visit: Visit) -> None:
    samples = rendered(visit(), "bell")
    window = RATE // 50
    loudness = np.sqrt((samples[: len(samples) // window * window].reshape(-1, window) ** 2).mean(axis=1))
    strokes = np.flatnonzero((loudness[1:] > 1.5 * loudness[:-1]) & (loudness[1:] > 0.02)) + 1
    assert (loudness[0] > 0.02, len(strokes)) == (True, 1)
    assert 0.15 < strokes[0] * window / RATE < 0.4
    spectrum = np.abs(np.fft.rfft(samples))
    hertz = np.fft.rfftfreq(len(samples), 1 / RATE)
    lowest, *others = (
        hertz[low + spectrum[low:high].argmax()] for low, high in bands(hertz, 700, 1500, 2600, 4000, 5200)
    )
    assert all(abs(other / lowest - round(other / lowest)) > 0.1 for other in others), "no whole ratios"


def test_the_bell_rings_for_ones_turn_unless_it_is_muted(visit: Visit) -> None:
    visitor = visit()
    visitor.context.add_init_script(_TAPE)
    play_two_turns(visitor)
    assert 0.05 < visitor.page.evaluate(_LOUDEST) < 0.9

    switch = visitor.page.get_by_role("button", name=said("settings.sound"), exact=True)
    expect(switch).to_have_attribute("aria-pressed", "true")
    switch.click()
    visitor.page.reload()
    expect(switch).to_have_attribute("aria-pressed", "false")
    play_two_turns(visitor)
    assert visitor.page.evaluate("tapes.length") == 0


def test_the_first_load_brings_no_sounds(visit: Visit) -> None:
    visitor = visit()
    fetched: list[str] = []
    visitor.page.on("request", lambda request: fetched.append(request.url))
    visitor.go("/")
    expect(visitor.heading).to_be_visible()
    assert fetched
    assert [url for url in fetched if "bells" in url] == []


def play_two_turns(visitor: Visitor) -> None:
    visitor.go("/")
    visitor.button("home.play").first.click()
    Mouse(visitor).play(turns=2)


def rendered(visitor: Visitor, name: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    visitor.go("/about")
    (module,) = CLIENT.glob("assets/bells-*.js")
    return np.array(visitor.page.evaluate(_RENDER, [f"/assets/{module.name}", name, RATE, 2]))


def bands(hertz: np.ndarray[Any, Any], *limits: int) -> list[tuple[int, int]]:
    edges = [int(np.searchsorted(hertz, limit)) for limit in limits]
    return list(pairwise(edges))

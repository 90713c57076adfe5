"""Previews of links, and HEAD: what those ask for who do not open the page."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest

from fogline.server.http.web import PAGES, client_files
from tests.server.nursery import Forked
from tests.server.playing import play_over_http
from tests.server.serving import PATIENCE, Person, Served

PUBLIC = "https://play.example"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("previews")
    with Forked(f"sqlite:///{folder}/fogline.db", folder, f"--origin={PUBLIC}") as server:
        yield server


@pytest.fixture(scope="module")
def host(served: Served) -> Person:
    return Person(served.url)


@pytest.fixture(scope="module")
def over(host: Person) -> str:
    table = str(host.open_table("me", "random", name="Ada", map="tiny")["table"]["id"])
    play_over_http(host, table, 0)
    return table


def ask(served: Served, path: str, method: str = "GET", **headers: str) -> httpx.Response:
    """As a stranger."""
    return httpx.request(method, served.url + path, headers=headers, timeout=PATIENCE, verify=False)


def tags(answer: httpx.Response) -> dict[str, str]:
    return dict(re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)"', answer.text))


def test_head_is_answered_like_get_without_a_body(served: Served, over: str) -> None:
    pages = [page.format(invite=16 * "x", table=over) for page in PAGES]
    files = [path for path in client_files() if path.endswith((".css", ".png", ".js"))][:6]
    api = [
        "/api",
        "/api/maps",
        "/api/players",
        "/api/tutorial",
        f"/api/tables/{over}",
        "/api/nothing",
        "/api/me/tables",
    ]
    others = ["/health", "/metrics", "/reference.css", "/nowhere", f"/game/{over}/picture.png", "/api/openapi.json"]
    for path in (*pages, *files, *api, *others):
        get, head = (ask(served, path, method) for method in ("GET", "HEAD"))
        assert head.status_code == get.status_code, path
        assert head.content == b"", path
        if path != "/metrics":  # which counts the requests
            assert [head.headers.get(name) for name in KEPT] == [get.headers.get(name) for name in KEPT], path
    assert served.troubles() == []


KEPT = ("content-type", "content-length", "cache-control", "etag", "content-encoding", "content-security-policy")


def test_the_head_of_a_stream_ends_at_once(served: Served, host: Person) -> None:
    table = host.open_table("me", "open")["table"]["id"]
    head = ask(served, f"/api/tables/{table}/stream", "HEAD", Authorization=f"Bearer {host.token}")
    assert (head.status_code, head.content) == (200, b"")
    assert ask(served, "/api/people", "HEAD").status_code == 405
    assert served.troubles() == []


def test_the_first_page_shows_the_poster(served: Served) -> None:
    found = tags(ask(served, "/"))
    assert found["og:title"] == "Fogline"
    assert found["og:image"] == f"{PUBLIC}/preview.png"
    assert found["twitter:card"] == "summary_large_image"
    poster = ask(served, "/preview.png")
    assert poster.headers["content-type"] == "image/png"
    assert (found["og:image:width"], found["og:image:height"]) == png_size(poster.content)


def test_an_invitation_tells_nothing_of_its_table(served: Served, host: Person) -> None:
    table = host.open_table("me", "open", name="Ada")["table"]
    real, wrong = (ask(served, f"/join/{invite}") for invite in (table["invite"], 16 * "x"))
    assert real.content == wrong.content
    assert tags(real)["og:title"].startswith("Come and play")


def test_a_finished_game_shows_its_final_board(served: Served, over: str) -> None:
    found = tags(ask(served, f"/game/{over}?at=0"))
    assert found["og:image"] == f"{PUBLIC}/game/{over}/picture.png"
    picture = ask(served, f"/game/{over}/picture.png")
    assert picture.headers["content-type"] == "image/png"
    assert png_size(picture.content) == ("1200", "630")
    assert "max-age" in picture.headers["cache-control"]
    again = ask(served, f"/game/{over}/picture.png", **{"If-None-Match": picture.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_of_a_game_that_goes_on_or_is_private_nothing_is_shown(served: Served, host: Person) -> None:
    running = host.open_table("me", "random", map="tiny")["table"]["id"]
    private = host.open_table("me", "random", map="tiny", spectators=False)["table"]["id"]
    play_over_http(host, private, 0)
    home = tags(ask(served, "/"))
    for table, status in ((running, 404), (private, 403), (16 * "x", 404)):
        assert tags(ask(served, f"/game/{table}")) == home
        assert ask(served, f"/game/{table}/picture.png").status_code == status


def png_size(content: bytes) -> tuple[str, str]:
    assert content.startswith(b"\x89PNG")
    return str(int.from_bytes(content[16:20])), str(int.from_bytes(content[20:24]))

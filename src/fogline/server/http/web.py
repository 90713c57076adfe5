"""The page: the client that was built into the package, and the plans of the boards that it draws."""

from __future__ import annotations

import mimetypes
import os
from functools import lru_cache
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from pydantic import TypeAdapter

from fogline.drawing.plan import Plan, make_plan
from fogline.maps.board import Board
from fogline.server.http.api import REFUSALS
from fogline.server.http.file import File
from fogline.server.http.previews import HOME, Preview, origin_of, preview_of
from fogline.server.refused import Refused

CLIENT = Path(os.environ.get("FOGLINE_CLIENT") or Path(__file__).parents[1] / "client")
"""Where the built client lies; those who work on it may have it elsewhere."""

FOR_EVER = "public, max-age=31536000, immutable"
"""The cache header of files whose names change with their content."""

PREVIEW = b"<!-- preview -->"
"""Where the page says what a preview of its link shows."""

PAGES = ("/", "/join/{invite}", "/game/{table}", "/rules", "/tutorial", "/verify", "/about")
"""The addresses of the page; which of them is shown, the client decides."""

router = APIRouter()


@lru_cache(maxsize=1)
def client_files() -> dict[str, File]:
    """Every file of the client, by its address."""
    mimetypes.add_type("application/manifest+json", ".webmanifest")
    return {
        f"/{path.relative_to(CLIENT)}": File.of(
            path.read_bytes(), mimetypes.guess_type(path)[0] or "application/octet-stream"
        )
        for path in CLIENT.rglob("*")
        if path.is_file()
    }


@lru_cache(maxsize=32)
def board_plan(board: Board) -> File:
    return File.of(TypeAdapter(Plan).dump_json(make_plan(board)), "application/json")


@router.get("/api/maps/{map}", response_model=Plan, responses=REFUSALS)
async def fetch_plan(request: Request, map: str) -> Response:
    """The plan of a board: where everything lies on it, and its pictures."""
    board = request.app.state.reception.hub.settings.offer.boards.get(map)
    if board is None:
        raise Refused("not_found", "there is no such map")
    plan = await request.app.state.reception.work(board_plan, board)
    return plan.answer(request, "no-cache")  # type: ignore[no-any-return]


async def page(request: Request) -> Response:
    """The client, whatever it will show."""
    return _page(request, 200, await preview_of(request))


def _page(request: Request, status: int, preview: Preview) -> Response:
    if "/index.html" not in client_files():
        return HTMLResponse("<p>The page has not been built: run <code>make web</code>.</p>", 503)
    return _index(preview.tags(origin_of(request))).answer(request, "no-cache", status)


@lru_cache(maxsize=256)
def _index(tags: str) -> File:
    index = client_files()["/index.html"]
    return File.of(index.content.replace(PREVIEW, tags.encode()), index.kind)


def lost(request: Request) -> Response:
    """A file of the client, or its page for those who are lost."""
    file = client_files().get(request.url.path)
    if file is None:
        return _page(request, 404, HOME)
    return file.answer(request, FOR_EVER if request.url.path.startswith("/assets/") else "no-cache")


for address in PAGES:
    router.add_api_route(address, page, include_in_schema=False)

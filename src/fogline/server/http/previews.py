"""Previews: what a chat shows of a link. Who sends one shares no more than the link itself says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response

from fogline.drawing.preview import SIZE, draw_preview
from fogline.maps.board import Board
from fogline.server.http.file import File
from fogline.server.http.gate import find_person
from fogline.server.http.session import TABLE_ID, Session
from fogline.server.refused import Refused
from fogline.server.tables.table import IMPORTED, OVER, Table
from fogline.server.wire.messages import state_of

PICTURE = "/game/{table}/picture.png"
AN_HOUR = "public, max-age=3600"
"""The cache header of a picture: its board stays as it is, but the host may send spectators away."""

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Preview:
    title: str
    description: str
    picture: str
    alt: str

    def tags(self, origin: str) -> str:
        """What goes into the page's head. The picture's address must be a whole one."""
        values = {
            "og:type": "website",
            "og:site_name": "Fogline",
            "og:title": self.title,
            "og:description": self.description,
            "og:image": origin + self.picture,
            "og:image:type": "image/png",
            "og:image:width": str(SIZE[0]),
            "og:image:height": str(SIZE[1]),
            "og:image:alt": self.alt,
        }
        properties = "".join(f'<meta property="{name}" content="{escape(text)}" />' for name, text in values.items())
        return f'{properties}<meta name="twitter:card" content="summary_large_image" />'


_WHAT = "Ride the hills before the fog rolls in. A board game for two to four, in your browser."
_POSTER = "A poster of San Francisco: a cable car on a hill, and the bridge in the fog"
HOME = Preview("Fogline", _WHAT, "/preview.png", _POSTER)
_SIT_DOWN = "Open the link and sit down: no account, nothing to install."
INVITATION = Preview("Come and play · Fogline", _SIT_DOWN, HOME.picture, _POSTER)


def replay_of(table: str) -> Preview:
    title, description = "A finished game · Fogline", "See it again, move by move."
    return Preview(title, description, PICTURE.format(table=table), "The board at the end of the game")


async def preview_of(request: Request) -> Preview:
    """What a page's link shows. Browsers that we know do not look at it, so nothing is looked up for them."""
    if "invite" in request.path_params:
        return INVITATION
    table = request.path_params.get("table", "")
    if not re.fullmatch(TABLE_ID, table) or find_person(request) is not None:
        return HOME
    try:
        await _finished(request, table)
    except Refused:
        return HOME
    return replay_of(table)


def origin_of(request: Request) -> str:
    """The address by which the operator says that browsers know this server, and not what a request names. Where they
    say none, the picture's address is a relative one, which fewer readers of previews follow.
    """
    origins = request.app.state.reception.hub.settings.origins
    asked = f"{request.url.scheme}://{request.headers.get('host', '')}"
    return asked if asked in origins else min(origins, default="")


@router.get(PICTURE)
async def picture(request: Request, table: Annotated[str, Path(pattern=TABLE_ID)]) -> Response:
    """The final board of a game that everybody may see."""
    found = await _finished(request, table)
    owners = tuple(sorted(_owners(found).items()))
    file: File = await request.app.state.reception.work(_draw, found.board, owners)
    response = file.answer(request, AN_HOUR)
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"  # previews are shown on other pages
    return response


@lru_cache(maxsize=64)
def _draw(board: Board, owners: tuple[tuple[str, int], ...]) -> File:
    return File.of(draw_preview(board, dict(owners)), "image/png")


async def _finished(request: Request, table: str) -> Table:
    found = await Session(request, request.app.state.reception).hub.look(table, "")
    if found.status not in (OVER, IMPORTED):
        raise Refused("not_found", "there is no picture of a game before its end")
    return found


def _owners(table: Table) -> Mapping[str, int]:
    if table.record is not None:
        return {event["route"]: event["seat"] for event in table.record["events"] if event["e"] == "claim"}
    view = state_of(table, table.viewer("")).view
    return {} if view is None else view.owners

"""The HTTP API: everything a person or a bot can do at a table."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from fogline.players.player import PLAYERS
from fogline.players.ratings import ratings
from fogline.server.http.gate import IMPORT_PATH, bearer_of
from fogline.server.http.session import TABLE_ID, Session, session_of
from fogline.server.refused import Refused
from fogline.server.tables import decisions
from fogline.server.tables.clock import ClockName
from fogline.server.tables.entries import Chair
from fogline.server.tables.people import new_key
from fogline.server.tables.table import IMPORTED, OVER
from fogline.server.tables.text import clean_name
from fogline.server.wire.messages import answer, table_info
from fogline.server.wire.replays import choose_eyes
from fogline.server.wire.wire import ActionText, Answer, ImportedRecord, Name, Replay, State, StepNumber, TableInfo

router = APIRouter(prefix="/api")

Here = Annotated[Session, Depends(session_of)]
TableId = Annotated[str, Path(alias="table", pattern=TABLE_ID, description="a table's id")]
Salt = Annotated[
    str,
    Field(pattern=r"^[0-9a-f]{1,64}$", description="what you add to the table's secret, so that nobody can choose it"),
]
Seal = Annotated[
    str,
    Field(
        pattern=r"^([0-9a-f]{64})?$",
        description="the SHA-256 of a salt, which you reveal once the game is started; empty where you bring none",
    ),
]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class ErrorBody(BaseModel):
    """Why something was refused: nothing has changed."""

    class Error(BaseModel):
        """`code` is for programs, `reason` for people, `rule` the rule's id where one was broken."""

        code: str
        reason: str
        rule: str | None

    error: Error


REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorBody, "description": text}
    for status, text in {
        401: "you are nobody yet: POST /api/people",
        403: "not yours to do",
        404: "there is no such thing",
        408: "it took too long to arrive",
        409: "not now: a rule forbids it, or the game has moved on",
        413: "too large",
        422: "not understood",
        429: "too often, or too many",
        503: "the database does not answer",
    }.items()
}


# People.


class NewPerson(BaseModel):
    """You. Send the token as `Authorization: Bearer TOKEN`; a browser keeps it in a cookie by itself."""

    token: Annotated[str | None, Field(description="null for whom a cookie has made known: no script may read it")]


@router.post("/people", status_code=201, responses=REFUSALS)
async def become_somebody(here: Here, response: Response) -> NewPerson:
    """Makes you known here, by a secret that only you hold. There are no accounts. Who is known already stays so."""
    if await here.anybody():
        return NewPerson(token=bearer_of(here.connection))
    token = await here.new_person()
    here.set_cookie(response, token)
    return NewPerson(token=token)


@router.get("/me/tables", responses=REFUSALS)
async def my_tables(here: Here) -> list[TableInfo]:
    """The tables at which you sit, those that changed last first."""
    person = await here.person()
    return [table_info(table, table.viewer(person)) for table in await here.tables_of(person)]


# Tables.


class ChairWanted(_Body):
    """Who sits there: you, a bot, or anyone with the link."""

    kind: Literal["me", "bot", "open"]
    player: Annotated[str, Field(max_length=40, description="which bot, as in /api/players")] = ""


class TableWanted(_Body):
    """A table to be opened."""

    chairs: Annotated[list[ChairWanted], Field(min_length=2, max_length=4)]
    name: Name = ""
    map: Annotated[str, Field(max_length=40)] = "san_francisco"
    clock: ClockName = "none"
    spectators: bool = True
    autostart: Annotated[bool, Field(description="start as soon as every chair is taken")] = True


@router.post("/tables", status_code=201, responses=REFUSALS)
async def open_table(here: Here, wanted: TableWanted) -> State:
    """Opens a table; you are its host. When no chair is open, the game starts at once."""
    person = await here.person()
    chairs = [_chair(chair, person, wanted) for chair in wanted.chairs]
    if sum(chair.kind == "person" for chair in chairs) > 1:
        raise Refused("invalid", "chairs: you can sit on one chair only")
    async with here.hosting(person) as until:
        table = await here.hub.open(
            chairs,
            person,
            map=wanted.map,
            clock=wanted.clock,
            spectators=wanted.spectators,
            autostart=wanted.autostart,
            until=until,
        )
    return await here.state(table, person)


def _chair(wanted: ChairWanted, person: str, table: TableWanted) -> Chair:
    if (wanted.kind == "bot") != bool(wanted.player):
        raise Refused("invalid", "chairs: a bot has a player, and nobody else has one")
    if wanted.kind == "me":
        return Chair(kind="person", person=person, name=clean_name(table.name))
    return Chair(kind=wanted.kind, player=wanted.player)


@router.get("/tables/{table}", responses=REFUSALS)
async def look_at_table(here: Here, table: TableId, after: Annotated[int, Query(ge=0)] = 0) -> State:
    """All that you may know of a table, with the events since the state of number `after`."""
    return await here.state(table, await here.anybody(), after)


@router.get("/tables/{table}/stream", responses=REFUSALS, response_class=StreamingResponse)
async def stream_table(here: Here, table: TableId, after: Annotated[int, Query(ge=0)] = 0) -> StreamingResponse:
    """The same as a stream of JSON lines: one now, and one whenever something changes. Empty lines keep it alive."""
    person = await here.anybody()
    await here.hub.look(table, person)
    lines = here.lines(table, person, after)
    first = await anext(lines, b"")  # whatever refuses it does so before the answer begins
    return StreamingResponse(_chain(first, lines), media_type="application/x-ndjson")


async def _chain(first: bytes, lines: AsyncGenerator[bytes, None]) -> AsyncIterator[bytes]:
    async with aclosing(lines):
        yield first
        async for line in lines:
            yield line


class Decision(_Body):
    """An action for the step that `view.step` named."""

    step: StepNumber
    action: ActionText


class Stored(BaseModel):
    """It is stored: the state of number `n`, or a later one, shows it."""

    n: int


@router.post("/tables/{table}/actions", responses=REFUSALS)
async def play(here: Here, table: TableId, decision: Decision) -> Stored:
    """Decides for your seat. The same decision sent twice is carried out once."""
    person, now = await here.person(), here.hub.clock
    n = await here.hub.do(table, lambda found: decisions.play(found, person, decision.step, decision.action, now()))
    await here.hub.attendance.touch(table, person)
    return Stored(n=n)


class Question(_Body):
    """An action that may or may not be legal. A claim without its payment asks about all of them."""

    action: ActionText


@router.post("/tables/{table}/why-not", responses=REFUSALS)
async def why_not(here: Here, table: TableId, question: Question) -> Answer:
    """Whether an action of yours is legal now, and if not, by which rule."""
    person = await here.person()
    refused = decisions.why_not(await here.hub.look(table, person), person, question.action)
    return answer(0, refused)


class Guest(_Body):
    """Who wants to join."""

    name: Name = ""
    seal: Seal = ""


@router.get("/invites/{invite}", responses=REFUSALS)
async def look_at_invite(here: Here, invite: Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{16}$")]) -> TableInfo:
    """The table that an invitation is for."""
    person = await here.anybody()
    table = (await here.hub.live(await here.invited(invite))).table
    decisions.check_invite(table, person, invite)
    return table_info(table, table.viewer(person))


@router.post("/invites/{invite}", responses=REFUSALS)
async def join_table(here: Here, invite: Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{16}$")], guest: Guest) -> State:
    """Takes an open chair at the table of an invitation."""
    person = await here.person()
    table = await here.invited(invite)
    await here.hub.sit(table, person, clean_name(guest.name), guest.seal, invite)
    return await here.state(table, person)


@router.put("/tables/{table}/me", responses=REFUSALS)
async def change_me(here: Here, table: TableId, guest: Guest) -> State:
    """Changes your name and seal before the start."""
    person, name, now = await here.person(), clean_name(guest.name), here.hub.clock
    await here.hub.do(table, lambda found: decisions.change(found, person, name, guest.seal, now()))
    return await here.state(table, person)


class Revelation(_Body):
    """The salt that you sealed."""

    salt: Salt


@router.post("/tables/{table}/reveal", responses=REFUSALS)
async def reveal_salt(here: Here, table: TableId, revelation: Revelation) -> State:
    """Reveals your salt once the host has started the game; with the last one, the cards are dealt."""
    person, now = await here.person(), here.hub.clock
    await here.hub.do(table, lambda found: decisions.reveal(found, person, revelation.salt, now()))
    return await here.state(table, person)


class Occupant(_Body):
    """A bot, or, with an empty player, nobody yet."""

    player: Annotated[str, Field(max_length=40)] = ""


@router.put("/tables/{table}/chairs/{chair}", responses=REFUSALS)
async def fill_chair(here: Here, table: TableId, chair: Annotated[int, Path(ge=0, le=3)], occupant: Occupant) -> State:
    """The host gives a chair to a bot, or opens it."""
    person, now = await here.person(), here.hub.clock
    await here.hub.do(table, lambda found: decisions.fill(found, person, chair, occupant.player, now()))
    return await here.state(table, person)


@router.post("/tables/{table}/chairs/{chair}/hand-over", responses=REFUSALS)
async def hand_over(here: Here, table: TableId, chair: Annotated[int, Path(ge=0, le=3)]) -> Stored:
    """Lets a bot play on for somebody for whom you wait, who has been gone for some minutes, until they come back."""
    return Stored(n=await here.hub.hand_over(table, await here.person(), chair))


@router.post("/tables/{table}/invite", responses=REFUSALS)
async def renew_invite(here: Here, table: TableId) -> State:
    """The host makes a new link; the old one ends."""
    return await _set_invite(here, table, new_key())


@router.delete("/tables/{table}/invite", responses=REFUSALS)
async def revoke_invite(here: Here, table: TableId) -> State:
    """The host revokes the link: nobody can join any more."""
    return await _set_invite(here, table, "")


async def _set_invite(here: Session, table: str, invite: str) -> State:
    person, now = await here.person(), here.hub.clock
    await here.hub.do(table, lambda found: decisions.invite(found, person, invite, now()))
    return await here.state(table, person)


class Spectators(_Body):
    """Whether anyone with the table's id may look on."""

    allowed: bool


@router.put("/tables/{table}/spectators", responses=REFUSALS)
async def allow_spectators(here: Here, table: TableId, spectators: Spectators) -> State:
    """The host lets spectators in, or sends them away."""
    person, now = await here.person(), here.hub.clock
    await here.hub.do(table, lambda found: decisions.watch(found, person, spectators.allowed, now()))
    return await here.state(table, person)


@router.post("/tables/{table}/start", responses=REFUSALS)
async def start(here: Here, table: TableId) -> State:
    """The host starts the game: salts are revealed, seats drawn by lot and cards dealt."""
    person, now = await here.person(), here.hub.clock
    await here.hub.do(table, lambda found: decisions.start(found, person, now()))
    return await here.state(table, person)


@router.post("/tables/{table}/leave", responses=REFUSALS)
async def leave(here: Here, table: TableId) -> Stored:
    """Leaves the table. While the game goes on, a bot plays for you until you come back."""
    person, now = await here.person(), here.hub.clock
    return Stored(n=await here.hub.do(table, lambda found: decisions.leave(found, person, now())))


@router.post("/tables/{table}/back", responses=REFUSALS)
async def come_back(here: Here, table: TableId) -> Stored:
    """Takes over again from the bot that played for you."""
    person, now = await here.person(), here.hub.clock
    return Stored(n=await here.hub.do(table, lambda found: decisions.come_back(found, person, now())))


@router.post("/tables/{table}/again", responses=REFUSALS)
async def play_again(here: Here, table: TableId) -> State:
    """A rematch: another table for the same people, opened by the first who asks."""
    person = await here.person()
    again = (await here.hub.look(table, person)).again
    if not again:
        async with here.hosting(person):
            again = await here.hub.play_again(table, person)
    return await here.state(again, person)


# Games that are over.


@router.get("/tables/{table}/record", responses=REFUSALS)
async def fetch_record(here: Here, table: TableId) -> dict[str, Any]:
    """The record of a game that is over, with the secret that its chance came from."""
    found = await here.hub.look(table, await here.anybody())
    if found.status not in (OVER, IMPORTED):
        raise Refused("conflict", "the record is there once the game is over; until then, see the replay")
    return found.game_record()


@router.get("/tables/{table}/replay", responses=REFUSALS, response_model=Replay)
async def fetch_replay(
    here: Here,
    table: TableId,
    eyes: Annotated[str | None, Query(max_length=10, description="all, public, or a seat")] = None,
    at: Annotated[int | None, Query(ge=0, description="only the frame after so many actions")] = None,
) -> Response:
    """The game so far, step by step, as you may see it: all of it, through anyone's eyes, once it is over."""
    person = await here.anybody()
    found = await here.hub.look(table, person)
    viewer = found.viewer(person)
    work = here.reception.archive.replay(person or here.address, found, viewer, choose_eyes(found, viewer, eyes), at)
    return Response(await here.while_waiting(work), media_type="application/json")


_IMPORTED = {"schema": {"$ref": f"#/components/schemas/{ImportedRecord.__name__}"}}
_IMPORT = {"requestBody": {"content": {"application/json": _IMPORTED}, "required": True}}
"""What FastAPI would say itself if it read the body, which may be so large that everybody would wait for it."""


@router.post(IMPORT_PATH.removeprefix("/api"), status_code=201, responses=REFUSALS, openapi_extra=_IMPORT)
async def bring_record(here: Here) -> TableInfo:
    """Brings along a finished game that was played elsewhere, if it breaks no rule, to be replayed by its link."""
    person, body = await here.person(), await here.body()
    archive, boards = here.reception.archive, here.hub.settings.offer.boards
    brought = await here.while_waiting(archive.audit(person, body, boards))
    names = tuple(clean_name(name) for name in brought.names)[: brought.players]
    names += ("",) * (brought.players - len(names))
    here.count_import(person)
    table = (await here.hub.live(await here.hub.bring(brought.record, names, person))).table
    return table_info(table, table.viewer(person))


# What there is.


class PlayerInfo(BaseModel):
    """A player that can take a chair."""

    name: str
    level: int
    description: str
    elo: int | None  # in games of two; the random player has 0


@router.get("/players", responses=REFUSALS)
async def list_players() -> list[PlayerInfo]:
    """The bots, easiest first."""
    elo = ratings()
    return [
        PlayerInfo(name=player.name, level=player.level, description=player.description, elo=elo.get(player.name))
        for player in sorted(PLAYERS.values(), key=lambda player: player.level)
    ]


class MapInfo(BaseModel):
    """A map that can be played."""

    id: str
    name: str


@router.get("/maps", responses=REFUSALS)
async def list_maps(here: Here) -> list[MapInfo]:
    """The maps that can be played here."""
    return [MapInfo(id=board.id, name=board.name) for board in here.hub.settings.offer.boards.values()]

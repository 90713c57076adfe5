"""The application: hub, ways in and gate, put together."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError, WebSocketRequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware

from fogline import __version__
from fogline.server.http import api, pages, previews, sockets, web
from fogline.server.http.gate import Gate, Reception, write_error
from fogline.server.http.heads import Heads
from fogline.server.metrics import METRICS
from fogline.server.refused import STATUS, Refused
from fogline.server.tables import tutorial
from fogline.server.tables.hub import Hub
from fogline.server.wire.wire import ImportedRecord
from fogline.server.workers.archive import NOT_JSON

DESCRIPTION = """
Play the San Francisco cable-car board game from a program of your own.

Become somebody with `POST /api/people`, and send the token with every request as `Authorization: Bearer TOKEN`. Open a
table or join one by its invitation, read its states as JSON lines from `/api/tables/{table}/stream`, and whenever your
seat is among `view.deciding`, post one of the actions in `view.legal` with `view.step`.
"""


class Application(FastAPI):
    """Adds to the description what FastAPI does not read itself."""

    def openapi(self) -> dict[str, Any]:
        described = super().openapi()
        described["components"]["schemas"].setdefault(ImportedRecord.__name__, ImportedRecord.model_json_schema())
        return described


def make_app(hub: Hub) -> FastAPI:
    reception = Reception(hub)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await hub.start()
        yield
        await hub.close()
        await reception.close()

    app = Application(
        title="Fogline",
        version=__version__,
        description=DESCRIPTION,
        lifespan=lifespan,
        middleware=[Middleware(Gate, reception=reception), Middleware(Heads)],
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,  # it would send people to whatever host the request names
    )
    app.state.reception = reception

    @app.get("/health", include_in_schema=False)
    async def health() -> dict[str, Any]:
        await hub.check()
        return {"status": "ok", "version": __version__}

    app.include_router(api.router)
    app.include_router(sockets.router)
    app.include_router(tutorial.router)
    app.include_router(previews.router)
    app.include_router(web.router)
    app.include_router(pages.router)
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(RequestValidationError, _not_understood)
    app.add_exception_handler(WebSocketRequestValidationError, _not_understood)
    app.add_exception_handler(HTTPException, _http_error)

    @app.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:
        METRICS.tables.set(hub.loaded)
        return Response(METRICS.text(), media_type="text/plain; version=0.0.4")

    return app


async def _refused(_request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    METRICS.refusals.labels(error.code).inc()
    return _error(STATUS[error.code], error.code, error.reason, error.rule)


async def _not_understood(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError | WebSocketRequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:])
    if first["type"] in ("json_invalid", "model_attributes_type"):
        return _error(422, "invalid", NOT_JSON)
    return _error(422, "invalid", f"{where}: {first['msg']}" if where else first["msg"])


_WORDS = {
    400: ("invalid", NOT_JSON),  # FastAPI's, for all other ways not to be JSON
    404: ("not_found", "there is nothing at this address"),
    405: ("invalid", "this cannot be done at this address"),
    408: ("too_slow", ""),
    413: ("too_large", ""),
}


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404 and request.method == "GET" and not request.url.path.startswith("/api/"):
        return web.lost(request)
    code, reason = _WORDS.get(error.status_code, ("invalid", ""))
    status = 422 if error.status_code == 400 else error.status_code
    return _error(status, code, reason or str(error.detail), headers=error.headers)


def _error(
    status: int, code: str, reason: str, rule: str | None = None, headers: Mapping[str, str] | None = None
) -> Response:
    return Response(write_error(code, reason, rule), status, headers, "application/json")

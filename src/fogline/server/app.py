"""The application: hub, ways in and gate, put together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware

from fogline import __version__
from fogline.server import api, pages, sockets
from fogline.server.gate import Gate, error_body
from fogline.server.hub import Hub
from fogline.server.metrics import METRICS
from fogline.server.refused import STATUS, Refused
from fogline.server.session import Reception

DESCRIPTION = """
Play the San Francisco cable-car board game from a program of your own.

Become somebody with `POST /api/people`, and send the token with every request as `Authorization: Bearer TOKEN`. Open a
table or join one by its invitation, read its states as JSON lines from `/api/tables/{table}/stream`, and whenever your
seat is among `view.deciding`, post one of the actions in `view.legal` with `view.step`.
"""


def make_app(hub: Hub) -> FastAPI:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await hub.start()
        yield
        await hub.close()

    app = FastAPI(
        title="Fogline",
        version=__version__,
        description=DESCRIPTION,
        lifespan=lifespan,
        middleware=[Middleware(Gate, hub=hub)],
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.state.reception = Reception(hub)
    app.include_router(api.router)
    app.include_router(sockets.router)
    app.include_router(pages.router)
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(RequestValidationError, _not_understood)
    app.add_exception_handler(HTTPException, _http_error)

    @app.get("/health", include_in_schema=False)
    async def health() -> dict[str, Any]:
        await hub.ask(hub.store.check)
        return {"status": "ok", "version": __version__}

    @app.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:
        METRICS.tables.set(hub.loaded)
        return Response(METRICS.text(), media_type="text/plain; version=0.0.4")

    return app


async def _refused(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Refused)
    METRICS.refusals.labels(error.code).inc()
    return JSONResponse(error_body(error.code, error.reason, error.rule), STATUS[error.code])


async def _not_understood(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:])
    return JSONResponse(error_body("invalid", f"{where}: {first['msg']}" if where else first["msg"]), 422)


async def _http_error(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    code = {404: "not_found", 405: "invalid"}.get(error.status_code, "invalid")
    return JSONResponse(error_body(code, str(error.detail)), error.status_code, headers=error.headers)

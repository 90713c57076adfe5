"""A file to send: compressed once, with a tag that says which version it is."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass

from fastapi import Request
from fastapi.responses import Response
from starlette.datastructures import Headers


@dataclass(frozen=True, slots=True)
class File:
    """Something to send, ready in both forms."""

    content: bytes
    packed: bytes
    kind: str
    tag: str

    @staticmethod
    def of(content: bytes, kind: str) -> File:
        return File(content, gzip.compress(content, 9, mtime=0), kind, f'"{hashlib.sha256(content).hexdigest()[:16]}"')

    def answer(self, request: Request, cache: str, status: int = 200) -> Response:
        headers = {"Cache-Control": cache, "ETag": self.tag, "Vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == self.tag:
            return Response(status_code=304, headers=headers)
        if "gzip" in Headers(scope=request.scope).get("accept-encoding", ""):
            return Response(self.packed, status, headers | {"Content-Encoding": "gzip"}, self.kind)
        return Response(self.content, status, headers, self.kind)

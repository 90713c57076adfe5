"""Pages: the reference of the HTTP API, made from its description."""

from __future__ import annotations

from html import escape
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

router = APIRouter(include_in_schema=False)

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1d2b33; }
h2 { margin-top: 2.5rem; } h3 { margin-bottom: .2rem; } code { font-size: .95em; overflow-wrap: anywhere; }
h3 code { background: #eef3f5; padding: .15em .4em; border-radius: .3em; }
table { border-collapse: collapse; margin: .5rem 0; width: 100%; }
td { padding: .15rem .8rem .15rem 0; vertical-align: top; }
a { color: #0b5c7a; } summary { cursor: pointer; }
@media (prefers-color-scheme: dark) {
  body { background: #10191f; color: #dce7ec; } a { color: #7cc7e8; } h3 code { background: #1d2b33; }
}
"""


def _page(title: str, body: str) -> HTMLResponse:
    return HTMLResponse(
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<link rel="stylesheet" href="/reference.css"></head><body>{body}</body></html>'
    )


@router.get("/reference.css")
async def style() -> Response:
    return Response(STYLE, media_type="text/css")


@router.get("/api")
async def reference(request: Request) -> HTMLResponse:
    description = request.app.openapi()
    parts = [f"<h1>{escape(description['info']['title'])}: the HTTP API</h1>"]
    parts += [f"<p>{_inline(text)}</p>" for text in description["info"]["description"].split("\n\n")]
    parts.append('<p>For programs: <a href="/api/openapi.json">openapi.json</a>.</p><h2>Requests</h2>')
    for path, methods in description["paths"].items():
        parts += [_operation(path, method, operation) for method, operation in methods.items()]
    parts.append("<h2>Types</h2>")
    parts += [_schema(name, schema) for name, schema in sorted(description["components"]["schemas"].items())]
    return _page("Fogline: the HTTP API", "".join(parts))


def _operation(path: str, method: str, operation: dict[str, Any]) -> str:
    rows = [(p["name"], _type(p["schema"]), p.get("description", "")) for p in operation.get("parameters", ())]
    if "requestBody" in operation:
        rows.append(("body", _type(operation["requestBody"]["content"]["application/json"]["schema"]), ""))
    for status, answer in operation["responses"].items():
        schema = next((content.get("schema") for content in answer.get("content", {}).values()), None)
        if status.startswith("2"):
            rows.append((f"answer {status}", _type(schema) if schema else "JSON lines", ""))
    return (
        f"<h3><code>{method.upper()} {escape(path)}</code></h3><p>{_inline(operation.get('description', ''))}</p>"
        f"{_table(rows)}"
    )


def _schema(name: str, schema: dict[str, Any]) -> str:
    needed = schema.get("required", ())
    rows = [
        (field + ("" if field in needed else " (optional)"), _type(kind), kind.get("description", ""))
        for field, kind in schema.get("properties", {}).items()
    ]
    text = _inline(schema.get("description", ""))
    return f'<h3 id="{escape(name)}"><code>{escape(name)}</code></h3><p>{text}</p>{_table(rows)}'


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = escape(schema["$ref"].rsplit("/", 1)[-1])
        return f'<a href="#{name}">{name}</a>'
    if "anyOf" in schema:
        return " or ".join(_type(kind) for kind in schema["anyOf"])
    if "enum" in schema or "const" in schema:
        return " | ".join(f"<code>{escape(repr(v))}</code>" for v in schema.get("enum", [schema.get("const")]))
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"table of {_type(schema['additionalProperties'])}"
    return escape(str(schema.get("type", "anything")))


def _table(rows: list[tuple[str, str, str]]) -> str:
    lines = (f"<tr><td><code>{escape(a)}</code></td><td>{b}</td><td>{_inline(c)}</td></tr>" for a, b, c in rows)
    return f"<table>{''.join(lines)}</table>" if rows else ""


def _inline(text: str) -> str:
    """Text in which `code` is code."""
    parts = escape(text.strip()).split("`")
    return "".join(f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts))

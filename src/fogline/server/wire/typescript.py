"""The wire for TypeScript: `python -m fogline.server.wire.typescript` writes every type of it to `web/src/wire.ts`.

The types come from the JSON schemas that describe the API, so that a client whose compiler is content understands the
server. Nothing is said twice: the comments come from the same classes.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

from pydantic import TypeAdapter

from fogline.drawing import plan
from fogline.server.app import Application
from fogline.server.http import api, sockets, web
from fogline.server.refused import STATUS
from fogline.server.tables import tutorial
from fogline.server.wire import eventforms, wire

TARGET = Path(__file__).parents[4] / "web/src/wire.ts"
WIDTH = 120

HEADING = """// The wire between the table server and its clients.
// Made from src/fogline/server by `make wire`: what is changed here by hand is lost.
"""

CONSTANTS = {
    "PROTOCOL": ("The version of the protocol, which stands in the address of a socket.", wire.PROTOCOL),
    "RESTARTING": ("A socket was closed with this code: come again.", sockets.RESTARTING),
    "REFUSED": ("A socket was closed with this code: coming again is no use.", sockets.REFUSED),
    "OUTDATED": ("A socket was closed with this code: load the page anew.", sockets.OUTDATED),
    "FLOOD": ("A socket was closed with this code: send less.", sockets.FLOOD),
}

LITERALS = {
    "ErrorCode": ("The `code` of an error.", (*STATUS, "failed")),
    "Card": ("A transport card.", get_args(eventforms.Card)),
}

UNIONS: dict[str, tuple[str, TypeAdapter[Any]]] = {
    "GameEvent": ("What happened in the game, as the receiver may see it.", eventforms.GAME_EVENT),
    "ServerMessage": ("All that comes over a socket.", wire.SERVER_MESSAGE),
    "ClientMessage": ("All that may be sent over a socket.", wire.CLIENT_MESSAGE),
}

NARROWER = {"code": "ErrorCode"}
"""Fields that the schemas leave wider than what is ever in them."""

Schema = dict[str, Any]


def generate() -> str:
    """All of `wire.ts`."""
    description = _describe_api()
    schemas = _all_schemas(description)
    sparse = {*_sent(description, schemas), *_names(eventforms.GAME_EVENT.json_schema())}
    parts = [HEADING]
    parts += [f"/** {text} */\nexport const {name} = {value};\n" for name, (text, value) in CONSTANTS.items()]
    parts += [_union(name, text, [json.dumps(value) for value in values]) for name, (text, values) in LITERALS.items()]
    parts += [_interface(name, schemas[name], sparse=name in sparse) for name in sorted(schemas, key=_place)]
    parts += [_union(name, text, _names(adapter.json_schema())) for name, (text, adapter) in UNIONS.items()]
    parts.append(_requests(description["paths"]))
    return "\n".join(parts)


def _describe_api() -> Schema:
    app = Application()
    app.include_router(api.router)
    app.include_router(tutorial.router)
    app.include_router(web.router)
    return app.openapi()


def _all_schemas(description: Schema) -> dict[str, Schema]:
    """Every type by its name."""
    schemas: dict[str, Schema] = {}
    for _, adapter in UNIONS.values():
        schemas |= adapter.json_schema(mode="serialization")["$defs"]
    schemas |= description["components"]["schemas"]
    return schemas


def _sent(description: Schema, schemas: dict[str, Schema]) -> set[str]:
    """The types that a client sends."""
    bodies = {"bodies": [operation.get("requestBody") for _, operation in _operations(description["paths"])]}
    sent, found = set[str](), {*_names(bodies), *_names(wire.CLIENT_MESSAGE.json_schema())}
    while found - sent:
        sent |= found
        found = {name for one in sent for name in _names(schemas[one])}
    return sent


def _operations(paths: Schema) -> Iterator[tuple[str, Schema]]:
    for path, methods in paths.items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path}", operation


def _names(schema: Schema) -> list[str]:
    """The types that a schema mentions, apart from its own definitions."""
    text = json.dumps({key: value for key, value in schema.items() if key != "$defs"})
    return list(dict.fromkeys(re.findall(r'"\$ref": "[^"]*/(\w+)"', text)))


# Types with a name.


def _interface(name: str, schema: Schema, *, sparse: bool) -> str:
    fields = "\n".join(_fields(name, schema, sparse=sparse))
    return f"/** {schema['description']} */\nexport interface {name} {{\n{fields}\n}}\n"


def _fields(name: str, schema: Schema, *, sparse: bool) -> Iterator[str]:
    """In what a client sends, and in events, a field may be missing; in all else that the server says, none is."""
    needed, remarks = schema.get("required", ()), _remarks(name)
    for field, kind in schema.get("properties", {}).items():
        if remark := kind.get("description", remarks.get(field)):
            yield f"  /** {remark} */"
        mark = "?" if sparse and field not in needed else ""
        yield f"  readonly {field}{mark}: {NARROWER.get(field) or _type(kind)};"


def _union(name: str, text: str, members: Iterable[str]) -> str:
    line = f"export type {name} = {' | '.join(members)};"
    if len(line) > WIDTH:
        line = f"export type {name} =" + "".join(f"\n  | {member}" for member in members) + ";"
    return f"/** {text} */\n{line}\n"


def _requests(paths: Schema) -> str:
    """What the answer to each request is; the stream of a table answers with lines, each of them a State."""
    lines = ["/** Every request of the HTTP API: what goes with it, and its answer. */", "export interface Api {"]
    for name, operation in _operations(paths):
        if answer := _answer(operation):
            lines.append(f"  /** {operation['description']} */")
            lines.append(f"  readonly {json.dumps(name)}: {{")
            lines += [f"    readonly {part};" for part in (*_parts(operation), f"answer: {answer}")]
            lines.append("  };")
    return "\n".join([*lines, "}", ""])


def _parts(operation: Schema) -> Iterator[str]:
    asked = [parameter for parameter in operation.get("parameters", ()) if parameter["in"] == "query"]
    if asked:
        marks = {True: "", False: "?"}
        fields = "; ".join(f"readonly {one['name']}{marks[one['required']]}: {_type(one['schema'])}" for one in asked)
        yield f"query: {{ {fields} }}"
    if "requestBody" in operation:
        yield f"body: {_type(operation['requestBody']['content']['application/json']['schema'])}"


def _answer(operation: Schema) -> str | None:
    good = next(answer for status, answer in operation["responses"].items() if status.startswith("2"))
    content = good.get("content", {}).get("application/json")
    return _type(content["schema"]) if content else None


# Types as they stand in a line.


def _type(schema: Schema) -> str:
    if "$ref" in schema:
        return str(schema["$ref"].rsplit("/", 1)[-1])
    if "const" in schema or "enum" in schema:
        return _literals(tuple(schema.get("enum", [schema.get("const")])))
    if "anyOf" in schema:
        return " | ".join(_type(one) for one in schema["anyOf"])
    if "oneOf" in schema:
        return next(name for name, (_, adapter) in UNIONS.items() if _names(adapter.json_schema()) == _names(schema))
    if "prefixItems" in schema:
        return f"readonly [{', '.join(_type(item) for item in schema['prefixItems'])}]"
    if schema.get("type") == "array":
        inner = _type(schema["items"])
        return f"readonly ({inner})[]" if " " in inner else f"readonly {inner}[]"
    if schema.get("type") == "object":
        values = "unknown" if schema["additionalProperties"] is True else _type(schema["additionalProperties"])
        if "propertyNames" in schema:
            return f"{{ readonly [key in {_type(schema['propertyNames'])}]?: {values} }}"
        return f"{{ readonly [key: string]: {values} }}"
    return _SIMPLE[schema["type"]]


_SIMPLE = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}


def _literals(values: tuple[Any, ...]) -> str:
    named = next((name for name, (_, known) in LITERALS.items() if known == values), None)
    return named or " | ".join(json.dumps(value) for value in values)


# The classes that the schemas come from.


def _place(name: str) -> int:
    """Where a class stands in the sources, so that the file is in their order; others come last."""
    found = re.search(rf"^ *class {name}\b", _SOURCE, re.M)
    return found.start() if found else len(_SOURCE)


def _remarks(name: str) -> dict[str, str]:
    """What the comments behind the fields of a class say."""
    body, *_ = re.split(r"\n(?=\S)", _SOURCE[_place(name) :], maxsplit=1)
    return dict(re.findall(r"^    (\w+): [^#\n]+  # (.+)$", body, re.M))


_SOURCE = "\n".join(inspect.getsource(module) for module in (eventforms, wire, api, plan))


def main() -> None:
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(generate(), encoding="utf-8")


if __name__ == "__main__":
    main()

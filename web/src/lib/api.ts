// The server's HTTP API. Every call gives what it promises, or throws an ApiError that says why not.

import type { Refusal } from "./refusals";
import { hearDate } from "./servertime";
import type { Answer, Plan, Replay, State, TableInfo, TableWanted, PlayerInfo, MapInfo, Tutorial } from "../wire";

export class ApiError extends Error {
  constructor(
    readonly code: string,
    reason: string,
    readonly rule: string | null = null,
    readonly refusal: Refusal | null = null, // where a rule forbade it
  ) {
    super(reason);
  }
}

interface ErrorBody {
  error?: { code: string; reason: string; rule: string | null };
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const init: RequestInit = { method, credentials: "same-origin" };
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { "Content-Type": "application/json" };
  }
  let response: Response;
  try {
    response = await fetch(`/api${path}`, init);
  } catch {
    throw new ApiError("offline", "the server cannot be reached");
  }
  hearDate(response.headers.get("Date"));
  if (response.ok) return (await response.json()) as T;
  const { error } = (await response.json().catch(() => ({}))) as ErrorBody;
  throw new ApiError(error?.code ?? "failed", error?.reason ?? response.statusText, error?.rule ?? null);
}

const KNOWN = "fogline.known"; // by the server, which alone can read the cookie
let introduced: Promise<unknown> | null = null;

function isKnown(): boolean {
  try {
    return localStorage.getItem(KNOWN) !== null;
  } catch {
    return true; // nobody remembers: the server will say so
  }
}

async function introduce(): Promise<void> {
  introduced ??= call("POST", "/people").finally(() => (introduced = null));
  await introduced;
  try {
    localStorage.setItem(KNOWN, "1");
  } catch {
    // then the server is asked once in vain, every time
  }
}

/** Calls as somebody whom the server knows: it makes us somebody on the first occasion. */
async function asSomebody<T>(method: string, path: string, body?: unknown): Promise<T> {
  if (!isKnown()) await introduce();
  try {
    return await call<T>(method, path, body);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "unknown_person") throw error;
    await introduce();
    return await call<T>(method, path, body);
  }
}

const table = (id: string, rest = ""): string => `/tables/${encodeURIComponent(id)}${rest}`;

/** Another table in the place of the one that was asked for could take another salt, until its cards are as it likes. */
export async function ofTable<T extends { readonly table: TableInfo }>(id: string, answer: Promise<T>): Promise<T> {
  const found = await answer;
  if (found.table.id !== id) throw new ApiError("other_table", "the answer is of another table");
  return found;
}

const asTable = (method: string, id: string, rest = "", body?: unknown): Promise<State> =>
  ofTable(id, call<State>(method, table(id, rest), body));

export const api = {
  openTable: (wanted: TableWanted) => asSomebody<State>("POST", "/tables", wanted),
  lookAt: (id: string) => asTable("GET", id),
  invitation: (invite: string) => call<TableInfo>("GET", `/invites/${encodeURIComponent(invite)}`),
  join: (invite: string, name: string, seal: string) =>
    asSomebody<State>("POST", `/invites/${encodeURIComponent(invite)}`, { name, seal }),
  changeMe: (id: string, name: string, seal: string) => asTable("PUT", id, "/me", { name, seal }),
  reveal: (id: string, salt: string) => asTable("POST", id, "/reveal", { salt }),
  fill: (id: string, chair: number, player: string) => asTable("PUT", id, `/chairs/${chair}`, { player }),
  handOver: (id: string, chair: number) => call<{ n: number }>("POST", table(id, `/chairs/${chair}/hand-over`)),
  renewInvite: (id: string) => asTable("POST", id, "/invite"),
  revokeInvite: (id: string) => asTable("DELETE", id, "/invite"),
  allowSpectators: (id: string, allowed: boolean) => asTable("PUT", id, "/spectators", { allowed }),
  start: (id: string) => asTable("POST", id, "/start"),
  leave: (id: string) => call<{ n: number }>("POST", table(id, "/leave")),
  back: (id: string) => call<{ n: number }>("POST", table(id, "/back")),
  again: (id: string) => call<State>("POST", table(id, "/again")),
  record: (id: string) => call<Record<string, unknown>>("GET", table(id, "/record")),
  replay: (id: string, eyes: string | null) =>
    ofTable(id, call<Replay>("GET", table(id, `/replay${eyes === null ? "" : `?eyes=${eyes}`}`))),
  bring: (record: unknown, names: string[]) => asSomebody<TableInfo>("POST", "/records", { record, names }),
  myTables: () => call<TableInfo[]>("GET", "/me/tables"),
  players: () => call<PlayerInfo[]>("GET", "/players"),
  maps: () => call<MapInfo[]>("GET", "/maps"),
  plan: (map: string) => call<Plan>("GET", `/maps/${encodeURIComponent(map)}`),
  tutorial: () => call<Tutorial>("GET", "/tutorial"),
  tutorialWhyNot: (step: number, action: string) =>
    call<Answer>("GET", `/tutorial/why-not?step=${step}&action=${encodeURIComponent(action)}`),
};

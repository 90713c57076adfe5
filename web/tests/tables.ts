// A table server for tests of the page's own modules: honest as it stands, and with every lie that a test gives it.

import { vi } from "vitest";

import { asSeen } from "../src/lib/comparing";
import { Fairness, fromHex, type Revealed, sha256 } from "../src/lib/fairness";
import type { Receipt } from "../src/lib/receipts";
import type { GameEvent, State, TableInfo } from "../src/wire";

type Kind = TableInfo["chairs"][number]["kind"];

/** A game as it was played, and who sat where: we have chair 0. */
export interface Evening {
  record: { fairness: Revealed; events: Record<string, unknown>[]; players: number; map: string };
  receipt: Receipt;
}

/** A change of what a table says, by an operator. */
export type Lie = (told: TableInfo, path: string) => TableInfo;

export const chairsOf = (kinds: readonly Kind[]): TableInfo["chairs"] =>
  kinds.map((kind) => ({ kind, name: "", player: kind === "bot" ? "racer" : "", level: null, away: false }));

export const stateOf = (table: TableInfo, events: readonly object[] = [], after = 0): State =>
  ({ type: "state", n: after + events.length, after, table, view: null, events }) as unknown as State;

/** A number generator of its own for each test. */
export function chanceOf(seed: number): (bytes: number) => string {
  let state = seed + 1;
  const next = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 24;
  return (bytes) => Array.from({ length: bytes }, () => next().toString(16).padStart(2, "0")).join("");
}

/** What a browser keeps, and how much of it. */
export class Storage {
  most = Infinity;
  private kept = new Map<string, string>([["fogline.known", "1"]]);

  getItem = (key: string): string | null => this.kept.get(key) ?? null;
  setItem = (key: string, value: string): void => {
    if (value.length > this.most) throw new Error("QuotaExceededError");
    this.kept.set(key, value);
  };
}

/** One table, at which we open or join, and its game. */
export class Server {
  salts: string[] = []; // that the page has given, whatever it was asked
  requests: string[] = [];
  status: TableInfo["status"] = "open";
  lie: Lie = (told) => told;
  private seal: string | null = null;

  constructor(
    readonly evening: Evening,
    readonly kinds: Kind[],
    private readonly host = true,
  ) {}

  /** Takes the place of the browser's network, storage and chance. */
  install(): Storage {
    const storage = new Storage();
    const { salt } = this.evening.receipt;
    Object.assign(globalThis, { localStorage: storage, fetch: this.fetch });
    vi.spyOn(crypto, "getRandomValues").mockImplementation((bytes) => {
      (bytes as Uint8Array).set(fromHex(salt));
      return bytes;
    });
    return storage;
  }

  info(path = ""): TableInfo {
    const { fairness, map } = this.evening.record;
    const others = fairness.seals?.slice(1) ?? [];
    const seals = [this.seal, ...others.map((seal, at) => (this.kinds[at + 1] === "person" ? seal : null))];
    const dealt = this.status === "playing" || this.status === "over";
    const told = {
      ...{ id: fairness.game, map, scheme: 2, commitment: fairness.commitment, status: this.status, again: null },
      ...{ chairs: chairsOf(this.kinds), seals, salts: dealt ? fairness.salts : [], invite: "i", clock: "none" },
      you: { chair: this.seal === null && !this.host ? null : 0, seat: null, host: this.host },
    };
    return this.lie(told as unknown as TableInfo, path);
  }

  state = (): State => stateOf(this.info());

  /** Everything that happens, as seat after seat is shown it; told in so many messages. */
  async play(messages = 5): Promise<State[]> {
    this.status = "playing";
    const events = await this.shown();
    const size = Math.ceil(events.length / messages);
    const cut = Array.from({ length: messages }, (_, part) => events.slice(part * size, (part + 1) * size));
    return cut.map((part, at) => {
      if (at === messages - 1) this.status = "over";
      return stateOf(this.info(), part, at * size);
    });
  }

  async shown(): Promise<GameEvent[]> {
    const { fairness, events } = this.evening.record;
    const { secret, game, map = "", seals = [], salts, seating } = fairness;
    const source = new Fairness(secret, game, map, seals, salts);
    return Promise.all(events.map((event, at) => asSeen(event, seating.indexOf(0), at, source))) as Promise<GameEvent[]>;
  }

  private fetch = (address: string, init: RequestInit): Promise<Response> => {
    const path = address.replace("/api", "");
    this.requests.push(`${init.method} ${path}`);
    const body = JSON.parse((init.body as string | undefined) ?? "{}") as { seal?: string; salt?: string };
    if (body.seal) this.seal = body.seal;
    if (path.endsWith("/start")) this.status = "revealing";
    if (body.salt) this.salts.push(body.salt);
    const told = this.info(path);
    const answer = init.method === "GET" ? told : stateOf(told);
    return Promise.resolve({ ok: true, headers: new Headers(), json: () => Promise.resolve(answer) } as Response);
  };
}

/** A page that has just been loaded: what the browser has stored is all that it knows. */
export async function load() {
  vi.resetModules();
  const sitting = await import("../src/lib/sitting");
  const receipts = await import("../src/lib/receipts");
  const { Witness } = await import("../src/lib/witness");
  const heard = new Witness();
  const hear = async (...states: readonly State[]): Promise<void> => {
    for (const state of states) heard.hear(state);
    await heard.settled();
  };
  return { ...sitting, ...receipts, hear };
}

export const sealOf = sha256;

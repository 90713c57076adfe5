// The page's own modules, at an honest server and at ones that lie.

import { beforeEach, describe, expect, it, vi } from "vitest";

import { piecesOf } from "../src/lib/fairness";
import { verify } from "../src/lib/verify";
import type { Plan, State, TableInfo, TableWanted } from "../src/wire";
import fixture from "./fairness.json";
import { chairsOf, chanceOf, type Evening, load, sealOf, Server, stateOf, type Storage } from "./tables";

const python = fixture as unknown as { boards: Record<string, Plan>; honest: Evening[] };
const pieces = piecesOf(python.boards["tiny"] as Plan);
const SEEDS = Array.from({ length: 20 }, (_, seed) => seed);
const SOLO = python.honest.filter(({ record }) => record.players === 2);
const FRIENDS = python.honest.filter(({ record }) => record.players > 2);

/** Ours, and a bot's, which is the one that the table favours. */
const WANTED: TableWanted = { chairs: [{ kind: "me" }, { kind: "bot", player: "racer" }], map: "tiny", autostart: true };

/** A table of us and a bot, with other salts and secrets for each seed. */
function soloOf(seed: number): Evening {
  const { record, receipt } = SOLO[seed % SOLO.length] as Evening;
  return { record, receipt: { ...receipt, salt: chanceOf(seed)(16) } };
}

let server: Server;
let storage: Storage;
let page: Awaited<ReturnType<typeof load>>;

async function sitDown(evening: Evening, kinds: TableInfo["chairs"][number]["kind"][], host = true): Promise<void> {
  vi.restoreAllMocks();
  server = new Server(evening, kinds, host);
  storage = server.install();
  page = await load();
}

const openSolo = async (seed: number): Promise<void> => {
  await sitDown(soloOf(seed), ["person", "bot"]);
};
const id = (): string => server.evening.record.fairness.game;
const kept = () => page.receiptOf(id());
const judge = (record: unknown = server.evening.record) => verify(record, pieces, page.receiptOf(id()));

beforeEach(() => vi.restoreAllMocks());

describe("at an honest table", () => {
  const fair = async (): Promise<void> => {
    const report = await judge();
    expect([report.failure, report.doubts]).toEqual([null, []]);
    expect(kept()).toMatchObject({ given: true, locked: true, differed: false, undealt: [] });
  };

  it.each(SOLO)("one plays alone, and the game is fair", async (evening) => {
    await sitDown(evening, ["person", "bot"]);
    await page.openTable(WANTED);
    await page.hear(...(await server.play()));
    expect(server.salts).toEqual([evening.receipt.salt]);
    expect(kept()).toMatchObject({ revealed: true });
    await fair();
  });

  it.each(FRIENDS)("one plays with friends and a bot, and the game is fair", async (evening) => {
    const kinds = evening.receipt.kinds;
    await sitDown(evening, kinds.map((kind, chair) => (kind === "person" && chair > 0 ? "open" : kind)));
    const chairs: TableWanted["chairs"] = kinds.map((kind, chair) => (kind === "bot" ? { kind: "bot" } : { kind: chair ? "open" : "me" }));
    await page.openTable({ chairs, map: "tiny", autostart: true });
    await page.hear(server.state());
    server.kinds.splice(0, kinds.length, ...kinds); // they come, and with the last one the game begins
    server.status = "revealing";
    await Promise.all([page.hear(server.state()), page.reveal(server.state())]);
    await page.hear(...(await server.play()));
    await fair();
  });

  it.each(FRIENDS)("one comes by an invitation, and the game is fair", async (evening) => {
    await sitDown(evening, evening.receipt.kinds, false);
    await page.join("invitation", "Ann");
    server.status = "revealing";
    await page.reveal(server.state());
    await page.hear(...(await server.play()));
    await fair();
  });

  it.each(FRIENDS)("the last one to come is there at the lock, and the game is fair", async (evening) => {
    await sitDown(evening, evening.receipt.kinds, false);
    server.lie = (told, path) => ({ ...told, status: path.startsWith("/invites") && told.you.chair === 0 ? "revealing" : told.status });
    await page.join("invitation", "Ann");
    expect(server.salts).toHaveLength(1);
    server.lie = (told) => told;
    await page.hear(...(await server.play()));
    await fair();
  });

  it("reloads, lost answers, another tab and a server that is started anew change nothing", async () => {
    for (const evening of python.honest) {
      await sitDown(evening, evening.receipt.kinds);
      await page.changeMe(server.info(), "Ann");
      page = await load(); // in the lobby
      const other = await load();
      server.status = "revealing";
      const network = globalThis.fetch;
      Object.assign(globalThis, { fetch: () => Promise.reject(new Error("offline")) });
      await expect(page.reveal(server.state())).rejects.toThrow();
      Object.assign(globalThis, { fetch: network });
      expect(kept()).toMatchObject({ given: true, revealed: false });
      page = await load();
      await Promise.all([page.reveal(server.state()), other.reveal(server.state())]);
      expect(new Set(server.salts).size).toBe(1);
      const told = await server.play(7);
      await page.hear(...told.slice(0, 4));
      await other.hear(...told.slice(0, 2)); // it sleeps for a while
      page = await load();
      const all = told.flatMap(({ events }) => events);
      await page.hear(stateOf(server.info(), all.slice(0, 9))); // a server that has not heard of the rest
      await page.hear(stateOf(server.info(), all));
      await other.hear(...told.slice(2));
      await fair();
    }
  });

  it("the host may change their mind about a bot", async () => {
    const evening = FRIENDS[0] as Evening;
    const kinds = evening.receipt.kinds;
    await sitDown(evening, kinds.map((_, chair) => (chair ? "bot" : "person")));
    await page.changeMe(server.info(), "Ann");
    for (const [chair, kind] of kinds.entries()) {
      if (chair === 0 || kind === "bot") continue;
      server.kinds[chair] = "open";
      await page.fill(id(), chair, "");
      await page.hear(server.state());
      server.kinds[chair] = "person";
      await page.hear(server.state());
    }
    await page.start(id());
    await page.hear(...(await server.play()));
    await fair();
  });

  it("a rematch is a table of its own", async () => {
    const [first, second] = python.honest as [Evening, Evening];
    await sitDown(first, first.receipt.kinds);
    await page.changeMe(server.info(), "Ann");
    await page.start(id());
    await page.hear(...(await server.play()));
    await fair();
    const next = new Server(second, second.receipt.kinds);
    vi.restoreAllMocks();
    next.install();
    Object.assign(globalThis, { localStorage: storage });
    server = next;
    page = await load();
    await page.changeMe(server.info(), "Ann");
    await page.start(id());
    await page.hear(...(await server.play()));
    await fair();
  });

  it("who only watches keeps no receipt", async () => {
    await openSolo(0);
    await page.hear(...(await server.play()));
    expect(kept()).toBe(null);
  });

  it("where nothing can be stored, the receipt lasts as long as the page", async () => {
    await sitDown(SOLO[0] as Evening, ["person", "bot"]);
    Object.assign(globalThis, { localStorage: undefined });
    await page.openTable(WANTED);
    await page.hear(...(await server.play()));
    await fair();
  });
});

describe("a table that lies about the seals gets no salt", () => {
  const own = (): Promise<string> => sealOf(server.evening.receipt.salt);
  const LISTS: Record<string, (seed: number, ours: string) => Partial<TableInfo>> = {
    "that there are none": () => ({ seals: [], chairs: [] }),
    "that there are none, of the right chairs": () => ({ seals: [] }),
    "that ours is missing": () => ({ seals: [null, null] }),
    "that ours is another": (seed) => ({ seals: [chanceOf(seed + 99)(32), null] }),
    "that ours is another's, too": (_, ours) => ({ seals: [ours, ours], chairs: chairsOf(["person", "person"]) }),
    "that there is one more chair": (_, ours) => ({ seals: [ours, null, null], chairs: chairsOf(["person", "bot", "bot"]) }),
    "that the bot has one": (seed, ours) => ({ seals: [ours, chanceOf(seed + 99)(32)] }),
    "that the bot is a person": (seed, ours) => ({
      seals: [ours, chanceOf(seed + 99)(32)],
      chairs: chairsOf(["person", "person"]),
    }),
    "that the bot is a person, who has none": () => ({ chairs: chairsOf(["person", "person"]) }),
    "that one is longer than any browser can keep": (_, ours) => ({
      seals: [ours, "x".repeat(10_000)],
      chairs: chairsOf(["person", "person"]),
    }),
    "that we sit nowhere": (_, ours) => ({ seals: [ours, null], you: { chair: 7, seat: null, host: true } }),
    "that we sit elsewhere": (_, ours) => ({ seals: [ours, null], you: { chair: 1, seat: null, host: true } }),
    "that it had another commitment": (seed) => ({ commitment: chanceOf(seed + 99)(32) }),
  };

  it.each(Object.entries(LISTS))("%s", async (_, list) => {
    for (const seed of SEEDS) {
      await openSolo(seed);
      const ours = await own();
      server.lie = (told) => (told.status === "revealing" ? { ...told, ...list(seed, ours) } : told);
      await page.openTable(WANTED);
      // And now, when it would know the salt, the list with which the bot's cards are good.
      const people = { seals: [ours, chanceOf(seed + 7)(32)], chairs: chairsOf(["person", "person"]) };
      server.lie = (told) => ({ ...told, ...people });
      await page.reveal(server.state());
      page = await load();
      await page.reveal(server.state());
      expect([server.salts, kept()?.given]).toEqual([[], false]);
      const record = { ...server.evening.record };
      await page.hear(...(await server.play()));
      const report = await judge(record);
      expect(report.failure === null && report.doubts.length === 0).toBe(false);
    }
  });

  it("also where a bot of ours was a person from the beginning", async () => {
    for (const seed of SEEDS) {
      await openSolo(seed);
      server.lie = (told) => ({ ...told, chairs: chairsOf(["person", "person"]), seals: [told.seals[0] ?? null, chanceOf(seed)(32)] });
      await page.openTable(WANTED);
      expect(server.salts).toEqual([]);
    }
  });

  it("also where a bot of ours became a person before", async () => {
    for (const seed of SEEDS) {
      await openSolo(seed);
      const { table } = await page.openTable({ ...WANTED, autostart: false });
      for (const kind of ["open", "person"] as const) await page.hear(stateOf({ ...table, chairs: chairsOf(["person", kind]) }));
      server.status = "revealing";
      const ours = await own();
      server.lie = (told) => ({ ...told, chairs: chairsOf(["person", "person"]), seals: [ours, chanceOf(seed)(32)] });
      await page.reveal(server.state());
      expect(server.salts).toEqual([]);
    }
  });

  it.each<[string, (ours: string) => string[]]>([
    ["has no place in the list", () => []],
    ["has one that is none", () => ["x"]],
    ["has one that is longer than any browser can keep", () => ["x".repeat(10_000)]],
    ["has ours", (ours) => [ours]],
  ])("also where a friend %s", async (_, theirs) => {
    for (const seed of SEEDS) {
      await sitDown(soloOf(seed), ["person", "person"]);
      await page.changeMe(server.info(), "Ann");
      server.status = "revealing";
      const ours = await own();
      server.lie = (told) => ({ ...told, seals: [ours, ...theirs(ours)] });
      await page.reveal(server.state());
      expect(server.salts).toEqual([]);
    }
  });

  it("nor does a second list get it, in any tab", async () => {
    for (const seed of SEEDS) {
      await sitDown(soloOf(seed), ["person", "person"]);
      await page.changeMe(server.info(), "Ann");
      server.status = "revealing";
      const ours = await own();
      const lists = [1, 2].map((n) => stateOf({ ...server.info(), seals: [ours, chanceOf(seed + n)(32)] }));
      const tabs = [page, await load()];
      await Promise.all(lists.map((list, tab) => tabs[tab]?.reveal(list)));
      expect(server.salts).toHaveLength(1);
      expect(kept()).toMatchObject({ differed: true, given: true });
      await page.reveal(lists[1] as (typeof lists)[number]);
      expect(server.salts).toHaveLength(1);
    }
  });

  it("nor when the first answer was lost", async () => {
    for (const seed of SEEDS) {
      await sitDown(soloOf(seed), ["person", "person"]);
      await page.changeMe(server.info(), "Ann");
      server.status = "revealing";
      const network = globalThis.fetch;
      const busy = (path: string, init: RequestInit) => network(path, init).then(() => Promise.reject(new Error("busy")));
      Object.assign(globalThis, { fetch: busy });
      await expect(page.reveal(server.state())).rejects.toThrow();
      Object.assign(globalThis, { fetch: network });
      const ours = await own();
      server.lie = (told) => ({ ...told, seals: [ours, chanceOf(seed)(32)] });
      await page.reveal(server.state());
      expect([server.salts.length, kept()?.differed]).toEqual([1, true]);
    }
  });

  it("nor when the browser cannot write down what it was for", async () => {
    for (const seed of SEEDS) {
      await openSolo(seed);
      await page.openTable({ ...WANTED, autostart: false });
      storage.most = 0;
      await page.start(id());
      await page.reveal(server.state());
      expect(server.salts).toEqual([]);
      storage.most = Infinity;
      page = await load();
      server.lie = (told) => ({ ...told, chairs: chairsOf(["person", "person"]), seals: [told.seals[0] ?? null, chanceOf(seed)(32)] });
      await page.reveal(server.state());
      expect(server.salts).toEqual([]);
    }
  });
});

describe("a table that is exchanged for another", () => {
  const other = (told: TableInfo): TableInfo => ({ ...told, id: "another" });

  it.each(["/me", "/start", "/reveal"])("is an error, at %s", async (asked) => {
    for (const seed of SEEDS) {
      await openSolo(seed);
      server.lie = (told, path) => (path.endsWith(asked) ? other(told) : told);
      await expect(page.openTable(WANTED)).rejects.toMatchObject({ code: "other_table" });
      expect(server.salts.length).toBe(asked === "/reveal" ? 1 : 0);
      expect(page.receiptOf("another")).toBe(null);
      expect(kept()).toMatchObject({ revealed: false });
    }
  });

  it("is an error at an invitation", async () => {
    await sitDown(soloOf(0), ["person", "person"], false);
    server.lie = (told) => (told.you.chair === null ? told : other({ ...told, status: "revealing" }));
    await expect(page.join("invitation", "Ann")).rejects.toMatchObject({ code: "other_table" });
    expect(server.salts).toEqual([]);
  });

  it("is not opened again, when it was there before", async () => {
    for (const seed of SEEDS) {
      await openSolo(seed);
      await page.openTable(WANTED);
      server.status = "open";
      await expect(page.openTable(WANTED)).rejects.toMatchObject({ code: "other_table" });
      expect(server.salts).toHaveLength(1);
    }
  });

  it("is counted, where it took a salt and showed no game", async () => {
    await sitDown(SOLO[0] as Evening, ["person", "bot"]);
    const network = globalThis.fetch;
    for (const name of ["b0", "b1", "b2"]) {
      server.lie = (told) => ({ ...told, id: name });
      const busy = (path: string, init: RequestInit) =>
        path.endsWith("/reveal") ? Promise.reject(new Error("busy")) : network(path, init);
      Object.assign(globalThis, { fetch: busy });
      await expect(page.openTable(WANTED)).rejects.toThrow();
      server.status = "open";
    }
    Object.assign(globalThis, { fetch: network });
    server.lie = (told) => told;
    await page.openTable(WANTED);
    await page.hear(...(await server.play()));
    expect(kept()?.undealt).toEqual(["b0", "b1", "b2"]);
    expect((await judge()).doubts).toEqual(["undealt"]);
    // One of them was only slow.
    await page.hear(stateOf({ ...server.info(), id: "b1", status: "playing" }, [{ e: "recycle" }]));
    expect(kept()?.undealt).toEqual(["b0", "b2"]);
    expect(page.receiptOf("b1")?.undealt).toEqual([]); // each counts for one game
  });

  it("by the old scheme gets no seal", async () => {
    await openSolo(0);
    server.lie = (told) => ({ ...told, scheme: 1 });
    await expect(page.openTable(WANTED)).rejects.toMatchObject({ code: "old_scheme" });
    expect(server.requests).toEqual(["POST /tables"]);
  });

  it("with chairs that no table has gets no seal", async () => {
    const you = { chair: 7, seat: null, host: false };
    for (const change of [{ chairs: [] }, { chairs: chairsOf(Array<"open">(5).fill("open")) }, { you }]) {
      await sitDown(soloOf(0), ["person", "open"], false);
      server.lie = (told) => ({ ...told, ...change });
      await expect(page.join("invitation", "Ann")).rejects.toThrow("this is no table");
      expect(server.requests).toEqual(["GET /invites/invitation"]);
    }
  });

  it("with an id or a commitment that is none gets no seal", async () => {
    for (const change of [{ commitment: "c".repeat(1_000_000) }, { id: "x".repeat(65) }, { id: "" }]) {
      await openSolo(0);
      server.lie = (told) => ({ ...told, ...change });
      await expect(page.openTable(WANTED)).rejects.toThrow();
      expect(server.requests).toEqual(["POST /tables"]);
    }
  });
});

describe("after the lock nothing changes unseen", () => {
  async function playing(seed: number): Promise<void> {
    const evening = SOLO[seed % SOLO.length] as Evening;
    await sitDown(evening, ["person", "bot"]);
    await page.openTable(WANTED);
  }

  it("a history that is told only at the end", async () => {
    for (const seed of SEEDS) {
      await playing(seed);
      const told = await server.play(4);
      const nobody = (table: TableInfo) => ({ ...table, you: { ...table.you, chair: null } });
      const other = told.map((state) => ({ ...state, events: state.events.map((event) => ({ ...event, lie: seed })) }));
      await page.hear(...other.map((state) => ({ ...state, table: nobody(state.table) })));
      page = await load();
      await page.hear(stateOf(server.info(), told.flatMap(({ events }) => events)));
      expect((await judge()).failure?.key).toBe("differed");
    }
  });

  it("a history that is told anew, in this tab or the next, longer or shorter", async () => {
    for (const seed of SEEDS) {
      await playing(seed);
      const events = await server.shown();
      server.status = "playing";
      const at = 3 + (seed % 7);
      const lie = events.map((event, number) => (number === at ? { e: "recycle" } : event));
      await page.hear(stateOf(server.info(), events.slice(0, 12)));
      if (seed % 2) page = await load();
      await page.hear(stateOf(server.info(), lie.slice(0, seed % 3 ? at + 1 : 15)));
      expect(kept()).toMatchObject({ differed: true });
    }
  });

  it.each<[string, (told: TableInfo) => TableInfo]>([
    ["our chair", (told) => ({ ...told, you: { ...told.you, chair: 1 } })],
    ["who is a bot", (told) => ({ ...told, chairs: chairsOf(["person", "person"]) })],
    ["our seal", (told) => ({ ...told, seals: ["a".repeat(64), null] })],
    ["the bot's seal", (told) => ({ ...told, seals: [told.seals[0] ?? null, "b".repeat(64)] })],
  ])("%s", async (_, lie) => {
    for (const seed of SEEDS) {
      await playing(seed);
      const before = kept();
      server.status = "playing";
      server.lie = lie;
      await page.hear(server.state());
      expect(kept()).toEqual({ ...before, differed: true });
    }
  });

  it("an acknowledgement that is taken back", async () => {
    for (const seed of SEEDS) {
      await playing(seed);
      const before = kept();
      expect(before?.revealed).toBe(true);
      server.status = "open";
      for (const change of [{ seals: [null, null] }, { you: { chair: null, seat: null, host: true } }])
        await page.reveal(stateOf({ ...server.info(), ...change }));
      expect(kept()).toEqual(before);
      const { fairness } = server.evening.record;
      const { failure } = await judge({ ...server.evening.record, fairness: { ...fairness, salts: [null, null] } });
      expect(failure).not.toBe(null);
    }
  });

  it("what is drawn", async () => {
    for (const seed of SEEDS) {
      await playing(seed);
      server.status = "playing";
      const display = (await server.shown()).find((event) => event.e === "display");
      const shown = { seat: null, phase: "turn", hand: {}, tickets: [], offer: [], owners: {} };
      const told = (view: object) =>
        ({ ...stateOf(server.info(), [display ?? {}]), view: { ...shown, ...view } }) as unknown as State;
      const cards = display?.cards ?? [];
      const counts = Object.fromEntries(cards.map((card) => [card, cards.filter((one) => one === card).length]));
      await page.hear(told({ display: counts }));
      expect(kept()?.differed).toBe(false);
      await page.hear(told({ display: { ...counts, ferry: 7 } }));
      expect(kept()?.differed).toBe(true);
    }
  });

  it("who was a bot for a guest, too", async () => {
    for (const evening of FRIENDS) {
      const { kinds } = evening.receipt;
      await sitDown(evening, kinds, false);
      await page.join("invitation", "Ann");
      server.status = "revealing";
      server.lie = (told) => ({ ...told, chairs: chairsOf(kinds.map(() => "person")), seals: told.seals.map((seal, at) => seal ?? chanceOf(at)(32)) });
      await page.reveal(server.state());
      server.lie = (told) => told;
      await page.hear(...(await server.play()));
      expect(kept()).toMatchObject({ differed: true });
    }
  });
});
